//! A decision tree whose leaves are time slices.
//!
//! Which engines apply at all, and how hard arithmetic is for them, depends on whether clauses are
//! nonlinear and whether there are reals: these divisions are always made. Further, a leaf is
//! divided where that lowers the cross-validated cost: each third of its problems judges slices
//! that were fitted on the other two. So a division that only fits the noise is not made.

use shofar_driver::{Condition, Feature, Features};

use super::data::Sample;
use super::slices::{Slice, cost, fit};

/// What problems are divided by in any case.
const GIVEN: [Feature; 2] = [Feature::Nonlinear, Feature::Reals];
/// No leaf has fewer problems.
const SMALLEST: usize = 30;
/// No row has more conditions besides those.
const DEEPEST: usize = 2;
/// How much a division must lower the cost, in per cent.
const WORTHWHILE: u64 = 10;
/// Into how many parts the problems of a leaf are divided to judge it.
const PARTS: usize = 3;

/// A fitted strategy.
pub(crate) enum Tree {
    Leaf { slices: Vec<Slice>, problems: usize },
    Node { feature: Feature, bound: u64, below: Box<Tree>, at_least: Box<Tree> },
}

/// A row of the table: conditions, slices, and how many problems it was fitted on.
pub(crate) type Row = (Vec<Condition>, Vec<Slice>, usize);

impl Tree {
    /// The strategy for problems like these.
    pub(crate) fn fit(samples: &[&Sample], limit: u64) -> Self {
        Self::divided(samples, limit, &GIVEN)
    }
    fn divided(samples: &[&Sample], limit: u64, given: &[Feature]) -> Self {
        let Some((&feature, given)) = given.split_first() else {
            return Self::grow(samples, limit, judged(samples, limit), 0);
        };
        let (below, above) = divide(samples, feature, 1);
        if below.is_empty() || above.is_empty() {
            return Self::divided(samples, limit, given);
        }
        Tree::Node {
            feature,
            bound: 1,
            below: Box::new(Self::divided(&below, limit, given)),
            at_least: Box::new(Self::divided(&above, limit, given)),
        }
    }
    fn grow(samples: &[&Sample], limit: u64, whole: u64, depth: usize) -> Self {
        let leaf = || Tree::Leaf { slices: fit(samples, limit), problems: samples.len() };
        if depth == DEEPEST || samples.len() < 2 * SMALLEST {
            return leaf();
        }
        let divisions = candidates(samples).into_iter().filter_map(|(feature, bound)| {
            let (below, above) = divide(samples, feature, bound);
            if below.len() < SMALLEST || above.len() < SMALLEST {
                return None;
            }
            let costs = (judged(&below, limit), judged(&above, limit));
            Some((costs, feature, bound, below, above))
        });
        match divisions.min_by_key(|((a, b), ..)| a + b) {
            Some(((a, b), feature, bound, below, above))
                if (a + b) * 100 < whole * (100 - WORTHWHILE) =>
            {
                Tree::Node {
                    feature,
                    bound,
                    below: Box::new(Self::grow(&below, limit, a, depth + 1)),
                    at_least: Box::new(Self::grow(&above, limit, b, depth + 1)),
                }
            }
            Some(_) | None => leaf(),
        }
    }
    /// The slices for a problem.
    pub(crate) fn slices(&self, features: &Features) -> &[Slice] {
        match self {
            Tree::Leaf { slices, .. } => slices,
            Tree::Node { feature, bound, below, at_least } => {
                let side = if features.get(*feature) < *bound { below } else { at_least };
                side.slices(features)
            }
        }
    }
    /// The tree as rows of a decision list; the last one has no conditions.
    pub(crate) fn rows(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        self.collect(&mut Vec::new(), &mut rows);
        if let Some(last) = rows.last_mut() {
            last.0.clear(); // All other cases have been dealt with.
        }
        rows
    }
    fn collect(&self, path: &mut Vec<Condition>, rows: &mut Vec<Row>) {
        match self {
            Tree::Leaf { slices, problems } => rows.push((path.clone(), slices.clone(), *problems)),
            Tree::Node { feature, bound, below, at_least } => {
                path.push(Condition::AtLeast(*feature, *bound));
                at_least.collect(path, rows);
                path.pop();
                // What a row with the contrary has not taken needs no condition.
                let is_implied = matches!(**at_least, Tree::Leaf { .. });
                if !is_implied {
                    path.push(Condition::Below(*feature, *bound));
                }
                below.collect(path, rows);
                if !is_implied {
                    path.pop();
                }
            }
        }
    }
}

/// The cost of fitted slices for problems that they were not fitted on.
fn judged(samples: &[&Sample], limit: u64) -> u64 {
    let part = |part: usize, inside: bool| -> Vec<&Sample> {
        let chosen = samples.iter().enumerate().filter(|(at, _)| (at % PARTS == part) == inside);
        chosen.map(|(_, &sample)| sample).collect()
    };
    (0..PARTS).map(|at| cost(&fit(&part(at, false), limit), &part(at, true), limit)).sum()
}

fn divide<'s>(
    samples: &[&'s Sample],
    feature: Feature,
    bound: u64,
) -> (Vec<&'s Sample>, Vec<&'s Sample>) {
    samples.iter().partition(|sample| sample.features.get(feature) < bound)
}

/// Where samples can be divided: yes or no, or at a quarter, half and three quarters, rounded to a
/// readable number.
fn candidates(samples: &[&Sample]) -> Vec<(Feature, u64)> {
    let mut all = Vec::new();
    for feature in Feature::ALL {
        let mut values: Vec<u64> = samples.iter().map(|s| s.features.get(feature)).collect();
        values.sort_unstable();
        let quantile = |quarter: usize| readable(values[quarter * (values.len() - 1) / 4]);
        let mut bounds = vec![1, quantile(1), quantile(2), quantile(3)];
        bounds.sort_unstable();
        bounds.dedup();
        all.extend(bounds.into_iter().filter(|&bound| bound > 0).map(|bound| (feature, bound)));
    }
    all
}

/// The number with one leading digit that counts.
fn readable(number: u64) -> u64 {
    let scale = 10u64.saturating_pow(number.max(1).ilog10());
    number.div_ceil(scale) * scale
}
