//! Concrete values: a number for the infinitesimal δ that keeps every bound.
//!
//! A value `v + k·δ` above a bound `b + m·δ` stays above it for every positive δ unless `v > b` and
//! `k < m`; then δ must not exceed `(v - b) / (m - k)`. The least of these limits, and 1, is small
//! enough for all bounds at once.
//!
//! Source: [DdM06], the choice of `ε`.

use shofar_num::{Delta, Rational};
use shofar_term::Term;

use super::Arith;
use super::tableau::Place;

/// The largest δ, if there is a largest, for which `low <= high` stays true.
fn largest_delta(low: &Delta, high: &Delta) -> Option<Rational> {
    (low.delta > high.delta).then(|| (&high.real - &low.real) / (&low.delta - &high.delta))
}

impl Arith {
    /// The values of all opaque terms, in the order in which they became known.
    pub(crate) fn concrete_values(&self) -> Vec<(Term, Rational)> {
        let delta = self.small_delta();
        let values = self.simplex.all_values();
        let opaque = self.simplex.tableau.columns().filter(|&x| self.simplex.is_opaque(x));
        opaque
            .map(|x| {
                let Delta { real, delta: slope } = &values[x];
                let mut value = real.clone();
                value.add_mul(slope, &delta);
                (self.forms[x].term, value)
            })
            .collect()
    }
    fn small_delta(&self) -> Rational {
        let mut delta = Rational::ONE;
        for x in self.simplex.tableau.columns() {
            let limits = self.simplex.bounds.of(x);
            if limits.is_free() || self.simplex.tableau.place(x) == Place::Dormant {
                continue;
            }
            let value = self.simplex.value(x);
            let below = limits.lower.as_ref().and_then(|l| largest_delta(&l.value, value));
            let above = limits.upper.as_ref().and_then(|u| largest_delta(value, &u.value));
            for limit in [below, above].into_iter().flatten() {
                delta = delta.min(limit);
            }
        }
        delta
    }
}
