//! Integer types and numbers of them, for the interpreter.
//!
//! A number is an `i128`. Numbers of unsigned types are always within their range; those of signed
//! types are, too, if overflow is a violation, and are mathematical integers else, which end the
//! run where they do not fit into an `i128`.

/// How large types are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataModel {
    /// `long`, `size_t` and pointers have 64 bits.
    Lp64,
    /// They have 32 bits.
    Ilp32,
}

/// What signed numbers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signed {
    /// Mathematical integers.
    Mathematical,
    /// Numbers within the range of their type: an overflow is a violation.
    Checked,
}

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kind {
    pub(super) bits: u32,
    pub(super) is_signed: bool,
}

impl Kind {
    pub(super) const BOOL: Kind = Kind { bits: 1, is_signed: false };
    pub(super) const INT: Kind = Kind { bits: 32, is_signed: true };

    pub(super) const fn new(bits: u32, is_signed: bool) -> Self {
        Self { bits, is_signed }
    }
    pub(super) fn lowest(self) -> i128 {
        if self.is_signed { -(1 << (self.bits - 1)) } else { 0 }
    }
    pub(super) fn highest(self) -> i128 {
        let bits = if self.is_signed { self.bits - 1 } else { self.bits };
        (1 << bits) - 1
    }
    pub(super) fn holds(self, number: i128) -> bool {
        self.lowest() <= number && number <= self.highest()
    }
    /// The number of this type that differs by a multiple of 2 to the number of bits.
    pub(super) fn wrap(self, number: i128) -> i128 {
        let rest = number.rem_euclid(1 << self.bits);
        if rest > self.highest() { rest - (1 << self.bits) } else { rest }
    }
    pub(super) fn bytes(self) -> i128 {
        i128::from(self.bits.div_ceil(8))
    }
    /// The type in which one operand is computed with.
    pub(super) fn promoted(self) -> Self {
        if self.bits < Self::INT.bits { Self::INT } else { self }
    }
    /// The type in which two operands are computed with: the wider one, unsigned if one as wide as
    /// that is.
    pub(super) fn common(self, other: Self) -> Self {
        let (a, b) = (self.promoted(), other.promoted());
        match a.bits.cmp(&b.bits) {
            std::cmp::Ordering::Less => b,
            std::cmp::Ordering::Greater => a,
            std::cmp::Ordering::Equal => {
                Self { bits: a.bits, is_signed: a.is_signed && b.is_signed }
            }
        }
    }
    /// A number of this type as one of another. What a signed type of the same or a smaller size
    /// holds mathematically stays so.
    pub(super) fn convert(self, number: i128, to: Kind) -> i128 {
        if to == Self::BOOL {
            return i128::from(number != 0);
        }
        let is_wider = to.lowest() <= self.lowest() && self.highest() <= to.highest();
        if is_wider || to.holds(number) { number } else { to.wrap(number) }
    }
}

impl DataModel {
    pub(super) fn long(self) -> Kind {
        match self {
            DataModel::Lp64 => Kind::new(64, true),
            DataModel::Ilp32 => Kind::new(32, true),
        }
    }
    /// What `sizeof` gives, and the size of a pointer.
    pub(super) fn size(self) -> Kind {
        Kind::new(self.long().bits, false)
    }
}

/// The number of an integer literal and its type: the first one that holds it.
pub(super) fn literal(
    model: DataModel,
    (digits, base): (&str, u32),
    is_unsigned: bool,
    longs: usize,
) -> Option<(i128, Kind)> {
    let number = i128::from_str_radix(digits, base).ok()?;
    let ranks = [32, model.long().bits, 64];
    for bits in &ranks[longs.min(2)..] {
        for is_signed in [true, false] {
            let kind = Kind::new(*bits, is_signed);
            let is_allowed = if is_signed { !is_unsigned } else { is_unsigned || base != 10 };
            if is_allowed && kind.holds(number) {
                return Some((number, kind));
            }
        }
    }
    None
}

/// The number of a character, as it is written between quotes.
pub(super) fn character(written: &str) -> Option<i128> {
    let inner = written.strip_prefix('\'')?.strip_suffix('\'')?;
    let code = match inner.strip_prefix('\\') {
        None => u32::from(Some(inner).filter(|inner| inner.len() == 1)?.chars().next()?),
        Some(escape) => match escape.chars().next()? {
            'x' => u32::from_str_radix(&escape[1..], 16).ok()?,
            '0'..='7' => u32::from_str_radix(escape, 8).ok()?,
            simple if escape.len() == 1 => match simple {
                'a' => 7,
                'b' => 8,
                'e' => 27,
                'f' => 12,
                'n' => 10,
                'r' => 13,
                't' => 9,
                'v' => 11,
                '\\' | '\'' | '"' | '?' => u32::from(simple),
                _ => return None,
            },
            _ => return None,
        },
    };
    (code < 256).then(|| Kind::new(8, true).wrap(i128::from(code)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_have_types_of_the_data_model() {
        let (lp64, ilp32) = (DataModel::Lp64, DataModel::Ilp32);
        for (model, digits, base, is_unsigned, longs, bits, is_signed) in [
            (lp64, "2147483647", 10, false, 0, 32, true),
            (lp64, "2147483648", 10, false, 0, 64, true),
            (lp64, "80000000", 16, false, 0, 32, false),
            (lp64, "1", 10, true, 1, 64, false),
            (ilp32, "1", 10, true, 1, 32, false),
            (ilp32, "1", 10, true, 2, 64, false),
            (ilp32, "2147483648", 10, false, 1, 64, true),
            (ilp32, "ffffffff", 16, false, 1, 32, false),
        ] {
            let (number, kind) = literal(model, (digits, base), is_unsigned, longs).unwrap();
            assert_eq!(kind, Kind::new(bits, is_signed), "{digits} {longs}");
            assert_eq!(number, i128::from_str_radix(digits, base).unwrap());
        }
        assert_eq!(literal(lp64, ("18446744073709551616", 10), true, 0), None);
    }

    #[test]
    fn characters_are_signed() {
        for (written, number) in [
            ("'a'", 97),
            ("'\\n'", 10),
            ("'\\0'", 0),
            ("'\\xff'", -1),
            ("'\\177'", 127),
            ("'\\''", 39),
        ] {
            assert_eq!(character(written), Some(number), "{written}");
        }
        for wrong in ["''", "'ab'", "a", "'\\q'", "'\\xfff'"] {
            assert_eq!(character(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn conversions_wrap_where_types_are_narrower() {
        let (int, unsigned) = (Kind::INT, Kind::new(32, false));
        assert_eq!(int.convert(-1, unsigned), u32::MAX.into());
        assert_eq!(int.convert(300, Kind::new(8, true)), 44);
        assert_eq!(int.convert(200, Kind::new(8, true)), -56);
        assert_eq!(int.convert(256, Kind::BOOL), 1);
        assert_eq!(int.convert(1 << 40, Kind::new(64, true)), 1 << 40);
        assert_eq!(int.common(unsigned), unsigned);
        assert_eq!(unsigned.common(Kind::new(64, true)), Kind::new(64, true));
        assert_eq!(Kind::new(8, false).common(Kind::BOOL), int);
    }
}
