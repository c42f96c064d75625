//! Bit-vectors as propositional formulas.
//!
//! Bit `i` of a vector `t` is the formula `(= ((_ extract i i) t) #b1)`, an atom like any other. A
//! comparison of vectors, and a bit of an operation, *mean* a formula over the bits of the
//! operands, which the encoder writes down as the definition of that atom. So vectors need no
//! variables but atoms over terms, parts share them, and an interpolant speaks about bits of shared
//! terms.
//!
//! Where a function is applied to vectors or yields one, where an array or a datum has some, all
//! their bits matter: the theories compare the values, and what does not fit they say by equalities
//! of vectors, which mean that all bits are equal.
//!
//! Otherwise only the bits that a formula asks for are defined; the formulas of a vector are made
//! once, for all its bits together. Vectors meet integers in sums of their bits: `ubv_to_int t` is
//! the sum, and of `int_to_bv n` the sum is `n mod 2^w`.
//!
//! | file | what |
//! |---|---|
//! | `gates` | adders, shifters, comparisons over lists of formulas |
//! | `division` | quotients and remainders |
//!
//! Source: [KS16] §6.2 for the circuits; multiplication by constants in non-adjacent form [Rei60].

mod division;
mod gates;

use shofar_base::{Map, Set};
use shofar_num::{Rational, power_of_two};
use shofar_term::{BitsKind, BitsOp, Kind, Sort, Term, TermStore};

use gates::Bit;

/// Products and quotients of two variables are written down up to this width.
const WIDEST_PRODUCT: u32 = 512;

/// What a formula over vectors means.
pub(crate) enum Meaning {
    /// The same as this formula over bits of its operands.
    Formula(Term),
    /// Nothing but itself: a bit of a variable.
    Free,
    /// Nothing but itself: a bit of what a function, an array or a datum has, which other theories
    /// know, or of an operation that is too wide for a circuit.
    Applied(Term),
    /// It is a bit of a vector made of an integer, of which this fact is true.
    Integer {
        /// The vector.
        vector: Term,
        /// The fact.
        fact: Term,
    },
}

/// The formulas made so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Circuits {
    vectors: Map<Term, Box<[Bit]>>,
    facts: Map<Term, Term>,
    /// Vectors made of integers whose facts are written down.
    tied: Set<Term>,
}

/// Bit `at` of a vector, as a formula.
pub(crate) fn bit(store: &mut TermStore, vector: Term, at: u32) -> Term {
    let at = u16::try_from(at).expect("vectors are not wider");
    let bit = store.bits_op(BitsOp::Extract(at, at), &[vector]);
    let one = store.bits_of(1, 1);
    store.eq(bit, one)
}

/// The vector and the place of a bit, if `atom` is one.
pub(crate) fn as_bit(store: &TermStore, atom: Term) -> Option<(Term, u32)> {
    let Kind::Same(a, b) = store.kind(atom) else { return None };
    let is_one = |term: Term| {
        store.as_bits(term).is_some_and(|bits| bits.width() == 1 && bits.to_nat().is_one())
    };
    let vector = if is_one(a) {
        b
    } else if is_one(b) {
        a
    } else {
        return None;
    };
    match store.bits_kind(vector) {
        Some(BitsKind::Op(BitsOp::Extract(high, low), &[of])) if high == low => {
            Some((of, low.into()))
        }
        Some(BitsKind::Op(..) | BitsKind::Value(_) | BitsKind::OfInt(..) | BitsKind::ToNat(_))
        | None => Some((vector, 0)),
    }
}

/// All bits of a vector, the lowest first.
pub(crate) fn bits(store: &mut TermStore, vector: Term) -> Vec<Bit> {
    (0..store.width(vector)).map(|at| bit(store, vector, at)).collect()
}

