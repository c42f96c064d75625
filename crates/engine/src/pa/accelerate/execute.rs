//! Meta-traces with a model, executed step by step.
//!
//! The model says with which values clauses are taken outside of loops, and how often each loop is
//! taken. Within a loop, states are computed from those before. Where clauses have variables of
//! their own, or premises beside the path, these are looked for with the states before and after
//! the iteration given.
//!
//! Invariant: a derivation is returned only if every guard was evaluated to true, and every step
//! begins where the one before ended. So nothing depends on the closure being right, and a scheme
//! is an error only as a whole.
//!
//! Source: [HIKKR12] §4.

use shofar_accelerate::Progress;
use shofar_base::{GaveUp, Outcome};
use shofar_chc::{Derivation, DerivationStep};
use shofar_smt::{Answer, Options, Solver};
use shofar_term::eval::{Evaluator, Model, NoValue, Value};
use shofar_term::{Cx, Symbol, Term, TermStore};

use super::meta::{By, MetaTrace};
use super::trace::{Said, Trace};

/// Longer derivations are not written down.
const LONGEST: usize = 200_000;
/// Values are looked for in so many iterations at most.
const MOST_SEARCHES: usize = 2_000;

/// The derivation of a meta-trace whose moves have the values of `model`; nothing if it cannot be
/// executed.
pub(super) fn execute(
    cx: &mut Cx<'_>,
    trace: &Trace<'_, '_>,
    meta: &MetaTrace,
    model: &Model,
) -> Outcome<Option<Derivation>> {
    let mut run = Execution { trace, derivation: Derivation::default(), last: None };
    for step in &meta.moves {
        let goes_on = match &step.by {
            By::Step(at, said) => run.take(cx.store, *at, said, model)?,
            By::Cycle { cycle, count, progress } => {
                let count = model.get_or_default(cx.store, *count);
                let count = count.as_number().and_then(|n| usize::try_from(n.to_i64()?).ok());
                match count {
                    Some(count) => run.repeat(cx, *cycle, count, progress.as_ref())?,
                    None => false,
                }
            }
        };
        if !goes_on {
            return Ok(None);
        }
    }
    Ok(Some(run.derivation))
}

/// What a step derived.
#[derive(Clone)]
struct Fact {
    step: usize,
    values: Vec<Value>,
}

struct Execution<'e, 't, 'r> {
    trace: &'e Trace<'t, 'r>,
    derivation: Derivation,
    /// What the last step of the path derived.
    last: Option<Fact>,
}

