//! Engines that share the time and the threads.
//!
//! Carries out what the [`Schedule`] says: starts workers, pauses them when their slice has ended and resumes them when their
//! next one begins, until a verdict is certified. Slices are processor time ([`WorkClock`]). A worker that validates a witness gets as much time again as it has
//! had. An engine for which the system gives us no thread works in the calling one, beside those that have a thread; if there
//! are several, one after the other. They cannot be paused, so each begins anew with twice the time.

use std::collections::VecDeque;
use std::num::NonZeroU32;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use shofar_base::{Budget, GaveUp, Outcome, StopHandle};
use shofar_engine::EngineInfo;

use crate::failure::Failure;
use crate::schedule::{Schedule, TimeSlice};
use crate::solve::Event;
use crate::work_clock::WorkClock;
use crate::worker::{Ending, Finish, Message, Task};
use crate::workers::Workers;

/// How often the calling thread looks whether it has to stop.
const PERIOD: Duration = Duration::from_millis(10);
/// It looks no sooner for the end of a slice.
const SHORTEST: Duration = Duration::from_micros(200);
/// How long workers that were told to stop are waited for.
const GRACE: Duration = Duration::from_millis(30);
/// How much longer than its slice a worker with a witness may work, at least.
const VALIDATION: Duration = Duration::from_millis(100);
/// The first slice of an engine in the calling thread.
const FIRST_SLICE: Duration = Duration::from_millis(100);

/// How the end of a slice is noticed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Turns {
    /// By the time that has passed.
    ByTheClock,
    /// By the questions that the worker has put to its budget, so many for a millisecond.
    BySteps(NonZeroU32),
}

/// How often it is looked whether a worker has used up its steps.
const STEP_PERIOD: Duration = Duration::from_millis(1);

impl Turns {
    /// How many steps a slice has; 0 is no limit.
    fn steps(self, length: Option<Duration>) -> u32 {
        match (self, length) {
            (Turns::BySteps(steps), Some(length)) => {
                let milliseconds = u32::try_from(length.as_millis()).unwrap_or(u32::MAX);
                steps.get().saturating_mul(milliseconds.max(1))
            }
            (Turns::ByTheClock, _) | (Turns::BySteps(_), None) => 0,
        }
    }
}

/// A slice that is being used.
struct Running {
    slice: TimeSlice,
    /// How much of the slice the worker has had.
    used: Duration,
    /// Pauses itself, where slices are measured in steps.
    pauses: Option<StopHandle>,
}

impl Running {
    fn left(&self) -> Duration {
        match (&self.pauses, self.slice.length) {
            (Some(handle), Some(_)) if handle.is_paused() => return Duration::ZERO,
            (Some(_), _) => return Duration::MAX,
            (None, _) => (),
        }
        self.slice.length.unwrap_or(Duration::MAX).saturating_sub(self.used)
    }
}

/// Workers on one problem.
pub(crate) struct Portfolio<'p> {
    task: &'p Task,
    schedule: Schedule,
    running: Vec<Running>,
    /// What pauses the worker at a place; nothing if it has not begun.
    handles: Vec<Option<StopHandle>>,
    /// How long the worker at a place has worked in its slices that have ended.
    worked: Vec<Duration>,
    sender: Sender<Message>,
    messages: Receiver<Message>,
    /// Engines for which there was no thread, each with its place and its next slice.
    without_thread: VecDeque<(usize, &'static EngineInfo, Duration)>,
    /// When a second worker may begin.
    second_worker_from: Instant,
    /// Measures what the running workers had of their slices.
    clock: WorkClock,
    turns: Turns,
    failure: Failure,
    threads: Workers,
}

