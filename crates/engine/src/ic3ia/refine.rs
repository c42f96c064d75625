//! Refinement: an abstract counterexample is a run, or says which predicates are missing.
//!
//! The cubes of the path, with the steps between them, are asked to hold one after another. If they can, the model is a run. If
//! not, the interpolants of the sequence contradict the path, and their atoms become predicates: with these the abstract system
//! does not have this path any more. The frames stay, because what holds in the coarser abstract system holds in the finer one.
//!
//! Source: [CGMT14] §3, interpolants of sequences as in [McM06].

use shofar_base::{GaveUp, Outcome, Set};
use shofar_chc::{Run, Timeline};
use shofar_smt::{Answer, BoolAlgorithm, Interpolation, Options, PartId, Solver};
use shofar_term::{Cx, Phase, Symbol, Term};

use super::Signals;
use super::predicates::{Cube, atoms};
use super::search::Search;
use crate::ts;

/// What an abstract counterexample is.
pub(super) enum Refinement {
    /// A run to a bad state.
    Real(Run),
    /// Spurious; there are new predicates now.
    Spurious,
}

impl Search<'_> {
    /// The predicates to begin with: what initial and bad states are about, the Boolean variables, and conditions of the step if that is
    /// wanted.
    pub(super) fn first_predicates(&mut self, cx: &mut Cx<'_>) -> Outcome<()> {
        let booleans = self.ts.state.iter().filter(|&&symbol| cx.store.result(symbol).is_bool());
        let booleans: Vec<Symbol> = booleans.copied().collect();
        let mut literals: Vec<Term> =
            booleans.into_iter().map(|symbol| cx.store.constant(symbol)).collect();
        let mut formulas = vec![self.ts.init, self.ts.bad];
        if self.options.signals == Signals::Conditions {
            formulas.push(self.frames.step.guard);
            formulas.extend(&self.frames.step.next);
        }
        let symbols: Set<Symbol> = self.ts.state.iter().copied().collect();
        literals.extend(atoms(cx.store, &formulas, &symbols));
        self.add_predicates(cx, &literals)?;
        Ok(())
    }
    /// Adds predicates; whether there are new ones.
    fn add_predicates(&mut self, cx: &mut Cx<'_>, literals: &[Term]) -> Outcome<bool> {
        let before = self.predicates.len();
        for &literal in literals {
            self.predicates.add(cx.store, literal);
        }
        let new = self.predicates.from(before);
        self.start.learn(cx, &new)?;
        Ok(!new.is_empty())
    }
    /// Finds out what an abstract counterexample is: cubes with a step from each to the next, and from the last to a bad state.
    pub(super) fn refine(&mut self, cx: &mut Cx<'_>, path: &[Cube]) -> Outcome<Refinement> {
        self.stats.refinements += 1;
        let mut timeline = Timeline::new(cx.store, self.ts);
        let mut solver = Solver::new(Options { seed: self.options.seed, ..Options::with_proofs() });
        let groups = self.groups(cx, &mut timeline, &mut solver, path);
        let proof = match cx.phase(Phase::Solving, |cx| solver.check(cx))? {
            Answer::Sat(model) => {
                let model = model.assignment(cx.store);
                let state = |time| ts::state_at(cx.store, &mut timeline, time, &model);
                return Ok(Refinement::Real(Run { states: (0..=path.len()).map(state).collect() }));
            }
            Answer::Unsat(proof) => proof,
        };
        let symbols: Set<Symbol> = self.ts.state.iter().copied().collect();
        for how in self.interpolations() {
            let interpolants = cx
                .phase(Phase::Interpolation, |cx| proof.sequence_interpolants(cx, &groups, &how))?;
            let mut said = Vec::new();
            for (position, interpolant) in interpolants.into_iter().enumerate() {
                said.push(timeline.untimed(cx.store, interpolant, position + 1));
            }
            let literals = atoms(cx.store, &said, &symbols);
            if self.add_predicates(cx, &literals)? {
                tracing::debug!(
                    "{} predicates after a path of {}",
                    self.predicates.len(),
                    path.len()
                );
                return Ok(Refinement::Spurious);
            }
        }
        Err(GaveUp::incomplete("interpolants have no new predicates"))
    }
    /// The path in time: for each moment what is said of it and of the step after it.
    fn groups(
        &self,
        cx: &mut Cx<'_>,
        timeline: &mut Timeline<'_>,
        solver: &mut Solver,
        path: &[Cube],
    ) -> Vec<Vec<PartId>> {
        let mut groups = Vec::new();
        for (time, cube) in path.iter().enumerate() {
            let mut formulas = vec![self.ts.step];
            formulas.extend((time == 0).then_some(self.ts.init));
            formulas.extend(cube);
            let mut part = |formula| {
                let timed = timeline.timed(cx.store, formula, time);
                solver.add(cx.store, timed)
            };
            groups.push(formulas.into_iter().map(&mut part).collect());
        }
        let bad = timeline.timed(cx.store, self.ts.bad, path.len());
        groups.push(vec![solver.add(cx.store, bad)]);
        groups
    }
    /// How sequences are interpolated, best first; the others are for the case that it gives no new predicates.
    fn interpolations(&self) -> [Interpolation; 3] {
        let chosen = self.options.interpolation.clone();
        let other = Interpolation { boolean: BoolAlgorithm::McMillan, ..Interpolation::default() };
        [chosen, Interpolation::weakest(), other]
    }
}
