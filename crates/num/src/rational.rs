//! Exact rationals that live in two machine words as long as they fit.
//!
//! A value is a reduced fraction. Its numerator and denominator are an `i64` and a `u64` when both
//! fit, else a boxed pair of big integers. Practically all numbers of a run are small: tableau
//! entries are ±1, ±2, and sums of such; so the small path must be free of allocation and of calls,
//! while the big path has to be correct and of decent complexity only.
//!
//! Invariants (restored by every constructor, here and in `big`): the fraction is reduced, the
//! denominator is positive, and the representation is small whenever the value fits. Hence the
//! derived equality and hash are those of the values.

use std::cmp::Ordering;
use std::num::NonZeroU64;

use crate::big::{self, Big};
use crate::small::{self, Fraction};

/// An exact rational number of any size; integers are the ones with denominator 1.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rational(pub(crate) Repr);

/// The two representations; see the invariants of the module.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum Repr {
    Small { num: i64, den: NonZeroU64 },
    Big(Box<Big>),
}

impl Rational {
    /// The number 0.
    pub const ZERO: Rational = Rational::integer(0);
    /// The number 1.
    pub const ONE: Rational = Rational::integer(1);
    /// The number -1.
    pub const MINUS_ONE: Rational = Rational::integer(-1);

    /// `numerator / denominator`, reduced. Panics if the denominator is zero.
    pub fn new(numerator: i64, denominator: i64) -> Rational {
        Rational::ratio(&Rational::integer(numerator), &Rational::integer(denominator))
    }
    /// `n / d`. Panics if `d` is zero.
    pub fn ratio(n: &Rational, d: &Rational) -> Rational {
        n / d
    }
    #[inline]
    pub(crate) const fn integer(num: i64) -> Rational {
        Rational(Repr::Small { num, den: NonZeroU64::MIN })
    }
    /// The value of a reduced fraction.
    #[inline]
    pub(crate) fn small((num, den): Fraction) -> Rational {
        Rational(Repr::Small { num, den: NonZeroU64::new(den).expect("denominators are positive") })
    }
    /// The reduced fraction, if it is inline.
    #[inline]
    pub(crate) fn as_small(&self) -> Option<Fraction> {
        match &self.0 {
            Repr::Small { num, den } => Some((*num, den.get())),
            Repr::Big(_) => None,
        }
    }

