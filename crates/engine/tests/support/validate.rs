//! Validation of witnesses by evaluation and by one solver query per clause.

use shofar_chc::{ChcSystem, Clause, Derivation, Interpretation, PredAtom, Run, TransitionSystem};
use shofar_smt::{Answer, Options, Solver};
use shofar_term::eval::{Value, evaluate_with_defaults};
use shofar_term::{Cx, Symbol, Term, TermStore};

fn is_contradictory(cx: &mut Cx<'_>, formulas: &[Term]) -> bool {
    let mut solver = Solver::new(Options::default());
    for &formula in formulas {
        solver.add(cx.store, formula);
    }
    matches!(solver.check(cx).expect("no limit"), Answer::Unsat(_))
}

/// Panics unless every step follows from earlier ones and the last derives `false`.
pub(crate) fn derivation(store: &TermStore, system: &ChcSystem, derivation: &Derivation) {
    let last = derivation.steps.last().expect("a refutation has steps");
    assert!(system.clause(last.clause).is_query(), "the last step derives false");
    for (index, step) in derivation.steps.iter().enumerate() {
        let clause = system.clause(step.clause);
        let holds = evaluate_with_defaults(store, clause.constraint, &step.assignment)
            .expect("it has a value");
        assert_eq!(holds, Value::Bool(true), "step {index} satisfies its constraint");
        assert_eq!(step.premises.len(), clause.body.len(), "step {index} has its premises");
        for (&premise, atom) in step.premises.iter().zip(&clause.body) {
            assert!(premise < index, "premises come first");
            let args = atom
                .args
                .iter()
                .map(|&t| {
                    evaluate_with_defaults(store, t, &step.assignment).expect("it has a value")
                })
                .collect();
            let fact = derivation.fact(store, system, premise);
            assert_eq!(fact, Ok(Some((atom.pred, args))), "step {index} uses what was derived");
        }
    }
}

/// Panics unless the model makes every clause valid.
pub(crate) fn model(cx: &mut Cx<'_>, system: &ChcSystem, model: &Interpretation) {
    for (id, clause) in system.clauses() {
        let formulas = negation(cx.store, clause, model);
        assert!(is_contradictory(cx, &formulas), "the model satisfies {id:?}");
    }
}

fn negation(store: &mut TermStore, clause: &Clause, model: &Interpretation) -> Vec<Term> {
    let mut meaning = |atom: &PredAtom| -> Term {
        model.get(atom.pred).expect("a model defines all predicates").apply(store, &atom.args)
    };
    let mut formulas: Vec<Term> = clause.body.iter().map(&mut meaning).collect();
    let head = clause.head.as_ref().map(meaning);
    formulas.push(clause.constraint);
    formulas.extend(head.map(|head| store.not(head)));
    formulas
}

/// Panics unless the invariant is inductive and excludes bad states.
pub(crate) fn invariant(cx: &mut Cx<'_>, ts: &TransitionSystem, invariant: Term) {
    let outside = cx.store.not(invariant);
    let next = ts.primed(cx.store, outside);
    assert!(is_contradictory(cx, &[ts.init, outside]), "initial states satisfy the invariant");
    assert!(is_contradictory(cx, &[invariant, ts.step, next]), "steps keep the invariant");
    assert!(is_contradictory(cx, &[invariant, ts.bad]), "bad states break the invariant");
}

/// Panics unless the run goes from an initial to a bad state.
pub(crate) fn run(cx: &mut Cx<'_>, ts: &TransitionSystem, run: &Run) {
    let count = run.states.len();
    let mut first = equalities(cx.store, &ts.state, &run.states[0]);
    first.push(ts.init);
    assert!(!is_contradictory(cx, &first), "it starts in an initial state");
    for pair in run.states.windows(2) {
        let mut step = equalities(cx.store, &ts.state, &pair[0]);
        step.extend(equalities(cx.store, &ts.next, &pair[1]));
        step.push(ts.step);
        assert!(!is_contradictory(cx, &step), "it takes steps");
    }
    let mut last = equalities(cx.store, &ts.state, &run.states[count - 1]);
    last.push(ts.bad);
    assert!(!is_contradictory(cx, &last), "it ends in a bad state");
}

fn equalities(store: &mut TermStore, symbols: &[Symbol], values: &[Value]) -> Vec<Term> {
    let mut result = Vec::new();
    for (&symbol, value) in symbols.iter().zip(values) {
        let (sort, constant) = (store.result(symbol), store.constant(symbol));
        let value = store.value_term(value, sort);
        assert_eq!(store.sort(value).is_bool(), sort.is_bool());
        result.push(store.eq(constant, value));
    }
    result
}
