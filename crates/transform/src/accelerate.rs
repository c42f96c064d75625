//! Shortcuts for loops whose effect is known in closed form.
//!
//! A clause `p(x̄) ∧ φ → p(x̄')` whose relation has an exact closure gets a second one, `p(x̄) ∧ φⁿ → p(x̄')`, with the number of
//! iterations `n ≥ 1` as a variable. It is implied by the first, so models of the new clauses are models of the old ones and the
//! other way round. A step of a shortcut is `n` steps of the clause, with the values that its update computes, folded if their
//! values are a progression; a refutation with too many others is given up.
//!
//! Only deterministic loops in which something grows or shrinks get a shortcut: others gain nothing, or their steps would have
//! to be searched for.
//!
//! Source: [HIKKR12] §3 (static acceleration); [FL02].
//! DIVERGENCE [HIKKR12]: loops are kept beside their closure, so that one iteration needs no arithmetic on counts.

use shofar_accelerate::{Relation, exact};
use shofar_base::{GaveUp, IndexVec, Outcome};
use shofar_chc::{
    BackTranslation, ChcSystem, Clause, ClauseId, Derivation, DerivationStep, Hint, Interpretation,
    Repeat, Translated, interpolate,
};
use shofar_num::Rational;
use shofar_term::eval::{Evaluator, Model, NoValue, Value};
use shofar_term::size::dag_size;
use shofar_term::{Cx, Sort, Symbol, Term, TermStore};

use crate::Pass;
use crate::back::unchanged;
use crate::normalize::on_normal;
use crate::stepwise::{Made, StepWise, translate};

/// Shortcuts with larger constraints are not made.
const LARGEST: usize = 300;
/// So many steps of a loop are written down one by one.
const LONGEST: usize = 200_000;
/// Fewer iterations are not folded.
const FOLDED: i64 = 4;
/// After so many iterations that are no progression none is expected any more.
const LATEST: usize = 4;

/// Adds shortcuts for loops; see the module documentation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Accelerate;

impl Pass for Accelerate {
    fn name(&self) -> &'static str {
        "accelerate"
    }
    fn apply(
        &self,
        cx: &mut Cx<'_>,
        source: ChcSystem,
    ) -> Outcome<Translated<ChcSystem, ChcSystem>> {
        on_normal(cx, source, |cx, source| {
            let (mut clauses, mut origins) = (Vec::new(), IndexVec::new());
            for (id, clause) in source.clauses() {
                cx.budget.check()?;
                clauses.push(clause.clone());
                let _: ClauseId = origins.push(Origin::Same(id));
                if let Some((shortcut, iterations)) = shortcut(cx, id, clause)? {
                    clauses.push(shortcut);
                    let _: ClauseId = origins.push(Origin::Shortcut(iterations));
                }
            }
            if clauses.len() == source.clause_count() {
                return Ok(unchanged(source.into_clauses()));
            }
            let source = source.into_clauses();
            let target = source.with_clauses(clauses);
            Ok((target, Box::new(Back { source, origins })))
        })
    }
}

/// Where a clause comes from.
enum Origin {
    /// It is this one.
    Same(ClauseId),
    /// It is the closure of one.
    Shortcut(Iterations),
}

/// How a loop is repeated.
struct Iterations {
    clause: ClauseId,
    /// The variables before and after an iteration.
    pairs: Vec<(Symbol, Symbol)>,
    /// The values after an iteration, over the variables before it.
    updates: Vec<Term>,
    /// How often it is taken.
    count: Symbol,
}

/// The shortcut of a clause, if it is a loop that has one.
fn shortcut(
    cx: &mut Cx<'_>,
    id: ClauseId,
    clause: &Clause,
) -> Outcome<Option<(Clause, Iterations)>> {
    let (Some(head), [body]) = (&clause.head, &clause.body[..]) else { return Ok(None) };
    if head.pred != body.pred {
        return Ok(None);
    }
    let symbol = |term: &Term| cx.store.symbol(*term).expect("arguments are variables");
    let pairs: Vec<(Symbol, Symbol)> =
        body.args.iter().map(symbol).zip(head.args.iter().map(symbol)).collect();
    let Some(relation) = Relation::new(cx.store, &pairs, &[clause.constraint]) else {
        return Ok(None);
    };
    let Some(closure) = exact(cx, &relation)? else { return Ok(None) };
    let Some(progress) = closure.progress() else { return Ok(None) };
    if progress.increments.iter().all(Rational::is_zero) {
        return Ok(None);
    }
    let count = cx.store.fresh("n", Sort::INT);
    let times = cx.store.constant(count);
    let constraint = closure.formula(cx.store, times);
    if dag_size(cx.store, &[constraint]) > LARGEST {
        return Ok(None);
    }
    let iterations = Iterations { clause: id, pairs, updates: progress.updates, count };
    Ok(Some((Clause { constraint, ..clause.clone() }, iterations)))
}

