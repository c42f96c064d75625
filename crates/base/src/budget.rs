//! Limits on a computation, and the reasons for giving up.
//!
//! A [`Budget`] is asked often and answers cheaply: one or two atomic loads, and the clock every
//! 64th time. Whoever owns the process (a watchdog, a signal handler, a winning rival) stops it
//! from outside through its [`StopHandle`], or makes it wait inside the question while others work.

use std::borrow::Cow;
use std::cell::Cell;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use crate::clock::Instant;

/// Why a computation ended without an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GaveUp {
    /// The time limit was reached.
    Timeout,
    /// The memory limit was reached.
    Memory,
    /// Somebody asked it to stop.
    Cancelled,
    /// The input is outside what is supported.
    Unsupported(Cow<'static, str>),
    /// The method could not decide.
    Incomplete(Cow<'static, str>),
    /// Something that was claimed turned out to be wrong: a bug.
    Wrong(Cow<'static, str>),
}

impl GaveUp {
    /// The input is outside what is supported.
    pub fn unsupported(what: impl Into<Cow<'static, str>>) -> Self {
        Self::Unsupported(what.into())
    }
    /// The method could not decide.
    pub fn incomplete(what: impl Into<Cow<'static, str>>) -> Self {
        Self::Incomplete(what.into())
    }
    /// A claim turned out to be wrong: a bug.
    pub fn wrong(what: impl Into<Cow<'static, str>>) -> Self {
        Self::Wrong(what.into())
    }
}

impl std::fmt::Display for GaveUp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            GaveUp::Timeout => f.write_str("timeout"),
            GaveUp::Memory => f.write_str("memout"),
            GaveUp::Cancelled => f.write_str("cancelled"),
            GaveUp::Unsupported(what) => write!(f, "unsupported: {what}"),
            GaveUp::Incomplete(what) => write!(f, "incomplete: {what}"),
            GaveUp::Wrong(what) => write!(f, "an internal check failed: {what}"),
        }
    }
}

impl std::error::Error for GaveUp {}

/// A result, or the reason for not having one.
pub type Outcome<T> = Result<T, GaveUp>;

const RUNNING: u8 = 0;
const TIMEOUT: u8 = 1;
const MEMORY: u8 = 2;
const CANCELLED: u8 = 3;
const PAUSED: u8 = 4;

/// How long a paused computation waits before it looks whether an outer handle has stopped it.
const NAP: Duration = Duration::from_millis(5);

#[derive(Debug, Default)]
struct Switch {
    state: AtomicU8,
    /// After how many questions a computation makes itself wait; 0 is no limit.
    turn: AtomicU32,
    gate: Mutex<()>,
    moved: Condvar,
}

/// Stops or pauses the computations that run under the budgets it came from; usable from any
/// thread.
#[derive(Clone, Debug, Default)]
pub struct StopHandle(Arc<Switch>);

impl StopHandle {
    /// Asks to stop; the first reason given stays.
    #[expect(clippy::needless_pass_by_value, reason = "a reason is given away")]
    pub fn stop(&self, why: GaveUp) {
        let code = match why {
            GaveUp::Timeout => TIMEOUT,
            GaveUp::Memory => MEMORY,
            GaveUp::Cancelled
            | GaveUp::Unsupported(_)
            | GaveUp::Incomplete(_)
            | GaveUp::Wrong(_) => CANCELLED,
        };
        self.change(|state| matches!(state, RUNNING | PAUSED).then_some(code));
    }
    /// Lets computations that begin from now on run again after a stop. Those that were stopped
    /// should have ended by then.
    pub fn reset(&self) {
        self.change(|state| (state != RUNNING).then_some(RUNNING));
    }
    /// Makes the computations wait when they next ask, until they are resumed or stopped.
    pub fn pause(&self) {
        self.change(|state| (state == RUNNING).then_some(PAUSED));
    }
    /// Lets paused computations go on.
    pub fn resume(&self) {
        self.change(|state| (state == PAUSED).then_some(RUNNING));
    }
    /// Makes the computations wait after this number of further questions; 0 means no limit. Such
    /// turns are the same in every run. It counts for budgets that begin, or go on after a
    /// pause, from now on.
    pub fn grant(&self, questions: u32) {
        self.0.turn.store(questions, Ordering::Relaxed);
    }
    /// Whether the computations wait, or will when they next ask.
    pub fn is_paused(&self) -> bool {
        self.0.state.load(Ordering::Relaxed) == PAUSED
    }
    fn turn(&self) -> Option<u32> {
        Some(self.0.turn.load(Ordering::Relaxed)).filter(|&questions| questions > 0)
    }
    fn change(&self, to: impl Fn(u8) -> Option<u8>) {
        // Where there is nothing to change, somebody stopped it before, which is just as well.
        let _ = self.0.state.fetch_update(Ordering::Relaxed, Ordering::Relaxed, to);
        self.0.moved.notify_all();
    }
    fn is_running(&self) -> bool {
        self.0.state.load(Ordering::Relaxed) == RUNNING
    }
    fn reason(&self) -> Option<GaveUp> {
        match self.0.state.load(Ordering::Relaxed) {
            RUNNING | PAUSED => None,
            TIMEOUT => Some(GaveUp::Timeout),
            MEMORY => Some(GaveUp::Memory),
            _ => Some(GaveUp::Cancelled),
        }
    }
    /// Waits a little, less if something changes.
    fn nap(&self) {
        let gate = self.0.gate.lock().unwrap_or_else(PoisonError::into_inner);
        // Whether it was woken or the time is over, whoever naps looks again.
        let _ = self.0.moved.wait_timeout(gate, NAP);
    }
}

