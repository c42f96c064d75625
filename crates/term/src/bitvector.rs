//! Bit-vectors: constants are folded, and cheap laws hold by construction; those of sums are in
//! [`modular`](crate::modular).

use shofar_num::{Bits, Rational, mod_euclid, power_of_two};
use smallvec::SmallVec;

use crate::store::{Op, encode};
use crate::{BitsKind, BitsOp, Linear, Sort, Term, TermStore};

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
        match (op, args) {
            (BitsOp::Add, args) => self.bits_sum(args),
            (BitsOp::Mul, &[a, b]) => self.bits_product(a, b),
            (BitsOp::Not, &[a]) => self.bits_not(a),
            (BitsOp::And | BitsOp::Or | BitsOp::Xor, &[a, b]) => self.bits_gate(op, a, b),
            (BitsOp::Udiv | BitsOp::Urem | BitsOp::Shl | BitsOp::Lshr | BitsOp::Ashr, &[a, b]) => {
                match self.as_bits(b).cloned() {
                    Some(constant) => self.bits_by_constant(op, a, b, &constant),
                    None => self.intern_bits_op(op, args),
                }
            }
            (BitsOp::Extract(high, low), &[a]) => self.bits_extract(high, low, a),
            (BitsOp::SignExtend(more) | BitsOp::ZeroExtend(more), &[a]) => {
                self.bits_extend(op, more, a)
            }
            (BitsOp::Concat, &[a, b]) => self.bits_concat(a, b),
            (BitsOp::Ule | BitsOp::Sle, &[a, b]) => self.bits_compare(op, a, b),
            _ => self.intern_bits_op(op, args),
        }
    }
    /// A clause that holds for every operation: where its arguments have these values, it has their
    /// result. The equalities are kept as they are, so that the clause can be recognised.
    pub fn bits_at(&mut self, operation: Term, values: &[Bits]) -> Vec<Term> {
        let Some(BitsKind::Op(op, args)) = self.bits_kind(operation) else {
            unreachable!("the operation is one of bit-vectors")
        };
        let args: SmallVec<[Term; 4]> = args.into();
        let constants: SmallVec<[Term; 4]> = values.iter().map(|value| self.bits(value)).collect();
        let mut clause = Vec::with_capacity(args.len() + 1);
        for (&arg, &constant) in args.iter().zip(&constants) {
            if arg != constant {
                let is_value = self.intern_same(arg, constant);
                clause.push(self.not(is_value));
            }
        }
        let result = self.bits_op(op, &constants);
        clause.push(self.intern_same(operation, result));
        clause
    }
    /// The result, if all arguments are constants.
    fn folded(&self, op: BitsOp, args: &[Term]) -> Option<Folded> {
        let constants: Option<SmallVec<[&Bits; 4]>> =
            args.iter().map(|&arg| self.as_bits(arg)).collect();
        constants.map(|constants| fold(op, &constants))
    }
    fn bits_not(&mut self, a: Term) -> Term {
        if let Some(BitsKind::OfInt(width, integer)) = self.bits_kind(a) {
            let (negated, one) = (self.neg(integer), self.int(1));
            let complement = self.sub(negated, one);
            return self.bits_of_int(width, complement);
        }
        if let Some(BitsKind::Op(BitsOp::Not, [inner])) = self.bits_kind(a) {
            return *inner;
        }
        self.intern_bits_op(BitsOp::Not, &[a])
    }
    fn is_complement(&self, a: Term, of: Term) -> bool {
        matches!(self.bits_kind(a), Some(BitsKind::Op(BitsOp::Not, &[inner])) if inner == of)
    }
    /// Conjunction, disjunction or difference; neutral and absorbing elements are gone.
    fn bits_gate(&mut self, op: BitsOp, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let (zero, ones) = (Bits::zero(width), Bits::ones(width));
        let (zero, ones) = (self.bits(&zero), self.bits(&ones));
        if a == b {
            return if op == BitsOp::Xor { zero } else { a };
        }
        if self.is_complement(a, b) || self.is_complement(b, a) {
            return if op == BitsOp::And { zero } else { ones };
        }
        for (constant, other) in [(a, b), (b, a)] {
            if constant == zero {
                return if op == BitsOp::And { zero } else { other };
            }
            if constant == ones {
                return if op == BitsOp::And {
                    other
                } else if op == BitsOp::Or {
                    ones
                } else {
                    self.bits_not(other)
                };
            }
        }
        for (constant, other) in [(a, b), (b, a)] {
            if op == BitsOp::And
                && let Some((first, end)) = self.as_bits(constant).and_then(Self::run_of_ones)
            {
                return self.bits_masked(other, first, end);
            }
        }
        self.intern_bits_op(op, &[a.min(b), a.max(b)])
    }
    /// A quotient, a remainder or a shift by a constant.
    fn bits_by_constant(&mut self, op: BitsOp, a: Term, b: Term, constant: &Bits) -> Term {
        let width = constant.width();
        let places = constant.to_nat().to_i64().and_then(|places| u32::try_from(places).ok());
        let places = places.filter(|&places| places < width);
        match (op, places) {
            (BitsOp::Shl | BitsOp::Lshr | BitsOp::Ashr, Some(0)) => a,
            (BitsOp::Shl | BitsOp::Lshr, None) => self.bits(&Bits::zero(width)),
            (BitsOp::Shl, Some(places)) => {
                let factor = self.bits(&Bits::new(width, &power_of_two(places)));
                self.bits_product(factor, a)
            }
            (BitsOp::Lshr, Some(places)) => self.bits_shifted(BitsOp::ZeroExtend, a, places),
            (BitsOp::Ashr, places) => {
                self.bits_shifted(BitsOp::SignExtend, a, places.unwrap_or(width - 1))
            }
            (BitsOp::Udiv, _) if constant.to_nat().is_one() => a,
            (BitsOp::Urem, _) if constant.to_nat().is_one() => self.bits(&Bits::zero(width)),
            _ => self.intern_bits_op(op, &[a, b]),
        }
    }
    /// A shift to the right by a constant is the extension of what is left.
    fn bits_shifted(&mut self, extend: fn(u16) -> BitsOp, a: Term, places: u32) -> Term {
        let places = u16::try_from(places).expect("vectors are not wider");
        let high = u16::try_from(self.width(a) - 1).expect("vectors are not wider");
        let kept = self.bits_extract(high, places, a);
        self.bits_extend(extend(places), places, kept)
    }
    /// Where the ones of a mask begin and end, if they stand next to each other.
    fn run_of_ones(mask: &Bits) -> Option<(u32, u32)> {
        let first = (0..mask.width()).find(|&at| mask.bit(at))?;
        let end = (first..mask.width()).find(|&at| !mask.bit(at)).unwrap_or(mask.width());
        let ones = power_of_two(end) - power_of_two(first);
        (*mask.to_nat() == ones).then_some((first, end))
    }
    /// The bits of `a` from `first` below `end`, the others are zero.
    fn bits_masked(&mut self, a: Term, first: u32, end: u32) -> Term {
        let short = |number: u32| u16::try_from(number).expect("vectors are not wider");
        let width = self.width(a);
        let kept = self.bits_extract(short(end - 1), short(first), a);
        let more = short(width - end);
        let kept = self.bits_extend(BitsOp::ZeroExtend(more), more, kept);
        if first == 0 {
            return kept;
        }
        let zeros = self.bits(&Bits::zero(first));
        self.bits_concat(kept, zeros)
    }
    /// Extracts go to the part that the bits come from.
    fn bits_extract(&mut self, mut high: u16, mut low: u16, mut a: Term) -> Term {
        loop {
            if low == 0 && u32::from(high) + 1 == self.width(a) {
                return a;
            }
            // Single bits stay what they are: all of them together say what the integer is.
            if high > low
                && let Some(BitsKind::OfInt(_, integer)) = self.bits_kind(a)
            {
                let quotient = self.div(integer, &power_of_two(low.into()));
                return self.bits_of_int(u32::from(high - low) + 1, quotient);
            }
            let Some(BitsKind::Op(op, args)) = self.bits_kind(a) else { break };
            let (first, last) = (args[0], args[args.len() - 1]);
            let inner = u16::try_from(self.width(last)).unwrap_or(u16::MAX);
            match (op, high < inner, low >= inner) {
                (BitsOp::Extract(_, from), ..) => {
                    (high, low, a) = (from + high, from + low, first);
                }
                (BitsOp::Concat | BitsOp::ZeroExtend(_) | BitsOp::SignExtend(_), true, _) => {
                    a = last;
                }
                (BitsOp::Concat, _, true) => {
                    (high, low, a) = (high - inner, low - inner, first);
                }
                (BitsOp::ZeroExtend(_), _, true) => {
                    return self.bits(&Bits::zero(u32::from(high - low) + 1));
                }
                _ => break,
            }
        }
        match self.as_bits(a) {
            Some(value) => {
                let part = value.extract(high.into(), low.into());
                self.bits(&part)
            }
            None => self.intern_bits_op(BitsOp::Extract(high, low), &[a]),
        }
    }
    /// Extensions of extensions are one.
    fn bits_extend(&mut self, op: BitsOp, more: u16, a: Term) -> Term {
        if more == 0 {
            return a;
        }
        let Some(BitsKind::Op(inner, &[b])) = self.bits_kind(a) else {
            return self.intern_bits_op(op, &[a]);
        };
        match (op, inner) {
            (_, BitsOp::ZeroExtend(before)) => {
                self.intern_bits_op(BitsOp::ZeroExtend(more + before), &[b])
            }
            (BitsOp::SignExtend(_), BitsOp::SignExtend(before)) => {
                self.intern_bits_op(BitsOp::SignExtend(more + before), &[b])
            }
            _ => self.intern_bits_op(op, &[a]),
        }
    }
    /// Neighbouring bits of one vector are an extract of it.
    fn bits_concat(&mut self, a: Term, b: Term) -> Term {
        if let (
            Some(BitsKind::Op(BitsOp::Extract(high, above), &[x])),
            Some(BitsKind::Op(BitsOp::Extract(below, low), &[y])),
        ) = (self.bits_kind(a), self.bits_kind(b))
            && x == y
            && above == below + 1
        {
            return self.bits_extract(high, low, x);
        }
        self.intern_bits_op(BitsOp::Concat, &[a, b])
    }
    /// Comparisons with the least and the greatest number.
    fn bits_compare(&mut self, op: BitsOp, a: Term, b: Term) -> Term {
        if a == b {
            return self.top();
        }
        let width = self.width(a);
        let (least, greatest) = if op == BitsOp::Sle {
            let half = power_of_two(width - 1);
            (Bits::new(width, &half), Bits::new(width, &(half - Rational::ONE)))
        } else {
            (Bits::zero(width), Bits::ones(width))
        };
        let is = |term: Term, value: &Bits| self.as_bits(term) == Some(value);
        if is(a, &least) || is(b, &greatest) {
            self.top()
        } else if is(a, &greatest) || is(b, &least) {
            self.bits_eq(a, b)
        } else {
            self.intern_bits_op(op, &[a, b])
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
        let reduced = self.reduced_modulo(self.linear(integer), width);
        let integer = self.sum(&reduced, Sort::INT);
        if let Some(number) = self.as_number(integer) {
            let bits = Bits::new(width, number);
            return self.bits(&bits);
        }
        if let Some(BitsKind::ToNat(bits)) = self.bits_kind(integer) {
            return self.fitted(bits, width);
        }
        let sort = self.bits_sort(width);
        self.intern(Op::BitsOfInt, sort, &[integer], width)
    }
    /// The last `width` bits of a vector, or all of them after zeros.
    fn fitted(&mut self, bits: Term, width: u32) -> Term {
        let own = self.width(bits);
        let short = |difference: u32| u16::try_from(difference).expect("vectors are not wider");
        if width < own {
            self.bits_extract(short(width - 1), 0, bits)
        } else {
            self.bits_extend(BitsOp::ZeroExtend(short(width - own)), short(width - own), bits)
        }
    }
    /// The number that a vector is in the binary system. Vectors that are put together are sums.
    pub fn bits_to_nat(&mut self, bits: Term) -> Term {
        let mut sum = Linear::new();
        let mut work = vec![(Rational::ONE, bits)];
        while let Some((factor, bits)) = work.pop() {
            match self.bits_kind(bits) {
                Some(BitsKind::Value(value)) => sum.constant.add_mul(&factor, value.to_nat()),
                Some(BitsKind::Op(BitsOp::ZeroExtend(_), &[inner])) => work.push((factor, inner)),
                Some(BitsKind::Op(BitsOp::Concat, &[high, low])) => {
                    work.push((&factor * power_of_two(self.width(low)), high));
                    work.push((factor, low));
                }
                Some(BitsKind::OfInt(width, integer)) => {
                    let rest = self.modulo(integer, &power_of_two(width));
                    sum.add_scaled(&factor, &self.linear(rest));
                }
                Some(BitsKind::Op(..) | BitsKind::ToNat(_)) | None => {
                    let number = self.intern(Op::BitsToNat, Sort::INT, &[bits], 0);
                    sum.add_term(&factor, number);
                }
            }
        }
        self.sum(&sum, Sort::INT)
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
