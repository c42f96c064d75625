//! Reading a model off the solvers after a satisfiable check.

use shofar_base::Map;
use shofar_num::{Bits, Rational, power_of_two};
use shofar_term::eval::{Evaluator, FunctionTable, Model, Value};
use shofar_term::symbols::free_symbols;
use shofar_term::{Symbol, Term, TermStore};
use shofar_theory::{SharedValues, Theory};

use crate::{Solver, bits};

impl Solver {
    /// The values of all symbols the solvers know about; the others may have any value.
    pub(crate) fn assignment(&self, store: &TermStore) -> Model {
        let mut assignment = Model::default();
        for (var, term) in self.known.terms() {
            if let Some(symbol) = store.symbol(term)
                && store.sort(term).is_bool()
                && let Some(value) = self.sat.value(var.positive())
            {
                assignment.set(symbol, Value::Bool(value));
            }
        }
        if self.known.has_bits {
            self.set_vectors(store, &mut assignment);
        }
        self.theories.complete(store, &mut SharedValues::default(), &mut assignment);
        if self.known.has_bits && self.theories.needs_refinement() {
            self.set_idle(store, &mut assignment);
        }
        assignment
    }
    /// Gives defaults to functions and selectors that no theory has heard of: circuits may be
    /// simpler than the terms that they are made of, so whatever these are applied to does not
    /// matter.
    fn set_idle(&self, store: &TermStore, assignment: &mut Model) {
        let roots: Vec<Term> = self.formulas().map(|(_, formula)| formula).collect();
        let assumed = self.assumed.iter().map(|&(formula, _)| formula);
        for symbol in free_symbols(store, &roots.into_iter().chain(assumed).collect::<Vec<_>>()) {
            if !store.params(symbol).is_empty() && assignment.function(symbol).is_none() {
                let default = Value::default_of(store, store.result(symbol));
                assignment.set_function(symbol, FunctionTable::constant(default));
            }
        }
        let constructors = store.data_types().filter_map(|sort| store.constructors(sort));
        for &constructor in constructors.flatten() {
            for &field in store.constructor_fields(constructor) {
                if assignment.selector(field).is_none() {
                    let default = Value::default_of(store, store.field_sort(field));
                    assignment.set_selector(field, FunctionTable::constant(default));
                }
            }
        }
    }
    /// Gives every variable that is a vector the bits that are known; the others are zero.
    fn set_vectors(&self, store: &TermStore, assignment: &mut Model) {
        let mut numbers: Map<Symbol, Rational> = Map::default();
        for (var, term) in self.known.terms() {
            if let Some((vector, at)) = bits::as_bit(store, term)
                && let Some(symbol) = store.symbol(vector)
                && self.sat.value(var.positive()) == Some(true)
            {
                *numbers.entry(symbol).or_default() += power_of_two(at);
            }
        }
        for (symbol, number) in numbers.into_sorted() {
            let width = store.bits_width(store.result(symbol)).expect("it is a vector");
            assignment.set(symbol, Value::bits(Bits::new(width, &number)));
        }
    }
    /// Whether every live formula and assumption is true under `assignment`, which gives integers
    /// to integers.
    pub(crate) fn is_model(&self, store: &TermStore, assignment: &Model) -> bool {
        let is_whole = |(symbol, value): &(Symbol, &Value)| {
            !store.result(*symbol).is_int() || value.as_number().is_some_and(Rational::is_integer)
        };
        if !assignment.entries().iter().all(is_whole) {
            return false;
        }
        let mut evaluator = Evaluator::with_defaults(assignment);
        let formulas =
            self.parts.iter().map(|p| p.formula).chain(self.assumed.iter().map(|&(t, _)| t));
        formulas.into_iter().all(|t| evaluator.holds(store, t) == Ok(true))
    }
}
