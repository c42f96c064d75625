//! How `get-model` prints an interpretation of the declared symbols.
//!
//! Constants and functions become `define-fun`s; the table of a function is a chain of `ite`s, with
//! its default at the end. The elements of declared sorts have no literals; they are called as in
//! z3 and declared in front of the definitions, so that the whole can be read back by it.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use shofar_term::eval::{FunctionTable, Model, Value};
use shofar_term::print::{print_sort, quote};
use shofar_term::value::print_value;
use shofar_term::{Sort, Symbol, TermStore};

/// The answer to `get-model`: all of `declared`, in their order.
pub(crate) fn print_model(store: &TermStore, declared: &[Symbol], model: &Model) -> String {
    let mut printer = Printer { store, elements: BTreeSet::new() };
    let definitions: Vec<String> =
        declared.iter().map(|&symbol| printer.definition(symbol, model)).collect();
    let mut text = String::from("(\n");
    for &(sort, number) in &printer.elements {
        let name = print_value(store, &Value::Element(sort, number), sort);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  (declare-fun {name} () {})", print_sort(store, sort));
    }
    for definition in definitions {
        let _ = writeln!(text, "  {definition}");
    }
    text.push(')');
    text
}

struct Printer<'s> {
    store: &'s TermStore,
    /// The elements printed so far.
    elements: BTreeSet<(Sort, u32)>,
}

impl Printer<'_> {
    fn definition(&mut self, symbol: Symbol, model: &Model) -> String {
        let (name, sort) = (quote(self.store.name(symbol)), self.store.result(symbol));
        let params: Vec<String> = (self.store.params(symbol).iter().enumerate())
            .map(|(i, &sort)| format!("({} {})", parameter(i), print_sort(self.store, sort)))
            .collect();
        let body = match model.function(symbol) {
            Some(table) => self.table(symbol, table),
            None => self.value(&model.get_or_default(self.store, symbol), sort),
        };
        let sort = print_sort(self.store, sort);
        format!("(define-fun {name} ({}) {sort} {body})", params.join(" "))
    }
    fn value(&mut self, value: &Value, sort: Sort) -> String {
        self.elements.extend(value.elements());
        print_value(self.store, value, sort)
    }
    /// The table as a chain of `ite`s over the parameters.
    fn table(&mut self, symbol: Symbol, table: &FunctionTable) -> String {
        let store = self.store;
        let (params, sort) = (store.params(symbol), store.result(symbol));
        let mut text = String::new();
        // What has the value of the default anyway needs no case.
        let cases = || table.entries.iter().filter(|(_, value)| **value != table.default);
        for (arguments, value) in cases() {
            let equations: Vec<String> = (arguments.iter().zip(params).enumerate())
                .map(|(i, (argument, &sort))| {
                    format!("(= {} {})", parameter(i), self.value(argument, sort))
                })
                .collect();
            let condition = match equations.as_slice() {
                [one] => one.clone(),
                several => format!("(and {})", several.join(" ")),
            };
            let value = self.value(value, sort);
            // Writing to a string cannot fail.
            let _ = write!(text, "(ite {condition} {value} ");
        }
        text += &self.value(&table.default, sort);
        text.extend(cases().map(|_| ')'));
        text
    }
}

/// The name of parameter number `i`.
fn parameter(i: usize) -> String {
    format!("x!{i}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use shofar_num::Rational;
    use shofar_term::value::ArrayValue;

    #[test]
    fn elements_inside_arrays_are_declared() {
        let mut store = TermStore::new();
        let sort = store.declare_sort("S");
        let arrays = store.array_sort(Sort::INT, sort);
        let a = store.declare("a", &[], arrays);
        let (first, other) = (Value::Element(sort, 0), Value::Element(sort, 3));
        let zero = Value::Number(Rational::ZERO);
        let mut model = Model::new();
        let array = ArrayValue::constant(arrays, first).with(&store, zero, other);
        model.set(a, Value::Array(array));
        let expected = "(\n  (declare-fun S!val!0 () S)\n  (declare-fun S!val!3 () S)\n  \
            (define-fun a () (Array Int S) (store ((as const (Array Int S)) S!val!0) 0 S!val!3))\n)";
        assert_eq!(print_model(&store, &[a], &model), expected);
    }

    #[test]
    fn tables_are_chains_of_conditionals() {
        let mut store = TermStore::new();
        let sort = store.declare_sort("two words");
        let f = store.declare("f", &[sort, Sort::INT], sort);
        let p = store.declare("p?", &[Sort::BOOL], Sort::BOOL);
        let a = store.declare("a", &[], sort);
        let element = |number| Value::Element(sort, number);
        let mut model = Model::new();
        let mut table = FunctionTable::constant(element(1));
        table.set(&[element(2), Value::Number(Rational::from(-3))], element(0));
        table.set(&[element(2), Value::Number(Rational::from(4))], element(1));
        table.set(&[element(0), Value::Number(Rational::ZERO)], element(2));
        model.set_function(f, table);
        let mut table = FunctionTable::constant(Value::Bool(false));
        table.set(&[Value::Bool(true)], Value::Bool(true));
        model.set_function(p, table);
        model.set(a, element(4));
        let name = |number| format!("|two words!val!{number}|");
        let declared = [0, 1, 2, 4].map(|n| format!("  (declare-fun {} () |two words|)", name(n)));
        let expected = format!(
            "(\n{}\n  (define-fun f ((x!0 |two words|) (x!1 Int)) |two words| \
             (ite (and (= x!0 {}) (= x!1 0)) {} (ite (and (= x!0 {}) (= x!1 (- 3))) {} {})))\n  \
             (define-fun p? ((x!0 Bool)) Bool (ite (= x!0 true) true false))\n  \
             (define-fun a () |two words| {})\n)",
            declared.join("\n"),
            name(0),
            name(2),
            name(2),
            name(0),
            name(1),
            name(4)
        );
        assert_eq!(print_model(&store, &[f, p, a], &model), expected);
    }
}
