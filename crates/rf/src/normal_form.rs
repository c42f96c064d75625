//! Recursion-free clauses in normal form.
//!
//! Each relation symbol has one vector of distinct variables, which are its arguments wherever it
//! occurs; every other variable occurs in one clause only. So no argument is written down, and the
//! clauses joined along a derivation are the conjunction of their constraints.
//!
//! Invariant: a symbol is used by the clauses of one head only, at most once by each. Clauses for
//! the same head exclude each other in a derivation, so they may share what they are derived from;
//! symbols that are used by several heads are duplicated first. Seen from the clauses without a
//! head, the symbols therefore form a tree, and what it does not reach plays no part.
//!
//! Source: [RHK13b] (normal form). DIVERGENCE [RHK13b]: clauses of one head may share a symbol,
//! which is what factoring a common part out of a disjunction amounts to.

use shofar_base::{Idx, IndexVec, Outcome};
use shofar_chc::{ClauseId, Derivation, PredId};
use shofar_smt::implies;
use shofar_term::substitute::rename;
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Symbol, Term, TermStore};

use crate::{Form, Options, observe};

/// A clause `body ∧ constraint → head` in normal form; without a head, it derives `false`.
#[derive(Clone, Debug)]
pub struct NormalClause {
    /// What it derives.
    pub head: Option<PredId>,
    /// What it derives it from.
    pub body: Vec<PredId>,
    /// A formula over the parameters of these symbols and variables of its own.
    pub constraint: Term,
}

/// Clauses in normal form; see the module documentation.
#[derive(Clone, Debug, Default)]
pub struct NormalForm {
    params: IndexVec<PredId, Vec<Symbol>>,
    clauses: IndexVec<ClauseId, NormalClause>,
}

/// What is known of recursion-free clauses.
#[derive(Clone, Debug)]
pub enum Solved {
    /// They are solvable: for each symbol a formula over its parameters, which makes every clause
    /// valid.
    Solution(IndexVec<PredId, Term>),
    /// They are not: a derivation of `false`.
    Counterexample(Derivation),
}

impl NormalForm {
    /// No symbols and no clauses.
    pub fn new() -> Self {
        Self::default()
    }
    /// A new relation symbol with these parameters, which no other symbol has.
    pub fn add_symbol(&mut self, params: Vec<Symbol>) -> PredId {
        self.params.push(params)
    }
    /// Adds a clause over symbols that are there.
    pub fn add_clause(
        &mut self,
        head: Option<PredId>,
        body: Vec<PredId>,
        constraint: Term,
    ) -> ClauseId {
        self.clauses.push(NormalClause { head, body, constraint })
    }
    /// The parameters of a symbol.
    pub fn params(&self, symbol: PredId) -> &[Symbol] {
        &self.params[symbol]
    }
    /// All symbols.
    pub fn symbols(&self) -> impl DoubleEndedIterator<Item = PredId> + use<> {
        self.params.handles()
    }
    /// All clauses with their ids.
    pub fn clauses(&self) -> impl DoubleEndedIterator<Item = (ClauseId, &NormalClause)> {
        self.clauses.iter().enumerate().map(|(i, c)| (ClauseId::from_index(i), c))
    }
    /// The clause with this id.
    pub fn clause(&self, id: ClauseId) -> &NormalClause {
        &self.clauses[id]
    }
    /// Replaces the constraint of a clause.
    pub fn constrain(&mut self, id: ClauseId, constraint: Term) {
        self.clauses[id].constraint = constraint;
    }
    /// The variables of a clause, sorted.
    pub fn variables(&self, store: &TermStore, id: ClauseId) -> Vec<Symbol> {
        let clause = &self.clauses[id];
        let mut variables = free_symbols(store, &[clause.constraint]);
        for &symbol in clause.body.iter().chain(&clause.head) {
            variables.extend(&self.params[symbol]);
        }
        variables.sort_unstable();
        variables.dedup();
        variables
    }
    /// The form of interpolation that solves the clauses. Seen from `false`, symbols form a tree,
    /// so nothing would be gained by a DAG; clauses that never apply do not count.
    pub fn form(&self, store: &TermStore) -> Form {
        let possible = || self.clauses.iter().filter(|clause| clause.constraint != store.bottom());
        let mut ways: IndexVec<PredId, usize> = self.symbols().map(|_| 0).collect();
        for head in possible().filter_map(|clause| clause.head) {
            ways[head] += 1;
        }
        let queries = possible().filter(|clause| clause.head.is_none()).count();
        let is_tree_like = queries <= 1 && ways.iter().all(|&count| count <= 1);
        let is_linear = possible().all(|clause| clause.body.len() <= 1);
        match (is_tree_like, is_linear) {
            (true, true) => Form::Sequence,
            (true, false) => Form::Tree,
            (false, _) => Form::Disjunctive,
        }
    }
    /// A solution or a counterexample, by one call of a solver. What [`form`](Self::form) says is
    /// what the solver is asked for: where there is one way to derive each symbol, the labels
    /// of the tree have no flags.
    pub fn solve(&self, cx: &mut Cx<'_>, options: &Options) -> Outcome<Solved> {
        let solved = crate::body_disjoint::solve(cx, self, options);
        let is_solvable = solved.as_ref().ok().map(|solved| matches!(solved, Solved::Solution(_)));
        let clauses = |store: &mut TermStore| observe::clauses_of(store, self);
        observe::tell(cx, &clauses, is_solvable);
        solved
    }
    /// The disjunction over all derivations of `false` of what their clauses say; unsatisfiable
    /// exactly if the clauses are solvable.
    pub fn formula(&self, store: &mut TermStore) -> Term {
        crate::body_disjoint::formula(store, self)
    }
    /// A clause that `solution`, with a formula for each symbol, does not make valid.
    pub fn violated(
        &self,
        cx: &mut Cx<'_>,
        solution: &IndexVec<PredId, Term>,
    ) -> Outcome<Option<ClauseId>> {
        for (id, clause) in self.clauses() {
            let mut premises = vec![clause.constraint];
            premises.extend(clause.body.iter().map(|&symbol| solution[symbol]));
            let conclusion = clause.head.map_or(cx.store.bottom(), |head| solution[head]);
            if !implies(cx, shofar_smt::Options::default(), &premises, conclusion)? {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }
    /// `formula` over the parameters of a symbol, said of other constants.
    pub fn said_of(
        &self,
        store: &mut TermStore,
        symbol: PredId,
        formula: Term,
        args: &[Symbol],
    ) -> Term {
        rename(store, formula, &self.params[symbol], args)
    }
}
