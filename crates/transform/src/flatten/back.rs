//! The way back from leaves: models speak of fields and tags instead, refutations get values put
//! together.
//!
//! Every step of a refutation is evaluated; where one fails, because it depends on junk, on what a
//! selector says of a value that another constructor made, or on more of an array than its value
//! can say, other values are looked for.

use shofar_base::{GaveUp, Map, Outcome};
use shofar_chc::{
    BackTranslation, ChcSystem, Definition, Derivation, DerivationStep, Exactness, Interpretation,
    PredId, formal_params,
};
use shofar_term::eval::{Evaluator, Model, Value};
use shofar_term::{Cx, Symbol, Term, TermStore};

use super::layout::Layout;
use crate::replay::{Candidate, replay};
use crate::stepwise::LONGEST;

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
        let refutation = refutation.expanded(cx.store, LONGEST)?;
        let mut steps = Vec::with_capacity(refutation.steps.len());
        for DerivationStep { clause, assignment, premises } in refutation.steps {
            cx.budget.check()?;
            let mut values = Model::new();
            for variable in self.source.clause(clause).variables(cx.store) {
                if let Some(value) = self.value(cx.store, variable, &assignment) {
                    values.set(variable, value);
                }
            }
            steps.push(Candidate { clause, premises, values });
        }
        let mut facts: Vec<Derived> = Vec::with_capacity(steps.len());
        for step in &steps {
            cx.budget.check()?;
            let Some(derived) = self.derived(cx.store, step, &facts) else {
                return replay(cx, &self.source, &steps);
            };
            facts.push(derived);
        }
        Ok(Derivation::ground(steps.into_iter().map(Candidate::into_step).collect()))
    }
}

/// What a step derives.
enum Derived {
    Fact(PredId, Vec<Value>),
    Falsity,
}

impl FromLeaves {
    /// What the step derives; nothing if it is no step of the source.
    fn derived(&self, store: &TermStore, step: &Candidate, facts: &[Derived]) -> Option<Derived> {
        let clause = self.source.clause(step.clause);
        let mut evaluator = Evaluator::with_defaults(&step.values);
        if evaluator.holds(store, clause.constraint) != Ok(true) {
            return None;
        }
        let mut ground = |args: &[Term]| -> Option<Vec<Value>> {
            args.iter().map(|&arg| evaluator.evaluate(store, arg).ok()).collect()
        };
        for (atom, &premise) in clause.body.iter().zip(&step.premises) {
            let Derived::Fact(pred, values) = facts.get(premise)? else { return None };
            if *pred != atom.pred || ground(&atom.args)? != *values {
                return None;
            }
        }
        Some(match &clause.head {
            Some(head) => Derived::Fact(head.pred, ground(&head.args)?),
            None => Derived::Falsity,
        })
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
