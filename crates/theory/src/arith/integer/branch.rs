//! Branch and bound: the case distinction on one term.
//!
//! The term is one with few values left, and among equals one whose value is far from integral, since then both cases
//! move the assignment most.
//!
//! Source: [DdM06b], branch and bound.

use shofar_num::{Delta, Rational};

use super::super::Arith;
use super::super::tableau::Column;
use crate::theory::Split;

impl Arith {
    /// The branch on one of the fractional columns, of which there is at least one.
    pub(super) fn branch(&self, fractional: &[Column]) -> Split {
        let key = |x: &Column| (self.domain(*x), distance_from_half(self.simplex.value(*x)), *x);
        let best = fractional.iter().min_by_key(|x| key(x)).expect("some column is fractional");
        let bound = self.simplex.value(*best).floor();
        Split { form: vec![(Rational::ONE, self.forms[*best].term)], bound }
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
