//! Refutations of an over-approximation, replayed on the clauses that it was made of.
//!
//! A derivation of the abstract clauses names, step by step, clauses of the source. Whether these
//! clauses can be joined in this way is one ground formula: the constraint of each step over
//! variables of its own, with the arguments of its premises' conclusions in place of those of its
//! body. A model of it gives the values of an ordinary derivation.
//!
//! The numbers and truth values of the abstract derivation are tried first: then most of the
//! formula folds, and arrays are all that is left. If that is contradictory, all values are left
//! open; if that is contradictory, too, the conjuncts of an unsatisfiable core say why.
//!
//! Invariant: what is returned holds by evaluation, step by step. Where it depends on what a
//! selector says of a value that it does not belong to, other values are looked for; if there are
//! none, the answer is to give up.
//!
//! Source: [KGC16] §4 by the way of counterexamples of abstractions, [MIGPB21] §3 for arrays.

use shofar_base::{GaveUp, Map, Outcome, Set};
use shofar_chc::{ChcSystem, Clause, ClauseId, Derivation, DerivationStep};
use shofar_smt::{Answer, Options, PartId, Solver};
use shofar_term::eval::{Evaluator, Model};
use shofar_term::substitute::Substitution;
use shofar_term::visit::postorder;
use shofar_term::{Cx, DataKind, Symbol, Term, TermStore};

use crate::foreign::{Definitions, is_simple};

/// A step of a derivation that may not be one.
pub(crate) struct Candidate {
    /// The clause of the source.
    pub(crate) clause: ClauseId,
    /// Earlier steps, one for each atom of the body.
    pub(crate) premises: Vec<usize>,
    /// Values that its variables may have.
    pub(crate) values: Model,
}

impl Candidate {
    /// The step with these values.
    pub(crate) fn into_step(self) -> DerivationStep {
        let Self { clause, premises, values } = self;
        DerivationStep { clause, premises, assignment: values }
    }
}

impl From<DerivationStep> for Candidate {
    fn from(step: DerivationStep) -> Self {
        let DerivationStep { clause, premises, assignment } = step;
        Self { clause, premises, values: assignment }
    }
}

/// What became of a candidate.
pub(crate) enum Replayed {
    /// It is a derivation with these values.
    Derivation(Derivation),
    /// It is none with any: these conjuncts of its clauses cannot hold together.
    Conflict(Vec<(ClauseId, Term)>),
}

/// A derivation of `source` from the clauses of `steps`, joined in the same way.
pub(crate) fn replay(
    cx: &mut Cx<'_>,
    source: &ChcSystem,
    steps: &[Candidate],
) -> Outcome<Derivation> {
    match replay_or_conflict(cx, source, steps)? {
        Replayed::Derivation(derivation) => Ok(derivation),
        Replayed::Conflict(_) => Err(spurious()),
    }
}

/// A derivation of `source` from the clauses of `steps`, joined in the same way, or why there is
/// none.
pub(crate) fn replay_or_conflict(
    cx: &mut Cx<'_>,
    source: &ChcSystem,
    steps: &[Candidate],
) -> Outcome<Replayed> {
    match attempt(cx, source, steps, Values::Given)? {
        Replayed::Conflict(_) => attempt(cx, source, steps, Values::Open),
        derivation @ Replayed::Derivation(_) => Ok(derivation),
    }
}

/// There is no derivation.
pub(crate) fn spurious() -> GaveUp {
    GaveUp::incomplete("the refutation of the abstraction is spurious")
}

/// What is done with the values of a candidate.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Values {
    /// Numbers and truth values are taken over.
    Given,
    /// None is.
    Open,
}

/// A step over its own variables.
struct Instance {
    /// What the variables of the clause stand for.
    variables: Vec<(Symbol, Term)>,
    /// The arguments of the conclusion.
    head: Vec<Term>,
}

fn attempt(
    cx: &mut Cx<'_>,
    source: &ChcSystem,
    steps: &[Candidate],
    values: Values,
) -> Outcome<Replayed> {
    let mut solver = Solver::new(match values {
        Values::Given => Options::default(),
        Values::Open => Options::with_cores(),
    });
    let mut instances: Vec<Instance> = Vec::with_capacity(steps.len());
    let mut origins: Map<PartId, (ClauseId, Term)> = Map::default();
    for step in steps {
        cx.budget.check()?;
        let (instance, conditions) = instantiate(cx.store, source, step, &instances, values);
        for (origin, condition) in conditions {
            if condition == cx.store.bottom() {
                let conflict = origin.map(|conjunct| (step.clause, conjunct));
                return Ok(Replayed::Conflict(conflict.into_iter().collect()));
            }
            let part = solver.add(cx.store, condition);
            if let Some(conjunct) = origin {
                origins.insert(part, (step.clause, conjunct));
            }
        }
        instances.push(instance);
    }
    let model = match solver.check(cx)? {
        Answer::Sat(view) => view.assignment(cx.store),
        Answer::Unsat(view) => {
            let core = view.core().into_iter().filter_map(|part| origins.get(&part).copied());
            return Ok(Replayed::Conflict(core.collect()));
        }
    };
    let derivation = match grounded(cx.store, source, steps, &instances, &model) {
        Ok(derivation) => derivation,
        Err(why) => {
            let model = specified(cx, &mut solver, &instances)?.ok_or(why)?;
            grounded(cx.store, source, steps, &instances, &model)?
        }
    };
    Ok(Replayed::Derivation(derivation))
}

