//! Values that are made of others: arrays and data.
//!
//! Invariants. An array lists no index whose element is the default, so arrays over an infinite
//! index sort are equal exactly if default and entries are. Over a finite one, the default is the
//! element that more than half of the indices have, or, without such a majority, that of the first
//! index in the order of values; so the same function is always the same value.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::value::order::hash_parts;
use crate::{Cardinality, Constructor, Sort, SortKind, TermStore, Value};

/// A value of a data type.
#[derive(Clone, Debug)]
pub struct DataValue(Arc<DataNode>);

#[derive(Debug)]
struct DataNode {
    sort: Sort,
    constructor: Constructor,
    fields: Vec<Value>,
    hash: u64,
}

impl DataValue {
    /// `constructor` applied to values of its fields.
    pub fn new(store: &TermStore, constructor: Constructor, fields: Vec<Value>) -> DataValue {
        let sort = store.constructor_sort(constructor);
        let hash = hash_parts(&constructor, fields.iter());
        DataValue(Arc::new(DataNode { sort, constructor, fields, hash }))
    }
    /// The constructor that made it.
    pub fn constructor(&self) -> Constructor {
        self.0.constructor
    }
    /// The values of the constructor's fields.
    pub fn fields(&self) -> &[Value] {
        &self.0.fields
    }
    /// Its data type.
    pub fn sort(&self) -> Sort {
        self.0.sort
    }
    pub(super) fn hash_word(&self) -> u64 {
        self.0.hash
    }
    pub(super) fn is_shared_with(&self, other: &DataValue) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
    pub(super) fn place(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }
}

impl Drop for DataNode {
    /// Takes a long list apart step by step; dropping field by field would recurse.
    fn drop(&mut self) {
        let mut open = std::mem::take(&mut self.fields);
        while let Some(value) = open.pop() {
            if let Value::Data(DataValue(node)) = value
                && let Ok(mut node) = Arc::try_unwrap(node)
            {
                open.append(&mut node.fields);
            }
        }
    }
}

/// An array: finitely many elements, and one for all other indices.
#[derive(Clone, Debug)]
pub struct ArrayValue(Arc<ArrayNode>);

#[derive(Debug)]
struct ArrayNode {
    sort: Sort,
    default: Value,
    entries: BTreeMap<Value, Value>,
    hash: u64,
}

impl ArrayValue {
    /// The array of this sort with the same element everywhere.
    pub fn constant(sort: Sort, element: Value) -> ArrayValue {
        Self::canonical(sort, element, BTreeMap::new())
    }
    /// The array of this sort with these elements, and `default` everywhere else.
    pub fn new(
        store: &TermStore,
        sort: Sort,
        default: Value,
        mut entries: BTreeMap<Value, Value>,
    ) -> ArrayValue {
        entries.retain(|_, element| *element != default);
        let (index, _) = store.array_parts(sort).expect("a sort of arrays");
        match store.cardinality(index) {
            Cardinality::Few(size) if 2 * entries.len() as u64 >= size => {
                Self::listed(sort, &all_values(store, index), |i| {
                    entries.get(i).unwrap_or(&default).clone()
                })
            }
            Cardinality::Few(_) | Cardinality::Many | Cardinality::Infinite => {
                Self::canonical(sort, default, entries)
            }
        }
    }
    /// The array over a finite index sort, of which all indices are given.
    fn listed(sort: Sort, indices: &[Value], element: impl Fn(&Value) -> Value) -> ArrayValue {
        let elements: Vec<Value> = indices.iter().map(&element).collect();
        let mut sorted: Vec<&Value> = elements.iter().collect();
        sorted.sort_unstable();
        // What more than half of a sorted list are, its middle is.
        let middle = sorted[sorted.len() / 2];
        let count = sorted.iter().filter(|e| **e == middle).count();
        let default = if 2 * count > sorted.len() { middle.clone() } else { elements[0].clone() };
        let pairs = indices.iter().cloned().zip(elements);
        let entries = pairs.filter(|(_, element)| *element != default).collect();
        Self::canonical(sort, default, entries)
    }
    fn canonical(sort: Sort, default: Value, entries: BTreeMap<Value, Value>) -> ArrayValue {
        let parts = std::iter::once(&default).chain(entries.iter().flat_map(|(i, v)| [i, v]));
        let hash = hash_parts(&sort, parts);
        ArrayValue(Arc::new(ArrayNode { sort, default, entries, hash }))
    }
    /// Its sort.
    pub fn sort(&self) -> Sort {
        self.0.sort
    }
    /// The element of all indices that are not listed.
    pub fn default(&self) -> &Value {
        &self.0.default
    }
    /// The elements that differ from the default.
    pub fn entries(&self) -> &BTreeMap<Value, Value> {
        &self.0.entries
    }
    /// The element at `index`.
    pub fn get(&self, index: &Value) -> &Value {
        self.0.entries.get(index).unwrap_or(&self.0.default)
    }
    /// The same with `element` at `index`.
    #[must_use]
    pub fn with(&self, store: &TermStore, index: Value, element: Value) -> ArrayValue {
        if *self.get(&index) == element {
            return self.clone();
        }
        let mut entries = self.0.entries.clone();
        entries.insert(index, element);
        Self::new(store, self.0.sort, self.0.default.clone(), entries)
    }
    pub(super) fn parts(&self) -> impl Iterator<Item = &Value> {
        let entries = self.0.entries.iter().flat_map(|(i, v)| [i, v]);
        std::iter::once(&self.0.default).chain(entries)
    }
    pub(super) fn hash_word(&self) -> u64 {
        self.0.hash
    }
    pub(super) fn is_shared_with(&self, other: &ArrayValue) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
    pub(super) fn place(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }
}

