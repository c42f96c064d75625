//! Divisors and quotients of integers. Every argument must be integral; a fraction is a broken
//! invariant and panics.
//!
//! Division is the one of SMT-LIB's theory `Ints`: `a = b·div(a, b) + mod(a, b)` with
//! `0 <= mod(a, b) < |b|`, whatever the signs.

use dashu_int::ops::{DivEuclid, ExtendedGcd, Gcd, RemEuclid};
use dashu_int::{IBig, UBig};

use crate::big::{self, normal};
use crate::rational::Rational;
use crate::small;

/// The machine words of two integers, if both fit.
#[inline]
fn words(a: &Rational, b: &Rational) -> Option<(i64, i64)> {
    Some((a.to_i64()?, b.to_i64()?))
}

/// The greatest common divisor, never negative; `gcd(0, 0) = 0`.
#[inline]
pub fn gcd(a: &Rational, b: &Rational) -> Rational {
    if let Some((a, b)) = words(a, b) {
        return Rational::from(small::gcd(a.unsigned_abs(), b.unsigned_abs()));
    }
    // Not both are small, so not both are zero.
    normal((&*big::integer(a)).gcd(&*big::integer(b)).into(), UBig::ONE)
}

/// `a / b`, where `b` is a divisor of `a` other than 0; on machine words without reducing a
/// fraction.
#[inline]
pub fn div_exact(a: &Rational, b: &Rational) -> Rational {
    if let Some((x, y)) = words(a, b)
        && let Some(quotient) = x.checked_div(y)
    {
        debug_assert_eq!(x % y, 0, "{y} divides {x}");
        return Rational::from(quotient);
    }
    a / b
}

/// The least common multiple, never negative; 0 if one of the two is 0.
pub fn lcm(a: &Rational, b: &Rational) -> Rational {
    if a.is_zero() || b.is_zero() {
        return Rational::ZERO;
    }
    if a.is_one() || a == b {
        return b.abs();
    }
    (a / gcd(a, b) * b).abs()
}

/// `(g, s, t)` with `g = gcd(a, b) = s·a + t·b`.
pub fn extended_gcd(a: &Rational, b: &Rational) -> (Rational, Rational, Rational) {
    let sign = |x: &Rational| Rational::from(x.signum());
    if a.is_zero() {
        return (b.abs(), Rational::ZERO, sign(b));
    }
    if b.is_zero() {
        return (a.abs(), sign(a), Rational::ZERO);
    }
    let (a, b) = (big::integer(a), big::integer(b));
    let (g, s, t) = (&*a).gcd_ext(&*b);
    (normal(g.into(), UBig::ONE), normal(s, UBig::ONE), normal(t, UBig::ONE))
}

/// SMT-LIB's `div`: the quotient that leaves a remainder in `0..|b|`; `None` if `b` is 0.
#[inline]
pub fn div_euclid(a: &Rational, b: &Rational) -> Option<Rational> {
    divide(a, b, i64::checked_div_euclid, |a, b| a.div_euclid(b))
}

/// SMT-LIB's `mod`: the remainder, in `0..|b|`; `None` if `b` is 0.
#[inline]
pub fn mod_euclid(a: &Rational, b: &Rational) -> Option<Rational> {
    divide(a, b, i64::checked_rem_euclid, |a, b| a.rem_euclid(b).into())
}

#[inline]
fn divide(
    a: &Rational,
    b: &Rational,
    word: fn(i64, i64) -> Option<i64>,
    wide: fn(&IBig, &IBig) -> IBig,
) -> Option<Rational> {
    if b.is_zero() {
        return None;
    }
    if let Some((a, b)) = words(a, b)
        && let Some(result) = word(a, b)
    {
        return Some(Rational::from(result));
    }
    Some(normal(wide(&big::integer(a), &big::integer(b)), UBig::ONE))
}
