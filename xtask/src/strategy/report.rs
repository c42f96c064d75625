//! The figures of a fitted strategy beside those of the engines alone.

use shofar_engine::ENGINES;

use super::data::{Ran, Sample};
use super::slices::decided_at;
use super::tree::Tree;
use crate::table::Table;

/// For every suite: the best engine alone, all engines together, the strategy, and the strategy on
/// unseen problems.
pub(crate) fn table(samples: &[Sample], tree: &Tree, unseen: &[Option<u64>], limit: u64) -> String {
    let mut table = Table::new(&[
        "suite",
        "problems",
        "best engine",
        "solved",
        "any engine",
        "fitted",
        "unseen",
        "PAR-2 best",
        "PAR-2 unseen",
    ]);
    let mut suites: Vec<&str> = Vec::new();
    for sample in samples {
        if !suites.contains(&sample.suite.as_str()) {
            suites.push(&sample.suite);
        }
    }
    let total = "all".to_owned();
    for suite in suites.into_iter().map(Some).chain([None]) {
        let chosen: Vec<usize> = (0..samples.len())
            .filter(|&at| suite.is_none_or(|suite| samples[at].suite == suite))
            .collect();
        let alone = |engine: usize| -> Vec<Option<u64>> {
            chosen.iter().map(|&at| time(samples[at].runs[engine], limit)).collect()
        };
        let best = (0..ENGINES.len())
            .max_by_key(|&e| (solved(&alone(e)), u64::MAX - par2(&alone(e), limit)));
        let best = best.expect("there are engines");
        let any = chosen
            .iter()
            .filter(|&&at| (0..ENGINES.len()).any(|e| time(samples[at].runs[e], limit).is_some()));
        let fitted: Vec<Option<u64>> = chosen
            .iter()
            .map(|&at| decided_at(tree.slices(&samples[at].features), &samples[at], limit))
            .collect();
        let judged: Vec<Option<u64>> = chosen.iter().map(|&at| unseen[at]).collect();
        table.row(vec![
            suite.map_or(total.clone(), str::to_owned),
            chosen.len().to_string(),
            ENGINES[best].name.to_owned(),
            solved(&alone(best)).to_string(),
            any.count().to_string(),
            solved(&fitted).to_string(),
            solved(&judged).to_string(),
            seconds(par2(&alone(best), limit)),
            seconds(par2(&judged, limit)),
        ]);
    }
    table.text()
}

fn time(run: Ran, limit: u64) -> Option<u64> {
    match run {
        Ran::Decided(time) => (time <= limit).then_some(time),
        Ran::GaveUp(_) | Ran::Endless => None,
    }
}

fn solved(times: &[Option<u64>]) -> usize {
    times.iter().flatten().count()
}

fn par2(times: &[Option<u64>], limit: u64) -> u64 {
    times.iter().map(|time| time.unwrap_or(2 * limit)).sum()
}

fn seconds(milliseconds: u64) -> String {
    format!("{}.{}", milliseconds / 1000, milliseconds / 100 % 10)
}