impl<'p> Portfolio<'p> {
    /// A second worker begins `single_worker` after the first one, since easy problems are decided by then.
    pub(crate) fn new(
        task: &'p Task,
        schedule: Schedule,
        single_worker: Duration,
        turns: Turns,
    ) -> Self {
        let places = schedule.places();
        let (sender, messages) = channel();
        let now = Instant::now();
        Self {
            task,
            schedule,
            running: Vec::new(),
            handles: vec![None; places],
            worked: vec![Duration::ZERO; places],
            sender,
            messages,
            without_thread: VecDeque::new(),
            second_worker_from: now + single_worker,
            clock: WorkClock::start(now),
            turns,
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
        for traffic in self.task.board.traffic() {
            observe(&Event::Exchanged(&traffic));
        }
        (result, self.threads)
    }
    fn decide(
        &mut self,
        budget: &Budget,
        observe: &mut dyn FnMut(&Event<'_>),
    ) -> Result<Finish, Failure> {
        loop {
            let mut patience = match self.advance(now(budget), observe) {
                Some(patience) => patience,
                None if self.without_thread.is_empty() => break,
                None => Duration::ZERO,
            };
            if let Some((place, info, slice)) = self.without_thread.pop_front() {
                patience = Duration::ZERO;
                if let Some(certified) = self.work_here(place, info, slice, budget, observe) {
                    return Ok(self.first_in_order(certified));
                }
            }
            while let Ok(message) = self.messages.recv_timeout(patience) {
                patience = Duration::ZERO;
                match message {
                    Message::Found(place) => self.found(place, now(budget), observe),
                    Message::Finish(finish) => {
                        let is_spurious = matches!(finish.ending, Ending::Spurious(_));
                        if let Some(certified) = self.record(*finish, observe) {
                            return Ok(self.first_in_order(certified));
                        }
                        if is_spurious {
                            return Err(std::mem::take(&mut self.failure));
                        }
                    }
                }
            }
            if let Err(why) = is_time(budget) {
                self.task.handle.stop(why.clone());
                self.failure.stopped = Some(why);
                self.collect_statistics(observe);
                break;
            }
        }
        Err(std::mem::take(&mut self.failure))
    }
    /// Ends the slices that are over and begins those that are due; how long nothing happens by itself, or nothing if all
    /// workers have ended.
    fn advance(&mut self, now: Instant, observe: &mut dyn FnMut(&Event<'_>)) -> Option<Duration> {
        self.account(now);
        while self.schedule.has_waiting()
            && let Some(index) = self.running.iter().position(|w| w.left().is_zero())
        {
            let over = self.running.swap_remove(index);
            let place = over.slice.place;
            self.worked[place] += over.used;
            if let Some(handle) = &self.handles[place] {
                handle.pause();
            }
            self.schedule.pause(place);
            observe(&Event::Pause(over.slice.info.name));
            self.start_slices(now, observe);
        }
        self.start_slices(now, observe);
        if self.schedule.is_over() {
            return None;
        }
        let next = self.running.iter().map(Running::left).filter(|left| !left.is_zero()).min();
        let period = match self.turns {
            Turns::ByTheClock => PERIOD,
            Turns::BySteps(_) => STEP_PERIOD,
        };
        Some(next.map_or(period, |left| left.clamp(SHORTEST, period)))
    }
    /// Charges the running workers with what they had since this was last done.
    fn account(&mut self, now: Instant) {
        let had = self.clock.lap(now, self.running.len());
        for worker in &mut self.running {
            worker.used += had;
        }
    }
    fn start_slices(&mut self, now: Instant, observe: &mut dyn FnMut(&Event<'_>)) {
        let threads = if now < self.second_worker_from { 1 } else { usize::MAX };
        while let Some(slice) = self.schedule.next(threads) {
            let steps = self.turns.steps(slice.length);
            if let Some(handle) = &self.handles[slice.place] {
                handle.grant(steps);
                handle.resume();
            } else if let Ok((handle, thread)) =
                self.task.start(slice.place, slice.info, self.sender.clone(), steps)
            {
                self.handles[slice.place] = Some(handle);
                self.threads.add(thread);
            } else {
                self.schedule.leave(slice.place);
                self.without_thread.push_back((slice.place, slice.info, FIRST_SLICE));
                observe(&Event::NoThread(slice.info.name));
                continue;
            }
            observe(&Event::Start(slice.info.name, slice.length));
            let pauses = match self.turns {
                Turns::ByTheClock => None,
                Turns::BySteps(_) => self.handles[slice.place].clone(),
            };
            self.running.push(Running { slice, used: Duration::ZERO, pauses });
        }
    }
    /// A worker has a witness: it gets as much time again as it has had.
    fn found(&mut self, place: usize, now: Instant, observe: &mut dyn FnMut(&Event<'_>)) {
        self.account(now);
        if let Some(running) = self.running.iter_mut().find(|w| w.slice.place == place) {
            observe(&Event::Found(running.slice.info.name));
            let worked = self.worked[place] + running.used;
            let end = running.used + worked.max(VALIDATION);
            running.slice.length = running.slice.length.map(|length| length.max(end));
        }
    }
    /// Takes note of how a worker ended; gives it back if it has a certified verdict.
    fn record(&mut self, finish: Finish, observe: &mut dyn FnMut(&Event<'_>)) -> Option<Finish> {
        self.schedule.leave(finish.place);
        self.running.retain(|w| w.slice.place != finish.place);
        let name = finish.info.name;
        if let Some(why) = &finish.misled {
            observe(&Event::Misled(name, why));
        }
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
            Ending::GaveUp(why) | Ending::Spurious(why) => {
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
        let others = self.messages.try_iter().filter_map(|message| match message {
            Message::Finish(finish) => Some(*finish),
            Message::Found(_) => None,
        });
        let others = others.filter(|finish| matches!(finish.ending, Ending::Certified { .. }));
        others.fold(certified, |first, other| if other.place < first.place { other } else { first })
    }
    /// Hears those who stop at once, for what they counted.
    fn collect_statistics(&self, observe: &mut dyn FnMut(&Event<'_>)) {
        let end = Instant::now() + GRACE;
        let left = || end.saturating_duration_since(Instant::now());
        let mut working = self.handles.iter().flatten().count();
        while working > 0
            && let Ok(message) = self.messages.recv_timeout(left())
        {
            let Message::Finish(finish) = message else { continue };
            working -= 1;
            if let Ending::GaveUp(why) | Ending::Unfinished(why) | Ending::Spurious(why) =
                finish.ending
            {
                observe(&Event::Stop(finish.info.name, why.to_string(), &finish.statistics));
            }
        }
    }
    /// Lets an engine without a thread work in this one for `slice`, or without a limit if it is the only engine left.
    fn work_here(
        &mut self,
        place: usize,
        info: &'static EngineInfo,
        slice: Duration,
        budget: &Budget,
        observe: &mut dyn FnMut(&Event<'_>),
    ) -> Option<Finish> {
        let is_alone = self.schedule.is_over() && self.without_thread.is_empty();
        let length = (!is_alone).then_some(slice);
        observe(&Event::Start(info.name, length));
        let end = length.map(|length| Instant::now() + length);
        let deadline = [end, self.task.deadline].into_iter().flatten().min();
        let part = Budget::nested(&StopHandle::default(), &budget.stop_handle(), deadline);
        let finish = self.task.work(place, info, self.task.origin.copy(), &part, &mut || ());
        if let Ending::GaveUp(GaveUp::Timeout) | Ending::Unfinished(GaveUp::Timeout) = finish.ending
        {
            self.without_thread.push_back((place, info, slice.saturating_mul(2)));
            return None;
        }
        self.record(finish, observe)
    }
}

/// The time by a clock that stands still while all workers are paused together with the budget.
fn now(budget: &Budget) -> Instant {
    let now = Instant::now();
    now.checked_sub(budget.paused()).unwrap_or(now)
}

/// The budget looks at the clock only now and then; here every look counts.
pub(crate) fn is_time(budget: &Budget) -> Outcome<()> {
    (0..64).try_for_each(|_| budget.check())
}

#[cfg(test)]
mod tests {
    use shofar_base::StopHandle;
    use shofar_chc::read::read_horn;
    use shofar_chc::{Engine, NormalSystem, Verdict};
    use shofar_check::HornInput;
    use shofar_engine::{Fragment, Make, engine};
    use shofar_term::{Cx, TermStore};

    use super::*;
    use crate::worker::THREADS_LEFT;
    use crate::{Settings, solve};

    const UNSAFE: &[u8] = b"(declare-fun p (Int) Bool) (assert (p 0))
(assert (forall ((x Int)) (=> (and (p x) (< x 20)) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (and (p x) (> x 19)) false)))
(check-sat)";

    struct Endless;

    impl Engine<NormalSystem> for Endless {
        fn solve(&mut self, cx: &mut Cx<'_>, _: &NormalSystem) -> Outcome<Verdict<NormalSystem>> {
            loop {
                cx.budget.check()?;
                std::thread::sleep(Duration::from_micros(100));
            }
        }
    }

    static ENDLESS: EngineInfo = EngineInfo {
        name: "endless",
        cites: "",
        about: "for tests",
        fragment: Fragment::Any,
        is_strengthened: true,
        options: None,
        make: Make::Chc(|_| Box::new(Endless)),
    };

    /// Decides the problem with `bmc` behind an engine that does not end, and so many threads; who had no thread.
    fn check(threads: usize) -> Vec<&'static str> {
        let mut store = TermStore::new();
        let script = read_horn(UNSAFE, &mut store).expect("it is well written");
        let input = HornInput::of_problem(&script.problems[0]);
        let engines = vec![&ENDLESS, engine("bmc").expect("there is one")];
        let settings = Settings { engines, ..Settings::default() };
        let mut refused = Vec::new();
        THREADS_LEFT.set(Some(threads));
        let mut observe = |event: &Event<'_>| {
            if let Event::NoThread(name) = event {
                refused.push(*name);
            }
        };
        let solved = solve(store, &input, &settings, &StopHandle::default(), &mut observe);
        THREADS_LEFT.set(None);
        let Ok(solved) = solved else { panic!("bounded model checking decides it") };
        assert!(matches!(solved.certified.verdict(), Verdict::Unsafe(_)));
        assert_eq!(solved.engine, "bmc");
        refused
    }

    #[test]
    fn engines_without_a_thread_work_beside_those_with_one() {
        assert_eq!(check(2), [""; 0]);
        assert_eq!(check(1), ["bmc"]);
        assert_eq!(check(0), ["endless", "bmc"]);
    }
}
