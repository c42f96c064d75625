//! The way back that most passes share.
//!
//! A pass says what became of each predicate and how each target clause was made. From that, models
//! and refutations of the target become models and refutations of the source.
//!
//! Predicates that were resolved away get their definitions last, in the reverse order of their
//! elimination: at that point all other predicates of the clauses they occurred in have
//! definitions.

use shofar_base::{GaveUp, IndexVec, Map, Outcome};
use shofar_chc::{
    BackTranslation, ChcSystem, Clause, ClauseId, Definition, Derivation, DerivationStep,
    Exactness, Hint, Interpretation, PredId, Translated, Unchanged, formal_params,
};
use shofar_term::eval::{Evaluator, Value};
use shofar_term::size::dag_size;
use shofar_term::tidy::tidy;
use shofar_term::{Cx, Quantifier, Term, TermStore};

use crate::complete::{Pins, complete};
use crate::define::between;
use crate::stepwise::{Made, StepWise, translate};
use crate::template::{Premise, Template};

/// What became of a source predicate.
#[derive(Clone, Debug)]
pub(crate) enum Meaning {
    /// It is gone; this truth value is always a model of it.
    Constant(bool),
    /// It lives on.
    Kept {
        /// As this predicate.
        pred: PredId,
        /// With these arguments.
        args: Vec<usize>,
        /// While these arguments always have these values.
        fixed: Vec<(usize, Value)>,
    },
    /// It was resolved away; see [`Eliminated`].
    Resolved,
}

/// A predicate that was resolved away, and the clauses it occurred in at that time, with disjoint
/// variables.
#[derive(Clone, Debug)]
pub(crate) struct Eliminated {
    /// The predicate.
    pub(crate) pred: PredId,
    /// The clauses that derived it.
    pub(crate) incoming: Vec<Clause>,
    /// The clauses that used it, each once.
    pub(crate) outgoing: Vec<Clause>,
}

/// How a target clause was made.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    /// It is a source clause, up to names of predicates.
    Same(ClauseId),
    /// It was made.
    Made {
        /// The arguments of its head.
        head: Vec<Term>,
        /// The ways to read one of its instances, at least one of which fits.
        templates: Vec<Template>,
    },
}

/// The way back.
pub(crate) struct WayBack {
    /// What the pass was given.
    pub(crate) source: ChcSystem,
    /// What became of the predicates of the source.
    pub(crate) meanings: IndexVec<PredId, Meaning>,
    /// How the clauses of the target were made.
    pub(crate) origins: IndexVec<ClauseId, Origin>,
    /// What was resolved away, in this order.
    pub(crate) eliminated: Vec<Eliminated>,
}

impl WayBack {
    /// The way back of a pass that keeps all predicates.
    pub(crate) fn of_clauses(
        store: &TermStore,
        source: ChcSystem,
        origins: IndexVec<ClauseId, Origin>,
    ) -> Self {
        let meanings = source.preds().map(|pred| kept(store, &source, pred, pred)).collect();
        Self { source, meanings, origins, eliminated: Vec::new() }
    }
    /// The arguments of the head of a target step that the source step must have too, by source
    /// position.
    fn head_pins(&self, clause: ClauseId, values: Vec<Value>) -> Vec<(usize, Value)> {
        let Some(head) = &self.source.clause(clause).head else { return Vec::new() };
        match &self.meanings[head.pred] {
            Meaning::Kept { args, .. } => args.iter().copied().zip(values).collect(),
            Meaning::Constant(_) | Meaning::Resolved => Vec::new(),
        }
    }
}

/// A predicate that keeps all its arguments.
pub(crate) fn kept(store: &TermStore, source: &ChcSystem, from: PredId, to: PredId) -> Meaning {
    let args = (0..source.sorts(store, from).len()).collect();
    Meaning::Kept { pred: to, args, fixed: Vec::new() }
}

