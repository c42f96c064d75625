//! What a computation counted, by name.
//!
//! Names are mostly constants of the program, which costs nothing; those that come from another
//! process are owned. The order is the one in which they were counted, so that a report reads the
//! same in every run.

use std::borrow::Cow;

/// Names with counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    entries: Vec<(Cow<'static, str>, u64)>,
}

impl Statistics {
    /// Nothing was counted.
    pub fn new() -> Self {
        Self::default()
    }
    /// Adds an entry behind the others.
    pub fn push(&mut self, name: impl Into<Cow<'static, str>>, count: u64) {
        self.entries.push((name.into(), count));
    }
    /// The entries in their order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, u64)> {
        self.entries.iter().map(|(name, count)| (name.as_ref(), *count))
    }
    /// The first count of this name.
    pub fn count(&self, name: &str) -> Option<u64> {
        self.iter().find(|&(other, _)| other == name).map(|(_, count)| count)
    }
    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl<N: Into<Cow<'static, str>>> FromIterator<(N, u64)> for Statistics {
    fn from_iter<I: IntoIterator<Item = (N, u64)>>(entries: I) -> Self {
        Self { entries: entries.into_iter().map(|(name, count)| (name.into(), count)).collect() }
    }
}
