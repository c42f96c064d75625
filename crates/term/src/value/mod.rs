//! Values: what terms have under an interpretation of their symbols, and how they are written.
//!
//! A value of an uninterpreted sort `S` is one of its elements, which are numbered and written
//! `S!val!0`, `S!val!1`, …, as z3 writes them. SMT-LIB 2.7 has *abstract values* such as
//! `(as @0 S)` for this purpose, but nobody reads them back: symbols that begin with `@` belong to
//! the solver and must not be declared. `S!val!0` is an ordinary symbol, so with
//! `(declare-fun S!val!0 () S)` in front of a model any solver can read it, z3 and the reader here
//! included. Where a symbol is called so already, the element is `S!!val!0`, with as many further
//! marks as it takes.
//!
//! Arrays are finite maps with a default, data are trees of constructors, both shared between
//! copies. Values may nest as deeply as a list is long, so comparing, hashing, dropping and
//! printing them do not recurse.

mod compound;
mod order;
mod print;
mod read;
mod shared;

use shofar_base::{Map, Set};
use shofar_num::{Bits, Rational};

use crate::{Sort, SortKind, Term, TermStore};

pub use compound::{ArrayValue, DataValue};
pub use print::print_value;
pub use read::{BadValue, Flaw, NamedValues, read_value};
pub use shared::SharedValues;

/// The value of a term. Equal values are equal, whatever made them; the order is total, and the
/// same in every run.
#[derive(Clone, Debug)]
pub enum Value {
    /// Of a formula.
    Bool(bool),
    /// Of an arithmetic term; integral if the term is.
    Number(Rational),
    /// Of a term of an uninterpreted sort: the element of this number; elements of different
    /// numbers are different.
    Element(Sort, u32),
    /// Of a bit-vector.
    Bits(Box<Bits>),
    /// Of a term of a data type.
    Data(DataValue),
    /// Of an array.
    Array(ArrayValue),
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value::Bool(value)
    }
}

impl From<i32> for Value {
    fn from(number: i32) -> Self {
        i64::from(number).into()
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Rational::from(number).into()
    }
}

impl From<Rational> for Value {
    fn from(number: Rational) -> Self {
        Value::Number(number)
    }
}

impl Value {
    /// False, 0, the first element, the smallest value of a data type, or the array with the
    /// default of its elements everywhere.
    pub fn default_of(store: &TermStore, sort: Sort) -> Value {
        match store.sort_kind(sort) {
            SortKind::Bool => Value::Bool(false),
            SortKind::Int | SortKind::Real => Value::Number(Rational::ZERO),
            SortKind::Uninterpreted(_) => Value::Element(sort, 0),
            SortKind::Bits(width) => Value::Bits(Box::new(Bits::zero(width))),
            SortKind::Array(..) | SortKind::Data(..) => {
                Value::compound_default(store, sort, &mut Map::default())
            }
        }
    }
    /// The default of a sort whose values are made of others. Records in records would have
    /// exponentially many parts if those of one sort were not shared. Sorts nest a little only, so
    /// recursion is fine.
    fn compound_default(store: &TermStore, sort: Sort, made: &mut Map<Sort, Value>) -> Value {
        if let Some(value) = made.get(&sort) {
            return value.clone();
        }
        let value = match store.sort_kind(sort) {
            SortKind::Array(_, element) => {
                let default = Value::compound_default(store, element, made);
                Value::Array(ArrayValue::constant(sort, default))
            }
            SortKind::Data(..) => {
                let constructor = store.default_constructor(sort).expect("a data type has one");
                let fields = store.constructor_fields(constructor).iter();
                let field = |&f| Value::compound_default(store, store.field_sort(f), made);
                Value::Data(DataValue::new(store, constructor, fields.map(field).collect()))
            }
            SortKind::Bool
            | SortKind::Int
            | SortKind::Real
            | SortKind::Uninterpreted(_)
            | SortKind::Bits(_) => Value::default_of(store, sort),
        };
        made.insert(sort, value.clone());
        value
    }
    /// Whether it is one of `sort`; an integer is a real number as well.
    pub fn has_sort(&self, store: &TermStore, sort: Sort) -> bool {
        match self {
            Value::Bool(_) => sort.is_bool(),
            Value::Number(number) => sort.is_real() || sort.is_int() && number.is_integer(),
            Value::Element(own, _) => *own == sort,
            Value::Bits(bits) => store.bits_width(sort) == Some(bits.width()),
            Value::Data(data) => data.sort() == sort,
            Value::Array(array) => array.sort() == sort,
        }
    }
    /// A bit-vector.
    pub fn bits(bits: Bits) -> Value {
        Value::Bits(Box::new(bits))
    }
    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        if let Value::Bool(value) = self { Some(*value) } else { None }
    }
    /// The number, if it is one.
    pub fn as_number(&self) -> Option<&Rational> {
        if let Value::Number(value) = self { Some(value) } else { None }
    }
    /// The bit-vector, if it is one.
    pub fn as_bits(&self) -> Option<&Bits> {
        if let Value::Bits(value) = self { Some(value) } else { None }
    }
    /// The value of a data type, if it is one.
    pub fn as_data(&self) -> Option<&DataValue> {
        if let Value::Data(value) = self { Some(value) } else { None }
    }
    /// The array, if it is one.
    pub fn as_array(&self) -> Option<&ArrayValue> {
        if let Value::Array(value) = self { Some(value) } else { None }
    }
    /// The elements of uninterpreted sorts that occur in it, with their sorts; those of a shared
    /// part once.
    pub fn elements(&self) -> Vec<(Sort, u32)> {
        let (mut found, mut open) = (Vec::new(), vec![self]);
        let mut seen = Set::default();
        while let Some(value) = open.pop() {
            if value.place().is_some_and(|place| !seen.insert(place)) {
                continue;
            }
            if let Value::Element(sort, number) = value {
                found.push((*sort, *number));
            }
            open.extend(value.parts());
        }
        found
    }
    /// Where its parts are, if it is compound: equal places have equal parts.
    fn place(&self) -> Option<usize> {
        match self {
            Value::Bool(_) | Value::Number(_) | Value::Element(..) | Value::Bits(_) => None,
            Value::Data(data) => Some(data.place()),
            Value::Array(array) => Some(array.place()),
        }
    }
    /// Whether it has more than so many parts, counted as often as they are written.
    pub fn is_longer_than(&self, most: usize) -> bool {
        let (mut count, mut open) = (0, vec![self]);
        while let Some(value) = open.pop() {
            count += 1;
            if count > most {
                return true;
            }
            open.extend(value.parts());
        }
        false
    }
    /// The values that it is made of, if it is compound: fields in order, or default, then indices
    /// and elements.
    pub(crate) fn parts(&self) -> Vec<&Value> {
        match self {
            Value::Bool(_) | Value::Number(_) | Value::Element(..) | Value::Bits(_) => Vec::new(),
            Value::Data(data) => data.fields().iter().collect(),
            Value::Array(array) => array.parts().collect(),
        }
    }
}

