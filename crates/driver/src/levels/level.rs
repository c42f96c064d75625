//! One level: the clauses seen in one way, with passes and engines of its own, in a thread of its own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use shofar_base::{Budget, Outcome, StopHandle};
use shofar_chc::{BackTranslation, ChcSystem, Derivation, Exactness, Interpretation, NormalSystem};
use shofar_check::{HornInput, Rigour};
use shofar_engine::{EngineInfo, EngineOptions, engine};
use shofar_term::{Cx, Observer, TermStore};
use shofar_transform::{
    Cells, IntBlast, Mode, Normalize, Pipeline, Wanted, Watches, default_pipeline, fixed_indices,
};

use super::told::Told;
use crate::certify::{Back, Certifier};
use crate::exchange::Board;
use crate::failure::Failure;
use crate::origin::Origin;
use crate::portfolio::{Portfolio, Turns};
use crate::single_loop::SharedLoop;
use crate::solve::{Event, schedule_of};
use crate::worker::{Finish, Task, panic_text, roomy_thread, wants_one_loop};

/// So many integers at which queries read are watched beside the one index.
const MOST_FIXED: usize = 4;

/// How the clauses are seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sight {
    /// As the user wrote them if passes have over-approximated them, else as these left them; for engines that need no interpolants.
    Exact,
    /// As the passes left them, which is about numbers only.
    Numbers,
    /// Without arrays.
    Forget,
    /// Through one cell, at an index that all arrays share.
    Shared,
    /// Through one cell of each array.
    Own,
    /// Through pairs of cells.
    Pair,
    /// Through the cells that spurious refutations of other levels have asked for.
    Watched,
}

/// The levels for clauses with arrays, in the order in which they begin.
pub(super) const ARRAYS: &[Sight] =
    &[Sight::Forget, Sight::Exact, Sight::Shared, Sight::Own, Sight::Pair];
/// The levels for clauses that passes have made numbers of, but not exactly.
pub(super) const NUMBERS: &[Sight] = &[Sight::Numbers, Sight::Exact];

impl Sight {
    /// What a user hears.
    pub(super) fn name(self) -> &'static str {
        match self {
            Sight::Exact => "exact",
            Sight::Numbers => "numbers",
            Sight::Forget => "forget",
            Sight::Shared => "cells",
            Sight::Own => "own cells",
            Sight::Pair => "pairs of cells",
            Sight::Watched => "watched cells",
        }
    }
    /// How much of the time it gets in its first turn, in milliseconds.
    pub(super) fn first_turn(self) -> Duration {
        Duration::from_millis(match self {
            Sight::Exact => 150,
            Sight::Shared | Sight::Watched | Sight::Numbers => 600,
            Sight::Forget | Sight::Own | Sight::Pair => 300,
        })
    }
    fn abstraction(
        self,
        store: &TermStore,
        system: &ChcSystem,
        watched: &Watches,
        wanted: &Wanted,
    ) -> Option<Cells> {
        let mode = match self {
            Sight::Exact | Sight::Numbers => return None,
            Sight::Forget | Sight::Watched => Mode::Forget,
            Sight::Shared => Mode::Shared(fixed_indices(store, system, MOST_FIXED)),
            Sight::Own => Mode::Own,
            Sight::Pair => Mode::Pair,
        };
        Some(Cells { mode, watched: watched.clone(), wanted: wanted.clone() })
    }
}

/// The way back from the clauses that the levels start from.
pub(super) type Base = Arc<dyn BackTranslation<ChcSystem, ChcSystem>>;

/// Which passes run behind the abstraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Behind {
    /// The usual ones.
    Usual,
    /// What engines need.
    Nothing,
}

