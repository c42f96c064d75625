//! Which engine works next, on which view of the clauses, and for how long.
//!
//! A work item is an engine on a view, or the preparation of a view. Views take turns: the first
//! one works alone in its first turn, since most problems are decided there; then as many have a
//! turn at a time as there are threads, one after the other, in rounds whose turns are twice as
//! long as before. Within the turns of its view an engine has time slices: those of a row of the
//! strategy come first, then rounds in which every engine has a slice twice as long as before.
//! Between slices and turns workers are paused, so nothing is lost but the memory they hold. As
//! soon as there are no more engines than threads, they go on without a limit; the same holds for
//! views.
//!
//! Time comes from outside ([`Schedule::charge`], [`Schedule::spend`]): what an item uses of its
//! slice, its view uses of its turn.

use std::collections::VecDeque;
use std::time::Duration;

use shofar_base::{IndexVec, index_type};
use shofar_engine::{ENGINES, EngineInfo, engine};

use crate::strategy::Row;

/// The first slice of engines that the user chose; it finds out whether the problem is easy for one
/// of them.
const WARM_UP: Duration = Duration::from_millis(30);
/// Their second slice.
const EQUAL: Duration = Duration::from_millis(200);
/// The first slice of an engine that the row of the strategy does not mention.
const UNMENTIONED: Duration = Duration::from_millis(400);
/// No slice and no turn grows beyond this.
const LONGEST: Duration = Duration::from_secs(1 << 20);

index_type!(
    /// A view in the schedule.
    pub(crate) struct ViewId
);
index_type!(
    /// A work item: an engine on a view, or the preparation of a view.
    pub(crate) struct ItemId
);

/// What is done in a work item.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Work {
    /// The view is prepared.
    Prepare,
    /// An engine works on it.
    Engine(&'static EngineInfo),
}

