//! Shortcuts for loops whose effect is known in closed form.
//!
//! A clause `p(x̄) ∧ φ → p(x̄')` whose relation has an exact closure gets a second one, `p(x̄) ∧ φⁿ → p(x̄')`, with the number of
//! iterations `n ≥ 1` as a variable. It is implied by the first, so models of the new clauses are models of the old ones and the
//! other way round. A step of a shortcut is `n` steps of the clause, with the values that its update computes; a refutation
//! with too many of them is given up.
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
    Translated,
};
use shofar_num::Rational;
use shofar_term::eval::{Evaluator, Model, NoValue, Value};
use shofar_term::size::dag_size;
use shofar_term::{Cx, Sort, Symbol, Term, TermStore};

use crate::Pass;
use crate::back::unchanged;
use crate::normalize::on_normal;

/// Shortcuts with larger constraints are not made.
const LARGEST: usize = 300;
/// So many steps a refutation may have because of shortcuts.
const LONGEST: usize = 200_000;

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
            let target = source.into_clauses().with_clauses(clauses);
            Ok((target, Box::new(Back { origins })))
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
        let mut result = Derivation::default();
        let mut last_of: Vec<usize> = Vec::with_capacity(refutation.steps.len());
        for step in refutation.steps {
            cx.budget.check()?;
            let premises: Vec<usize> = step.premises.iter().map(|&at| last_of[at]).collect();
            match &self.origins[step.clause] {
                Origin::Same(clause) => {
                    result.steps.push(DerivationStep { clause: *clause, premises, ..step });
                }
                Origin::Shortcut(iterations) => {
                    iterations.expand(cx.store, &step.assignment, premises, &mut result)?;
                }
            }
            last_of.push(result.steps.len() - 1);
        }
        Ok(result)
    }
}

impl Iterations {
    /// Appends the iterations that a step of the shortcut stands for.
    fn expand(
        &self,
        store: &TermStore,
        values: &Model,
        mut premises: Vec<usize>,
        result: &mut Derivation,
    ) -> Outcome<()> {
        let count = values.get_or_default(store, self.count);
        let count = count.as_number().and_then(|n| usize::try_from(n.to_i64()?).ok());
        let count = count.filter(|n| result.steps.len() + n <= LONGEST).ok_or_else(|| {
            GaveUp::incomplete("a loop is repeated too often to write its steps down")
        })?;
        let mut state: Vec<Value> =
            self.pairs.iter().map(|&(pre, _)| values.get_or_default(store, pre)).collect();
        for _ in 0..count {
            let next = self.next(store, &state)?;
            let mut assignment = Model::with_capacity(2 * self.pairs.len());
            for ((&(pre, post), before), after) in self.pairs.iter().zip(state).zip(&next) {
                assignment.set(pre, before);
                assignment.set(post, after.clone());
            }
            let step = DerivationStep { clause: self.clause, assignment, premises };
            premises = vec![result.steps.len()];
            result.steps.push(step);
            state = next;
        }
        Ok(())
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
