//! Models: every assertion must be valid under the definitions.
//!
//! Each assertion is a query of its own to a fresh solver, so that nothing is carried over from one to the next. An
//! answer `sat` is evaluated before it becomes an objection. Where definitions have quantifiers, instances are checked in place of
//! the claim ([`crate::instantiate`]); then `sat` says nothing, and the validator gives up. An answer `unsat` is believed or, if the validator is to be
//! rigorous, confirmed by its proof, which is checked without the solver.

use shofar_base::{GaveUp, Outcome, Set};
use shofar_chc::{Clause, ClauseId, Definition, Interpretation, PredAtom, PredId};
use shofar_proof::Checker;
use shofar_smt::{Answer, Options, Solver};
use shofar_term::eval::{Evaluator, Model, Value, evaluate_with_defaults};
use shofar_term::size::dag_size;
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Symbol, Term, TermStore, View};

use crate::instance::instance;
use crate::instantiate;
use crate::objection::Values;
use crate::units::{self, Replaced};
use crate::universal::without_quantifiers;
use crate::validate::Rigour;
use crate::{HornInput, Objection};

/// Longer disjunctions are not taken apart: each case is a question of its own.
const MOST_CASES: usize = 64;
/// After so many disjuncts of the head one by one, all others are assumed to be false at once.
const MOST_HEADS: usize = 8;

/// What is said of an assertion that the reader has taken for Horn clauses.
pub(crate) fn not_universal() -> GaveUp {
    GaveUp::wrong("an assertion is not universal")
}

/// Whether `model` satisfies all assertions.
pub(crate) fn check(
    cx: &mut Cx<'_>,
    input: &HornInput<'_>,
    model: &Interpretation,
    rigour: Rigour,
) -> Outcome<Result<(), Objection>> {
    for pred in input.system().preds() {
        if let Err(objection) = check_definition(cx.store, input, model, pred) {
            return Ok(Err(objection));
        }
    }
    let model = &apart(cx.store, input, model);
    for (at, assertion) in input.assertions().iter().enumerate() {
        cx.budget.check()?;
        let read = input.translations()[at];
        let formula =
            without_quantifiers(cx.store, assertion.formula, read).ok_or_else(not_universal)?;
        let claim = instance(cx, input.system(), model, formula)?;
        if claim == cx.store.top() {
            continue;
        }
        if instantiate::has_quantifier(cx.store, claim) {
            let stronger = instantiate::stronger(cx, claim)?;
            if counterexample(cx, stronger.formula, rigour)?.is_some() {
                return Err(GaveUp::incomplete(if stronger.is_capped {
                    "a model with quantifiers could not be confirmed: it has too many instances"
                } else {
                    "a model with quantifiers could not be confirmed"
                }));
            }
        } else if let Some(counterexample) = counterexample(cx, claim, rigour)? {
            let values = values(cx.store, input, formula, &counterexample);
            let clause = falsified_clause(cx.store, input, model, at, &counterexample);
            return Ok(Err(Objection::Falsified { assertion: at, clause, values }));
        }
    }
    Ok(Ok(()))
}

/// `model` with variables of their own for its quantifiers, which occur nowhere in the assertions.
fn apart(store: &mut TermStore, input: &HornInput<'_>, model: &Interpretation) -> Interpretation {
    let mut result = Interpretation::new();
    for pred in input.system().preds() {
        if let Some(Definition { params, body }) = model.get(pred) {
            let (params, body) = (params.clone(), instantiate::apart(store, *body));
            result.define(pred, Definition { params, body });
        }
    }
    result
}

/// Whether the definition of `pred` exists and speaks about its parameters only.
fn check_definition(
    store: &TermStore,
    input: &HornInput<'_>,
    model: &Interpretation,
    pred: PredId,
) -> Result<(), Objection> {
    let Some(definition) = model.get(pred) else { return Err(Objection::Undefined { pred }) };
    let params: Set<Symbol> = definition.params.iter().copied().collect();
    let constants = definition.params.iter().all(|&p| store.params(p).is_empty());
    let sorts = definition.params.iter().map(|&p| store.result(p));
    let reason = if !constants || !sorts.eq(input.system().sorts(store, pred).iter().copied()) {
        "its parameters do not fit the declaration"
    } else if params.len() != definition.params.len() {
        "two of its parameters are the same"
    } else if !store.sort(definition.body).is_bool() {
        "its body is not a formula"
    } else if instantiate::unbound(store, definition.body).iter().any(|s| !params.contains(s)) {
        "its body mentions something that is no parameter"
    } else {
        return Ok(());
    };
    Err(Objection::IllFormed { pred, reason })
}