/// The number that the bits of a vector are in the binary system.
pub(crate) fn sum_of_bits(store: &mut TermStore, vector: Term) -> Term {
    let (zero, one) = (store.int(0), store.int(1));
    let mut summands = Vec::new();
    for (bit, at) in bits(store, vector).into_iter().zip(0..) {
        let digit = store.ite(bit, one, zero);
        summands.push(store.scale(&power_of_two(at), digit));
    }
    store.add(&summands)
}

/// What is known of `ubv_to_int t`: the sum of its bits, its range, and that a shift by nothing
/// changes nothing. The latter follows from the bits, but arithmetic would have to compare two sums
/// bit by bit to find it.
pub(crate) fn facts_of_number(store: &mut TermStore, number: Term, vector: Term) -> Vec<Term> {
    let sum = sum_of_bits(store, vector);
    let most = power_of_two(store.width(vector)) - Rational::ONE;
    let (zero, most) = (store.int(0), store.number(most, Sort::INT));
    let mut facts = vec![store.eq(number, sum), store.ge(number, zero), store.le(number, most)];
    if let Some(BitsKind::Op(BitsOp::Shl | BitsOp::Lshr | BitsOp::Ashr, &[shifted, by])) =
        store.bits_kind(vector)
    {
        let [shifted, by] = [shifted, by].map(|operand| store.bits_to_nat(operand));
        let one = store.int(1);
        let (moves, same) = (store.ge(by, one), store.eq(number, shifted));
        facts.push(store.or(&[moves, same]));
    }
    facts
}

impl Circuits {
    /// Whether the fact of a vector made of an integer is still to be written down; it is from now
    /// on.
    pub(crate) fn tie(&mut self, vector: Term) -> bool {
        self.tied.insert(vector)
    }
    /// What `atom`, an equality or a comparison of vectors, means.
    pub(crate) fn meaning(&mut self, store: &mut TermStore, atom: Term) -> Meaning {
        if let Some((vector, at)) = as_bit(store, atom) {
            return self.meaning_of_bit(store, vector, at);
        }
        let [a, b] = store.children(atom) else { unreachable!("a comparison has two sides") };
        let (a, b) = (*a, *b);
        let (mut a, mut b) = (bits(store, a), bits(store, b));
        let formula = match store.bits_kind(atom) {
            None => gates::equal(store, &a, &b),
            Some(kind) => {
                if let BitsKind::Op(BitsOp::Sle, _) = kind {
                    // In two's complement a set sign makes a number smaller.
                    let last = a.len() - 1;
                    std::mem::swap(&mut a[last], &mut b[last]);
                }
                gates::at_most(store, &a, &b)
            }
        };
        Meaning::Formula(formula)
    }
    fn meaning_of_bit(&mut self, store: &mut TermStore, vector: Term, at: u32) -> Meaning {
        let kind = store.kind(vector);
        if let Kind::Symbol(_) = kind {
            return Meaning::Free;
        }
        let is_applied = matches!(kind, Kind::App(..) | Kind::Array(_) | Kind::Data(_));
        if let Kind::Bits(BitsKind::OfInt(width, integer)) = kind {
            let fact = *self.facts.entry(vector).or_insert_with(|| {
                let rest = store.modulo(integer, &power_of_two(width));
                let sum = sum_of_bits(store, vector);
                store.eq(rest, sum)
            });
            return Meaning::Integer { vector, fact };
        }
        if is_applied || is_too_wide(store, vector) {
            return Meaning::Applied(vector);
        }
        if !self.vectors.contains_key(&vector) {
            let made = circuit(store, vector);
            self.vectors.insert(vector, made.into());
        }
        Meaning::Formula(self.vectors[&vector][at as usize])
    }
}

