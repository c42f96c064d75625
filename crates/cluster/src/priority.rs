//! Which jobs are taken first.
//!
//! Every priority has a queue of its own on the hub. A free place asks for a job of the highest
//! priority first, so a job waits as long as there are jobs of a higher one. A job that has begun
//! is not interrupted. The priority is not part of the name of a job: the same problem is the same
//! job, however urgent it is.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// How urgent a job is.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Priority {
    /// Before all others.
    High,
    /// As usual.
    #[default]
    Normal,
    /// When there is nothing else to do.
    Low,
}

impl Priority {
    /// All of them, in the order in which they are taken.
    pub(crate) const ALL: [Self; 3] = [Self::High, Self::Normal, Self::Low];

    /// What it is called on the command line and on the hub.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Priority::High => "high",
            Priority::Normal => "normal",
            Priority::Low => "low",
        }
    }
    /// The number for it in messages.
    pub(crate) fn code(self) -> u8 {
        match self {
            Priority::High => 0,
            Priority::Normal => 1,
            Priority::Low => 2,
        }
    }
    /// The priority with this number; other numbers are out of range.
    pub(crate) fn of_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|priority| priority.code() == code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_out_of_range_are_no_priorities() {
        for code in 0..=u8::MAX {
            assert_eq!(Priority::of_code(code).map(Priority::code), (code < 3).then_some(code));
        }
        assert!(Priority::ALL.is_sorted());
    }
}
