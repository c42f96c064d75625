//! What a run may use: time on the clock, time of the processors, memory.
//!
//! Limits come from the command line and from the system. Where the system would kill the process
//! (`ulimit -t`) or refuse memory, which ends it as well (`ulimit -v`), we stop a little before, so
//! that an answer can still be given.

use std::time::{Duration, Instant};

use rustix::process::{Resource, getrlimit};
use rustix::time::{ClockId, clock_gettime};
use shofar_base::GaveUp;

/// So much processor time before the system kills the process, the work has to come to its end.
const BEFORE_KILL: Duration = Duration::from_millis(250);
/// So much processor time before that, the process has to end.
const LAST_MOMENT: Duration = Duration::from_millis(100);
/// How many bytes above the limit on memory a computation may go while it comes to its end, at
/// least.
const SLACK: u64 = 64 << 20;
/// This part of the addresses that the system gives has to stay free.
const SPACE_RESERVE: u64 = 4;
/// If no more than this part of them is in use, there is room in what the allocator has reserved.
const LITTLE: u64 = 8;
/// Which field of `/proc/self/stat` behind the name tells when the process was started.
const START_TIME: usize = 19;
/// No process takes longer to start, in seconds.
const LONGEST_START: f64 = 5.0;

/// What may not be exceeded.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Limits {
    /// When to stop.
    pub(crate) deadline: Option<Instant>,
    /// How much time all threads together may use.
    cpu: Option<Duration>,
    /// When the system kills the process.
    killed: Option<Duration>,
    /// Resident memory in bytes.
    memory: Option<u64>,
    /// Addresses that the system gives to the process, in bytes.
    space: Option<u64>,
}

/// A limit that is exceeded.
#[derive(Clone, Debug)]
pub(crate) struct Excess {
    pub(crate) why: GaveUp,
    /// Whether the process has to end at once.
    pub(crate) is_extreme: bool,
}

impl Limits {
    /// The limits of the command line, in seconds and bytes, and those of the system.
    pub(crate) fn new(timeout: Option<f64>, cpu: Option<f64>, memory: Option<u64>) -> Self {
        let now = Instant::now();
        let begin = age().and_then(|age| now.checked_sub(age)).unwrap_or(now);
        Self::since(begin, timeout, cpu, memory)
    }
    /// Likewise, for a process that was asked for something later than it was started.
    pub(crate) fn since(
        begin: Instant,
        timeout: Option<f64>,
        cpu: Option<f64>,
        memory: Option<u64>,
    ) -> Self {
        let killed = getrlimit(Resource::Cpu).current.map(Duration::from_secs);
        let cpu = cpu.map(Duration::from_secs_f64);
        let before = killed.map(|killed| killed.saturating_sub(BEFORE_KILL));
        Self {
            deadline: timeout.map(|seconds| begin + Duration::from_secs_f64(seconds)),
            cpu: cpu.into_iter().chain(before).min(),
            killed,
            memory,
            space: getrlimit(Resource::As).current,
        }
    }
    /// When the time began of which the command line gives so many seconds; now if it gives none.
    pub(crate) fn begin(&self, timeout: Option<f64>) -> Instant {
        let limit = timeout.map(Duration::from_secs_f64);
        let begin = self.deadline.zip(limit).and_then(|(end, limit)| end.checked_sub(limit));
        begin.unwrap_or_else(Instant::now)
    }
    /// The limit on resident memory in bytes.
    pub(crate) fn memory(&self) -> Option<u64> {
        self.memory
    }
    /// Whether processor time is limited, so that threads that work in vain cost an answer.
    pub(crate) fn has_cpu_limit(&self) -> bool {
        // Somebody may have set the limit after the process was started.
        self.cpu.is_some() || getrlimit(Resource::Cpu).current.is_some()
    }
    /// Until when other work than deciding may go on: one thread uses no more processor time than
    /// the clock shows, and some is left for the answer.
    pub(crate) fn time_beside_deciding(&self) -> Option<Instant> {
        let rest = self.cpu?.saturating_sub(cpu_time()?);
        Some(Instant::now() + rest * 4 / 5)
    }
    /// Whether the time on the clock is over.
    pub(crate) fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
    /// How long nobody has to look at the clock: until the deadline, or until it is over for
    /// `grace`.
    pub(crate) fn rest(&self, grace: Duration) -> Option<Duration> {
        let deadline = self.deadline?;
        let rest = |until: Instant| until.checked_duration_since(Instant::now());
        rest(deadline).or_else(|| rest(deadline + grace))
    }
    /// Which limit is exceeded.
    pub(crate) fn excess(&self, now: Instant) -> Option<Excess> {
        let late = self.deadline.filter(|&deadline| now >= deadline);
        let late = late.map(|_| Excess { why: GaveUp::Timeout, is_extreme: false });
        late.or_else(|| self.cpu_excess()).or_else(|| self.memory_excess())
    }
    fn cpu_excess(&self) -> Option<Excess> {
        if !self.has_cpu_limit() {
            return None;
        }
        let used = cpu_time()?;
        let is_extreme =
            self.killed.is_some_and(|killed| used >= killed.saturating_sub(LAST_MOMENT));
        let is_over = is_extreme || self.cpu.is_some_and(|limit| used >= limit);
        is_over.then_some(Excess { why: GaveUp::Timeout, is_extreme })
    }
    fn memory_excess(&self) -> Option<Excess> {
        if self.memory.is_none() && self.space.is_none() {
            return None;
        }
        let usage = Usage::now()?;
        let why = GaveUp::Memory;
        if let Some(limit) = self.memory.filter(|&limit| usage.resident > limit) {
            let is_extreme = usage.resident > limit.saturating_add(SLACK.max(limit / 4));
            return Some(Excess { why, is_extreme });
        }
        // Memory that is not there ends the process, so there is nothing to wait for.
        let space = self.space.filter(|&space| usage.is_crowded(space));
        space.map(|_| Excess { why, is_extreme: true })
    }
}

