//! Refinement: an abstract counterexample is a run, or says which predicates are missing.
//!
//! The cubes of the path, with the steps between them, are asked to hold one after another. If they
//! can, the model is a run. If not, the interpolants of the sequence contradict the path, and with
//! their atoms as predicates the abstract system does not have this path any more; those that are
//! not needed for that are left out. The frames stay, because what holds in the coarser abstract
//! system holds in the finer one.
//!
//! Source: [CGMT14] §3, interpolants of sequences as in [McM06].

use shofar_base::{GaveUp, Outcome, Set};
use shofar_chc::{Run, Timeline};
use shofar_smt::{Answer, BoolAlgorithm, Interpolation, Options, PartId, Solver};
use shofar_term::{Cx, Phase, Symbol, Term, TermStore};

use super::predicates::Cube;
use super::search::Search;
use super::{Adopted, Signals};
use crate::atoms::atoms;
use crate::ts;

/// So few new predicates are taken as they are.
const FEW: usize = 2;

/// What an abstract counterexample is.
pub(super) enum Refinement {
    /// A run to a bad state.
    Real(Run),
    /// Spurious; there are new predicates now.
    Spurious,
}

impl Search<'_> {
    /// The predicates to begin with: what initial and bad states are about, the Boolean variables,
    /// and conditions of the step if that is wanted.
    pub(super) fn first_predicates(&mut self, cx: &mut Cx<'_>) -> Outcome<()> {
        let booleans = self.ts.state.iter().filter(|&&symbol| cx.store.result(symbol).is_bool());
        let booleans: Vec<Symbol> = booleans.copied().collect();
        let mut literals: Vec<Term> =
            booleans.into_iter().map(|symbol| cx.store.constant(symbol)).collect();
        let mut formulas = vec![self.ts.bad];
        match self.options.signals {
            Signals::Bad => (),
            Signals::Ends => formulas.push(self.ts.init),
            Signals::Conditions => {
                formulas.extend([self.ts.init, self.frames.step.guard]);
                formulas.extend(&self.frames.step.next);
            }
        }
        formulas.extend(&self.options.hints);
        let symbols: Set<Symbol> = self.ts.state.iter().copied().collect();
        literals.extend(atoms(cx.store, &formulas, &symbols));
        self.add_predicates(cx, &literals)?;
        Ok(())
    }
    /// Adds predicates; whether there are new ones.
    pub(super) fn add_predicates(&mut self, cx: &mut Cx<'_>, literals: &[Term]) -> Outcome<bool> {
        let before = self.predicates.len();
        for &literal in literals {
            self.predicates.add(cx.store, literal);
        }
        let new = self.predicates.from(before);
        self.start.learn(cx, &new)?;
        Ok(!new.is_empty())
    }
    /// Finds out what an abstract counterexample is: cubes with a step from each to the next, and
    /// from the last to a bad state.
    pub(super) fn refine(&mut self, cx: &mut Cx<'_>, path: &[Cube]) -> Outcome<Refinement> {
        self.stats.refinements += 1;
        let mut timeline = Timeline::new(cx.store, self.ts);
        let mut solver = Solver::new(Options { seed: self.options.seed, ..Options::with_proofs() });
        let groups = self.groups(cx, &mut timeline, &mut solver, path);
        let proof = match cx.phase(Phase::Solving, |cx| solver.check(cx))? {
            Answer::Sat(model) => {
                let model = model.assignment(cx.store);
                let state = |time| ts::state_at(cx.store, &mut timeline, time, &model);
                return Ok(Refinement::Real(Run::ground((0..=path.len()).map(state).collect())));
            }
            Answer::Unsat(proof) => proof,
        };
        let symbols: Set<Symbol> = self.ts.state.iter().copied().collect();
        for how in self.interpolations() {
            let interpolants = cx
                .phase(Phase::Interpolation, |cx| proof.sequence_interpolants(cx, &groups, &how))?;
            let mut said = Vec::new();
            for (position, interpolant) in interpolants.into_iter().enumerate() {
                said.push(timeline.untimed(cx.store, interpolant, position));
            }
            let mut literals = atoms(cx.store, &said, &symbols);
            literals.retain(|&literal| !self.predicates.contains(cx.store, literal));
            if self.options.adopted == Adopted::Needed && literals.len() > FEW {
                literals = self.needed(cx, path, &literals)?;
            }
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
    /// Those of the new predicates that exclude the path from the abstract system.
    ///
    /// A step of the abstract system begins in a state that has the predicates of the one in which
    /// the last step ended, or of an initial one, and need not be the same. So each step has
    /// moments of its own, and for each new predicate it is assumed that it has the same value
    /// on both sides of all gaps.
    fn needed(&mut self, cx: &mut Cx<'_>, path: &[Cube], literals: &[Term]) -> Outcome<Vec<Term>> {
        let mut timeline = Timeline::new(cx.store, self.ts);
        let mut solver = Solver::new(Options { seed: self.options.seed, ..Options::default() });
        let mut said = vec![(0, self.ts.init), (2 * path.len(), self.ts.bad)];
        for (number, cube) in path.iter().enumerate() {
            said.push((2 * number + 1, self.ts.step));
            said.extend(cube.iter().map(|&literal| (2 * number + 1, literal)));
        }
        for (time, formula) in said {
            let timed = timeline.timed(cx.store, formula, time);
            solver.add(cx.store, timed);
        }
        let mut agrees = |store: &mut TermStore, atom: Term| {
            let gaps = (0..path.len()).map(|number| {
                let sides = [2 * number, 2 * number + 1].map(|at| timeline.timed(store, atom, at));
                store.iff(sides[0], sides[1])
            });
            let gaps: Vec<Term> = gaps.collect();
            store.and(&gaps)
        };
        for atom in self.predicates.from(0) {
            let same = agrees(cx.store, atom);
            solver.add(cx.store, same);
        }
        let mut switches = Vec::new();
        for &literal in literals {
            let same = agrees(cx.store, literal);
            switches.push(ts::switch(cx.store, &mut solver, same));
        }
        let needed: Set<Term> = match solver.check_assuming(cx, &switches)? {
            Answer::Sat(_) => return Ok(literals.to_vec()),
            Answer::Unsat(why) => why.failed().into_iter().collect(),
        };
        if needed.is_empty() {
            return Ok(literals.to_vec());
        }
        let both = literals.iter().zip(&switches);
        Ok(both.filter(|(_, switch)| needed.contains(*switch)).map(|(&l, _)| l).collect())
    }
    /// The path in time: the initial states, then for each moment what is said of it and of the
    /// step after it, and the bad states. The first interpolant is about the moment of the
    /// initial states, because the abstract system does not know these exactly.
    fn groups(
        &self,
        cx: &mut Cx<'_>,
        timeline: &mut Timeline<'_>,
        solver: &mut Solver,
        path: &[Cube],
    ) -> Vec<Vec<PartId>> {
        let init = timeline.timed(cx.store, self.ts.init, 0);
        let mut groups = vec![vec![solver.add(cx.store, init)]];
        for (time, cube) in path.iter().enumerate() {
            let mut formulas = vec![self.ts.step];
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
    /// How sequences are interpolated, best first; the others are for the case that it gives no new
    /// predicates.
    fn interpolations(&self) -> [Interpolation; 3] {
        let chosen = self.options.interpolation.clone();
        let other = Interpolation { boolean: BoolAlgorithm::McMillan, ..Interpolation::default() };
        [chosen, Interpolation::weakest(), other]
    }
}
