//! Models: values of constants, and tables for functions.

use std::collections::BTreeMap;

use shofar_base::Map;

use crate::value::Value;
use crate::{Field, Symbol, TermStore};

/// An interpretation of some declared symbols.
///
/// Refutations have one for each step, and may have millions of steps, so few constants are a
/// sorted list without a gap.
#[derive(Clone, Debug, Default)]
pub struct Model {
    constants: Constants,
    /// Mostly none.
    functions: Option<Box<Functions>>,
}

#[derive(Clone, Debug, Default)]
struct Functions {
    tables: BTreeMap<Symbol, FunctionTable>,
    /// What selectors yield of values that another constructor made.
    selectors: BTreeMap<Field, FunctionTable>,
}

#[derive(Clone, Debug)]
enum Constants {
    /// Sorted by symbol.
    Few(Vec<(Symbol, Value)>),
    Many(Box<Map<Symbol, Value>>),
}

/// How many values a list may have.
const FEW: usize = 16;

impl Default for Constants {
    fn default() -> Self {
        Self::Few(Vec::new())
    }
}

impl Model {
    /// The model that says nothing.
    pub fn new() -> Self {
        Self::default()
    }
    /// The same with room for so many constants.
    pub fn with_capacity(count: usize) -> Self {
        Self { constants: Constants::Few(Vec::with_capacity(count.min(FEW))), functions: None }
    }
    /// Gives the constant `symbol` a value of its sort.
    pub fn set(&mut self, symbol: Symbol, value: Value) {
        match &mut self.constants {
            Constants::Many(values) => {
                values.insert(symbol, value);
            }
            Constants::Few(values) => match values.binary_search_by_key(&symbol, |entry| entry.0) {
                Ok(at) => values[at].1 = value,
                Err(at) if values.len() < FEW => values.insert(at, (symbol, value)),
                Err(_) => {
                    let all = values.drain(..).chain([(symbol, value)]);
                    self.constants = Constants::Many(Box::new(all.collect()));
                }
            },
        }
    }
    /// The value given to the constant `symbol`, if any.
    pub fn get(&self, symbol: Symbol) -> Option<&Value> {
        match &self.constants {
            Constants::Many(values) => values.get(&symbol),
            Constants::Few(values) => {
                let at = values.binary_search_by_key(&symbol, |entry| entry.0).ok()?;
                Some(&values[at].1)
            }
        }
    }
    /// The value of the constant `symbol`; the default of its sort if it has been given none.
    pub fn get_or_default(&self, store: &TermStore, symbol: Symbol) -> Value {
        self.get(symbol).cloned().unwrap_or_else(|| Value::default_of(store, store.result(symbol)))
    }
    /// Gives those of `symbols` that have no value the default of their sort.
    pub fn complete(&mut self, store: &TermStore, symbols: &[Symbol]) {
        for &symbol in symbols {
            if self.get(symbol).is_none() {
                self.set(symbol, Value::default_of(store, store.result(symbol)));
            }
        }
    }
    /// The constants that have values, sorted by symbol.
    pub fn entries(&self) -> Vec<(Symbol, &Value)> {
        match &self.constants {
            Constants::Few(values) => {
                values.iter().map(|(symbol, value)| (*symbol, value)).collect()
            }
            Constants::Many(values) => {
                values.sorted().into_iter().map(|(&symbol, value)| (symbol, value)).collect()
            }
        }
    }
    /// Gives the function or predicate `symbol` a table.
    pub fn set_function(&mut self, symbol: Symbol, table: FunctionTable) {
        self.functions.get_or_insert_default().tables.insert(symbol, table);
    }
    /// The table of the function or predicate `symbol`, if it has one.
    pub fn function(&self, symbol: Symbol) -> Option<&FunctionTable> {
        self.functions.as_ref()?.tables.get(&symbol)
    }
    /// Says what the selector of `field` yields of values that another constructor made.
    pub fn set_selector(&mut self, field: Field, table: FunctionTable) {
        self.functions.get_or_insert_default().selectors.insert(field, table);
    }
    /// What the selector of `field` yields of values that another constructor made, if the model
    /// says so.
    pub fn selector(&self, field: Field) -> Option<&FunctionTable> {
        self.functions.as_ref()?.selectors.get(&field)
    }
    /// The functions and predicates that have tables, sorted by symbol.
    pub fn functions(&self) -> impl Iterator<Item = (Symbol, &FunctionTable)> {
        let tables = self.functions.iter().flat_map(|functions| &functions.tables);
        tables.map(|(&symbol, table)| (symbol, table))
    }
}

/// A function by its values: finitely many, and one for all other arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionTable {
    /// The arguments with their values, in the order of the arguments.
    pub entries: BTreeMap<Box<[Value]>, Value>,
    /// The value everywhere else.
    pub default: Value,
}

impl FunctionTable {
    /// The function with one value only.
    pub fn constant(default: Value) -> Self {
        Self { entries: BTreeMap::new(), default }
    }
    /// Fixes the value for these arguments.
    pub fn set(&mut self, arguments: &[Value], value: Value) {
        self.entries.insert(arguments.into(), value);
    }
    /// The value for these arguments.
    pub fn get(&self, arguments: &[Value]) -> &Value {
        self.entries.get(arguments).unwrap_or(&self.default)
    }
}

#[cfg(test)]
mod tests {
    use shofar_num::Rational;

    use super::*;
    use crate::Sort;

    #[test]
    fn many_values_are_kept_like_few() {
        let mut s = TermStore::new();
        let symbols: Vec<Symbol> =
            (0..2 * FEW).map(|i| s.declare(&format!("x{i}"), &[], Sort::INT)).collect();
        let mut model = Model::new();
        for (i, &symbol) in symbols.iter().enumerate().rev() {
            model.set(symbol, Value::Bool(true));
            model.set(symbol, Value::Number(Rational::from(i64::try_from(i).expect("small"))));
            let entries = model.entries();
            assert_eq!(entries.len(), symbols.len() - i);
            assert!(entries.iter().map(|e| e.0).eq(symbols[i..].iter().copied()));
        }
        for (i, &symbol) in symbols.iter().enumerate() {
            let value = model.get(symbol).and_then(Value::as_number).and_then(Rational::to_i64);
            assert_eq!(value.and_then(|v| usize::try_from(v).ok()), Some(i));
        }
    }

    #[test]
    fn only_what_is_missing_is_completed() {
        let mut s = TermStore::new();
        let [x, y] = ["x", "y"].map(|name| s.declare(name, &[], Sort::INT));
        let mut model = Model::new();
        model.set(x, Value::Number(5.into()));
        assert_eq!(model.get_or_default(&s, y), Value::Number(0.into()));
        assert_eq!(model.get(y), None);
        model.complete(&s, &[x, y]);
        assert_eq!(model.entries(), [(x, &Value::Number(5.into())), (y, &Value::Number(0.into()))]);
    }

    #[test]
    fn a_table_has_its_default_elsewhere() {
        let mut s = TermStore::new();
        let f = s.declare("f", &[Sort::INT, Sort::BOOL], Sort::INT);
        let number = |n: i64| Value::Number(n.into());
        let mut table = FunctionTable::constant(number(7));
        table.set(&[number(1), Value::Bool(true)], number(2));
        let mut model = Model::new();
        assert!(model.function(f).is_none());
        model.set_function(f, table);
        let table = model.function(f).expect("it has a table");
        assert_eq!(table.get(&[number(1), Value::Bool(true)]), &number(2));
        assert_eq!(table.get(&[number(1), Value::Bool(false)]), &number(7));
        assert_eq!(model.functions().count(), 1);
    }
}