impl BackTranslation<ChcSystem, ChcSystem> for WayBack {
    fn hints(&self, store: &mut TermStore, hints: Vec<Hint>) -> Vec<Hint> {
        let follow = |hint: Hint| match &self.meanings[hint.pred] {
            Meaning::Kept { pred, args, fixed } => {
                hint.with_values(store, fixed).projected(store, *pred, args)
            }
            Meaning::Constant(_) | Meaning::Resolved => None,
        };
        hints.into_iter().filter_map(follow).collect()
    }
    fn model(&self, cx: &mut Cx<'_>, model: Interpretation) -> Outcome<Interpretation> {
        let mut result = Interpretation::new();
        for pred in self.source.preds() {
            cx.budget.check()?;
            match &self.meanings[pred] {
                Meaning::Constant(value) => {
                    result.define_constant(cx.store, &self.source, pred, *value);
                }
                Meaning::Kept { pred: target, args, fixed } => {
                    let definition =
                        model.get(*target).ok_or(GaveUp::wrong("the model lacks a predicate"))?;
                    let params = formal_params(cx.store, &self.source, pred);
                    let chosen: Vec<Term> =
                        args.iter().map(|&at| cx.store.constant(params[at])).collect();
                    let mut parts = vec![definition.apply(cx.store, &chosen)];
                    for (at, value) in fixed {
                        let sort = cx.store.result(params[*at]);
                        let (param, value) =
                            (cx.store.constant(params[*at]), cx.store.value_term(value, sort));
                        parts.push(cx.store.eq(param, value));
                    }
                    let body = cx.store.and(&parts);
                    result.define(pred, Definition { params, body });
                }
                Meaning::Resolved => (),
            }
        }
        for eliminated in self.eliminated.iter().rev() {
            let definition = between(cx, &self.source, &result, eliminated)?;
            result.define(eliminated.pred, definition);
        }
        Ok(result)
    }
    fn refutation(&self, cx: &mut Cx<'_>, refutation: Derivation) -> Outcome<Derivation> {
        translate(cx, self, refutation)
    }
}

impl StepWise for WayBack {
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
            Origin::Same(clause) => made.derivation.steps.push(DerivationStep {
                clause: *clause,
                assignment: step.assignment,
                premises,
            }),
            Origin::Made { head, templates } => {
                let root = &templates[0].instances[templates[0].root];
                let mut evaluator = Evaluator::with_defaults(&step.assignment);
                let values = head.iter().map(|&t| evaluator.evaluate(cx.store, t));
                let values = values.collect::<Result<Vec<_>, _>>()?;
                let pins = Pins {
                    head: self.head_pins(root.clause, values),
                    premises: made.facts(cx.store, &self.source, &premises)?,
                };
                let (index, assignments) =
                    complete(cx, &self.source, templates, &pins, &step.assignment)?
                        .ok_or(GaveUp::wrong("a step has no counterpart in the source"))?;
                emit(&mut made.derivation, &templates[index], assignments, &premises);
            }
        }
        Ok(())
    }
}

/// Appends one step per instance; the last one is the root's.
pub(crate) fn emit(
    derivation: &mut Derivation,
    template: &Template,
    mut assignments: Vec<shofar_term::eval::Model>,
    given: &[usize],
) {
    let mut step_of: Map<usize, usize> = Map::default();
    for index in template.order() {
        let instance = &template.instances[index];
        let premise = |premise: &Premise| match *premise {
            Premise::Given(number) => given[number],
            Premise::Inner(inner) => step_of[&inner],
        };
        let premises = instance.premises.iter().map(premise).collect();
        let assignment = std::mem::take(&mut assignments[index]);
        step_of.insert(index, derivation.steps.len());
        derivation.steps.push(DerivationStep { clause: instance.clause, assignment, premises });
    }
}

/// What a pass returns that finds nothing to do.
pub(crate) fn unchanged(system: ChcSystem) -> Translated<ChcSystem, ChcSystem> {
    (system, Box::new(Unchanged))
}

/// `φ ∧ ∀k. ψ` as `∀k. φ ∧ ψ`; the variables of quantifiers occur nowhere else.
fn with_quantifier_first(store: &mut TermStore, body: Term) -> Term {
    let (mut parts, mut bound) = (Vec::new(), Vec::new());
    for part in store.conjuncts(&[body]) {
        match store.quantified(part) {
            Some((Quantifier::Forall, matrix, variables)) => {
                bound.extend_from_slice(variables);
                parts.push(matrix);
            }
            Some((Quantifier::Exists, ..)) | None => parts.push(part),
        }
    }
    if bound.is_empty() {
        return body;
    }
    let matrix = store.and(&parts);
    store.quantify(Quantifier::Forall, matrix, &bound)
}

