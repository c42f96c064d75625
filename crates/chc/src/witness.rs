//! Evidence about clauses.
//!
//! A model gives each predicate a definition: a quantifier-free formula, or one behind a block of
//! universal quantifiers, whose variables are symbols that nobody else uses. A refutation is a list
//! of ground steps: each names the clause it instantiates, the values of the clause's variables,
//! and the earlier steps that derive its body, in the order of the body; the last step instantiates
//! a query. A cycle of steps may be listed by its first and last iteration (see [`Repeat`]).

use shofar_base::Map;
use shofar_term::eval::{Evaluator, Model, NoValue, Value};
use shofar_term::substitute::substitute;
use shofar_term::{Symbol, Term, TermStore};

use crate::{ChcSystem, ClauseId, PredId, Repeat};

/// The set of tuples `params` that satisfy `body`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// Distinct constants that stand for the arguments.
    pub params: Vec<Symbol>,
    /// A formula over them: quantifier-free, or `∀` over a quantifier-free one.
    pub body: Term,
}

impl Definition {
    /// What the definition says about `args`.
    pub fn apply(&self, store: &mut TermStore, args: &[Term]) -> Term {
        let map: Map<Term, Term> =
            self.params.iter().zip(args).map(|(&p, &a)| (store.constant(p), a)).collect();
        substitute(store, &map, &[self.body])[0]
    }
}

/// A definition for every predicate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interpretation {
    definitions: Map<PredId, Definition>,
}

impl Interpretation {
    /// No definitions yet.
    pub fn new() -> Self {
        Self::default()
    }
    /// Gives `pred` its meaning.
    pub fn define(&mut self, pred: PredId, definition: Definition) {
        self.definitions.insert(pred, definition);
    }
    /// The meaning of `pred`.
    pub fn get(&self, pred: PredId) -> Option<&Definition> {
        self.definitions.get(&pred)
    }
    /// Gives `pred` the constant meaning `value`.
    pub fn define_constant(
        &mut self,
        store: &mut TermStore,
        system: &ChcSystem,
        pred: PredId,
        value: bool,
    ) {
        let params = formal_params(store, system, pred);
        let body = store.bool(value);
        self.define(pred, Definition { params, body });
    }
}

/// Parameter names for the definition of a predicate: one constant per argument, the same at every
/// call.
pub fn formal_params(store: &mut TermStore, system: &ChcSystem, pred: PredId) -> Vec<Symbol> {
    let sorts = system.sorts(store, pred).to_vec();
    sorts.iter().enumerate().map(|(i, &sort)| store.declare(&format!("x!{i}"), &[], sort)).collect()
}

/// A ground instance of a clause.
#[derive(Clone, Debug)]
pub struct DerivationStep {
    /// The clause.
    pub clause: ClauseId,
    /// The values of its variables; those not assigned are `false` or 0.
    pub assignment: Model,
    /// The steps that derive the body, in its order.
    pub premises: Vec<usize>,
}

/// A refutation; see the module documentation.
#[derive(Clone, Debug, Default)]
pub struct Derivation {
    /// The steps; premises come before their conclusions, the last step derives `false`.
    pub steps: Vec<DerivationStep>,
    /// Which of them stand for more iterations of a cycle than are listed; none in a ground
    /// derivation.
    pub repeats: Vec<Repeat>,
}

impl Derivation {
    /// What step `index` derives: a predicate with the values of its arguments, or nothing for
    /// `false`. It is an error if an argument depends on what a selector yields of a value of
    /// another constructor.
    pub fn fact(
        &self,
        store: &TermStore,
        system: &ChcSystem,
        index: usize,
    ) -> Result<Option<(PredId, Vec<Value>)>, NoValue> {
        let step = &self.steps[index];
        let Some(head) = &system.clause(step.clause).head else { return Ok(None) };
        let mut evaluator = Evaluator::with_defaults(&step.assignment);
        let values = head.args.iter().map(|&arg| evaluator.evaluate(store, arg));
        Ok(Some((head.pred, values.collect::<Result<_, _>>()?)))
    }
}
