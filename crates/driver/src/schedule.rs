//! Which engine works next, and for how long.
//!
//! Contenders take turns with growing slices of time, so that with few threads an engine that would be quick is not kept
//! waiting by one that never ends; what is lost by starting again is less than what was spent. As soon as there are no more
//! contenders than threads, they go on without a limit.

use std::time::Duration;

use shofar_engine::{EngineInfo, engine};

/// A row of the strategy.
#[derive(Clone, Copy, Debug)]
pub struct Contender {
    /// The name of the engine.
    pub engine: &'static str,
    /// Its first slice in milliseconds; each further one is twice as long.
    pub slice: u64,
}

/// The default strategy: every contender, in the order of their turns.
pub const STRATEGY: &[Contender] = &[
    Contender { engine: "spacer", slice: 1_000 },
    Contender { engine: "bmc", slice: 300 },
    Contender { engine: "imc", slice: 400 },
    Contender { engine: "split-tpa", slice: 400 },
    Contender { engine: "pdkind", slice: 400 },
    Contender { engine: "kind", slice: 300 },
    Contender { engine: "lawi", slice: 300 },
];

/// No slice grows beyond this.
const LONGEST: Duration = Duration::from_secs(1 << 20);

#[derive(Clone, Copy, Debug)]
struct Turn {
    info: &'static EngineInfo,
    slice: Duration,
}

/// The turns to come.
#[derive(Clone, Debug)]
pub(crate) struct Schedule {
    waiting: std::collections::VecDeque<Turn>,
    threads: usize,
    working: usize,
}

impl Schedule {
    /// For these engines, or for the default strategy if there are none.
    pub(crate) fn new(engines: &[&'static EngineInfo], threads: usize) -> Self {
        let chosen = engines.iter().map(|&info| Turn { info, slice: Duration::from_millis(500) });
        let default = STRATEGY.iter().filter_map(|c| {
            Some(Turn { info: engine(c.engine)?, slice: Duration::from_millis(c.slice) })
        });
        let waiting = if engines.is_empty() { default.collect() } else { chosen.collect() };
        Self { waiting, threads: threads.max(1), working: 0 }
    }
    /// How many threads are of use.
    pub(crate) fn width(&self) -> usize {
        self.threads.min(self.waiting.len())
    }
    /// The next engine and how long it may work.
    pub(crate) fn next(&mut self) -> Option<(&'static EngineInfo, Option<Duration>)> {
        let turn = self.waiting.pop_front()?;
        self.working += 1;
        let is_crowded = self.waiting.len() + self.working > self.threads;
        if is_crowded {
            return Some((turn.info, Some(turn.slice)));
        }
        Some((turn.info, None))
    }
    /// An engine has stopped: its slice ended, or it is out.
    pub(crate) fn done(&mut self, info: &'static EngineInfo, slice: Option<Duration>) {
        self.working -= 1;
        if let Some(slice) = slice {
            self.waiting.push_back(Turn { info, slice: slice.saturating_mul(2).min(LONGEST) });
        }
    }
    /// Whether nobody works and nobody waits.
    pub(crate) fn is_over(&self) -> bool {
        self.working == 0 && self.waiting.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_grow_and_end_when_there_is_room() {
        let mut schedule = Schedule::new(&[], 1);
        let rows = STRATEGY.len();
        for row in STRATEGY {
            let (info, slice) = schedule.next().expect("everybody has a turn");
            assert_eq!((info.name, slice), (row.engine, Some(Duration::from_millis(row.slice))));
            schedule.done(info, slice);
        }
        for _ in 1..rows {
            let (info, slice) = schedule.next().expect("everybody has a second turn");
            assert!(slice.is_some());
            schedule.done(info, None);
        }
        assert_eq!(
            schedule.next().map(|(_, slice)| slice),
            Some(None),
            "the last one has no limit"
        );
    }
}
