//! The sorts of arrays in generated scripts, and random terms of them.
//!
//! The sorts are a table: over integers, truth values, declared sorts, bit-vectors and data types,
//! nested, and with arrays as indices. Finite index sorts are among them, since a default value can
//! be invisible there.

use shofar_base::Rng;

use crate::data;
use crate::formula::{Formulas, Node};
use crate::logic::Sort;
use crate::value::{Map, Value};

/// The number of the arrays of integers.
pub const INT_TO_INT: u8 = 0;
/// The number of the arrays of truth values over truth values.
pub const BOOL_TO_BOOL: u8 = 8;

const INTS: Sort = Sort::Array(INT_TO_INT);
const SET: Sort = Sort::Array(BOOL_TO_BOOL);

/// Index and element of all sorts of arrays.
pub const SORTS: &[(Sort, Sort)] = &[
    (Sort::Int, Sort::Int),
    (Sort::Int, Sort::Bool),
    (Sort::Bool, Sort::Int),
    (Sort::Int, INTS),
    (INTS, Sort::Int),
    (INTS, INTS),
    (Sort::Free(0), Sort::Free(0)),
    (Sort::Free(0), Sort::Bool),
    (Sort::Bool, Sort::Bool),
    (Sort::Free(0), Sort::Array(6)),
    (Sort::Bits(2), Sort::Bits(3)),
    (Sort::Bits(3), Sort::Bool),
    (Sort::Bits(4), Sort::Int),
    (Sort::Int, Sort::Bits(4)),
    (Sort::Bits(1), Sort::Bits(1)),
    (Sort::Data(data::COLOR), Sort::Int),
    (Sort::Int, Sort::Data(data::POINT)),
    (Sort::Int, Sort::Data(data::INT_LIST)),
    (Sort::Data(data::COLOR), Sort::Bool),
    (Sort::Bits(2), Sort::Array(14)),
    (SET, Sort::Bool),
    (Sort::Bool, SET),
    (Sort::Free(0), Sort::Free(1)),
    (Sort::Array(6), Sort::Free(0)),
    (Sort::Bits(8), Sort::Bits(4)),
    (Sort::Data(data::LIST), Sort::Data(data::COLOR)),
];

/// Index and element sort of an array sort.
pub fn parts(sort: Sort) -> (Sort, Sort) {
    match sort {
        Sort::Array(number) => SORTS[usize::from(number)],
        Sort::Bool | Sort::Int | Sort::Real | Sort::Free(_) | Sort::Bits(_) | Sort::Data(_) => {
            panic!("{sort} is no sort of arrays")
        }
    }
}

impl Formulas {
    /// A random array, nested about `depth` deep.
    pub fn array(&mut self, rng: &mut Rng, sort: Sort, depth: usize) -> Node {
        if depth == 0 {
            let unknown = if rng.chance(90) { self.unknown(rng, sort) } else { None };
            return unknown.unwrap_or_else(|| self.constant_array(rng, sort));
        }
        match rng.below(10) {
            0..6 => self.store(rng, sort, depth),
            6 => self.ite(rng, sort, depth - 1),
            7 => self.bind(rng, sort, depth - 1),
            8 => self.constant_array(rng, sort),
            _ => self.array(rng, sort, 0),
        }
    }
    fn store(&mut self, rng: &mut Rng, sort: Sort, depth: usize) -> Node {
        let (index, element) = parts(sort);
        let array = self.array(rng, sort, depth - 1);
        let below = rng.below(depth);
        let (place, content) =
            (self.component(rng, index, below), self.component(rng, element, below));
        let text = format!("(store {} {} {})", array.text, place.text, content.text);
        let value = match (array.value, place.value, content.value) {
            (Some(Value::Array(map)), Some(place), Some(content)) => {
                Some(Value::Array(Box::new(map.with(index, place, content))))
            }
            (_, _, _) => None,
        };
        Node::new(text, sort, value)
    }
    fn constant_array(&mut self, rng: &mut Rng, sort: Sort) -> Node {
        let (index, element) = parts(sort);
        let content = self.component(rng, element, 0);
        let text = format!("((as const {sort}) {})", content.text);
        let map = content.value.map(|value| Map::new(index, value, Vec::new()));
        Node::new(text, sort, map.map(|map| Value::Array(Box::new(map))))
    }
    /// An element of a random array of this sort.
    pub(crate) fn select(&mut self, rng: &mut Rng, sort: Sort) -> Node {
        let (index, element) = parts(sort);
        let depth = usize::from(self.nesting < 2 && rng.chance(50));
        let array = self.array(rng, sort, depth);
        let place = self.component(rng, index, depth);
        let text = format!("(select {} {})", array.text, place.text);
        let value = match (array.value, place.value) {
            (Some(Value::Array(map)), Some(place)) => Some(map.at(&place)),
            (_, _) => None,
        };
        Node::new(text, element, value)
    }
}
