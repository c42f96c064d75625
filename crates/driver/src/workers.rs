//! Threads that have been told to stop.
//!
//! With the verdict the other workers are stopped; they notice when they next ask their budget, mostly within milliseconds.
//! Whoever asked the question may print the answer first and wait for them then.

use std::thread::JoinHandle;
use std::time::Duration;

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
    /// Waits until all have ended, but not longer than `patience`; says whether they have. Those that have not go on by
    /// themselves until they notice.
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
