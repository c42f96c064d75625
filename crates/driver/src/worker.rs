//! One engine at work on a problem, up to a certified verdict.
//!
//! A worker has a copy of the store. It lets its engine decide the problem, translates the witness
//! back and validates it, all under one budget, so that a witness whose validation takes long holds
//! up nobody else: the worker is paused like any other at the end of its time slice, and a witness
//! that is validated sooner overtakes it.
//!
//! When the portfolio is done, its handle stops the other workers, which they notice within
//! milliseconds; whoever asked the question joins their threads ([`Workers`](crate::Workers)).

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread::JoinHandle;
use std::time::Duration;

use shofar_base::{Budget, GaveUp, Instant, Outcome, Statistics, StopHandle};
use shofar_chc::{
    BackTranslation, ChcGraph, ChcSystem, Derivation, Engine, Exactness, HintKind, Interpretation,
    NormalSystem, Shape, TransitionSystem, Verdict,
};
use shofar_check::Certified;
use shofar_engine::{EngineInfo, EngineOptions, Make, StateHints};
use shofar_term::{Cx, Exchange, TermStore};

use crate::cases::Cases;
use crate::event::Event;
use crate::exchange::{Given, Member, Seat, Subjects};
use crate::preparation::solve_prepared;
use crate::schedule::ItemId;
use crate::single_loop::{self, Loop};
use crate::solve::Times;
use crate::task::{Prepared, Task};
use crate::workers::{panic_text, start_thread};

/// Refutations of fewer steps are not folded.
const WORTH_FOLDING: usize = 8;
/// Folded refutations that cannot be confirmed as such are expanded up to so many steps.
const LONGEST_EXPANSION: usize = 100_000;

/// A certified verdict, or what is wrong with it; or the translation or validation gave up or
/// panicked.
type Checked = std::thread::Result<Outcome<Result<Certified, String>>>;

/// Where the time of translating and validating goes.
struct Stopwatch<'w, 'b> {
    clock: &'w mut Clock<'b>,
    times: &'w mut Times,
}

/// What a worker tells.
pub(crate) enum Message {
    /// What happens meanwhile.
    Told(Event),
    /// A view has been prepared, or has not; a panic has a message.
    Prepared(ItemId, Box<Prepared>),
    /// The engine of this item has a witness, which is validated now.
    Found(ItemId),
    /// A worker has ended.
    Finish(Box<Finish>),
}

/// How a worker ended.
pub(crate) struct Finish {
    pub(crate) item: ItemId,
    pub(crate) info: &'static EngineInfo,
    pub(crate) ending: Ending,
    /// What went wrong while it heard others; it has worked without them since.
    pub(crate) misled: Option<String>,
    /// What the engine counted.
    pub(crate) statistics: Statistics,
    pub(crate) times: Times,
}

/// What came out of a worker.
pub(crate) enum Ending {
    /// A verdict with a valid witness.
    Certified {
        certified: Certified,
        /// The store in which its terms live.
        store: Box<TermStore>,
        /// The model for the simplified clauses, if it is wanted.
        model: Option<Interpretation>,
    },
    /// The engine has no verdict.
    GaveUp(GaveUp),
    /// There was a witness, but its translation or validation did not finish.
    Unfinished(GaveUp),
    /// There was a refutation of clauses that are stronger than the input, and none of the input
    /// was found in it. No engine can find a model of these clauses.
    Spurious(GaveUp),
    /// A claim was wrong: a bug.
    Rejected(String),
    /// A panic with this message: a bug.
    Panicked(String),
}

