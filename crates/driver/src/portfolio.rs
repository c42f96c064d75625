//! Engines that share the time and the threads.
//!
//! Carries out what the [`Schedule`] says: starts workers, pauses them when their slice has ended and resumes them when their
//! next one begins, until a verdict is certified. A worker that validates a witness gets as much time again as it has
//! had. Where the system gives us no thread, engines work in the calling one, one after the other.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use shofar_base::{Budget, GaveUp, Outcome, StopHandle};
use shofar_engine::EngineInfo;

use crate::failure::Failure;
use crate::schedule::{Schedule, Turn};
use crate::solve::Event;
use crate::worker::{Ending, Finish, Message, Task};
use crate::workers::Workers;

/// How often the calling thread looks whether it has to stop.
const PERIOD: Duration = Duration::from_millis(10);
/// How long workers that were told to stop are waited for.
const GRACE: Duration = Duration::from_millis(30);
/// How much longer than its slice a worker with a witness may work, at least.
const VALIDATION: Duration = Duration::from_millis(100);
/// The first slice of an engine in the calling thread; it starts again with twice as much.
const IN_TURN: Duration = Duration::from_millis(500);

/// A slice that is being used.
struct Working {
    turn: Turn,
    since: Instant,
}

impl Working {
    fn left(&self, now: Instant) -> Duration {
        let slice = self.turn.slice.unwrap_or(Duration::MAX);
        slice.saturating_sub(now.saturating_duration_since(self.since))
    }
}

/// Workers on one problem.
pub(crate) struct Portfolio<'p> {
    task: &'p Task,
    schedule: Schedule,
    working: Vec<Working>,
    /// What pauses the worker at a place; nothing if it has not begun.
    handles: Vec<Option<StopHandle>>,
    /// How long the worker at a place has worked in its slices that have ended.
    worked: Vec<Duration>,
    home: Sender<Message>,
    arrivals: Receiver<Message>,
    /// Engines for which there was no thread.
    threadless: Vec<&'static EngineInfo>,
    /// When a second worker may begin.
    crowd_from: Instant,
    failure: Failure,
    threads: Workers,
}

