//! A naive solver: derives facts one by one until there is no new one or a query fires.
//!
//! It decides systems with finitely many derivable facts; the model is the set of derived facts.

use shofar_base::Map;
use shofar_chc::{
    ChcSystem, Clause, Definition, Derivation, DerivationStep, Interpretation, PredAtom, PredId,
    Verdict, formal_params,
};
use shofar_smt::{Answer, Options, Solver};
use shofar_term::eval::{Model, Value, evaluate_with_defaults};
use shofar_term::{Cx, Term, TermStore};

type Facts = Map<PredId, Vec<(Vec<Value>, usize)>>;

/// The verdict; nothing if more than `limit` facts are derivable.
pub(crate) fn solve(
    cx: &mut Cx<'_>,
    system: &ChcSystem,
    limit: usize,
) -> Option<Verdict<ChcSystem>> {
    let mut facts: Facts = Map::default();
    let mut derivation = Derivation::default();
    loop {
        let before = derivation.steps.len();
        for (id, clause) in system.clauses() {
            while let Some(assignment) = instance(cx, clause, &facts) {
                let premises =
                    clause.body.iter().map(|a| step_of(cx.store, a, &assignment, &facts)).collect();
                let at = derivation.steps.len();
                let step = DerivationStep { clause: id, assignment, premises };
                derivation.steps.push(step);
                let fact = derivation.fact(cx.store, system, at).expect("a fact has values");
                let Some((pred, values)) = fact else {
                    return Some(Verdict::Unsafe(derivation));
                };
                facts.entry(pred).or_default().push((values, at));
                if at >= limit {
                    return None;
                }
            }
        }
        if derivation.steps.len() == before {
            return Some(Verdict::Safe(model(cx.store, system, &facts)));
        }
    }
}

/// An instance of the clause that derives something new from the facts.
fn instance(cx: &mut Cx<'_>, clause: &Clause, facts: &Facts) -> Option<Model> {
    let mut solver = Solver::new(Options::default());
    solver.add(cx.store, clause.constraint);
    for atom in &clause.body {
        let known = among(cx.store, &atom.args, facts.get(&atom.pred));
        solver.add(cx.store, known);
    }
    if let Some(head) = &clause.head {
        let known = among(cx.store, &head.args, facts.get(&head.pred));
        let new = cx.store.not(known);
        solver.add(cx.store, new);
    }
    match solver.check(cx).expect("small queries are decided") {
        Answer::Sat(model) => Some(model.assignment(cx.store)),
        Answer::Unsat(_) => None,
    }
}

fn step_of(store: &TermStore, atom: &PredAtom, assignment: &Model, facts: &Facts) -> usize {
    let values: Vec<Value> = atom
        .args
        .iter()
        .map(|&t| evaluate_with_defaults(store, t, assignment).expect("it has a value"))
        .collect();
    let fact = facts[&atom.pred].iter().find(|(known, _)| *known == values);
    fact.expect("the body was derived").1
}

fn among(store: &mut TermStore, args: &[Term], facts: Option<&Vec<(Vec<Value>, usize)>>) -> Term {
    let mut cases = Vec::new();
    for (values, _) in facts.into_iter().flatten() {
        let mut parts = Vec::new();
        for (&arg, value) in args.iter().zip(values) {
            let value = store.value_term(value, store.sort(arg));
            parts.push(store.eq(arg, value));
        }
        cases.push(store.and(&parts));
    }
    store.or(&cases)
}

fn model(store: &mut TermStore, system: &ChcSystem, facts: &Facts) -> Interpretation {
    let mut model = Interpretation::new();
    for pred in system.preds() {
        let params = formal_params(store, system, pred);
        let args: Vec<Term> = params.iter().map(|&p| store.constant(p)).collect();
        let body = among(store, &args, facts.get(&pred));
        model.define(pred, Definition { params, body });
    }
    model
}
