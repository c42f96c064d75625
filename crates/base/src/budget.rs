//! Limits on a computation, and the reasons for giving up.
//!
//! A [`Budget`] is asked often and answers cheaply: one atomic load, and the clock every 64th time. Whoever owns the
//! process (a watchdog, a signal handler, a winning rival) stops it from outside through its [`StopHandle`].

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Instant;

/// Why a computation ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GaveUp {
    /// The time limit was reached.
    Timeout,
    /// The memory limit was reached.
    Memory,
    /// Somebody asked it to stop.
    Cancelled,
    /// The input is outside what is supported.
    Unsupported(&'static str),
    /// The method could not decide.
    Incomplete(&'static str),
}

impl std::fmt::Display for GaveUp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            GaveUp::Timeout => f.write_str("timeout"),
            GaveUp::Memory => f.write_str("memout"),
            GaveUp::Cancelled => f.write_str("cancelled"),
            GaveUp::Unsupported(what) => write!(f, "unsupported: {what}"),
            GaveUp::Incomplete(what) => write!(f, "incomplete: {what}"),
        }
    }
}

/// A result, or the reason for not having one.
pub type Outcome<T> = Result<T, GaveUp>;

const RUNNING: u8 = 0;
const TIMEOUT: u8 = 1;
const MEMORY: u8 = 2;
const CANCELLED: u8 = 3;

/// Stops the computations that run under the budgets it came from; usable from any thread.
#[derive(Clone, Debug, Default)]
pub struct StopHandle(Arc<AtomicU8>);

impl StopHandle {
    /// Asks to stop; the first reason given stays.
    pub fn stop(&self, why: GaveUp) {
        let code = match why {
            GaveUp::Timeout => TIMEOUT,
            GaveUp::Memory => MEMORY,
            GaveUp::Cancelled | GaveUp::Unsupported(_) | GaveUp::Incomplete(_) => CANCELLED,
        };
        // A failed exchange means that somebody stopped it before, which is just as well.
        let _ = self.0.compare_exchange(RUNNING, code, Ordering::Relaxed, Ordering::Relaxed);
    }
    fn reason(&self) -> Option<GaveUp> {
        match self.0.load(Ordering::Relaxed) {
            RUNNING => None,
            TIMEOUT => Some(GaveUp::Timeout),
            MEMORY => Some(GaveUp::Memory),
            _ => Some(GaveUp::Cancelled),
        }
    }
}

/// How long a computation may go on.
#[derive(Debug, Default)]
pub struct Budget {
    stop: StopHandle,
    /// Stops this one too, but is not stopped by it.
    outer: Option<StopHandle>,
    deadline: Option<Instant>,
    asked: Cell<u32>,
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
        Self { stop: handle.clone(), outer: None, deadline, asked: Cell::new(0) }
    }
    /// A budget for a part of the work that `handle` stops; when its own deadline passes, only this part stops.
    pub fn nested(handle: &StopHandle, deadline: Option<Instant>) -> Self {
        Self {
            stop: StopHandle::default(),
            outer: Some(handle.clone()),
            deadline,
            asked: Cell::new(0),
        }
    }
    /// The handle that stops this computation from outside.
    pub fn stop_handle(&self) -> StopHandle {
        self.stop.clone()
    }
    /// `Err` with the reason once the computation has to end.
    #[inline]
    pub fn check(&self) -> Outcome<()> {
        if let Some(why) = self.stop.reason().or_else(|| self.outer.as_ref()?.reason()) {
            return Err(why);
        }
        let asked = self.asked.get().wrapping_add(1);
        self.asked.set(asked);
        if asked % 64 == 1 && self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.stop.stop(GaveUp::Timeout);
            return Err(GaveUp::Timeout);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_reason_stays() {
        let budget = Budget::unlimited();
        assert_eq!(budget.check(), Ok(()));
        budget.stop_handle().stop(GaveUp::Memory);
        budget.stop_handle().stop(GaveUp::Timeout);
        assert_eq!(budget.check(), Err(GaveUp::Memory));
    }

    #[test]
    fn a_past_deadline_is_noticed_at_once() {
        assert_eq!(Budget::until(Instant::now()).check(), Err(GaveUp::Timeout));
    }
}
