//! Fractions of machine words: the arithmetic behind the fast path of
//! [`Rational`](crate::Rational).
//!
//! Every function takes reduced fractions `i64 / u64` and returns the reduced result, or `None`
//! when an intermediate or the result leaves the machine words; the caller then repeats the
//! operation with big integers.
//!
//! Source: [Knu97] §4.5.1, the addition and multiplication of reduced fractions that need gcds of
//! the *inputs'* size only, and [Ste67], the binary gcd.

/// A reduced fraction: numerator, and denominator > 0.
pub(crate) type Fraction = (i64, u64);

/// Greatest common divisor by shifts and subtractions; `gcd(0, n) = n`.
#[inline]
pub(crate) fn gcd(mut a: u64, mut b: u64) -> u64 {
    if a == 0 || b == 0 {
        return a | b;
    }
    let shift = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    b >>= b.trailing_zeros();
    while a != b {
        let difference = a.abs_diff(b);
        a = a.min(b);
        b = difference >> difference.trailing_zeros();
    }
    a << shift
}

/// `a + y/q`, where `y` may be the negation of `i64::MIN`.
#[inline]
pub(crate) fn add((x, p): Fraction, y: i128, q: u64) -> Option<Fraction> {
    if p == q {
        let sum = i128::from(x) + y;
        return if p == 1 { Some((i64::try_from(sum).ok()?, 1)) } else { reduce(sum, p, 1, p) };
    }
    let common = if p == 1 || q == 1 { 1 } else { gcd(p, q) };
    let (p_rest, q_rest) = (p / common, q / common);
    let sum = (i128::from(x) * i128::from(q_rest)).checked_add(y * i128::from(p_rest))?;
    if common == 1 {
        return Some((i64::try_from(sum).ok()?, p.checked_mul(q)?));
    }
    reduce(sum, common, p_rest, q)
}

/// `sum / (p_rest * q)`, where only divisors of `common`, a divisor of `q`, can be cancelled.
#[inline]
fn reduce(sum: i128, common: u64, p_rest: u64, q: u64) -> Option<Fraction> {
    let magnitude = sum.unsigned_abs();
    let residue = match u64::try_from(magnitude) {
        Ok(word) => word,
        Err(_) => u64::try_from(magnitude % u128::from(common)).ok()?,
    };
    let factor = gcd(residue, common);
    let numerator = match i64::try_from(sum) {
        // A factor beyond `i64` divides only 0 and `i64::MIN`; the wide division covers these.
        Ok(word) => i64::try_from(factor).map_or_else(
            |_| i64::try_from(sum / i128::from(factor)).ok(),
            |factor| Some(word / factor),
        )?,
        Err(_) => i64::try_from(sum / i128::from(factor)).ok()?,
    };
    Some((numerator, p_rest.checked_mul(q / factor)?))
}

/// `a * b`.
#[inline]
pub(crate) fn mul((x, p): Fraction, (y, q): Fraction) -> Option<Fraction> {
    if p == 1 && q == 1 {
        return Some((x.checked_mul(y)?, 1));
    }
    let left = if q == 1 { 1 } else { gcd(x.unsigned_abs(), q) };
    let right = if p == 1 { 1 } else { gcd(y.unsigned_abs(), p) };
    let numerator = divide(x, left).checked_mul(divide(y, right))?;
    Some((numerator, (p / right).checked_mul(q / left)?))
}

/// `x / divisor` for a divisor of `x`.
#[inline]
fn divide(x: i64, divisor: u64) -> i64 {
    if divisor == 1 {
        return x;
    }
    match i64::try_from(divisor) {
        Ok(divisor) => x / divisor,
        // The divisor is at least 2^63, so `x` is 0 or `i64::MIN` and the divisor is `|x|` or
        // anything.
        Err(_) => x.signum(),
    }
}

/// `1 / a` for `a != 0`.
#[inline]
pub(crate) fn recip((x, p): Fraction) -> Option<Fraction> {
    let numerator = if x < 0 { 0i64.checked_sub_unsigned(p)? } else { i64::try_from(p).ok()? };
    Some((numerator, x.unsigned_abs()))
}

/// The largest integer `<= a`; it always fits.
#[inline]
pub(crate) fn floor((x, p): Fraction) -> i64 {
    match i64::try_from(p) {
        Ok(p) => x.div_euclid(p),
        // `|x| <= 2^63 <= p`, and `x / p` is reduced.
        Err(_) => -i64::from(x < 0),
    }
}
