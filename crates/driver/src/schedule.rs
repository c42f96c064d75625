//! Which engine works next, and for how long.
//!
//! Contenders take turns with growing slices of time, so that with few threads an engine that would be quick is not kept
//! waiting by one that never ends; in the first round, which finds out whether the problem is easy for somebody, all have
//! the same short time. Between its turns an engine is paused, so nothing is lost but the memory it holds. As soon as there
//! are no more contenders than threads, they go on without a limit.

use std::cmp::Reverse;
use std::collections::VecDeque;
use std::time::Duration;

use shofar_chc::ChcSystem;
use shofar_engine::{EngineInfo, engine};
use shofar_term::{Sort, TermStore};

/// A row of the strategy.
#[derive(Clone, Copy, Debug)]
pub struct Contender {
    /// The name of the engine.
    pub engine: &'static str,
    /// Its slice of the second round in milliseconds if all numbers are integers; each further one is twice as long.
    pub integers: u64,
    /// The same if predicates speak of reals.
    pub reals: u64,
}

/// The default strategy: every contender. Long slices come first.
pub const STRATEGY: &[Contender] = &[
    Contender { engine: "spacer", integers: 4_000, reals: 200 },
    Contender { engine: "split-tpa", integers: 800, reals: 100 },
    Contender { engine: "pdkind", integers: 300, reals: 200 },
    Contender { engine: "imc", integers: 200, reals: 3_000 },
    Contender { engine: "kind", integers: 200, reals: 300 },
    Contender { engine: "bmc", integers: 100, reals: 100 },
    Contender { engine: "lawi", integers: 100, reals: 100 },
];

/// The slice of everybody in the first round.
const WARM_UP: Duration = Duration::from_millis(30);

/// The slice of engines that the user chose in the second round.
const EQUAL: Duration = Duration::from_millis(200);

/// No slice grows beyond this.
const LONGEST: Duration = Duration::from_secs(1 << 20);

/// An engine with its turns.
#[derive(Clone, Copy, Debug)]
struct Runner {
    info: &'static EngineInfo,
    /// Whether it has had its first turn.
    is_warm: bool,
    /// How long its next turn is, but for the first.
    slice: Duration,
}

/// A turn: the place of the engine in the schedule, the engine, and how long it may work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn {
    pub(crate) place: usize,
    pub(crate) info: &'static EngineInfo,
    pub(crate) slice: Option<Duration>,
}

/// What the predicates of a problem speak of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numbers {
    /// No reals.
    Integers,
    /// Reals, perhaps among others.
    Reals,
}

impl Numbers {
    pub(crate) fn of(store: &TermStore, system: &ChcSystem) -> Self {
        let mut sorts = system.preds().flat_map(|pred| system.sorts(store, pred));
        if sorts.any(|&sort| sort == Sort::Real) { Numbers::Reals } else { Numbers::Integers }
    }
}

/// The turns to come.
#[derive(Clone, Debug)]
pub(crate) struct Schedule {
    runners: Vec<Runner>,
    waiting: VecDeque<usize>,
    threads: usize,
    working: usize,
}

impl Schedule {
    /// For these engines.
    pub(crate) fn of(engines: &[&'static EngineInfo], threads: usize) -> Self {
        Self::new(
            engines.iter().map(|&info| Runner { info, is_warm: false, slice: EQUAL }).collect(),
            threads,
        )
    }
    /// The default strategy.
    pub(crate) fn default_for(numbers: Numbers, threads: usize) -> Self {
        let runner = |c: &Contender| {
            let slice = match numbers {
                Numbers::Integers => c.integers,
                Numbers::Reals => c.reals,
            };
            let slice = Duration::from_millis(slice);
            Some(Runner { info: engine(c.engine)?, is_warm: false, slice })
        };
        let mut runners: Vec<Runner> = STRATEGY.iter().filter_map(runner).collect();
        runners.sort_by_key(|runner| Reverse(runner.slice));
        Self::new(runners, threads)
    }
    fn new(runners: Vec<Runner>, threads: usize) -> Self {
        let waiting = (0..runners.len()).collect();
        Self { runners, waiting, threads: threads.max(1), working: 0 }
    }
    /// How many engines there are.
    pub(crate) fn places(&self) -> usize {
        self.runners.len()
    }
    /// The next turn, if a thread is free and somebody waits.
    pub(crate) fn next(&mut self) -> Option<Turn> {
        if self.working == self.threads {
            return None;
        }
        let place = self.waiting.pop_front()?;
        self.working += 1;
        let is_crowded = self.waiting.len() + self.working > self.threads;
        let runner = &mut self.runners[place];
        let slice = if std::mem::replace(&mut runner.is_warm, true) {
            let slice = runner.slice;
            runner.slice = slice.saturating_mul(2).min(LONGEST);
            slice
        } else {
            WARM_UP
        };
        Some(Turn { place, info: runner.info, slice: is_crowded.then_some(slice) })
    }
    /// Whether somebody waits for a thread.
    pub(crate) fn is_crowded(&self) -> bool {
        !self.waiting.is_empty()
    }
    /// The slice of the engine at this place has ended.
    pub(crate) fn pause(&mut self, place: usize) {
        self.working -= 1;
        self.waiting.push_back(place);
    }
    /// An engine is out.
    pub(crate) fn leave(&mut self, place: usize) {
        // It may have ended just when it was paused.
        let waiting = self.waiting.len();
        self.waiting.retain(|&other| other != place);
        if self.waiting.len() == waiting {
            self.working -= 1;
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
        let mut schedule = Schedule::default_for(Numbers::Integers, 1);
        let round = |schedule: &mut Schedule| -> Vec<Duration> {
            let turn = |_: &Contender| {
                let turn = schedule.next().expect("everybody has a turn");
                assert!(schedule.next().is_none(), "there is one thread");
                schedule.pause(turn.place);
                turn.slice.expect("there are others")
            };
            STRATEGY.iter().map(turn).collect()
        };
        assert!(round(&mut schedule).iter().all(|&slice| slice == WARM_UP));
        let second = round(&mut schedule);
        let longest = STRATEGY.iter().map(|c| c.integers).max().expect("there are contenders");
        assert_eq!(second[0], Duration::from_millis(longest));
        assert!(second.is_sorted_by_key(|&slice| Reverse(slice)));
        for slice in &second[1..] {
            let turn = schedule.next().expect("everybody has a third turn");
            assert!(turn.slice > Some(*slice));
            schedule.leave(turn.place);
        }
        let turn = schedule.next().expect("one is left");
        assert_eq!(turn.slice, None, "the last one has no limit");
        assert!(!schedule.is_over());
        schedule.leave(turn.place);
        assert!(schedule.is_over());
    }

    #[test]
    fn whoever_ends_while_paused_does_not_wait() {
        let mut schedule = Schedule::default_for(Numbers::Reals, 2);
        let first = schedule.next().expect("a turn");
        schedule.pause(first.place);
        schedule.leave(first.place);
        assert_eq!(schedule.waiting.len(), STRATEGY.len() - 1);
        assert_eq!(schedule.working, 0);
    }
}