/// What all levels have in common.
pub(super) struct Common {
    pub(super) store: TermStore,
    pub(super) system: ChcSystem,
    pub(super) base: Base,
    pub(super) input: HornInput<'static>,
    pub(super) behind: Behind,
    pub(super) engines: Vec<&'static EngineInfo>,
    pub(super) options: EngineOptions,
    pub(super) rigour: Rigour,
    pub(super) observer: Option<Arc<dyn Observer>>,
    pub(super) deadline: Option<Instant>,
    /// Whether the model is going to be read, and until when a smaller one may be looked for.
    pub(super) small_models: bool,
    pub(super) small_models_until: Option<Instant>,
    /// Stops everything.
    pub(super) handle: StopHandle,
}

/// What the thread of a level tells.
pub(super) enum Message {
    Told(Told),
    /// A level has ended.
    Ended(Box<Ended>),
}

/// How a level ended.
pub(super) struct Ended {
    pub(super) place: usize,
    pub(super) result: Result<(Finish, Task), Failure>,
    /// The cells that its spurious refutations have asked for.
    pub(super) wanted: Watches,
}

/// What makes one level different from the others.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) sight: Sight,
    /// Cells that predicates have besides.
    pub(super) watched: Watches,
}

impl Plan {
    pub(super) fn of(sight: Sight) -> Self {
        Self { sight, watched: Watches::new() }
    }
}

