//! Enforces limits, and ends the process when a signal asks for it.
//!
//! A thread looks at the limits and stops the computation through its handle, which answers
//! `unknown`. If that does not happen in good time (a text of fifty megabytes is being read, say),
//! the watchdog gives the answer itself and ends the process. A question may have a limit of its
//! own: after that the watchdog answers for it, but the script goes on. Invariant: an answer is
//! given once, by whoever moves the state away from `Busy`; the other one keeps silent.
//!
//! A signal stops a computation in the same way. When a Horn problem is decided, or at the second
//! signal, or while nothing is computed, the process ends, with the status of a process that was
//! killed by the signal: loops of a shell end as well. The answer that is owed is written before,
//! whatever was about to write it: the second signal does not wait for a better one, but it does
//! not take the answer away either. Signals that come soon after each other are one: a supervisor
//! passes on what the terminal has sent to both processes.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use shofar_base::{GaveUp, StopHandle};

use crate::frames::Terms;
use crate::limits::{Excess, Limits};
use crate::output::Channel;
use crate::signals::{self, Request};
use crate::supervisor::is_supervised;

/// How often the watchdog looks.
const PERIOD: Duration = Duration::from_millis(10);
/// How late the answer to a question may be.
const GRACE: Duration = Duration::from_millis(60);
/// A signal that comes so soon after another one is the same, sent by the terminal and by the
/// supervisor.
const ECHO: Duration = Duration::from_millis(20);
/// What watches needs little room.
const STACK: usize = 256 << 10;
/// The answer of the watchdog.
const UNKNOWN: &str = "unknown\n";
/// What is said of a script that is ended.
const STOPPED: &str = "stopped";
/// Exit status of `shofar check` when nothing is found out.
pub(crate) const UNKNOWN_WITNESS: u8 = 4;

/// How the watchdog ends a process that does not end by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Enforcement {
    /// A script is executed: after two seconds, with status 124 for time and 125 for memory and a
    /// word on standard error; a signal only stops the current check.
    Script,
    /// Horn problems are decided: at once and in good order, with the reason on standard error.
    Question,
    /// A witness is checked: likewise, with the status that says so.
    Witness,
}

impl Enforcement {
    fn grace(self) -> Duration {
        match self {
            Enforcement::Script => Duration::from_secs(2),
            Enforcement::Question | Enforcement::Witness => GRACE,
        }
    }
    /// The exit status after an excess of time or memory.
    fn status(self, why: &GaveUp) -> u8 {
        match (self, *why == GaveUp::Memory) {
            (Enforcement::Question, _) => 0,
            (Enforcement::Witness, _) => UNKNOWN_WITNESS,
            (Enforcement::Script, false) => 124,
            (Enforcement::Script, true) => 125,
        }
    }
}

/// Whether something is owed when a command begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Debt {
    /// Nothing, before a question is asked.
    Nothing,
    /// An answer: the question is in a file that has not been read yet.
    Answer,
}

/// What is computed.
#[derive(Debug)]
enum State {
    /// Nothing.
    Idle,
    /// An answer.
    Busy { since: Instant, handle: StopHandle, deadline: Option<Instant> },
    /// An answer that the watchdog has given.
    Answered,
    /// The process is about to end.
    Ending,
}

/// Whether the answer that was computed is still to be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AnswerState {
    /// It is, by whoever computed it.
    Due,
    /// The time of the question was over, and the watchdog has said `unknown`.
    Given,
}

/// What the watchdog shares with the computation.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    enforcement: Enforcement,
    output: Channel,
    errors: Channel,
    state: Arc<Mutex<State>>,
    /// The exit status that a signal asks for; 0 before there was one.
    asked: Arc<AtomicU8>,
    /// When there was a signal last.
    interrupted: Arc<Mutex<Option<Instant>>>,
    /// What is answered in the place of `unknown`, with the end of the line.
    word: Arc<OnceLock<&'static str>>,
}