impl Task {
    /// Starts a worker in a thread: its own handle pauses it, that of the task stops it.
    pub(crate) fn start(
        &self,
        item: ItemId,
        info: &'static EngineInfo,
        own: &StopHandle,
        sender: Sender<Message>,
    ) -> std::io::Result<JoinHandle<()>> {
        let (task, own) = (self.clone(), own.clone());
        let work = move || {
            let budget = Budget::nested(&own, &task.handle, task.question.settings.deadline);
            let store = task.clauses.origin.take();
            let finish = task.work(item, info, store, &budget, &mut || {
                // The portfolio may be done and hear nothing any more; the same holds below.
                drop(sender.send(Message::Found(item)));
            });
            drop(sender.send(Message::Finish(Box::new(finish))));
        };
        start_thread(info.name, work)
    }
    /// Decides the problem with an engine and a store of its own; `found` is called when there is a
    /// witness.
    pub(crate) fn work(
        &self,
        item: ItemId,
        info: &'static EngineInfo,
        mut store: TermStore,
        budget: &Budget,
        found: &mut dyn FnMut(),
    ) -> Finish {
        let mut statistics = Statistics::new();
        let mut clock = Clock::start(budget);
        let (mut times, mut hears, mut misled) = (Times::default(), Hears::Others, None);
        loop {
            let heard = AtomicBool::new(false);
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                let statistics = &mut statistics;
                let mut attempt = Attempt { item, info, hears, heard: &heard, statistics };
                self.engine_verdict(&mut attempt, budget, &mut store)
            }));
            times.engine += clock.lap();
            let ending = match outcome {
                Ok(Ok(verdict)) => {
                    found();
                    match self.certify(&mut store, budget, verdict, &mut clock, &mut times) {
                        Ok((certified, model)) => {
                            let store = Box::new(store);
                            let ending = Ending::Certified { certified, store, model };
                            return Finish { item, info, ending, misled, statistics, times };
                        }
                        Err(ending) => ending,
                    }
                }
                Ok(Err(GaveUp::Wrong(objection))) => Ending::Rejected(objection.into_owned()),
                Ok(Err(why)) => Ending::GaveUp(why),
                Err(payload) => Ending::Panicked(panic_text(&*payload)),
            };
            // What others said may have been wrong: whether the engine itself is, it has to show
            // without them.
            match &ending {
                Ending::Rejected(why) | Ending::Panicked(why) if heard.load(Ordering::Relaxed) => {
                    misled = Some(why.clone());
                    hears = Hears::Nothing;
                }
                Ending::Rejected(_)
                | Ending::Panicked(_)
                | Ending::Certified { .. }
                | Ending::GaveUp(_)
                | Ending::Unfinished(_)
                | Ending::Spurious(_) => {
                    return Finish { item, info, ending, misled, statistics, times };
                }
            }
        }
    }
    /// Translates a witness back and validates it; the model is returned as the engine found it, if
    /// it is wanted.
    fn certify(
        &self,
        store: &mut TermStore,
        budget: &Budget,
        verdict: Verdict<NormalSystem>,
        clock: &mut Clock<'_>,
        times: &mut Times,
    ) -> Result<(Certified, Option<Interpretation>), Ending> {
        let model = match &verdict {
            Verdict::Safe(model) if self.question.settings.small_models => Some(model.clone()),
            Verdict::Safe(_) | Verdict::Unsafe(_) => None,
        };
        let is_candidate = matches!(verdict, Verdict::Unsafe(_))
            && self.clauses.back.exactness() == Exactness::Over;
        let mut stopwatch = Stopwatch { clock, times };
        let checked = match verdict {
            Verdict::Unsafe(refutation) if !is_candidate => {
                self.checked_folded(store, budget, refutation, &mut stopwatch)
            }
            verdict @ (Verdict::Safe(_) | Verdict::Unsafe(_)) => {
                self.checked(store, budget, verdict, &mut stopwatch)
            }
        };
        Err(match checked {
            Ok(Ok(Ok(certified))) => return Ok((certified, model)),
            Ok(Ok(Err(objection))) => Ending::Rejected(objection),
            Ok(Err(GaveUp::Wrong(objection))) => Ending::Rejected(objection.into_owned()),
            Ok(Err(why @ (GaveUp::Incomplete(_) | GaveUp::Unsupported(_)))) if is_candidate => {
                Ending::Spurious(why)
            }
            Ok(Err(why)) => Ending::Unfinished(why),
            Err(payload) => Ending::Rejected(panic_text(&*payload)),
        })
    }
    /// Translates a witness back and validates it.
    fn checked(
        &self,
        store: &mut TermStore,
        budget: &Budget,
        verdict: Verdict<NormalSystem>,
        stopwatch: &mut Stopwatch<'_, '_>,
    ) -> Checked {
        // A witness of the wrong shape may break its translation; that is an objection like any
        // other.
        let checked = catch_unwind(AssertUnwindSafe(|| {
            let verdict = self.translate(store, budget, verdict)?;
            stopwatch.times.translation += stopwatch.clock.lap();
            self.validate(store, budget, verdict)
        }));
        stopwatch.times.validation += stopwatch.clock.lap();
        checked
    }
    /// The same for a refutation, first folded and then, if that fails, step by step.
    fn checked_folded(
        &self,
        store: &mut TermStore,
        budget: &Budget,
        refutation: Derivation,
        stopwatch: &mut Stopwatch<'_, '_>,
    ) -> Checked {
        let is_short = refutation.is_ground() && refutation.steps.len() < WORTH_FOLDING;
        let attempts = if is_short { 0 } else { 2 };
        for attempt in 0..attempts {
            let folded = match attempt {
                0 => refutation.folded(),
                // One disjunct of a clause must hold in all iterations.
                _ => refutation.folded_by(&Cases::new(store, &self.clauses.system).of_steps()),
            };
            if folded.is_ground() {
                break;
            }
            let checked = self.checked(store, budget, Verdict::Unsafe(folded), stopwatch);
            if matches!(checked, Ok(Ok(Ok(_)))) || budget.check().is_err() {
                return checked;
            }
        }
        let ground = refutation.expanded(store, LONGEST_EXPANSION);
        let not_confirmed = |_| GaveUp::incomplete("a folded refutation could not be confirmed");
        match ground.map_err(not_confirmed) {
            Ok(ground) => self.checked(store, budget, Verdict::Unsafe(ground), stopwatch),
            Err(why) => Ok(Err(why)),
        }
    }
    fn engine_verdict(
        &self,
        attempt: &mut Attempt<'_>,
        budget: &Budget,
        store: &mut TermStore,
    ) -> Outcome<Verdict<NormalSystem>> {
        let name = attempt.info.name;
        let mut cx =
            Cx::new(store, budget).watched_by(self.question.settings.observer.as_deref(), name);
        let (strengthened, given) = if attempt.info.is_strengthened {
            self.clauses.board.strengthen(&mut cx, name, &self.clauses.system)?
        } else {
            (None, Given::default())
        };
        let Some((system, back)) = strengthened else {
            return self.decide(&mut cx, attempt, &self.clauses.system, given);
        };
        let verdict = self.decide(&mut cx, attempt, &system, given.clone())?;
        if let Verdict::Safe(_) = verdict {
            self.clauses.board.used(name, &given);
        }
        verdict.translate_back(&mut cx, &*back)
    }
    fn decide(
        &self,
        cx: &mut Cx<'_>,
        attempt: &mut Attempt<'_>,
        system: &NormalSystem,
        given: Given,
    ) -> Outcome<Verdict<NormalSystem>> {
        match attempt.info.make {
            Make::Chc(make) => self.directly(cx, attempt, system, given, make),
            Make::Loops { several, .. } if has_several_loops(system) => {
                self.directly(cx, attempt, system, given, several)
            }
            Make::Ts(make) | Make::Loops { one: make, .. } => {
                self.as_one_loop(cx, attempt, system, given, make)
            }
        }
    }
    fn directly(
        &self,
        cx: &mut Cx<'_>,
        attempt: &mut Attempt<'_>,
        system: &NormalSystem,
        given: Given,
        make: fn(&EngineOptions) -> Box<dyn Engine<NormalSystem>>,
    ) -> Outcome<Verdict<NormalSystem>> {
        let seat =
            Seat::new(&self.clauses.board, attempt.member(), system, given, Subjects::Predicates);
        let (mut engine, mut statistics) =
            (make(&self.question.settings.options), Statistics::new());
        let mut sharing = cx.sharing(attempt.exchange(&seat));
        let outcome = solve_prepared(&mut sharing, &mut *engine, system, &mut statistics);
        *attempt.statistics = statistics;
        if let Ok(Verdict::Safe(model)) = &outcome {
            seat.credit_model(cx.store, model);
        }
        outcome
    }
    fn as_one_loop(
        &self,
        cx: &mut Cx<'_>,
        attempt: &mut Attempt<'_>,
        system: &NormalSystem,
        given: Given,
        make: fn(&EngineOptions) -> Box<dyn Engine<TransitionSystem>>,
    ) -> Outcome<Verdict<NormalSystem>> {
        // Where lemmas have made the clauses stronger, the loop is another one.
        let given_system: &NormalSystem = &self.clauses.system;
        let problem = if std::ptr::eq(system, given_system) {
            self.clauses.single_loop.get(cx, system)?
        } else {
            Arc::new(single_loop::make(cx, system)?)
        };
        let Loop { ts, places } = &*problem;
        let mut options = self.question.settings.options.clone();
        let formulas = system.hints().iter().filter(|hint| hint.kind == HintKind::Predicate);
        let formulas = places.hints(cx.store, formulas.cloned().collect());
        options.own_mut::<StateHints>().0 = formulas.iter().map(|hint| hint.term).collect();
        let seat = Seat::new(
            &self.clauses.board,
            attempt.member(),
            system,
            given,
            Subjects::States(places),
        );
        let mut engine = make(&options);
        let outcome = engine.solve(&mut cx.sharing(attempt.exchange(&seat)), ts);
        *attempt.statistics = engine.statistics();
        let verdict = outcome?;
        if let Verdict::Safe(invariant) = &verdict {
            seat.credit_states(cx.store, *invariant);
        }
        verdict.translate_back(cx, places)
    }
}