/// The engines for a view, and the slices in which they begin.
#[derive(Clone, Debug, Default)]
pub(crate) struct Order {
    /// Each with the slice that it has in the first round.
    engines: Vec<(&'static EngineInfo, Duration)>,
    /// Places in the list above.
    slices: Vec<(usize, Duration)>,
}

impl Order {
    /// For engines that the user chose, all alike.
    pub(crate) fn of(engines: &[&'static EngineInfo]) -> Self {
        let slices = (0..engines.len()).map(|place| (place, WARM_UP)).collect();
        Self { engines: engines.iter().map(|&info| (info, EQUAL)).collect(), slices }
    }
    /// For a row of the strategy, and behind it the other engines for which `applies` holds.
    pub(crate) fn of_row(row: &Row, applies: impl Fn(&EngineInfo) -> bool) -> Self {
        let mut order = Self::default();
        for &(name, slice) in row.slices {
            let info = engine(name).expect("the table names engines that exist");
            if !applies(info) {
                continue;
            }
            let known = order.engines.iter().position(|(other, _)| other.name == name);
            let place = known.unwrap_or_else(|| {
                order.engines.push((info, row.share(name)));
                order.engines.len() - 1
            });
            order.slices.push((place, Duration::from_millis(slice)));
        }
        let is_new = |info: &&EngineInfo| !row.slices.iter().any(|(name, _)| *name == info.name);
        let others = ENGINES.iter().filter(is_new).filter(|info| applies(info));
        order.engines.extend(others.map(|info| (info, UNMENTIONED)));
        order
    }
    /// The engines.
    pub(crate) fn engines(&self) -> impl Iterator<Item = &'static EngineInfo> + '_ {
        self.engines.iter().map(|&(info, _)| info)
    }
}

/// A time slice that is being used, or the rest of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Slice {
    /// Nothing if there is no limit.
    length: Option<Duration>,
    used: Duration,
}

impl Slice {
    fn left(self) -> Option<Duration> {
        self.length.map(|length| length.saturating_sub(self.used))
    }
    fn is_over(self) -> bool {
        self.left() == Some(Duration::ZERO)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Waiting,
    Working(Slice),
    /// The turn of the view was over before the slice.
    Suspended(Slice),
    Out,
}

#[derive(Clone, Copy, Debug)]
struct Item {
    view: ViewId,
    work: Work,
    /// In the next round.
    slice: Duration,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    Waiting,
    Working { length: Duration, used: Duration },
    Out,
}

#[derive(Clone, Debug)]
struct ViewTurns {
    turn: Turn,
    /// How long the next turn is.
    next: Duration,
    /// The slices to come.
    plan: VecDeque<(ItemId, Duration)>,
}

/// A time slice that begins, or goes on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start {
    pub(crate) item: ItemId,
    pub(crate) view: ViewId,
    pub(crate) work: Work,
    /// What is left of the slice; nothing if there is no limit.
    pub(crate) length: Option<Duration>,
}

/// The slices and turns to come.
#[derive(Clone, Debug)]
pub(crate) struct Schedule {
    items: IndexVec<ItemId, Item>,
    views: IndexVec<ViewId, ViewTurns>,
    /// The views that wait for a turn.
    queue: VecDeque<ViewId>,
    threads: usize,
    /// Whether the first view has had its first turn.
    is_open: bool,
}

impl Schedule {
    /// Nothing to do so far, with this many threads.
    pub(crate) fn new(threads: usize) -> Self {
        let (items, views) = (IndexVec::new(), IndexVec::new());
        Self { items, views, queue: VecDeque::new(), threads: threads.max(1), is_open: false }
    }
    /// A further view, whose first turn has this length; it is the next one once the first turn is
    /// over.
    pub(crate) fn add_view(&mut self, first_turn: Duration) -> ViewId {
        let plan = VecDeque::new();
        let view = self.views.push(ViewTurns { turn: Turn::Waiting, next: first_turn, plan });
        if self.is_open {
            self.queue.push_front(view);
        } else {
            self.queue.push_back(view);
        }
        view
    }
    /// The preparation of a view, which comes before its engines.
    pub(crate) fn add_preparation(&mut self, view: ViewId) -> ItemId {
        let item = self.add(view, Work::Prepare, LONGEST);
        self.views[view].plan.push_back((item, LONGEST));
        item
    }
    /// The engines for a view; how many there are.
    pub(crate) fn add_engines(&mut self, view: ViewId, order: &Order) -> usize {
        let add = |&(info, slice): &(_, _)| self.add(view, Work::Engine(info), slice);
        let items: Vec<ItemId> = order.engines.iter().map(add).collect();
        let slices = order.slices.iter().map(|&(place, slice)| (items[place], slice));
        let turns = &mut self.views[view];
        turns.plan.extend(slices);
        if turns.turn == Turn::Out && !items.is_empty() {
            turns.turn = Turn::Waiting;
            self.queue.push_front(view);
        }
        items.len()
    }
    fn add(&mut self, view: ViewId, work: Work, slice: Duration) -> ItemId {
        self.items.push(Item { view, work, slice, state: State::Waiting })
    }
    /// The view of an item.
    pub(crate) fn view(&self, item: ItemId) -> ViewId {
        self.items[item].view
    }
    /// What is done in an item.
    pub(crate) fn work(&self, item: ItemId) -> Work {
        self.items[item].work
    }