impl Watch {
    /// Starts to watch over what [`Self::begin`] is told about.
    pub(crate) fn start(
        limits: Limits,
        enforcement: Enforcement,
        debt: Debt,
        (output, errors): (&Channel, &Channel),
    ) -> Self {
        let watch = Self {
            enforcement,
            output: output.clone(),
            errors: errors.clone(),
            state: Arc::new(Mutex::new(State::Idle)),
            asked: Arc::default(),
            interrupted: Arc::default(),
            word: Arc::default(),
        };
        let status = enforcement.status(&GaveUp::Memory);
        let told = match enforcement {
            Enforcement::Script => Some(STOPPED.to_owned()),
            Enforcement::Question | Enforcement::Witness => None,
        };
        output.supervise(&Terms { status, told });
        // Before anything listens: a signal may have come already.
        match debt {
            Debt::Answer => drop(watch.begin(None)),
            Debt::Nothing => {}
        }
        let guard = watch.clone();
        let thread = std::thread::Builder::new().name("watchdog".to_owned()).stack_size(STACK);
        if thread.spawn(move || guard.guard(limits)).is_err() {
            errors.write("shofar: there can be no watchdog, as the system gives no thread\n");
        }
        let asked = watch.clone();
        if let Err(error) = signals::listen(move |request| asked.obey(request)) {
            errors.write(&format!("shofar: signals end the process at once: {error}\n"));
        }
        watch
    }
    /// Says what is to be answered in the place of `unknown`, with the end of the line; what was
    /// said first stays.
    pub(crate) fn answer_by(&self, word: &'static str) {
        self.word.get_or_init(|| word);
    }
    /// What is answered if nothing is found out, with the end of the line.
    pub(crate) fn unknown(&self) -> &'static str {
        self.word.get().copied().unwrap_or(UNKNOWN)
    }
    /// Says that an answer is being computed, which has to be there before `deadline`; the handle
    /// stops it.
    pub(crate) fn begin(&self, deadline: Option<Instant>) -> StopHandle {
        let mut state = self.state();
        let handle = StopHandle::default();
        if !matches!(*state, State::Ending) {
            *state = State::Busy { since: Instant::now(), handle: handle.clone(), deadline };
            self.output.owe(self.unknown());
        }
        handle
    }
    /// Says that nothing is computed any more, and that no answer is owed; does not return if the
    /// process is about to end.
    pub(crate) fn rest(&self) {
        self.finish();
        self.output.settle();
    }
    /// Says that the answer is there: what is written next is the answer. Does not return if the
    /// process is about to end.
    pub(crate) fn finish(&self) -> AnswerState {
        let mut state = self.state();
        let owed = match *state {
            State::Idle => AnswerState::Due,
            State::Busy { .. } => {
                self.output.expect_answer(self.unknown());
                AnswerState::Due
            }
            State::Answered => AnswerState::Given,
            State::Ending => {
                drop(state);
                loop {
                    std::thread::park();
                }
            }
        };
        *state = State::Idle;
        owed
    }
    /// The exit status that a signal has asked for.
    pub(crate) fn asked_to_end(&self) -> Option<u8> {
        Some(self.asked.load(Ordering::SeqCst)).filter(|&status| status > 0)
    }
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
    /// Stops what is computed; false if nothing is.
    fn stop(&self, why: GaveUp) -> bool {
        match &*self.state() {
            State::Busy { handle, .. } => {
                handle.stop(why);
                true
            }
            State::Idle | State::Answered | State::Ending => false,
        }
    }
    fn obey(&self, request: Request) {
        match request {
            Request::End(status) => self.interrupt(status),
            Request::OutOfTime => {
                if self.stop(GaveUp::Timeout) {
                    std::thread::sleep(GRACE);
                }
                self.end(&GaveUp::Timeout, self.enforcement.status(&GaveUp::Timeout));
            }
        }
    }
    fn interrupt(&self, status: u8) {
        let again = self.asked.swap(status, Ordering::SeqCst) > 0;
        let last =
            self.interrupted.lock().unwrap_or_else(PoisonError::into_inner).replace(Instant::now());
        if again && is_supervised() && last.is_some_and(|last| last.elapsed() < ECHO) {
            return;
        }
        let is_busy = self.stop(GaveUp::Cancelled);
        if is_busy && !again {
            match self.enforcement {
                Enforcement::Script => return,
                Enforcement::Question | Enforcement::Witness => std::thread::sleep(GRACE),
            }
        }
        self.end(&GaveUp::Cancelled, status);
    }
    /// Ends the process, with the answer that is owed.
    fn end(&self, why: &GaveUp, status: u8) -> ! {
        let mut state = self.state();
        let before = std::mem::replace(&mut *state, State::Ending);
        let word = match before {
            State::Busy { .. } => self.unknown(),
            State::Idle | State::Answered | State::Ending => "",
        };
        drop(state);
        let what = match self.enforcement {
            Enforcement::Script => STOPPED,
            Enforcement::Question | Enforcement::Witness => self.unknown().trim_end(),
        };
        if !word.is_empty() || *why != GaveUp::Cancelled {
            self.errors.write_last(&format!("shofar: {what} ({why})\n"));
        }
        self.output.write_and_exit(word, i32::from(status));
    }

    fn guard(&self, limits: Limits) -> ! {
        let mut exceeded_since = None;
        loop {
            let rest = limits.rest(self.enforcement.grace());
            std::thread::sleep(rest.map_or(PERIOD, |rest| rest.min(PERIOD)));
            let now = Instant::now();
            self.answer_overdue(now);
            let Some(excess) = limits.excess(now) else {
                exceeded_since = None;
                continue;
            };
            // A look that comes late on a busy machine delays nothing.
            let late = limits.deadline.filter(|&deadline| now >= deadline);
            let since = *exceeded_since.get_or_insert(late.unwrap_or(now));
            self.stop(excess.why.clone());
            let has_patience = self.enforcement == Enforcement::Script;
            let is_overdue = now >= since + self.enforcement.grace()
                && (excess.why != GaveUp::Memory || !has_patience);
            if (is_overdue || excess.is_extreme) && self.is_due(now, &excess) {
                let status = self.enforcement.status(&excess.why);
                self.end(&excess.why, status);
            }
        }
    }
    /// Whether the process may be ended for an excess: not while a script of Horn clauses waits for
    /// its next command, and not before the answer to a question that has just been asked can
    /// be there.
    fn is_due(&self, now: Instant, excess: &Excess) -> bool {
        match (&*self.state(), self.enforcement) {
            (_, Enforcement::Script) => true,
            (State::Busy { since, .. }, Enforcement::Question | Enforcement::Witness) => {
                excess.is_extreme || now >= *since + GRACE
            }
            (
                State::Idle | State::Answered | State::Ending,
                Enforcement::Question | Enforcement::Witness,
            ) => false,
        }
    }
    /// Stops a question whose own time is over, and answers for it if it does not end.
    fn answer_overdue(&self, now: Instant) {
        let mut state = self.state();
        if let State::Busy { handle, deadline: Some(deadline), .. } = &*state
            && now >= *deadline
        {
            handle.stop(GaveUp::Timeout);
            if now >= *deadline + GRACE {
                *state = State::Answered;
                self.output.expect_answer(self.unknown());
                self.output.write(self.unknown());
                self.output.flush();
            }
        }
    }
}
