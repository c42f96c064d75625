//! Which engines work on a problem, in which order and for how long.
//!
//! The table is a decision list: the first row all of whose conditions hold is used. A row has time
//! slices, which are taken in order; between its slices an engine is paused. Behind the row come
//! rounds of growing slices for all engines that can handle the problem, so that none waits for
//! ever. `cargo xtask strategy` measures the engines one by one and writes the table; it is not
//! changed by hand.

mod table;

use std::time::Duration;

pub use table::TABLE;

use crate::features::{Feature, Features};

/// A condition of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The figure is at least this.
    AtLeast(Feature, u64),
    /// The figure is smaller than this.
    Below(Feature, u64),
}

impl Condition {
    /// Whether it holds.
    pub fn holds(&self, features: &Features) -> bool {
        match *self {
            Condition::AtLeast(feature, bound) => features.get(feature) >= bound,
            Condition::Below(feature, bound) => features.get(feature) < bound,
        }
    }
}

/// A time slice: the name of an engine and milliseconds.
pub type Slice = (&'static str, u64);

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// When it is used.
    pub when: &'static [Condition],
    /// What is done then.
    pub slices: &'static [Slice],
}

impl Row {
    /// How long an engine works in this row.
    pub fn share(&self, engine: &str) -> Duration {
        let own = self.slices.iter().filter(|(name, _)| *name == engine);
        Duration::from_millis(own.map(|&(_, slice)| slice).sum())
    }
}

/// The row for a problem.
pub(crate) fn row_for(features: &Features) -> &'static Row {
    TABLE
        .iter()
        .find(|row| row.when.iter().all(|condition| condition.holds(features)))
        .expect("the last row has no conditions")
}

#[cfg(test)]
mod tests {
    use shofar_engine::engine;

    use super::*;

    #[test]
    fn every_problem_has_a_row_with_engines_that_exist() {
        assert!(TABLE.last().is_some_and(|row| row.when.is_empty()));
        for row in TABLE {
            assert!(!row.slices.is_empty());
            for (name, slice) in row.slices {
                assert!(engine(name).is_some(), "{name}");
                assert!(*slice > 0);
            }
        }
    }

    #[test]
    fn conditions_compare_figures() {
        let features = Features::from_values([1, 0, 1, 3, 9, 0, 5, 100, 0, 0]);
        assert!(Condition::AtLeast(Feature::Nonlinear, 1).holds(&features));
        assert!(!Condition::AtLeast(Feature::Size, 101).holds(&features));
        assert!(Condition::Below(Feature::Size, 101).holds(&features));
        assert_eq!(features.get(Feature::Arguments), 9);
    }
}
