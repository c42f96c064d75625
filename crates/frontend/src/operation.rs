//! What operators do with their operands.

use shofar_base::{Diagnostic, Span};
use shofar_term::Term;

use crate::expression::{Meaning, Operand, Reader, Value};
use crate::lexer::{Token, TokenKind};

/// What operators do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    Not,
    Neg,
    Connect(Connective),
    Equal,
    Unequal,
    Compute(Computation),
    Div,
    Mod,
    /// The quotient rounded towards zero, as in C.
    Quotient,
    /// What is left then: it has the sign of the dividend.
    Remainder,
}

/// Operators on formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Connective {
    And,
    Or,
    Implies,
    Iff,
}

/// Operators on two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Computation {
    Lt,
    Le,
    Gt,
    Ge,
    Add,
    Sub,
    Mul,
}

impl Reader<'_, '_> {
    pub(crate) fn unary(
        &mut self,
        op: Op,
        operand: Operand,
        span: Span,
        meaning: &mut dyn Meaning,
    ) -> Result<Operand, Diagnostic> {
        let term = if op == Op::Not {
            let (formula, has_pred) = self.formula(operand, meaning)?;
            if has_pred {
                let message = "a predicate cannot be negated in a body";
                return Err(Diagnostic::new(operand.span, message)
                    .note("clauses derive what is true; what is not derived is not known"));
            }
            self.store.not(formula)
        } else {
            let number = self.number(operand, meaning)?;
            self.store.neg(number)
        };
        Ok(Operand::of(Value::Term(term), span, false))
    }
    pub(crate) fn binary(
        &mut self,
        op: Op,
        left: Operand,
        right: Operand,
        meaning: &mut dyn Meaning,
    ) -> Result<Operand, Diagnostic> {
        let span = Span::new(left.span.start, right.span.end);
        let mut result =
            Operand::of(Value::Name(Token { kind: TokenKind::End, span }), span, false);
        let term = match op {
            Op::Connect(connective) => {
                self.brackets(connective, left, right)?;
                let (p, p_has) = self.formula(left, meaning)?;
                let (q, q_has) = self.formula(right, meaning)?;
                (result.has_pred, result.connective) = (p_has || q_has, Some(connective));
                self.connect(connective, p, q)
            }
            Op::Equal | Op::Unequal => {
                let (a, b) = (self.value(left, meaning)?, self.value(right, meaning)?);
                let (a, b) = self.alike(a, b, span)?;
                let equal = self.store.eq(a, b);
                if op == Op::Equal { equal } else { self.store.not(equal) }
            }
            Op::Compute(computation) => {
                let (a, b) = (self.number(left, meaning)?, self.number(right, meaning)?);
                let (a, b) = self.alike(a, b, span)?;
                self.compute(computation, a, b)
            }
            Op::Div | Op::Mod => {
                let (a, b) = (self.number(left, meaning)?, self.number(right, meaning)?);
                self.divide(op, a, b, right.span)?
            }
            Op::Quotient | Op::Remainder => {
                let (a, b) = (self.number(left, meaning)?, self.number(right, meaning)?);
                self.divide_towards_zero(op, a, b, right.span)?
            }
            Op::Not | Op::Neg => unreachable!("these are prefix operators"),
        };
        result.value = Value::Term(term);
        Ok(result)
    }
    /// Refuses `a, b ; c` where tools disagree about its meaning.
    fn brackets(&self, op: Connective, left: Operand, right: Operand) -> Result<(), Diagnostic> {
        let mixes = |other: Operand| other.connective.is_some_and(|connective| connective != op);
        if self.operators.brackets_connectives && (mixes(left) || mixes(right)) {
            let span = Span::new(left.span.start, right.span.end);
            return Err(Diagnostic::new(span, "`,` and `;` beside each other need brackets")
                .note("`a, b ; c` is `(a, b) ; c` for Prolog and `a, (b ; c)` for Eldarica"));
        }
        Ok(())
    }
    fn connect(&mut self, connective: Connective, p: Term, q: Term) -> Term {
        match connective {
            Connective::And => self.store.and(&[p, q]),
            Connective::Or => self.store.or(&[p, q]),
            Connective::Implies => self.store.implies(p, q),
            Connective::Iff => self.store.iff(p, q),
        }
    }
    fn compute(&mut self, computation: Computation, a: Term, b: Term) -> Term {
        let store = &mut *self.store;
        match computation {
            Computation::Lt => store.lt(a, b),
            Computation::Le => store.le(a, b),
            Computation::Gt => store.gt(a, b),
            Computation::Ge => store.ge(a, b),
            Computation::Add => store.add(&[a, b]),
            Computation::Sub => store.sub(a, b),
            Computation::Mul => match store.mul(a, b) {
                Some(product) => product,
                None => store.times(a, b),
            },
        }
    }
    /// The quotient is rounded down, and the remainder is not negative; only positive divisors,
    /// since rounding differs for others.
    fn divide(&mut self, op: Op, a: Term, b: Term, at: Span) -> Result<Term, Diagnostic> {
        let refused = |message: &str| Err(Diagnostic::new(at, message));
        let Some(divisor) = self.store.as_number(b).cloned() else {
            return refused("the divisor has to be a number");
        };
        if !divisor.is_positive() {
            return refused("divisors that are not positive are not supported");
        }
        if self.store.sort(a).is_int() && divisor.is_integer() {
            return Ok(if op == Op::Div {
                self.store.div(a, &divisor)
            } else {
                self.store.modulo(a, &divisor)
            });
        }
        if op == Op::Mod {
            return refused("remainders are for integers only");
        }
        let real = self.store.to_real(a);
        Ok(self.store.scale(&divisor.recip(), real))
    }
    /// The quotient rounded towards zero, or the remainder with the sign of the dividend: on
    /// absolute values nothing differs.
    fn divide_towards_zero(
        &mut self,
        op: Op,
        a: Term,
        b: Term,
        at: Span,
    ) -> Result<Term, Diagnostic> {
        if !self.store.sort(a).is_int() || !self.store.sort(b).is_int() {
            return Err(Diagnostic::new(at, "only integers are divided"));
        }
        let floored = if op == Op::Quotient { Op::Div } else { Op::Mod };
        let (minus, zero) = (self.store.neg(a), self.store.int(0));
        let positive = self.divide(floored, a, b, at)?;
        let negative = self.divide(floored, minus, b, at)?;
        let negative = self.store.neg(negative);
        let is_positive = self.store.ge(a, zero);
        Ok(self.store.ite(is_positive, positive, negative))
    }
    /// Two values of one sort: an integer beside a real number is one, too.
    fn alike(&mut self, a: Term, b: Term, span: Span) -> Result<(Term, Term), Diagnostic> {
        let (left, right) = (self.store.sort(a), self.store.sort(b));
        if left == right {
            return Ok((a, b));
        }
        if !left.is_arithmetic() || !right.is_arithmetic() {
            return Err(Diagnostic::new(span, "a number and a truth value cannot be compared"));
        }
        Ok((self.store.to_real(a), self.store.to_real(b)))
    }
}