/// An assignment under which `claim` is false, if there is one.
///
/// A claim ends in what the head says, mostly many conjuncts: each is a goal of its own, far easier to show than all of
/// them at once. Where the head is a disjunction, the cases of the body are the goals: that none of them occurs. A case mostly leads
/// into few disjuncts of the head, so that one of these is false is assumed only when a model makes it true.
/// A goal that was shown helps with the next.
fn counterexample(cx: &mut Cx<'_>, claim: Term, rigour: Rigour) -> Outcome<Option<Model>> {
    let options = match rigour {
        Rigour::Solver => Options::default(),
        Rigour::Proofs => Options::with_proofs(),
    };
    let Dissected { mut given, mut goals, mut heads } = dissected(cx.store, claim);
    let replaced = match rigour {
        Rigour::Solver => {
            let others = goals.iter_mut().chain(&mut heads);
            units::replace(cx.store, &mut given, others.collect())
        }
        // Proofs are about the claim as it is.
        Rigour::Proofs => Replaced::default(),
    };
    let mut showing = Showing {
        solver: Solver::new(options),
        checker: Checker::new(),
        premises: Vec::new(),
        rigour,
    };
    showing.add(cx, given);
    for goal in goals {
        let mut assumed = vec![cx.store.not(goal)];
        let mut open = heads.clone();
        while let Some(mut assignment) = showing.model(cx, &assumed)? {
            replaced.complete(cx.store, &mut assignment);
            let mut evaluator = Evaluator::with_defaults(&assignment);
            let is_reached = |head: &Term| evaluator.holds(cx.store, *head) == Ok(true);
            let Some(at) = open.iter().position(is_reached) else {
                let value = evaluate_with_defaults(cx.store, claim, &assignment);
                if value != Ok(Value::Bool(false)) {
                    return Err(GaveUp::wrong("the SMT solver gave a wrong model"));
                }
                return Ok(Some(assignment));
            };
            let are_few = assumed.len() < MOST_HEADS;
            let denied = if are_few { at..=at } else { 0..=open.len() - 1 };
            assumed.extend(open.drain(denied).map(|head| cx.store.not(head)));
        }
        showing.add(cx, goal);
    }
    Ok(None)
}

/// A solver that is asked for models of what was added to it; that there is none is confirmed as the rigour demands.
struct Showing {
    solver: Solver,
    checker: Checker,
    premises: Vec<Term>,
    rigour: Rigour,
}

impl Showing {
    fn add(&mut self, cx: &mut Cx<'_>, formula: Term) {
        self.solver.add(cx.store, formula);
        self.premises.push(formula);
    }
    /// A model of what was added and of `assumed`, if there is one.
    fn model(&mut self, cx: &mut Cx<'_>, assumed: &[Term]) -> Outcome<Option<Model>> {
        match self.solver.check_assuming(cx, assumed)? {
            Answer::Sat(view) => Ok(Some(view.assignment(cx.store))),
            Answer::Unsat(view) => {
                if self.rigour == Rigour::Proofs {
                    let proof =
                        view.export_proof().map_err(|flaw| wrong_proof(&flaw.to_string()))?;
                    let (store, checker) = (&*cx.store, &mut self.checker);
                    let checked =
                        checker.check(store, cx.budget, &self.premises, assumed, &proof)?;
                    checked.map_err(|flaw| wrong_proof(&flaw.describe(store)))?;
                }
                Ok(None)
            }
        }
    }
}

fn wrong_proof(flaw: &str) -> GaveUp {
    GaveUp::wrong(format!("the SMT solver gave a wrong proof: {flaw}"))
}

/// What a claim says: if `given`, then one of `heads`, or else all of `goals`.
struct Dissected {
    given: Term,
    goals: Vec<Term>,
    /// Small ones first.
    heads: Vec<Term>,
}

