//! How far a computation has come, in the words of its algorithm.

use std::fmt;

/// A place that an algorithm counts, and how many things it has there, as in
/// `level 12, 340 lemmas`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    place: Option<(&'static str, u64)>,
    things: Option<(u64, &'static str)>,
}

impl Stage {
    /// The place of this number.
    pub fn at(what: &'static str, number: impl TryInto<u64>) -> Self {
        Self { place: Some((what, counted(number))), things: None }
    }
    /// So many things, at no place that could be counted.
    pub fn of(count: impl TryInto<u64>, what: &'static str) -> Self {
        Self { place: None, things: Some((counted(count), what)) }
    }
    /// The same place, with so many things.
    #[must_use]
    pub fn with(self, count: impl TryInto<u64>, what: &'static str) -> Self {
        Self { things: Some((counted(count), what)), ..self }
    }
}

fn counted(number: impl TryInto<u64>) -> u64 {
    number.try_into().unwrap_or(u64::MAX)
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((what, number)) = self.place {
            write!(f, "{what} {number}")?;
        }
        if let Some((count, what)) = self.things {
            let comma = if self.place.is_some() { ", " } else { "" };
            write!(f, "{comma}{count} {what}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_are_told_in_words() {
        assert_eq!(Stage::at("level", 12).with(340, "lemmas").to_string(), "level 12, 340 lemmas");
        assert_eq!(Stage::at("depth", 3).to_string(), "depth 3");
        assert_eq!(Stage::of(5, "nodes").to_string(), "5 nodes");
    }
}
