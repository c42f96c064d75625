//! Engines and views that share the time and the threads.
//!
//! Carries out what the [`Schedule`] says: prepares views, starts workers, pauses them when their
//! slice or the turn of their view has ended and resumes them when the next one begins, until a
//! verdict is certified. Slices are processor time ([`WorkClock`]), or steps. A worker that
//! validates a witness gets as much time again as it has had. A work item for which the system
//! gives us no thread is done in the calling one, beside those that have a thread; if there are
//! several, one after the other. They cannot be paused, so each begins anew with twice the time.
//!
//! Invariant: no verdict leaves this module that the validator has not confirmed on the clauses as
//! the user wrote them.

use std::collections::VecDeque;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use shofar_base::{Budget, GaveUp, IndexVec, Instant, Outcome, StopHandle};
use shofar_transform::{Wanted, Watches};

use crate::event::Event;
use crate::failure::Failure;
use crate::schedule::{ItemId, Order, Schedule, Start, ViewId, Work};
use crate::task::{Clauses, Prepared, Question, Task};
use crate::view::{ClauseView, Source};
use crate::work_clock::WorkClock;
use crate::worker::{Ending, Finish, Message};
use crate::workers::Workers;

/// How often the calling thread looks whether it has to stop.
const PERIOD: Duration = Duration::from_millis(10);
/// How often it looks whether a worker has used up its steps.
const STEP_PERIOD: Duration = Duration::from_millis(1);
/// It looks no sooner for the end of a slice.
const SHORTEST: Duration = Duration::from_micros(200);
/// How long workers that were told to stop are waited for.
const GRACE: Duration = Duration::from_millis(30);
/// How much longer than its slice a worker with a witness may work, at least.
const VALIDATION: Duration = Duration::from_millis(100);
/// The first slice of a work item in the calling thread.
const FIRST_SLICE: Duration = Duration::from_millis(100);
/// How long the default strategy has one worker only: most problems are decided by then, and what
/// others did would be wasted.
const SINGLE_WORKER: Duration = Duration::from_millis(200);

/// A view of the clauses, and its workers.
struct Scheduled {
    view: ClauseView,
    /// Stops its workers.
    handle: StopHandle,
    /// The cells that its spurious refutations ask for.
    wanted: Wanted,
    /// Nothing before it has been prepared.
    task: Option<Task>,
    progress: Progress,
    failure: Failure,
}

/// How far a view is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    Waiting,
    Begun,
    Ended,
}

/// The worker of an item.
#[derive(Default)]
struct Worker {
    /// Pauses it; nothing if it has not begun.
    handle: Option<StopHandle>,
    /// How long it has worked in its slices that have ended.
    worked: Duration,
    /// What its steps are worth, where slices are measured in steps.
    granted: Duration,
}

/// Workers on one question.
pub(crate) struct Portfolio {
    question: Arc<Question>,
    views: IndexVec<ViewId, Scheduled>,
    schedule: Schedule,
    workers: IndexVec<ItemId, Worker>,
    sender: Sender<Message>,
    messages: Receiver<Message>,
    /// Items for which there was no thread, each with its next slice.
    without_thread: VecDeque<(ItemId, Duration)>,
    /// When a second worker may begin.
    second_worker_from: Instant,
    /// Measures what the running workers had of their slices.
    clock: WorkClock,
    /// How many steps count as a millisecond, if slices are measured in steps.
    steps: Option<NonZeroU32>,
    /// The cells that spurious refutations have asked for so far.
    wanted: Watches,
    failure: Failure,
    threads: Workers,
}