fn dissected(store: &mut TermStore, claim: Term) -> Dissected {
    let mut parts = store.disjuncts(&[claim]);
    if let Some((at, cases)) = cases(store, &parts) {
        let mut others = store.conjuncts(&[store.strip_not(parts[at]).0]);
        others.retain(|&conjunct| conjunct != cases);
        let others = store.and(&others);
        parts[at] = store.not(others);
        let goals = store.disjuncts(&[cases]).into_iter().map(|case| store.not(case)).collect();
        let (mut heads, rest): (Vec<Term>, Vec<Term>) =
            parts.into_iter().partition(|&part| is_conjunction(store, part));
        heads.sort_by_cached_key(|&head| dag_size(store, &[head]));
        let unless = store.or(&rest);
        return Dissected { given: store.not(unless), goals, heads };
    }
    let Some(largest) = (0..parts.len()).max_by_key(|&at| conjuncts(store, parts[at]).len()) else {
        return Dissected { given: store.top(), goals: vec![claim], heads: Vec::new() };
    };
    let largest = parts.remove(largest);
    let goals = conjuncts(store, largest);
    let unless = store.or(&parts);
    Dissected { given: store.not(unless), goals, heads: Vec::new() }
}

fn is_conjunction(store: &TermStore, formula: Term) -> bool {
    matches!(store.view(formula), View::And(_))
}

/// The largest disjunction in what a claim assumes, and which of its parts has it, if the claim ends in a disjunction of
/// conjunctions: then it has no conjuncts that are goals, but cases.
fn cases(store: &TermStore, parts: &[Term]) -> Option<(usize, Term)> {
    if parts.iter().filter(|&&part| is_conjunction(store, part)).count() < 2 {
        return None;
    }
    let mut found = Vec::new();
    for (at, &part) in parts.iter().enumerate() {
        if let (body, true) = store.strip_not(part) {
            let conjuncts = store.conjuncts(&[body]).into_iter();
            let is_short =
                |&c: &Term| matches!(store.view(c), View::Or(p) if p.len() <= MOST_CASES);
            let disjunctions = conjuncts.filter(is_short);
            found.extend(disjunctions.map(|c| (dag_size(store, &[c]), at, c)));
        }
    }
    found.into_iter().max_by_key(|&(size, ..)| size).map(|(_, at, cases)| (at, cases))
}

/// The conjuncts of `formula`; those of a negated disjunction are what it denies.
fn conjuncts(store: &mut TermStore, formula: Term) -> Vec<Term> {
    let mut result = Vec::new();
    for conjunct in store.conjuncts(&[formula]) {
        match store.strip_not(conjunct) {
            (inner, true) => {
                result.extend(store.disjuncts(&[inner]).into_iter().map(|part| store.not(part)));
            }
            (inner, false) => result.push(inner),
        }
    }
    result
}

/// The values of the variables of `formula`.
fn values(store: &TermStore, input: &HornInput<'_>, formula: Term, assignment: &Model) -> Values {
    let mut symbols = free_symbols(store, &[formula]);
    symbols.retain(|&s| input.system().pred(s).is_none());
    symbols.into_iter().map(|s| (s, assignment.get_or_default(store, s))).collect()
}

/// A clause of the assertion that is false under `model` and `assignment`.
fn falsified_clause(
    store: &TermStore,
    input: &HornInput<'_>,
    model: &Interpretation,
    assertion: usize,
    assignment: &Model,
) -> Option<ClauseId> {
    let holds = |atom: &PredAtom| atom_holds(store, model, atom, assignment);
    let is_false = |clause: &Clause| {
        evaluate_with_defaults(store, clause.constraint, assignment) == Ok(Value::Bool(true))
            && clause.body.iter().all(holds)
            && !clause.head.as_ref().is_some_and(holds)
    };
    let mut clauses = input.system().clauses().filter(|&(id, _)| input.origin(id) == assertion);
    clauses.find(|(_, clause)| is_false(clause)).map(|(id, _)| id)
}

fn atom_holds(
    store: &TermStore,
    model: &Interpretation,
    atom: &PredAtom,
    assignment: &Model,
) -> bool {
    let definition = model.get(atom.pred).expect("every predicate is defined");
    let mut arguments = Model::new();
    for (&param, &arg) in definition.params.iter().zip(&atom.args) {
        let Ok(value) = evaluate_with_defaults(store, arg, assignment) else { return false };
        arguments.set(param, value);
    }
    evaluate_with_defaults(store, definition.body, &arguments) == Ok(Value::Bool(true))
}
