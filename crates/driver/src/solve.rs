//! The whole way from a problem to a certified verdict.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use shofar_base::{Budget, GaveUp, Outcome, Statistics, StopHandle};
use shofar_chc::{ChcGraph, ChcSystem, Interpretation, NormalSystem, Shape, Verdict};
use shofar_check::{Certified, HornInput};
use shofar_engine::{ENGINES, EngineInfo, Fragment};
use shofar_term::{Cx, TermStore};
use shofar_transform::{Normalize, PassReport, Pipeline, default_pipeline, is_arithmetic};

use crate::certify::{Back, Certifier};
use crate::exchange::{Board, Outside, Traffic};
use crate::failure::Failure;
use crate::features::Features;
use crate::levels::{self, First};
use crate::origin::Origin;
use crate::portfolio::{Portfolio, Turns};
use crate::schedule::Schedule;
use crate::settings::{Preprocessing, Settings};
use crate::single_loop::SharedLoop;
use crate::small;
use crate::strategy::row_for;
use crate::worker::{Ending, Finish, Task, panic_text, wants_one_loop};
use crate::workers::Workers;

/// How long the default strategy has one worker only: most problems are decided by then, and what others did would be
/// wasted.
const SINGLE_WORKER: Duration = Duration::from_millis(200);

/// How many sorts a store has that knows Bool, Int and Real only.
const NUMBERS_ONLY: usize = 3;

/// What the search for a smaller model is called.
const SMALL_MODELS: &str = "small models";

/// The clauses that the engines get, and the way back from them.
pub(crate) type Prepared = (NormalSystem, Back);

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

