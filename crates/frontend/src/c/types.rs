//! The integer types of C: their ranges, constants, and conversions between them.
//!
//! `int` has 32 bits, `long long` 64; `long` and pointers have as many as the data model says: 64
//! with LP64 (Linux on 64 bits), 32 with ILP32. Types of the same size and sign are one type here:
//! nothing that is supported tells `int` and `long` of ILP32 apart. `char` is signed, an `enum` is
//! an `int`. A conversion that C leaves to the implementation, of a number that does not fit into a
//! signed type, wraps around as gcc does it.

use shofar_num::{Rational, power_of_two};
use shofar_term::{Sort, Term, TermStore};

/// Numbers of all types are terms of this sort.
const INT: Sort = Sort::INT;

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Int {
    /// 1 for `_Bool`.
    pub(super) bits: u32,
    pub(super) signed: bool,
}

impl Int {
    pub(super) const BOOL: Int = Int { bits: 1, signed: false };
    pub(super) const CHAR: Int = Int { bits: 8, signed: true };
    pub(super) const SHORT: Int = Int { bits: 16, signed: true };
    pub(super) const INT: Int = Int { bits: 32, signed: true };
    pub(super) const UNSIGNED: Int = Int { bits: 32, signed: false };
    pub(super) const LONG_LONG: Int = Int { bits: 64, signed: true };
    pub(super) const UNSIGNED_LONG_LONG: Int = Int { bits: 64, signed: false };

    pub(super) fn unsigned(self) -> Int {
        Int { signed: false, ..self }
    }
    pub(super) fn min(self) -> Rational {
        if self.signed { -&power_of_two(self.bits - 1) } else { Rational::ZERO }
    }
    pub(super) fn max(self) -> Rational {
        let bits = if self.signed { self.bits - 1 } else { self.bits };
        &power_of_two(bits) - &Rational::ONE
    }
    /// How many values there are.
    pub(super) fn modulus(self) -> Rational {
        power_of_two(self.bits)
    }
    pub(super) fn bytes(self) -> i64 {
        i64::from(self.bits.div_ceil(8))
    }
    /// Whether all values of `other` are values of this type.
    pub(super) fn includes(self, other: Int) -> bool {
        self.min() <= other.min() && other.max() <= self.max()
    }
    /// The type in which one operand is computed with: small types become `int`.
    pub(super) fn promoted(self) -> Int {
        if self.bits < 32 { Int::INT } else { self }
    }
    /// The type in which two operands are computed with.
    pub(super) fn common(self, other: Int) -> Int {
        let (a, b) = (self.promoted(), other.promoted());
        let bits = a.bits.max(b.bits);
        let wide_signed = |int: Int| int.bits < bits || int.signed;
        Int { bits, signed: wide_signed(a) && wide_signed(b) }
    }
    /// Whether no computation gives a value outside of the type. Smaller types than `int` get their
    /// values by conversions.
    pub(super) fn is_bounded(self, arithmetic: Arithmetic) -> bool {
        !self.signed || arithmetic == Arithmetic::Checked || self.bits < Int::INT.bits
    }
    /// What the values of the type satisfy.
    pub(super) fn range(self, store: &mut TermStore, term: Term) -> Term {
        let (min, max) = (store.number(self.min(), INT), store.number(self.max(), INT));
        let (above, below) = (store.ge(term, min), store.le(term, max));
        store.and(&[above, below])
    }
}

/// How large the types are whose sizes differ between machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DataModel {
    /// `int` has 32 bits, `long` and pointers have 64.
    Lp64,
    /// All of them have 32.
    Ilp32,
}

impl DataModel {
    pub(super) fn name(self) -> &'static str {
        match self {
            DataModel::Lp64 => "LP64",
            DataModel::Ilp32 => "ILP32",
        }
    }
    /// The type `long`; pointers have its size.
    pub(super) fn long(self) -> Int {
        match self {
            DataModel::Lp64 => Int { bits: 64, signed: true },
            DataModel::Ilp32 => Int { bits: 32, signed: true },
        }
    }
    /// The type of sizes, which is `unsigned long` or as large.
    pub(super) fn size(self) -> Int {
        self.long().unsigned()
    }
}

/// The least type that the suffix of a literal allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Least {
    Int,
    Long,
    LongLong,
}

impl Least {
    fn bits(self, model: DataModel) -> u32 {
        match self {
            Least::Int => Int::INT.bits,
            Least::Long => model.long().bits,
            Least::LongLong => Int::LONG_LONG.bits,
        }
    }
}

