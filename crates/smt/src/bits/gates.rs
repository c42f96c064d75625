//! Circuits over lists of formulas, the bit of value 1 first.

use shofar_num::{Rational, mod_euclid};
use shofar_term::{Term, TermStore};

/// A formula that stands for a bit.
pub(super) type Bit = Term;

/// The bit that is the sign in two's complement.
pub(super) fn sign(bits: &[Bit]) -> Bit {
    *bits.last().expect("a vector has a bit")
}

pub(super) fn zip(a: &[Bit], b: &[Bit], gate: impl FnMut(Bit, Bit) -> Bit) -> Vec<Bit> {
    let mut gate = gate;
    a.iter().zip(b).map(|(&a, &b)| gate(a, b)).collect()
}

pub(super) fn not(store: &mut TermStore, a: &[Bit]) -> Vec<Bit> {
    a.iter().map(|&bit| store.not(bit)).collect()
}

pub(super) fn choose(store: &mut TermStore, condition: Bit, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
    zip(a, b, |a, b| store.ite(condition, a, b))
}

pub(super) fn equal(store: &mut TermStore, a: &[Bit], b: &[Bit]) -> Bit {
    let pairs = zip(a, b, |a, b| store.iff(a, b));
    store.and(&pairs)
}

/// `a ≤ b` in the binary system: the highest bit that differs decides.
pub(super) fn at_most(store: &mut TermStore, a: &[Bit], b: &[Bit]) -> Bit {
    let mut result = store.top();
    for (&a, &b) in a.iter().zip(b) {
        let same = store.iff(a, b);
        result = store.ite(same, result, b);
    }
    result
}

/// The sum with a carry into the lowest place, in the width of the summands.
pub(super) fn add(store: &mut TermStore, a: &[Bit], b: &[Bit], carry: Bit) -> Vec<Bit> {
    let mut carry = carry;
    zip(a, b, |a, b| {
        let differ = store.xor(a, b);
        let sum = store.xor(differ, carry);
        let (both, passed) = (store.and(&[a, b]), store.and(&[differ, carry]));
        carry = store.or(&[both, passed]);
        sum
    })
}

pub(super) fn sub(store: &mut TermStore, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
    let (complement, carry) = (not(store, b), store.top());
    add(store, a, &complement, carry)
}

pub(super) fn negate(store: &mut TermStore, a: &[Bit]) -> Vec<Bit> {
    let zero = vec![store.bottom(); a.len()];
    sub(store, &zero, a)
}

/// Moved up by a constant number of places.
fn moved(store: &TermStore, a: &[Bit], places: usize) -> Vec<Bit> {
    let zeros = std::iter::repeat_n(store.bottom(), places);
    zeros.chain(a.iter().copied()).take(a.len()).collect()
}

/// The product by a constant, which is taken apart into few powers of two with either sign.
pub(super) fn scale(store: &mut TermStore, a: &[Bit], factor: &Rational) -> Vec<Bit> {
    let mut result = vec![store.bottom(); a.len()];
    let (mut rest, two, four) = (factor.clone(), Rational::from(2), Rational::from(4));
    for places in 0..a.len() {
        if rest.is_zero() {
            break;
        }
        let digit = match mod_euclid(&rest, &four).and_then(|rest| rest.to_i64()) {
            Some(1) => Rational::ONE,
            Some(3) => Rational::MINUS_ONE,
            _ => Rational::ZERO,
        };
        if !digit.is_zero() {
            let (summand, no_carry) = (moved(store, a, places), store.bottom());
            result = if digit.is_positive() {
                add(store, &result, &summand, no_carry)
            } else {
                sub(store, &result, &summand)
            };
        }
        rest = (rest - digit) / &two;
    }
    result
}

pub(super) fn multiply(store: &mut TermStore, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
    let mut result = vec![store.bottom(); a.len()];
    let no_carry = store.bottom();
    for (places, &factor) in b.iter().enumerate() {
        let summand: Vec<Bit> =
            moved(store, a, places).into_iter().map(|bit| store.and(&[factor, bit])).collect();
        result = add(store, &result, &summand, no_carry);
    }
    result
}

/// Moved up; each bit of `places` decides about one power of two.
pub(super) fn shift_left(store: &mut TermStore, a: &[Bit], places: &[Bit]) -> Vec<Bit> {
    let fill = store.bottom();
    let reversed: Vec<Bit> = a.iter().rev().copied().collect();
    let mut result = shift_right(store, &reversed, places, fill);
    result.reverse();
    result
}

/// Moved down; `fill` follows.
pub(super) fn shift_right(store: &mut TermStore, a: &[Bit], places: &[Bit], fill: Bit) -> Vec<Bit> {
    let mut result = a.to_vec();
    let mut distance = 1usize;
    for &by in places {
        let shifted = result.iter().copied().skip(distance);
        let shifted: Vec<Bit> = shifted.chain(std::iter::repeat(fill)).take(a.len()).collect();
        result = choose(store, by, &shifted, &result);
        distance = distance.saturating_mul(2);
    }
    result
}
