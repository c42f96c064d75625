//! Values that occur several times in one text, written once.
//!
//! The steps of a refutation repeat the arrays and records of the steps before. So a value that
//! comes again is given a name where it stands first, `(! (store … 3 7) :named @0)`, as SMT-LIB
//! names terms, and is `@0` from then on; and an array that differs from a named one
//! in a few places is written as writes to it, `(store @0 4 8)`. A sequence of arrays, each with
//! one write more, then takes linear space.
//!
//! All values of the text are noted before the first is printed, in the same order.
//! Invariant: a name is printed with its value before it is printed alone; if the order differs,
//! values are written in full.

use std::collections::VecDeque;

use shofar_base::Map;

use super::print::print_with;
use super::{ArrayValue, Value};
use crate::{Sort, TermStore};

/// A value of fewer parts has no name.
const FEWEST_PARTS: usize = 6;
/// An array is written as so many writes to another one at most.
const MOST_WRITES: usize = 4;
/// So many arrays of a sort are kept in mind to be written to.
const RECENT: usize = 8;

/// What is known of a compound value.
#[derive(Debug)]
struct Known {
    /// How often it is written, or written to.
    count: usize,
    /// How many parts it has, and these have in turn.
    parts: usize,
    /// An array that it is made of by a few writes.
    base: Option<ArrayValue>,
    name: Option<usize>,
}

/// The compound values of a text.
#[derive(Debug, Default)]
pub struct SharedValues {
    known: Map<Value, Known>,
    recent: Map<Sort, VecDeque<ArrayValue>>,
    names: usize,
}

/// How a compound value is written.
pub(super) struct Written {
    /// In front of it, and behind it.
    pub(super) around: Option<(String, String)>,
    /// The name of an array, and the array that it is.
    pub(super) base: Option<(String, ArrayValue)>,
}

impl SharedValues {
    /// Takes note of a value that will be printed.
    pub fn note(&mut self, value: &Value) {
        let mut open = vec![(value, false)];
        while let Some((value, is_ready)) = open.pop() {
            let parts = value.parts();
            if parts.is_empty() {
                continue;
            }
            if is_ready {
                let inner = parts.iter().filter_map(|&part| self.known.get(part));
                let count = parts.len() + inner.map(|known| known.parts).sum::<usize>();
                self.enter(value, count);
            } else if let Some(known) = self.known.get_mut(value) {
                known.count += 1;
            } else {
                open.push((value, true));
                open.extend(parts.into_iter().rev().map(|part| (part, false)));
            }
        }
    }
    fn enter(&mut self, value: &Value, parts: usize) {
        let mut base = None;
        if let Some(array) = value.as_array() {
            let recent = self.recent.entry(array.sort()).or_default();
            base = recent.iter().rev().find(|&other| writes(other, array).is_some()).cloned();
            recent.push_back(array.clone());
            if recent.len() > RECENT {
                recent.pop_front();
            }
        }
        let is_base = base.clone().map(Value::Array);
        if let Some(known) = is_base.and_then(|base| self.known.get_mut(&base)) {
            known.count += 1;
        }
        self.known.insert(value.clone(), Known { count: 1, parts, base, name: None });
    }
    /// Prints a value of which note was taken.
    pub fn print(&mut self, store: &TermStore, value: &Value, sort: Sort) -> String {
        print_with(store, value, sort, Some(self))
    }
    /// How to write `value`; its name alone, if it has one.
    pub(super) fn write(&mut self, value: &Value) -> Result<String, Written> {
        let Some(known) = self.known.get(value) else {
            return Err(Written { around: None, base: None });
        };
        if let Some(name) = known.name {
            return Ok(format!("@{name}"));
        }
        let base = known.base.clone().and_then(|base| {
            let name = self.known.get(&Value::Array(base.clone()))?.name?;
            Some((format!("@{name}"), base))
        });
        let is_named = known.count > 1 && known.parts >= FEWEST_PARTS;
        let around = is_named.then(|| {
            let name = self.names;
            self.names += 1;
            if let Some(known) = self.known.get_mut(value) {
                known.name = Some(name);
            }
            ("(! ".to_owned(), format!(" :named @{name})"))
        });
        Err(Written { around, base })
    }
}

/// The writes that make `array` of `base`, if there are few.
pub(super) fn writes<'v>(
    base: &ArrayValue,
    array: &'v ArrayValue,
) -> Option<Vec<(&'v Value, &'v Value)>> {
    let (before, after) = (base.entries(), array.entries());
    let fits = base.default() == array.default()
        && after.len() >= before.len()
        && after.len() <= before.len() + MOST_WRITES
        && before.len() > MOST_WRITES;
    if !fits || !before.keys().all(|index| after.contains_key(index)) {
        return None;
    }
    let changed = after.iter().filter(|(index, element)| base.get(index) != *element);
    let changed: Vec<(&Value, &Value)> = changed.collect();
    (changed.len() <= MOST_WRITES).then_some(changed)
}

#[cfg(test)]
mod tests {
    use super::super::read::NamedValues;
    use super::*;

    #[test]
    fn a_growing_array_takes_linear_space_and_is_read_back() {
        let mut s = TermStore::new();
        let sort = s.array_sort(Sort::INT, Sort::INT);
        let number = |n: i64| Value::Number(n.into());
        let mut array = ArrayValue::constant(sort, number(0));
        let mut values = Vec::new();
        for n in 0..200 {
            array = array.with(&s, number(n), number(n + 1000));
            // Each array occurs twice, as the result of a step and in the next one.
            values.extend([Value::Array(array.clone()), Value::Array(array.clone())]);
        }
        let mut shared = SharedValues::default();
        for value in &values {
            shared.note(value);
        }
        let texts: Vec<String> = values.iter().map(|v| shared.print(&s, v, sort)).collect();
        assert!(texts.iter().map(String::len).sum::<usize>() < 200 * 60);
        assert_eq!(&texts[398..], ["(! (store @196 199 1199) :named @197)", "@197"]);
        let mut named = NamedValues::default();
        for (text, value) in texts.iter().zip(&values) {
            assert_eq!(named.read(&s, text, sort).as_ref(), Ok(value), "{text}");
        }
        assert!(NamedValues::default().read(&s, "@3", sort).is_err());
        assert!(named.read(&s, "(! @3 :named @3)", sort).is_err(), "names are given once");
    }

    #[test]
    fn a_name_does_not_make_small_texts_large_values() {
        let mut s = TermStore::new();
        let row = s.array_sort(Sort::INT, Sort::INT);
        let mut sort = row;
        let mut named = NamedValues::default();
        let text = "(! (store ((as const (Array Int Int)) 0) 1 2) :named @0)";
        assert!(named.read(&s, text, row).is_ok());
        // Each is an array of two copies of the one before.
        let fails = (1..40).any(|n| {
            sort = s.array_sort(Sort::INT, sort);
            let name = crate::print::print_sort(&s, sort);
            let before = n - 1;
            let text = format!("(! (store ((as const {name}) @{before}) 7 @{before}) :named @{n})");
            named.read(&s, &text, sort).is_err()
        });
        assert!(fails, "it would have 2^40 parts");
    }
}