/// What is known of signed numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arithmetic {
    /// They are mathematical integers: computing with them does not overflow.
    Mathematical,
    /// They are within the range of their type, since an overflow is a violation.
    Checked,
}

/// A number of one type as a number of another, other than `_Bool`.
pub(super) fn convert(
    store: &mut TermStore,
    arithmetic: Arithmetic,
    term: Term,
    (from, to): (Int, Int),
) -> Term {
    if to.includes(from) {
        return term;
    }
    let fits = to.range(store, term);
    let modulus = to.modulus();
    // Numbers of the source are less than a modulus away from the range of the target.
    let is_near = from.bits <= to.bits && !(from.signed && arithmetic == Arithmetic::Mathematical);
    let wrapped = if is_near {
        let by = store.number(if from.signed { modulus } else { -&modulus }, INT);
        store.add(&[term, by])
    } else {
        let low = store.number(to.min(), INT);
        let above = store.sub(term, low);
        let rest = store.modulo(above, &modulus);
        store.add(&[rest, low])
    };
    store.ite(fits, term, wrapped)
}

/// A constant with its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Literal {
    pub(super) value: i128,
    pub(super) int: Int,
}

impl Literal {
    /// The number of an integer literal with this base; nothing if it fits into no type.
    pub(super) fn new(
        model: DataModel,
        (digits, base): (&str, u32),
        is_unsigned: bool,
        least: Least,
    ) -> Option<Self> {
        let value = i128::from_str_radix(digits, base).ok()?;
        let candidates = [Int::INT, Int::UNSIGNED, Int::LONG_LONG, Int::UNSIGNED_LONG_LONG];
        let is_allowed = |int: &Int| {
            let sign = if int.signed { !is_unsigned } else { is_unsigned || base != 10 };
            sign && int.bits >= least.bits(model)
        };
        let fits = |int: &Int| int.max() >= number(value);
        let int = candidates.into_iter().filter(is_allowed).find(fits)?;
        Some(Self { value, int })
    }
    /// A literal as it is written: a number or a character.
    pub(super) fn parse(model: DataModel, text: &str) -> Option<Self> {
        if let Some(character) = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
            return Some(Self { value: character_value(character)?, int: Int::INT });
        }
        let digits_end =
            text.len() - text.bytes().rev().take_while(|b| b"uUlL".contains(b)).count();
        let (digits, suffix) = text.split_at(digits_end);
        let suffix = suffix.to_ascii_lowercase();
        let is_known =
            matches!(suffix.as_str(), "" | "u" | "l" | "ul" | "lu" | "ll" | "ull" | "llu");
        let lower = digits.to_ascii_lowercase();
        let (digits, base) = match lower.strip_prefix("0x") {
            Some(rest) => (rest, 16),
            None if lower.len() > 1 && lower.starts_with('0') => (&lower[1..], 8),
            None => (lower.as_str(), 10),
        };
        let is_plain =
            !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let least = match suffix.bytes().filter(|&byte| byte == b'l').count() {
            0 => Least::Int,
            1 => Least::Long,
            _ => Least::LongLong,
        };
        let literal = Self::new(model, (digits, base), suffix.contains('u'), least);
        literal.filter(|_| is_known && is_plain)
    }
    /// The negative number; unsigned ones wrap around.
    pub(super) fn negated(self) -> Option<Self> {
        if self.int.signed {
            return Some(Self { value: -self.value, ..self });
        }
        let modulus = 1i128.checked_shl(self.int.bits)?;
        Some(Self { value: (modulus - self.value) % modulus, ..self })
    }
    pub(super) fn number(self) -> Rational {
        number(self.value)
    }
}

fn number(value: i128) -> Rational {
    value.to_string().parse().expect("a number can be read")
}

/// The value of a character between quotes.
pub(super) fn character_value(text: &str) -> Option<i128> {
    let bytes = text.as_bytes();
    let value = match bytes {
        [byte] if *byte != b'\\' => i128::from(*byte),
        [b'\\', b'x', digits @ ..] if !digits.is_empty() && digits.len() <= 2 => {
            i128::from_str_radix(&text[2..], 16).ok()?
        }
        [b'\\', digits @ ..]
            if !digits.is_empty() && digits.iter().all(|d| (b'0'..=b'7').contains(d)) =>
        {
            i128::from_str_radix(&text[1..], 8).ok().filter(|&value| value < 256)?
        }
        [b'\\', letter] => {
            let known = b"abfnrtv\\'\"?".iter().position(|known| known == letter)?;
            let values = [7, 8, 12, 10, 13, 9, 11, 92, 39, 34, 63];
            values[known]
        }
        _ => return None,
    };
    // A `char` is signed.
    Some(if value > 127 { value - 256 } else { value })
}

