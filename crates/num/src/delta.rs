//! Rationals with an infinitesimal part, the values of simplex variables under strict bounds.
//!
//! `r + k·δ` stands for `r` moved by `k` times a positive δ smaller than every positive rational;
//! `x < 3` becomes `x <= 3 - δ`. The order is lexicographic, and a concrete δ is chosen only when a
//! model is wanted.
//!
//! Source: `[DdM06]`, section on strict inequalities, the pairs of `Q_δ`; symbols: `(c, k)` →
//! `(real, delta)`.

use std::fmt;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

use crate::rational::Rational;

/// The number `real + delta·δ` with an infinitesimal δ > 0. The derived order is the numeric one:
/// by `real`, then by `delta`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Delta {
    /// The rational part.
    pub real: Rational,
    /// The coefficient of the infinitesimal.
    pub delta: Rational,
}

impl Delta {
    /// The number 0.
    pub const ZERO: Delta = Delta { real: Rational::ZERO, delta: Rational::ZERO };

    /// `real + delta·δ`.
    pub fn new(real: Rational, delta: Rational) -> Delta {
        Delta { real, delta }
    }
    /// Whether this is 0.
    pub fn is_zero(&self) -> bool {
        self.real.is_zero() && self.delta.is_zero()
    }
    /// Whether there is no infinitesimal part.
    pub fn is_real(&self) -> bool {
        self.delta.is_zero()
    }
    /// The largest integer `<= self`.
    pub fn floor(&self) -> Rational {
        let floor = self.real.floor();
        if self.delta.is_negative() && self.real.is_integer() {
            floor - Rational::ONE
        } else {
            floor
        }
    }
    /// The smallest integer `>= self`.
    pub fn ceil(&self) -> Rational {
        let ceil = self.real.ceil();
        if self.delta.is_positive() && self.real.is_integer() { ceil + Rational::ONE } else { ceil }
    }
    /// `factor * self`.
    pub fn scale(&self, factor: &Rational) -> Delta {
        Delta { real: &self.real * factor, delta: &self.delta * factor }
    }
    /// `self += factor * other`.
    #[inline]
    pub fn add_mul(&mut self, factor: &Rational, other: &Delta) {
        self.real.add_mul(factor, &other.real);
        if !other.delta.is_zero() {
            self.delta.add_mul(factor, &other.delta);
        }
    }
    /// `self -= factor * other`.
    #[inline]
    pub fn sub_mul(&mut self, factor: &Rational, other: &Delta) {
        self.real.sub_mul(factor, &other.real);
        if !other.delta.is_zero() {
            self.delta.sub_mul(factor, &other.delta);
        }
    }
}

impl From<Rational> for Delta {
    fn from(real: Rational) -> Self {
        Delta { real, delta: Rational::ZERO }
    }
}

/// Writes `+` or `-` for the four combinations of values and references, and the assigning form for
/// both.
macro_rules! operator {
    ($trait:ident, $method:ident, $assign_trait:ident, $assign:ident) => {
        impl $trait<&Delta> for &Delta {
            type Output = Delta;
            fn $method(self, other: &Delta) -> Delta {
                Delta {
                    real: (&self.real).$method(&other.real),
                    delta: (&self.delta).$method(&other.delta),
                }
            }
        }
        impl $trait<Delta> for &Delta {
            type Output = Delta;
            fn $method(self, other: Delta) -> Delta {
                self.$method(&other)
            }
        }
        impl $trait<&Delta> for Delta {
            type Output = Delta;
            fn $method(self, other: &Delta) -> Delta {
                (&self).$method(other)
            }
        }
        impl $trait<Delta> for Delta {
            type Output = Delta;
            fn $method(self, other: Delta) -> Delta {
                (&self).$method(&other)
            }
        }
        impl $assign_trait<&Delta> for Delta {
            #[inline]
            fn $assign(&mut self, other: &Delta) {
                self.real.$assign(&other.real);
                self.delta.$assign(&other.delta);
            }
        }
        impl $assign_trait<Delta> for Delta {
            #[inline]
            fn $assign(&mut self, other: Delta) {
                self.$assign(&other);
            }
        }
    };
}

operator!(Add, add, AddAssign, add_assign);
operator!(Sub, sub, SubAssign, sub_assign);

impl Neg for &Delta {
    type Output = Delta;
    fn neg(self) -> Delta {
        Delta { real: -&self.real, delta: -&self.delta }
    }
}

impl Neg for Delta {
    type Output = Delta;
    fn neg(self) -> Delta {
        -&self
    }
}

impl fmt::Display for Delta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_real() {
            write!(f, "{}", self.real)
        } else {
            write!(f, "{} + {}δ", self.real, self.delta)
        }
    }
}

impl fmt::Debug for Delta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