impl Execution<'_, '_, '_> {
    /// Takes a cycle so many times; false if that is not possible.
    fn repeat(
        &mut self,
        cx: &mut Cx<'_>,
        cycle: usize,
        count: usize,
        progress: Option<&Progress>,
    ) -> Outcome<bool> {
        let trace = self.trace;
        let steps = &trace.cycles[cycle].steps;
        let is_determined = |&at: &usize| {
            let rule = &trace.accelerator.rules[trace.path.steps[at].clause];
            rule.locals.is_empty() && rule.body.len() == 1
        };
        let searches = !steps.iter().all(is_determined);
        let most = if searches { MOST_SEARCHES } else { LONGEST / steps.len() };
        if count > most {
            return Ok(false);
        }
        for _ in 0..count {
            cx.budget.check()?;
            let goes_on = match progress {
                Some(progress) if searches => self.search(cx, cycle, progress)?,
                None if searches => false,
                Some(_) | None => self.iterate(cx.store, steps)?,
            };
            if !goes_on {
                return Ok(false);
            }
        }
        Ok(true)
    }
    /// Takes the steps of a cycle, which determine everything.
    fn iterate(&mut self, store: &mut TermStore, steps: &[usize]) -> Outcome<bool> {
        for &at in steps {
            if !self.apply(store, at, &[], Vec::new())? {
                return Ok(false);
            }
        }
        Ok(true)
    }
    /// Takes the steps of a cycle to the state that `progress` tells, with values that are looked
    /// for.
    fn search(&mut self, cx: &mut Cx<'_>, cycle: usize, progress: &Progress) -> Outcome<bool> {
        let Some(Fact { values, .. }) = &self.last else { return Ok(false) };
        let cycle = &self.trace.cycles[cycle];
        let next = next_state(cx.store, &cycle.pre, values, progress)?;
        let mut args = value_terms(cx.store, &cycle.pre, values);
        let (mut solver, mut said) = (Solver::new(Options::default()), Vec::new());
        for &at in &cycle.steps {
            let step = self.trace.say(cx.store, at, &args);
            solver.add(cx.store, step.formula);
            args.clone_from(&step.head);
            said.push(step);
        }
        let next = value_terms(cx.store, &cycle.pre, &next);
        for (value, arg) in next.into_iter().zip(args) {
            let same = cx.store.eq(value, arg);
            solver.add(cx.store, same);
        }
        let model = match solver.check(cx) {
            Ok(Answer::Sat(model)) => model.assignment(cx.store),
            Ok(Answer::Unsat(_)) | Err(GaveUp::Incomplete(_)) => return Ok(false),
            Err(why) => return Err(why),
        };
        for (&at, said) in cycle.steps.iter().zip(&said) {
            if !self.take(cx.store, at, said, &model)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
    /// Takes step number `at` as it is said, with the values of `model`; false if that is not
    /// possible.
    fn take(
        &mut self,
        store: &mut TermStore,
        at: usize,
        said: &Said,
        model: &Model,
    ) -> Outcome<bool> {
        let rules = self.trace.accelerator.rules;
        let mut sides = Vec::new();
        for side in &said.sides {
            let below = side.unwound.derivation(store, rules, &side.tree, model)?;
            let mut evaluator = Evaluator::with_defaults(model);
            let values = &side.unwound.copies[0].values;
            let values: Result<Vec<Value>, NoValue> =
                values.iter().map(|&value| evaluator.evaluate(store, value)).collect();
            let offset = self.derivation.steps.len();
            for mut step in below.steps {
                step.premises.iter_mut().for_each(|premise| *premise += offset);
                self.derivation.steps.push(step);
            }
            sides.push(Fact { step: self.derivation.steps.len() - 1, values: values? });
        }
        let mut evaluator = Evaluator::with_defaults(model);
        let locals: Result<Vec<Value>, NoValue> =
            said.locals.iter().map(|&local| evaluator.evaluate(store, local)).collect();
        self.apply(store, at, &locals?, sides)
    }
    /// Takes step number `at` with these values for its locals and these facts beside the path;
    /// false if its guard does not hold, or if a premise is missing.
    fn apply(
        &mut self,
        store: &mut TermStore,
        at: usize,
        locals: &[Value],
        sides: Vec<Fact>,
    ) -> Outcome<bool> {
        let step = self.trace.path.steps[at];
        let rule = &self.trace.accelerator.rules[step.clause];
        let mut facts = sides;
        if let Some(fact) = self.last.take() {
            facts.insert(step.premise.min(facts.len()), fact);
        }
        if facts.len() != rule.body.len() {
            return Ok(false);
        }
        let mut known = Model::new();
        for (premise, fact) in rule.body.iter().zip(&facts) {
            for (&formal, value) in premise.formals.iter().zip(&fact.values) {
                known.set(formal, value.clone());
            }
        }
        for (&local, value) in rule.locals.iter().zip(locals) {
            known.set(local, value.clone());
        }
        let mut evaluator = Evaluator::with_defaults(&known);
        if !evaluator.holds(store, rule.guard)? {
            return Ok(false);
        }
        let head: &[Term] = rule.head.as_ref().map_or(&[], |(_, args)| args);
        let values: Result<Vec<Value>, NoValue> =
            head.iter().map(|&arg| evaluator.evaluate(store, arg)).collect();
        self.last = Some(Fact { step: self.derivation.steps.len(), values: values? });
        let assignment = rule.solved(store, &known)?;
        let premises = facts.iter().map(|fact| fact.step).collect();
        self.derivation.steps.push(DerivationStep { clause: rule.clause, assignment, premises });
        Ok(true)
    }
}

/// The state behind an iteration that starts with `values`.
fn next_state(
    store: &TermStore,
    pre: &[Symbol],
    values: &[Value],
    progress: &Progress,
) -> Result<Vec<Value>, NoValue> {
    let mut model = Model::with_capacity(pre.len());
    for (&symbol, value) in pre.iter().zip(values) {
        model.set(symbol, value.clone());
    }
    let mut evaluator = Evaluator::with_defaults(&model);
    progress.updates.iter().map(|&update| evaluator.evaluate(store, update)).collect()
}

/// Values as terms, of the sorts of these constants.
pub(super) fn value_terms(store: &mut TermStore, of: &[Symbol], values: &[Value]) -> Vec<Term> {
    let term = |(&symbol, value): (&Symbol, &Value)| {
        let sort = store.result(symbol);
        store.value_term(value, sort)
    };
    of.iter().zip(values).map(term).collect()
}
