//! Bit-vectors of up to 64 bits: the arithmetic of planted models, after the definitions of
//! SMT-LIB's theory `FixedSizeBitVectors`.
//!
//! The kit has its own, so that a fault of the solver's cannot hide itself.

use std::fmt;

use shofar_base::Rng;

/// A bit-vector; bits above the width are zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    width: u8,
    bits: u64,
}

impl Word {
    /// The last `width` bits of `bits`.
    pub fn new(width: u8, bits: u64) -> Self {
        let mask = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
        Self { width, bits: bits & mask }
    }
    /// A random one; zero, one, minus one and the smallest number are frequent.
    pub fn random(rng: &mut Rng, width: u8) -> Self {
        let bits = match rng.below(8) {
            0 => 0,
            1 => 1,
            2 => u64::MAX,
            3 => 1 << (width - 1),
            _ => rng.bits(),
        };
        Self::new(width, bits)
    }
    /// The integer modulo two to the `width`.
    pub fn of_int(width: u8, n: i128) -> Self {
        let residue = n.rem_euclid(1i128 << width);
        Self::new(width, u64::try_from(residue).expect("a residue is not negative"))
    }
    /// The width.
    pub fn width(self) -> u8 {
        self.width
    }
    /// As a number from zero.
    pub fn unsigned(self) -> i128 {
        i128::from(self.bits)
    }
    /// As a number in two's complement.
    pub fn signed(self) -> i128 {
        let n = self.unsigned();
        if self.is_negative() { n - (1i128 << self.width) } else { n }
    }
    fn is_negative(self) -> bool {
        self.bits >> (self.width - 1) == 1
    }
    fn make(self, n: i128) -> Self {
        Self::of_int(self.width, n)
    }

    /// The value of a unary operator.
    pub fn unary(self, operator: &str) -> Self {
        match operator {
            "bvnot" => Self::new(self.width, !self.bits),
            "bvneg" => self.make(-self.unsigned()),
            _ => panic!("{operator} is no unary operator"),
        }
    }
    /// The value of a binary operator on vectors of one width.
    pub fn binary(self, operator: &str, other: Self) -> Self {
        let (a, b) = (self.unsigned(), other.unsigned());
        let bits = |bits: u64| Self::new(self.width, bits);
        match operator {
            "bvand" => bits(self.bits & other.bits),
            "bvor" => bits(self.bits | other.bits),
            "bvxor" => bits(self.bits ^ other.bits),
            "bvnand" => bits(!(self.bits & other.bits)),
            "bvnor" => bits(!(self.bits | other.bits)),
            "bvxnor" => bits(!(self.bits ^ other.bits)),
            "bvadd" => self.make(a + b),
            "bvsub" => self.make(a - b),
            "bvmul" => self.make(a * b),
            "bvudiv" => self.divided_by(other),
            "bvurem" => self.rest_by(other),
            "bvsdiv" | "bvsrem" | "bvsmod" => self.signed_division(operator, other),
            "bvshl" => self.make(if b < i128::from(self.width) { a << b } else { 0 }),
            "bvlshr" => self.make(if b < i128::from(self.width) { a >> b } else { 0 }),
            "bvashr" => self.make(self.signed() >> b.min(i128::from(self.width))),
            "bvcomp" => Self::new(1, u64::from(self == other)),
            _ => panic!("{operator} is no binary operator"),
        }
    }
    fn divided_by(self, other: Self) -> Self {
        if other.bits == 0 { self.make(-1) } else { self.make(self.unsigned() / other.unsigned()) }
    }
    fn rest_by(self, other: Self) -> Self {
        if other.bits == 0 { self } else { self.make(self.unsigned() % other.unsigned()) }
    }
    /// As the standard defines them: by the unsigned ones on absolute values, with signs put right
    /// afterwards.
    fn signed_division(self, operator: &str, other: Self) -> Self {
        let size = |word: Self| if word.is_negative() { word.unary("bvneg") } else { word };
        let (a, b) = (size(self), size(other));
        let negated = |word: Self, wanted: bool| if wanted { word.unary("bvneg") } else { word };
        let (minus_a, minus_b) = (self.is_negative(), other.is_negative());
        match operator {
            "bvsdiv" => negated(a.divided_by(b), minus_a != minus_b),
            "bvsrem" => negated(a.rest_by(b), minus_a),
            _ => {
                let rest = negated(a.rest_by(b), minus_a);
                if rest.bits == 0 || minus_a == minus_b {
                    rest
                } else {
                    rest.binary("bvadd", other)
                }
            }
        }
    }
    /// The truth of a comparison.
    pub fn compare(self, operator: &str, other: Self) -> bool {
        let (a, b) = (self.unsigned(), other.unsigned());
        let (s, t) = (self.signed(), other.signed());
        match operator {
            "bvult" => a < b,
            "bvule" => a <= b,
            "bvugt" => a > b,
            "bvuge" => a >= b,
            "bvslt" => s < t,
            "bvsle" => s <= t,
            "bvsgt" => s > t,
            "bvsge" => s >= t,
            _ => panic!("{operator} is no comparison"),
        }
    }
    /// This one before the other.
    pub fn concat(self, other: Self) -> Self {
        Self::new(self.width + other.width, (self.bits << other.width) | other.bits)
    }
    /// Bits `high` to `low`.
    pub fn extract(self, high: u8, low: u8) -> Self {
        Self::new(high - low + 1, self.bits >> low)
    }
    /// With `by` zeros in front.
    pub fn zero_extend(self, by: u8) -> Self {
        Self::new(self.width + by, self.bits)
    }
    /// With `by` copies of the sign in front.
    pub fn sign_extend(self, by: u8) -> Self {
        Self::of_int(self.width + by, self.signed())
    }
    /// Rotated to the left.
    pub fn rotate_left(self, by: u8) -> Self {
        let by = by % self.width;
        Self::new(self.width, (self.bits << by) | (self.bits >> ((self.width - by) % 64)))
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#b{:0width$b}", self.bits, width = usize::from(self.width))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(width: u8) -> impl Iterator<Item = Word> {
        (0..1 << width).map(move |bits| Word::new(width, bits))
    }

