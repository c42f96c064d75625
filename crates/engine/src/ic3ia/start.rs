//! Which cubes contain initial states.
//!
//! A clause holds in the first frame only if the cube that it excludes contains no initial state.
//! Most cubes have a literal that no initial state satisfies; which literals are like that is found
//! out once for each predicate. The others are asked for.

use shofar_base::{Outcome, Set};
use shofar_chc::TransitionSystem;
use shofar_smt::{Answer, Options, Solver};
use shofar_term::{Cx, Term, TermStore};

use super::predicates::Cube;

/// The initial states; see the module documentation.
pub(super) struct Start {
    solver: Solver,
    /// Literals that no initial state satisfies.
    refuted: Set<Term>,
}

impl Start {
    pub(super) fn new(store: &mut TermStore, ts: &TransitionSystem, seed: u64) -> Self {
        let mut solver = Solver::new(Options { seed, ..Options::default() });
        solver.add(store, ts.init);
        Self { solver, refuted: Set::default() }
    }
    /// Finds out what initial states say about these predicates.
    pub(super) fn learn(&mut self, cx: &mut Cx<'_>, atoms: &[Term]) -> Outcome<()> {
        for &atom in atoms {
            for literal in [atom, cx.store.not(atom)] {
                if let Answer::Unsat(_) = self.solver.check_assuming(cx, &[literal])? {
                    self.refuted.insert(literal);
                }
            }
        }
        Ok(())
    }
    /// `core` with some literals of `cube`, of which it is a part, so that it contains no initial
    /// state; none if `cube` does.
    pub(super) fn avoided(
        &mut self,
        cx: &mut Cx<'_>,
        cube: &[Term],
        core: Cube,
    ) -> Outcome<Option<Cube>> {
        let is_refuted = |literal: &&Term| self.refuted.contains(*literal);
        if core.iter().any(|literal| is_refuted(&literal)) {
            return Ok(Some(core));
        }
        let needed = match cube.iter().find(is_refuted) {
            Some(&literal) => vec![literal],
            None => match self.solver.check_assuming(cx, cube)? {
                Answer::Sat(_) => return Ok(None),
                Answer::Unsat(why) => why.failed(),
            },
        };
        let mut core = core;
        core.extend(needed);
        core.sort_unstable();
        core.dedup();
        Ok(Some(core))
    }
    /// Whether `cube` contains no initial state.
    pub(super) fn avoids(&mut self, cx: &mut Cx<'_>, cube: &[Term]) -> Outcome<bool> {
        Ok(self.avoided(cx, cube, Cube::new())?.is_some())
    }
}
