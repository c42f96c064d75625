//! Exact fractions over `i128` with checked operations: the arithmetic of planted models.
//!
//! A generated term carries its value in a model chosen beforehand. The kit uses its own small
//! numbers instead of the solver's, so that a fault in those cannot hide itself; whatever overflows
//! simply has no known value (`None`).

use std::cmp::Ordering;
use std::fmt;

/// A fraction in lowest terms with a positive denominator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratio {
    numerator: i128,
    denominator: i128,
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i128::try_from(a).unwrap_or(1)
}

impl Ratio {
    /// The integer `n`.
    pub fn int(n: i128) -> Self {
        Self { numerator: n, denominator: 1 }
    }
    /// `n / d` in lowest terms; `None` if `d` is zero or something overflows.
    pub fn new(n: i128, d: i128) -> Option<Self> {
        if d == 0 {
            return None;
        }
        let g = gcd(n, d).checked_mul(d.signum())?;
        Some(Self { numerator: n / g, denominator: d / g })
    }
    /// Sum, if it fits.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        let left = self.numerator.checked_mul(other.denominator)?;
        let right = other.numerator.checked_mul(self.denominator)?;
        Self::new(left.checked_add(right)?, self.denominator.checked_mul(other.denominator)?)
    }
    /// Negation, if it fits.
    pub fn checked_neg(self) -> Option<Self> {
        Some(Self { numerator: self.numerator.checked_neg()?, denominator: self.denominator })
    }
    /// Product, if it fits.
    pub fn checked_mul(self, other: Self) -> Option<Self> {
        Self::new(
            self.numerator.checked_mul(other.numerator)?,
            self.denominator.checked_mul(other.denominator)?,
        )
    }
    /// Quotient, if it fits and `other` is not zero.
    pub fn checked_div(self, other: Self) -> Option<Self> {
        Self::new(
            self.numerator.checked_mul(other.denominator)?,
            self.denominator.checked_mul(other.numerator)?,
        )
    }
    /// The largest integer not above this number.
    pub fn floor(self) -> Self {
        Self::int(self.numerator.div_euclid(self.denominator))
    }
    /// Whether this is an integer.
    pub fn is_integer(self) -> bool {
        self.denominator == 1
    }
    /// The integer value, if it is one.
    pub fn to_int(self) -> Option<i128> {
        self.is_integer().then_some(self.numerator)
    }
    /// Absolute value, if it fits.
    pub fn abs(self) -> Option<Self> {
        if self.numerator < 0 { self.checked_neg() } else { Some(self) }
    }
    /// Numeric order, if it can be computed without overflow.
    pub fn compare(self, other: Self) -> Option<Ordering> {
        let left = self.numerator.checked_mul(other.denominator)?;
        let right = other.numerator.checked_mul(self.denominator)?;
        Some(left.cmp(&right))
    }
    /// SMT-LIB text of an integer literal.
    pub fn int_text(n: i128) -> String {
        if n < 0 { format!("(- {})", n.unsigned_abs()) } else { n.to_string() }
    }
}

impl fmt::Display for Ratio {
    /// SMT-LIB text of a real literal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.numerator.unsigned_abs();
        let body = if self.denominator == 1 {
            format!("{size}.0")
        } else {
            format!("(/ {size}.0 {}.0)", self.denominator)
        };
        if self.numerator < 0 { write!(f, "(- {body})") } else { f.write_str(&body) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions() {
        let half = Ratio::new(-2, -4).unwrap();
        assert_eq!(half, Ratio::new(1, 2).unwrap());
        assert_eq!(half.checked_add(half), Some(Ratio::int(1)));
        assert_eq!(half.checked_neg().unwrap().floor(), Ratio::int(-1));
        assert_eq!(half.checked_div(Ratio::int(0)), None);
        assert_eq!(half.compare(Ratio::int(1)), Some(Ordering::Less));
        assert_eq!(half.checked_neg().unwrap().to_string(), "(- (/ 1.0 2.0))");
        assert_eq!(Ratio::int(i128::MAX).checked_add(Ratio::int(1)), None);
    }
}
