//! The arithmetic operators of [`Rational`], for values and references alike.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use crate::big;
use crate::rational::Rational;
use crate::small;

#[inline]
fn add(a: &Rational, b: &Rational) -> Rational {
    if let (Some(a), Some((y, q))) = (a.as_small(), b.as_small())
        && let Some(sum) = small::add(a, i128::from(y), q)
    {
        return Rational::small(sum);
    }
    big::add(a, b)
}

#[inline]
fn sub(a: &Rational, b: &Rational) -> Rational {
    if let (Some(a), Some((y, q))) = (a.as_small(), b.as_small())
        && let Some(difference) = small::add(a, -i128::from(y), q)
    {
        return Rational::small(difference);
    }
    big::sub(a, b)
}

#[inline]
fn mul(a: &Rational, b: &Rational) -> Rational {
    if let (Some(a), Some(b)) = (a.as_small(), b.as_small())
        && let Some(product) = small::mul(a, b)
    {
        return Rational::small(product);
    }
    big::mul(a, b)
}

#[inline]
fn div(a: &Rational, b: &Rational) -> Rational {
    assert!(!b.is_zero(), "division by zero");
    mul(a, &b.recip())
}

/// Writes one operator for the four combinations of values and references, and its assigning form
/// for both.
macro_rules! operator {
    ($trait:ident, $method:ident, $assign_trait:ident, $assign:ident) => {
        impl $trait<&Rational> for &Rational {
            type Output = Rational;
            #[inline]
            fn $method(self, other: &Rational) -> Rational {
                $method(self, other)
            }
        }
        impl $trait<Rational> for &Rational {
            type Output = Rational;
            #[inline]
            fn $method(self, other: Rational) -> Rational {
                $method(self, &other)
            }
        }
        impl $trait<&Rational> for Rational {
            type Output = Rational;
            #[inline]
            fn $method(self, other: &Rational) -> Rational {
                $method(&self, other)
            }
        }
        impl $trait<Rational> for Rational {
            type Output = Rational;
            #[inline]
            fn $method(self, other: Rational) -> Rational {
                $method(&self, &other)
            }
        }
        impl $assign_trait<&Rational> for Rational {
            #[inline]
            fn $assign(&mut self, other: &Rational) {
                *self = $method(self, other);
            }
        }
        impl $assign_trait<Rational> for Rational {
            #[inline]
            fn $assign(&mut self, other: Rational) {
                *self = $method(self, &other);
            }
        }
    };
}

operator!(Add, add, AddAssign, add_assign);
operator!(Sub, sub, SubAssign, sub_assign);
operator!(Mul, mul, MulAssign, mul_assign);
operator!(Div, div, DivAssign, div_assign);

impl Neg for &Rational {
    type Output = Rational;
    #[inline]
    fn neg(self) -> Rational {
        if let Some((num, den)) = self.as_small()
            && let Some(num) = num.checked_neg()
        {
            return Rational::small((num, den));
        }
        big::neg(self)
    }
}

impl Neg for Rational {
    type Output = Rational;
    #[inline]
    fn neg(self) -> Rational {
        -&self
    }
}

impl Sum for Rational {
    fn sum<I: Iterator<Item = Rational>>(iter: I) -> Rational {
        iter.fold(Rational::ZERO, |total, term| total + term)
    }
}

impl<'a> Sum<&'a Rational> for Rational {
    fn sum<I: Iterator<Item = &'a Rational>>(iter: I) -> Rational {
        iter.fold(Rational::ZERO, |total, term| total + term)
    }
}
