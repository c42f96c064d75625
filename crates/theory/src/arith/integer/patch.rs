//! Patching: makes a fractional basic integer integral by shifting one non-basic integer of its
//! row.
//!
//! In the row `b·x + a·y + … = 0` a shift of `y` by an integer `s` moves `x` by `-(a/b)·s`. With
//! `-a/b = p/q` reduced and `x = v`, the new value is integral iff `p·s ≡ -q·v (mod q)`, which a
//! modular inverse solves for `s`. The shift is done if `y` and all basic columns that depend on it
//! stay within their bounds and no integral one becomes fractional.
//!
//! Source: [BN24], the section on patching.

use shofar_num::{Delta, Rational, extended_gcd, mod_euclid};

use super::super::Arith;
use super::super::tableau::{Column, Place};
use super::is_integral;

/// Rows longer than this, and columns with more occurrences, are not worth the try.
const LONGEST: usize = 200;

impl Arith {
    /// Patches what it can; tells whether it has moved anything.
    pub(super) fn patch(&mut self, fractional: &[Column]) -> bool {
        let before = self.stats.patches;
        for &x in fractional {
            if let Some((y, step)) = self.find_patch(x) {
                self.simplex.shift(y, &Delta::from(step));
                self.stats.patches += 1;
            }
        }
        self.simplex.settle();
        self.stats.patches > before
    }
    fn find_patch(&self, x: Column) -> Option<(Column, Rational)> {
        let Place::Basic(row) = self.simplex.tableau.place(x) else { return None };
        let value = self.simplex.value(x);
        if is_integral(value)
            || !value.is_real()
            || self.simplex.tableau.entries(row).len() > LONGEST
        {
            return None;
        }
        let pivot = self.simplex.tableau.pivot_coefficient(row);
        for entry in self.simplex.tableau.entries(row) {
            let y = entry.column;
            let movable = y != x
                && self.forms[y].integer
                && !self.simplex.bounds.of(y).is_fixed()
                && self.simplex.tableau.occurrence_count(y) <= LONGEST;
            if !movable {
                continue;
            }
            let ratio = -(&entry.coefficient / pivot);
            let Some((up, down)) = steps(&ratio, &value.real) else { continue };
            for step in [up, down] {
                if self.allows_shift(y, &step) {
                    return Some((y, step));
                }
            }
        }
        None
    }
    /// Whether a shift of `y` keeps all bounds, and all integral values of integers.
    pub(in super::super) fn allows_shift(&self, y: Column, step: &Rational) -> bool {
        let fits = |x: Column, factor: &Rational| {
            let mut value = self.simplex.value(x).clone();
            let was_integral = is_integral(&value);
            value.real.add_mul(factor, step);
            let limits = self.simplex.bounds.of(x);
            let spoils = self.forms[x].integer && was_integral && !is_integral(&value);
            !spoils && !limits.is_below(&value) && !limits.is_above(&value)
        };
        fits(y, &Rational::ONE)
            && self.simplex.tableau.mentions(y).all(|(row, coefficient)| {
                let factor = -(coefficient / self.simplex.tableau.pivot_coefficient(row));
                fits(self.simplex.tableau.basic(row), &factor)
            })
    }
}

/// The least positive and the greatest negative integer `s` with `value + ratio·s` integral, if
/// there are any.
fn steps(ratio: &Rational, value: &Rational) -> Option<(Rational, Rational)> {
    let (p, q) = (ratio.numerator(), ratio.denominator());
    let residue = value * &q;
    if q.is_one() || !residue.is_integer() {
        return None;
    }
    let (_, inverse, _) = extended_gcd(&p, &q);
    let up = mod_euclid(&-(residue * inverse), &q)?;
    let down = &up - &q;
    Some((up, down))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_steps_make_the_value_integral() {
        for (p, q, n) in [(1, 2, 1), (3, 7, 5), (-5, 6, 1), (4, 9, -2)] {
            let (ratio, value) = (Rational::new(p, q), Rational::new(n, q));
            let (up, down) = steps(&ratio, &value).unwrap();
            assert!(up.is_positive() && down.is_negative());
            for step in [up, down] {
                assert!((&value + &ratio * &step).is_integer());
            }
        }
        assert!(steps(&Rational::new(1, 2), &Rational::new(1, 3)).is_none());
    }
}
