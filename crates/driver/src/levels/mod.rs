//! Problems about arrays, data types or bits: levels of abstraction that take turns.
//!
//! The clauses are simplified once. Where arrays (or other data that engines have no theory for) are left, they are seen in several
//! ways ([`level::Sight`]): a model at any level is a model, a refutation at an abstract level is a candidate that its way back
//! replays on the clauses before abstraction. A level whose refutation is spurious ends, and says which cells of arrays would have shown that
//! it is: these are watched by a further level, as long as there are new ones. Each level is a portfolio of its own with the usual
//! engines; levels are paused between their turns, as engines are between their slices.
//!
//! Invariant: no verdict leaves this module that the validator has not confirmed on the clauses as the user wrote them.
//!
//! Source: [MIGPB21] §4 for abstraction levels of arrays, refined by spurious counterexamples. DIVERGENCE [MIGPB21]: besides the refined
//! ones there is a fixed list of levels that share the time, because which one decides a problem is seldom known before.

mod level;
mod told;
mod turns;

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use shofar_base::{Budget, GaveUp, Outcome, StopHandle};
use shofar_chc::{ChcSystem, Exactness};
use shofar_check::HornInput;
use shofar_term::{Cx, TermStore};
use shofar_transform::{
    Normalize, Pipeline, Watches, default_pipeline, is_arithmetic, passes_before_abstraction,
};

use crate::failure::Failure;
use crate::portfolio::is_time;
use crate::settings::{Preprocessing, Settings};
use crate::solve::{Event, Prepared};
use crate::worker::{Finish, Task};
use crate::workers::Workers;
use level::{ARRAYS, Base, Behind, Common, Ended, Message, NUMBERS, Plan, Sight, Through};
use turns::{Turn, Turns};

/// How often it is looked whether the work has to stop.
const PERIOD: Duration = Duration::from_millis(10);

/// What is left to decide after the first passes.
pub(crate) enum First {
    /// Clauses that all engines understand.
    Arithmetic(Prepared),
    /// Others.
    Levels(Levels),
}

impl First {
    /// The clauses.
    pub(crate) fn system(&self) -> &ChcSystem {
        match self {
            First::Arithmetic((system, _)) => system,
            First::Levels(levels) => &levels.common.system,
        }
    }
}

/// Clauses that are decided by levels.
pub(crate) struct Levels {
    common: Arc<Common>,
    sights: &'static [Sight],
    threads: usize,
}

