//! What a run did.

use super::guide::GuessRule;

/// Counters.
#[derive(Clone, Debug, Default)]
pub(super) struct Statistics {
    pub(super) obligations: u64,
    pub(super) queries: u64,
    pub(super) inductions: u64,
    pub(super) pushes: u64,
    pub(super) skipped_pushes: u64,
    pub(super) lemmas: u64,
    pub(super) facts: u64,
    pub(super) subsumed: u64,
    pub(super) conjectured: u64,
    pub(super) splits: u64,
    /// Guesses that were reached.
    pub(super) refuted: u64,
    /// Guesses that ran out of gas.
    pub(super) abandoned: u64,
}

impl Statistics {
    /// Counts a guess.
    pub(super) fn guessed(&mut self, rule: GuessRule) {
        match rule {
            GuessRule::Subsume => self.subsumed += 1,
            GuessRule::Conjecture => self.conjectured += 1,
        }
    }
}
