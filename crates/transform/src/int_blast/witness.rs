//! The way back from integers to vectors.

use shofar_base::{GaveUp, IndexVec, Outcome};
use shofar_chc::{
    BackTranslation, ChcSystem, ClauseId, Definition, Derivation, DerivationStep, Exactness,
    Interpretation, PredId, formal_params,
};
use shofar_num::{Bits, Rational};
use shofar_term::eval::{Evaluator, Model, Value};
use shofar_term::{Cx, Symbol, TermStore};

use super::number::Reading;
use super::vectors::Comparisons;
use crate::complete::{Pins, complete};
use crate::replay::{Candidate, replay};
use crate::stepwise::{LONGEST, Made};
use crate::template::Template;

/// How a clause was made.
pub(super) struct Origin {
    /// Its vectors and the integers that they became.
    pub(super) variables: Vec<(Symbol, Symbol)>,
    /// Whether every instance of the target is one of the source.
    pub(super) exact: bool,
}

/// The way back; see the module documentation of the pass.
pub(super) struct Vectors {
    pub(super) source: ChcSystem,
    /// For each argument that is a vector, how it is read.
    pub(super) arguments: IndexVec<PredId, Vec<Option<Reading>>>,
    pub(super) origins: IndexVec<ClauseId, Origin>,
}

impl BackTranslation<ChcSystem, ChcSystem> for Vectors {
    fn model(&self, cx: &mut Cx<'_>, model: Interpretation) -> Outcome<Interpretation> {
        let mut result = Interpretation::new();
        for pred in self.source.preds() {
            cx.budget.check()?;
            let definition = model.get(pred).ok_or(GaveUp::wrong("the model lacks a predicate"))?;
            let params = formal_params(cx.store, &self.source, pred);
            let readings = self.arguments[pred].iter();
            let pairs = definition.params.iter().zip(&params).zip(readings);
            let pairs: Vec<(Symbol, Symbol, Option<Reading>)> =
                pairs.map(|((&from, &to), &reading)| (from, to, reading)).collect();
            let mut comparisons = Comparisons::new(cx.store, &pairs);
            let body = comparisons.translate(cx, definition.body)?;
            result.define(pred, Definition { params, body });
        }
        Ok(result)
    }
    fn refutation(&self, cx: &mut Cx<'_>, refutation: Derivation) -> Outcome<Derivation> {
        let refutation = refutation.expanded(cx.store, LONGEST)?;
        let mut result = Made::default();
        for step in &refutation.steps {
            cx.budget.check()?;
            match self.step(cx, &result, step.clone())? {
                Some(step) => result.derivation.steps.push(step),
                // Other values of earlier steps may fit.
                None => return replay(cx, &self.source, &self.candidates(cx.store, refutation)),
            }
        }
        Ok(result.derivation)
    }
    fn exactness(&self) -> Exactness {
        let exact = self.origins.iter().all(|origin| origin.exact);
        if exact { Exactness::Exact } else { Exactness::Over }
    }
}

impl Vectors {
    fn candidates(&self, store: &TermStore, refutation: Derivation) -> Vec<Candidate> {
        let candidate = |step: DerivationStep| {
            let values = self.values(store, step.clause, &step.assignment);
            Candidate { clause: step.clause, premises: step.premises, values }
        };
        refutation.steps.into_iter().map(candidate).collect()
    }
    /// The step with vectors that fit its conclusion and its premises, if there are any.
    fn step(
        &self,
        cx: &mut Cx<'_>,
        before: &Made,
        step: DerivationStep,
    ) -> Outcome<Option<DerivationStep>> {
        let assignment = self.values(cx.store, step.clause, &step.assignment);
        let (origin, clause) = (&self.origins[step.clause], self.source.clause(step.clause));
        let holds = origin.exact
            || Evaluator::with_defaults(&assignment).holds(cx.store, clause.constraint) == Ok(true);
        if holds {
            return Ok(Some(DerivationStep { assignment, ..step }));
        }
        let head = match &clause.head {
            Some(head) => {
                let mut evaluator = Evaluator::with_defaults(&assignment);
                let values = head.args.iter().map(|&arg| evaluator.evaluate(cx.store, arg));
                values.collect::<Result<Vec<Value>, _>>()?
            }
            None => Vec::new(),
        };
        let premises = before.facts(cx.store, &self.source, &step.premises)?;
        let pins = Pins { head: head.into_iter().enumerate().collect(), premises };
        let template = Template::of(cx.store, &self.source, step.clause);
        let found = complete(cx, &self.source, &[template], &pins, &assignment)?;
        let assignment = found.and_then(|(_, mut assignments)| assignments.pop());
        Ok(assignment.map(|assignment| DerivationStep { assignment, ..step }))
    }
    /// The values of the source variables of a clause.
    fn values(&self, store: &TermStore, clause: ClauseId, target: &Model) -> Model {
        let mut values = Model::new();
        let vectors = &self.origins[clause].variables;
        for symbol in self.source.clause(clause).variables(store) {
            let Ok(at) = vectors.binary_search_by_key(&symbol, |&(from, _)| from) else {
                if let Some(value) = target.get(symbol) {
                    values.set(symbol, value.clone());
                }
                continue;
            };
            let width = store.bits_width(store.result(symbol)).expect("it is a vector");
            let integer = target.get(vectors[at].1).and_then(Value::as_number);
            let bits = Bits::new(width, integer.unwrap_or(&Rational::ZERO));
            values.set(symbol, Value::bits(bits));
        }
        values
    }
}