#[cfg(test)]
mod tests {
    use shofar_term::Value;
    use shofar_term::eval::{Model, evaluate};

    use super::*;

    #[test]
    fn literals_have_the_first_type_that_they_fit() {
        for (text, value, int) in [
            ("0", 0, Int::INT),
            ("017", 15, Int::INT),
            ("2147483648", 2_147_483_648, Int::LONG_LONG),
            ("0x80000000", 2_147_483_648, Int::UNSIGNED),
            ("1u", 1, Int::UNSIGNED),
            ("1L", 1, Int::LONG_LONG),
            ("18446744073709551615ULL", 18_446_744_073_709_551_615, Int::UNSIGNED_LONG_LONG),
            ("'a'", 97, Int::INT),
            ("'\\n'", 10, Int::INT),
            ("'\\xff'", -1, Int::INT),
        ] {
            assert_eq!(
                Literal::parse(DataModel::Lp64, text),
                Some(Literal { value, int }),
                "{text}"
            );
        }
        for wrong in [
            "",
            "1.5",
            "1x",
            "1lul",
            "9999999999999999999999",
            "18446744073709551615",
            "''",
            "'ab'",
            "-1",
            "0x",
        ] {
            assert_eq!(Literal::parse(DataModel::Lp64, wrong), None, "{wrong}");
        }
    }

    #[test]
    fn literals_of_32_bits() {
        for (text, int) in [
            ("2147483647L", Int::INT),
            ("2147483648", Int::LONG_LONG),
            ("0x80000000", Int::UNSIGNED),
            ("0x80000000L", Int::UNSIGNED),
            ("4294967295u", Int::UNSIGNED),
            ("4294967295UL", Int::UNSIGNED),
            ("4294967296UL", Int::UNSIGNED_LONG_LONG),
            ("1LL", Int::LONG_LONG),
            ("1ull", Int::UNSIGNED_LONG_LONG),
        ] {
            let literal = Literal::parse(DataModel::Ilp32, text);
            assert_eq!(literal.map(|literal| literal.int), Some(int), "{text}");
        }
    }

    #[test]
    fn operands_meet_in_a_common_type() {
        for (a, b, common) in [
            (Int::CHAR, Int::BOOL, Int::INT),
            (Int::INT, Int::UNSIGNED, Int::UNSIGNED),
            (Int::UNSIGNED, Int::LONG_LONG, Int::LONG_LONG),
            (Int::LONG_LONG, Int::UNSIGNED_LONG_LONG, Int::UNSIGNED_LONG_LONG),
            (Int::SHORT.unsigned(), Int::INT, Int::INT),
        ] {
            assert_eq!((a.common(b), b.common(a)), (common, common));
        }
    }

    /// Against the conversions of Rust, which are those of gcc.
    #[test]
    fn conversions_wrap_around() {
        let mut s = TermStore::new();
        let values: [i32; 12] =
            [0, 1, -1, 127, 128, -128, -129, 255, 256, 65_535, i32::MAX, i32::MIN];
        for value in values {
            let [a, b, ..] = value.to_le_bytes();
            for arithmetic in [Arithmetic::Mathematical, Arithmetic::Checked] {
                let expected = [
                    (Int::CHAR, i64::from(i8::from_le_bytes([a]))),
                    (Int::CHAR.unsigned(), i64::from(a)),
                    (Int::SHORT, i64::from(i16::from_le_bytes([a, b]))),
                    (Int::UNSIGNED, i64::from(u32::from_le_bytes(value.to_le_bytes()))),
                    (Int::LONG_LONG, i64::from(value)),
                ];
                for (to, expected) in expected {
                    let x = s.var("x", Sort::INT);
                    let converted = convert(&mut s, arithmetic, x, (Int::INT, to));
                    let mut model = Model::new();
                    model.set(s.symbol(x).unwrap(), Value::Number(Rational::from(value)));
                    let found = evaluate(&s, converted, &model).unwrap();
                    assert_eq!(
                        found.as_number(),
                        Some(&Rational::from(expected)),
                        "{value} {to:?}"
                    );
                }
            }
        }
    }
}
