//! Bit-vectors: constants are folded, and a few cheap laws hold by construction.

use shofar_num::{Bits, Rational, mod_euclid, power_of_two};
use smallvec::SmallVec;

use crate::store::{Op, encode};
use crate::{BitsKind, BitsOp, Sort, Term, TermStore};

/// The widest bit-vectors that there are.
pub const WIDEST: u32 = 65_535;

/// What `op` makes of these vectors: a vector, or a truth value if it is a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Folded {
    Bits(Bits),
    Truth(bool),
}

/// The result of an operation on constants.
pub(crate) fn fold(op: BitsOp, args: &[&Bits]) -> Folded {
    let bits = match (op, args) {
        (BitsOp::Ule, [a, b]) => return Folded::Truth(a.ucmp(b).is_le()),
        (BitsOp::Sle, [a, b]) => return Folded::Truth(a.scmp(b).is_le()),
        (BitsOp::Not, [a]) => a.not(),
        (BitsOp::Extract(high, low), [a]) => a.extract(high.into(), low.into()),
        (BitsOp::SignExtend(more), [a]) => a.sign_extend(more.into()),
        (BitsOp::ZeroExtend(more), [a]) => a.zero_extend(more.into()),
        (BitsOp::Add, [first, rest @ ..]) => rest.iter().fold((*first).clone(), |a, b| a.add(b)),
        (BitsOp::And, [a, b]) => a.and(b),
        (BitsOp::Or, [a, b]) => a.or(b),
        (BitsOp::Xor, [a, b]) => a.xor(b),
        (BitsOp::Mul, [a, b]) => a.mul(b),
        (BitsOp::Udiv, [a, b]) => a.udiv(b),
        (BitsOp::Urem, [a, b]) => a.urem(b),
        (BitsOp::Sdiv, [a, b]) => a.sdiv(b),
        (BitsOp::Srem, [a, b]) => a.srem(b),
        (BitsOp::Smod, [a, b]) => a.smod(b),
        (BitsOp::Shl, [a, b]) => a.shl(b),
        (BitsOp::Lshr, [a, b]) => a.lshr(b),
        (BitsOp::Ashr, [a, b]) => a.ashr(b),
        (BitsOp::Concat, [a, b]) => a.concat(b),
        _ => unreachable!("an operation has the arguments that it takes"),
    };
    Folded::Bits(bits)
}

