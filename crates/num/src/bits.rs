//! Bit-vectors: numbers modulo a power of two, with the operations of SMT-LIB's theory
//! `FixedSizeBitVectors`.
//!
//! A vector is its width and the number below `2^width` that its bits are in the binary system.
//! Arithmetic is that of integers, reduced at the end; only bitwise operations look at bits.
//! Division by zero is defined as in SMT-LIB: the quotient has all bits set, the remainder is the
//! dividend.
//!
//! Invariant: `0 ≤ value < 2^width`, so equality is by value.

use std::cmp::Ordering;

use dashu_int::ops::BitTest;
use dashu_int::{IBig, UBig};

use crate::big::{self, normal};
use crate::{Rational, div_euclid, mod_euclid};

/// A bit-vector of at least one bit.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bits {
    width: u32,
    value: Rational,
}

/// `2^exponent`.
pub fn power_of_two(exponent: u32) -> Rational {
    normal((UBig::ONE << exponent as usize).into(), UBig::ONE)
}

impl Bits {
    /// The last `width` bits of an integer in two's complement.
    pub fn new(width: u32, integer: &Rational) -> Bits {
        debug_assert!(width > 0, "a vector has at least one bit");
        let modulus = power_of_two(width);
        let in_range = !integer.is_negative() && *integer < modulus;
        let value = if in_range {
            integer.clone()
        } else {
            mod_euclid(integer, &modulus).expect("a power of two is not zero")
        };
        Bits { width, value }
    }
    /// The vector that SMT-LIB writes like this: `#x` and hexadecimal digits, or `#b` and binary
    /// ones.
    ///
    /// ```
    /// use shofar_num::Bits;
    /// assert_eq!(Bits::from_literal("#b00101"), Some(Bits::new(5, &5.into())));
    /// assert_eq!(Bits::from_literal("#x"), None);
    /// ```
    pub fn from_literal(text: &str) -> Option<Bits> {
        let (digits, per_digit) = match text.strip_prefix("#x") {
            Some(digits) => (digits, 4u32),
            None => (text.strip_prefix("#b")?, 1),
        };
        let radix = 1 << per_digit;
        if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
            return None;
        }
        let width = u32::try_from(digits.len()).ok()?.checked_mul(per_digit)?;
        let number = UBig::from_str_radix(digits, radix).ok()?;
        Some(Bits { width, value: normal(number.into(), UBig::ONE) })
    }
    /// All bits are zero.
    pub fn zero(width: u32) -> Bits {
        Bits { width, value: Rational::ZERO }
    }
    /// All bits are one.
    pub fn ones(width: u32) -> Bits {
        Bits { width, value: power_of_two(width) - Rational::ONE }
    }
    /// One bit.
    pub fn bit_of(value: bool) -> Bits {
        Bits { width: 1, value: Rational::from(i64::from(value)) }
    }
    /// How many bits there are.
    pub fn width(&self) -> u32 {
        self.width
    }
    /// The number in the binary system.
    pub fn to_nat(&self) -> &Rational {
        &self.value
    }
    /// The number in two's complement.
    pub fn to_int(&self) -> Rational {
        if self.is_negative() { &self.value - power_of_two(self.width) } else { self.value.clone() }
    }
    /// Whether the first bit, the sign, is one.
    pub fn is_negative(&self) -> bool {
        self.bit(self.width - 1)
    }
    /// Whether all bits are zero.
    pub fn is_zero(&self) -> bool {
        self.value.is_zero()
    }
    /// The bit of value `2^position`.
    pub fn bit(&self, position: u32) -> bool {
        match self.value.to_i64() {
            Some(word) => position < 63 && word >> position & 1 == 1,
            None => big::integer(&self.value).bit(position as usize),
        }
    }
    /// Bitwise negation.
    #[must_use]
    pub fn not(&self) -> Bits {
        Bits { width: self.width, value: power_of_two(self.width) - Rational::ONE - &self.value }
    }
    /// Bitwise conjunction.
    #[must_use]
    pub fn and(&self, other: &Bits) -> Bits {
        self.bitwise(other, |a, b| a & b)
    }
    /// Bitwise disjunction.
    #[must_use]
    pub fn or(&self, other: &Bits) -> Bits {
        self.bitwise(other, |a, b| a | b)
    }
    /// Bitwise difference.
    #[must_use]
    pub fn xor(&self, other: &Bits) -> Bits {
        self.bitwise(other, |a, b| a ^ b)
    }
    fn bitwise(&self, other: &Bits, f: impl Fn(&IBig, &IBig) -> IBig) -> Bits {
        debug_assert_eq!(self.width, other.width, "vectors of one width");
        let value = f(&big::integer(&self.value), &big::integer(&other.value));
        Bits { width: self.width, value: normal(value, UBig::ONE) }
    }
    /// Minus the number, modulo `2^width`.
    #[must_use]
    pub fn neg(&self) -> Bits {
        Bits::new(self.width, &-&self.value)
    }
    /// The sum modulo `2^width`.
    #[must_use]
    pub fn add(&self, other: &Bits) -> Bits {
        Bits::new(self.width, &(&self.value + &other.value))
    }
    /// The product modulo `2^width`.
    #[must_use]
    pub fn mul(&self, other: &Bits) -> Bits {
        Bits::new(self.width, &(&self.value * &other.value))
    }
    /// The quotient of the numbers in the binary system.
    #[must_use]
    pub fn udiv(&self, other: &Bits) -> Bits {
        match div_euclid(&self.value, &other.value) {
            Some(value) => Bits { width: self.width, value },
            None => Bits::ones(self.width),
        }
    }
    /// The remainder of the numbers in the binary system.
    #[must_use]
    pub fn urem(&self, other: &Bits) -> Bits {
        match mod_euclid(&self.value, &other.value) {
            Some(value) => Bits { width: self.width, value },
            None => self.clone(),
        }
    }
    fn magnitude(&self) -> Bits {
        if self.is_negative() { self.neg() } else { self.clone() }
    }
    /// The quotient in two's complement, rounded towards zero.
    #[must_use]
    pub fn sdiv(&self, other: &Bits) -> Bits {
        let quotient = self.magnitude().udiv(&other.magnitude());
        if self.is_negative() == other.is_negative() { quotient } else { quotient.neg() }
    }
    /// The remainder in two's complement with the sign of the dividend.
    #[must_use]
    pub fn srem(&self, other: &Bits) -> Bits {
        let remainder = self.magnitude().urem(&other.magnitude());
        if self.is_negative() { remainder.neg() } else { remainder }
    }
    /// The remainder in two's complement with the sign of the divisor.
    #[must_use]
    pub fn smod(&self, other: &Bits) -> Bits {
        let remainder = self.magnitude().urem(&other.magnitude());
        if remainder.is_zero() {
            return remainder;
        }
        match (self.is_negative(), other.is_negative()) {
            (false, false) => remainder,
            (true, false) => remainder.neg().add(other),
            (false, true) => remainder.add(other),
            (true, true) => remainder.neg(),
        }
    }
    /// By how many places `other` shifts; `None` if nothing is left.
    fn distance(&self, other: &Bits) -> Option<u32> {
        let places = other.value.to_i64().and_then(|places| u32::try_from(places).ok())?;
        (places < self.width).then_some(places)
    }
    /// Shifted to the left.
    #[must_use]
    pub fn shl(&self, other: &Bits) -> Bits {
        match self.distance(other) {
            Some(places) => Bits::new(self.width, &(&self.value * power_of_two(places))),
            None => Bits::zero(self.width),
        }
    }
    /// Shifted to the right, zeros follow.
    #[must_use]
    pub fn lshr(&self, other: &Bits) -> Bits {
        match self.distance(other) {
            Some(places) => {
                Bits { width: self.width, value: (&self.value / power_of_two(places)).floor() }
            }
            None => Bits::zero(self.width),
        }
    }
    /// Shifted to the right, copies of the sign follow.
    #[must_use]
    pub fn ashr(&self, other: &Bits) -> Bits {
        if self.is_negative() { self.not().lshr(other).not() } else { self.lshr(other) }
    }
    /// The bits of `self`, then those of `low`.
    #[must_use]
    pub fn concat(&self, low: &Bits) -> Bits {
        let value = &self.value * power_of_two(low.width) + &low.value;
        Bits { width: self.width + low.width, value }
    }
    /// The bits from `high` down to `low`, both included.
    #[must_use]
    pub fn extract(&self, high: u32, low: u32) -> Bits {
        debug_assert!(low <= high && high < self.width, "the bits are there");
        Bits::new(high - low + 1, &(&self.value / power_of_two(low)).floor())
    }
    /// `more` zeros in front.
    #[must_use]
    pub fn zero_extend(&self, more: u32) -> Bits {
        Bits { width: self.width + more, value: self.value.clone() }
    }
    /// `more` copies of the sign in front.
    #[must_use]
    pub fn sign_extend(&self, more: u32) -> Bits {
        Bits::new(self.width + more, &self.to_int())
    }
    /// Comparison in the binary system.
    pub fn ucmp(&self, other: &Bits) -> Ordering {
        self.value.cmp(&other.value)
    }
    /// Comparison in two's complement.
    pub fn scmp(&self, other: &Bits) -> Ordering {
        self.to_int().cmp(&other.to_int())
    }
}

