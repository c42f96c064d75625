//! The threads of workers: starting them, and waiting for those that have been told to stop.
//!
//! With the verdict the other workers are stopped; they notice when they next ask their budget,
//! mostly within milliseconds. Whoever asked the question may print the answer first and wait for
//! them then.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// Engines use little stack; formulas are never traversed by recursion.
const STACK: usize = 16 << 20;
/// Enough for most.
const SMALL_STACK: usize = 2 << 20;

/// How often it is looked whether a thread has ended.
const PERIOD: Duration = Duration::from_millis(1);

/// The threads of the workers on a problem that is decided, or given up.
#[derive(Debug, Default)]
#[must_use = "somebody has to wait for the threads"]
pub struct Workers {
    threads: Vec<JoinHandle<()>>,
}

impl Workers {
    pub(crate) fn add(&mut self, thread: JoinHandle<()>) {
        self.threads.push(thread);
    }
    /// Waits until all have ended.
    pub fn join(self) {
        for thread in self.threads {
            // Panics of engines are caught and told; there is nothing else to hear.
            let _ = thread.join();
        }
    }
    /// Waits until all have ended, but not longer than `patience`; says whether they have. Those
    /// that have not go on by themselves until they notice.
    pub fn join_within(self, patience: Duration) -> bool {
        let is_running = || self.threads.iter().any(|thread| !thread.is_finished());
        let mut waited = Duration::ZERO;
        while is_running() && waited < patience {
            std::thread::sleep(PERIOD);
            waited += PERIOD;
        }
        !is_running()
    }
}

/// Starts a thread, if the system has one left.
pub(crate) fn start_thread(
    name: &str,
    work: impl FnOnce() + Send + 'static,
) -> std::io::Result<JoinHandle<()>> {
    #[cfg(test)]
    take_thread()?;
    roomy_thread(name, work)
}

/// Starts a thread with the usual stack, or with a smaller one where the system limits addresses.
fn roomy_thread(
    name: &str,
    work: impl FnOnce() + Send + 'static,
) -> std::io::Result<JoinHandle<()>> {
    let work = Arc::new(Mutex::new(Some(work)));
    let start = |size: usize| {
        let work = Arc::clone(&work);
        let builder = std::thread::Builder::new().name(name.to_owned()).stack_size(size);
        builder.spawn(move || {
            let work = work.lock().unwrap_or_else(PoisonError::into_inner).take();
            work.expect("one of the threads has started")();
        })
    };
    start(STACK).or_else(|_| start(SMALL_STACK))
}

#[cfg(test)]
thread_local! {
    /// How many threads a test lets the portfolio start; nothing is no limit.
    pub(crate) static THREADS_LEFT: std::cell::Cell<Option<usize>> =
        const { std::cell::Cell::new(None) };
}

#[cfg(test)]
fn take_thread() -> std::io::Result<()> {
    if let Some(left) = THREADS_LEFT.get() {
        let left = left.checked_sub(1).ok_or(std::io::ErrorKind::WouldBlock)?;
        THREADS_LEFT.set(Some(left));
    }
    Ok(())
}

/// What a panic said.
pub(crate) fn panic_text(payload: &(dyn std::any::Any + Send)) -> String {
    payload
        .downcast_ref::<String>()
        .cloned()
        .or_else(|| payload.downcast_ref::<&str>().map(|&s| s.to_owned()))
        .unwrap_or_else(|| "panic".to_owned())
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn waiting_for_a_thread_that_does_not_end_has_an_end() {
        let (release, wait) = channel::<()>();
        let (mut workers, mut others) = (Workers::default(), Workers::default());
        workers.add(std::thread::spawn(move || wait.recv().unwrap_or_default()));
        assert!(!workers.join_within(3 * PERIOD));
        drop(release);
        others.add(std::thread::spawn(|| ()));
        others.join();
    }
}
