//! Bounds of octagonal matrices: numbers, and minima of lines over a parameter.
//!
//! A parametric matrix stands for one matrix for every `k ≥ 0`. Its entries are minima of lines
//! `c + λk`, since shortest paths add and compare entries. A line that lies above another for all
//! `k ≥ 0` is left out.

use shofar_num::Rational;

/// What the entries of a matrix may be.
pub(super) trait Bound: Clone + PartialEq {
    /// The sum; nothing if it becomes too complex.
    fn plus(&self, other: &Self) -> Option<Self>;
    /// The smaller one, for every value of the parameter.
    fn min(&self, other: &Self) -> Self;
    /// Whether taking the minimum with `self` does not change `other`.
    fn is_above(&self, other: &Self) -> bool;
    /// The largest even number that is not above; nothing if that is no such bound.
    fn even(&self) -> Option<Self>;
    /// The half.
    fn half(&self) -> Self;
    /// The largest value of the parameter up to which it is not negative.
    fn while_not_negative(&self) -> Until;
}

/// Up to which value of the parameter something holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Until {
    /// For none.
    Never,
    /// Up to this one.
    Last(Rational),
    /// For all.
    Always,
}

/// So many lines an entry may have.
const MOST_LINES: usize = 6;

impl Bound for Rational {
    fn plus(&self, other: &Self) -> Option<Self> {
        Some(self + other)
    }
    fn min(&self, other: &Self) -> Self {
        Ord::min(self, other).clone()
    }
    fn is_above(&self, other: &Self) -> bool {
        self >= other
    }
    fn even(&self) -> Option<Self> {
        let two = Rational::from(2);
        Some((self / &two).floor() * two)
    }
    fn half(&self) -> Self {
        self / Rational::from(2)
    }
    fn while_not_negative(&self) -> Until {
        if self.is_negative() { Until::Never } else { Until::Always }
    }
}

/// `start + slope·k`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Line {
    pub(super) start: Rational,
    pub(super) slope: Rational,
}

impl Line {
    fn is_above(&self, other: &Self) -> bool {
        self.start >= other.start && self.slope >= other.slope
    }
    /// Whether it is not below `other` up to this value.
    fn is_above_until(&self, other: &Self, until: &Until) -> bool {
        let at = |line: &Line, k: &Rational| &line.start + &line.slope * k;
        match until {
            Until::Never => true,
            Until::Last(last) => self.start >= other.start && at(self, last) >= at(other, last),
            Until::Always => self.is_above(other),
        }
    }
}

/// The minimum of lines. Invariant: sorted, at least one, none above another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lines(Vec<Line>);

impl Lines {
    /// A single line.
    pub(super) fn of(start: Rational, slope: Rational) -> Self {
        Self(vec![Line { start, slope }])
    }
    fn reduced(mut lines: Vec<Line>) -> Self {
        lines.sort_unstable();
        lines.dedup();
        let is_least =
            |line: &Line| !lines.iter().any(|other| other != line && line.is_above(other));
        Self(lines.iter().filter(|line| is_least(line)).cloned().collect())
    }
    /// The line, if there is only one.
    pub(super) fn single(&self) -> Option<&Line> {
        if let [only] = &self.0[..] { Some(only) } else { None }
    }
    /// Whether the minimum is `line`, up to this value of the parameter.
    pub(super) fn is_line_until(&self, line: &Line, until: &Until) -> bool {
        let is_one = match until {
            Until::Last(last) if last.is_zero() => self.0.iter().any(|l| l.start == line.start),
            Until::Never | Until::Last(_) | Until::Always => self.0.contains(line),
        };
        is_one && self.0.iter().all(|other| other.is_above_until(line, until))
    }
}

impl Bound for Lines {
    fn plus(&self, other: &Self) -> Option<Self> {
        let sums = self.0.iter().flat_map(|a| {
            other.0.iter().map(|b| Line { start: &a.start + &b.start, slope: &a.slope + &b.slope })
        });
        let sum = Self::reduced(sums.collect());
        (sum.0.len() <= MOST_LINES).then_some(sum)
    }
    fn min(&self, other: &Self) -> Self {
        Self::reduced(self.0.iter().chain(&other.0).cloned().collect())
    }
    fn is_above(&self, other: &Self) -> bool {
        self.0.iter().all(|line| other.0.iter().any(|below| line.is_above(below)))
    }
    fn even(&self) -> Option<Self> {
        let lines: Option<Vec<Line>> = self
            .0
            .iter()
            .map(|line| {
                let keeps_parity = line.slope.half().is_integer();
                keeps_parity.then(|| Line {
                    start: line.start.even().unwrap_or_default(),
                    slope: line.slope.clone(),
                })
            })
            .collect();
        lines.map(Self::reduced)
    }
    fn half(&self) -> Self {
        let lines = self.0.iter().map(|l| Line { start: l.start.half(), slope: l.slope.half() });
        Self(lines.collect())
    }
    fn while_not_negative(&self) -> Until {
        let until = |line: &Line| match (line.start.is_negative(), line.slope.is_negative()) {
            (true, _) => Until::Never,
            (false, true) => Until::Last((&line.start / &-&line.slope).floor()),
            (false, false) => Until::Always,
        };
        self.0.iter().map(until).min().unwrap_or(Until::Always)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minimum_keeps_what_is_least_somewhere() {
        let line = |start: i64, slope: i64| Lines::of(start.into(), slope.into());
        let both = line(0, 2).min(&line(3, 1));
        assert_eq!(both.min(&line(3, 2)), both);
        assert!(line(4, 1).is_above(&both) && !line(1, 1).is_above(&both));
        let sum = both.plus(&line(1, -1)).unwrap();
        assert_eq!(sum, line(1, 1).min(&line(4, 0)));
        let steep = Line { start: 0.into(), slope: 2.into() };
        assert!(both.is_line_until(&steep, &Until::Last(3.into())));
        assert!(!both.is_line_until(&steep, &Until::Last(4.into())));
    }

    #[test]
    fn parity_of_a_line_needs_an_even_slope() {
        assert_eq!(Lines::of(3.into(), 2.into()).even(), Some(Lines::of(2.into(), 2.into())));
        assert_eq!(Lines::of(2.into(), 1.into()).even(), None);
        assert_eq!(Lines::of(7.into(), (-2).into()).while_not_negative(), Until::Last(3.into()));
    }
}
