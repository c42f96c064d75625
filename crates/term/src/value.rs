//! Values: what terms have under an interpretation of their symbols.

use shofar_num::Rational;

use crate::print::{print_number, quote};
use crate::{Sort, Term, TermStore};

/// The value of a term.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// Of a formula.
    Bool(bool),
    /// Of an arithmetic term; integral if the term is.
    Number(Rational),
    /// Of a term of an uninterpreted sort: the element of this number; elements of different numbers are different.
    Element(Sort, u32),
}

impl Value {
    /// False, 0 or the first element.
    pub fn default_of(sort: Sort) -> Value {
        if sort.is_bool() {
            Value::Bool(false)
        } else if sort.is_arithmetic() {
            Value::Number(Rational::ZERO)
        } else {
            Value::Element(sort, 0)
        }
    }
    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            Value::Number(_) | Value::Element(..) => None,
        }
    }
    /// The number, if it is one.
    pub fn as_number(&self) -> Option<&Rational> {
        match self {
            Value::Number(value) => Some(value),
            Value::Bool(_) | Value::Element(..) => None,
        }
    }
}

/// The name of an element of the sort with this name.
fn element_name(sort: &str, number: u32) -> String {
    format!("{sort}!val!{number}")
}

impl TermStore {
    /// The default value of `sort` as a term: false, 0 or the first element.
    pub fn default_term(&mut self, sort: Sort) -> Term {
        self.value_term(&Value::default_of(sort), sort)
    }
    /// `value`, which is one of `sort`, as a term.
    pub fn value_term(&mut self, value: &Value, sort: Sort) -> Term {
        match value {
            Value::Bool(value) => self.bool(*value),
            Value::Number(value) => self.number(value.clone(), sort),
            Value::Element(sort, number) => {
                let name = element_name(self.sort_name(*sort), *number);
                self.var(&name, *sort)
            }
        }
    }
}

/// `value`, which is one of `sort`, as a literal of SMT-LIB.
pub fn print_value(store: &TermStore, value: &Value, sort: Sort) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => print_number(number, sort),
        Value::Element(sort, number) => {
            quote(&element_name(store.sort_name(*sort), *number)).into_owned()
        }
    }
}
