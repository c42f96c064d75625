//! What workers on a question share.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread::JoinHandle;

use shofar_base::{Budget, Outcome, StopHandle};
use shofar_chc::{ChcGraph, ChcSystem, NormalSystem, Shape};
use shofar_check::HornInput;
use shofar_engine::{ENGINES, EngineInfo, Fragment};
use shofar_term::{Cx, TermStore};
use shofar_transform::{PassReport, Wanted};

use crate::event::Event;
use crate::exchange::{Board, Incoming, Outside};
use crate::features::Features;
use crate::origin::Origin;
use crate::schedule::{ItemId, Order};
use crate::settings::Settings;
use crate::single_loop::SharedLoop;
use crate::strategy::row_for;
use crate::view::{Back, ClauseView, Seen, Simplified, Source};
use crate::worker::{Message, wants_one_loop};
use crate::workers::{panic_text, start_thread};

/// What was asked, and how it is to be answered.
pub(crate) struct Question {
    pub(crate) input: HornInput,
    pub(crate) settings: Settings,
    /// What views are made of, if there are several.
    pub(crate) source: Option<Box<Source>>,
    /// What other processes send, on all views.
    pub(crate) incoming: Option<Arc<Incoming>>,
}

impl Question {
    /// The question, and the one view of its clauses if there are no others.
    pub(crate) fn new(
        input: HornInput,
        settings: Settings,
        simplified: Simplified,
    ) -> (Self, Option<Seen>) {
        let incoming = settings.relay.clone().map(|relay| Arc::new(Incoming::new(relay)));
        let (source, whole) = match simplified {
            Simplified::Whole(seen) => (None, Some(seen)),
            Simplified::InViews(source) => (Some(source), None),
        };
        (Self { input, settings, source, incoming }, whole)
    }
    /// Makes a view.
    pub(crate) fn prepare(
        &self,
        view: &ClauseView,
        wanted: &Wanted,
        budget: &Budget,
        tell: &mut dyn FnMut(&PassReport),
    ) -> Outcome<(Clauses, Order)> {
        let source = self.source.as_ref().expect("only clauses in several views are prepared late");
        let mut store = source.store();
        let observer = self.settings.observer.as_deref();
        let mut cx = Cx::new(&mut store, budget).watched_by(observer, "preprocessing");
        let seen = source.seen(&mut cx, view, wanted, tell)?;
        let engines = view.engines(&self.settings.engines);
        Ok(self.clauses(store, seen, &engines.unwrap_or_default()))
    }
    /// The same; a panic has a message.
    pub(crate) fn prepare_caught(
        &self,
        view: &ClauseView,
        wanted: &Wanted,
        budget: &Budget,
        tell: &mut dyn FnMut(&Event),
    ) -> Prepared {
        let prepare =
            || self.prepare(view, wanted, budget, &mut |report| tell(&Event::Pass(report.clone())));
        catch_unwind(AssertUnwindSafe(prepare)).map_err(|payload| panic_text(&*payload))
    }
    /// The same in a thread: its own handle pauses it, that of its view stops it.
    pub(crate) fn start_preparation(
        self: &Arc<Self>,
        item: ItemId,
        view: ClauseView,
        wanted: Wanted,
        (own, of_view): (&StopHandle, &StopHandle),
        sender: Sender<Message>,
    ) -> std::io::Result<JoinHandle<()>> {
        let (question, name) = (Arc::clone(self), view.name());
        let (own, of_view) = (own.clone(), of_view.clone());
        let work = move || {
            let budget = Budget::nested(&own, &of_view, question.settings.deadline);
            // The portfolio may be done and hear nothing any more; the same holds below.
            let mut tell = |event: &Event| drop(sender.send(Message::Told(event.clone())));
            let prepared = question.prepare_caught(&view, &wanted, &budget, &mut tell);
            drop(sender.send(Message::Prepared(item, Box::new(prepared))));
        };
        start_thread(name, work)
    }
    /// The clauses as workers get them, and in which order these work; no engines means those of
    /// the strategy.
    pub(crate) fn clauses(
        &self,
        mut store: TermStore,
        (system, back): Seen,
        engines: &[&'static EngineInfo],
    ) -> (Clauses, Order) {
        let order = order_of(&store, &system, engines);
        let users = order.engines().filter(|info| wants_one_loop(info, &system)).count();
        let outside =
            self.incoming.clone().map(|incoming| Outside::new(incoming, &mut store, &system));
        let clauses = Clauses {
            origin: Origin::new(store, order.engines().count()),
            board: Board::new(self.settings.options.sharing, outside),
            single_loop: SharedLoop::new(users),
            system,
            back,
        };
        (clauses, order)
    }
}

/// A view with the order of its engines, or why there is none; a panic has a message.
pub(crate) type Prepared = Result<Outcome<(Clauses, Order)>, String>;

/// A view of the clauses as its workers get it.
pub(crate) struct Clauses {
    pub(crate) origin: Origin,
    pub(crate) system: NormalSystem,
    /// The way back from them.
    pub(crate) back: Back,
    /// What engines tell each other.
    pub(crate) board: Board,
    pub(crate) single_loop: SharedLoop,
}

/// What the workers on one view of a question share.
#[derive(Clone)]
pub(crate) struct Task {
    pub(crate) question: Arc<Question>,
    pub(crate) clauses: Arc<Clauses>,
    /// Stops all workers on the view.
    pub(crate) handle: StopHandle,
}

/// Which engines work on a system, and in which order; no engines means those of the strategy.
fn order_of(store: &TermStore, system: &ChcSystem, engines: &[&'static EngineInfo]) -> Order {
    if !engines.is_empty() {
        return Order::of(engines);
    }
    if system.clauses().all(|(_, clause)| clause.head.is_some()) {
        // Any engine has the answer at once; a second one would only validate the same model again.
        return Order::of(&[&ENGINES[0]]);
    }
    let is_linear = system.is_linear();
    let is_acyclic = ChcGraph::new(system).shape() == Shape::Acyclic;
    let applies = |info: &EngineInfo| match info.fragment {
        Fragment::Any => true,
        Fragment::Linear => is_linear,
        Fragment::RecursionFree => is_acyclic,
    };
    Order::of_row(row_for(&Features::of(store, system)), applies)
}