/// The steps with the values of `model`, if they hold by evaluation.
fn grounded(
    store: &TermStore,
    source: &ChcSystem,
    steps: &[Candidate],
    instances: &[Instance],
    model: &Model,
) -> Outcome<Derivation> {
    let mut evaluator = Evaluator::with_defaults(model);
    let mut derivation = Derivation::default();
    for (step, instance) in steps.iter().zip(instances) {
        let mut assignment = Model::with_capacity(instance.variables.len());
        for &(symbol, term) in &instance.variables {
            assignment.set(symbol, evaluator.evaluate(store, term)?);
        }
        let (clause, premises) = (step.clause, step.premises.clone());
        derivation.steps.push(DerivationStep { clause, assignment, premises });
    }
    confirm(store, source, &derivation)?;
    Ok(derivation)
}

/// A model in which as many selectors as possible are applied to values that they belong to, since
/// a refutation must hold whatever they say of others; nothing if there is no selector that could
/// be.
fn specified(
    cx: &mut Cx<'_>,
    solver: &mut Solver,
    instances: &[Instance],
) -> Outcome<Option<Model>> {
    let mut roots: Vec<Term> = solver.formulas().map(|(_, formula)| formula).collect();
    for instance in instances {
        roots.extend(&instance.head);
        roots.extend(instance.variables.iter().map(|&(_, term)| term));
    }
    let mut tests = Vec::new();
    for term in postorder(cx.store, &roots) {
        if let Some(DataKind::Field(field, whole)) = cx.store.data_kind(term) {
            tests.push(cx.store.is(cx.store.field_constructor(field), whole));
        }
    }
    tests.sort_unstable();
    tests.dedup();
    tests.retain(|&test| !cx.store.is_value(test));
    while !tests.is_empty() {
        cx.budget.check()?;
        let failed = match solver.check_assuming(cx, &tests)? {
            Answer::Sat(view) => return Ok(Some(view.assignment(cx.store))),
            Answer::Unsat(view) => view.failed(),
        };
        let before = tests.len();
        tests.retain(|test| !failed.contains(test));
        if tests.len() == before {
            break;
        }
    }
    Ok(None)
}

/// What must hold for a step, each with the conjunct of the clause that says so, if it is one.
type Conditions = Vec<(Option<Term>, Term)>;

/// A step in terms of its premises, and what must hold for it.
fn instantiate(
    store: &mut TermStore,
    source: &ChcSystem,
    step: &Candidate,
    before: &[Instance],
    values: Values,
) -> (Instance, Conditions) {
    let clause = source.clause(step.clause);
    let (mut map, mut equations) = (Map::default(), Vec::new());
    for (atom, &premise) in clause.body.iter().zip(&step.premises) {
        for (&arg, &given) in atom.args.iter().zip(&before[premise].head) {
            if store.symbol(arg).is_some() && !map.contains_key(&arg) {
                map.insert(arg, given);
            } else {
                equations.push((arg, given));
            }
        }
    }
    let variables = clause.variables(store);
    let new = own_variables(store, &variables, step, values, &mut map);
    let mut by = Substitution::new(map);
    let mut parts: Conditions = Vec::new();
    for conjunct in store.conjuncts(&[clause.constraint]) {
        parts.push((Some(conjunct), by.apply(store, conjunct)));
    }
    for (arg, given) in equations {
        let arg = by.apply(store, arg);
        parts.push((None, store.eq(arg, given)));
    }
    let all: Vec<Term> = parts.iter().map(|&(_, condition)| condition).collect();
    let condition = store.and(&all);
    // Most arrays are defined by an equation; they need no solver.
    let definitions = Definitions::of(store, condition, |symbol| new.contains(&symbol));
    let mut defined = definitions.substitution();
    for (_, condition) in &mut parts {
        *condition = defined.apply(store, *condition);
    }
    let mut image = |store: &mut TermStore, term: Term| {
        let term = by.apply(store, term);
        defined.apply(store, term)
    };
    let head = clause.head.iter().flat_map(|head| &head.args);
    let head = head.map(|&arg| image(store, arg)).collect();
    let pair = |&symbol: &Symbol| {
        let constant = store.constant(symbol);
        (symbol, image(store, constant))
    };
    (Instance { variables: variables.iter().map(pair).collect(), head }, parts)
}

/// Gives the variables that no premise has given a term a value or a new name; returns the names.
fn own_variables(
    store: &mut TermStore,
    variables: &[Symbol],
    step: &Candidate,
    values: Values,
    map: &mut Map<Term, Term>,
) -> Set<Symbol> {
    let mut new = Set::default();
    for &symbol in variables {
        let (constant, sort) = (store.constant(symbol), store.result(symbol));
        if map.contains_key(&constant) {
            continue;
        }
        let is_known = values == Values::Given && is_simple(store, sort);
        let known = step.values.get(symbol).filter(|_| is_known);
        let term = if let Some(value) = known {
            store.value_term(value, sort)
        } else {
            let name = store.fresh("r", sort);
            new.insert(name);
            store.constant(name)
        };
        map.insert(constant, term);
    }
    new
}

/// Whether every step holds by evaluation alone.
fn confirm(store: &TermStore, source: &ChcSystem, derivation: &Derivation) -> Outcome<()> {
    let open = || GaveUp::incomplete("a step of the refutation depends on an unspecified value");
    let holds = |step: &DerivationStep, clause: &Clause| {
        Evaluator::with_defaults(&step.assignment).holds(store, clause.constraint) == Ok(true)
    };
    let all = derivation.steps.iter().all(|step| holds(step, source.clause(step.clause)));
    if all { Ok(()) } else { Err(open()) }
}