/// The way back.
struct Back {
    source: ChcSystem,
    origins: IndexVec<ClauseId, Origin>,
}

impl BackTranslation<ChcSystem, ChcSystem> for Back {
    fn hints(&self, _: &mut TermStore, hints: Vec<Hint>) -> Vec<Hint> {
        hints
    }
    fn model(&self, _: &mut Cx<'_>, model: Interpretation) -> Outcome<Interpretation> {
        Ok(model)
    }
    fn refutation(&self, cx: &mut Cx<'_>, refutation: Derivation) -> Outcome<Derivation> {
        translate(cx, self, refutation)
    }
}

impl StepWise for Back {
    fn source(&self) -> &ChcSystem {
        &self.source
    }
    fn step(
        &self,
        cx: &mut Cx<'_>,
        made: &mut Made,
        step: DerivationStep,
        premises: Vec<usize>,
    ) -> Outcome<()> {
        match &self.origins[step.clause] {
            Origin::Same(clause) => {
                made.derivation.steps.push(DerivationStep { clause: *clause, premises, ..step });
                Ok(())
            }
            Origin::Shortcut(iterations) => {
                iterations.expand(cx.store, &step.assignment, premises, &mut made.derivation)
            }
        }
    }
}

impl Iterations {
    /// Appends the iterations that a step of the shortcut stands for; as soon as they are a progression, they are folded.
    fn expand(
        &self,
        store: &TermStore,
        values: &Model,
        mut premises: Vec<usize>,
        result: &mut Derivation,
    ) -> Outcome<()> {
        let count = values.get_or_default(store, self.count);
        let mut count = count.as_number().cloned().unwrap_or_default();
        let mut state: Vec<Value> =
            self.pairs.iter().map(|&(pre, _)| values.get_or_default(store, pre)).collect();
        let mut written = 0;
        while count.is_positive() {
            let next = self.next(store, &state)?;
            if count >= Rational::from(FOLDED)
                && written < LATEST
                && let Some([from, to]) = self.last_iteration(store, &state, &next, &count)?
            {
                let start = result.steps.len();
                result.repeats.push(Repeat { start, length: 1, count });
                result.steps.push(self.iteration(&state, &next, premises));
                result.steps.push(self.iteration(&from, &to, vec![start]));
                return Ok(());
            }
            if written > LONGEST {
                let why = "a loop is repeated too often to write its steps down";
                return Err(GaveUp::incomplete(why));
            }
            let step = self.iteration(&state, &next, premises);
            premises = vec![result.steps.len()];
            result.steps.push(step);
            (state, written) = (next, written + 1);
            count -= Rational::ONE;
        }
        Ok(())
    }
    /// One iteration between these states.
    fn iteration(&self, from: &[Value], to: &[Value], premises: Vec<usize>) -> DerivationStep {
        let mut assignment = Model::with_capacity(2 * self.pairs.len());
        for ((&(pre, post), from), to) in self.pairs.iter().zip(from).zip(to) {
            assignment.set(pre, from.clone());
            assignment.set(post, to.clone());
        }
        DerivationStep { clause: self.clause, assignment, premises }
    }
    /// The states around the last of `count` iterations, if `state` and those behind it are a progression.
    fn last_iteration(
        &self,
        store: &TermStore,
        state: &[Value],
        next: &[Value],
        count: &Rational,
    ) -> Outcome<Option<[Vec<Value>; 2]>> {
        let after = |k: &Rational| -> Option<Vec<Value>> {
            let two = Rational::from(2);
            state.iter().zip(next).map(|(a, b)| interpolate(a, b, k, &two)).collect()
        };
        let second = self.next(store, next)?;
        let (Some(third), Some(from), Some(to)) =
            (after(&Rational::from(2)), after(&(count - &Rational::ONE)), after(count))
        else {
            return Ok(None);
        };
        Ok((third == second && self.next(store, &from)? == to).then_some([from, to]))
    }
    /// The state after `state`.
    fn next(&self, store: &TermStore, state: &[Value]) -> Result<Vec<Value>, NoValue> {
        let mut model = Model::with_capacity(state.len());
        for (&(pre, _), value) in self.pairs.iter().zip(state) {
            model.set(pre, value.clone());
        }
        let mut evaluator = Evaluator::with_defaults(&model);
        self.updates.iter().map(|&update| evaluator.evaluate(store, update)).collect()
    }
}
