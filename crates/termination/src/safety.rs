//! Safety queries: whether states of a program are reached, decided by the solver for Horn clauses.
//!
//! Each query has a limit on time, which grows from round to round. Both kinds of answers have been validated by the solver; they are validated again when they
//! have become part of an argument.

use std::time::{Duration, Instant};

use shofar::{Answer, Problem, Refutation, Solver};
use shofar_base::{GaveUp, Idx, Outcome};
use shofar_chc::{Clause, ClauseId, Derivation, Interpretation};
use shofar_term::Cx;

use crate::program::Program;

/// Longer executions are not listed step by step.
const LONGEST: usize = 10_000;

/// Asks queries.
pub(crate) struct Safety {
    solver: Solver,
    deadline: Option<Instant>,
    /// How long a query may take.
    pub(crate) slice: Duration,
    /// Whether a query took too long since this was last set to false.
    pub(crate) was_short: bool,
}

/// The answer to a query.
pub(crate) enum Reached {
    /// The states are not reached: invariants.
    Never(Interpretation),
    /// They are: an execution, and the query that its last step is an instance of, counted from 0.
    ByExecution(Derivation, usize),
    /// It is not known.
    Unknown,
}

impl Safety {
    /// Queries that are decided by `solver`, until `deadline`.
    pub(crate) fn new(solver: Solver, deadline: Option<Instant>, slice: Duration) -> Self {
        Self { solver, deadline, slice, was_short: false }
    }
    /// Whether an instance of one of `queries` is reached.
    pub(crate) fn ask(
        &mut self,
        cx: &mut Cx<'_>,
        program: &Program,
        queries: Vec<Clause>,
    ) -> Outcome<Reached> {
        cx.budget.check()?;
        let now = cx.budget.now();
        let mut slice = self.slice;
        if let Some(deadline) = self.deadline {
            slice = slice.min(deadline.saturating_duration_since(now));
        }
        if slice.is_zero() {
            return Err(GaveUp::Timeout);
        }
        let problem = Problem::from_clauses(cx.store.clone(), program.with(queries));
        let outcome = self.solver.clone().with_timeout(slice).solve(problem);
        Ok(match outcome.answer {
            Answer::Safe(model) => {
                // It is a continuation of our store, in which the terms of the model live.
                *cx.store = model.store().clone();
                Reached::Never(model.interpretation().clone())
            }
            Answer::Unsafe(refutation) => reached(program, &refutation)?,
            Answer::Unknown(_) => {
                self.was_short = true;
                Reached::Unknown
            }
        })
    }
}

fn reached(program: &Program, refutation: &Refutation) -> Outcome<Reached> {
    let derivation = refutation.derivation().clone();
    let Ok(derivation) = derivation.expanded(refutation.store(), LONGEST) else {
        return Ok(Reached::Unknown);
    };
    let derivation = chain(&derivation);
    let own = program.system().clause_count();
    let last: Option<ClauseId> = derivation.steps.last().map(|step| step.clause);
    let query = last.and_then(|last| last.index().checked_sub(own));
    let query = query.ok_or(GaveUp::wrong("a refutation does not end in a query"))?;
    Ok(Reached::ByExecution(derivation, query))
}

/// The steps that lead to the last one, in their order: each has the one before as its only premise.
fn chain(derivation: &Derivation) -> Derivation {
    let mut steps = Vec::new();
    let mut at = derivation.steps.len().checked_sub(1);
    while let Some(step) = at.map(|at| &derivation.steps[at]) {
        steps.push(step.clone());
        at = step.premises.first().copied();
    }
    steps.reverse();
    for (place, step) in steps.iter_mut().enumerate() {
        step.premises = place.checked_sub(1).into_iter().collect();
    }
    Derivation { steps, repeats: Vec::new() }
}