/// What an engine hears.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hears {
    Others,
    Nothing,
}

/// An engine in an item of the schedule, and where its counts go.
struct Attempt<'s> {
    item: ItemId,
    info: &'static EngineInfo,
    hears: Hears,
    /// Whether it took in what others said.
    heard: &'s AtomicBool,
    statistics: &'s mut Statistics,
}

impl<'s> Attempt<'s> {
    fn member(&self) -> Member<'s> {
        Member { name: self.info.name, item: self.item, heard: self.heard }
    }
    /// What the engine gets to see of its seat.
    fn exchange<'e>(&self, seat: &'e dyn Exchange) -> Option<&'e dyn Exchange> {
        match self.hears {
            Hears::Others => Some(seat),
            Hears::Nothing => None,
        }
    }
}

/// Whether the engine decides `system` as one loop.
pub(crate) fn wants_one_loop(info: &EngineInfo, system: &ChcSystem) -> bool {
    match info.make {
        Make::Chc(_) => false,
        Make::Ts(_) => true,
        Make::Loops { .. } => !has_several_loops(system),
    }
}

/// Whether there are several predicates, and no cycle goes through two of them.
fn has_several_loops(system: &ChcSystem) -> bool {
    match ChcGraph::new(system).shape() {
        Shape::ChainOfLoops | Shape::DagOfLoops => true,
        Shape::Acyclic | Shape::TransitionSystem | Shape::Linear | Shape::Nonlinear => false,
    }
}

/// Measures the time that a worker was not paused.
struct Clock<'b> {
    budget: &'b Budget,
    since: Instant,
    paused: Duration,
}

impl<'b> Clock<'b> {
    fn start(budget: &'b Budget) -> Self {
        Self { budget, since: budget.now(), paused: budget.paused() }
    }
    /// The time since the start or the last lap.
    fn lap(&mut self) -> Duration {
        let paused = self.budget.paused().saturating_sub(self.paused);
        let time = (self.budget.now() - self.since).saturating_sub(paused);
        *self = Self::start(self.budget);
        time
    }
}