impl Common {
    /// The engines that work at a level; none means those of the strategy.
    pub(super) fn engines(&self, sight: Sight) -> Option<Vec<&'static EngineInfo>> {
        match sight {
            Sight::Exact => {
                let bmc = engine("bmc")?;
                let is_asked = |info: &&EngineInfo| info.name == bmc.name;
                (self.engines.is_empty() || self.engines.iter().any(is_asked)).then(|| vec![bmc])
            }
            Sight::Numbers
            | Sight::Forget
            | Sight::Shared
            | Sight::Own
            | Sight::Pair
            | Sight::Watched => Some(self.engines.clone()),
        }
    }
    /// Starts the level in a thread; the handle pauses and stops it.
    pub(super) fn start(
        self: &Arc<Self>,
        place: usize,
        plan: Plan,
        engines: Vec<&'static EngineInfo>,
        sender: Sender<Message>,
    ) -> std::io::Result<(StopHandle, JoinHandle<()>)> {
        let (common, handle) = (Arc::clone(self), StopHandle::default());
        let (own, sight, wanted) = (handle.clone(), plan.sight, Wanted::default());
        let work = move || {
            let budget = Budget::nested(&own, &common.handle, common.deadline);
            let told = sender.clone();
            // Nobody listens any more if another level has answered; the same holds below.
            let mut observe = |event: &Event<'_>| drop(told.send(Message::Told(Told::of(event))));
            let result = catch_unwind(AssertUnwindSafe(|| {
                common.work(&plan, &wanted, &engines, &own, &budget, &mut observe)
            }));
            let result = result.unwrap_or_else(|payload| {
                let text = panic_text(&*payload);
                observe(&Event::Panicked(sight.name(), &text));
                Err(Failure { engines: vec![("passes".to_owned(), text)], ..Failure::default() })
            });
            let wanted = wanted.watches();
            drop(sender.send(Message::Ended(Box::new(Ended { place, result, wanted }))));
        };
        roomy_thread(sight.name(), work).map(|thread| (handle, thread))
    }
    fn work(
        &self,
        plan: &Plan,
        wanted: &Wanted,
        engines: &[&'static EngineInfo],
        own: &StopHandle,
        budget: &Budget,
        observe: &mut dyn FnMut(&Event<'_>),
    ) -> Result<(Finish, Task), Failure> {
        let mut store = self.store.clone();
        let prepared = self.prepare(&mut store, plan, wanted, budget, observe);
        let (system, back) =
            prepared.map_err(|why| Failure::before_engines(why, Duration::ZERO))?;
        let (schedule, _) = schedule_of(&store, &system, engines, 1);
        let users = schedule.engines().filter(|info| wants_one_loop(info, &system)).count();
        let certifier = Certifier {
            input: self.input.clone(),
            back,
            rigour: self.rigour,
            observer: self.observer.clone(),
        };
        let task = Task {
            origin: Arc::new(Origin::new(store, schedule.places())),
            system: Arc::new(system),
            certifier: Arc::new(certifier),
            board: Arc::new(Board::new(self.options.sharing, None)),
            single_loop: Arc::new(SharedLoop::new(users)),
            options: self.options.clone(),
            handle: own.clone(),
            deadline: self.deadline,
            observer: self.observer.clone(),
            keeps_model: self.small_models,
            small_models_until: self.small_models_until,
        };
        let (result, workers) =
            Portfolio::new(&task, schedule, Duration::ZERO, Turns::ByTheClock).run(budget, observe);
        workers.join();
        result.map(|finish| (finish, task))
    }
    fn prepare(
        &self,
        store: &mut TermStore,
        Plan { sight, watched }: &Plan,
        wanted: &Wanted,
        budget: &Budget,
        observe: &mut dyn FnMut(&Event<'_>),
    ) -> Outcome<(NormalSystem, Back)> {
        let sight = *sight;
        let mut cx = Cx::new(store, budget).watched_by(self.observer.as_deref(), "preprocessing");
        let mut tell = |report: &_| observe(&Event::Pass(report));
        let normalize = || Pipeline::new(vec![Box::new(Normalize)]);
        if sight == Sight::Exact && self.base.exactness() == Exactness::Over {
            return normalize().run_to_normal(&mut cx, self.input.system().clone(), &mut tell);
        }
        let (mut system, mut base) = (self.system.clone(), Arc::clone(&self.base));
        if let Some(abstraction) = sight.abstraction(cx.store, &system, watched, wanted) {
            let pipeline = Pipeline::new(vec![Box::new(abstraction)]);
            let (target, last) = pipeline.run(&mut cx, system, &mut tell)?;
            (system, base) = (target, Arc::new(Both { first: base, last }));
        }
        let behind = match self.behind {
            Behind::Usual | Behind::Nothing if sight == Sight::Exact => normalize(),
            Behind::Usual => default_pipeline(),
            // Cells of arrays may be bit-vectors.
            Behind::Nothing => {
                Pipeline::new(vec![Box::new(IntBlast::default()), Box::new(Normalize)])
            }
        };
        let (system, last) = behind.run_to_normal(&mut cx, system, &mut tell)?;
        Ok((system, Box::new(Through { base, last })))
    }
}

/// Two ways back, one after the other.
struct Both {
    first: Base,
    last: Box<dyn BackTranslation<ChcSystem, ChcSystem>>,
}

impl BackTranslation<ChcSystem, ChcSystem> for Both {
    fn exactness(&self) -> Exactness {
        self.first.exactness().max(self.last.exactness())
    }
    fn model(&self, cx: &mut Cx<'_>, model: Interpretation) -> Outcome<Interpretation> {
        let model = self.last.model(cx, model)?;
        self.first.model(cx, model)
    }
    fn refutation(&self, cx: &mut Cx<'_>, refutation: Derivation) -> Outcome<Derivation> {
        let refutation = self.last.refutation(cx, refutation)?;
        self.first.refutation(cx, refutation)
    }
}

/// The way back from a level through the passes before it.
pub(super) struct Through {
    pub(super) base: Base,
    pub(super) last: Back,
}

impl BackTranslation<ChcSystem, NormalSystem> for Through {
    fn exactness(&self) -> Exactness {
        self.base.exactness().max(self.last.exactness())
    }
    fn model(&self, cx: &mut Cx<'_>, model: Interpretation) -> Outcome<Interpretation> {
        let model = self.last.model(cx, model)?;
        self.base.model(cx, model)
    }
    fn refutation(&self, cx: &mut Cx<'_>, refutation: Derivation) -> Outcome<Derivation> {
        let refutation = self.last.refutation(cx, refutation)?;
        self.base.refutation(cx, refutation)
    }
}
