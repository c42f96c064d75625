//! Which engine works next, and for how long.
//!
//! The slices of a row of the strategy come first, then rounds in which every engine has a slice twice as long as before.
//! Between its slices an engine is paused, so nothing is lost but the memory it holds. As soon as there are no more engines
//! than threads, they go on without a limit.

use std::collections::VecDeque;
use std::time::Duration;

use shofar_engine::{ENGINES, EngineInfo, engine};

use crate::strategy::Row;

/// The first slice of engines that the user chose; it finds out whether the problem is easy for one of them.
const WARM_UP: Duration = Duration::from_millis(30);
/// Their second slice.
const EQUAL: Duration = Duration::from_millis(200);
/// The first slice of an engine that the row of the strategy does not mention.
const UNMENTIONED: Duration = Duration::from_millis(400);
/// No slice grows beyond this.
const LONGEST: Duration = Duration::from_secs(1 << 20);

/// An engine with the slice it has in the next round.
#[derive(Clone, Copy, Debug)]
struct ScheduledEngine {
    info: &'static EngineInfo,
    slice: Duration,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Waiting,
    Working,
    Out,
}

/// A time slice: the place of the engine in the schedule, the engine, and how long it may work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeSlice {
    pub(crate) place: usize,
    pub(crate) info: &'static EngineInfo,
    /// Nothing if there is no limit.
    pub(crate) length: Option<Duration>,
}

/// The slices to come.
#[derive(Clone, Debug)]
pub(crate) struct Schedule {
    engines: Vec<ScheduledEngine>,
    plan: VecDeque<(usize, Duration)>,
    threads: usize,
}

