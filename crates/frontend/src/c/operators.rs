//! Arithmetic on values, as C defines it.
//!
//! Unsigned numbers wrap around, always. Signed ones are mathematical integers, or an overflow is a
//! violation. Division by zero is a violation. Quotients round towards zero, remainders have the
//! sign of the dividend.

use lang_c::ast::BinaryOperator;
use lang_c::span::Span as Place;
use shofar_base::Diagnostic;
use shofar_num::Rational;
use shofar_term::{Sort, Term};

use super::lower::Lowering;
use super::program::{Instruction, OVERFLOW};
use super::types::{Arithmetic, Int};
use super::value::Val;

impl Lowering<'_> {
    /// `a operator b`, for operators that evaluate both.
    pub(super) fn computed(
        &mut self,
        operator: &BinaryOperator,
        a: Val,
        b: Val,
        place: &Place,
    ) -> Result<Val, Diagnostic> {
        if matches!(operator, BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight) {
            return self.shifted(operator, a, b, place);
        }
        let bits =
            [BinaryOperator::BitwiseAnd, BinaryOperator::BitwiseOr, BinaryOperator::BitwiseXor];
        if bits.contains(operator) {
            return self.bitwise(operator, a, b, place);
        }
        let int = a.int.common(b.int);
        let (a, b) = (a.converted(self, int), b.converted(self, int));
        let (a, b) = (a.number(self.store), b.number(self.store));
        let store = &mut *self.store;
        let truth = match operator {
            BinaryOperator::Less => store.lt(a, b),
            BinaryOperator::Greater => store.gt(a, b),
            BinaryOperator::LessOrEqual => store.le(a, b),
            BinaryOperator::GreaterOrEqual => store.ge(a, b),
            BinaryOperator::Equals => store.eq(a, b),
            BinaryOperator::NotEquals => {
                let same = store.eq(a, b);
                store.not(same)
            }
            BinaryOperator::Plus => {
                let sum = store.add(&[a, b]);
                return Ok(self.fitted(sum, int, Reach::Above, place));
            }
            BinaryOperator::Minus => {
                let difference = store.sub(a, b);
                return Ok(self.fitted(difference, int, Reach::Below, place));
            }
            BinaryOperator::Multiply => {
                let product = store.times(a, b);
                return Ok(self.fitted(product, int, Reach::Far, place));
            }
            BinaryOperator::Divide => return Ok(self.divided(a, b, int, place).0),
            BinaryOperator::Modulo => return Ok(self.divided(a, b, int, place).1),
            BinaryOperator::ShiftLeft
            | BinaryOperator::ShiftRight
            | BinaryOperator::BitwiseAnd
            | BinaryOperator::BitwiseOr
            | BinaryOperator::BitwiseXor
            | BinaryOperator::Index
            | BinaryOperator::LogicalAnd
            | BinaryOperator::LogicalOr
            | BinaryOperator::Assign
            | BinaryOperator::AssignMultiply
            | BinaryOperator::AssignDivide
            | BinaryOperator::AssignModulo
            | BinaryOperator::AssignPlus
            | BinaryOperator::AssignMinus
            | BinaryOperator::AssignShiftLeft
            | BinaryOperator::AssignShiftRight
            | BinaryOperator::AssignBitwiseAnd
            | BinaryOperator::AssignBitwiseXor
            | BinaryOperator::AssignBitwiseOr => return self.refuse(place, "this operator"),
        };
        Ok(Val::of_truth(truth))
    }
    /// A result as a value of its type, from which it is no further away than `reach` says if the
    /// type is unsigned.
    pub(super) fn fitted(&mut self, result: Term, int: Int, reach: Reach, place: &Place) -> Val {
        if int.signed {
            if self.arithmetic == Arithmetic::Checked {
                let fits = int.range(self.store, result);
                self.check(fits, OVERFLOW, self.at(place));
            }
            return Val::of_number(result, int);
        }
        let store = &mut *self.store;
        let fits = int.range(store, result);
        let wrapped = match reach {
            Reach::Above => {
                let modulus = store.number(int.modulus(), Sort::INT);
                store.sub(result, modulus)
            }
            Reach::Below => {
                let modulus = store.number(int.modulus(), Sort::INT);
                store.add(&[result, modulus])
            }
            Reach::Far => store.modulo(result, &int.modulus()),
        };
        Val::of_number(store.ite(fits, result, wrapped), int)
    }
    pub(super) fn negate(&mut self, value: Val, place: &Place) -> Val {
        let int = value.int.promoted();
        let number = value.converted(self, int).number(self.store);
        let negated = self.store.neg(number);
        self.fitted(negated, int, Reach::Below, place)
    }
    /// `~a`, which is `−a − 1`.
    pub(super) fn complement(&mut self, value: Val) -> Val {
        let int = value.int.promoted();
        let number = value.converted(self, int).number(self.store);
        let top = if int.signed { Rational::MINUS_ONE } else { int.max() };
        let top = self.store.number(top, Sort::INT);
        Val::of_number(self.store.sub(top, number), int)
    }

    /// Quotient and remainder.
    fn divided(&mut self, a: Term, b: Term, int: Int, place: &Place) -> (Val, Val) {
        let zero = self.store.int(0);
        let is_zero = self.store.eq(b, zero);
        let is_fine = self.store.not(is_zero);
        self.check(is_fine, "a number is divided by zero", self.at(place));
        let (quotient, remainder) = match self.store.as_number(b).cloned() {
            Some(divisor) if divisor.is_zero() => (zero, zero),
            Some(divisor) => self.by_constant(a, &divisor),
            None => self.by_variable(a, b, int, place),
        };
        // Only the smallest number divided by −1 does not fit.
        (self.fitted(quotient, int, Reach::Far, place), Val::of_number(remainder, int))
    }
    fn by_constant(&mut self, a: Term, divisor: &Rational) -> (Term, Term) {
        let store = &mut *self.store;
        let (zero, negated, size) = (store.int(0), store.neg(a), divisor.abs());
        let is_positive = store.ge(a, zero);
        let (up, down) = (store.div(a, &size), store.div(negated, &size));
        let down = store.neg(down);
        let quotient = store.ite(is_positive, up, down);
        let (up, down) = (store.modulo(a, &size), store.modulo(negated, &size));
        let down = store.neg(down);
        let remainder = store.ite(is_positive, up, down);
        (if divisor.is_negative() { store.neg(quotient) } else { quotient }, remainder)
    }
    /// Quotient and remainder are numbers with `a = quotient · b + remainder`.
    fn by_variable(&mut self, a: Term, b: Term, int: Int, place: &Place) -> (Term, Term) {
        let wide = Int { bits: int.bits + 1, signed: true };
        let (quotient, remainder) = (self.hidden("quotient", wide), self.hidden("remainder", int));
        let span = self.at(place);
        for variable in [quotient, remainder] {
            self.emit(Instruction::Any { variable, input: None, span });
        }
        let (quotient, remainder) = (self.read(quotient), self.read(remainder));
        let store = &mut *self.store;
        let product = store.times(quotient, b);
        let sum = store.add(&[product, remainder]);
        let (zero, size) = (store.int(0), store.abs(b));
        let mut parts = vec![store.eq(a, sum)];
        let below = store.neg(size);
        parts.extend([store.lt(remainder, size), store.gt(remainder, below)]);
        for (sign, other) in [
            (store.ge(a, zero), store.ge(remainder, zero)),
            (store.le(a, zero), store.le(remainder, zero)),
        ] {
            parts.push(store.implies(sign, other));
        }
        let formula = store.and(&parts);
        self.emit(Instruction::Assume(formula));
        (quotient, remainder)
    }
}

/// How far an unsigned result is from the range of its type, at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// It is less than a modulus too large.
    Above,
    /// It is less than a modulus too small.
    Below,
    Far,
}
