//! Lower and upper bounds of columns, with the literals that assert them, and the trail that undoes
//! them.
//!
//! A bound is a δ-rational, so that `x < 3` is the bound `3 - δ`. A column has at most one bound
//! per side, the strongest asserted so far; a weaker one is not stored at all, because undoing the
//! trail brings back what was there.
//!
//! Invariant: every bound stems from exactly one asserted literal, so explanations are sets of
//! literals without a graph. Invariant: the lower bound of a column never exceeds its upper bound;
//! `Arith::assert` reports the conflict instead.
//!
//! Source: [DdM06], the bounds `l_i` and `u_i` and their backtracking.

use shofar_base::{IndexVec, Lit};
use shofar_num::Delta;

use super::tableau::Column;

/// The direction in which a bound limits its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Lower,
    Upper,
}

impl End {
    pub(crate) fn opposite(self) -> End {
        match self {
            End::Lower => End::Upper,
            End::Upper => End::Lower,
        }
    }
}

/// A limit and the literal that asserts it.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    pub(crate) value: Delta,
    pub(crate) lit: Lit,
}

/// The two limits of one column.
#[derive(Clone, Debug, Default)]
pub(crate) struct Limits {
    pub(crate) lower: Option<Bound>,
    pub(crate) upper: Option<Bound>,
}

impl Limits {
    pub(crate) fn at(&self, end: End) -> Option<&Bound> {
        match end {
            End::Lower => self.lower.as_ref(),
            End::Upper => self.upper.as_ref(),
        }
    }
    /// Whether nothing limits the column.
    #[inline]
    pub(crate) fn is_free(&self) -> bool {
        self.lower.is_none() && self.upper.is_none()
    }
    /// Whether only one value is left.
    pub(crate) fn is_fixed(&self) -> bool {
        matches!((&self.lower, &self.upper), (Some(l), Some(u)) if l.value == u.value)
    }
    #[inline]
    pub(crate) fn is_below(&self, value: &Delta) -> bool {
        self.lower.as_ref().is_some_and(|l| *value < l.value)
    }
    #[inline]
    pub(crate) fn is_above(&self, value: &Delta) -> bool {
        self.upper.as_ref().is_some_and(|u| *value > u.value)
    }
    /// Whether `value` lies on one of the limits.
    pub(crate) fn is_tight(&self, value: &Delta) -> bool {
        self.lower.as_ref().is_some_and(|l| *value == l.value)
            || self.upper.as_ref().is_some_and(|u| *value == u.value)
    }
    /// Whether `value` may grow.
    #[inline]
    pub(crate) fn has_room_above(&self, value: &Delta) -> bool {
        self.upper.as_ref().is_none_or(|u| *value < u.value)
    }
    /// Whether `value` may shrink.
    #[inline]
    pub(crate) fn has_room_below(&self, value: &Delta) -> bool {
        self.lower.as_ref().is_none_or(|l| *value > l.value)
    }
}

#[derive(Clone, Debug)]
struct Change {
    column: Column,
    end: End,
    before: Option<Bound>,
}

/// The limits of all columns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bounds {
    limits: IndexVec<Column, Limits>,
    trail: Vec<Change>,
}

impl Bounds {
    /// Room for one more column, without limits.
    pub(crate) fn add_column(&mut self) {
        self.limits.push(Limits::default());
    }
    #[inline]
    pub(crate) fn of(&self, column: Column) -> &Limits {
        &self.limits[column]
    }
    /// Replaces a bound by a stronger one.
    pub(crate) fn tighten(&mut self, column: Column, end: End, bound: Bound) {
        let limits = &mut self.limits[column];
        let slot = match end {
            End::Lower => &mut limits.lower,
            End::Upper => &mut limits.upper,
        };
        let before = slot.replace(bound);
        self.trail.push(Change { column, end, before });
    }
    /// How many bounds are on the trail.
    pub(crate) fn mark(&self) -> usize {
        self.trail.len()
    }
    /// Undoes everything since the trail had this length.
    pub(crate) fn undo_to(&mut self, mark: usize) {
        for change in self.trail.drain(mark..).rev() {
            let limits = &mut self.limits[change.column];
            match change.end {
                End::Lower => limits.lower = change.before,
                End::Upper => limits.upper = change.before,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use shofar_base::{Idx, Var};
    use shofar_num::Rational;

    use super::*;

    #[test]
    fn undoing_brings_back_the_weaker_bound() {
        let mut bounds = Bounds::default();
        bounds.add_column();
        let x = Column::from_index(0);
        let lit = Var::from_index(0).positive();
        let at = |value: i64| Bound { value: Rational::from(value).into(), lit };
        bounds.tighten(x, End::Upper, at(9));
        let mark = bounds.mark();
        bounds.tighten(x, End::Upper, at(4));
        bounds.tighten(x, End::Lower, at(4));
        assert!(bounds.of(x).is_fixed());
        bounds.undo_to(mark);
        assert!(bounds.of(x).lower.is_none());
        assert!(bounds.of(x).is_above(&Rational::from(10).into()));
        assert!(!bounds.of(x).is_above(&Rational::from(9).into()));
    }
}
