//! Facts that have been derived, and how.
//!
//! Every fact has one step; premises come before conclusions. A derivation from facts about leaves
//! of a fragment is joined with those of these facts, so a fact that many need is derived once.
//!
//! Source: [KGC16] (reachable facts of predicates).

use std::collections::BTreeMap;

use shofar_chc::{Derivation, DerivationStep, PredId};
use shofar_term::Value;

use super::fragment::Fragment;

/// A predicate with values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fact {
    pub(super) pred: PredId,
    pub(super) values: Vec<Value>,
}

impl Fact {
    /// Whether all values are numbers or truth values.
    pub(super) fn is_scalar(&self) -> bool {
        self.values.iter().all(|value| matches!(value, Value::Bool(_) | Value::Number(_)))
    }
}

/// See the module documentation.
#[derive(Default)]
pub(super) struct Facts {
    steps: Vec<DerivationStep>,
    step_of: BTreeMap<Fact, usize>,
}

impl Facts {
    /// Whether somebody has derived this.
    pub(super) fn is_known(&self, fact: &Fact) -> bool {
        self.step_of.contains_key(fact)
    }
    /// Joins a derivation, whose leaves are known, with theirs.
    pub(super) fn record(&mut self, fragment: &Fragment, derivation: &Derivation) {
        let mut place: Vec<usize> = Vec::with_capacity(derivation.steps.len());
        for step in &derivation.steps {
            if let Some(leaf) = fragment.leaf_of(step.clause) {
                place.push(self.step_of[&fragment.fact(leaf, &step.assignment)]);
                continue;
            }
            // The clause about the goal of the fragment derives nothing new.
            let Some(instance) = &fragment.copies.instance_of[step.clause] else { continue };
            let premises = step.premises.iter().map(|&premise| place[premise]).collect();
            let assignment = instance.values(&step.assignment);
            let clause = instance.clause;
            let at = self.steps.len();
            self.steps.push(DerivationStep { clause, assignment, premises });
            if let Some(head) = fragment.copies.form.clause(step.clause).head {
                self.step_of.entry(fragment.fact(head, &step.assignment)).or_insert(at);
            }
            place.push(at);
        }
    }
    /// The derivation that ends with the last step, without steps that it does not need.
    pub(super) fn into_derivation(self) -> Derivation {
        let mut needed = vec![false; self.steps.len()];
        if let Some(last) = needed.last_mut() {
            *last = true;
        }
        for at in (0..self.steps.len()).rev() {
            if needed[at] {
                for &premise in &self.steps[at].premises {
                    needed[premise] = true;
                }
            }
        }
        let mut place = vec![0; self.steps.len()];
        let mut steps = Vec::new();
        for (at, mut step) in self.steps.into_iter().enumerate() {
            if needed[at] {
                for premise in &mut step.premises {
                    *premise = place[*premise];
                }
                place[at] = steps.len();
                steps.push(step);
            }
        }
        Derivation::ground(steps)
    }
}
