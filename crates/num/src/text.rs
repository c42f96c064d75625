//! Reading and writing [`Rational`]s: `7`, `-3/4`, `1.25`.
//!
//! Numerals of a million digits are legal input, so nothing here is quadratic in a naive way: the
//! digits go through the divide-and-conquer parser of the big integers, and a decimal is reduced by
//! counting its factors 2 and 5 instead of a gcd.

use std::fmt;
use std::str::FromStr;

use dashu_int::{IBig, Sign, UBig};

use crate::big;
use crate::rational::{Rational, Repr};

/// The text is not a number of the form `[-]digits`, `[-]digits/digits` with a divisor other than
/// 0, or `[-]digits.digits`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseRationalError;

impl fmt::Display for ParseRationalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a rational number")
    }
}

impl std::error::Error for ParseRationalError {}

impl FromStr for Rational {
    type Err = ParseRationalError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (sign, digits) = match text.strip_prefix('-') {
            Some(rest) => (Sign::Negative, rest),
            None => (Sign::Positive, text),
        };
        if let Some((numerator, denominator)) = digits.split_once('/') {
            let (num, den) = (natural(numerator)?, natural(denominator)?);
            return if den.is_zero() {
                Err(ParseRationalError)
            } else {
                Ok(big::reduced(IBig::from_parts(sign, num), den))
            };
        }
        match digits.split_once('.') {
            Some((whole, fraction)) => decimal(sign, whole, fraction),
            None => Ok(big::normal(IBig::from_parts(sign, natural(digits)?), UBig::ONE)),
        }
    }
}

/// A non-empty string of decimal digits.
fn natural(digits: &str) -> Result<UBig, ParseRationalError> {
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(ParseRationalError);
    }
    UBig::from_str_radix(digits, 10).map_err(|_| ParseRationalError)
}

/// `whole.fraction`, where both parts have digits.
fn decimal(sign: Sign, whole: &str, fraction: &str) -> Result<Rational, ParseRationalError> {
    natural(whole)?;
    natural(fraction)?;
    let fraction = fraction.trim_end_matches('0');
    let mut num = natural(&[whole, fraction].concat())?;
    let places = fraction.len();
    // The last place is not 0, so 10 does not divide the numerator unless there are no places; it
    // shares with 10^places either factors 2 or factors 5, not both.
    let twos = num.trailing_zeros().unwrap_or(0).min(places);
    num >>= twos;
    let mut fives = 0;
    if twos == 0 && places > 0 {
        let mut stripped = num.clone();
        let found = stripped.remove(&UBig::from(5u8)).unwrap_or(0);
        fives = found.min(places);
        num = stripped * UBig::from(5u8).pow(found - fives);
    }
    let den = UBig::from(5u8).pow(places - fives) << (places - twos);
    Ok(big::normal(IBig::from_parts(sign, num), den))
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Small { num, den } if den.get() == 1 => write!(f, "{num}"),
            Repr::Small { num, den } => write!(f, "{num}/{den}"),
            Repr::Big(big) if big.den.is_one() => write!(f, "{}", big.num),
            Repr::Big(big) => write!(f, "{}/{}", big.num, big.den),
        }
    }
}

impl fmt::Debug for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