    /// The next slice, if fewer than `threads` items are at work and one waits whose view has a
    /// turn or can begin one.
    pub(crate) fn next(&mut self, threads: usize) -> Option<Start> {
        if self.working().count() >= threads.min(self.threads) {
            return None;
        }
        let with_turn: Vec<ViewId> = self.views_at_work().collect();
        if let Some(start) = with_turn.iter().find_map(|&view| self.begin(view)) {
            return Some(start);
        }
        let most = if self.is_open { self.threads } else { 1 };
        if with_turn.len() >= most {
            return None;
        }
        let view = self.queue.pop_front()?;
        let turns = &mut self.views[view];
        turns.turn = Turn::Working { length: turns.next, used: Duration::ZERO };
        turns.next = turns.next.saturating_mul(2).min(LONGEST);
        self.begin(view)
    }
    /// The next slice of a view that has a turn, if it may have another worker.
    fn begin(&mut self, view: ViewId) -> Option<Start> {
        let most = self.workers(view);
        if self.of(view).filter(|item| matches!(item.state, State::Working(_))).count() >= most {
            return None;
        }
        let suspended = self.handles_of(view).find_map(|item| Some((item, self.suspended(item)?)));
        let (item, slice) = if let Some(rest) = suspended {
            rest
        } else {
            let (item, length) = self.take(view)?;
            let is_limited = self.of(view).filter(|it| it.state != State::Out).count() > most;
            (item, Slice { length: is_limited.then_some(length), used: Duration::ZERO })
        };
        self.items[item].state = State::Working(slice);
        Some(Start { item, view, work: self.items[item].work, length: slice.left() })
    }
    /// How many items of a view may be at work at a time.
    fn workers(&self, view: ViewId) -> usize {
        let is_left = |&other: &ViewId| self.views[other].turn != Turn::Out;
        let views = self.views.handles().filter(is_left).count();
        let is_first = !self.is_open && views > 1 && self.views.handles().next() == Some(view);
        if is_first { 1 } else { (self.threads / views.max(1)).max(1) }
    }
    /// The first planned slice of an item that waits.
    fn take(&mut self, view: ViewId) -> Option<(ItemId, Duration)> {
        if !self.of(view).any(|item| item.state == State::Waiting) {
            return None;
        }
        loop {
            let plan = &mut self.views[view].plan;
            let is_ready =
                |&(item, _): &(ItemId, Duration)| self.items[item].state == State::Waiting;
            if let Some(at) = plan.iter().position(is_ready) {
                return plan.remove(at);
            }
            self.plan_round(view);
        }
    }
    fn plan_round(&mut self, view: ViewId) {
        for id in self.items.handles() {
            let item = &mut self.items[id];
            if item.view == view && item.state != State::Out {
                self.views[view].plan.push_back((id, item.slice));
                item.slice = item.slice.saturating_mul(2).min(LONGEST);
            }
        }
    }

