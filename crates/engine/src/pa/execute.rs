//! Meta-traces with a model, executed step by step.
//!
//! The model says with which values clauses are taken outside of loops, and how often each loop is taken. Within a loop, values are
//! computed from those before; so its clauses must determine everything.
//!
//! Invariant: a derivation is returned only if every guard was evaluated to true, and every step begins where the one before
//! ended. So nothing depends on the closure being right.
//!
//! Source: [HIKKR12] §4.

use shofar_chc::{Derivation, DerivationStep};
use shofar_term::eval::{Evaluator, Model, NoValue, Value};
use shofar_term::{Term, TermStore};

use super::accelerate::{By, MetaTrace};
use super::scheme::Step;
use crate::rule::Rule;

/// Longer derivations are not written down.
const LONGEST: usize = 200_000;

/// The derivation of a meta-trace whose moves have the values of `found`; nothing if it cannot be executed.
pub(super) fn execute(
    store: &mut TermStore,
    rules: &[Rule],
    meta: &MetaTrace,
    found: &Derivation,
) -> Result<Option<Derivation>, NoValue> {
    let mut model = Model::new();
    for step in &found.steps {
        for (symbol, value) in step.assignment.entries() {
            model.set(symbol, value.clone());
        }
    }
    let mut run = Execution { rules, derivation: Derivation::default(), state: None };
    for step in &meta.moves {
        let goes_on = match &step.by {
            By::Clause(step, locals) => {
                let mut evaluator = Evaluator::with_defaults(&model);
                let values: Result<Vec<Value>, NoValue> =
                    locals.iter().map(|&local| evaluator.evaluate(store, local)).collect();
                run.take(store, *step, values?)?
            }
            By::Cycle(word, count) => {
                let count = model.get_or_default(store, *count);
                let count = count.as_number().and_then(|n| usize::try_from(n.to_i64()?).ok());
                run.repeat(store, word, count)?
            }
        };
        if !goes_on {
            return Ok(None);
        }
    }
    Ok(Some(run.derivation))
}

struct Execution<'r> {
    rules: &'r [Rule],
    derivation: Derivation,
    /// The arguments that the last step derived.
    state: Option<Vec<Value>>,
}

impl Execution<'_> {
    /// Takes a cycle so many times; false if that is not possible.
    fn repeat(
        &mut self,
        store: &mut TermStore,
        word: &[Step],
        count: Option<usize>,
    ) -> Result<bool, NoValue> {
        let is_determined = |step: &Step| self.rules[step.clause].locals.is_empty();
        let Some(count) = count.filter(|n| n * word.len() <= LONGEST) else { return Ok(false) };
        if count > 0 && !word.iter().all(is_determined) {
            return Ok(false);
        }
        for &step in (0..count).flat_map(|_| word) {
            if !self.take(store, step, Vec::new())? {
                return Ok(false);
            }
        }
        Ok(true)
    }
    /// Takes a clause with these values for its locals; false if its guard does not hold, or if it has other premises.
    fn take(
        &mut self,
        store: &mut TermStore,
        step: Step,
        locals: Vec<Value>,
    ) -> Result<bool, NoValue> {
        let rule = &self.rules[step.clause];
        let mut known = Model::new();
        let state = self.state.take();
        match (&rule.body[..], &state) {
            ([], None) => (),
            ([premise], Some(values)) => {
                for (&formal, value) in premise.formals.iter().zip(values) {
                    known.set(formal, value.clone());
                }
            }
            _ => return Ok(false),
        }
        for (&local, value) in rule.locals.iter().zip(locals) {
            known.set(local, value);
        }
        let mut evaluator = Evaluator::with_defaults(&known);
        if !evaluator.holds(store, rule.guard)? {
            return Ok(false);
        }
        let head: &[Term] = rule.head.as_ref().map_or(&[], |(_, args)| args);
        let values: Result<Vec<Value>, NoValue> =
            head.iter().map(|&arg| evaluator.evaluate(store, arg)).collect();
        self.state = Some(values?);
        let assignment = rule.solved(store, &known)?;
        let premises: Vec<usize> = self.derivation.steps.len().checked_sub(1).into_iter().collect();
        self.derivation.steps.push(DerivationStep { clause: rule.clause, assignment, premises });
        Ok(true)
    }
}
