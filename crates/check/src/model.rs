//! Models: every assertion must be valid under the definitions.
//!
//! Each assertion is a query of its own to a fresh solver, so that nothing is carried over from one
//! to the next. An answer `sat` is evaluated before it becomes an objection. Where definitions have
//! quantifiers, instances are checked in place of the claim ([`crate::instantiate`]); then `sat`
//! says nothing, and the validator gives up. An answer `unsat` is believed or, if the validator is
//! to be rigorous, confirmed by its proof, which is checked without the solver.

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
    input: &HornInput,
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
        let (written, read) = (assertion.written, assertion.formula);
        let formula =
            without_quantifiers(cx.store, written, read, &[]).ok_or_else(not_universal)?;
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
fn apart(store: &mut TermStore, input: &HornInput, model: &Interpretation) -> Interpretation {
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
    input: &HornInput,
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
/// A claim ends in what the head says, mostly many conjuncts: each is a goal of its own, far easier
/// to show than all of them at once. A goal that was shown helps with the next. For a goal that is
/// a disjunction of conjunctions the cases of the body are gone through. A case mostly leads into
/// few of these disjuncts, and simple goals mostly hold in all cases for the same reason; so that a
/// disjunct is false, or that there is a case, is assumed only when a model contradicts it.
fn counterexample(cx: &mut Cx<'_>, claim: Term, rigour: Rigour) -> Outcome<Option<Model>> {
    let options = match rigour {
        Rigour::Solver => Options::default(),
        Rigour::Proofs => Options::with_proofs(),
    };
    let Dissected { mut given, mut cases, mut goals, mut choice } = dissected(cx.store, claim);
    let replaced = match rigour {
        Rigour::Solver => {
            let others = cases.iter_mut().chain(&mut goals).chain(&mut choice);
            units::replace(cx.store, &mut given, others.collect())
        }
        // Proofs are about the claim as it is.
        Rigour::Proofs => Replaced::default(),
    };
    let mut showing = Showing {
        solver: Solver::new(options),
        checker: Checker::new(),
        premises: Vec::new(),
        replaced,
        rigour,
    };
    showing.add(cx, given);
    let one_of_them = cx.store.or(&cases);
    let mut found = None;
    for goal in goals {
        let denied = cx.store.not(goal);
        found = showing.model_of_all(cx, vec![denied], vec![one_of_them])?;
        if found.is_some() {
            break;
        }
        showing.add(cx, goal);
    }
    if let (Some(choice), None) = (choice, &found) {
        let (heads, simple) = heads(cx.store, choice);
        for case in cases {
            let mut assumed = vec![case];
            assumed.extend(&simple);
            found = showing.model_of_all(cx, assumed, heads.clone())?;
            if found.is_some() {
                break;
            }
            let is_excluded = cx.store.not(case);
            showing.add(cx, is_excluded);
        }
    }
    if let Some(assignment) = &found
        && evaluate_with_defaults(cx.store, claim, assignment) != Ok(Value::Bool(false))
    {
        return Err(GaveUp::wrong("the SMT solver gave a wrong model"));
    }
    Ok(found)
}

/// A solver that is asked for models of what was added to it; that there is none is confirmed as
/// the rigour demands.
struct Showing {
    solver: Solver,
    checker: Checker,
    premises: Vec<Term>,
    replaced: Replaced,
    rigour: Rigour,
}

impl Showing {
    fn add(&mut self, cx: &mut Cx<'_>, formula: Term) {
        self.solver.add(cx.store, formula);
        self.premises.push(formula);
    }
    /// A model of what was added, of `assumed` and of `others`, if there is one; others are assumed
    /// when a model contradicts them.
    fn model_of_all(
        &mut self,
        cx: &mut Cx<'_>,
        mut assumed: Vec<Term>,
        mut others: Vec<Term>,
    ) -> Outcome<Option<Model>> {
        let mut one_by_one = MOST_HEADS;
        while let Some(mut assignment) = self.model(cx, &assumed)? {
            self.replaced.complete(cx.store, &mut assignment);
            let mut evaluator = Evaluator::with_defaults(&assignment);
            let is_false = |other: &Term| evaluator.holds(cx.store, *other) == Ok(false);
            let Some(at) = others.iter().position(is_false) else { return Ok(Some(assignment)) };
            let next = if one_by_one > 0 { at..=at } else { 0..=others.len() - 1 };
            one_by_one = one_by_one.saturating_sub(1);
            assumed.extend(others.drain(next));
        }
        Ok(None)
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

/// What a claim says: if `given` and one of `cases`, then all of `goals` and `choice`.
struct Dissected {
    given: Term,
    cases: Vec<Term>,
    goals: Vec<Term>,
    /// A disjunction of conjunctions.
    choice: Option<Term>,
}

fn dissected(store: &mut TermStore, claim: Term) -> Dissected {
    let mut parts = store.disjuncts(&[claim]);
    let mut goals = if is_choice(store, &parts) {
        let heads = parts.extract_if(.., |part| is_conjunction(store, *part)).collect::<Vec<_>>();
        vec![store.or(&heads)]
    } else if let Some(largest) =
        (0..parts.len()).max_by_key(|&at| conjuncts(store, parts[at]).len())
    {
        let largest = parts.remove(largest);
        conjuncts(store, largest)
    } else {
        vec![claim]
    };
    let choices = (0..goals.len()).filter(|&at| is_choice(store, &store.disjuncts(&[goals[at]])));
    let choice = choices.max_by_key(|&at| dag_size(store, &[goals[at]]));
    let mut cases = vec![store.top()];
    if let (Some(_), Some((at, body_cases))) = (choice, body_cases(store, &parts)) {
        let mut others = store.conjuncts(&[store.strip_not(parts[at]).0]);
        others.retain(|&conjunct| conjunct != body_cases);
        let others = store.and(&others);
        parts[at] = store.not(others);
        cases = store.disjuncts(&[body_cases]);
    }
    let choice = choice.map(|at| goals.remove(at));
    let unless = store.or(&parts);
    Dissected { given: store.not(unless), cases, goals, choice }
}

/// That the disjuncts of `choice` are false: first the conjunctions among them, small ones first,
/// then the others.
fn heads(store: &mut TermStore, choice: Term) -> (Vec<Term>, Vec<Term>) {
    let (mut heads, simple): (Vec<Term>, Vec<Term>) =
        store.disjuncts(&[choice]).into_iter().partition(|&part| is_conjunction(store, part));
    heads.sort_by_cached_key(|&head| dag_size(store, &[head]));
    let mut denied = |parts: Vec<Term>| parts.into_iter().map(|part| store.not(part)).collect();
    (denied(heads), denied(simple))
}

fn is_choice(store: &TermStore, parts: &[Term]) -> bool {
    parts.iter().filter(|&&part| is_conjunction(store, part)).count() >= 2
}

fn is_conjunction(store: &TermStore, formula: Term) -> bool {
    matches!(store.view(formula), View::And(_))
}

/// The largest disjunction in what a claim assumes, and which of its parts has it.
fn body_cases(store: &TermStore, parts: &[Term]) -> Option<(usize, Term)> {
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
fn values(store: &TermStore, input: &HornInput, formula: Term, assignment: &Model) -> Values {
    let mut symbols = free_symbols(store, &[formula]);
    symbols.retain(|&s| input.system().pred(s).is_none());
    symbols.into_iter().map(|s| (s, assignment.get_or_default(store, s))).collect()
}

/// A clause of the assertion that is false under `model` and `assignment`.
fn falsified_clause(
    store: &TermStore,
    input: &HornInput,
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
