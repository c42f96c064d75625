//! Leaving out clauses whose constraints contradict themselves.
//!
//! They are valid whatever the predicates mean, and take part in no derivation; without them, more
//! predicates turn out to be useless.

use shofar_base::{GaveUp, Idx, Outcome};
use shofar_chc::{ClauseId, Derivation, NormalSystem};
use shofar_smt::{Answer, Options, Solver};
use shofar_term::Cx;

/// A system without infeasible clauses.
pub(crate) struct Feasible {
    pub(crate) system: NormalSystem,
    /// The ids of the remaining clauses in the system it was made of.
    original: Vec<ClauseId>,
}

impl Feasible {
    /// `system` without infeasible clauses.
    pub(crate) fn of(cx: &mut Cx<'_>, system: &NormalSystem) -> Outcome<Self> {
        let mut solver = Solver::new(Options::default());
        let (mut kept, mut original) = (Vec::new(), Vec::new());
        for (id, clause) in system.clauses() {
            cx.budget.check()?;
            solver.push();
            solver.add(cx.store, clause.constraint);
            let is_feasible = match solver.check(cx) {
                Ok(Answer::Sat(_)) | Err(GaveUp::Incomplete(_)) => true,
                Ok(Answer::Unsat(_)) => false,
                Err(why) => return Err(why),
            };
            solver.pop(1);
            if is_feasible {
                kept.push(clause.clone());
                original.push(id);
            }
        }
        let system = NormalSystem::of(cx.store, system.with_clauses(kept));
        Ok(Self { system, original })
    }
    /// A derivation in the system it was made of.
    pub(crate) fn restore(&self, mut derivation: Derivation) -> Derivation {
        for step in &mut derivation.steps {
            step.clause = self.original[step.clause.index()];
        }
        derivation
    }
}