/// Why a part of the work ended.
const TOO_LONG: GaveUp = GaveUp::Incomplete(Cow::Borrowed("a part of the work takes too long"));

/// How long a computation may go on.
#[derive(Debug, Default)]
pub struct Budget {
    stop: StopHandle,
    /// Stops this one too, but is not stopped by it.
    outer: Option<StopHandle>,
    deadline: Option<Instant>,
    asked: Cell<u32>,
    /// How often it may be asked, and what happens then.
    allowance: Cell<Option<u32>>,
    then: Then,
    /// How long it has been paused.
    paused: Cell<Duration>,
}

/// What happens when a budget has been asked often enough.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Then {
    /// It waits for its next turn.
    #[default]
    Wait,
    /// It ends.
    End,
}

impl Budget {
    /// No limit but the stop handle.
    pub fn unlimited() -> Self {
        Self::default()
    }
    /// Ends at `deadline`.
    pub fn until(deadline: Instant) -> Self {
        Self { deadline: Some(deadline), ..Self::default() }
    }
    /// A further budget (for another thread, say) that the same handle stops.
    pub fn with_handle(handle: &StopHandle, deadline: Option<Instant>) -> Self {
        let allowance = Cell::new(handle.turn());
        Self { stop: handle.clone(), deadline, allowance, ..Self::default() }
    }
    /// A budget for a part of the work: `own` pauses and stops this part, `outer` all of it.
    pub fn nested(own: &StopHandle, outer: &StopHandle, deadline: Option<Instant>) -> Self {
        Self { outer: Some(outer.clone()), ..Self::with_handle(own, deadline) }
    }
    /// A budget for a part of the work, which ends with this one, or when it has been asked
    /// `allowance` times: a limit that is the same in every run.
    #[must_use]
    pub fn part(&self, allowance: u32) -> Self {
        Self {
            stop: self.stop.clone(),
            outer: self.outer.clone(),
            deadline: self.deadline,
            allowance: Cell::new(Some(allowance)),
            then: Then::End,
            ..Self::default()
        }
    }
    /// The handle that stops this computation from outside.
    pub fn stop_handle(&self) -> StopHandle {
        self.stop.clone()
    }
    /// The time by the clock to which deadlines are compared; code below the command line looks at
    /// no other.
    pub fn now(&self) -> Instant {
        Instant::now()
    }
    /// How long the computation has been paused inside [`check`](Budget::check).
    pub fn paused(&self) -> Duration {
        self.paused.get()
    }
    /// `Err` with the reason once the computation has to end.
    #[inline]
    pub fn check(&self) -> Outcome<()> {
        if !self.stop.is_running() || self.outer.as_ref().is_some_and(|outer| !outer.is_running()) {
            self.wait()?;
        }
        let asked = self.asked.get().wrapping_add(1);
        self.asked.set(asked);
        if self.allowance.get().is_some_and(|allowance| asked > allowance) {
            self.end_turn()?;
        }
        if asked % 64 == 1 && self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.stop.stop(GaveUp::Timeout);
            return Err(GaveUp::Timeout);
        }
        Ok(())
    }
    /// The same for short work while a lock is held: it goes on although it is paused, so that
    /// those who wait for the lock do not wait for the end of the pause.
    pub fn check_in_lock(&self) -> Outcome<()> {
        let mut handles = std::iter::once(&self.stop).chain(&self.outer);
        if let Some(why) = handles.find_map(StopHandle::reason) {
            return Err(why);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.stop.stop(GaveUp::Timeout);
            return Err(GaveUp::Timeout);
        }
        Ok(())
    }
    /// What happens when it has been asked often enough.
    #[cold]
    fn end_turn(&self) -> Outcome<()> {
        match self.then {
            Then::End => Err(TOO_LONG),
            Then::Wait => {
                self.stop.pause();
                self.wait()?;
                self.asked.set(0);
                self.allowance.set(self.stop.turn());
                Ok(())
            }
        }
    }
    /// Waits as long as it is paused; `Err` if it is stopped.
    #[cold]
    fn wait(&self) -> Outcome<()> {
        let start = Instant::now();
        let outcome = loop {
            let handles = || std::iter::once(&self.stop).chain(&self.outer);
            if let Some(why) = handles().find_map(StopHandle::reason) {
                break Err(why);
            }
            match handles().find(|handle| handle.is_paused()) {
                Some(handle) => handle.nap(),
                None => break Ok(()),
            }
        };
        self.paused.set(self.paused.get() + start.elapsed());
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_does_not_hold_a_lock() {
        let budget = Budget::unlimited();
        budget.stop_handle().pause();
        assert_eq!(budget.check_in_lock(), Ok(()));
        budget.stop_handle().stop(GaveUp::Memory);
        assert_eq!(budget.check_in_lock(), Err(GaveUp::Memory));
        let late = Budget::until(Instant::now());
        assert_eq!(late.check_in_lock(), Err(GaveUp::Timeout));
    }

    #[test]
    fn the_first_reason_stays() {
        let budget = Budget::unlimited();
        assert_eq!(budget.check(), Ok(()));
        budget.stop_handle().stop(GaveUp::Memory);
        budget.stop_handle().stop(GaveUp::Timeout);
        assert_eq!(budget.check(), Err(GaveUp::Memory));
    }

    #[test]
    fn the_paused_wait_until_they_are_resumed_or_stopped() {
        let (own, outer) = (StopHandle::default(), StopHandle::default());
        own.pause();
        let (handle, other) = (own.clone(), outer.clone());
        let (sender, started) = std::sync::mpsc::channel();
        let worker = std::thread::spawn(move || {
            let budget = Budget::nested(&handle, &other, None);
            sender.send(()).expect("the test waits for it");
            let first = budget.check();
            assert!(budget.paused() >= NAP);
            budget.stop.pause();
            (first, budget.check())
        });
        started.recv().expect("the worker has started");
        std::thread::sleep(10 * NAP);
        assert!(!worker.is_finished());
        own.resume();
        while !own.is_paused() && !worker.is_finished() {
            std::thread::yield_now();
        }
        outer.stop(GaveUp::Memory);
        assert_eq!(worker.join().expect("no panic"), (Ok(()), Err(GaveUp::Memory)));
    }

    #[test]
    fn a_part_ends_by_itself_or_with_the_whole() {
        let whole = Budget::unlimited();
        let part = whole.part(2);
        assert_eq!([part.check(), part.check()], [Ok(()), Ok(())]);
        assert!(matches!(part.check(), Err(GaveUp::Incomplete(_))));
        assert_eq!(whole.check(), Ok(()));
        let part = whole.part(2);
        whole.stop_handle().stop(GaveUp::Cancelled);
        assert_eq!(part.check(), Err(GaveUp::Cancelled));
    }

    #[test]
    fn turns_end_after_as_many_questions_as_were_granted() {
        let handle = StopHandle::default();
        handle.grant(3);
        let worker = handle.clone();
        let (sender, asked) = std::sync::mpsc::channel();
        let worker = std::thread::spawn(move || {
            let budget = Budget::with_handle(&worker, None);
            // A part has its own count.
            assert_eq!(budget.part(9).check(), Ok(()));
            while budget.check().is_ok() {
                sender.send(()).expect("the test counts");
            }
        });
        for turn in [3, 2] {
            while !handle.is_paused() {
                std::thread::yield_now();
            }
            assert_eq!(asked.try_iter().count(), turn);
            // The question that was one too many is answered after the pause.
            handle.grant(1);
            handle.resume();
        }
        handle.stop(GaveUp::Cancelled);
        worker.join().expect("no panic");
    }

    #[test]
    fn a_past_deadline_is_noticed_at_once() {
        assert_eq!(Budget::until(Instant::now()).check(), Err(GaveUp::Timeout));
    }
}