impl TermStore {
    /// A constant.
    pub fn bits(&mut self, value: &Bits) -> Term {
        let sort = self.bits_sort(value.width());
        let index = self.intern_bits(value);
        self.intern(Op::BitsValue, sort, &[], index)
    }
    /// The constant of `width` bits that an integer is in two's complement.
    pub fn bits_of(&mut self, width: u32, integer: i64) -> Term {
        self.bits(&Bits::new(width, &Rational::from(integer)))
    }
    /// The vector that `term` is, if it is a constant.
    #[inline]
    pub fn as_bits(&self, term: Term) -> Option<&Bits> {
        match self.bits_kind(term) {
            Some(BitsKind::Value(value)) => Some(value),
            Some(BitsKind::Op(..) | BitsKind::OfInt(..) | BitsKind::ToNat(_)) | None => None,
        }
    }
    /// The width of a term whose sort is one of bit-vectors.
    #[inline]
    pub fn width(&self, term: Term) -> u32 {
        self.bits_width(self.sort(term)).expect("a bit-vector has a width")
    }
    /// `op` applied to as many arguments as it takes.
    pub fn bits_op(&mut self, op: BitsOp, args: &[Term]) -> Term {
        if let Some(folded) = self.folded(op, args) {
            return match folded {
                Folded::Bits(bits) => self.bits(&bits),
                Folded::Truth(value) => self.bool(value),
            };
        }
        match op {
            BitsOp::Add | BitsOp::And | BitsOp::Or | BitsOp::Xor | BitsOp::Mul => {
                let mut sorted: SmallVec<[Term; 4]> = args.into();
                sorted.sort_unstable();
                self.intern_bits_op(op, &sorted)
            }
            BitsOp::Not => self.bits_not(args[0]),
            BitsOp::Extract(high, low)
                if low == 0 && u32::from(high) + 1 == self.width(args[0]) =>
            {
                args[0]
            }
            BitsOp::SignExtend(0) | BitsOp::ZeroExtend(0) => args[0],
            BitsOp::Ule | BitsOp::Sle if args[0] == args[1] => self.top(),
            BitsOp::Udiv
            | BitsOp::Urem
            | BitsOp::Sdiv
            | BitsOp::Srem
            | BitsOp::Smod
            | BitsOp::Shl
            | BitsOp::Lshr
            | BitsOp::Ashr
            | BitsOp::Concat
            | BitsOp::Extract(..)
            | BitsOp::SignExtend(_)
            | BitsOp::ZeroExtend(_)
            | BitsOp::Ule
            | BitsOp::Sle => self.intern_bits_op(op, args),
        }
    }
    /// The result, if all arguments are constants.
    fn folded(&self, op: BitsOp, args: &[Term]) -> Option<Folded> {
        let constants: Option<SmallVec<[&Bits; 4]>> =
            args.iter().map(|&arg| self.as_bits(arg)).collect();
        constants.map(|constants| fold(op, &constants))
    }
    fn bits_not(&mut self, a: Term) -> Term {
        match self.bits_kind(a) {
            Some(BitsKind::Op(BitsOp::Not, [inner])) => *inner,
            Some(
                BitsKind::Op(..) | BitsKind::Value(_) | BitsKind::OfInt(..) | BitsKind::ToNat(_),
            )
            | None => self.intern_bits_op(BitsOp::Not, &[a]),
        }
    }
    fn intern_bits_op(&mut self, op: BitsOp, args: &[Term]) -> Term {
        let width = self.width(args[0]);
        let width = match op {
            BitsOp::Concat => width + self.width(args[1]),
            BitsOp::Extract(high, low) => u32::from(high - low) + 1,
            BitsOp::SignExtend(more) | BitsOp::ZeroExtend(more) => width + u32::from(more),
            BitsOp::Not
            | BitsOp::And
            | BitsOp::Or
            | BitsOp::Xor
            | BitsOp::Add
            | BitsOp::Mul
            | BitsOp::Udiv
            | BitsOp::Urem
            | BitsOp::Sdiv
            | BitsOp::Srem
            | BitsOp::Smod
            | BitsOp::Shl
            | BitsOp::Lshr
            | BitsOp::Ashr
            | BitsOp::Ule
            | BitsOp::Sle => width,
        };
        debug_assert!(width <= WIDEST, "wider vectors are refused by who reads them");
        let sort = if op.is_comparison() { Sort::BOOL } else { self.bits_sort(width) };
        let (op, payload) = encode(op);
        self.intern(op, sort, args, payload)
    }
    /// The last `width` bits of an integer in two's complement.
    pub fn bits_of_int(&mut self, width: u32, integer: Term) -> Term {
        debug_assert!(self.sort(integer).is_int(), "an integer is converted");
        if let Some(number) = self.as_number(integer) {
            let bits = Bits::new(width, number);
            return self.bits(&bits);
        }
        if let Some(BitsKind::ToNat(bits)) = self.bits_kind(integer)
            && self.width(bits) == width
        {
            return bits;
        }
        let sort = self.bits_sort(width);
        self.intern(Op::BitsOfInt, sort, &[integer], width)
    }
    /// The number that a vector is in the binary system.
    pub fn bits_to_nat(&mut self, bits: Term) -> Term {
        if let Some(value) = self.as_bits(bits) {
            let number = value.to_nat().clone();
            return self.number(number, Sort::INT);
        }
        if let Some(BitsKind::OfInt(width, integer)) = self.bits_kind(bits) {
            return self.modulo(integer, &power_of_two(width));
        }
        self.intern(Op::BitsToNat, Sort::INT, &[bits], 0)
    }
    /// The number that a vector is in two's complement.
    pub fn bits_to_int(&mut self, bits: Term) -> Term {
        let width = self.width(bits);
        let natural = self.bits_to_nat(bits);
        let half = self.number(power_of_two(width - 1), Sort::INT);
        let (modulus, below) =
            (self.number(power_of_two(width), Sort::INT), self.lt(natural, half));
        let wrapped = self.sub(natural, modulus);
        self.ite(below, natural, wrapped)
    }
    pub(crate) fn rebuild_bits(&mut self, term: Term, children: &[Term]) -> Term {
        match self.bits_kind(term) {
            Some(BitsKind::Value(_)) => term,
            Some(BitsKind::Op(op, _)) => self.bits_op(op, children),
            Some(BitsKind::OfInt(width, _)) => self.bits_of_int(width, children[0]),
            Some(BitsKind::ToNat(_)) => self.bits_to_nat(children[0]),
            None => unreachable!("the caller has looked"),
        }
    }
}

/// The integer that a vector of `width` bits is after wrapping around.
pub fn wrap(integer: &Rational, width: u32) -> Rational {
    mod_euclid(integer, &power_of_two(width)).expect("a power of two is not zero")
}
