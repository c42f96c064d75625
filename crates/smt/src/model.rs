//! Reading a model off the solvers after a satisfiable check.

use shofar_num::Rational;
use shofar_term::eval::{Evaluator, Model, Value};
use shofar_term::{Symbol, TermStore};
use shofar_theory::{SharedValues, Theory};

use crate::Solver;

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
        self.theories.complete(store, &mut SharedValues::default(), &mut assignment);
        assignment
    }
    /// Whether every live formula and assumption is true under `assignment`, which gives integers to integers.
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
