//! Quotients and remainders.
//!
//! Schoolbook division, from the highest bit down: the remainder so far moves up, takes the next
//! bit, and loses the divisor if that fits. By zero everything fits, which gives the quotient of
//! ones and the remainder that SMT-LIB asks for.

use shofar_term::TermStore;

use super::gates::{Bit, add, at_most, choose, equal, negate, sign, sub};

/// The quotient and the remainder in the binary system.
pub(super) fn divide(store: &mut TermStore, a: &[Bit], b: &[Bit]) -> (Vec<Bit>, Vec<Bit>) {
    let zero = store.bottom();
    // One more place: twice the remainder may be too large for the width.
    let divisor: Vec<Bit> = b.iter().copied().chain([zero]).collect();
    let mut remainder = vec![zero; divisor.len()];
    let mut quotient = Vec::with_capacity(a.len());
    for &bit in a.iter().rev() {
        remainder.pop();
        remainder.insert(0, bit);
        let fits = at_most(store, &divisor, &remainder);
        let less = sub(store, &remainder, &divisor);
        remainder = choose(store, fits, &less, &remainder);
        quotient.push(fits);
    }
    quotient.reverse();
    remainder.pop();
    (quotient, remainder)
}

/// The number without its sign.
fn magnitude(store: &mut TermStore, a: &[Bit]) -> Vec<Bit> {
    let negated = negate(store, a);
    choose(store, sign(a), &negated, a)
}

fn magnitudes(store: &mut TermStore, a: &[Bit], b: &[Bit]) -> (Vec<Bit>, Vec<Bit>) {
    let (a, b) = (magnitude(store, a), magnitude(store, b));
    divide(store, &a, &b)
}

/// Rounded towards zero.
pub(super) fn signed_quotient(store: &mut TermStore, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
    let (quotient, _) = magnitudes(store, a, b);
    let negated = negate(store, &quotient);
    let negative = store.xor(sign(a), sign(b));
    choose(store, negative, &negated, &quotient)
}

/// With the sign of the dividend.
pub(super) fn signed_remainder(store: &mut TermStore, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
    let (_, remainder) = magnitudes(store, a, b);
    let negated = negate(store, &remainder);
    choose(store, sign(a), &negated, &remainder)
}

/// With the sign of the divisor.
pub(super) fn signed_modulus(store: &mut TermStore, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
    let remainder = signed_remainder(store, a, b);
    let (zeros, no_carry) = (vec![store.bottom(); a.len()], store.bottom());
    let is_zero = equal(store, &remainder, &zeros);
    let same_sign = store.iff(sign(a), sign(b));
    let right = store.or(&[is_zero, same_sign]);
    let shifted = add(store, &remainder, b, no_carry);
    choose(store, right, &remainder, &shifted)
}
