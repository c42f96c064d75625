//! The whole way from a problem to a certified verdict.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use shofar_base::{Budget, GaveUp, Instant, Statistics, StopHandle};
use shofar_chc::{Interpretation, Verdict};
use shofar_check::{Certified, HornInput};
use shofar_term::{Cx, TermStore};

use crate::event::Event;
use crate::failure::Failure;
use crate::portfolio::{Decided, Portfolio};
use crate::settings::Settings;
use crate::small;
use crate::task::{Question, Task};
use crate::view::Simplified;
use crate::worker::{Ending, Finish};
use crate::workers::{Workers, panic_text};

/// What the search for a smaller model is called.
const SMALL_MODELS: &str = "small models";

/// How long the parts took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// Preprocessing.
    pub preprocessing: Duration,
    /// The time slices of the engine that answered.
    pub engine: Duration,
    /// Translating the witness back, and making it small.
    pub translation: Duration,
    /// Validating it.
    pub validation: Duration,
}

/// A certified verdict.
pub struct Solved {
    /// The verdict with its validated witness.
    pub certified: Certified,
    /// The store in which its terms live.
    pub store: TermStore,
    /// Who found it.
    pub engine: &'static str,
    /// At which level of abstraction, where there are several.
    pub level: Option<&'static str>,
    /// How long it took.
    pub times: Times,
    /// What the engine counted.
    pub statistics: Statistics,
}

/// Decides `input`, whose terms live in `store`; `handle` stops it from outside. All threads have
/// ended when it returns.
pub fn solve(
    store: TermStore,
    input: &HornInput,
    settings: &Settings,
    handle: &StopHandle,
    observe: &mut dyn FnMut(&Event),
) -> Result<Solved, Failure> {
    let (result, workers) = answer(store, input, settings, handle, observe);
    workers.join();
    result
}

/// Decides `input` like [`solve`], but does not wait for the threads that have been told to stop.
pub fn answer(
    mut store: TermStore,
    input: &HornInput,
    settings: &Settings,
    handle: &StopHandle,
    observe: &mut dyn FnMut(&Event),
) -> (Result<Solved, Failure>, Workers) {
    let budget = Budget::with_handle(handle, settings.deadline);
    let start = Instant::now();
    let observer = settings.observer.as_deref();
    let mut cx = Cx::new(&mut store, &budget).watched_by(observer, "preprocessing");
    let mut tell = |report: &_| observe(&Event::Pass(Clone::clone(report)));
    let simplified =
        match Simplified::of(&mut cx, input.system(), &settings.preprocessing, &mut tell) {
            Ok(simplified) => simplified,
            Err(why) => {
                let failure = Failure::before_engines(why, start.elapsed());
                return (Err(failure), Workers::default());
            }
        };
    let preprocessing = start.elapsed();
    let (given, left) = (input.system().hints().len(), simplified.system().hints().len());
    if given > 0 {
        observe(&Event::Hints(given, left));
    }
    let (question, whole) = Question::new(input.clone(), settings.clone(), simplified);
    let whole = whole.map(|seen| question.clauses(store, seen, &settings.engines));
    let (result, workers) = Portfolio::new(Arc::new(question), whole).run(&budget, observe);
    let result = match result {
        Ok(decided) => Ok(solved(decided, preprocessing, start, &budget, observe)),
        Err(failure) => Err(Failure { time: start.elapsed(), ..failure }),
    };
    (result, workers)
}

/// The verdict of a worker, with a smaller model if one was asked for and found.
fn solved(
    Decided { finish, task, level }: Decided,
    preprocessing: Duration,
    start: Instant,
    budget: &Budget,
    observe: &mut dyn FnMut(&Event),
) -> Solved {
    let Finish { info, ending, statistics, times, .. } = finish;
    let Ending::Certified { certified, store, model } = ending else {
        unreachable!("only certified verdicts end a portfolio")
    };
    let times = Times { preprocessing, ..times };
    let (store, engine) = (*store, info.name);
    let mut solved = Solved { certified, store, engine, level, times, statistics };
    if let Some(model) = model {
        shorten(&mut solved, start, &task, budget, &model, observe);
    }
    solved
}

/// Replaces the model by a smaller one, if one is found in time and is certified.
fn shorten(
    solved: &mut Solved,
    begin: Instant,
    task: &Task,
    budget: &Budget,
    model: &Interpretation,
    observe: &mut dyn FnMut(&Event),
) {
    let start = Instant::now();
    let Solved { store, certified, times, .. } = solved;
    let settings = &task.question.settings;
    let end = small::end(begin, times.validation, settings.end_of_small_models());
    let until = |end| Budget::nested(&StopHandle::default(), &budget.stop_handle(), Some(end));
    // A part of the time is left for leaving out what is superfluous.
    let (search, whole) = (until(start + (end - start) * 2 / 3), until(end));
    let smaller = catch_unwind(AssertUnwindSafe(|| {
        let Verdict::Safe(known) = certified.verdict() else { return Ok(None) };
        let mut cx = Cx::new(store, &whole).watched_by(settings.observer.as_deref(), SMALL_MODELS);
        let found = small::Found { system: &task.clauses.system, model, back: &*task.clauses.back };
        let system = task.question.input.system();
        let shorter = small::shorter_model(&mut cx, &search, system, known, &found)?;
        shorter.map(|model| task.validate(store, budget, Verdict::Safe(model))).transpose()
    }));
    match smaller {
        Ok(Ok(Some(Ok(smaller)))) => *certified = smaller,
        Ok(Ok(Some(Err(objection)))) => observe(&Event::Rejected(SMALL_MODELS, objection)),
        Ok(Err(GaveUp::Wrong(what))) => observe(&Event::Rejected(SMALL_MODELS, what.into_owned())),
        Ok(Ok(None) | Err(_)) => (),
        Err(payload) => observe(&Event::Panicked(SMALL_MODELS, panic_text(&*payload))),
    }
    times.translation += start.elapsed();
}