impl Schedule {
    /// For engines that the user chose, all alike.
    pub(crate) fn of(engines: &[&'static EngineInfo], threads: usize) -> Self {
        let engine = |&info: &&'static EngineInfo| ScheduledEngine {
            info,
            slice: EQUAL,
            state: State::Waiting,
        };
        let plan = (0..engines.len()).map(|place| (place, WARM_UP)).collect();
        Self { engines: engines.iter().map(engine).collect(), plan, threads: threads.max(1) }
    }
    /// For a row of the strategy, and behind it the other engines for which `applies` holds.
    pub(crate) fn of_row(row: &Row, threads: usize, applies: impl Fn(&EngineInfo) -> bool) -> Self {
        let mut engines: Vec<ScheduledEngine> = Vec::new();
        let mut plan = VecDeque::new();
        for &(name, slice) in row.slices {
            let info = engine(name).expect("the table names engines that exist");
            if !applies(info) {
                continue;
            }
            let known = engines.iter().position(|engine| engine.info.name == name);
            let place = known.unwrap_or(engines.len());
            if known.is_none() {
                engines.push(ScheduledEngine {
                    info,
                    slice: row.share(name),
                    state: State::Waiting,
                });
            }
            plan.push_back((place, Duration::from_millis(slice)));
        }
        let is_new = |info: &&EngineInfo| !row.slices.iter().any(|(name, _)| *name == info.name);
        let others = ENGINES.iter().filter(is_new).filter(|info| applies(info));
        engines.extend(others.map(|info| ScheduledEngine {
            info,
            slice: UNMENTIONED,
            state: State::Waiting,
        }));
        Self { engines, plan, threads: threads.max(1) }
    }
    /// The engines.
    pub(crate) fn engines(&self) -> impl Iterator<Item = &'static EngineInfo> + '_ {
        self.engines.iter().map(|engine| engine.info)
    }
    /// How many engines there are.
    pub(crate) fn places(&self) -> usize {
        self.engines.len()
    }
    /// The next slice if fewer than `threads` engines work and one waits.
    pub(crate) fn next(&mut self, threads: usize) -> Option<TimeSlice> {
        let threads = threads.min(self.threads);
        let working = self.count(State::Working);
        if working >= threads || self.count(State::Waiting) == 0 {
            return None;
        }
        let (place, slice) = self.take().or_else(|| {
            self.plan_round();
            self.take()
        })?;
        let is_limited = working + self.count(State::Waiting) > self.threads;
        let engine = &mut self.engines[place];
        engine.state = State::Working;
        Some(TimeSlice { place, info: engine.info, length: is_limited.then_some(slice) })
    }
    /// The first planned slice of an engine that waits.
    fn take(&mut self) -> Option<(usize, Duration)> {
        let is_ready =
            |&(place, _): &(usize, Duration)| matches!(self.engines[place].state, State::Waiting);
        let at = self.plan.iter().position(is_ready)?;
        self.plan.remove(at)
    }
    fn plan_round(&mut self) {
        for (place, engine) in self.engines.iter_mut().enumerate() {
            if engine.state != State::Out {
                self.plan.push_back((place, engine.slice));
                engine.slice = engine.slice.saturating_mul(2).min(LONGEST);
            }
        }
    }
    fn count(&self, state: State) -> usize {
        self.engines.iter().filter(|engine| engine.state == state).count()
    }
    /// Whether an engine waits for a thread.
    pub(crate) fn has_waiting(&self) -> bool {
        self.count(State::Waiting) > 0
    }
    /// The slice of the engine at this place has ended.
    pub(crate) fn pause(&mut self, place: usize) {
        self.engines[place].state = State::Waiting;
    }
    /// An engine has ended.
    pub(crate) fn leave(&mut self, place: usize) {
        self.engines[place].state = State::Out;
        self.plan.retain(|&(other, _)| other != place);
    }
    /// Whether all engines have ended.
    pub(crate) fn is_over(&self) -> bool {
        self.count(State::Out) == self.engines.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::TABLE;

    fn names(schedule: &mut Schedule, count: usize) -> Vec<(&'static str, Option<Duration>)> {
        (0..count)
            .map(|_| {
                let slice = schedule.next(1).expect("an engine waits");
                assert!(schedule.next(1).is_none(), "there is one thread");
                schedule.pause(slice.place);
                (slice.info.name, slice.length)
            })
            .collect()
    }

    #[test]
    fn the_row_comes_first_and_then_all_in_growing_rounds() {
        for row in TABLE {
            let mut schedule = Schedule::of_row(row, 1, |_| true);
            let planned: Vec<_> = row
                .slices
                .iter()
                .map(|&(name, slice)| (name, Some(Duration::from_millis(slice))))
                .collect();
            assert_eq!(names(&mut schedule, planned.len()), planned);
            let first = names(&mut schedule, ENGINES.len());
            let second = names(&mut schedule, ENGINES.len());
            for ((name, short), (again, long)) in first.iter().zip(&second) {
                assert_eq!(name, again);
                assert_eq!(short.map(|slice| slice * 2), *long);
            }
        }
    }

    #[test]
    fn engines_that_do_not_apply_have_no_slice() {
        let mut schedule = Schedule::of_row(&TABLE[0], 1, |info| info.name == "bmc");
        assert_eq!(schedule.places(), 1);
        assert_eq!(names(&mut schedule, 1), [("bmc", None)]);
    }

    #[test]
    fn the_last_engines_have_no_limit() {
        let engines: Vec<&'static EngineInfo> = ENGINES.iter().take(3).collect();
        let mut schedule = Schedule::of(&engines, 2);
        let first = schedule.next(2).expect("a slice");
        let second = schedule.next(2).expect("a slice");
        assert_eq!((first.length, second.length), (Some(WARM_UP), Some(WARM_UP)));
        assert!(schedule.next(2).is_none());
        schedule.leave(first.place);
        assert_eq!(schedule.next(2).map(|slice| slice.length), Some(None));
        assert!(!schedule.has_waiting());
    }

    #[test]
    fn an_engine_never_works_twice_at_a_time() {
        let engines: Vec<&'static EngineInfo> = ENGINES.iter().take(2).collect();
        let mut schedule = Schedule::of(&engines, 8);
        assert!(schedule.next(8).is_some() && schedule.next(8).is_some());
        assert!(schedule.next(8).is_none());
        schedule.leave(0);
        schedule.leave(1);
        assert!(schedule.is_over());
    }
}
