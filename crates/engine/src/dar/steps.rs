//! Single steps: what is one step away from states of the neighbours of a location.
//!
//! One solver knows the steps into a location, another the steps out of it; what changes from
//! question to question are the states at both ends.

use shofar_base::Outcome;
use shofar_chc::PredId;
use shofar_smt::{Answer, Interpolation, Options, PartId, Solver};
use shofar_term::{Cx, Sort, Term, TermStore};

use super::Region;
use crate::layers::{Layers, Place};

/// The depth at which a single step starts; any will do.
const BEFORE: usize = 1;

/// From which end steps are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// What is implied by the states before the step, about those after.
    Forward,
    /// What is implied by the states after the step, about those before.
    Backward,
}

/// The steps into a location (*forward*) or out of it (*backward*).
pub(super) struct Steps {
    here: PredId,
    side: Side,
    /// The locations at the other end, each with a literal that implies that the step is from or
    /// to there.
    neighbours: Vec<(PredId, Term)>,
    solver: Solver,
    part: PartId,
}

impl Steps {
    pub(super) fn new(
        store: &mut TermStore,
        layers: &mut Layers,
        preds: &[PredId],
        (here, side): (PredId, Side),
        seed: u64,
    ) -> Self {
        let rules = |there: PredId| match side {
            Side::Forward => layers.between(Place::Pred(there), Place::Pred(here)),
            Side::Backward => layers.between(Place::Pred(here), Place::Pred(there)),
        };
        let mut groups: Vec<(PredId, Vec<usize>)> = preds.iter().map(|&p| (p, rules(p))).collect();
        groups.retain(|(_, rules)| !rules.is_empty());
        let (mut neighbours, mut cases) = (Vec::new(), Vec::new());
        for (there, rules) in &groups {
            let chosen = if groups.len() == 1 {
                store.top()
            } else {
                let chosen = store.fresh("chosen", Sort::BOOL);
                store.constant(chosen)
            };
            let edges = layers.any_edge(store, rules, BEFORE);
            cases.push(store.and(&[chosen, edges]));
            neighbours.push((*there, chosen));
        }
        let mut solver = Solver::new(Options { seed, ..Options::with_proofs() });
        let steps = store.or(&cases);
        let part = solver.add(store, steps);
        Self { here, side, neighbours, solver, part }
    }
    /// What holds here for all states that are a step away from `there`, but for none of `here`;
    /// nothing if such a step leads to or from `here`.
    pub(super) fn separate(
        &mut self,
        cx: &mut Cx<'_>,
        layers: &mut Layers,
        (there, here): (&Region, Term),
        interpolation: &Interpolation,
    ) -> Outcome<Option<Term>> {
        let (far, near) = match self.side {
            Side::Forward => (BEFORE, BEFORE + 1),
            Side::Backward => (BEFORE + 1, BEFORE),
        };
        self.solver.push();
        let mut parts = vec![self.part];
        for &(pred, chosen) in &self.neighbours {
            let states = layers.timed(cx.store, there[pred], pred, far);
            let said = cx.store.implies(chosen, states);
            parts.push(self.solver.add(cx.store, said));
        }
        let here = layers.timed(cx.store, here, self.here, near);
        self.solver.add(cx.store, here);
        let interpolant = match self.solver.check(cx)? {
            Answer::Sat(_) => None,
            Answer::Unsat(proof) => Some(proof.interpolant_with(cx, &parts, interpolation)?),
        };
        self.solver.pop(1);
        Ok(interpolant.map(|i| layers.untimed(cx.store, i, self.here, near)))
    }
}
