//! Values: what terms have under an interpretation of their symbols, and how they are written.
//!
//! A value of an uninterpreted sort `S` is one of its elements, which are numbered and written `S!val!0`, `S!val!1`, …,
//! as z3 writes them. SMT-LIB 2.7 has *abstract values* such as `(as @0 S)` for this purpose, but nobody reads them back:
//! symbols that begin with `@` belong to the solver and must not be declared. `S!val!0` is an ordinary symbol, so with
//! `(declare-fun S!val!0 () S)` in front of a model any solver can read it, z3 and the reader here included.

mod read;

use shofar_num::Rational;

use crate::print::{print_number, quote};
use crate::{Sort, Term, TermStore};

pub use read::{BadValue, Flaw, read_value};

/// The value of a term.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    /// Whether it is one of `sort`; an integer is a real number as well.
    pub fn has_sort(&self, sort: Sort) -> bool {
        match self {
            Value::Bool(_) => sort.is_bool(),
            Value::Number(number) => sort.is_real() || sort.is_int() && number.is_integer(),
            Value::Element(own, _) => *own == sort,
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

/// What stands between the name of a sort and the number of an element.
const ELEMENT: &str = "!val!";

impl TermStore {
    /// The default value of `sort` as a term: false, 0 or the first element.
    pub fn default_term(&mut self, sort: Sort) -> Term {
        self.value_term(&Value::default_of(sort), sort)
    }
    /// `value`, which is one of `sort`, as a term. An element is a constant with its name; that it differs from other
    /// elements is not said by the term.
    pub fn value_term(&mut self, value: &Value, sort: Sort) -> Term {
        match value {
            Value::Bool(value) => self.bool(*value),
            Value::Number(value) => self.number(value.clone(), sort),
            Value::Element(sort, number) => {
                let name = self.element_name(*sort, *number);
                self.var(&name, *sort)
            }
        }
    }
    /// The name of an element, unquoted.
    fn element_name(&self, sort: Sort, number: u32) -> String {
        format!("{}{ELEMENT}{number}", self.sort_name(sort))
    }
}

/// `value`, which is one of `sort`, as a literal of SMT-LIB; [`read_value`] reads it.
pub fn print_value(store: &TermStore, value: &Value, sort: Sort) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => print_number(number, sort),
        Value::Element(sort, number) => quote(&store.element_name(*sort, *number)).into_owned(),
    }
}
