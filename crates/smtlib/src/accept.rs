//! Arguments on their way to a function: their sorts are checked, and they get the form that the
//! function wants.
//!
//! This happens when an argument arrives, where its position is still known.

use shofar_base::{Diagnostic, Read};
use shofar_term::print::print_sort;
use shofar_term::{Sort, Term};

use crate::builtin::{Builtin, Expects};
use crate::definition::DefinitionId;
use crate::elaborate::Elaborator;
use crate::sums::{Combination, Value};

impl Elaborator<'_, '_> {
    /// Checks an argument and brings it into the form that the function wants.
    pub(crate) fn accept(
        &mut self,
        builtin: Builtin,
        position: usize,
        value: Value,
        start: usize,
    ) -> Read<Value> {
        match builtin.expects(position) {
            Expects::Bool => match value {
                Value::Term(term) if self.store.sort(term).is_bool() => Ok(value),
                Value::Term(_) | Value::Sum(_) => {
                    Err(self.wrong_sort(start, "Bool", self.sort_of(value)))
                }
            },
            Expects::Linear => self.accept_sum(value, start).map(Value::Sum),
            Expects::Int => self.accept_int(value, start).map(Value::Term),
            Expects::Number => {
                let sum = self.accept_sum(value, start)?;
                Ok(Value::Term(self.make_term(Value::Sum(sum))))
            }
            expects @ (Expects::Alike | Expects::AlikeTerm) => {
                let sort = self.sort_of(value);
                if position > builtin.first_alike() {
                    let earlier = self.sort_of(self.work.values[self.work.values.len() - 1]);
                    let both_numbers = earlier.is_arithmetic() && sort.is_arithmetic();
                    if earlier != sort && !both_numbers {
                        return Err(self.wrong_sort(start, &print_sort(self.store, earlier), sort));
                    }
                }
                if sort.is_arithmetic() && expects == Expects::Alike {
                    return self.accept_sum(value, start).map(Value::Sum);
                }
                Ok(Value::Term(self.make_term(value)))
            }
        }
    }
    pub(crate) fn accept_sum(&mut self, value: Value, start: usize) -> Read<Combination> {
        match value {
            Value::Sum(sum) => Ok(sum),
            Value::Term(term) => {
                let sort = self.store.sort(term);
                if !sort.is_arithmetic() {
                    return Err(self.wrong_sort(start, "Int or Real", sort));
                }
                Ok(self.work.sums.term(self.store, term))
            }
        }
    }
    /// Numerals are integers even where the logic makes them real.
    pub(crate) fn accept_int(&mut self, value: Value, start: usize) -> Read<Term> {
        let term = self.make_term(value);
        match self.coerce(term, Sort::INT) {
            Some(term) => Ok(term),
            None => Err(self.wrong_sort(start, "Int", self.store.sort(term))),
        }
    }

    pub(crate) fn sort_of(&self, value: Value) -> Sort {
        match value {
            Value::Term(term) => self.store.sort(term),
            Value::Sum(sum) => sum.sort,
        }
    }
    /// The value as a term; a linear combination must be the last on its stack.
    pub(crate) fn make_term(&mut self, value: Value) -> Term {
        match value {
            Value::Term(term) => term,
            Value::Sum(sum) => self.work.sums.take_term(self.store, sum),
        }
    }
    pub(crate) fn wrong_sort(&self, start: usize, expected: &str, found: Sort) -> Box<Diagnostic> {
        let found = print_sort(self.store, found);
        let message = format!("expected a term of sort {expected}, found {found}");
        self.lexer.error(start, self.lexer.offset(), message)
    }
    /// Checks an argument of a defined function.
    pub(crate) fn accept_parameter(
        &mut self,
        id: DefinitionId,
        position: usize,
        value: Value,
        start: usize,
    ) -> Read<Term> {
        let term = self.make_term(value);
        let Some(&(_, sort)) = self.env.definition(id).params.get(position) else {
            // Too many arguments are reported at the closing parenthesis, with their number.
            return Ok(term);
        };
        match self.coerce(term, sort) {
            Some(term) => Ok(term),
            None => {
                Err(self.wrong_sort(start, &print_sort(self.store, sort), self.store.sort(term)))
            }
        }
    }
}
