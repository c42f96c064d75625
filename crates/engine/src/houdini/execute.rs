//! Linear clauses executed by evaluation.
//!
//! What a clause leaves open is chosen at random, from small numbers and those of the clauses. So
//! long paths cost next to nothing, and go through the phases of a loop that begin late.

use shofar_base::{Outcome, Rng};
use shofar_chc::{DerivationStep, PredId};
use shofar_num::Rational;
use shofar_term::eval::{Evaluator, Model, Value};
use shofar_term::{Cx, Sort, Symbol, TermStore};

use super::points::Explorer;
use crate::rule::Rule;

/// So many of a hundred paths begin at the newest point.
const CONTINUED: u64 = 70;
/// How often the open variables of a clause are chosen before it counts as one that does not apply.
const CHOICES: usize = 3;

impl Explorer<'_> {
    /// Executes so many steps, on one path for each predicate; the step that derives `false`, if
    /// one does.
    pub(super) fn execute(
        &mut self,
        cx: &mut Cx<'_>,
        rng: &mut Rng,
        length: usize,
    ) -> Outcome<Option<usize>> {
        let preds: Vec<PredId> = self.system.preds().collect();
        for &pred in &preds {
            let last = self.path(cx, rng, pred, length / preds.len())?;
            if last.is_some() {
                return Ok(last);
            }
        }
        Ok(None)
    }
    /// A path from a point of `pred`.
    fn path(
        &mut self,
        cx: &mut Cx<'_>,
        rng: &mut Rng,
        mut pred: PredId,
        length: usize,
    ) -> Outcome<Option<usize>> {
        let points = &self.points[pred];
        if points.is_empty() {
            return Ok(None);
        }
        let at = if rng.chance(CONTINUED) { points.len() - 1 } else { rng.below(points.len()) };
        let (mut values, mut premise) = (points[at].values.clone(), points[at].step);
        for _ in 0..length {
            cx.budget.check()?;
            if self.is_exhausted() {
                break;
            }
            let before = self.count_of_steps();
            let Some(step) = self.successor(cx.store, rng, pred, &values, premise)? else { break };
            if let Some(last) = self.conclude(cx.store, step)? {
                return Ok(Some(last));
            }
            // A point that was there before has been continued.
            let Some((next, point)) = self.newest(before) else { break };
            (pred, values, premise) = (next, point, before);
        }
        Ok(None)
    }
    /// A step from a point; one that derives `false` if there is any.
    fn successor(
        &self,
        store: &TermStore,
        rng: &mut Rng,
        pred: PredId,
        values: &[Value],
        premise: usize,
    ) -> Outcome<Option<DerivationStep>> {
        let (queries, mut others): (Vec<&Rule>, Vec<&Rule>) =
            self.rules[pred].iter().partition(|rule| rule.head.is_none());
        let first = if others.is_empty() { 0 } else { rng.below(others.len()) };
        others.rotate_left(first);
        for rule in queries.into_iter().chain(others) {
            let choices = if rule.locals.is_empty() { 1 } else { CHOICES };
            for _ in 0..choices {
                let known = self.chosen(store, rng, rule, values);
                if Evaluator::with_defaults(&known).holds(store, rule.guard) == Ok(true) {
                    let assignment = rule.solved(store, &known)?;
                    let premises = vec![premise];
                    return Ok(Some(DerivationStep { clause: rule.clause, assignment, premises }));
                }
            }
        }
        Ok(None)
    }
    /// Values for the formals and locals of a rule.
    fn chosen(&self, store: &TermStore, rng: &mut Rng, rule: &Rule, values: &[Value]) -> Model {
        let mut known = Model::new();
        let formals = rule.body.iter().flat_map(|premise| &premise.formals);
        for (&formal, value) in formals.zip(values) {
            known.set(formal, value.clone());
        }
        for &local in &rule.locals {
            if let Some(value) = self.any_value(store, rng, local) {
                known.set(local, value);
            }
        }
        known
    }
    /// A value of the sort of a symbol; nothing if there is a default only.
    fn any_value(&self, store: &TermStore, rng: &mut Rng, symbol: Symbol) -> Option<Value> {
        let sort = store.result(symbol);
        if sort == Sort::BOOL {
            return Some(Value::Bool(rng.chance(50)));
        }
        if !sort.is_arithmetic() {
            return None;
        }
        let number = if rng.chance(50) {
            Rational::from(rng.range(-3, 3))
        } else {
            rng.pick(&self.numbers).clone()
        };
        Some(Value::Number(if sort.is_int() { number.floor() } else { number }))
    }
}
