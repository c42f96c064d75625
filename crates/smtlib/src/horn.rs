//! The commands of z3's fixedpoint dialect, and declarations in scripts of Horn clauses.
//!
//! `declare-rel` declares a predicate, `declare-var` a variable that every rule is universal in,
//! `rule` asserts a clause, and `query` asks whether a formula can be derived. `declare-fun` may
//! also declare a constant, which z3 does for the variables of queries; who executes the commands
//! knows whether it is one.

use shofar_base::{Diagnostic, Read};
use shofar_term::print::print_sort;
use shofar_term::{Sort, Symbol, Term};

use crate::command::Command;
use crate::environment::Meaning;
use crate::names::Name;
use crate::parse::Parser;
use crate::quantifier::{Role, no_constants, no_functions};
use crate::sexpr::{self, is_symbol};
use crate::token::{Token, TokenKind};

impl Parser<'_, '_> {
    /// `declare-fun`, behind its parameters.
    pub(crate) fn declare_horn_function(
        &mut self,
        name: Name,
        token: Token,
        params: &[Sort],
    ) -> Read<Command> {
        let result = self.env.sorts.sort(self.store, self.lexer)?;
        if params.is_empty() && !result.is_bool() {
            return Ok(Command::Declare(self.free_symbol(name, result)));
        }
        self.declare_horn(name, token, params, result)
    }
    /// `declare-const`, behind its name.
    pub(crate) fn declare_horn_constant(&mut self, name: Name, token: Token) -> Read<Command> {
        let result = self.env.sorts.sort(self.store, self.lexer)?;
        self.declare_horn(name, token, &[], result)
    }
    fn declare_horn(
        &mut self,
        name: Name,
        token: Token,
        params: &[Sort],
        result: Sort,
    ) -> Read<Command> {
        if !result.is_bool() {
            let (text, sort) = (self.env.text(name), print_sort(self.store, result));
            return Err(if params.is_empty() {
                let error = *self.lexer.error_at(token, no_constants(text, &sort));
                error.note("a script that is not about Horn clauses is run by `shofar smt`").into()
            } else {
                self.lexer.error_at(token, no_functions(text, &sort))
            });
        }
        self.declare_predicate(name, token, params)
    }
    fn declare_predicate(&mut self, name: Name, token: Token, params: &[Sort]) -> Read<Command> {
        if params.is_empty() && !self.env.binders.assign(name, Role::Predicate) {
            return Err(self.both_roles(name, token));
        }
        Ok(Command::Declare(if params.is_empty() {
            self.env.declare(self.store, name, Sort::BOOL)
        } else {
            self.env.declare_function(self.store, name, params, Sort::BOOL)
        }))
    }
    fn both_roles(&self, name: Name, token: Token) -> Box<Diagnostic> {
        let message =
            format!("`{}` is both a variable of sort Bool and a predicate", self.env.text(name));
        let span = self.lexer.span(token.start(), token.end());
        Box::new(
            Diagnostic::new(span, message)
                .note("give one of them another name, or declare the predicate first"),
        )
    }
    pub(crate) fn declare_rel(&mut self) -> Read<Command> {
        let (name, token) = self.new_name()?;
        let params = self.sorts()?;
        // The names of table representations may follow.
        while is_symbol(self.lexer.peek()?) {
            self.lexer.next()?;
        }
        self.declare_predicate(name, token, &params)
    }
    pub(crate) fn declare_var(&mut self) -> Read<Command> {
        let (name, token) = self.new_name()?;
        let sort = self.env.sorts.sort(self.store, self.lexer)?;
        if sort.is_bool() && !self.env.binders.assign(name, Role::Variable) {
            return Err(self.both_roles(name, token));
        }
        Ok(Command::DeclareVar(self.free_symbol(name, sort)))
    }
    /// Declares a symbol that is no predicate.
    fn free_symbol(&mut self, name: Name, sort: Sort) -> Symbol {
        let symbol = self.store.declare(self.env.text(name), &[], sort);
        let term = self.store.constant(symbol);
        self.env.declare_variable(name, symbol, term);
        symbol
    }
    pub(crate) fn rule(&mut self) -> Read<Command> {
        let first = self.lexer.next()?;
        let (term, labels) = self.elaborate(first, Some(Sort::BOOL))?;
        let mut name = labels.name;
        if is_symbol(self.lexer.peek()?) {
            let token = self.lexer.next()?;
            name = Some(self.env.name_of(self.lexer, token));
        }
        let name = name.map(|name| self.env.text(name).to_owned());
        Ok(Command::Rule { term, name })
    }
    /// A query is a formula, or the bare name of a predicate, whatever its arguments are.
    pub(crate) fn query(&mut self) -> Read<Command> {
        let first = self.lexer.next()?;
        let term = match self.predicate(first) {
            Some(symbol) => self.open_atom(symbol),
            None => self.elaborate(first, Some(Sort::BOOL))?.0,
        };
        while self.lexer.peek()?.kind == TokenKind::Keyword {
            self.lexer.next()?;
            if !matches!(self.lexer.peek()?.kind, TokenKind::Keyword | TokenKind::Close) {
                let value = self.lexer.next()?;
                sexpr::skip(self.lexer, value)?;
            }
        }
        Ok(Command::Query(term))
    }
    fn predicate(&mut self, token: Token) -> Option<Symbol> {
        if !is_symbol(token) {
            return None;
        }
        let name = self.env.name_of(self.lexer, token);
        match self.env.meaning(name) {
            Meaning::Function(symbol) => Some(symbol),
            Meaning::Unbound
            | Meaning::Builtin(_)
            | Meaning::Term(_)
            | Meaning::Definition(_)
            | Meaning::Data(_) => None,
        }
    }
    /// The predicate applied to fresh variables.
    fn open_atom(&mut self, symbol: Symbol) -> Term {
        let sorts = self.store.params(symbol).to_vec();
        let prefix = self.env.intern(b"argument");
        let arguments: Vec<Term> = sorts
            .into_iter()
            .map(|sort| {
                let variable = self.env.invent(self.store, prefix, sort);
                self.store.constant(variable)
            })
            .collect();
        self.store.app(symbol, &arguments)
    }
}
