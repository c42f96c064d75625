//! The way back from leaves: models speak of fields and tags instead, refutations get values put together.

use shofar_base::{GaveUp, Map, Outcome};
use shofar_chc::{
    BackTranslation, ChcSystem, Definition, Derivation, DerivationStep, Exactness, Interpretation,
    PredId, formal_params,
};
use shofar_term::eval::{Evaluator, Model, Value};
use shofar_term::{Cx, Symbol, TermStore};

use super::layout::Layout;

/// The way back.
pub(super) struct FromLeaves {
    /// What the pass was given.
    pub(super) source: ChcSystem,
    pub(super) layout: Layout,
    /// The leaves of the variables that have several, or none.
    pub(super) variables: Map<Symbol, Vec<Symbol>>,
    pub(super) exactness: Exactness,
}

impl BackTranslation<ChcSystem, ChcSystem> for FromLeaves {
    fn exactness(&self) -> Exactness {
        self.exactness
    }
    fn model(&self, cx: &mut Cx<'_>, model: Interpretation) -> Outcome<Interpretation> {
        let mut result = Interpretation::new();
        for pred in self.source.preds() {
            cx.budget.check()?;
            let flat = model.get(pred).ok_or(GaveUp::wrong("the model lacks a predicate"))?;
            let params = formal_params(cx.store, &self.source, pred);
            let body = self.layout.say(cx.store, flat.body, &flat.params, &params)?;
            result.define(pred, Definition { params, body });
        }
        Ok(result)
    }
    fn refutation(&self, cx: &mut Cx<'_>, refutation: Derivation) -> Outcome<Derivation> {
        let mut result = Derivation::default();
        let mut facts: Vec<Option<Fact>> = Vec::with_capacity(refutation.steps.len());
        for step in refutation.steps {
            cx.budget.check()?;
            let made = self.step(cx.store, step, &facts);
            let (step, fact) =
                made.ok_or(GaveUp::incomplete("a step has no counterpart with data types"))?;
            facts.push(fact);
            result.steps.push(step);
        }
        Ok(result)
    }
}

/// What a step derives.
type Fact = (PredId, Vec<Value>);

impl FromLeaves {
    /// The step with values of the source, and what it derives; nothing if it is no step of the source.
    fn step(
        &self,
        store: &TermStore,
        step: DerivationStep,
        facts: &[Option<Fact>],
    ) -> Option<(DerivationStep, Option<Fact>)> {
        let clause = self.source.clause(step.clause);
        let mut assignment = Model::new();
        for variable in clause.variables(store) {
            assignment.set(variable, self.value(store, variable, &step.assignment)?);
        }
        let mut evaluator = Evaluator::with_defaults(&assignment);
        if evaluator.holds(store, clause.constraint) != Ok(true) {
            return None;
        }
        let mut ground = |args: &[shofar_term::Term]| -> Option<Vec<Value>> {
            args.iter().map(|&arg| evaluator.evaluate(store, arg).ok()).collect()
        };
        for (atom, &premise) in clause.body.iter().zip(&step.premises) {
            let (pred, values) = facts.get(premise)?.as_ref()?;
            if *pred != atom.pred || ground(&atom.args)? != *values {
                return None;
            }
        }
        let fact = match &clause.head {
            Some(head) => Some((head.pred, ground(&head.args)?)),
            None => None,
        };
        Some((DerivationStep { assignment, ..step }, fact))
    }
    /// The value of a variable of the source.
    fn value(&self, store: &TermStore, variable: Symbol, flat: &Model) -> Option<Value> {
        let Some(leaves) = self.variables.get(&variable) else {
            return Some(flat.get_or_default(store, variable));
        };
        let values: Vec<Value> =
            leaves.iter().map(|&leaf| flat.get_or_default(store, leaf)).collect();
        let values: Vec<&Value> = values.iter().collect();
        self.layout.value(store, store.result(variable), &values)
    }
}
