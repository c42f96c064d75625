//! The validator accepts what was found, and refuses it when any part of it is changed.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use shofar_base::Budget;
use shofar_frontend::ARI;
use shofar_num::Rational;
use shofar_term::{Cx, TermStore};
use shofar_termination::{
    Analysis, Answer, DivergenceProof, Options, Program, TerminationProof, analyse,
    check_divergence, check_termination,
};

/// The step is positive because the start says so; an inner loop makes two steps necessary.
const ENDS: &str =
    "(format LCTRS)(theory Ints)(fun f (-> Int Int Int))(fun g (-> Int Int Int))(entrypoint f)
    (rule (f x y) (g x 2))
    (rule (g x y) (g (- x y) y) :guard (> x 5))
    (rule (g x y) (g (+ x 1) (- y 1)) :guard (and (<= x 5) (> y 1)))";
/// The next value may be chosen.
const RUNS: &str =
    "(format LCTRS)(theory Ints)(fun f (-> Int Int))(fun g (-> Int Int))(entrypoint f)
    (rule (f x) (g (+ x 1)) :guard (> x 3))
    (rule (g x) (g z) :guard (and (> z x) (> x 0)))";

fn analysed(text: &str) -> Analysis {
    let mut store = TermStore::new();
    let problem = ARI.read_plainly(text.as_bytes(), &mut store).unwrap().remove(0);
    analyse(store, &problem.system, &Options::default())
}

fn terminates(analysis: &Analysis) -> TerminationProof {
    match &analysis.answer {
        Answer::Terminates(proof) => proof.clone(),
        Answer::Diverges(_) | Answer::Maybe(_) => panic!("{:?}", analysis.answer),
    }
}

fn diverges(analysis: &Analysis) -> DivergenceProof {
    match &analysis.answer {
        Answer::Diverges(proof) => proof.clone(),
        Answer::Terminates(_) | Answer::Maybe(_) => panic!("{:?}", analysis.answer),
    }
}

fn with_program<T>(analysis: &Analysis, work: impl FnOnce(&mut Cx<'_>, &Program) -> T) -> T {
    let (program, store) = analysis.program().unwrap();
    let (mut store, budget) = (store.clone(), Budget::unlimited());
    work(&mut Cx::new(&mut store, &budget), program)
}

#[test]
fn changed_ranking_functions_are_refused() {
    let analysis = analysed(ENDS);
    let proof = terminates(&analysis);
    let verdict = |proof: &TerminationProof| {
        with_program(&analysis, |cx, program| check_termination(cx, program, proof).unwrap())
    };
    assert_eq!(verdict(&proof), Ok(()));
    for at in 0..proof.steps.len() {
        let mut changed = proof.clone();
        changed.steps.remove(at);
        assert!(verdict(&changed).is_err(), "without step {at}");
        let mut changed = proof.clone();
        for (_, rank) in &mut changed.steps[at].ranks {
            for coefficient in &mut rank.coefficients {
                *coefficient = -coefficient.clone();
            }
        }
        assert!(verdict(&changed).is_err(), "step {at} the other way round");
        let mut changed = proof.clone();
        changed.steps[at].ranks.clear();
        assert!(verdict(&changed).is_err(), "step {at} without functions");
        let mut changed = proof.clone();
        changed.steps[at].pieces.truncate(0);
        assert!(verdict(&changed).is_err(), "step {at} about nothing");
    }
    let mut changed = proof.clone();
    changed.pieces.pop();
    assert!(verdict(&changed).is_err(), "a transition that is not covered");
}

#[test]
fn changed_invariants_are_refused() {
    let analysis = analysed(ENDS);
    let proof = terminates(&analysis);
    let refused = with_program(&analysis, |cx, program| {
        let mut refused = 0;
        for pred in program.system().preds() {
            for value in [true, false] {
                let mut changed = proof.clone();
                changed.invariants.define_constant(cx.store, program.system(), pred, value);
                refused += usize::from(check_termination(cx, program, &changed).unwrap().is_err());
            }
        }
        refused
    });
    // Nothing holds nowhere, and without y ≥ 1 the first rule need not decrease.
    assert!(refused >= 3, "{refused}");
}

#[test]
fn changed_recurrent_sets_are_refused() {
    let analysis = analysed(RUNS);
    let proof = diverges(&analysis);
    with_program(&analysis, |cx, program| {
        let mut verdict = |proof: &DivergenceProof| check_divergence(cx, program, proof).unwrap();
        assert_eq!(verdict(&proof), Ok(()));
        let mut changed = proof.clone();
        changed.recurrence.moves.clear();
        assert!(verdict(&changed).is_err(), "no moves");
        let mut changed = proof.clone();
        changed.recurrence.moves[0].steps.clear();
        assert!(verdict(&changed).is_err(), "a move of no steps");
        let mut changed = proof.clone();
        changed.recurrence.moves[0].steps[0].values.pop();
        assert!(verdict(&changed).is_err(), "something is left open");
        let mut changed = proof.clone();
        changed.execution.steps.remove(0);
        assert!(verdict(&changed).is_err(), "an execution that does not begin");
        let mut changed = proof.clone();
        changed.recurrence.sets.clear();
        assert!(verdict(&changed).is_err(), "no sets");
    });
    with_program(&analysis, |cx, program| {
        let mut changed = proof.clone();
        changed.recurrence.sets[0].1 = cx.store.top();
        assert!(check_divergence(cx, program, &changed).unwrap().is_err(), "all states");
        let mut changed = proof.clone();
        for (_, value) in &mut changed.recurrence.moves[0].steps[0].values {
            *value = cx.store.number(Rational::ZERO, shofar_term::Sort::INT);
        }
        assert!(check_divergence(cx, program, &changed).unwrap().is_err(), "another choice");
    });
}