impl<'p> Portfolio<'p> {
    /// A second worker begins `solo` after the first one, since easy problems are decided by then.
    pub(crate) fn new(task: &'p Task, schedule: Schedule, solo: Duration) -> Self {
        let places = schedule.places();
        let (home, arrivals) = channel();
        Self {
            task,
            schedule,
            working: Vec::new(),
            handles: vec![None; places],
            worked: vec![Duration::ZERO; places],
            home,
            arrivals,
            threadless: Vec::new(),
            crowd_from: Instant::now() + solo,
            failure: Failure::default(),
            threads: Workers::default(),
        }
    }
    /// The first certified verdict, or why there is none; and the threads, which have been told to stop.
    pub(crate) fn run(
        mut self,
        budget: &Budget,
        observe: &mut dyn FnMut(&Event<'_>),
    ) -> (Result<Finish, Failure>, Workers) {
        let result = self.decide(budget, observe);
        self.task.handle.stop(GaveUp::Cancelled);
        (result, self.threads)
    }
    fn decide(
        &mut self,
        budget: &Budget,
        observe: &mut dyn FnMut(&Event<'_>),
    ) -> Result<Finish, Failure> {
        while let Some(patience) = self.turn(observe) {
            match self.arrivals.recv_timeout(patience) {
                Ok(Message::Found(place)) => self.found(place, observe),
                Ok(Message::Finish(finish)) => {
                    if let Some(certified) = self.examine(*finish, observe) {
                        return Ok(self.first_in_order(certified));
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => unreachable!("we hold a sender ourselves"),
            }
            if let Err(why) = is_time(budget) {
                self.task.handle.stop(why.clone());
                self.failure.stopped = Some(why);
                self.dismiss(observe);
                return Err(std::mem::take(&mut self.failure));
            }
        }
        self.one_after_the_other(budget, observe)
    }
    /// Ends the slices that are over and begins those that are due; how long nothing happens by itself, or nothing if all
    /// workers have ended.
    fn turn(&mut self, observe: &mut dyn FnMut(&Event<'_>)) -> Option<Duration> {
        let now = Instant::now();
        while self.schedule.is_crowded()
            && let Some(index) = self.working.iter().position(|w| w.left(now).is_zero())
        {
            let over = self.working.swap_remove(index);
            let place = over.turn.place;
            self.worked[place] += now - over.since;
            if let Some(handle) = &self.handles[place] {
                handle.pause();
            }
            self.schedule.pause(place);
            self.begin(now, observe);
        }
        self.begin(now, observe);
        if self.schedule.is_over() {
            return None;
        }
        let next = self.working.iter().map(|w| w.left(now)).filter(|left| !left.is_zero()).min();
        Some(next.map_or(PERIOD, |left| left.min(PERIOD)))
    }
    fn begin(&mut self, now: Instant, observe: &mut dyn FnMut(&Event<'_>)) {
        let threads = if now < self.crowd_from { 1 } else { usize::MAX };
        while let Some(turn) = self.schedule.next(threads) {
            if let Some(handle) = &self.handles[turn.place] {
                handle.resume();
            } else if let Ok((handle, thread)) =
                self.task.start(turn.place, turn.info, self.home.clone())
            {
                self.handles[turn.place] = Some(handle);
                self.threads.add(thread);
            } else {
                self.schedule.leave(turn.place);
                self.threadless.push(turn.info);
                continue;
            }
            observe(&Event::Start(turn.info.name, turn.slice));
            self.working.push(Working { turn, since: now });
        }
    }
    /// A worker has a witness: it gets as much time again as it has had.
    fn found(&mut self, place: usize, observe: &mut dyn FnMut(&Event<'_>)) {
        if let Some(working) = self.working.iter_mut().find(|w| w.turn.place == place) {
            observe(&Event::Found(working.turn.info.name));
            let worked = self.worked[place] + working.since.elapsed();
            let end = working.since.elapsed() + worked.max(VALIDATION);
            working.turn.slice = working.turn.slice.map(|slice| slice.max(end));
        }
    }
    /// Takes note of how a worker ended; gives it back if it has a certified verdict.
    fn examine(&mut self, finish: Finish, observe: &mut dyn FnMut(&Event<'_>)) -> Option<Finish> {
        self.schedule.leave(finish.place);
        self.working.retain(|w| w.turn.place != finish.place);
        let name = finish.info.name;
        let text = match &finish.ending {
            Ending::Certified { .. } => return Some(finish),
            Ending::Rejected(objection) => {
                observe(&Event::Rejected(name, objection));
                self.failure.rejected.push(format!("{name}: {objection}"));
                return None;
            }
            Ending::Panicked(message) => {
                observe(&Event::Panicked(name, message));
                message.clone()
            }
            Ending::GaveUp(why) => {
                observe(&Event::Stop(name, why.to_string(), &finish.statistics));
                why.to_string()
            }
            Ending::Unfinished(why) => {
                let text = format!("the witness could not be finished: {why}");
                observe(&Event::Stop(name, text.clone(), &finish.statistics));
                text
            }
        };
        self.failure.engines.push((name.to_owned(), text));
        None
    }
    /// Of the verdicts that are there now, the one of the first engine in the schedule: who is scheduled first by the
    /// operating system does not matter.
    fn first_in_order(&self, certified: Finish) -> Finish {
        let others = self.arrivals.try_iter().filter_map(|message| match message {
            Message::Finish(finish) => Some(*finish),
            Message::Found(_) => None,
        });
        let others = others.filter(|finish| matches!(finish.ending, Ending::Certified { .. }));
        others.fold(certified, |first, other| if other.place < first.place { other } else { first })
    }
    /// Hears those who stop at once, for what they counted.
    fn dismiss(&self, observe: &mut dyn FnMut(&Event<'_>)) {
        let end = Instant::now() + GRACE;
        let left = || end.saturating_duration_since(Instant::now());
        let mut working = self.handles.iter().flatten().count();
        while working > 0
            && let Ok(message) = self.arrivals.recv_timeout(left())
        {
            let Message::Finish(finish) = message else { continue };
            working -= 1;
            if let Ending::GaveUp(why) | Ending::Unfinished(why) = finish.ending {
                observe(&Event::Stop(finish.info.name, why.to_string(), &finish.statistics));
            }
        }
    }
    /// Lets the engines without a thread work in this one. They cannot be paused, so each begins anew in every round.
    fn one_after_the_other(
        &mut self,
        budget: &Budget,
        observe: &mut dyn FnMut(&Event<'_>),
    ) -> Result<Finish, Failure> {
        let mut slice = IN_TURN;
        let mut engines = std::mem::take(&mut self.threadless);
        if !engines.is_empty() {
            observe(&Event::NoThread);
        }
        while !engines.is_empty() {
            let is_last = engines.len() == 1;
            let mut others = Vec::new();
            for info in engines {
                if let Err(why) = is_time(budget) {
                    self.failure.stopped = Some(why);
                    return Err(std::mem::take(&mut self.failure));
                }
                observe(&Event::Start(info.name, (!is_last).then_some(slice)));
                let end = (!is_last).then(|| Instant::now() + slice);
                let deadline = [end, self.task.deadline].into_iter().flatten().min();
                let part = Budget::nested(&StopHandle::default(), &budget.stop_handle(), deadline);
                let finish = self.task.work(0, info, self.task.origin.copy(), &part, &mut || ());
                if let Ending::GaveUp(GaveUp::Timeout) | Ending::Unfinished(GaveUp::Timeout) =
                    finish.ending
                {
                    others.push(info);
                } else if let Some(certified) = self.examine(finish, observe) {
                    return Ok(certified);
                }
            }
            engines = others;
            slice = slice.saturating_mul(2);
        }
        Err(std::mem::take(&mut self.failure))
    }
}

/// The budget looks at the clock only now and then; here every look counts.
fn is_time(budget: &Budget) -> Outcome<()> {
    (0..64).try_for_each(|_| budget.check())
}
