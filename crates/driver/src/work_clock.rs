//! How much of the time workers really had.
//!
//! On a machine that others use as well, a slice of 100 ms may be 10 ms of work, and an engine that
//! needs 50 would lose its turn. So slices are measured in processor time, which the workers that
//! run are taken to share alike. The time by the clock bounds it in both directions: other threads
//! of the process may work as well, and a worker that sleeps must not have its turn forever.

use std::time::Duration;

use shofar_base::Instant;

/// A worker is taken to have had at least this part of the time by the clock.
const LEAST_SHARE: u32 = 16;

/// Measures the work between looks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WorkClock {
    looked: Instant,
    /// Nothing where only the clock tells.
    processors: Option<Duration>,
}

impl WorkClock {
    pub(crate) fn start(now: Instant) -> Self {
        Self { looked: now, processors: processor_time() }
    }
    /// What each of so many workers has had since the last look.
    pub(crate) fn lap(&mut self, now: Instant, workers: usize) -> Duration {
        let last = std::mem::replace(self, Self::start(now));
        let elapsed = now.saturating_duration_since(last.looked);
        match (self.processors, last.processors) {
            (Some(now), Some(last)) => share(elapsed, now.saturating_sub(last), workers),
            (None, _) | (_, None) => elapsed,
        }
    }
}

fn share(elapsed: Duration, used: Duration, workers: usize) -> Duration {
    let workers = u32::try_from(workers.max(1)).unwrap_or(u32::MAX);
    (used / workers).clamp(elapsed / LEAST_SHARE, elapsed)
}

/// The time that all threads of the process have used; nothing where there are no processes.
fn processor_time() -> Option<Duration> {
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        let seconds = time.tv_sec.try_into().ok()?;
        Some(Duration::new(seconds, time.tv_nsec.try_into().unwrap_or_default()))
    }
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_time_counts_within_bounds_of_the_clock() {
        let ms = Duration::from_millis;
        assert_eq!(share(ms(160), ms(40), 1), ms(40));
        assert_eq!(share(ms(160), ms(40), 2), ms(20));
        // Others in the process work; the worker sleeps.
        assert_eq!(share(ms(160), ms(400), 2), ms(160));
        assert_eq!(share(ms(160), ms(0), 1), ms(10));
        assert_eq!(share(ms(160), ms(0), 0), ms(10));
    }

    #[test]
    fn laps_follow_each_other() {
        let start = Instant::now();
        let mut clock = WorkClock::start(start);
        let second = Duration::from_secs(1);
        // Hardly any work is done in these seconds that pass at once.
        assert!(clock.lap(start + second, 1) >= second / LEAST_SHARE);
        assert!(clock.lap(start + 2 * second, 1) < second);
        assert_eq!(clock.lap(start, 1), Duration::ZERO, "time does not run backwards");
    }
}