/// Definitions of more terms are not made tidy: nobody reads them before they are made smaller, and
/// that takes long.
const READABLE: usize = 2_000;

/// A way back at whose end refutations derive each fact once and models are tidy, whoever found
/// them.
pub(crate) struct Polished {
    /// Where the way leads to.
    pub(crate) source: ChcSystem,
    /// The way.
    pub(crate) back: Box<dyn BackTranslation<ChcSystem, ChcSystem>>,
}

impl BackTranslation<ChcSystem, ChcSystem> for Polished {
    fn exactness(&self) -> Exactness {
        self.back.exactness()
    }
    fn hints(&self, store: &mut TermStore, given: Vec<Hint>) -> Vec<Hint> {
        self.back.hints(store, given)
    }
    fn model(&self, cx: &mut Cx<'_>, model: Interpretation) -> Outcome<Interpretation> {
        let model = self.back.model(cx, model)?;
        let mut result = Interpretation::new();
        for pred in self.source.preds() {
            cx.budget.check()?;
            let definition = model.get(pred).ok_or(GaveUp::wrong("the model lacks a predicate"))?;
            let body = with_quantifier_first(cx.store, definition.body);
            let is_large = dag_size(cx.store, &[body]) > READABLE;
            let body = if is_large { body } else { tidy(cx.store, body) };
            let params = definition.params.clone();
            result.define(pred, Definition { params, body });
        }
        Ok(result)
    }
    fn refutation(&self, cx: &mut Cx<'_>, refutation: Derivation) -> Outcome<Derivation> {
        let refutation = self.back.refutation(cx, refutation)?;
        // What is left out of one iteration would be missing in the other one.
        let may_share = refutation.is_ground();
        Ok(if may_share { refutation.shared(cx.store, &self.source) } else { refutation })
    }
}

#[cfg(test)]
mod tests {
    use shofar_base::Budget;
    use shofar_term::Sort;

    use super::*;

    /// That `x` is one of the numbers up to `most`, as a list.
    fn listed(s: &mut TermStore, x: Term, most: i64) -> Term {
        let values: Vec<Term> = (0..=most).map(|value| s.int(value)).collect();
        let cases: Vec<Term> = values.into_iter().map(|value| s.eq(x, value)).collect();
        s.or(&cases)
    }

    #[test]
    fn small_definitions_become_tidy_and_large_ones_stay() {
        let (mut s, budget) = (TermStore::new(), Budget::unlimited());
        let mut source = ChcSystem::new();
        let pred = source.add_pred(s.declare("p", &[Sort::INT], Sort::BOOL));
        let back = Polished { source, back: Box::new(Unchanged) };
        let (param, x) = (s.declare("x", &[], Sort::INT), s.var("x", Sort::INT));
        for most in [9, 3_000] {
            let body = listed(&mut s, x, most);
            let mut model = Interpretation::new();
            model.define(pred, Definition { params: vec![param], body });
            let polished = back.model(&mut Cx::new(&mut s, &budget), model).expect("it is defined");
            let found = polished.get(pred).expect("it is defined").body;
            assert_eq!(found == body, most == 3_000, "up to {most}");
        }
    }

    #[test]
    fn the_quantifier_comes_first() {
        let mut s = TermStore::new();
        let [x, k] = ["x", "k"].map(|name| s.var(name, Sort::INT));
        let zero = s.int(0);
        let (own, every) = (s.ge(x, zero), s.le(k, x));
        let forall = s.quantify(Quantifier::Forall, every, &[k]);
        let body = s.and(&[own, forall]);
        let both = s.and(&[own, every]);
        let expected = s.quantify(Quantifier::Forall, both, &[k]);
        assert_eq!(with_quantifier_first(&mut s, body), expected);
        assert_eq!(with_quantifier_first(&mut s, own), own);
    }
}
