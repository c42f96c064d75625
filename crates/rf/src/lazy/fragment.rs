//! An upper part of the expansion of clauses.
//!
//! The nodes are copies of predicates. A leaf has one clause, which says that it follows from the
//! lemmas about its predicate; when it is expanded, that clause becomes impossible, and copies of
//! the clauses that derive the predicate take its place. A fragment about a fact begins with the
//! clause that derives `false` from just this fact.
//!
//! Clauses for one node exclude each other in a derivation. So they share their children: as many
//! for a predicate as the clause that uses it most often.
//!
//! Source: [RHK13b] (and/or trees of clauses).

use shofar_base::{IndexVec, Map};
use shofar_chc::{ClauseId, Derivation, NormalSystem, PredId};
use shofar_term::eval::Model;
use shofar_term::{Term, TermStore};

use super::Lemmas;
use super::facts::{Fact, Facts};
use crate::copies::Copies;

/// How far a node has come.
enum Growth {
    /// It follows from lemmas by this clause; so often it was asked about.
    Leaf { clause: ClauseId, questions: usize },
    /// It follows by copies of clauses.
    Inner,
}

/// See the module documentation.
pub(super) struct Fragment {
    pub(super) copies: Copies,
    growth: IndexVec<PredId, Growth>,
    /// The node of each clause of a leaf.
    leaf_of: Map<ClauseId, PredId>,
    /// Whether it is about a fact, which is the first node.
    has_goal: bool,
    /// A derivation whose leaves are being asked about.
    pub(super) found: Option<Derivation>,
}

impl Fragment {
    /// The fragment about `goal`, with that node only; about `false`, without any node.
    pub(super) fn of(store: &mut TermStore, system: &NormalSystem, goal: Option<Fact>) -> Self {
        let mut this = Self {
            copies: Copies::default(),
            growth: IndexVec::new(),
            leaf_of: Map::default(),
            has_goal: goal.is_some(),
            found: None,
        };
        if let Some(goal) = goal {
            let node = this.leaf(store, system, goal.pred);
            let mut equations: Vec<Term> = Vec::new();
            for (&param, value) in this.copies.form.params(node).iter().zip(&goal.values) {
                let (constant, sort) = (store.constant(param), store.result(param));
                let value = store.value_term(value, sort);
                equations.push(store.eq(constant, value));
            }
            let is_goal = store.and(&equations);
            this.copies.further(None, vec![node], is_goal);
        }
        this
    }
    /// The node that it is about, if it is about a fact.
    pub(super) fn top(&self) -> Option<PredId> {
        if self.has_goal { self.growth.handles().next() } else { None }
    }
    fn leaf(&mut self, store: &mut TermStore, system: &NormalSystem, pred: PredId) -> PredId {
        let node = self.copies.symbol(store, system, pred);
        let clause = self.copies.further(Some(node), Vec::new(), store.top());
        self.leaf_of.insert(clause, node);
        self.growth.push(Growth::Leaf { clause, questions: 0 });
        node
    }
    /// Derives `node`, or `false`, by copies of these clauses.
    pub(super) fn expand(
        &mut self,
        store: &mut TermStore,
        system: &NormalSystem,
        node: Option<PredId>,
        clauses: &[ClauseId],
    ) {
        if let Some(node) = node
            && let Growth::Leaf { clause, .. } =
                std::mem::replace(&mut self.growth[node], Growth::Inner)
        {
            self.copies.form.constrain(clause, store.bottom());
        }
        let mut children: Map<(PredId, usize), PredId> = Map::default();
        for &id in clauses {
            let mut occurrences: Map<PredId, usize> = Map::default();
            let mut body = Vec::new();
            for atom in &system.clause(id).body {
                let occurrence = occurrences.entry(atom.pred).or_insert(0);
                let child = children
                    .entry((atom.pred, *occurrence))
                    .or_insert_with(|| self.leaf(store, system, atom.pred));
                *occurrence += 1;
                body.push(*child);
            }
            self.copies.clause(store, system, id, node, body);
        }
    }
    /// Says what the lemmas say of the leaves.
    pub(super) fn tell(&mut self, store: &mut TermStore, lemmas: &Lemmas) {
        for node in self.growth.handles() {
            if let Growth::Leaf { clause, .. } = self.growth[node] {
                let args = self.copies.form.params(node);
                let lemma = lemmas.said_of(store, self.copies.pred(node), args);
                self.copies.form.constrain(clause, lemma);
            }
        }
    }
    /// The first fact about a leaf that `derivation` uses and nobody has derived.
    pub(super) fn missing(&self, derivation: &Derivation, facts: &Facts) -> Option<(PredId, Fact)> {
        derivation.steps.iter().find_map(|step| {
            let node = *self.leaf_of.get(&step.clause)?;
            let fact = self.fact(node, &step.assignment);
            (!facts.is_known(&fact)).then_some((node, fact))
        })
    }
    /// What an assignment says of a node.
    pub(super) fn fact(&self, node: PredId, assignment: &Model) -> Fact {
        let params = self.copies.form.params(node);
        let value = |&param| assignment.get(param).expect("parameters have values").clone();
        Fact { pred: self.copies.pred(node), values: params.iter().map(value).collect() }
    }
    /// The leaf that a clause is about.
    pub(super) fn leaf_of(&self, clause: ClauseId) -> Option<PredId> {
        self.leaf_of.get(&clause).copied()
    }
    /// Whether a node has been expanded.
    pub(super) fn is_inner(&self, node: PredId) -> bool {
        matches!(self.growth[node], Growth::Inner)
    }
    /// How often a leaf was asked about.
    pub(super) fn questions(&self, node: PredId) -> usize {
        match self.growth[node] {
            Growth::Leaf { questions, .. } => questions,
            Growth::Inner => 0,
        }
    }
    /// A leaf is asked about once more.
    pub(super) fn count_question(&mut self, node: PredId) {
        if let Growth::Leaf { questions, .. } = &mut self.growth[node] {
            *questions += 1;
        }
    }
}
