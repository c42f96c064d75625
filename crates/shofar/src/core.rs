//! Refutations that do without some clauses.
//!
//! One pass over the clauses of a refutation: each group of them is left out, and if what remains
//! is refuted in the time that it gets, by evidence that has been validated as always, that
//! refutation goes on. Clauses that it does not use are gone as well. So every clause that stays
//! was needed, or there was not enough time to see that it is not.

use std::collections::BTreeSet;
use std::time::Duration;

use shofar_base::Instant;
use shofar_chc::read::HornProblem;
use shofar_chc::{ChcSystem, ClauseId};

use crate::{Answer, Problem, Refutation, Solver};

/// So long is tried to do without a group of clauses, at most: what follows from the others mostly
/// follows soon.
const LONGEST: Duration = Duration::from_secs(2);

impl Refutation {
    /// A refutation by fewer clauses, if one is found before the deadline. `group` says which
    /// clauses are left out together; those without a group stay.
    pub fn minimized(
        &self,
        solver: &Solver,
        deadline: Option<Instant>,
        group: &dyn Fn(ClauseId, &HornProblem) -> Option<usize>,
    ) -> Self {
        let mut best = self.clone();
        let group_of = |clause| group(clause, &self.horn);
        let mut open: BTreeSet<usize> = self.clauses().into_iter().filter_map(group_of).collect();
        while let Some(dropped) = open.pop_first() {
            let clauses = best.clauses();
            let kept: Vec<ClauseId> =
                clauses.iter().copied().filter(|&c| group_of(c) != Some(dropped)).collect();
            if kept.len() == clauses.len() {
                continue;
            }
            let rest = deadline.map(|end| end.saturating_duration_since(Instant::now()));
            let share = u32::try_from(open.len() + 2).unwrap_or(u32::MAX);
            let time = rest.map_or(LONGEST, |rest| LONGEST.min(rest / share));
            if time.is_zero() {
                break;
            }
            if let Some(found) = self.without(&kept, solver, time) {
                best = found;
            }
        }
        best
    }
    /// A refutation by these clauses.
    fn without(&self, kept: &[ClauseId], solver: &Solver, time: Duration) -> Option<Self> {
        let system = self.restricted(kept);
        let problem = Problem::from_clauses(self.store.clone(), system).ok()?;
        let outcome = solver.clone().with_deadline(Instant::now() + time).solve(problem);
        let Answer::Unsafe(found) = outcome.answer else { return None };
        let mut derivation = found.derivation;
        for step in &mut derivation.steps {
            step.clause = kept[shofar_base::Idx::index(step.clause)];
        }
        Some(Self { store: found.store, derivation, ..self.clone() })
    }
    fn restricted(&self, kept: &[ClauseId]) -> ChcSystem {
        let system = &self.horn.system;
        system.with_clauses(kept.iter().map(|&clause| system.clause(clause).clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shofar_base::{Idx, Instant};

    #[test]
    fn what_is_not_needed_goes() {
        let text = b"(set-logic HORN)(declare-fun p (Int) Bool)(declare-fun q (Int) Bool)
            (assert (p 0)) (assert (q 1))
            (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
            (assert (forall ((x Int)) (=> (and (p x) (> x 2)) false)))
            (assert (forall ((x Int)) (=> (q x) (p (+ x 6))))) (check-sat)";
        let solver = Solver::new();
        let outcome = solver.solve(Problem::from_text(text).expect("it is well written"));
        let Answer::Unsafe(refutation) = outcome.answer else { panic!("it is unsafe") };
        let by_clause = |clause: ClauseId, _: &HornProblem| Some(clause.index());
        let small = refutation.minimized(&solver, None, &by_clause);
        let count = small.clauses().len();
        assert!(count == 3, "each of three clauses is needed, there are {count}");
        let late = refutation.minimized(&solver, Some(Instant::now()), &by_clause);
        assert_eq!(late.clauses(), refutation.clauses());
        assert!(small.to_string().starts_with("(refutation"));
    }
}