/// What stands between the name of a sort and the number of an element.
pub(crate) const ELEMENT: &str = "!val!";

impl TermStore {
    /// The default value of `sort` as a term.
    pub fn default_term(&mut self, sort: Sort) -> Term {
        let value = Value::default_of(self, sort);
        self.value_term(&value, sort)
    }
    /// `value`, which is one of `sort`, as a term. An element is a constant with its name; that it
    /// differs from other elements is not said by the term.
    pub fn value_term(&mut self, value: &Value, sort: Sort) -> Term {
        // Values still to be made, each before its parts; a part of an array or of data gets its
        // sort from its parent.
        let mut open = vec![(value, sort, false)];
        let mut done: Vec<Term> = Vec::new();
        let mut shared: Map<usize, Term> = Map::default();
        while let Some((value, sort, expanded)) = open.pop() {
            let known = value.place().filter(|_| !expanded).and_then(|place| shared.get(&place));
            if let Some(&term) = known {
                done.push(term);
                continue;
            }
            let term = match value {
                Value::Bool(value) => self.bool(*value),
                Value::Number(value) => self.number(value.clone(), sort),
                Value::Bits(value) => self.bits(value),
                Value::Element(sort, number) => {
                    let (name, others) =
                        (self.element_name(*sort, *number), self.names_like_elements.len());
                    let element = self.var(&name, *sort);
                    self.names_like_elements.truncate(others);
                    element
                }
                Value::Data(_) | Value::Array(_) if !expanded => {
                    open.push((value, sort, true));
                    let sorts = self.part_sorts(value);
                    open.extend(value.parts().into_iter().zip(sorts).map(|(v, s)| (v, s, false)));
                    continue;
                }
                Value::Data(data) => {
                    let fields = take(&mut done, data.fields().len());
                    self.construct(data.constructor(), &fields)
                }
                Value::Array(array) => {
                    let parts = take(&mut done, 1 + 2 * array.entries().len());
                    let base = self.constant_array(array.sort(), parts[0]);
                    parts[1..]
                        .chunks_exact(2)
                        .fold(base, |array, entry| self.store(array, entry[0], entry[1]))
                }
            };
            if let Some(place) = value.place() {
                shared.insert(place, term);
            }
            done.push(term);
        }
        done.pop().expect("the value itself is made last")
    }
    /// The sorts of the parts of a compound value.
    pub(crate) fn part_sorts(&self, value: &Value) -> Vec<Sort> {
        match value {
            Value::Bool(_) | Value::Number(_) | Value::Element(..) | Value::Bits(_) => Vec::new(),
            Value::Data(data) => {
                let fields = self.constructor_fields(data.constructor()).iter();
                fields.map(|&field| self.field_sort(field)).collect()
            }
            Value::Array(array) => {
                let (index, element) = self.array_parts(array.sort()).expect("an array");
                let entries = array.entries().iter().flat_map(|_| [index, element]);
                [element].into_iter().chain(entries).collect()
            }
        }
    }
    /// The name of an element, unquoted, which is that of no other symbol declared so far.
    pub(crate) fn element_name(&self, sort: Sort, number: u32) -> String {
        let mut name = match self.sort_kind(sort) {
            SortKind::Uninterpreted(name) => format!("{name}{ELEMENT}{number}"),
            SortKind::Bool
            | SortKind::Int
            | SortKind::Real
            | SortKind::Bits(_)
            | SortKind::Array(..)
            | SortKind::Data(..) => unreachable!("only uninterpreted sorts have elements"),
        };
        let mark = name.rfind(ELEMENT).expect("it stands before the number");
        while self.names_like_elements.iter().any(|taken| **taken == *name) {
            name.insert(mark, '!');
        }
        name
    }
}

/// The last `count` terms in reverse: parts are made last to first.
fn take(done: &mut Vec<Term>, count: usize) -> Vec<Term> {
    let mut parts = done.split_off(done.len() - count);
    parts.reverse();
    parts
}
