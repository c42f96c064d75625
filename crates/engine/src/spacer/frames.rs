//! Lemmas by level, and the solvers that know them.
//!
//! A lemma of level `l` holds of its node within `l` levels; it is in every frame up to `l`. One solver per node holds the
//! rules that derive it, each switched by its tag, with the lemmas of the premises, each switched by its level, and the
//! lemmas of the node itself. Nothing is ever removed: a query says by assumptions which rules and levels count.
//!
//! Invariant: a lemma raised to a higher level is asserted again with the new level's switch; the old assertion is weaker
//! and harmless.

use shofar_base::IndexVec;
use shofar_smt::{Options, Solver};
use shofar_term::{Sort, Term, TermStore};

use super::rules::{Node, Rules, rename};

/// A lemma of one node.
#[derive(Clone, Debug)]
pub(super) struct Lemma {
    pub(super) node: Node,
    /// Over the node's formals.
    pub(super) formula: Term,
    pub(super) level: usize,
}

/// Whether the lemmas of the node that is asked about count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Own {
    /// They do, which makes more obligations blocked.
    Known,
    /// They do not, so that a new lemma does not repeat them.
    Forgotten,
}

/// All lemmas and the solver of each node.
pub(super) struct Frames {
    pub(super) lemmas: Vec<Lemma>,
    pub(super) solvers: IndexVec<Node, Solver>,
}

/// The truth value that switches off the premises' lemmas of `level`.
fn premise_switch(store: &mut TermStore, level: usize) -> Term {
    store.var(&format!("off!{level}"), Sort::Bool)
}

/// The truth value that switches off the node's own lemmas of `level`.
fn own_switch(store: &mut TermStore, level: usize) -> Term {
    store.var(&format!("own-off!{level}"), Sort::Bool)
}

impl Frames {
    pub(super) fn new(store: &mut TermStore, rules: &Rules, seed: u64) -> Self {
        let mut solvers: IndexVec<Node, Solver> = IndexVec::new();
        for derived in &rules.deriving {
            let mut solver = Solver::new(Options { seed, ..Options::with_proofs() });
            let mut tags = Vec::new();
            for &r in derived {
                let rule = &rules.all[r];
                let switched = store.implies(rule.tag, rule.constraint);
                solver.add(store, switched);
                tags.push(rule.tag);
            }
            let some_rule = store.or(&tags);
            solver.add(store, some_rule);
            solvers.push(solver);
        }
        Self { lemmas: Vec::new(), solvers }
    }
    /// The lemmas of `node` at `level` or higher.
    pub(super) fn at(&self, node: Node, level: usize) -> impl Iterator<Item = Term> + '_ {
        self.lemmas.iter().filter(move |l| l.node == node && l.level >= level).map(|l| l.formula)
    }
    /// Adds a lemma, unless it is known at that level; raises it if it is known at a lower one.
    pub(super) fn add(&mut self, store: &mut TermStore, rules: &Rules, lemma: Lemma) {
        let known =
            self.lemmas.iter().position(|l| l.node == lemma.node && l.formula == lemma.formula);
        match known {
            Some(index) if self.lemmas[index].level >= lemma.level => (),
            Some(index) => self.raise(store, rules, index, lemma.level),
            None => {
                self.assert(store, rules, &lemma);
                self.lemmas.push(lemma);
            }
        }
    }
    /// Lifts a lemma to a higher level.
    pub(super) fn raise(
        &mut self,
        store: &mut TermStore,
        rules: &Rules,
        index: usize,
        level: usize,
    ) {
        self.lemmas[index].level = level;
        let lemma = self.lemmas[index].clone();
        self.assert(store, rules, &lemma);
    }
    fn assert(&mut self, store: &mut TermStore, rules: &Rules, lemma: &Lemma) {
        let off = own_switch(store, lemma.level);
        let own = store.or(&[lemma.formula, off]);
        self.solvers[lemma.node].add(store, own);
        let off = premise_switch(store, lemma.level);
        for (r, j) in rules.uses(lemma.node) {
            let rule = &rules.all[r];
            let said = rename(store, lemma.formula, &rules.formals[lemma.node], &rule.body[j].args);
            let not_tag = store.not(rule.tag);
            let switched = store.or(&[said, off, not_tag]);
            self.solvers[rule.head].add(store, switched);
        }
    }
    /// The assumptions that make the solver of a node speak of `level`: premises within `level - 1`, facts only at 0.
    /// The node's own lemmas take part if `own` says so.
    pub(super) fn switches(
        store: &mut TermStore,
        rules: &Rules,
        node: Node,
        level: usize,
        top: usize,
        own: Own,
    ) -> Vec<Term> {
        let mut assumptions = Vec::new();
        for l in 0..=top {
            let (own_off, premise) = (own_switch(store, l), premise_switch(store, l));
            let is_on = own == Own::Known && l >= level;
            assumptions.push(if is_on { store.not(own_off) } else { own_off });
            assumptions.push(if l + 1 >= level { store.not(premise) } else { premise });
        }
        for &r in &rules.deriving[node] {
            if level == 0 && !rules.all[r].body.is_empty() {
                assumptions.push(store.not(rules.all[r].tag));
            }
        }
        assumptions
    }
}