    #[test]
    fn known_values() {
        let word = |n: i128| Word::of_int(4, n);
        assert_eq!(word(-7).binary("bvsdiv", word(2)), word(-3));
        assert_eq!(word(-7).binary("bvsrem", word(2)), word(-1));
        assert_eq!(word(-7).binary("bvsmod", word(2)), word(1));
        assert_eq!(word(7).binary("bvsmod", word(-2)), word(-1));
        assert_eq!(word(-8).binary("bvsdiv", word(-1)), word(-8));
        assert_eq!(word(5).binary("bvsdiv", word(0)), word(-1));
        assert_eq!(word(-5).binary("bvsdiv", word(0)), word(1));
        assert_eq!(word(-5).binary("bvurem", word(0)), word(-5));
        assert_eq!(word(-8).binary("bvashr", word(9)), word(-1));
        assert_eq!(word(3).binary("bvshl", word(4)), word(0));
        assert_eq!(Word::new(3, 5).to_string(), "#b101");
        assert_eq!(Word::new(3, 5).concat(Word::new(2, 1)), Word::new(5, 0b10101));
        assert_eq!(Word::new(3, 0b110).rotate_left(4), Word::new(3, 0b101));
        assert_eq!(Word::new(3, 0b110).sign_extend(2), Word::new(5, 0b11110));
    }

    #[test]
    fn laws_hold_for_all_small_words() {
        for width in 1..=4 {
            for (a, b) in all(width).flat_map(|a| all(width).map(move |b| (a, b))) {
                let quotient = a.binary("bvudiv", b);
                let sum = quotient.binary("bvmul", b).binary("bvadd", a.binary("bvurem", b));
                assert_eq!(sum, a);
                let quotient = a.binary("bvsdiv", b);
                let sum = quotient.binary("bvmul", b).binary("bvadd", a.binary("bvsrem", b));
                assert_eq!(sum, a);
                assert_eq!(a.binary("bvsub", b), a.binary("bvadd", b.unary("bvneg")));
                assert_eq!(a.binary("bvxnor", b), a.binary("bvxor", b).unary("bvnot"));
                assert_eq!(a.compare("bvslt", b), a.signed() < b.signed());
                assert_eq!(a.concat(b).extract(2 * width - 1, width), a);
                assert_eq!(Word::of_int(width, a.signed()), a);
                let modulo = a.binary("bvsmod", b).signed();
                assert!(b.signed() == 0 || modulo == 0 || modulo.signum() == b.signed().signum());
            }
        }
    }
}