    /// Every item at work has had this much more of its slice.
    pub(crate) fn charge(&mut self, time: Duration) {
        let views: Vec<ViewId> = self.views_at_work().collect();
        for view in views {
            if self.of(view).any(|item| matches!(item.state, State::Working(_))) {
                self.charge_view(view, time);
            }
        }
        for item in &mut self.items {
            if let State::Working(slice) = &mut item.state {
                slice.used += time;
            }
        }
    }
    /// An item has had this much more of its slice, where slices are measured in steps.
    pub(crate) fn spend(&mut self, item: ItemId, time: Duration) {
        if let State::Working(slice) = &mut self.items[item].state {
            slice.used += time;
        }
        self.charge_view(self.items[item].view, time);
    }
    fn charge_view(&mut self, view: ViewId, time: Duration) {
        if let Turn::Working { used, .. } = &mut self.views[view].turn {
            *used += time;
        }
    }
    /// How long an item at work may go on before its slice or the turn of its view is over; nothing
    /// is no limit.
    pub(crate) fn left(&self, item: ItemId) -> Option<Duration> {
        let Item { view, state: State::Working(slice), .. } = self.items[item] else { return None };
        let turn = self.turn_left(view).filter(|_| self.views.len() > 1);
        slice.left().into_iter().chain(turn).min()
    }
    fn turn_left(&self, view: ViewId) -> Option<Duration> {
        match self.views[view].turn {
            Turn::Working { length, used } => Some(length.saturating_sub(used)),
            Turn::Waiting | Turn::Out => None,
        }
    }
    /// How long it takes until a slice or a turn is over that others wait for.
    pub(crate) fn until_change(&self) -> Option<Duration> {
        let slices = self.items.handles().filter(|&item| self.is_waited_for(item));
        let slices = slices.filter_map(|item| self.slice(item)?.left());
        let turns = self.views_at_work().filter(|_| !self.queue.is_empty());
        slices.chain(turns.filter_map(|view| self.turn_left(view))).min()
    }
    fn slice(&self, item: ItemId) -> Option<Slice> {
        match self.items[item].state {
            State::Working(slice) => Some(slice),
            State::Waiting | State::Suspended(_) | State::Out => None,
        }
    }
    /// What is left of a slice that the end of a turn has interrupted.
    fn suspended(&self, item: ItemId) -> Option<Slice> {
        match self.items[item].state {
            State::Suspended(slice) => Some(slice),
            State::Waiting | State::Working(_) | State::Out => None,
        }
    }
    /// Whether another item of the same view waits.
    fn is_waited_for(&self, item: ItemId) -> bool {
        self.of(self.items[item].view).any(|other| other.state == State::Waiting)
    }
    /// Ends a slice that is over, if another item of the view waits; it has to be paused.
    pub(crate) fn end_slice(&mut self) -> Option<ItemId> {
        let is_over = |item: &ItemId| self.slice(*item).is_some_and(Slice::is_over);
        let item = self.items.handles().filter(is_over).find(|&item| self.is_waited_for(item))?;
        self.items[item].state = State::Waiting;
        Some(item)
    }
    /// Ends a turn that is over, if another view waits; the items at work, which have to be paused.
    pub(crate) fn end_turn(&mut self) -> Option<Vec<ItemId>> {
        if self.queue.is_empty() {
            return None;
        }
        let is_over = |view: &ViewId| self.turn_left(*view) == Some(Duration::ZERO);
        let view = self.views_at_work().find(is_over)?;
        self.is_open = true;
        self.views[view].turn = Turn::Waiting;
        self.queue.push_back(view);
        let paused: Vec<ItemId> =
            self.working().filter(|&item| self.items[item].view == view).collect();
        for &item in &paused {
            if let State::Working(slice) = self.items[item].state {
                self.items[item].state = State::Suspended(slice);
            }
        }
        Some(paused)
    }
    /// The slice of an item, which is at work, becomes this long at least.
    pub(crate) fn extend(&mut self, item: ItemId, worked_before: Duration, least: Duration) {
        if let State::Working(Slice { length: Some(length), used })
        | State::Suspended(Slice { length: Some(length), used }) = &mut self.items[item].state
        {
            *length = (*length).max(*used + (worked_before + *used).max(least));
        }
    }
    /// How much of its slice an item has had.
    pub(crate) fn used(&self, item: ItemId) -> Duration {
        match self.items[item].state {
            State::Working(slice) | State::Suspended(slice) => slice.used,
            State::Waiting | State::Out => Duration::ZERO,
        }
    }

    /// An item has ended, and its view with the last one.
    pub(crate) fn leave(&mut self, item: ItemId) {
        self.items[item].state = State::Out;
        let view = self.items[item].view;
        self.views[view].plan.retain(|&(other, _)| other != item);
        if self.of(view).all(|item| item.state == State::Out) {
            self.leave_view(view);
        }
    }
    /// A view has ended, with all that is at work on it.
    pub(crate) fn leave_view(&mut self, view: ViewId) {
        self.is_open = true;
        self.views[view].turn = Turn::Out;
        self.views[view].plan.clear();
        self.queue.retain(|&other| other != view);
        for item in &mut self.items {
            if item.view == view {
                item.state = State::Out;
            }
        }
    }
    /// Whether a view has ended.
    pub(crate) fn is_out(&self, view: ViewId) -> bool {
        self.views[view].turn == Turn::Out
    }
    /// Whether all views have ended.
    pub(crate) fn is_over(&self) -> bool {
        self.views.handles().all(|view| self.is_out(view))
    }
    /// The items at work.
    pub(crate) fn working(&self) -> impl Iterator<Item = ItemId> + '_ {
        self.items.handles().filter(|&item| self.slice(item).is_some())
    }
    fn views_at_work(&self) -> impl Iterator<Item = ViewId> + '_ {
        let is_at_work = |view: &ViewId| matches!(self.views[*view].turn, Turn::Working { .. });
        self.views.handles().filter(is_at_work)
    }
    fn of(&self, view: ViewId) -> impl Iterator<Item = &Item> + '_ {
        self.items.iter().filter(move |item| item.view == view)
    }
    fn handles_of(&self, view: ViewId) -> impl Iterator<Item = ItemId> + '_ {
        self.items.handles().filter(move |&item| self.items[item].view == view)
    }
}

#[cfg(test)]
mod tests;
