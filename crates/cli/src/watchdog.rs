//! Limits on time and memory, and Ctrl-C.
//!
//! A thread looks at the clock and at the resident memory and stops the computation through its budget's handle, which
//! answers `unknown`. If that does not happen in good time, the process is ended after the word `unknown`.
//!
//! Ctrl-C stops a computation in the same way; pressed again, or while nothing is computed, it ends the process.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use shofar_base::{GaveUp, StopHandle};

use crate::output::Channel;

/// How often the watchdog looks.
const PERIOD: Duration = Duration::from_millis(20);
/// How many bytes above the limit on memory a computation may go while it comes to its end, at least.
const SLACK: u64 = 64 << 20;
/// Exit status when the time limit had to be enforced.
const TIMED_OUT: i32 = 124;
/// Exit status when the memory limit had to be enforced.
const OUT_OF_MEMORY: i32 = 125;
/// Exit status after Ctrl-C.
const INTERRUPTED: i32 = 130;

/// What may not be exceeded.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Limits {
    /// When to stop.
    pub(crate) deadline: Option<Instant>,
    /// Resident memory in bytes.
    pub(crate) memory: Option<u64>,
}

/// What the watchdog shares with the computation.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    pub(crate) handle: StopHandle,
    busy: Arc<AtomicBool>,
    interrupted: Arc<AtomicBool>,
}

impl Watch {
    /// Starts to watch over what runs under the handle of the result.
    pub(crate) fn start(limits: Limits, output: &Channel) -> Self {
        let watch = Self {
            handle: StopHandle::default(),
            busy: Arc::default(),
            interrupted: Arc::default(),
        };
        if limits.deadline.is_some() || limits.memory.is_some() {
            let (watch, output) = (watch.clone(), output.clone());
            std::thread::spawn(move || watch.guard(limits, &output));
        }
        let (interrupted, output) = (watch.clone(), output.clone());
        // Without a handler Ctrl-C ends the process, which will do as well.
        let _ = ctrlc::set_handler(move || interrupted.interrupt(&output));
        watch
    }
    /// Says whether an answer is being computed.
    pub(crate) fn set_busy(&self, busy: bool) {
        self.busy.store(busy, Ordering::SeqCst);
    }
    fn interrupt(&self, output: &Channel) {
        let again = self.interrupted.swap(true, Ordering::SeqCst);
        self.handle.stop(GaveUp::Cancelled);
        if again || !self.busy.load(Ordering::SeqCst) {
            output.write_and_exit(self.last_word(), INTERRUPTED);
        }
    }
    /// What to print if the process ends now.
    fn last_word(&self) -> &'static str {
        if self.busy.load(Ordering::SeqCst) { "unknown\n" } else { "" }
    }
    fn guard(&self, limits: Limits, output: &Channel) -> ! {
        let grace = Duration::from_secs(2);
        loop {
            std::thread::sleep(PERIOD);
            let now = Instant::now();
            if limits.deadline.is_some_and(|deadline| now >= deadline) {
                self.handle.stop(GaveUp::Timeout);
            }
            if limits.deadline.is_some_and(|deadline| now >= deadline + grace) {
                output.write_and_exit(self.last_word(), TIMED_OUT);
            }
            if let Some(limit) = limits.memory
                && let Some(used) = resident()
            {
                if used > limit {
                    self.handle.stop(GaveUp::Memory);
                }
                if used > limit.saturating_add(SLACK.max(limit / 4)) {
                    output.write_and_exit(self.last_word(), OUT_OF_MEMORY);
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
