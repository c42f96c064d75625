//! Refutations: the right one is accepted, and faults are named.

use shofar_base::{Budget, GaveUp, Idx};
use shofar_chc::print::{Lines, print_summary};
use shofar_chc::read::{Assertion, HornProblem};
use shofar_chc::{ChcSystem, ClauseId, Derivation, DerivationStep, PredAtom, Verdict};
use shofar_check::{Fault, HornInput, Objection, validate};
use shofar_term::eval::{Model, Value};
use shofar_term::{Cx, Sort, TermStore};

use crate::cases::{Case, clause, counter, fibonacci, number};

fn fault(case: &mut Case, derivation: Derivation) -> Fault {
    match case.validate(Verdict::Unsafe(derivation)) {
        Err(Objection::Step { fault, .. }) => fault,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_derivation_tree_survives_printing_and_reading() {
    let (mut case, derivation) = fibonacci(12);
    let witness = Verdict::Unsafe(derivation);
    let text = case.print(&witness);
    assert!(text.contains(":derives (fib 12 233 true))\n(step 13 :clause 3 "), "{text}");
    assert!(text.contains("(r (/ 1.0 2.0))"), "{text}");
    assert!(case.validate(witness).is_ok());
    assert!(case.accepts(&text));
    assert!(case.accepts(&format!("unsat\n; by hand\n{text}")));
}

#[test]
fn faults_are_named() {
    let (mut case, good) = fibonacci(5);
    let n = case.store.declare("n", &[], Sort::INT);
    let b = case.store.declare("b", &[], Sort::BOOL);
    let with = |change: &dyn Fn(&mut Vec<DerivationStep>)| {
        let mut bad = good.clone();
        change(&mut bad.steps);
        bad
    };
    let last = good.steps.len() - 1;
    let no_such = with(&|s| s[0].clause = ClauseId::from_index(4));
    assert_eq!(fault(&mut case, no_such), Fault::NoSuchClause);
    let ill_sorted = with(&|s| s[2].assignment.set(b, number(1)));
    assert_eq!(fault(&mut case, ill_sorted), Fault::IllSorted(b));
    let half = with(&|s| s[2].assignment.set(n, Value::Number("1/2".parse().unwrap())));
    assert_eq!(fault(&mut case, half), Fault::IllSorted(n));
    let constraint = with(&|s| s[0].assignment.set(n, number(3)));
    assert_eq!(fault(&mut case, constraint), Fault::Constraint);
    let few = with(&|s| s[2].premises.truncate(1));
    assert_eq!(fault(&mut case, few), Fault::PremiseCount { expected: 2, found: 1 });
    let ahead = with(&|s| s[2].premises[1] = 2);
    assert_eq!(fault(&mut case, ahead), Fault::NotEarlier(2));
    let swapped = with(&|s| s[2].premises.swap(0, 1));
    assert!(matches!(fault(&mut case, swapped), Fault::Premise { premise: 1, .. }));
    let unfinished = with(&|s| s.truncate(last));
    assert_eq!(case.validate(Verdict::Unsafe(unfinished)).err(), Some(Objection::NotRefuted));
    assert_eq!(
        case.validate(Verdict::Unsafe(Derivation::default())).err(),
        Some(Objection::NotRefuted)
    );
}

#[test]
fn values_that_are_left_out_are_false_or_zero() {
    let mut case = counter(0);
    let fact = DerivationStep {
        clause: ClauseId::from_index(0),
        assignment: Model::new(),
        premises: vec![],
    };
    let query =
        DerivationStep { clause: ClauseId::from_index(2), premises: vec![0], ..fact.clone() };
    let derivation = Derivation::ground(vec![fact, query]);
    // `x = 0` is inside the bounds, so the query does not apply: the default was used in both
    // steps.
    assert_eq!(fault(&mut case, derivation), Fault::Constraint);
}

/// A clause that its assertion does not imply, as if the reader had made a mistake.
#[test]
fn clauses_are_not_trusted() {
    let mut s = TermStore::new();
    let mut system = ChcSystem::new();
    let symbol = s.declare("p", &[Sort::INT], Sort::BOOL);
    let p = system.add_pred(symbol);
    let (x, five) = (s.var("x", Sort::INT), s.int(5));
    let atom = PredAtom { pred: p, args: vec![x] };
    let (top, big) = (s.top(), s.gt(x, five));
    system.add_clause(clause(vec![], top, Some(atom.clone())));
    system.add_clause(clause(vec![atom], top, None));
    let applied = s.app(symbol, &[x]);
    // The user wrote `x > 5 → p(x)`.
    let guarded = s.implies(big, applied);
    let query = s.not(applied);
    let mut problem = HornProblem::of_system(&mut s, system);
    for (assertion, formula) in problem.assertions.iter_mut().zip([guarded, query]) {
        *assertion = Assertion { written: formula, formula, ..assertion.clone() };
    }
    let input = HornInput::new(problem.into());
    let mut case = Case { store: s, input, preds: vec![p] };
    let at = |value: i64, case: &mut Case| {
        let mut assignment = Model::new();
        assignment.set(case.store.declare("x", &[], Sort::INT), number(value));
        let step = |clause, premises| DerivationStep {
            clause: ClauseId::from_index(clause),
            assignment: assignment.clone(),
            premises,
        };
        Derivation::ground(vec![step(0, vec![]), step(1, vec![0])])
    };
    let (wrong, right) = (at(3, &mut case), at(6, &mut case));
    assert_eq!(fault(&mut case, wrong), Fault::Unfounded);
    assert!(case.validate(Verdict::Unsafe(right)).is_ok());
}

/// `inv(0)`, then `inv(x) → inv(x + 1)` again and again, then a query.
fn long_run(length: i64) -> (Case, Derivation) {
    let mut case = counter(length);
    let s = &mut case.store;
    let x = s.var("x", Sort::INT);
    let limit = s.int(length);
    let mut system = case.input.system().clone();
    let reached = s.eq(x, limit);
    let atom = PredAtom { pred: case.preds[0], args: vec![x] };
    system.add_clause(clause(vec![atom], reached, None));
    let symbol = s.declare("x", &[], Sort::INT);
    case.input = HornInput::of_system(s, system);
    let step = |clause: usize, value: i64, premises: Vec<usize>| {
        let mut assignment = Model::new();
        assignment.set(symbol, number(value));
        DerivationStep { clause: ClauseId::from_index(clause), assignment, premises }
    };
    let mut steps = vec![step(0, 0, vec![])];
    for value in 0..length {
        let premise = steps.len() - 1;
        steps.push(step(1, value, vec![premise]));
    }
    steps.push(step(3, length, vec![steps.len() - 1]));
    (case, Derivation::ground(steps))
}

#[test]
fn a_long_run_is_summarised_in_three_lines() {
    let (case, derivation) = long_run(1000);
    let mut out = Vec::new();
    let system = case.input.system();
    print_summary(&mut out, &case.store, system, &Lines::unknown(), &derivation).unwrap();
    assert_eq!(
        String::from_utf8(out).unwrap(),
        "(refutation-summary :steps 1002\n\
         (step 0 :clause 0 :derives (|the inv| 0))\n\
         (repeat 1000 :from 1 :to 1000 :clauses (1) :derives (|the inv| 1000))\n\
         (step 1001 :clause 3 :derives false)\n\
         )\n"
    );
}

#[test]
fn a_hundred_thousand_steps_go_round() {
    let (mut case, derivation) = long_run(100_000);
    let text = case.print(&Verdict::Unsafe(derivation));
    assert!(case.accepts(&text));
}

#[test]
fn the_budget_is_honoured() {
    let (mut case, derivation) = long_run(10);
    let model = case.model(|s, _, _| s.top());
    let budget = Budget::unlimited();
    budget.stop_handle().stop(GaveUp::Cancelled);
    for witness in [Verdict::Unsafe(derivation), model] {
        let mut cx = Cx::new(&mut case.store, &budget);
        let outcome = validate(&mut cx, &case.input, witness);
        assert!(matches!(outcome, Err(GaveUp::Cancelled)));
    }
}
