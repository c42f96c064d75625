//! Limits on time and memory, and Ctrl-C.
//!
//! A thread looks at the clock and at the resident memory and stops the computation through its budget's handle, which
//! answers `unknown`. If that does not happen in good time (a text of fifty megabytes is being read, say), the watchdog
//! gives the answer itself and ends the process. Invariant: an answer is given once, by whoever takes `busy` away; the other
//! one keeps silent.
//!
//! Ctrl-C stops a computation in the same way; pressed again, or while nothing is computed, it ends the process.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use shofar_base::{GaveUp, StopHandle};

use crate::output::Channel;

/// How often the watchdog looks.
const PERIOD: Duration = Duration::from_millis(10);
/// How many bytes above the limit on memory a computation may go while it comes to its end, at least.
const SLACK: u64 = 64 << 20;
/// The answer of the watchdog.
const UNKNOWN: &str = "unknown\n";
/// Exit status of `shofar check` when nothing is found out.
pub(crate) const UNKNOWN_WITNESS: u8 = 4;
/// Exit status after Ctrl-C while nothing is computed, or the second time.
const INTERRUPTED: i32 = 130;

/// What may not be exceeded.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Limits {
    /// When to stop.
    pub(crate) deadline: Option<Instant>,
    /// Resident memory in bytes.
    pub(crate) memory: Option<u64>,
}

/// How the watchdog ends a process that does not end by itself.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Enforcement {
    /// A script is executed: after two seconds, with status 124 for time and 125 for memory and a word on standard error;
    /// an interrupt only stops the current check.
    Script,
    /// A question is decided: at once and in good order, with the reason on standard error.
    Question,
    /// A witness is checked: likewise, with the status that says so.
    Witness,
}

impl Enforcement {
    fn grace(self) -> Duration {
        match self {
            Enforcement::Script => Duration::from_secs(2),
            Enforcement::Question | Enforcement::Witness => Duration::from_millis(60),
        }
    }
    fn status(self, why: GaveUp) -> i32 {
        match (self, why) {
            (Enforcement::Question, _) => 0,
            (Enforcement::Witness, _) => UNKNOWN_WITNESS.into(),
            (Enforcement::Script, GaveUp::Timeout) => 124,
            (Enforcement::Script, GaveUp::Memory) => 125,
            (
                Enforcement::Script,
                GaveUp::Cancelled
                | GaveUp::Unsupported(_)
                | GaveUp::Incomplete(_)
                | GaveUp::Wrong(_),
            ) => INTERRUPTED,
        }
    }
}

/// What the watchdog shares with the computation.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    pub(crate) handle: StopHandle,
    enforcement: Enforcement,
    output: Channel,
    /// Since when an answer has been computed.
    busy: Arc<Mutex<Option<Instant>>>,
    interrupted: Arc<AtomicBool>,
}

impl Watch {
    /// Starts to watch over what runs under the handle of the result.
    pub(crate) fn start(limits: Limits, enforcement: Enforcement, output: &Channel) -> Self {
        let watch = Self {
            handle: StopHandle::default(),
            enforcement,
            output: output.clone(),
            busy: Arc::default(),
            interrupted: Arc::default(),
        };
        if limits.deadline.is_some() || limits.memory.is_some() {
            let watch = watch.clone();
            std::thread::spawn(move || watch.guard(limits));
        }
        let interrupted = watch.clone();
        // Without a handler Ctrl-C ends the process, which will do as well.
        let _ = ctrlc::set_handler(move || interrupted.interrupt());
        watch
    }
    /// Says that an answer is being computed.
    pub(crate) fn begin(&self) {
        *self.busy() = Some(Instant::now());
    }
    /// Says that the answer is there and will be given; does not return if the watchdog has given another one.
    pub(crate) fn finish(&self) {
        if self.busy().take().is_none() {
            // The process is about to end.
            loop {
                std::thread::park();
            }
        }
    }
    fn busy(&self) -> MutexGuard<'_, Option<Instant>> {
        self.busy.lock().unwrap_or_else(PoisonError::into_inner)
    }
    fn interrupt(&self) {
        let again = self.interrupted.swap(true, Ordering::SeqCst);
        self.handle.stop(GaveUp::Cancelled);
        if again || self.busy().is_none() {
            let owes = self.busy().take().is_some();
            self.output.write_and_exit(if owes { UNKNOWN } else { "" }, INTERRUPTED);
        }
        match self.enforcement {
            Enforcement::Script => {}
            Enforcement::Question | Enforcement::Witness => {
                std::thread::sleep(self.enforcement.grace());
                self.enforce(GaveUp::Cancelled);
            }
        }
    }
    /// Ends the process; if a question is to be decided, only if its answer is overdue.
    fn enforce(&self, why: GaveUp) {
        let mut busy = self.busy();
        match (self.enforcement, *busy) {
            (Enforcement::Script, since) => {
                *busy = None;
                let _ = Channel::stderr().write(&format!("shofar: stopped ({why})\n"));
                let word = if since.is_some() { UNKNOWN } else { "" };
                self.output.write_and_exit(word, self.enforcement.status(why));
            }
            (Enforcement::Question | Enforcement::Witness, Some(since))
                if since.elapsed() >= self.enforcement.grace() =>
            {
                *busy = None;
                // The answer says enough if the reason cannot be written.
                let _ = Channel::stderr().write(&format!("shofar: unknown ({why})\n"));
                self.output.write_and_exit(UNKNOWN, self.enforcement.status(why));
            }
            (Enforcement::Question | Enforcement::Witness, Some(_) | None) => {}
        }
    }
    fn guard(&self, limits: Limits) -> ! {
        let grace = self.enforcement.grace();
        let mut full_since = None;
        loop {
            std::thread::sleep(PERIOD);
            let now = Instant::now();
            if limits.deadline.is_some_and(|deadline| now >= deadline) {
                self.handle.stop(GaveUp::Timeout);
            }
            if limits.deadline.is_some_and(|deadline| now >= deadline + grace) {
                self.enforce(GaveUp::Timeout);
            }
            if let Some(limit) = limits.memory
                && let Some(used) = resident()
                && used > limit
            {
                self.handle.stop(GaveUp::Memory);
                let since = *full_since.get_or_insert(now);
                let is_overdue = match self.enforcement {
                    Enforcement::Script => false,
                    Enforcement::Question | Enforcement::Witness => now >= since + grace,
                };
                if is_overdue || used > limit.saturating_add(SLACK.max(limit / 4)) {
                    self.enforce(GaveUp::Memory);
                }
            }
        }
    }
}

/// Resident memory in bytes, where the system tells.
fn resident() -> Option<u64> {
    const PAGE: u64 = 4096;
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(pages * PAGE)
}
