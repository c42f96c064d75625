//! How much engines told each other, and what it was good for.
//!
//! For each pair: *sent* are the messages of one that were handed to the other, *taken* those that
//! the other says it works with, *used* those that are in its invariant as they came. A lemma that
//! only led to others, and what a refutation owes to lemmas, cannot be told from the witness; so
//! `used` is a lower bound.

use std::borrow::Cow;

/// What one engine got from another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Traffic {
    /// Who said it.
    pub from: Cow<'static, str>,
    /// Who heard it.
    pub to: Cow<'static, str>,
    /// How many messages were handed over.
    pub sent: u64,
    /// How many of them are worked with.
    pub taken: u64,
    /// How many of these are part of the invariant that was found.
    pub used: u64,
}

/// The traffic of a problem, in the order in which pairs first met.
#[derive(Debug, Default)]
pub(super) struct Ledger(Vec<Traffic>);

impl Ledger {
    /// The entry of a pair.
    pub(super) fn of(&mut self, from: &str, to: &'static str) -> &mut Traffic {
        let known = self.0.iter().position(|t| t.from == from && t.to == to);
        let at = known.unwrap_or_else(|| {
            let (from, to) = (Cow::Owned(from.to_owned()), Cow::Borrowed(to));
            self.0.push(Traffic { from, to, sent: 0, taken: 0, used: 0 });
            self.0.len() - 1
        });
        &mut self.0[at]
    }
    /// All entries.
    pub(super) fn entries(&self) -> Vec<Traffic> {
        self.0.clone()
    }
}