/// Simplifies the clauses of `input`, which are not arithmetic.
pub(crate) fn prepare(
    store: &mut TermStore,
    budget: &Budget,
    input: &HornInput<'_>,
    settings: &Settings,
    handle: &StopHandle,
    observe: &mut dyn FnMut(&Event<'_>),
) -> Outcome<First> {
    let mut cx = Cx::new(store, budget).watched_by(settings.observer.as_deref(), "preprocessing");
    let (default, nothing);
    let (pipeline, behind) = match &settings.preprocessing {
        Preprocessing::Default => {
            default = passes_before_abstraction();
            (&default, Behind::Usual)
        }
        Preprocessing::Nothing => {
            nothing = Pipeline::new(vec![Box::new(Normalize)]);
            (&nothing, Behind::Nothing)
        }
        Preprocessing::Passes(pipeline) => (pipeline, Behind::Nothing),
    };
    let mut tell = |report: &_| observe(&Event::Pass(report));
    let (system, base) = pipeline.run(&mut cx, input.system().clone(), &mut tell)?;
    let base: Base = base.into();
    let is_arithmetic = is_arithmetic(cx.store, &system);
    if is_arithmetic && base.exactness() == Exactness::Exact {
        let last = match behind {
            Behind::Usual => default_pipeline(),
            Behind::Nothing => Pipeline::new(vec![Box::new(Normalize)]),
        };
        let (system, last) = last.run_to_normal(&mut cx, system, &mut tell)?;
        return Ok(First::Arithmetic((system, Box::new(Through { base, last }))));
    }
    let common = Common {
        store: store.clone(),
        system,
        base,
        input: input.clone().into_owned(),
        behind,
        engines: settings.engines.clone(),
        options: settings.options.clone(),
        rigour: settings.rigour,
        observer: settings.observer.clone(),
        deadline: settings.deadline,
        small_models: settings.small_models,
        small_models_until: settings.deadline.into_iter().chain(settings.small_models_until).min(),
        handle: handle.clone(),
    };
    let (common, threads) = (Arc::new(common), settings.threads.max(1));
    let sights = if is_arithmetic { NUMBERS } else { ARRAYS };
    Ok(First::Levels(Levels { common, sights, threads }))
}

impl Levels {
    /// The first certified verdict of a level with its task, or why there is none.
    pub(crate) fn run(
        &self,
        budget: &Budget,
        observe: &mut dyn FnMut(&Event<'_>),
    ) -> (Result<(Finish, Task, &'static str), Failure>, Workers) {
        let mut race = Race {
            common: &self.common,
            plans: self.sights.iter().map(|&sight| Plan::of(sight)).collect(),
            turns: Turns::new(self.sights.iter().map(|sight| sight.first_turn()), self.threads),
            handles: vec![None; self.sights.len()],
            wanted: Watches::new(),
            workers: Workers::default(),
            failure: Failure::default(),
            lacks_thread: false,
        };
        let result = race.decide(budget, observe);
        for handle in race.handles.iter().flatten() {
            handle.stop(GaveUp::Cancelled);
        }
        (result, race.workers)
    }
}

/// Levels that share the time.
struct Race<'r> {
    common: &'r Arc<Common>,
    plans: Vec<Plan>,
    turns: Turns,
    /// What pauses the level at a place; nothing if it has not begun.
    handles: Vec<Option<StopHandle>>,
    /// The cells that spurious refutations have asked for so far.
    wanted: Watches,
    workers: Workers,
    failure: Failure,
    /// Whether the system had no thread for a level.
    lacks_thread: bool,
}

impl Race<'_> {
    fn decide(
        &mut self,
        budget: &Budget,
        observe: &mut dyn FnMut(&Event<'_>),
    ) -> Result<(Finish, Task, &'static str), Failure> {
        let (sender, messages) = channel();
        loop {
            let now = Instant::now();
            while let Some(place) = self.turns.over(now) {
                if let Some(handle) = &self.handles[place] {
                    handle.pause();
                }
            }
            while let Some(turn) = self.turns.next(now) {
                self.begin(turn, &sender, observe);
            }
            if self.turns.is_over() {
                // A level that had no room for its stack might have decided it.
                self.failure.stopped = self.lacks_thread.then_some(GaveUp::Memory);
                return Err(std::mem::take(&mut self.failure));
            }
            match messages.recv_timeout(self.turns.patience(now).min(PERIOD)) {
                Ok(Message::Told(told)) => told.tell(observe),
                Ok(Message::Ended(ended)) => {
                    let Ended { place, result, wanted } = *ended;
                    self.turns.leave(place);
                    let level = self.plans[place].sight.name();
                    match result {
                        Ok((finish, task)) => return Ok((finish, task, level)),
                        Err(failure) => self.ended(level, failure, observe),
                    }
                    self.refine(wanted);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => unreachable!("we hold a sender ourselves"),
            }
            if let Err(why) = is_time(budget) {
                self.failure.stopped = Some(why);
                return Err(std::mem::take(&mut self.failure));
            }
        }
    }
    /// Lets a level work for a turn.
    fn begin(
        &mut self,
        turn: Turn,
        sender: &std::sync::mpsc::Sender<Message>,
        observe: &mut dyn FnMut(&Event<'_>),
    ) {
        let (place, sight) = (turn.place, self.plans[turn.place].sight);
        if let Some(handle) = &self.handles[place] {
            handle.resume();
            return;
        }
        let Some(engines) = self.common.engines(sight) else {
            self.turns.leave(place);
            return;
        };
        observe(&Event::LevelBegins(sight.name()));
        let plan = self.plans[place].clone();
        let started = self.common.start(place, plan, engines, sender.clone());
        if let Ok((handle, thread)) = started {
            self.handles[place] = Some(handle);
            self.workers.add(thread);
        } else {
            observe(&Event::NoThread(sight.name()));
            let why = "no thread can be started".to_owned();
            self.failure.engines.push((sight.name().to_owned(), why));
            self.lacks_thread = true;
            self.turns.leave(place);
        }
    }
    /// Adds a level for cells that were asked for, unless one like that is at work or none of them is new.
    fn refine(&mut self, wanted: Watches) {
        self.wanted.extend(wanted);
        let mut watched =
            self.plans.iter().enumerate().filter(|(_, it)| it.sight == Sight::Watched);
        let is_known = self.wanted.is_empty()
            || watched.any(|(at, it)| !self.turns.is_out(at) || it.watched == self.wanted);
        if !is_known {
            self.turns.add(Sight::Watched.first_turn());
            self.handles.push(None);
            self.plans.push(Plan { sight: Sight::Watched, watched: self.wanted.clone() });
        }
    }
    fn ended(&mut self, name: &'static str, failure: Failure, observe: &mut dyn FnMut(&Event<'_>)) {
        let reason = failure.reason();
        observe(&Event::LevelEnded(name, &reason));
        self.failure
            .rejected
            .extend(failure.rejected.into_iter().map(|why| format!("{name}: {why}")));
        let engines = failure.engines.into_iter();
        self.failure
            .engines
            .extend(engines.map(|(engine, why)| (format!("{engine} ({name})"), why)));
        if let Some(why) = failure.stopped {
            self.failure.engines.push((name.to_owned(), why.to_string()));
        }
    }
}