impl std::fmt::Display for Bits {
    /// As SMT-LIB writes it: hexadecimal if the width allows, else binary.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let number = big::integer(&self.value);
        let width = self.width as usize;
        if self.width.is_multiple_of(4) {
            write!(f, "#x{:0>1$}", number.in_radix(16).to_string(), width / 4)
        } else {
            write!(f, "#b{:0>width$}", number.in_radix(2).to_string())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What SMT-LIB says the operations are, on machine words.
    #[test]
    fn small_vectors_are_machine_words() {
        for width in 1..=5u32 {
            let modulus = 1i64 << width;
            let signed = |n: i64| if n >= modulus / 2 { n - modulus } else { n };
            for a in 0..modulus {
                for b in 0..modulus {
                    let (x, y) = (Bits::new(width, &a.into()), Bits::new(width, &b.into()));
                    let (s, t) = (signed(a), signed(b));
                    let is = |result: Bits, expected: i64| {
                        assert_eq!(result.value, expected.rem_euclid(modulus).into(), "{x} {y}");
                    };
                    is(x.add(&y), a + b);
                    is(x.mul(&y), a * b);
                    is(x.neg(), -a);
                    is(x.not(), !a);
                    is(x.and(&y), a & b);
                    is(x.or(&y), a | b);
                    is(x.xor(&y), a ^ b);
                    is(x.udiv(&y), if b == 0 { -1 } else { a / b });
                    is(x.urem(&y), if b == 0 { a } else { a % b });
                    is(x.sdiv(&y), if t == 0 { if s < 0 { 1 } else { -1 } } else { s / t });
                    is(x.srem(&y), if t == 0 { s } else { s % t });
                    is(x.smod(&y), if t == 0 { s } else { (s % t + t) % t });
                    is(x.shl(&y), if b < width.into() { a << b } else { 0 });
                    is(x.lshr(&y), if b < width.into() { a >> b } else { 0 });
                    is(x.ashr(&y), s >> b.min(i64::from(width)));
                    assert_eq!(x.ucmp(&y), a.cmp(&b));
                    assert_eq!(x.scmp(&y), s.cmp(&t));
                    assert_eq!(x.concat(&y).value, (a * modulus + b).into());
                    assert_eq!(x.sign_extend(3).to_int(), s.into());
                    assert_eq!(x.concat(&y).extract(width - 1, 0), y);
                    assert_eq!(x.concat(&y).extract(2 * width - 1, width), x);
                }
            }
        }
    }

    #[test]
    fn wide_vectors_are_exact_and_print_all_their_digits() {
        let ones = Bits::ones(256);
        assert_eq!(ones.to_int(), Rational::MINUS_ONE);
        assert!(ones.bit(255) && !ones.lshr(&Bits::new(256, &1.into())).bit(255));
        assert_eq!(ones.mul(&ones), Bits::new(256, &1.into()));
        assert_eq!(ones.to_string().len(), 2 + 64);
        assert_eq!(Bits::new(8, &10.into()).to_string(), "#x0a");
        assert_eq!(Bits::from_literal(&ones.to_string()), Some(ones));
        for wrong in ["", "#", "#b", "#b2", "#xg", "#x-1", "#b1_0", "x1", "#xé"] {
            assert_eq!(Bits::from_literal(wrong), None, "{wrong}");
        }
        assert_eq!(Bits::new(5, &Rational::MINUS_ONE).to_string(), "#b11111");
        assert_eq!(Bits::new(65, &1.into()).and(&Bits::ones(65)).to_nat(), &Rational::ONE);
    }
}
