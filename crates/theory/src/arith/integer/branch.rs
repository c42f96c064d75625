//! Branch and bound: the case distinction on one term.
//!
//! The term is one with few values left, and among equals one whose value is far from integral,
//! since then both cases move the assignment most. If every fractional term is unbounded, branching
//! on it may go on for ever; terms with few values, remainders above all, are then fixed first,
//! although they are integral: once they are, cuts decide the equations between quotients.
//!
//! Source: [DdM06b], branch and bound.

use shofar_num::{Delta, Rational};

use super::super::Arith;
use super::super::tableau::Column;
use super::Cut;

/// A term has few values if the largest is at most this much above the smallest.
const FEW: i64 = 16;
/// After so many splits, only every second one fixes an integral term, so that neither kind of
/// branch starves the other.
const PATIENCE: u32 = 500;

impl Arith {
    /// The branch on one of the fractional columns, of which there is at least one, or on a term
    /// with few values.
    pub(super) fn branch(&self, fractional: &[Column]) -> Cut {
        let key = |x: &Column| (self.domain(*x), distance_from_half(self.simplex.value(*x)), *x);
        let best = *fractional.iter().min_by_key(|x| key(x)).expect("some column is fractional");
        let bounded = self.domain(best).0 == 0;
        let splits = self.integer.splits;
        let fixes = !bounded && (splits <= PATIENCE || splits.is_multiple_of(2));
        let other = if fixes { self.few_values() } else { None };
        let (x, bound) = other.unwrap_or_else(|| (best, self.simplex.value(best).floor()));
        Cut { form: vec![(Rational::ONE, self.forms[x].term)], bound }
    }
    /// A term with few values left, but more than one, and where to divide them.
    fn few_values(&self) -> Option<(Column, Rational)> {
        let tableau = &self.simplex.tableau;
        let terms =
            tableau.columns().filter(|&x| tableau.is_integer(x) && self.simplex.is_opaque(x));
        let ranges = terms.filter_map(|x| {
            let limits = self.simplex.bounds.of(x);
            let (lower, upper) =
                (&limits.lower.as_ref()?.value.real, &limits.upper.as_ref()?.value.real);
            Some((upper - lower, x, upper))
        });
        let few = ranges.filter(|(width, ..)| !width.is_zero() && *width <= FEW.into());
        let (_, x, upper) = few.min()?;
        Some((x, self.simplex.evaluate(x).floor().min(upper - &Rational::ONE)))
    }
    /// How wide the bounds are: bounded terms come before half-bounded and free ones.
    fn domain(&self, x: Column) -> (u8, Rational) {
        let limits = self.simplex.bounds.of(x);
        match (&limits.lower, &limits.upper) {
            (Some(lower), Some(upper)) => (0, &upper.value.real - &lower.value.real),
            (None, Some(_)) | (Some(_), None) => (1, Rational::ZERO),
            (None, None) => (2, Rational::ZERO),
        }
    }
}

fn distance_from_half(value: &Delta) -> Rational {
    (value.real.fract() - Rational::new(1, 2)).abs()
}
