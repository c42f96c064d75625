//! Quantifiers, in scripts of Horn clauses.
//!
//! The bound variables of a quantified formula are constants of the store: the first binder of `x`
//! in a command gets the symbol `x`, so that people recognise it, the others get fresh ones.
//!
//! Invariant: a constant that is a bound variable somewhere has never been a predicate without
//! arguments, nor the other way round; so what a symbol stands for does not depend on where it
//! occurs. Invariant: inside a definition with parameters all binders are fresh, so that arguments
//! are not captured. One symbol may still be bound by two formulas (a definition that is called
//! twice): who removes quantifiers renames.

use shofar_base::{Idx, Map, Read};
use shofar_term::{Quantifier, Sort, Symbol, Term, TermStore};

use crate::elaborate::{Elaborator, Form};
use crate::environment::{Environment, Meaning};
use crate::names::Name;
use crate::operation::Operation;
use crate::sexpr;
use crate::sums::Value;
use crate::token::{Token, TokenKind};

/// What a constant of sort Bool has been used as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Variable,
    Predicate,
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    /// The variable that binders of this name get.
    variable: Option<(Sort, Term)>,
    /// The number of the last command that has such a binder.
    used: u32,
    /// The role of the constant of this name and sort Bool.
    role: Option<Role>,
    /// Whether the name was made up, so that a binder of the script must not have it.
    invented: bool,
}

/// The variables that binders get.
#[derive(Clone, Debug, Default)]
pub(crate) struct Binders {
    entries: Vec<Entry>,
    command: u32,
    /// What invented variables are called in the text.
    written: Map<Symbol, Name>,
}

impl Binders {
    /// The next command begins.
    pub(crate) fn next_command(&mut self) {
        self.command = self.command.checked_add(1).expect("fewer than 2^32 commands");
    }
    fn entry(&mut self, name: Name) -> &mut Entry {
        if self.entries.len() <= name.index() {
            self.entries.resize(name.index() + 1, Entry::default());
        }
        &mut self.entries[name.index()]
    }
    /// Gives the constant of this name and sort Bool a role; false if it has the other one.
    pub(crate) fn assign(&mut self, name: Name, role: Role) -> bool {
        *self.entry(name).role.get_or_insert(role) == role
    }
    /// The variable under its own name, if nothing speaks against it.
    fn own(&mut self, store: &mut TermStore, text: &str, name: Name, sort: Sort) -> Option<Term> {
        let command = self.command;
        let entry = self.entry(name);
        let taken = sort.is_bool() && entry.role == Some(Role::Predicate);
        if entry.used == command || entry.invented || taken {
            return None;
        }
        entry.used = command;
        if sort.is_bool() {
            entry.role = Some(Role::Variable);
        }
        match entry.variable {
            Some((known, variable)) if known == sort => Some(variable),
            Some(_) | None => {
                let variable = store.var(text, sort);
                entry.variable = Some((sort, variable));
                Some(variable)
            }
        }
    }
}

impl Environment {
    /// The variable for a binder; under its own name only if `own` and the name is free.
    fn variable(&mut self, store: &mut TermStore, name: Name, sort: Sort, own: bool) -> Term {
        if own
            && self.global(name) == Meaning::Unbound
            && Operation::of(name).is_none()
            && let Some(variable) = self.binders.own(store, self.names.text(name), name, sort)
        {
            return variable;
        }
        let symbol = self.invent(store, name, sort);
        store.constant(symbol)
    }
    /// A fresh constant, and no binder will ever be given its name.
    pub(crate) fn invent(&mut self, store: &mut TermStore, name: Name, sort: Sort) -> Symbol {
        let symbol = store.fresh(self.names.text(name), sort);
        let invented = self.intern(store.name(symbol).as_bytes());
        self.binders.entry(invented).invented = true;
        self.binders.written.insert(symbol, name);
        symbol
    }
    /// What a bound variable is called in the text.
    pub fn written_name<'n>(&'n self, store: &'n TermStore, variable: Symbol) -> &'n str {
        match self.binders.written.get(&variable) {
            Some(&name) => self.names.text(name),
            None => store.name(variable),
        }
    }
}

impl Elaborator<'_, '_> {
    /// The bound variables of a quantifier, behind the word.
    pub(crate) fn open_quantifier(&mut self, head: Token, quantifier: Quantifier) -> Read<Form> {
        if !self.env.is_horn() {
            return Err(self.binder(head));
        }
        sexpr::expect_open(self.lexer)?;
        let (first, locals) = (self.work.binders.len(), self.env.locals());
        loop {
            let token = self.lexer.next()?;
            if token.kind == TokenKind::Close {
                return Ok(Form::Quantified(quantifier, first));
            }
            if token.kind != TokenKind::Open {
                return Err(sexpr::unexpected(self.lexer, "a variable with its sort", token));
            }
            self.bind_variable(locals)?;
        }
    }
    fn bind_variable(&mut self, locals: usize) -> Read<()> {
        let symbol = sexpr::symbol(self.lexer, "the name of a variable")?;
        let name = self.env.name_of(self.lexer, symbol);
        let sort = self.env.sorts.sort(self.store, self.lexer)?;
        self.expect_close()?;
        if self.env.is_bound_since(name, locals) {
            let message = format!("`{}` is bound twice by one quantifier", self.env.text(name));
            return Err(self.lexer.error_at(symbol, message));
        }
        let own = !self.parametric && self.depth == 0;
        let variable = self.env.variable(self.store, name, sort, own);
        self.env.bind_local(name, variable);
        self.work.binders.push(variable);
        Ok(())
    }
    /// The quantified formula whose body is complete; reads the closing parenthesis.
    pub(crate) fn close_quantifier(
        &mut self,
        quantifier: Quantifier,
        first: usize,
        value: Value,
        start: usize,
    ) -> Read<Value> {
        if !self.sort_of(value).is_bool() {
            return Err(self.wrong_sort(start, "Bool", self.sort_of(value)));
        }
        self.expect_close()?;
        let body = self.make_term(value);
        let variables = self.work.binders.split_off(first);
        self.env.unbind_locals(self.env.locals() - variables.len());
        let term = self.store.quantify(quantifier, body, &variables);
        let open = self.work.frames.last().map_or(start, |frame| frame.open);
        self.note_place(term, open);
        Ok(Value::Term(term))
    }
    /// Remembers where a predicate or a quantifier of Horn clauses stands, for messages about it.
    pub(crate) fn note_place(&mut self, term: Term, open: usize) {
        if self.depth == 0 && self.env.is_horn() {
            let span = self.lexer.span(open, self.lexer.offset());
            self.env.places.push((term, span));
        }
    }
}

/// The complaint about a declaration that Horn clauses have no place for.
pub fn no_constants(name: &str, sort: &str) -> String {
    format!(
        "`{name}` is a constant of sort {sort} outside of any clause: Horn clauses have predicates and bound variables only"
    )
}

/// The complaint about a function that is no predicate.
pub(crate) fn no_functions(name: &str, sort: &str) -> String {
    format!(
        "`{name}` is a function to {sort}: uninterpreted functions are not supported, only predicates are"
    )
}
