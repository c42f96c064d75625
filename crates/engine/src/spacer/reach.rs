//! Facts: formulas all of whose points are derivable, with their derivations.
//!
//! A fact comes from a rule and facts of its premises. The solvers know, for each premise, a chain
//! of clauses that says "some fact holds here": `m → f₁ ∨ e₁`, `e₁ → f₂ ∨ e₂`, …; assuming `m` and
//! the negation of the last `e` says that one of the facts so far holds, and a new fact only
//! extends the chain.

use shofar_base::{IndexVec, Map, index_type};
use shofar_term::eval::Evaluator;
use shofar_term::substitute::rename;
use shofar_term::{Sort, Term, TermStore};

use super::frames::Frames;
use super::rules::{Node, RuleId, Rules};

index_type!(
    /// A fact.
    pub(super) struct FactId
);

/// Points that are derivable by `rule` from the facts `premises`.
#[derive(Clone, Debug)]
pub(super) struct Fact {
    /// Over the node's formals.
    pub(super) formula: Term,
    pub(super) rule: RuleId,
    pub(super) premises: Vec<FactId>,
}

/// The facts of all nodes.
pub(super) struct Facts {
    pub(super) all: IndexVec<FactId, Fact>,
    /// The facts of each premise, said of its arguments.
    said: Map<(RuleId, usize), Vec<(FactId, Term)>>,
    /// The open end of the chain of each premise.
    ends: Map<(RuleId, usize), Term>,
    /// Switches on the demand that premises are covered by facts.
    demand: Term,
    /// What was told to the solvers of each node.
    told: Vec<(Node, Term)>,
}

impl Facts {
    pub(super) fn new(store: &mut TermStore, rules: &Rules, frames: &mut Frames) -> Self {
        let demand = store.var("facts-only!", Sort::BOOL);
        let (mut ends, mut told) = (Map::default(), Vec::new());
        for r in rules.all.handles() {
            let rule = &rules.all[r];
            for j in 0..rule.body.len() {
                let end = store.fresh("end", Sort::BOOL);
                let end = store.constant(end);
                let (not_demand, not_tag) = (store.not(demand), store.not(rules.tags[r]));
                let clause = store.or(&[not_demand, not_tag, end]);
                told.push((rules.heads[r], clause));
                ends.insert((r, j), end);
            }
        }
        let this = Self { all: IndexVec::new(), said: Map::default(), ends, demand, told };
        this.tell(store, frames);
        this
    }
    /// Tells all to new solvers.
    pub(super) fn tell(&self, store: &mut TermStore, frames: &mut Frames) {
        for &(node, clause) in &self.told {
            frames.steps(node).add(store, clause);
        }
    }
    /// Enters a fact of `node` and tells the solvers of its users.
    pub(super) fn add(
        &mut self,
        store: &mut TermStore,
        rules: &Rules,
        frames: &mut Frames,
        node: Node,
        fact: Fact,
    ) -> FactId {
        let formula = fact.formula;
        let id = self.all.push(fact);
        for &(r, j) in &rules.uses[node] {
            let rule = &rules.all[r];
            let said = rename(store, formula, &rules.formals[node], &rule.body[j].formals);
            self.said.entry((r, j)).or_default().push((id, said));
            let end = store.fresh("end", Sort::BOOL);
            let end = store.constant(end);
            let old = self.ends.insert((r, j), end).expect("every premise has a chain");
            let not_old = store.not(old);
            let clause = store.or(&[not_old, said, end]);
            self.told.push((rules.heads[r], clause));
            frames.steps(rules.heads[r]).add(store, clause);
        }
        id
    }
    /// The assumption that switches demands on, and for each premise of the rules of `node` the
    /// demand that a fact covers it.
    pub(super) fn demands(
        &self,
        store: &mut TermStore,
        rules: &Rules,
        node: Node,
    ) -> (Term, Vec<(RuleId, Term)>) {
        let mut demands = Vec::new();
        for &r in &rules.deriving[node] {
            for j in 0..rules.all[r].body.len() {
                demands.push((r, store.not(self.ends[&(r, j)])));
            }
        }
        (self.demand, demands)
    }
    /// A fact of the premise's node that holds of its arguments in the model.
    pub(super) fn covering(
        &self,
        store: &TermStore,
        premise: (RuleId, usize),
        evaluator: &mut Evaluator<'_>,
    ) -> Option<FactId> {
        let facts = self.said.get(&premise)?;
        facts.iter().find(|&&(_, said)| evaluator.holds(store, said) == Ok(true)).map(|&(id, _)| id)
    }
}
