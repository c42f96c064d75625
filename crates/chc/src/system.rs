//! Systems of clauses.
//!
//! Clause ids are stable: a pass that drops clauses makes a new system with new ids and remembers
//! the correspondence in its way back. What systems satisfy is in `well_formed`.

use shofar_base::{Idx, IndexVec, Map, Span, index_type};
use shofar_term::symbols::free_symbols;
use shofar_term::{Sort, Symbol, Term, TermStore};

use crate::Hint;

index_type!(
    /// A predicate of a system.
    pub struct PredId
);
index_type!(
    /// A clause of a system.
    pub struct ClauseId
);

/// A predicate applied to terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PredAtom {
    /// The predicate.
    pub pred: PredId,
    /// Its arguments.
    pub args: Vec<Term>,
}

/// `body ∧ constraint → head`; without a head, it is a query: `body ∧ constraint → false`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// What it derives.
    pub head: Option<PredAtom>,
    /// What it derives it from.
    pub body: Vec<PredAtom>,
    /// Under which condition; contains no predicate.
    pub constraint: Term,
    /// Where the user wrote it, for clauses that come from a text.
    pub span: Option<Span>,
}

impl Clause {
    /// All terms of the clause: the constraint, then the arguments of the body and of the head.
    pub fn terms(&self) -> Vec<Term> {
        let atoms = self.body.iter().chain(&self.head);
        std::iter::once(self.constraint).chain(atoms.flat_map(|a| a.args.iter().copied())).collect()
    }
    /// The variables of the clause, sorted.
    pub fn variables(&self, store: &TermStore) -> Vec<Symbol> {
        free_symbols(store, &self.terms())
    }
    /// Whether it derives something from nothing.
    pub fn is_fact(&self) -> bool {
        self.body.is_empty() && self.head.is_some()
    }
    /// Whether it derives `false`.
    pub fn is_query(&self) -> bool {
        self.head.is_none()
    }
}

/// A finite set of clauses over predicates.
#[derive(Clone, Debug, Default)]
pub struct ChcSystem {
    preds: IndexVec<PredId, Symbol>,
    pred_of: Map<Symbol, PredId>,
    clauses: IndexVec<ClauseId, Clause>,
    hints: Vec<Hint>,
    /// What the arguments of a predicate are called, where the user's language has names for them.
    param_names: Map<PredId, Vec<String>>,
}

impl ChcSystem {
    /// A system without predicates and clauses.
    pub fn new() -> Self {
        Self::default()
    }
    /// The predicate that `symbol` names, entered if need be.
    pub fn add_pred(&mut self, symbol: Symbol) -> PredId {
        if let Some(&pred) = self.pred_of.get(&symbol) {
            return pred;
        }
        let pred = self.preds.push(symbol);
        self.pred_of.insert(symbol, pred);
        pred
    }
    /// The predicate that `symbol` names, if it is one.
    pub fn pred(&self, symbol: Symbol) -> Option<PredId> {
        self.pred_of.get(&symbol).copied()
    }
    /// The symbol of a predicate; its signature is in the store.
    pub fn symbol(&self, pred: PredId) -> Symbol {
        self.preds[pred]
    }
    /// The sorts of a predicate's arguments.
    pub fn sorts<'a>(&self, store: &'a TermStore, pred: PredId) -> &'a [Sort] {
        store.params(self.preds[pred])
    }
    /// Says what the arguments of a predicate are called; the names differ from each other and from
    /// functions of theories.
    pub fn name_params(&mut self, pred: PredId, names: Vec<String>) {
        self.param_names.insert(pred, names);
    }
    /// What the arguments of a predicate are called, if the user has names for them.
    pub fn param_names(&self, pred: PredId) -> Option<&[String]> {
        self.param_names.get(&pred).map(Vec::as_slice)
    }
    /// Adds a clause.
    pub fn add_clause(&mut self, clause: Clause) -> ClauseId {
        self.clauses.push(clause)
    }
    /// All predicates.
    pub fn preds(&self) -> impl DoubleEndedIterator<Item = PredId> + use<> {
        self.preds.handles()
    }
    /// How many predicates there are.
    pub fn pred_count(&self) -> usize {
        self.preds.len()
    }
    /// All clauses with their ids.
    pub fn clauses(&self) -> impl DoubleEndedIterator<Item = (ClauseId, &Clause)> {
        self.clauses.iter().enumerate().map(|(i, c)| (ClauseId::from_index(i), c))
    }
    /// The clause with this id.
    pub fn clause(&self, id: ClauseId) -> &Clause {
        &self.clauses[id]
    }
    /// The clause with this id as an implication, with predicates as applications.
    pub fn formula(&self, store: &mut TermStore, id: ClauseId) -> Term {
        let clause = &self.clauses[id];
        let apply =
            |store: &mut TermStore, atom: &PredAtom| store.app(self.preds[atom.pred], &atom.args);
        let mut body: Vec<Term> = clause.body.iter().map(|atom| apply(store, atom)).collect();
        body.push(clause.constraint);
        let body = store.and(&body);
        let head = match &clause.head {
            Some(head) => apply(store, head),
            None => store.bottom(),
        };
        store.implies(body, head)
    }
    /// How many clauses there are.
    pub fn clause_count(&self) -> usize {
        self.clauses.len()
    }
    /// Guesses about the predicates, which say nothing about what the clauses mean.
    pub fn hints(&self) -> &[Hint] {
        &self.hints
    }
    /// Adds guesses.
    pub fn add_hints(&mut self, hints: impl IntoIterator<Item = Hint>) {
        self.hints.extend(hints);
    }
    /// Takes all guesses away.
    pub fn take_hints(&mut self) -> Vec<Hint> {
        std::mem::take(&mut self.hints)
    }
    /// The same predicates, the same guesses about them, and other clauses.
    pub fn with_clauses(&self, clauses: impl IntoIterator<Item = Clause>) -> Self {
        Self { clauses: clauses.into_iter().collect(), ..self.clone() }
    }
    /// Whether no clause has two predicates in its body.
    pub fn is_linear(&self) -> bool {
        self.clauses.iter().all(|c| c.body.len() <= 1)
    }
}
