//! Safety queries: whether states of a program are reached, decided by the solver for Horn clauses.
//!
//! Each query has a limit on time, which grows from round to round. Both kinds of answers have been
//! validated by the solver; they are validated again when they have become part of an argument.

use std::time::Duration;

use shofar::{Answer, Problem, Refutation, Solver};
use shofar_base::{GaveUp, Idx, Instant, Outcome};
use shofar_chc::{Clause, ClauseId, Derivation, Interpretation};
use shofar_term::Cx;

use crate::Options;
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
    /// How many queries were asked.
    pub(crate) asked: usize,
    /// How many of them have no answer.
    pub(crate) open: usize,
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
    /// Queries that are decided as `options` say, for up to `slice` each at first; who stops the
    /// analysis stops the query that runs.
    pub(crate) fn new(options: &Options, slice: Duration) -> Self {
        let solver = options.solver.clone().stopped_by(options.stop.clone());
        Self { solver, deadline: options.deadline, slice, was_short: false, asked: 0, open: 0 }
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
        self.asked += 1;
        let problem = Problem::from_clauses(cx.store.clone(), program.with(queries))
            .map_err(|_| GaveUp::wrong("a query about a program is ill-formed"))?;
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
                self.open += 1;
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

/// The steps that lead to the last one, in their order: each has the one before as its only
/// premise.
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

#[cfg(test)]
mod tests {
    use std::thread;

    use shofar_base::Budget;
    use shofar_chc::read::read_horn;
    use shofar_term::TermStore;

    use super::*;

    /// Two squares are counted up; that they are no neighbours is not shown by a linear formula.
    const SQUARES: &[u8] = b"(declare-fun p (Int Int Int Int) Bool)
        (assert (p 2 4 2 4))
        (assert (forall ((n Int) (s Int) (m Int) (t Int)) (=> (p n s m t) (p (+ n 1) (+ s n n 1) m t))))
        (assert (forall ((n Int) (s Int) (m Int) (t Int)) (=> (p n s m t) (p n s (+ m 1) (+ t m m 1)))))
        (assert (forall ((n Int) (s Int) (m Int) (t Int)) (=> (and (p n s m t) (= s (+ t 1))) false)))(check-sat)";

    #[test]
    fn a_query_that_runs_is_stopped() {
        let mut store = TermStore::new();
        let script = read_horn(SQUARES, &mut store).unwrap();
        let system = &script.problems[0].system;
        let query = system.clauses().map(|(_, clause)| clause).find(|clause| clause.is_query());
        let queries = vec![query.unwrap().clone()];
        let program = Program::new(&mut store, system).unwrap();
        let options = Options::default();
        let mut safety = Safety::new(&options, Duration::from_mins(10));
        let budget = Budget::nested(&shofar_base::StopHandle::default(), &options.stop, None);
        let mut cx = Cx::new(&mut store, &budget);
        let stop = options.stop.clone();
        let begin = Instant::now();
        let stopper = thread::spawn(move || {
            thread::sleep(Duration::from_millis(300));
            stop.stop(GaveUp::Cancelled);
        });
        let reached = safety.ask(&mut cx, &program, queries.clone()).unwrap();
        assert!(matches!(reached, Reached::Unknown));
        assert!(begin.elapsed() < Duration::from_mins(1), "{:?}", begin.elapsed());
        stopper.join().unwrap();
        let again = safety.ask(&mut cx, &program, queries);
        assert!(matches!(again, Err(GaveUp::Cancelled)));
        assert_eq!((safety.asked, safety.open), (1, 1));
    }
}
