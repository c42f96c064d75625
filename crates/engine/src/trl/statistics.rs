//! What a run did.

use shofar_term::{Phase, PhaseTimes};

/// Counters of one direction.
#[derive(Clone, Debug, Default)]
pub(super) struct Statistics {
    /// Relations learned.
    pub(super) learned: u64,
    /// Those that are exact.
    pub(super) exact: u64,
    /// Those that may relate more than repetitions do.
    pub(super) over: u64,
    /// Blocking clauses.
    pub(super) blocked: u64,
    /// Those because of relations that were known.
    pub(super) covered: u64,
    /// The greatest number of frames.
    pub(super) deepest: u64,
    /// Relations that were withdrawn or refined.
    pub(super) refinements: u64,
}

impl Statistics {
    /// All of it, by name, and the times of the phases.
    pub(super) fn rows(&self, times: &PhaseTimes) -> Vec<(&'static str, u64)> {
        vec![
            ("learned", self.learned),
            ("exact", self.exact),
            ("over", self.over),
            ("blocked", self.blocked),
            ("covered", self.covered),
            ("depth", self.deepest),
            ("refinements", self.refinements),
            ("us_solving", times.micros(Phase::Solving)),
            ("us_projection", times.micros(Phase::Projection)),
            ("us_generalisation", times.micros(Phase::Generalization)),
        ]
    }
    /// The counts of both; the greater depth.
    pub(super) fn and(&self, other: &Self) -> Self {
        Self {
            learned: self.learned + other.learned,
            exact: self.exact + other.exact,
            over: self.over + other.over,
            blocked: self.blocked + other.blocked,
            covered: self.covered + other.covered,
            deepest: self.deepest.max(other.deepest),
            refinements: self.refinements + other.refinements,
        }
    }
}
