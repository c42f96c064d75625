//! What the names of a script mean, and how that changes with push and pop.
//!
//! A name has a global meaning (a function of the theories, a declared constant, a definition) and
//! perhaps a local one (it is bound by a `let`, or is a parameter of a definition). Both are found
//! by indexing with the name. Undoing is by trails: local bindings are undone when their `let`
//! ends, global ones when their scope is popped.
//!
//! Invariant: between commands no local binding exists.
//! Invariant: a name's global meaning is bound at most once; shadowing by declaration is an error
//! of the script.
//!
//! A definition that has to be expanded textually must not see the local bindings around its call:
//! such an expansion raises the `barrier`, and local bindings older than it are invisible.

use shofar_base::{IndexVec, Map, Span};
use shofar_term::{Sort, Symbol, Term, TermStore};

use crate::builtin::{BUILTINS, Builtin, WORDS};
use crate::definition::{Definition, DefinitionId};
use crate::division::{ZeroDivision, ZeroDivisions};
use crate::elaborate::Workspace;
use crate::lexer::Lexer;
use crate::logic::Logic;
use crate::names::{Name, Names};
use crate::operation::OPERATIONS;
use crate::overload::{DataName, DataNames};
use crate::product::Kept;
use crate::quantifier::Binders;
use crate::sorts::Sorts;
use crate::token::Token;
use crate::waiting::Waiting;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    Unbound,
    Builtin(Builtin),
    Term(Term),
    Definition(DefinitionId),
    /// A declared function or predicate with arguments.
    Function(Symbol),
    /// Constructors and selectors of data types.
    Data(DataName),
}

#[derive(Clone, Copy, Debug)]
struct Local {
    /// Its place on the trail.
    place: usize,
    term: Term,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    global: Meaning,
    local: Option<Local>,
}

/// How much had been declared when a scope or a command began.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope {
    bound: usize,
    declared: usize,
    named: usize,
    sorts: usize,
    data: usize,
    variables: usize,
}

/// The names, definitions and scopes of a script.
#[derive(Debug)]
pub struct Environment {
    pub(crate) names: Names,
    slots: IndexVec<Name, Slot>,
    trail: Vec<(Name, Option<Local>)>,
    barrier: usize,
    scopes: Vec<Scope>,
    bound: Vec<Name>,
    declared: Vec<Symbol>,
    named: Vec<(Name, Term)>,
    definitions: IndexVec<DefinitionId, Definition>,
    pub(crate) expansions: Map<(DefinitionId, Box<[Term]>), Term>,
    /// The expansions of the present command that have products of unknowns, which stand where the
    /// call stands.
    pub(crate) unsettled: Vec<(DefinitionId, Box<[Term]>)>,
    pub(crate) divisions: ZeroDivisions,
    pub(crate) sorts: Sorts,
    pub(crate) data: DataNames,
    pub(crate) binders: Binders,
    /// The variables that rules are universal in.
    variables: Vec<Symbol>,
    /// Where the predicates and quantifiers of the present command stand.
    pub(crate) places: Vec<(Term, Span)>,
    /// Where the products of unknowns stand.
    pub(crate) kept: Vec<Kept>,
    /// Whether the script consists of Horn clauses, whatever its logic.
    pub(crate) horn: bool,
    pub(crate) logic: Option<Logic>,
    pub(crate) global_declarations: bool,
    pub(crate) workspace: Option<Box<Workspace>>,
    /// The tokens of the next command, if somebody has scanned it already; none between the
    /// commands.
    pub(crate) tokens: Vec<Token>,
    /// Declarations that lack the sort of a field.
    pub(crate) waiting: Vec<Waiting>,
    /// The annotations that nobody has taken yet, if they are kept.
    pub(crate) annotations: Option<Vec<Annotation>>,
}

/// An attribute other than `:named`, and what it stands at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    /// With its colon.
    pub keyword: String,
    /// As it was written; empty if there is none.
    pub value: String,
    /// What is annotated.
    pub term: Term,
    /// Whether the term means the same outside of the place where it stands: no parameter or bound
    /// variable may occur in it.
    pub is_closed: bool,
    /// Where the keyword stands.
    pub span: Span,
}

impl Default for Environment {
    fn default() -> Self {
        Self::new()
    }
}