    /// Whether this is 0.
    #[inline]
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Repr::Small { num: 0, .. })
    }
    /// Whether this is 1.
    #[inline]
    pub fn is_one(&self) -> bool {
        self.as_small() == Some((1, 1))
    }
    /// Whether the denominator is 1.
    #[inline]
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Repr::Small { den, .. } => *den == NonZeroU64::MIN,
            Repr::Big(big) => big.den.is_one(),
        }
    }
    /// Whether this is greater than 0.
    #[inline]
    pub fn is_positive(&self) -> bool {
        self.signum() > 0
    }
    /// Whether this is less than 0.
    #[inline]
    pub fn is_negative(&self) -> bool {
        self.signum() < 0
    }
    /// The sign: -1, 0 or 1.
    #[inline]
    pub fn signum(&self) -> i32 {
        match &self.0 {
            Repr::Small { num, .. } => i32::from(*num > 0) - i32::from(*num < 0),
            Repr::Big(big) => big.signum(),
        }
    }
    /// The distance from 0.
    pub fn abs(&self) -> Rational {
        if self.is_negative() { -self } else { self.clone() }
    }
    /// `1 / self`. Panics on 0.
    pub fn recip(&self) -> Rational {
        assert!(!self.is_zero(), "zero has no reciprocal");
        match self.as_small().and_then(small::recip) {
            Some(fraction) => Rational::small(fraction),
            None => big::recip(self),
        }
    }
    /// The largest integer `<= self`.
    #[inline]
    pub fn floor(&self) -> Rational {
        match &self.0 {
            Repr::Small { num, den } => Rational::integer(small::floor((*num, den.get()))),
            Repr::Big(big) => big.floor(),
        }
    }
    /// The smallest integer `>= self`.
    pub fn ceil(&self) -> Rational {
        if self.is_integer() { self.clone() } else { self.floor() + Rational::ONE }
    }
    /// `self - self.floor()`, in `[0, 1)`.
    pub fn fract(&self) -> Rational {
        if self.is_integer() { Rational::ZERO } else { self - self.floor() }
    }
    /// The numerator of the reduced fraction; it carries the sign.
    pub fn numerator(&self) -> Rational {
        match &self.0 {
            Repr::Small { num, .. } => Rational::integer(*num),
            Repr::Big(big) => big::normal(big.num.clone(), 1u8.into()),
        }
    }
    /// The denominator of the reduced fraction; it is positive.
    pub fn denominator(&self) -> Rational {
        match &self.0 {
            Repr::Small { den, .. } => Rational::from(den.get()),
            Repr::Big(big) => big::normal(big.den.clone().into(), 1u8.into()),
        }
    }
    /// The value, if it is an integer that fits.
    #[inline]
    pub fn to_i64(&self) -> Option<i64> {
        self.as_small().and_then(|(num, den)| (den == 1).then_some(num))
    }
    /// How large the number is to write: the bit length of the numerator plus that of the
    /// denominator.
    pub fn bits(&self) -> usize {
        let length = |word: u64| (u64::BITS - word.leading_zeros()) as usize;
        match &self.0 {
            Repr::Small { num, den } => length(num.unsigned_abs()) + length(den.get()),
            Repr::Big(big) => big.bits(),
        }
    }

    /// `self += a * b`; allocates nothing while the numbers are small.
    #[inline]
    pub fn add_mul(&mut self, a: &Rational, b: &Rational) {
        if let Some(sum) = self.small_add_mul(a, b, 1) {
            *self = Rational::small(sum);
        } else {
            big::add_mul(self, a, b);
        }
    }
    /// `self -= a * b`; allocates nothing while the numbers are small.
    #[inline]
    pub fn sub_mul(&mut self, a: &Rational, b: &Rational) {
        if let Some(sum) = self.small_add_mul(a, b, -1) {
            *self = Rational::small(sum);
        } else {
            big::sub_mul(self, a, b);
        }
    }
    /// `self + sign * a * b` in machine words.
    #[inline]
    fn small_add_mul(&self, a: &Rational, b: &Rational, sign: i128) -> Option<Fraction> {
        let (sum, a, b) = (self.as_small()?, a.as_small()?, b.as_small()?);
        if sum.1 == 1 && a.1 == 1 && b.1 == 1 {
            // |a·b| <= 2^126, so only the last step can leave the words.
            let wide = i128::from(sum.0) + sign * i128::from(a.0) * i128::from(b.0);
            return Some((i64::try_from(wide).ok()?, 1));
        }
        let (num, den) = small::mul(a, b)?;
        small::add(sum, sign * i128::from(num), den)
    }
}

impl Default for Rational {
    fn default() -> Self {
        Rational::ZERO
    }
}

impl Ord for Rational {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.as_small(), other.as_small()) {
            (Some((x, p)), Some((y, q))) if p == q => x.cmp(&y),
            // |x·q| < 2^127: cross multiplication cannot overflow.
            (Some((x, p)), Some((y, q))) => {
                (i128::from(x) * i128::from(q)).cmp(&(i128::from(y) * i128::from(p)))
            }
            _ => big::compare(self, other),
        }
    }
}

impl PartialOrd for Rational {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl From<i64> for Rational {
    #[inline]
    fn from(value: i64) -> Self {
        Rational::integer(value)
    }
}

impl From<i32> for Rational {
    #[inline]
    fn from(value: i32) -> Self {
        Rational::integer(i64::from(value))
    }
}

impl From<u32> for Rational {
    #[inline]
    fn from(value: u32) -> Self {
        Rational::integer(i64::from(value))
    }
}

impl From<u64> for Rational {
    fn from(value: u64) -> Self {
        i64::try_from(value)
            .map_or_else(|_| big::normal(value.into(), 1u8.into()), Rational::integer)
    }
}
