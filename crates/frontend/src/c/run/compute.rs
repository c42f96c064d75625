//! What operators compute, on numbers.

use super::kind::{Kind, Signed};

/// What must not happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// An assertion does not hold.
    Assertion,
    /// `reach_error` or the like is called.
    Error,
    /// An index is no index of its array.
    Bounds,
    /// A divisor is zero.
    Division,
    /// The number of places is negative, or not smaller than the width of the type.
    Shift,
    /// A signed result is not within the range of its type.
    Overflow,
}

impl Fault {
    /// How answers say it.
    pub fn words(self) -> &'static str {
        match self {
            Fault::Assertion => "an assertion is violated",
            Fault::Error => "an error is reached",
            Fault::Bounds => "an index is out of bounds",
            Fault::Division => "a number is divided by zero",
            Fault::Shift => "a number is shifted by too many places",
            Fault::Overflow => "a signed number overflows",
        }
    }
}

/// An operator with two operands that are always evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Left,
    Right,
    And,
    Or,
    Xor,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    Unequal,
}

/// Why there is no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failed {
    Fault(Fault),
    /// It is larger than what is computed with here.
    TooLarge,
}

impl Binary {
    pub(super) fn is_shift(self) -> bool {
        matches!(self, Binary::Left | Binary::Right)
    }
    pub(super) fn compares(self) -> bool {
        match self {
            Binary::Less
            | Binary::LessEqual
            | Binary::Greater
            | Binary::GreaterEqual
            | Binary::Equal
            | Binary::Unequal => true,
            Binary::Add
            | Binary::Subtract
            | Binary::Multiply
            | Binary::Divide
            | Binary::Remainder
            | Binary::Left
            | Binary::Right
            | Binary::And
            | Binary::Or
            | Binary::Xor => false,
        }
    }
}

/// `a operator b`; both are of type `kind`, but for the number of places of a shift.
pub(super) fn compute(
    operator: Binary,
    kind: Kind,
    signed: Signed,
    (a, b): (i128, i128),
) -> Result<i128, Failed> {
    let result = match operator {
        Binary::Add => a.checked_add(b),
        Binary::Subtract => a.checked_sub(b),
        // What is lost beyond 128 bits is lost to the type as well.
        Binary::Multiply if !kind.is_signed => Some(a.wrapping_mul(b)),
        Binary::Multiply => a.checked_mul(b),
        Binary::Divide | Binary::Remainder if b == 0 => return Err(Failed::Fault(Fault::Division)),
        Binary::Divide => a.checked_div(b),
        Binary::Remainder => {
            // The quotient has to fit as well.
            let quotient = a.checked_div(b).ok_or(Failed::TooLarge)?;
            fit(quotient, kind, signed)?;
            a.checked_rem(b)
        }
        Binary::Left | Binary::Right if !(0..i128::from(kind.bits)).contains(&b) => {
            return Err(Failed::Fault(Fault::Shift));
        }
        Binary::Left => a.checked_mul(1 << b),
        Binary::Right => Some(a >> b),
        Binary::And => Some(a & b),
        Binary::Or => Some(a | b),
        Binary::Xor => Some(a ^ b),
        Binary::Less => Some(i128::from(a < b)),
        Binary::LessEqual => Some(i128::from(a <= b)),
        Binary::Greater => Some(i128::from(a > b)),
        Binary::GreaterEqual => Some(i128::from(a >= b)),
        Binary::Equal => Some(i128::from(a == b)),
        Binary::Unequal => Some(i128::from(a != b)),
    };
    fit(result.ok_or(Failed::TooLarge)?, kind, signed)
}

/// A result as a number of its type.
pub(super) fn fit(result: i128, kind: Kind, signed: Signed) -> Result<i128, Failed> {
    if !kind.is_signed {
        return Ok(kind.wrap(result));
    }
    match signed {
        Signed::Checked if !kind.holds(result) => Err(Failed::Fault(Fault::Overflow)),
        Signed::Checked | Signed::Mathematical => Ok(result),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT: Kind = Kind::INT;
    const UNSIGNED: Kind = Kind::new(32, false);

    #[test]
    fn results_are_those_of_rust() {
        let numbers = [0, 1, -1, 2, 7, -7, 31, 255, i32::MAX, i32::MIN, 1 << 20];
        for a in numbers {
            for b in numbers {
                let places = u32::try_from(b).ok();
                let expected = [
                    (Binary::Add, a.checked_add(b)),
                    (Binary::Subtract, a.checked_sub(b)),
                    (Binary::Multiply, a.checked_mul(b)),
                    (Binary::Divide, a.checked_div(b)),
                    (Binary::Remainder, a.checked_rem(b)),
                    (Binary::Right, places.and_then(|places| a.checked_shr(places))),
                    (Binary::And, Some(a & b)),
                    (Binary::Xor, Some(a ^ b)),
                ];
                for (operator, expected) in expected {
                    let found = compute(operator, INT, Signed::Checked, (a.into(), b.into()));
                    assert_eq!(found.ok(), expected.map(i128::from), "{a} {operator:?} {b}");
                }
                let (c, d) = (a.cast_unsigned(), b.cast_unsigned());
                let expected = [
                    (Binary::Add, Some(c.wrapping_add(d))),
                    (Binary::Subtract, Some(c.wrapping_sub(d))),
                    (Binary::Multiply, Some(c.wrapping_mul(d))),
                    (Binary::Divide, c.checked_div(d)),
                    (Binary::Left, c.checked_shl(d)),
                ];
                for (operator, expected) in expected {
                    let found = compute(operator, UNSIGNED, Signed::Checked, (c.into(), d.into()));
                    assert_eq!(found.ok(), expected.map(i128::from), "{c} {operator:?} {d}");
                }
            }
        }
    }

    #[test]
    fn products_of_large_unsigned_numbers_wrap_around() {
        let kind = Kind::new(64, false);
        for (a, b) in [(u64::MAX, u64::MAX), (u64::MAX - 1, 1 << 63), (3, u64::MAX)] {
            let found = compute(Binary::Multiply, kind, Signed::Mathematical, (a.into(), b.into()));
            assert_eq!(found, Ok(a.wrapping_mul(b).into()));
        }
    }

    #[test]
    fn mathematical_integers_do_not_overflow() {
        let pair = (i32::MAX.into(), 1);
        assert_eq!(compute(Binary::Add, INT, Signed::Mathematical, pair), Ok(1 << 31));
        let fault = Failed::Fault(Fault::Overflow);
        assert_eq!(compute(Binary::Add, INT, Signed::Checked, pair), Err(fault));
        let large = (i128::MAX, 2);
        assert_eq!(
            compute(Binary::Multiply, INT, Signed::Mathematical, large),
            Err(Failed::TooLarge)
        );
    }
}