impl Environment {
    /// Nothing but the theories.
    pub fn new() -> Self {
        let mut names = Names::default();
        let mut slots = IndexVec::new();
        for (text, builtin) in BUILTINS {
            names.intern(text.as_bytes());
            slots.push(Slot { global: Meaning::Builtin(builtin), local: None });
        }
        let words = WORDS.iter().map(|(text, _)| text);
        for text in words.chain(OPERATIONS.iter().map(|(text, _)| text)) {
            names.intern(text.as_bytes());
            slots.push(Slot { global: Meaning::Unbound, local: None });
        }
        Self {
            names,
            slots,
            trail: Vec::new(),
            barrier: 0,
            scopes: Vec::new(),
            bound: Vec::new(),
            declared: Vec::new(),
            named: Vec::new(),
            definitions: IndexVec::new(),
            expansions: Map::default(),
            unsettled: Vec::new(),
            divisions: ZeroDivisions::default(),
            sorts: Sorts::default(),
            data: DataNames::default(),
            binders: Binders::default(),
            variables: Vec::new(),
            places: Vec::new(),
            kept: Vec::new(),
            horn: false,
            logic: None,
            global_declarations: false,
            workspace: None,
            tokens: Vec::new(),
            waiting: Vec::new(),
            annotations: None,
        }
    }
    /// For scripts whose annotations have a meaning: they are kept.
    pub fn with_annotations() -> Self {
        Self { annotations: Some(Vec::new()), ..Self::new() }
    }
    /// The annotations since the last call, in the order of their ends.
    pub fn take_annotations(&mut self) -> Vec<Annotation> {
        self.annotations.as_mut().map(std::mem::take).unwrap_or_default()
    }
    /// For a script of Horn clauses, whatever logic it sets. Products of unknowns are kept, see
    /// [`crate::product`].
    pub fn for_horn() -> Self {
        Self { horn: true, ..Self::new() }
    }
    /// Whether the script consists of Horn clauses: what is declared are predicates, and
    /// quantifiers are read.
    pub fn is_horn(&self) -> bool {
        self.horn || self.logic == Some(Logic::Horn)
    }
    /// The variables of `declare-var` in scope, in the order of their declarations.
    pub fn variables(&self) -> &[Symbol] {
        &self.variables
    }
    /// The logic the script has set.
    pub fn logic(&self) -> Option<Logic> {
        self.logic
    }
    /// How many scopes are open.
    pub fn level(&self) -> usize {
        self.scopes.len()
    }
    /// The declared constants, functions and predicates in scope, in the order of their
    /// declarations.
    pub fn declared(&self) -> &[Symbol] {
        &self.declared
    }
    /// The named terms in scope, in the order of their occurrence.
    pub fn named(&self) -> impl Iterator<Item = (&str, Term)> {
        self.named.iter().map(|&(name, term)| (self.names.text(name), term))
    }
    /// The side conditions of all divisions by zero: that they are functions of their dividends.
    pub fn side_conditions(&self) -> impl Iterator<Item = Term> + '_ {
        self.divisions.conditions()
    }
    /// All divisions by zero that occurred.
    pub fn zero_divisions(&self) -> &[ZeroDivision] {
        self.divisions.all()
    }
    /// The sort of numerals such as `5`.
    pub(crate) fn numeral_sort(&self) -> Sort {
        if self.logic.is_some_and(Logic::has_real_numerals) { Sort::REAL } else { Sort::INT }
    }

    /// The name with these bytes.
    #[inline]
    pub(crate) fn intern(&mut self, bytes: &[u8]) -> Name {
        let name = self.names.intern(bytes);
        if self.slots.len() < self.names.len() {
            self.slots.push(Slot { global: Meaning::Unbound, local: None });
        }
        name
    }
    /// The name of a symbol.
    #[inline]
    pub(crate) fn name_of(&mut self, lexer: &Lexer<'_>, token: Token) -> Name {
        match token.name() {
            Some(name) => name,
            None => self.intern(lexer.token_bytes(token)),
        }
    }
    /// What the name means here.
    #[inline]
    pub(crate) fn meaning(&self, name: Name) -> Meaning {
        let slot = &self.slots[name];
        match slot.local {
            Some(local) if local.place >= self.barrier => Meaning::Term(local.term),
            Some(_) | None => slot.global,
        }
    }
    /// What the name means outside all `let`s.
    pub(crate) fn global(&self, name: Name) -> Meaning {
        self.slots[name].global
    }
    pub(crate) fn text(&self, name: Name) -> &str {
        self.names.text(name)
    }

    /// The next command begins.
    pub(crate) fn next_command(&mut self) {
        self.places.clear();
        self.binders.next_command();
        for key in self.unsettled.drain(..) {
            self.expansions.remove(&key);
        }
    }
    /// How many local bindings there are.
    pub(crate) fn locals(&self) -> usize {
        self.trail.len()
    }
    /// Binds a name locally.
    pub(crate) fn bind_local(&mut self, name: Name, term: Term) {
        let place = self.trail.len();
        let slot = &mut self.slots[name];
        self.trail.push((name, slot.local));
        slot.local = Some(Local { place, term });
    }
    /// Whether the name was bound after the first `count` local bindings.
    pub(crate) fn is_bound_since(&self, name: Name, count: usize) -> bool {
        self.slots[name].local.is_some_and(|local| local.place >= count)
    }
    /// Undoes all local bindings but the first `count`.
    pub(crate) fn unbind_locals(&mut self, count: usize) {
        for (name, local) in self.trail.drain(count..).rev() {
            self.slots[name].local = local;
        }
    }
    /// Hides all present local bindings; returns what [`Self::lower_barrier`] needs.
    pub(crate) fn raise_barrier(&mut self) -> usize {
        std::mem::replace(&mut self.barrier, self.trail.len())
    }
    pub(crate) fn lower_barrier(&mut self, barrier: usize) {
        self.barrier = barrier;
    }

    /// Gives an unbound name a global meaning.
    pub(crate) fn bind(&mut self, name: Name, meaning: Meaning) {
        debug_assert_eq!(self.slots[name].global, Meaning::Unbound);
        self.slots[name].global = meaning;
        self.bound.push(name);
    }
    /// Changes the global meaning of a name, without a way back.
    pub(crate) fn assign(&mut self, name: Name, meaning: Meaning) {
        self.slots[name].global = meaning;
    }
    /// Declares a constant under an unbound name.
    pub(crate) fn declare(&mut self, store: &mut TermStore, name: Name, sort: Sort) -> Symbol {
        let symbol = store.declare(self.names.text(name), &[], sort);
        let term = store.constant(symbol);
        self.bind(name, Meaning::Term(term));
        self.declared.push(symbol);
        symbol
    }
    /// Declares a function with arguments, or a predicate, under an unbound name.
    pub(crate) fn declare_function(
        &mut self,
        store: &mut TermStore,
        name: Name,
        params: &[Sort],
        result: Sort,
    ) -> Symbol {
        let symbol = store.declare(self.names.text(name), params, result);
        self.bind(name, Meaning::Function(symbol));
        self.declared.push(symbol);
        symbol
    }
    /// Declares a variable of rules under an unbound name.
    pub(crate) fn declare_variable(&mut self, name: Name, symbol: Symbol, term: Term) {
        self.bind(name, Meaning::Term(term));
        self.variables.push(symbol);
    }
    /// Defines an unbound name as a function.
    pub(crate) fn define(&mut self, definition: Definition) {
        let name = definition.name;
        let id = self.definitions.push(definition);
        self.bind(name, Meaning::Definition(id));
    }
    /// Gives an unbound name to a term of the script.
    pub(crate) fn name_term(&mut self, name: Name, term: Term) {
        self.bind(name, Meaning::Term(term));
        self.named.push((name, term));
    }
    pub(crate) fn definition(&self, id: DefinitionId) -> &Definition {
        &self.definitions[id]
    }

    /// What there is now.
    pub(crate) fn mark(&self) -> Scope {
        Scope {
            bound: self.bound.len(),
            declared: self.declared.len(),
            named: self.named.len(),
            sorts: self.sorts.len(),
            data: self.data.len(),
            variables: self.variables.len(),
        }
    }
    /// Opens scopes.
    pub(crate) fn push(&mut self, count: usize) {
        let scope = self.mark();
        self.scopes.extend(std::iter::repeat_n(scope, count));
    }
    /// Closes scopes; there are at least `count`.
    pub(crate) fn pop(&mut self, count: usize) {
        let level = self.scopes.len() - count;
        if count > 0 && !self.global_declarations {
            self.forget(self.scopes[level]);
        }
        self.scopes.truncate(level);
        self.divisions.pop(level);
    }
    /// Forgets what has been declared since then; if less is there, because a scope was closed,
    /// nothing.
    pub(crate) fn forget(&mut self, scope: Scope) {
        let first = scope.bound.min(self.bound.len());
        for name in self.bound.drain(first..) {
            self.slots[name].global = Meaning::Unbound;
        }
        self.declared.truncate(scope.declared);
        self.named.truncate(scope.named);
        self.sorts.truncate(scope.sorts);
        self.forget_data(scope.data);
        self.variables.truncate(scope.variables);
    }
    /// Forgets everything but that the script consists of Horn clauses.
    pub(crate) fn reset(&mut self) {
        *self = Self { horn: self.horn, ..Self::new() };
    }
    /// Closes all scopes and, unless declarations are global, forgets what was declared.
    pub(crate) fn reset_assertions(&mut self) {
        self.scopes.clear();
        if !self.global_declarations {
            self.forget(Scope { bound: 0, declared: 0, named: 0, sorts: 0, data: 0, variables: 0 });
        }
        self.divisions.retract_all();
    }
}
