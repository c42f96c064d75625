//! Elements for classes, and functions as tables.
//!
//! Different classes of an uninterpreted sort are different elements; numbers have the values that
//! arithmetic gives them. The value of an application, given the values of its arguments, is a row
//! of its function's table, and the most frequent value is what the function has everywhere else.
//! The final check has made sure that rows with equal arguments agree.
//!
//! Source: the canonical model of a congruence closure, see [NO07] §2, with the values of [DMB08].

use std::collections::BTreeMap;

use shofar_base::Map;
use shofar_num::Rational;
use shofar_term::eval::{FunctionTable, Model, Value};
use shofar_term::{Sort, SortKind, Symbol, Term, TermStore};

use super::Euf;
use super::closure::Node;
use super::head::Head;
use crate::theory::SharedValues;

/// The values of arguments, and that of the result.
pub(crate) type Entry = (Box<[Value]>, Value);

impl Euf {
    /// The elements of the classes of uninterpreted sorts, numbered in the order of their first
    /// nodes.
    pub(crate) fn elements(&self, store: &TermStore) -> Map<Node, Value> {
        let mut elements: Map<Node, Value> = Map::default();
        let mut counts: Map<Sort, u32> = Map::default();
        for node in self.closure.nodes() {
            let (class, sort) = (self.closure.class(node), store.sort(self.closure.term(node)));
            let is_plain = matches!(store.sort_kind(sort), SortKind::Uninterpreted(_));
            if is_plain && !elements.contains_key(&class) {
                let count = counts.entry(sort).or_default();
                elements.insert(class, Value::Element(sort, *count));
                *count += 1;
            }
        }
        elements
    }
    /// The value of a node, unless it is a formula that nobody asked for.
    fn value(
        &self,
        store: &TermStore,
        node: Node,
        elements: &Map<Node, Value>,
        shared: &SharedValues,
    ) -> Option<Value> {
        let term = self.closure.term(node);
        let sort = store.sort(term);
        if sort.is_arithmetic() {
            Some(Value::Number(number(store, term, shared)))
        } else if sort.is_bool() {
            self.closure.constant(node).map(|truth| Value::Bool(truth == self.truth(true)))
        } else if let SortKind::Uninterpreted(_) = store.sort_kind(sort) {
            elements.get(&self.closure.class(node)).cloned()
        } else {
            self.structures.value(node, self.closure.class(node))
        }
    }
    pub(super) fn fill(&self, store: &TermStore, shared: &SharedValues, model: &mut Model) {
        let elements = self.elements(store);
        let mut rows: BTreeMap<Symbol, Vec<Entry>> = BTreeMap::new();
        for node in self.closure.nodes() {
            let value = |n: Node| self.value(store, n, &elements, shared);
            if let Some(symbol) = store.symbol(self.closure.term(node)) {
                let sort = store.sort(self.closure.term(node));
                if !sort.is_bool()
                    && !sort.is_arithmetic()
                    && let Some(value) = value(node)
                {
                    model.set(symbol, value);
                }
            } else if let Some(application) = self.closure.application(node)
                && let Head::Function(symbol) = application.head
                && !self.structures.idle.contains(&node)
                && let Some(result) = value(node)
                && let Some(args) = application.args.iter().map(|&a| value(a)).collect()
            {
                rows.entry(symbol).or_default().push((args, result));
            }
        }
        for (symbol, rows) in rows {
            model.set_function(symbol, table(rows));
        }
        for (&field, table) in &self.structures.selectors {
            model.set_selector(field, table.clone());
        }
    }
}

/// The value of a number term.
fn number(store: &TermStore, term: Term, shared: &SharedValues) -> Rational {
    let linear = store.linear(term);
    let mut value = linear.constant.clone();
    for (coefficient, t) in linear.monomials() {
        if let Some(Value::Number(number)) = shared.get(t) {
            value.add_mul(coefficient, number);
        }
    }
    value
}

/// The function with these rows; the first of the most frequent results is its default.
pub(crate) fn table(rows: Vec<Entry>) -> FunctionTable {
    let mut table = FunctionTable::constant(most_frequent(&rows));
    for (args, result) in rows {
        if result != table.default {
            table.set(&args, result);
        }
    }
    table
}

fn most_frequent(rows: &[Entry]) -> Value {
    let mut counts: Map<&Value, usize> = Map::default();
    for (_, result) in rows {
        *counts.entry(result).or_default() += 1;
    }
    let most = rows.iter().rev().max_by_key(|(_, result)| counts[result]);
    most.expect("a function with a table has a row").1.clone()
}