/// Something worth telling while the work goes on.
#[derive(Clone, Debug)]
pub enum Event<'e> {
    /// A pass is done.
    Pass(&'e PassReport),
    /// An engine gets a time slice; nothing is no limit.
    Start(&'static str, Option<Duration>),
    /// The time slice of an engine is over.
    Pause(&'static str),
    /// An engine has ended without a verdict; this is why, and what it counted.
    Stop(&'static str, String, &'e Statistics),
    /// An engine has failed with this message; a bug.
    Panicked(&'static str, &'e str),
    /// An engine has found a witness, which is translated back and validated now.
    Found(&'static str),
    /// The system gives us no thread for this engine; it works in the calling one.
    NoThread(&'static str),
    /// A witness did not pass.
    Rejected(&'static str, &'e str),
    /// So many hints were given; so many are about the clauses that the engines get.
    Hints(usize, usize),
    /// What an engine found after it heard others did not pass, for this reason; it began anew without them.
    Misled(&'static str, &'e str),
    /// What one engine got from another one.
    Exchanged(&'e Traffic),
    /// A level of abstraction begins.
    LevelBegins(&'static str),
    /// A level of abstraction has ended without a verdict; this is why.
    LevelEnded(&'static str, &'e str),
}

/// Decides `input`, whose terms live in `store`; `handle` stops it from outside. All threads have ended when it returns.
pub fn solve(
    store: TermStore,
    input: &HornInput<'_>,
    settings: &Settings,
    handle: &StopHandle,
    observe: &mut dyn FnMut(&Event<'_>),
) -> Result<Solved, Failure> {
    let (result, workers) = answer(store, input, settings, handle, observe);
    workers.join();
    result
}

/// Decides `input` like [`solve`], but does not wait for the threads that have been told to stop.
pub fn answer(
    mut store: TermStore,
    input: &HornInput<'_>,
    settings: &Settings,
    handle: &StopHandle,
    observe: &mut dyn FnMut(&Event<'_>),
) -> (Result<Solved, Failure>, Workers) {
    let budget = Budget::with_handle(handle, settings.deadline);
    let start = Instant::now();
    let prepared = if store.sort_count() == NUMBERS_ONLY || is_arithmetic(&store, input.system()) {
        preprocess(&mut store, &budget, input.system(), settings, observe).map(First::Arithmetic)
    } else {
        levels::prepare(&mut store, &budget, input, settings, handle, observe)
    };
    let preprocessing = start.elapsed();
    let given = input.system().hints().len();
    if let (Ok(prepared), 1..) = (&prepared, given) {
        observe(&Event::Hints(given, prepared.system().hints().len()));
    }
    match prepared {
        Ok(First::Arithmetic(prepared)) => {
            let begin = Begin { start, preprocessing };
            decide(store, prepared, begin, input, settings, &budget, observe)
        }
        Ok(First::Levels(levels)) => {
            let (result, workers) = levels.run(&budget, observe);
            let result = match result {
                Ok((finish, task, level)) => {
                    let solved = solved(finish, preprocessing, start, &task, &budget, observe);
                    Ok(Solved { level: Some(level), ..solved })
                }
                Err(failure) => Err(Failure { time: start.elapsed(), ..failure }),
            };
            (result, workers)
        }
        Err(why) => (Err(Failure::before_engines(why, start.elapsed())), Workers::default()),
    }
}

/// When the work began, and how long the first passes took.
#[derive(Clone, Copy)]
struct Begin {
    start: Instant,
    preprocessing: Duration,
}

/// Decides clauses that all engines understand.
fn decide(
    mut store: TermStore,
    (system, back): Prepared,
    Begin { start, preprocessing }: Begin,
    input: &HornInput<'_>,
    settings: &Settings,
    budget: &Budget,
    observe: &mut dyn FnMut(&Event<'_>),
) -> (Result<Solved, Failure>, Workers) {
    let certifier = Certifier {
        input: input.clone().into_owned(),
        back,
        rigour: settings.rigour,
        observer: settings.observer.clone(),
    };
    let (schedule, single_worker) =
        schedule_of(&store, &system, &settings.engines, settings.threads);
    let users = schedule.engines().filter(|info| wants_one_loop(info, &system)).count();
    let relay = settings.relay.clone();
    let outside = relay.map(|relay| Outside::new(relay, &mut store, &system));
    let task = Task {
        origin: Arc::new(Origin::new(store, schedule.places())),
        system: Arc::new(system),
        certifier: Arc::new(certifier),
        board: Arc::new(Board::new(settings.options.sharing, outside)),
        single_loop: Arc::new(SharedLoop::new(users)),
        options: settings.options.clone(),
        handle: StopHandle::default(),
        deadline: settings.deadline,
        observer: settings.observer.clone(),
        keeps_model: settings.small_models,
        small_models_until: settings.deadline.into_iter().chain(settings.small_models_until).min(),
    };
    let turns = settings.steps_per_millisecond.map_or(Turns::ByTheClock, Turns::BySteps);
    let portfolio = Portfolio::new(&task, schedule, single_worker, turns);
    let (result, workers) = portfolio.run(budget, observe);
    let is_nonlinear = !task.system.is_linear();
    let result = match result {
        Ok(finish) => Ok(solved(finish, preprocessing, start, &task, budget, observe)),
        Err(failure) => Err(Failure { is_nonlinear, time: start.elapsed(), ..failure }),
    };
    (result, workers)
}

/// The clauses that the engines get, and the way back from them.
fn preprocess(
    store: &mut TermStore,
    budget: &Budget,
    system: &ChcSystem,
    settings: &Settings,
    observe: &mut dyn FnMut(&Event<'_>),
) -> Outcome<Prepared> {
    let mut cx = Cx::new(store, budget).watched_by(settings.observer.as_deref(), "preprocessing");
    let (default, nothing);
    let pipeline = match &settings.preprocessing {
        Preprocessing::Default => {
            default = default_pipeline();
            &default
        }
        Preprocessing::Nothing => {
            nothing = Pipeline::new(vec![Box::new(Normalize)]);
            &nothing
        }
        Preprocessing::Passes(pipeline) => pipeline,
    };
    pipeline.run_to_normal(&mut cx, system.clone(), &mut |report| observe(&Event::Pass(report)))
}

/// Who works when, and how long the first worker is alone; no engines means those of the strategy.
pub(crate) fn schedule_of(
    store: &TermStore,
    system: &ChcSystem,
    engines: &[&'static EngineInfo],
    threads: usize,
) -> (Schedule, Duration) {
    if !engines.is_empty() {
        return (Schedule::of(engines, threads), Duration::ZERO);
    }
    if system.clauses().all(|(_, clause)| clause.head.is_some()) {
        // Any engine has the answer at once; a second one would only validate the same model again.
        return (Schedule::of(&[&ENGINES[0]], 1), Duration::ZERO);
    }
    let row = row_for(&Features::of(store, system));
    let is_linear = system.is_linear();
    let is_acyclic = ChcGraph::new(system).shape() == Shape::Acyclic;
    let applies = |info: &EngineInfo| match info.fragment {
        Fragment::Any => true,
        Fragment::Linear => is_linear,
        Fragment::RecursionFree => is_acyclic,
    };
    (Schedule::of_row(row, threads, applies), SINGLE_WORKER)
}

/// The verdict of a worker, with a smaller model if one was asked for and found.
fn solved(
    finish: Finish,
    preprocessing: Duration,
    start: Instant,
    task: &Task,
    budget: &Budget,
    observe: &mut dyn FnMut(&Event<'_>),
) -> Solved {
    let Finish { info, ending, statistics, times, .. } = finish;
    let Ending::Certified { certified, store, model } = ending else {
        unreachable!("only certified verdicts end a portfolio")
    };
    let times = Times { preprocessing, ..times };
    let (store, engine) = (*store, info.name);
    let mut solved = Solved { certified, store, engine, level: None, times, statistics };
    if let Some(model) = model {
        shorten(&mut solved, start, task, budget, &model, observe);
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
    observe: &mut dyn FnMut(&Event<'_>),
) {
    let start = Instant::now();
    let Solved { store, certified, times, .. } = solved;
    let end = small::end(begin, times.validation, task.small_models_until);
    let until = |end| Budget::nested(&StopHandle::default(), &budget.stop_handle(), Some(end));
    // A part of the time is left for leaving out what is superfluous.
    let (search, whole) = (until(start + (end - start) * 2 / 3), until(end));
    let smaller = catch_unwind(AssertUnwindSafe(|| {
        let Verdict::Safe(known) = certified.verdict() else { return Ok(None) };
        let mut cx = Cx::new(store, &whole).watched_by(task.observer.as_deref(), SMALL_MODELS);
        let found = small::Found { system: &task.system, model, back: &*task.certifier.back };
        let system = task.certifier.input.system();
        let shorter = small::shorter_model(&mut cx, &search, system, known, &found)?;
        shorter
            .map(|model| task.certifier.validate(store, budget, Verdict::Safe(model)))
            .transpose()
    }));
    match smaller {
        Ok(Ok(Some(Ok(smaller)))) => *certified = smaller,
        Ok(Ok(Some(Err(objection)))) => observe(&Event::Rejected(SMALL_MODELS, &objection)),
        Ok(Err(GaveUp::Wrong(what))) => observe(&Event::Rejected(SMALL_MODELS, &what)),
        Ok(Ok(None) | Err(_)) => (),
        Err(payload) => observe(&Event::Panicked(SMALL_MODELS, &panic_text(&*payload))),
    }
    times.translation += start.elapsed();
}