/// Whether `vector` is a product or a quotient of two variables that is too wide to be written
/// down.
pub(crate) fn is_too_wide(store: &TermStore, vector: Term) -> bool {
    match store.bits_kind(vector) {
        Some(BitsKind::Op(BitsOp::Mul, args)) => {
            store.width(vector) > WIDEST_PRODUCT
                && args.iter().all(|&arg| store.as_bits(arg).is_none())
        }
        Some(BitsKind::Op(
            BitsOp::Udiv | BitsOp::Urem | BitsOp::Sdiv | BitsOp::Srem | BitsOp::Smod,
            _,
        )) => store.width(vector) > WIDEST_PRODUCT,
        Some(BitsKind::Op(..) | BitsKind::Value(_) | BitsKind::OfInt(..) | BitsKind::ToNat(_))
        | None => false,
    }
}

/// The bits of an operation or a choice over the bits of its operands.
fn circuit(store: &mut TermStore, vector: Term) -> Vec<Bit> {
    if let Kind::Ite(condition, a, b) = store.kind(vector) {
        let (a, b) = (bits(store, a), bits(store, b));
        return gates::choose(store, condition, &a, &b);
    }
    let Some(BitsKind::Op(op, args)) = store.bits_kind(vector) else {
        unreachable!("variables, constants and conversions have no circuit")
    };
    let args = args.to_vec();
    if op == BitsOp::Mul {
        return product(store, args[0], args[1]);
    }
    let operands: Vec<Vec<Bit>> = args.iter().map(|&arg| bits(store, arg)).collect();
    match (op, &operands[..]) {
        (BitsOp::Not, [a]) => gates::not(store, a),
        (BitsOp::And, [a, b]) => gates::zip(a, b, |a, b| store.and(&[a, b])),
        (BitsOp::Or, [a, b]) => gates::zip(a, b, |a, b| store.or(&[a, b])),
        (BitsOp::Xor, [a, b]) => gates::zip(a, b, |a, b| store.xor(a, b)),
        (BitsOp::Add, [first, rest @ ..]) => {
            let no_carry = store.bottom();
            let mut sum = first.clone();
            for summand in rest {
                sum = gates::add(store, &sum, summand, no_carry);
            }
            sum
        }
        (BitsOp::Udiv, [a, b]) => division::divide(store, a, b).0,
        (BitsOp::Urem, [a, b]) => division::divide(store, a, b).1,
        (BitsOp::Sdiv, [a, b]) => division::signed_quotient(store, a, b),
        (BitsOp::Srem, [a, b]) => division::signed_remainder(store, a, b),
        (BitsOp::Smod, [a, b]) => division::signed_modulus(store, a, b),
        (BitsOp::Shl, [a, b]) => gates::shift_left(store, a, b),
        (BitsOp::Lshr, [a, b]) => {
            let fill = store.bottom();
            gates::shift_right(store, a, b, fill)
        }
        (BitsOp::Ashr, [a, b]) => {
            let sign = gates::sign(a);
            gates::shift_right(store, a, b, sign)
        }
        (BitsOp::Concat, [high, low]) => low.iter().chain(high).copied().collect(),
        (BitsOp::Extract(high, low), [a]) => a[usize::from(low)..=usize::from(high)].to_vec(),
        (BitsOp::SignExtend(more), [a]) => extended(a, gates::sign(a), more),
        (BitsOp::ZeroExtend(more), [a]) => extended(a, store.bottom(), more),
        _ => unreachable!("an operation has the arguments that it takes"),
    }
}

fn extended(bits: &[Bit], by: Bit, more: u16) -> Vec<Bit> {
    bits.iter().copied().chain(std::iter::repeat_n(by, more.into())).collect()
}

/// The product; a constant factor is taken apart.
fn product(store: &mut TermStore, a: Term, b: Term) -> Vec<Bit> {
    let constant = [(a, b), (b, a)]
        .into_iter()
        .find_map(|(constant, other)| Some((store.as_bits(constant)?.to_int(), other)));
    if let Some((factor, other)) = constant {
        let other = bits(store, other);
        gates::scale(store, &other, &factor)
    } else {
        let (a, b) = (bits(store, a), bits(store, b));
        gates::multiply(store, &a, &b)
    }
}

#[cfg(test)]
mod tests;