impl Portfolio {
    /// The portfolio of a question; `whole` is the one view of its clauses if there are no others.
    pub(crate) fn new(question: Arc<Question>, whole: Option<(Clauses, Order)>) -> Self {
        let (sender, messages) = channel();
        let now = Instant::now();
        let settings = &question.settings;
        let alone = match whole {
            Some(_) if settings.engines.is_empty() => SINGLE_WORKER,
            Some(_) | None => Duration::ZERO,
        };
        let (schedule, steps) = (Schedule::new(settings.threads), settings.steps_per_millisecond);
        let mut portfolio = Self {
            question,
            views: IndexVec::new(),
            schedule,
            workers: IndexVec::new(),
            sender,
            messages,
            without_thread: VecDeque::new(),
            second_worker_from: now + alone,
            clock: WorkClock::start(now),
            steps,
            wanted: Watches::new(),
            failure: Failure::default(),
            threads: Workers::default(),
        };
        if let Some((clauses, order)) = whole {
            portfolio.failure.is_nonlinear = !clauses.system.is_linear();
            let view = portfolio.add_view(ClauseView::Clauses);
            portfolio.views[view].progress = Progress::Begun;
            portfolio.add_clauses(view, clauses, &order);
        }
        let question = Arc::clone(&portfolio.question);
        let views = question.source.iter().flat_map(|source| Source::views(source));
        for view in views.filter(|view| view.engines(&question.settings.engines).is_some()) {
            portfolio.add_view_to_prepare(view.clone());
        }
        portfolio
    }
    fn add_view(&mut self, view: ClauseView) -> ViewId {
        let id = self.schedule.add_view(view.first_turn());
        self.views.push(Scheduled {
            view,
            handle: StopHandle::default(),
            wanted: Wanted::default(),
            task: None,
            progress: Progress::Waiting,
            failure: Failure::default(),
        });
        id
    }
    fn add_view_to_prepare(&mut self, view: ClauseView) {
        let id = self.add_view(view);
        self.schedule.add_preparation(id);
        self.workers.push(Worker::default());
    }
    /// The clauses of a view, and the engines that work on them.
    fn add_clauses(&mut self, view: ViewId, clauses: Clauses, order: &Order) {
        let (question, handle) = (Arc::clone(&self.question), self.views[view].handle.clone());
        self.views[view].task = Some(Task { question, clauses: Arc::new(clauses), handle });
        for _ in 0..self.schedule.add_engines(view, order) {
            self.workers.push(Worker::default());
        }
    }
    /// The first certified verdict with its task, and at which level it was found, or why there is
    /// none; and the threads, which have been told to stop.
    pub(crate) fn run(
        mut self,
        budget: &Budget,
        observe: &mut dyn FnMut(&Event),
    ) -> (Result<Decided, Failure>, Workers) {
        let result = self.decide(budget, observe);
        self.stop(&GaveUp::Cancelled);
        let found = result.as_ref().ok().map(|finish| self.schedule.view(finish.item));
        let tasks = self.views.handles().filter(|&view| found.is_none_or(|found| found == view));
        for task in tasks.filter_map(|view| self.views[view].task.as_ref()) {
            for traffic in task.clauses.board.traffic() {
                observe(&Event::Exchanged(traffic));
            }
        }
        let decided = result.map(|finish| {
            let scheduled = &self.views[self.schedule.view(finish.item)];
            let task = scheduled.task.clone().expect("engines work on views that are prepared");
            Decided { finish, task, level: scheduled.view.level() }
        });
        (decided, self.threads)
    }
    fn stop(&self, why: &GaveUp) {
        for scheduled in &self.views {
            scheduled.handle.stop(why.clone());
        }
    }
    fn decide(
        &mut self,
        budget: &Budget,
        observe: &mut dyn FnMut(&Event),
    ) -> Result<Finish, Failure> {
        loop {
            let mut patience = match self.advance(Instant::now(), observe) {
                Some(patience) => patience,
                None if self.without_thread.is_empty() => break,
                None => Duration::ZERO,
            };
            if let Some((item, slice)) = self.without_thread.pop_front() {
                patience = Duration::ZERO;
                if let Some(certified) = self.work_here(item, slice, budget, observe) {
                    return Ok(self.first_in_order(certified));
                }
            }
            while let Some(message) = self.receive(patience) {
                patience = Duration::ZERO;
                if let Some(certified) = self.hear(message, observe) {
                    return Ok(self.first_in_order(certified));
                }
            }
            if let Err(why) = is_time(budget) {
                self.stop(&why);
                self.failure.stopped = Some(why);
                self.collect_statistics(observe);
                break;
            }
        }
        Err(std::mem::take(&mut self.failure))
    }
    /// The next message, if one comes soon enough. Without patience no clock is looked at.
    fn receive(&self, patience: Duration) -> Option<Message> {
        if patience.is_zero() {
            return self.messages.try_recv().ok();
        }
        self.messages.recv_timeout(patience).ok()
    }
    fn hear(&mut self, message: Message, observe: &mut dyn FnMut(&Event)) -> Option<Finish> {
        match message {
            Message::Told(event) => observe(&event),
            Message::Prepared(item, outcome) => self.prepared(item, *outcome, observe),
            Message::Found(item) => self.found(item, Instant::now(), observe),
            Message::Finish(finish) => return self.record(*finish, observe),
        }
        None
    }
    /// Ends the slices and turns that are over and begins those that are due; how long nothing
    /// happens by itself, or nothing if all workers have ended.
    fn advance(&mut self, now: Instant, observe: &mut dyn FnMut(&Event)) -> Option<Duration> {
        self.account(now);
        while let Some(item) = self.schedule.end_slice() {
            self.pause(item, observe);
            self.workers[item].worked += self.schedule.used(item);
            self.start_slices(now, observe);
        }
        while let Some(items) = self.schedule.end_turn() {
            for item in items {
                self.pause(item, observe);
            }
            self.start_slices(now, observe);
        }
        self.start_slices(now, observe);
        self.grant_again();
        if self.schedule.is_over() {
            return None;
        }
        let period = if self.steps.is_some() { STEP_PERIOD } else { PERIOD };
        let next = self.schedule.until_change().filter(|_| self.steps.is_none());
        Some(next.map_or(period, |left| left.clamp(SHORTEST, period)))
    }
    fn pause(&self, item: ItemId, observe: &mut dyn FnMut(&Event)) {
        if let Some(handle) = &self.workers[item].handle {
            handle.pause();
        }
        if let Work::Engine(info) = self.schedule.work(item) {
            observe(&Event::Pause(info.name));
        }
    }
    /// Charges the running workers with what they had since this was last done.
    fn account(&mut self, now: Instant) {
        let working: Vec<ItemId> = self.schedule.working().collect();
        if self.steps.is_none() {
            let had = self.clock.lap(now, working.len());
            self.schedule.charge(had);
            return;
        }
        for item in working {
            let worker = &mut self.workers[item];
            if worker.handle.as_ref().is_some_and(StopHandle::is_paused) {
                let granted = std::mem::take(&mut worker.granted);
                self.schedule.spend(item, granted);
            }
        }
    }
    /// Where slices are measured in steps, a worker that has used up its steps goes on if no other
    /// waits.
    fn grant_again(&mut self) {
        if self.steps.is_none() {
            return;
        }
        let working: Vec<ItemId> = self.schedule.working().collect();
        for item in working {
            let Worker { handle, granted, .. } = &self.workers[item];
            // What has been granted is charged first: the worker may have paused just now.
            if granted.is_zero()
                && let Some(handle) = handle.clone().filter(StopHandle::is_paused)
            {
                self.grant(item, &handle);
                handle.resume();
            }
        }
    }
    /// Lets a worker pause itself when what it may have now is used up.
    fn grant(&mut self, item: ItemId, handle: &StopHandle) {
        let Some(steps) = self.steps else { return };
        let Some(left) = self.schedule.left(item) else {
            handle.grant(0);
            return;
        };
        let granted = if left.is_zero() { FIRST_SLICE } else { left };
        self.workers[item].granted = granted;
        let milliseconds = u32::try_from(granted.as_millis()).unwrap_or(u32::MAX);
        handle.grant(steps.get().saturating_mul(milliseconds.max(1)));
    }
    fn start_slices(&mut self, now: Instant, observe: &mut dyn FnMut(&Event)) {
        let threads = if now < self.second_worker_from { 1 } else { usize::MAX };
        while let Some(start) = self.schedule.next(threads) {
            if let Some(handle) = self.workers[start.item].handle.clone() {
                self.grant(start.item, &handle);
                handle.resume();
            } else {
                self.begin(start.view, observe);
                let handle = StopHandle::default();
                self.grant(start.item, &handle);
                if self.start(start, &handle).is_err() {
                    observe(&Event::NoThread(self.name(start.item)));
                    self.schedule.leave(start.item);
                    self.without_thread.push_back((start.item, FIRST_SLICE));
                    continue;
                }
                self.workers[start.item].handle = Some(handle);
            }
            if let Work::Engine(info) = start.work {
                observe(&Event::Start(info.name, start.length));
            }
        }
    }
    fn begin(&mut self, view: ViewId, observe: &mut dyn FnMut(&Event)) {
        let scheduled = &mut self.views[view];
        if scheduled.progress == Progress::Waiting {
            scheduled.progress = Progress::Begun;
            observe(&Event::LevelBegins(scheduled.view.name()));
        }
    }
    /// What a user calls an item.
    fn name(&self, item: ItemId) -> &'static str {
        match self.schedule.work(item) {
            Work::Engine(info) => info.name,
            Work::Prepare => self.views[self.schedule.view(item)].view.name(),
        }
    }
    /// Starts an item in a thread.
    fn start(&mut self, start: Start, handle: &StopHandle) -> std::io::Result<()> {
        let Start { item, view, work, .. } = start;
        let (scheduled, sender) = (&self.views[view], self.sender.clone());
        let thread = match work {
            Work::Engine(info) => {
                let task = scheduled.task.as_ref().expect("a view is prepared before its engines");
                task.start(item, info, handle, sender)?
            }
            Work::Prepare => {
                let (view, wanted) = (scheduled.view.clone(), scheduled.wanted.clone());
                self.question.start_preparation(
                    item,
                    view,
                    wanted,
                    (handle, &scheduled.handle),
                    sender,
                )?
            }
        };
        self.threads.add(thread);
        Ok(())
    }
    /// A view has been prepared, or has not.
    fn prepared(&mut self, item: ItemId, outcome: Prepared, observe: &mut dyn FnMut(&Event)) {
        let view = self.schedule.view(item);
        self.workers[item].handle = None;
        match outcome {
            Ok(Ok((clauses, order))) => {
                self.add_clauses(view, clauses, &order);
                self.schedule.leave(item);
                return;
            }
            Ok(Err(why)) => {
                self.views[view].failure = Failure::before_engines(why, Duration::ZERO);
            }
            Err(message) => {
                let name = self.views[view].view.name();
                observe(&Event::Panicked(name, message.clone()));
                self.views[view].failure.engines.push(("passes".to_owned(), message));
            }
        }
        self.end_view(view, observe);
    }
    /// A worker has a witness: it gets as much time again as it has had. By steps it does not,
    /// since how many of them it has used by now is not the same in every run.
    fn found(&mut self, item: ItemId, now: Instant, observe: &mut dyn FnMut(&Event)) {
        if let Work::Engine(info) = self.schedule.work(item) {
            observe(&Event::Found(info.name));
        }
        if self.steps.is_none() {
            self.account(now);
            self.schedule.extend(item, self.workers[item].worked, VALIDATION);
        }
    }
    /// Takes note of how a worker ended; gives it back if it has a certified verdict.
    fn record(&mut self, finish: Finish, observe: &mut dyn FnMut(&Event)) -> Option<Finish> {
        let (view, name) = (self.schedule.view(finish.item), finish.info.name);
        self.workers[finish.item].handle = None;
        if let Some(why) = finish.misled.clone() {
            observe(&Event::Misled(name, why));
        }
        if let Ending::Certified { .. } = finish.ending {
            return Some(finish);
        }
        if self.views[view].progress == Progress::Ended {
            return None;
        }
        self.schedule.leave(finish.item);
        let failure = &mut self.views[view].failure;
        let is_spurious = matches!(finish.ending, Ending::Spurious(_));
        match finish.ending {
            Ending::Certified { .. } => (),
            Ending::Rejected(objection) => {
                failure.rejected.push(format!("{name}: {objection}"));
                observe(&Event::Rejected(name, objection));
            }
            Ending::Panicked(message) => {
                failure.engines.push((name.to_owned(), message.clone()));
                observe(&Event::Panicked(name, message));
            }
            Ending::GaveUp(why) | Ending::Spurious(why) => {
                failure.engines.push((name.to_owned(), why.to_string()));
                observe(&Event::Stop(name, why.to_string(), finish.statistics));
            }
            Ending::Unfinished(why) => {
                let text = format!("the witness could not be finished: {why}");
                failure.engines.push((name.to_owned(), text.clone()));
                observe(&Event::Stop(name, text, finish.statistics));
            }
        }
        let waits_here = |&(item, _): &(ItemId, _)| self.schedule.view(item) == view;
        let is_done = self.schedule.is_out(view) && !self.without_thread.iter().any(waits_here);
        if is_spurious || is_done {
            self.end_view(view, observe);
        }
        None
    }
    /// A view has ended without a verdict; the cells that it asks for may make a further view.
    fn end_view(&mut self, view: ViewId, observe: &mut dyn FnMut(&Event)) {
        self.schedule.leave_view(view);
        self.without_thread.retain(|&(item, _)| self.schedule.view(item) != view);
        let scheduled = &mut self.views[view];
        scheduled.handle.stop(GaveUp::Cancelled);
        scheduled.progress = Progress::Ended;
        let failure = std::mem::take(&mut scheduled.failure);
        let level = scheduled.view.level();
        if let Some(name) = level {
            observe(&Event::LevelEnded(name, failure.reason()));
        }
        self.failure.add(failure, level);
        let wanted = self.views[view].wanted.watches();
        self.refine(wanted);
    }
    /// Adds a view for cells that were asked for, unless one like that is at work or none of them
    /// is new.
    fn refine(&mut self, wanted: Watches) {
        self.wanted.extend(wanted);
        let is_known = |view: ViewId| {
            let ClauseView::Watched(watched) = &self.views[view].view else { return false };
            !self.schedule.is_out(view) || *watched == self.wanted
        };
        if !self.wanted.is_empty() && !self.views.handles().any(is_known) {
            self.add_view_to_prepare(ClauseView::Watched(self.wanted.clone()));
        }
    }
    /// Of the verdicts that are there now, the one of the first item in the schedule: who is
    /// scheduled first by the operating system does not matter.
    fn first_in_order(&self, certified: Finish) -> Finish {
        let others = self.messages.try_iter().filter_map(|message| match message {
            Message::Finish(finish) => Some(*finish),
            Message::Told(_) | Message::Prepared(..) | Message::Found(_) => None,
        });
        let others = others.filter(|finish| matches!(finish.ending, Ending::Certified { .. }));
        others.fold(certified, |first, other| if other.item < first.item { other } else { first })
    }
    /// Hears those who stop at once, for what they counted.
    fn collect_statistics(&self, observe: &mut dyn FnMut(&Event)) {
        let end = Instant::now() + GRACE;
        let left = || end.saturating_duration_since(Instant::now());
        let mut working = self.workers.iter().filter(|worker| worker.handle.is_some()).count();
        while working > 0
            && let Ok(message) = self.messages.recv_timeout(left())
        {
            working -= usize::from(matches!(message, Message::Finish(_) | Message::Prepared(..)));
            let Message::Finish(finish) = message else { continue };
            if let Ending::GaveUp(why) | Ending::Unfinished(why) | Ending::Spurious(why) =
                finish.ending
            {
                observe(&Event::Stop(finish.info.name, why.to_string(), finish.statistics));
            }
        }
    }
    /// Does an item without a thread in this one, for `slice`, or without a limit if it is the only
    /// one left.
    fn work_here(
        &mut self,
        item: ItemId,
        slice: Duration,
        budget: &Budget,
        observe: &mut dyn FnMut(&Event),
    ) -> Option<Finish> {
        let is_alone = self.schedule.is_over() && self.without_thread.is_empty();
        let length = (!is_alone).then_some(slice);
        let end = length.map(|length| Instant::now() + length);
        let deadline = [end, self.question.settings.deadline].into_iter().flatten().min();
        let part = Budget::nested(&StopHandle::default(), &budget.stop_handle(), deadline);
        let scheduled = &self.views[self.schedule.view(item)];
        let again = (item, slice.saturating_mul(2));
        match self.schedule.work(item) {
            Work::Engine(info) => {
                observe(&Event::Start(info.name, length));
                let task = scheduled.task.as_ref().expect("a view is prepared before its engines");
                let store = task.clauses.origin.copy();
                let finish = task.work(item, info, store, &part, &mut || ());
                if let Ending::GaveUp(GaveUp::Timeout) | Ending::Unfinished(GaveUp::Timeout) =
                    finish.ending
                {
                    self.without_thread.push_back(again);
                    return None;
                }
                self.record(finish, observe)
            }
            Work::Prepare => {
                let (view, wanted) = (scheduled.view.clone(), scheduled.wanted.clone());
                let question = Arc::clone(&self.question);
                let prepared = question.prepare_caught(&view, &wanted, &part, observe);
                if let Ok(Err(GaveUp::Timeout)) = prepared {
                    self.without_thread.push_back(again);
                    return None;
                }
                self.prepared(item, prepared, observe);
                None
            }
        }
    }
}

/// A certified verdict, the task of its worker, and at which level of abstraction it was found.
pub(crate) struct Decided {
    pub(crate) finish: Finish,
    pub(crate) task: Task,
    pub(crate) level: Option<&'static str>,
}

/// The budget looks at the clock only now and then; here every look counts.
fn is_time(budget: &Budget) -> Outcome<()> {
    (0..64).try_for_each(|_| budget.check())
}

#[cfg(test)]
mod tests;
