//! The slow path of [`Rational`]: the same operations on fractions of big integers.
//!
//! Every function accepts both representations and goes through [`normal`], which restores the
//! invariant "small whenever it fits". Machine words are inline in `IBig`/`UBig`, so lifting a
//! small operand allocates nothing.
//!
//! Source: [Knu97] §4.5.1, as in `small`.

use std::borrow::Cow;
use std::cmp::Ordering;

use dashu_int::ops::{BitTest, DivEuclid, Gcd};
use dashu_int::{IBig, Sign, UBig};

use crate::rational::{Rational, Repr};

/// A reduced fraction that does not fit into machine words.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Big {
    pub(crate) num: IBig,
    pub(crate) den: UBig,
}

impl Big {
    pub(crate) fn signum(&self) -> i32 {
        match self.num.sign() {
            Sign::Negative => -1,
            Sign::Positive => i32::from(!self.num.is_zero()),
        }
    }
    pub(crate) fn floor(&self) -> Rational {
        let floor = if self.den.is_one() {
            self.num.clone()
        } else {
            (&self.num).div_euclid(IBig::from(self.den.clone()))
        };
        normal(floor, UBig::ONE)
    }
    pub(crate) fn bits(&self) -> usize {
        self.num.bit_len() + self.den.bit_len()
    }
}

/// The value of an already reduced fraction, in its one representation.
pub(crate) fn normal(num: IBig, den: UBig) -> Rational {
    match (i64::try_from(&num), u64::try_from(&den)) {
        (Ok(num), Ok(den)) => Rational::small((num, den)),
        (Ok(_) | Err(_), Ok(_) | Err(_)) => Rational(Repr::Big(Box::new(Big { num, den }))),
    }
}

/// The value of a fraction that may have common divisors; `den` is not zero.
pub(crate) fn reduced(num: IBig, den: UBig) -> Rational {
    let common = (&num).gcd(&den);
    if common.is_one() { normal(num, den) } else { normal(num / &common, den / common) }
}

/// Numerator and denominator as big integers.
pub(crate) fn parts(value: &Rational) -> (Cow<'_, IBig>, Cow<'_, UBig>) {
    match &value.0 {
        Repr::Small { num, den } => {
            (Cow::Owned(IBig::from(*num)), Cow::Owned(UBig::from(den.get())))
        }
        Repr::Big(big) => (Cow::Borrowed(&big.num), Cow::Borrowed(&big.den)),
    }
}

/// An integer as a big integer. Panics on fractions.
pub(crate) fn integer(value: &Rational) -> Cow<'_, IBig> {
    assert!(value.is_integer(), "an integer operation needs integers");
    parts(value).0
}

#[cold]
#[inline(never)]
pub(crate) fn add(a: &Rational, b: &Rational) -> Rational {
    let ((x, p), (y, q)) = (parts(a), parts(b));
    sum(&x, &p, y, &q)
}

#[cold]
#[inline(never)]
pub(crate) fn sub(a: &Rational, b: &Rational) -> Rational {
    let ((x, p), (y, q)) = (parts(a), parts(b));
    sum(&x, &p, Cow::Owned(-y.into_owned()), &q)
}

/// `x/p + y/q`, cancelling only what can be common.
fn sum(x: &IBig, p: &UBig, y: Cow<'_, IBig>, q: &UBig) -> Rational {
    if p.is_one() && q.is_one() {
        return normal(x + y.into_owned(), UBig::ONE);
    }
    let common = if p == q { p.clone() } else { p.gcd(q) };
    if common.is_one() {
        return normal(x * q + y.into_owned() * p, p * q);
    }
    let p_rest = p / &common;
    let total = x * (q / &common) + y.into_owned() * &p_rest;
    let factor = (&total).gcd(&common);
    if factor.is_one() {
        normal(total, p_rest * q)
    } else {
        normal(total / &factor, p_rest * (q / &factor))
    }
}

#[cold]
#[inline(never)]
pub(crate) fn mul(a: &Rational, b: &Rational) -> Rational {
    if a.is_zero() || b.is_zero() {
        return Rational::ZERO;
    }
    let ((x, p), (y, q)) = (parts(a), parts(b));
    let (x, q) = cancel(x, q);
    let (y, p) = cancel(y, p);
    normal(&*x * &*y, &*p * &*q)
}

/// Divides a numerator and a denominator by their common divisor.
fn cancel<'a, 'b>(num: Cow<'a, IBig>, den: Cow<'b, UBig>) -> (Cow<'a, IBig>, Cow<'b, UBig>) {
    if den.is_one() {
        return (num, den);
    }
    let common = (&*num).gcd(&*den);
    if common.is_one() {
        (num, den)
    } else {
        (Cow::Owned(&*num / &common), Cow::Owned(&*den / &common))
    }
}

#[cold]
#[inline(never)]
pub(crate) fn recip(a: &Rational) -> Rational {
    let (num, den) = parts(a);
    let (sign, magnitude) = num.into_owned().into_parts();
    normal(IBig::from_parts(sign, den.into_owned()), magnitude)
}

#[cold]
#[inline(never)]
pub(crate) fn neg(a: &Rational) -> Rational {
    let (num, den) = parts(a);
    normal(-num.into_owned(), den.into_owned())
}

#[cold]
#[inline(never)]
pub(crate) fn add_mul(target: &mut Rational, a: &Rational, b: &Rational) {
    *target = add(target, &(a * b));
}

#[cold]
#[inline(never)]
pub(crate) fn sub_mul(target: &mut Rational, a: &Rational, b: &Rational) {
    *target = sub(target, &(a * b));
}

#[cold]
#[inline(never)]
pub(crate) fn compare(a: &Rational, b: &Rational) -> Ordering {
    let by_sign = a.signum().cmp(&b.signum());
    if by_sign != Ordering::Equal {
        return by_sign;
    }
    let ((x, p), (y, q)) = (parts(a), parts(b));
    if p == q { x.cmp(&y) } else { (&*x * &*q).cmp(&(&*y * &*p)) }
}