/// How long ago the process was started, where the system tells: on a busy machine that is long
/// before the first command.
fn age() -> Option<Duration> {
    let uptime = std::fs::read_to_string("/proc/uptime").ok()?;
    let uptime: f64 = uptime.split_ascii_whitespace().next()?.parse().ok()?;
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in parentheses, may contain blanks.
    let (_, fields) = stat.rsplit_once(')')?;
    let start: u32 = fields.split_ascii_whitespace().nth(START_TIME)?.parse().ok()?;
    let ticks = u32::try_from(rustix::param::clock_ticks_per_second()).ok()?;
    let age = uptime - f64::from(start) / f64::from(ticks);
    // In a container the two clocks may have nothing to do with each other.
    (0.0..LONGEST_START).contains(&age).then(|| Duration::from_secs_f64(age))
}

/// The time that all threads of the process have used.
fn cpu_time() -> Option<Duration> {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Some(Duration::new(time.tv_sec.try_into().ok()?, time.tv_nsec.try_into().ok()?))
}

/// The resident memory of the process in bytes, where the system tells.
pub(crate) fn resident() -> Option<u64> {
    Usage::now().map(|usage| usage.resident)
}

/// The memory of the process in bytes.
#[derive(Clone, Copy, Debug)]
struct Usage {
    /// All addresses.
    size: u64,
    resident: u64,
}

impl Usage {
    /// The present state, where the system tells.
    fn now() -> Option<Self> {
        let page = u64::try_from(rustix::param::page_size()).ok()?;
        let text = std::fs::read_to_string("/proc/self/statm").ok()?;
        let mut numbers = text.split_ascii_whitespace().map(str::parse::<u64>);
        let mut bytes = || Some(numbers.next()?.ok()?.saturating_mul(page));
        Some(Self { size: bytes()?, resident: bytes()? })
    }
    /// Whether the addresses come to an end. Allocators reserve many in advance, so as long as
    /// little memory is in use there is room even if the system would give no more.
    fn is_crowded(&self, space: u64) -> bool {
        space.saturating_sub(self.size) < space / SPACE_RESERVE && self.resident > space / LITTLE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_reserved_is_not_used() {
        let usage = |size: u64, resident: u64| Usage { size: size << 20, resident: resident << 20 };
        let space = 600 << 20;
        assert!(!usage(400, 300).is_crowded(space));
        assert!(!usage(580, 20).is_crowded(space));
        assert!(usage(580, 120).is_crowded(space));
    }

    #[test]
    fn limits_are_noticed() {
        let now = Instant::now();
        assert!(Limits::default().excess(now).is_none());
        let late = Limits { deadline: Some(now), ..Limits::default() };
        assert_eq!(late.excess(now).map(|excess| excess.why), Some(GaveUp::Timeout));
        let poor = Limits { memory: Some(1), ..Limits::default() };
        assert_eq!(poor.excess(now).map(|excess| excess.why), Some(GaveUp::Memory));
        let small = Limits { space: Some(1), ..Limits::default() };
        assert!(small.excess(now).is_none_or(|excess| excess.is_extreme));
        let busy = Limits { cpu: Some(Duration::ZERO), ..Limits::default() };
        assert!(busy.has_cpu_limit() && busy.excess(now).is_some());
        assert!(age().is_none_or(|age| age < Duration::from_mins(1)));
    }
}
