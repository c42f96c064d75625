//! Shifts and bit operations.
//!
//! All of it is arithmetic. Where one operand of `&` is a constant, the result is a sum of
//! quotients and remainders by powers of two. Else it is a sum over the bits,
//! ```text
//! a & b  =  Σ 2^i · [bit i of a and of b]      bit i of a  =  ⌊a / 2^i⌋ mod 2
//! ```
//! in which the highest bit of a signed type counts negatively; `|` and `^` follow from `&`. That
//! takes operands that are within their types: unsigned ones are, signed ones only if overflow is a
//! violation. A shift by an unknown number of places is a choice between all numbers of places that
//! have a meaning; others are a violation.

use lang_c::ast::BinaryOperator;
use lang_c::span::Span as Place;
use shofar_base::Diagnostic;
use shofar_num::{Rational, power_of_two};
use shofar_term::{Sort, Term};

use super::lower::Lowering;
use super::operators::Reach;
use super::program::Instruction;
use super::types::{Arithmetic, Int};
use super::value::Val;

impl Lowering<'_> {
    pub(super) fn shifted(
        &mut self,
        operator: &BinaryOperator,
        a: Val,
        by: Val,
        place: &Place,
    ) -> Result<Val, Diagnostic> {
        let int = a.int.promoted();
        let (number, by) = (a.converted(self, int).number(self.store), by.number(self.store));
        let is_right = *operator == BinaryOperator::ShiftRight;
        let shifted = match self.store.as_number(by).map(Rational::to_i64) {
            Some(places) => {
                let places = places.and_then(|places| u32::try_from(places).ok());
                let Some(places) = places.filter(|&places| places < int.bits) else {
                    return self.refuse(place, "a shift by a constant that does not fit");
                };
                self.moved(number, places, is_right)
            }
            None => self.moved_by(number, by, int.bits, is_right, place),
        };
        if is_right {
            return Ok(Val::of_number(shifted, int));
        }
        Ok(self.fitted(shifted, int, Reach::Far, place))
    }
    /// A number whose bits are moved by some places, as a mathematical integer.
    fn moved(&mut self, number: Term, places: u32, is_right: bool) -> Term {
        let factor = power_of_two(places);
        if is_right { self.store.div(number, &factor) } else { self.store.scale(&factor, number) }
    }
    /// The same if the number of places is not known.
    fn moved_by(
        &mut self,
        number: Term,
        by: Term,
        bits: u32,
        is_right: bool,
        place: &Place,
    ) -> Term {
        let (zero, end) = (self.store.int(0), self.store.int(i64::from(bits)));
        let (above, below) = (self.store.ge(by, zero), self.store.lt(by, end));
        let has_meaning = self.store.and(&[above, below]);
        self.check(has_meaning, "a number is shifted by too many places", self.at(place));
        let mut result = self.moved(number, bits - 1, is_right);
        for places in (0..bits - 1).rev() {
            let (here, moved) =
                (self.store.int(i64::from(places)), self.moved(number, places, is_right));
            let is_it = self.store.eq(by, here);
            result = self.store.ite(is_it, moved, result);
        }
        result
    }
    pub(super) fn bitwise(
        &mut self,
        operator: &BinaryOperator,
        a: Val,
        b: Val,
        place: &Place,
    ) -> Result<Val, Diagnostic> {
        if a.is_bit() && b.is_bit() {
            let (p, q) = (a.truth(self.store), b.truth(self.store));
            return Ok(Val::of_truth(if *operator == BinaryOperator::BitwiseAnd {
                self.store.and(&[p, q])
            } else if *operator == BinaryOperator::BitwiseOr {
                self.store.or(&[p, q])
            } else {
                self.store.xor(p, q)
            }));
        }
        let (int, types) = (a.int.common(b.int), (a.int, b.int));
        let (a, b) = (a.converted(self, int), b.converted(self, int));
        let (a, b) = (a.number(self.store), b.number(self.store));
        let both = match (self.store.as_number(a).cloned(), self.store.as_number(b).cloned()) {
            (_, Some(mask)) => self.masked(a, &mask),
            (Some(mask), None) => self.masked(b, &mask),
            (None, None) => self.conjunction(a, b, width(types, int), place)?,
        };
        let store = &mut *self.store;
        // a | b = a + b − (a & b) and a ^ b = a + b − 2 · (a & b), in two's complement.
        if *operator == BinaryOperator::BitwiseAnd {
            return Ok(Val::of_number(both, int));
        }
        let factor = if *operator == BinaryOperator::BitwiseOr { -1 } else { -2 };
        let factor = Rational::from(factor);
        let less = store.scale(&factor, both);
        Ok(Val::of_number(store.add(&[a, b, less]), int))
    }
    /// `a & b` of two unknowns that are within `int`.
    fn conjunction(
        &mut self,
        a: Term,
        b: Term,
        int: Int,
        place: &Place,
    ) -> Result<Term, Diagnostic> {
        if int.signed && self.arithmetic == Arithmetic::Mathematical {
            let what = "a bit operation of two signed numbers that are not constant";
            let message = format!("{what} is not supported for mathematical integers");
            return Err(Diagnostic::new(self.at(place), message)
                .note("`--c-arith wrap-check` keeps signed numbers within their types"));
        }
        let variable = self.hidden("bits", int);
        let span = self.at(place);
        self.emit(Instruction::Any { variable, input: None, span });
        let result = self.read(variable);
        let sum = self.sum_of_bits(a, b, int);
        let store = &mut *self.store;
        let mut facts = vec![store.eq(result, sum), int.range(store, result)];
        // They follow, but only from all of the bits.
        let zero = store.int(0);
        for (operand, other) in [(a, b), (b, a)] {
            let (is_positive, below) = (store.ge(operand, zero), store.le(result, operand));
            let (above, is_other) = (store.ge(result, zero), store.ge(other, zero));
            let within = store.and(&[below, above]);
            facts.push(store.implies(is_positive, within));
            let either = store.or(&[is_positive, is_other]);
            let less = store.le(result, operand);
            let negative = store.not(either);
            facts.push(store.implies(negative, less));
        }
        let facts = store.and(&facts);
        self.emit(Instruction::Assume(facts));
        Ok(result)
    }
    /// The sum of the bits that both numbers have.
    fn sum_of_bits(&mut self, a: Term, b: Term, int: Int) -> Term {
        let store = &mut *self.store;
        let (zero, one) = (store.int(0), store.int(1));
        let mut parts = Vec::new();
        for bit in 0..int.bits {
            let mut is_set = |number: Term| {
                let shifted = store.div(number, &power_of_two(bit));
                let last = store.modulo(shifted, &Rational::from(2));
                store.eq(last, one)
            };
            let (p, q) = (is_set(a), is_set(b));
            let both = store.and(&[p, q]);
            let weight = power_of_two(bit);
            let is_sign = int.signed && bit + 1 == int.bits;
            let weight = store.number(if is_sign { -&weight } else { weight }, Sort::INT);
            parts.push(store.ite(both, weight, zero));
        }
        store.add(&parts)
    }
    /// The bits of a number where those of a constant are set, in two's complement.
    fn masked(&mut self, number: Term, mask: &Rational) -> Term {
        if mask.is_negative() {
            // The bits that are set in a negative mask are those that its complement does not have.
            let complement = &-mask - &Rational::ONE;
            let others = self.masked(number, &complement);
            return self.store.sub(number, others);
        }
        let mut parts = Vec::new();
        let mut bit = 0;
        while power_of_two(bit) <= *mask {
            let is_set = |bit: u32| {
                let shifted = (mask / &power_of_two(bit)).floor();
                !(&shifted / &Rational::from(2)).is_integer()
            };
            if !is_set(bit) {
                bit += 1;
                continue;
            }
            let first = bit;
            while is_set(bit) {
                bit += 1;
            }
            let shifted = self.store.div(number, &power_of_two(first));
            let run = self.store.modulo(shifted, &power_of_two(bit - first));
            parts.push(self.store.scale(&power_of_two(first), run));
        }
        if parts.is_empty() {
            return self.store.int(0);
        }
        self.store.add(&parts)
    }
}

/// The type whose bits operands of these types can have in a computation in `common`: few of them
/// if both are small.
fn width((a, b): (Int, Int), common: Int) -> Int {
    let bits = a.bits.max(b.bits);
    if a.signed || b.signed || bits >= common.bits { common } else { Int { bits, signed: false } }
}