/// All values of a finite sort, in order; there must be few. Sorts nest a little only, so recursion
/// is fine.
pub(crate) fn all_values(store: &TermStore, sort: Sort) -> Vec<Value> {
    let mut values = match store.sort_kind(sort) {
        SortKind::Bool => vec![Value::Bool(false), Value::Bool(true)],
        SortKind::Bits(width) => {
            let bits = |n: i64| Value::bits(shofar_num::Bits::new(width, &n.into()));
            (0..1i64 << width).map(bits).collect()
        }
        SortKind::Array(index, element) => {
            let (indices, elements) = (all_values(store, index), all_values(store, element));
            let tuples = combinations(&vec![elements; indices.len()]);
            let array = |tuple: Vec<Value>| {
                let entries = indices.iter().cloned().zip(tuple).collect();
                Value::Array(ArrayValue::new(
                    store,
                    sort,
                    Value::default_of(store, element),
                    entries,
                ))
            };
            tuples.into_iter().map(array).collect()
        }
        SortKind::Data(_, constructors) => {
            let mut values = Vec::new();
            for &constructor in constructors {
                let fields = store.constructor_fields(constructor).iter();
                let choices: Vec<Vec<Value>> =
                    fields.map(|&f| all_values(store, store.field_sort(f))).collect();
                let tuples = combinations(&choices).into_iter();
                values.extend(
                    tuples.map(|tuple| Value::Data(DataValue::new(store, constructor, tuple))),
                );
            }
            values
        }
        SortKind::Int | SortKind::Real | SortKind::Uninterpreted(_) => {
            unreachable!("the sort is finite")
        }
    };
    values.sort_unstable();
    values.dedup();
    values
}

/// All ways to choose one of each.
fn combinations(choices: &[Vec<Value>]) -> Vec<Vec<Value>> {
    choices.iter().fold(vec![Vec::new()], |tuples, choice| {
        let extended = |tuple: &Vec<Value>| {
            let tuple = tuple.clone();
            choice.iter().map(move |value| [tuple.as_slice(), std::slice::from_ref(value)].concat())
        };
        tuples.iter().flat_map(extended).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(n: i64) -> Value {
        Value::Number(n.into())
    }

    #[test]
    fn arrays_are_equal_as_functions() {
        let mut s = TermStore::new();
        let sort = s.array_sort(Sort::INT, Sort::INT);
        let zero = ArrayValue::constant(sort, number(0));
        let one = zero.with(&s, number(3), number(1));
        assert_eq!(one.get(&number(3)), &number(1));
        assert_eq!(Value::Array(one.with(&s, number(3), number(0))), Value::Array(zero));
    }

    #[test]
    fn over_finite_indices_the_default_does_not_matter() {
        let mut s = TermStore::new();
        let (bit, two) = (s.bits_sort(1), s.bits_sort(2));
        for index in [Sort::BOOL, bit, two] {
            let sort = s.array_sort(index, Sort::INT);
            let indices = all_values(&s, index);
            for code in 0..3usize.pow(u32::try_from(indices.len()).expect("few")) {
                let element = |at: usize| {
                    let digit = code / 3usize.pow(u32::try_from(at).expect("few")) % 3;
                    number(i64::try_from(digit).expect("small"))
                };
                let made = |default: i64| {
                    let entries = (0..indices.len()).map(|at| (indices[at].clone(), element(at)));
                    let skipped = entries.filter(|(_, v)| *v != number(default)).collect();
                    Value::Array(ArrayValue::new(&s, sort, number(default), skipped))
                };
                let all = [made(0), made(1), made(2), made(9)];
                assert!(all.iter().all(|array| *array == all[0]), "{all:?}");
                let array = all[0].as_array().expect("an array");
                assert!((0..indices.len()).all(|at| *array.get(&indices[at]) == element(at)));
            }
        }
    }
}
