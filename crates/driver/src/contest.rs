//! Engines at work in threads.
//!
//! Each engine runs in a thread with a copy of the store and sends its outcome home. Between its turns it is paused, so that
//! it goes on where it was. The threads are not waited for: when the contest is over, its handle stops them, which they
//! notice within milliseconds.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Instant;

use shofar_base::{Budget, GaveUp, Outcome, StopHandle};
use shofar_chc::{ChcGraph, ChcSystem, Engine, Shape, Transformation, TransitionSystem, Verdict};
use shofar_engine::{EngineInfo, EngineOptions, Make};
use shofar_term::{Cx, Observer, TermStore};
use shofar_transform::SingleLoop;

/// Engines use little stack; formulas are never traversed by recursion.
const STACK: usize = 16 << 20;

/// What the threads of a contest share.
#[derive(Clone)]
pub(crate) struct Field {
    pub(crate) store: Arc<TermStore>,
    pub(crate) system: Arc<ChcSystem>,
    pub(crate) options: EngineOptions,
    pub(crate) handle: StopHandle,
    pub(crate) deadline: Option<Instant>,
    pub(crate) observer: Option<Arc<dyn Observer>>,
}

/// How an engine ended.
pub(crate) struct Finish {
    /// Its place in the schedule.
    pub(crate) place: usize,
    pub(crate) info: &'static EngineInfo,
    /// The store in which the verdict's terms live.
    pub(crate) store: TermStore,
    pub(crate) outcome: Outcome<Verdict<ChcSystem>>,
    /// What the engine counted.
    pub(crate) figures: Vec<(&'static str, u64)>,
    /// The text of a panic.
    pub(crate) panic: Option<String>,
}

impl Field {
    /// Starts an engine; the handle that is returned pauses it.
    pub(crate) fn start(
        &self,
        place: usize,
        info: &'static EngineInfo,
        home: Sender<Finish>,
    ) -> StopHandle {
        let field = self.clone();
        let handle = StopHandle::default();
        let own = handle.clone();
        let work = move || {
            let mut store = (*field.store).clone();
            let mut figures = Vec::new();
            let caught =
                catch_unwind(AssertUnwindSafe(|| field.run(info, &own, &mut store, &mut figures)));
            let (outcome, panic) = match caught {
                Ok(outcome) => (outcome, None),
                Err(payload) => {
                    (Err(GaveUp::Incomplete("the engine failed")), Some(panic_text(&*payload)))
                }
            };
            // Nobody listens any more if the contest is over.
            let _ = home.send(Finish { place, info, store, outcome, figures, panic });
        };
        std::thread::Builder::new()
            .name(info.name.to_owned())
            .stack_size(STACK)
            .spawn(work)
            .expect("the system gives us a thread");
        handle
    }
    fn run(
        &self,
        info: &EngineInfo,
        own: &StopHandle,
        store: &mut TermStore,
        figures: &mut Vec<(&'static str, u64)>,
    ) -> Outcome<Verdict<ChcSystem>> {
        let budget = Budget::nested(own, &self.handle, self.deadline);
        let mut cx = Cx::new(store, &budget).watched_by(self.observer.as_deref(), info.name);
        match info.make {
            Make::Chc(make) => self.directly(&mut cx, make, figures),
            Make::Loops { several, .. } if self.has_several_loops() => {
                self.directly(&mut cx, several, figures)
            }
            Make::Ts(make) | Make::Loops { one: make, .. } => {
                self.as_one_loop(&mut cx, make, figures)
            }
        }
    }
    /// Whether there are several predicates, and no cycle goes through two of them.
    fn has_several_loops(&self) -> bool {
        match ChcGraph::new(&self.system).shape() {
            Shape::ChainOfLoops | Shape::DagOfLoops => true,
            Shape::Acyclic | Shape::TransitionSystem | Shape::Linear | Shape::Nonlinear => false,
        }
    }
    fn directly(
        &self,
        cx: &mut Cx<'_>,
        make: fn(&EngineOptions) -> Box<dyn Engine<ChcSystem>>,
        figures: &mut Vec<(&'static str, u64)>,
    ) -> Outcome<Verdict<ChcSystem>> {
        let mut engine = make(&self.options);
        let outcome = engine.solve(cx, &self.system);
        *figures = engine.figures();
        outcome
    }
    fn as_one_loop(
        &self,
        cx: &mut Cx<'_>,
        make: fn(&EngineOptions) -> Box<dyn Engine<TransitionSystem>>,
        figures: &mut Vec<(&'static str, u64)>,
    ) -> Outcome<Verdict<ChcSystem>> {
        let (problem, back) = SingleLoop.apply(cx, (*self.system).clone())?;
        let mut engine = make(&self.options);
        let outcome = engine.solve(cx, &problem);
        *figures = engine.figures();
        match outcome? {
            Verdict::Safe(model) => Ok(Verdict::Safe(back.model(cx, model)?)),
            Verdict::Unsafe(run) => Ok(Verdict::Unsafe(back.refutation(cx, run)?)),
        }
    }
}

/// What a panic said.
pub(crate) fn panic_text(payload: &(dyn std::any::Any + Send)) -> String {
    payload
        .downcast_ref::<String>()
        .cloned()
        .or_else(|| payload.downcast_ref::<&str>().map(|&s| s.to_owned()))
        .unwrap_or_else(|| "panic".to_owned())
}
