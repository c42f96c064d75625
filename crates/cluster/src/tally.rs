//! Counts of what workers have found, as they say it.
//!
//! Results are read as they are stored, without judging them; what collectors reject is told by
//! them and counted besides. So the figures are for watching a cluster, and no verdict rests on
//! them. Results that were stored before are counted as well, up to a limit, but not in the rate.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::failure::Failure;
use crate::hub::{Hub, HubError};
use crate::message::Report;

/// So many results are counted that were stored before.
const BEFORE: u64 = 10_000;
/// So many results are read at a time, so that there is a picture in between.
const AT_ONCE: usize = 5_000;
/// Over which time the rate is taken.
const RECENT: Duration = Duration::from_mins(1);
/// So many results count for the rate at most.
const MOST_RECENT: usize = 100_000;
/// The upper bounds of the classes of times, in milliseconds.
pub(crate) const BOUNDS: [u64; 10] =
    [10, 100, 500, 1_000, 5_000, 10_000, 30_000, 60_000, 300_000, 1_800_000];

/// Counts of results.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Counts {
    /// Verdicts by their words.
    pub verdicts: BTreeMap<&'static str, u64>,
    /// Results without a verdict, and rejected ones.
    pub failures: BTreeMap<Failure, u64>,
    /// How long solving took.
    pub times: Times,
}

/// A histogram of times by the clock.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Times {
    /// How many took no longer than each of [`BOUNDS`], and longer than the one before.
    pub classes: [u64; BOUNDS.len()],
    /// All, those that took longer as well.
    pub count: u64,
    /// Milliseconds by the clock.
    pub wall: u64,
    /// Milliseconds on the processors.
    pub cpu: u64,
}

impl Times {
    fn add(&mut self, wall: u64, cpu: u64) {
        if let Some(class) = BOUNDS.iter().position(|&bound| wall <= bound) {
            self.classes[class] += 1;
        }
        self.count += 1;
        self.wall = self.wall.saturating_add(wall);
        self.cpu = self.cpu.saturating_add(cpu);
    }
}

/// Follows the results of a hub.
#[derive(Debug)]
pub(crate) struct Tally {
    pub counts: Counts,
    /// The place of the last result that was read; nothing before the first look.
    place: Option<u64>,
    begin: Instant,
    recent: VecDeque<Instant>,
}

impl Tally {
    /// Nothing is counted yet.
    pub(crate) fn new() -> Self {
        let (counts, recent) = (Counts::default(), VecDeque::new());
        Self { counts, place: None, begin: Instant::now(), recent }
    }
    /// Counts what was stored since the last time.
    pub(crate) fn follow(&mut self, hub: &dyn Hub) -> Result<(), HubError> {
        let last = hub.last_result()?;
        let is_first = self.place.is_none();
        // A hub that began anew counts anew.
        let mut place = self.place.unwrap_or_else(|| last.saturating_sub(BEFORE)).min(last);
        let mut read = 0;
        while place < last && read < AT_ONCE {
            let entries = hub.results_after(place, Duration::ZERO)?;
            let Some(end) = entries.last() else { break };
            (place, read) = (end.place, read + entries.len());
            for entry in &entries {
                match Report::decode(&entry.value) {
                    Ok(report) if report.spec.job().as_str() == entry.name => self.add(&report),
                    Ok(_) => tracing::warn!("{}: a result is about another job", entry.name),
                    Err(why) => {
                        tracing::warn!("{}: a result is not understood: {why}", entry.name);
                    }
                }
            }
            self.place = Some(place);
        }
        self.place = Some(place);
        if is_first {
            self.recent.clear();
        }
        Ok(())
    }
    fn add(&mut self, report: &Report) {
        match Failure::of_ending(report.ending, report.exit) {
            None => *self.counts.verdicts.entry(report.ending.word()).or_default() += 1,
            Some(failure) => *self.counts.failures.entry(failure).or_default() += 1,
        }
        self.counts.times.add(report.wall, report.cpu);
        if self.recent.len() == MOST_RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back(Instant::now());
    }
    /// Counts a result that a collector has rejected.
    pub(crate) fn reject(&mut self) {
        *self.counts.failures.entry(Failure::RejectedWitness).or_default() += 1;
    }
    /// Results for each minute.
    pub(crate) fn per_minute(&mut self) -> f64 {
        while self.recent.front().is_some_and(|when| when.elapsed() > RECENT) {
            self.recent.pop_front();
        }
        let minutes = self.begin.elapsed().min(RECENT).as_secs_f64() / 60.0;
        #[expect(clippy::cast_precision_loss, reason = "it is shown with one digit")]
        let count = self.recent.len() as f64;
        if minutes > 0.0 { count / minutes } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use shofar_bench::Answer;

    use super::*;
    use crate::hub::Store;
    use crate::memory::Memory;
    use crate::message::{Ending, Job, Report, Spec};
    use crate::priority::Priority;
    use crate::tests::runs::spec;

    fn store(hub: &Memory, number: usize, ending: Ending, wall: u64) {
        let spec = Spec { run: number.to_string(), ..spec(1, 4) };
        let job = Job { spec, seat: 0, priority: Priority::Low, name: String::new() };
        let report = Report::without_answer(&job, ending, "w", "");
        let report = Report { wall, cpu: 7, ..report };
        hub.create(Store::Results, job.spec.job().as_str(), &report.encode()).unwrap();
    }

    #[test]
    fn results_are_counted_by_kind_and_time() {
        let (hub, mut tally) = (Memory::new(), Tally::new());
        store(&hub, 0, Ending::Answered(Answer::Sat), 5);
        tally.follow(&hub).unwrap();
        assert!(tally.per_minute() < 0.001, "what was there before is no rate");
        store(&hub, 1, Ending::Answered(Answer::Timeout), 60_000);
        store(&hub, 2, Ending::Crashed, 10_000_000);
        hub.force(Store::Results, "nonsense", b"nonsense");
        tally.follow(&hub).unwrap();
        tally.follow(&hub).unwrap();
        tally.reject();
        assert!(tally.per_minute() > 1.0);
        let Counts { verdicts, failures, times } = tally.counts.clone();
        assert_eq!(verdicts, BTreeMap::from([("sat", 1)]));
        let of = [Failure::Timeout, Failure::WorkerLost, Failure::RejectedWitness];
        assert_eq!(failures, BTreeMap::from(of.map(|failure| (failure, 1))));
        assert_eq!(
            (times.classes, times.count, times.cpu),
            ([1, 0, 0, 0, 0, 0, 0, 1, 0, 0], 3, 21)
        );
    }

    #[test]
    fn a_hub_that_begins_anew_is_followed() {
        let (hub, mut tally) = (Memory::new(), Tally::new());
        store(&hub, 0, Ending::Answered(Answer::Sat), 5);
        tally.follow(&hub).unwrap();
        hub.lose_everything();
        tally.follow(&hub).unwrap();
        store(&hub, 1, Ending::Answered(Answer::Sat), 5);
        tally.follow(&hub).unwrap();
        assert_eq!(tally.counts.verdicts["sat"], 2);
    }
}
