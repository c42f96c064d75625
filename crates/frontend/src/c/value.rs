//! The values of expressions: numbers with their types, and truth values that have not become
//! numbers yet.

use shofar_term::{Term, TermStore};

use super::lower::Lowering;
use super::types::{Int, convert};

/// The value of an expression.
#[derive(Clone, Copy, Debug)]
pub(super) struct Val {
    form: Form,
    pub(super) int: Int,
}

#[derive(Clone, Copy, Debug)]
enum Form {
    Number(Term),
    /// 1 if the formula holds, else 0.
    Truth(Term),
}

impl Val {
    pub(super) fn of_number(number: Term, int: Int) -> Self {
        Self { form: Form::Number(number), int }
    }
    pub(super) fn of_truth(formula: Term) -> Self {
        Self { form: Form::Truth(formula), int: Int::INT }
    }
    pub(super) fn number(self, store: &mut TermStore) -> Term {
        match self.form {
            Form::Number(number) => number,
            Form::Truth(formula) => {
                let (one, zero) = (store.int(1), store.int(0));
                store.ite(formula, one, zero)
            }
        }
    }
    /// Whether it is not zero.
    pub(super) fn truth(self, store: &mut TermStore) -> Term {
        match self.form {
            Form::Truth(formula) => formula,
            Form::Number(number) => {
                let zero = store.int(0);
                let is_zero = store.eq(number, zero);
                store.not(is_zero)
            }
        }
    }
    /// The number or the formula that it is.
    pub(super) fn term(self) -> Term {
        match self.form {
            Form::Number(term) | Form::Truth(term) => term,
        }
    }
    /// The type of a variable that can take it.
    pub(super) fn stored_as(self) -> Int {
        match self.form {
            Form::Number(_) => self.int,
            Form::Truth(_) => Int::BOOL,
        }
    }
    /// The same value, which the variable `saved` has as well.
    pub(super) fn replaced(self, saved: Term, store: &mut TermStore) -> Self {
        match self.form {
            Form::Number(_) => Self::of_number(saved, self.int),
            Form::Truth(_) => {
                let formula = Self::of_number(saved, Int::BOOL).truth(store);
                Self { form: Form::Truth(formula), ..self }
            }
        }
    }
    /// Whether it can be nothing but 0 or 1.
    pub(super) fn is_bit(self) -> bool {
        matches!(self.form, Form::Truth(_)) || self.int == Int::BOOL
    }
    pub(super) fn converted(self, lowering: &mut Lowering<'_>, to: Int) -> Self {
        let store = &mut *lowering.store;
        match self.form {
            Form::Truth(_) => Self { int: to, ..self },
            Form::Number(number) if to == Int::BOOL && self.int != Int::BOOL => {
                let formula = Self::of_number(number, self.int).truth(store);
                Self { form: Form::Truth(formula), int: to }
            }
            Form::Number(number) => {
                let number = convert(store, lowering.arithmetic, number, (self.int, to));
                Self::of_number(number, to)
            }
        }
    }
}
