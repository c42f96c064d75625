//! Sessions as users have them: clauses in pieces, scopes, many queries, what is learned.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::Duration;

use shofar::chc::{ChcSystem, Clause, PredAtom};
use shofar::term::{Sort, TermStore};
use shofar::{Answer, GaveUp, Relation, Session, Solver, int};

/// `x` counts up from 0 and `y` is the sum of all it was.
const SUMS: &str = "(declare-fun inv (Int Int) Bool)
(assert (inv 0 0))
(assert (forall ((x Int) (y Int)) (=> (inv x y) (inv (+ x 1) (+ y x 1)))))";

fn session() -> Session {
    let mut session = Session::with_solver(Solver::new().with_timeout(Duration::from_mins(1)));
    session.add_text(SUMS).unwrap();
    session
}

/// Adds the query whether `formula` can hold of `x` and `y`.
fn ask(session: &mut Session, name: &str, formula: &str) {
    let text = format!(
        "(assert (! (forall ((x Int) (y Int)) (=> (and (inv x y) {formula}) false)) :named {name}))"
    );
    session.add_text(text).unwrap();
}

/// The words of all queries.
fn words(session: &mut Session) -> Vec<(String, &'static str)> {
    let outcomes = session.check_each().into_iter();
    outcomes.map(|query| (query.name.unwrap_or_default(), query.outcome.word())).collect()
}

#[test]
fn every_query_has_its_own_verdict() {
    let mut session = session();
    ask(&mut session, "less", "(< y x)");
    ask(&mut session, "ten", "(= y 10)");
    ask(&mut session, "negative", "(< x 0)");
    ask(&mut session, "fifteen", "(and (= x 5) (= y 15))");
    let answers = session.check_each();
    let words: Vec<&str> = answers.iter().map(|query| query.outcome.word()).collect();
    assert_eq!(words, ["sat", "unsat", "sat", "unsat"]);
    let Answer::Unsafe(refutation) = &answers[3].outcome.answer else { panic!("15 is reached") };
    let last = refutation.named_steps().last().unwrap();
    assert_eq!(last.values, [("x".to_owned(), 5.into()), ("y".to_owned(), 15.into())]);
    let Answer::Safe(model) = &answers[0].outcome.answer else { panic!("y is never less") };
    assert_eq!(model.holds("inv", &[3, 2]), Some(false));
    assert_eq!(model.holds("inv", &[3, 6]), Some(true));
    assert_eq!(session.check().word(), "unsat");
}

#[test]
fn scopes_forget_queries_and_clauses() {
    let mut session = session();
    assert_eq!(session.check().word(), "sat", "there is no query");
    session.push();
    ask(&mut session, "ten", "(= y 10)");
    assert_eq!(session.check().word(), "unsat");
    assert!(session.pop());
    session.push();
    session.add_text("(assert (inv 7 0))").unwrap();
    ask(&mut session, "less", "(< y x)");
    assert_eq!(words(&mut session), [("less".to_owned(), "unsat")]);
    assert!(session.pop());
    ask(&mut session, "less", "(< y x)");
    assert_eq!(words(&mut session), [("less".to_owned(), "sat")]);
    assert!(!session.pop(), "all scopes are closed");
}

#[test]
fn what_is_known_answers_further_queries() {
    let mut session = session();
    ask(&mut session, "first", "(< y x)");
    let first = session.check();
    assert_ne!(first.report.engine.as_deref(), Some("known model"));
    let mut known = 0;
    for bound in 1..20 {
        session.push();
        ask(&mut session, "next", &format!("(< (+ y {bound}) x)"));
        let outcome = session.check();
        assert_eq!(outcome.word(), "sat");
        known += usize::from(outcome.report.engine.as_deref() == Some("known model"));
        session.pop();
    }
    assert!(known >= 18, "{known} of 19");
    // Other clauses have other models.
    session.add_text("(assert (inv 3 0))").unwrap();
    assert_eq!(session.check().word(), "unsat");
}

#[test]
fn what_is_refused_leaves_the_rest() {
    let mut session = session();
    let error = session.add_text("(assert (inv 1 1))\n(assert (inv 2))").unwrap_err();
    assert_eq!(error.position().line, 2);
    assert!(session.add_text("(check-sat)").unwrap_err().to_string().contains("check_each"));
    assert!(session.add_text("(assert (forall ((x Int)) (=> (inw x) false)))").is_err());
    assert!(session.add_text("(assert (> 1 0)").is_err());
    assert!(session.add_text("\u{0}\u{1}(((").is_err());
    ask(&mut session, "less", "(< y x)");
    assert_eq!(session.check().word(), "sat");
    let mut wrong = Session::new();
    let relation = Relation::new("p", &["Int"]);
    wrong.declare(&relation).unwrap();
    let error = wrong.rule(relation.of([int("x").and(int("y"))]), []).unwrap_err();
    assert!(error.to_string().contains("Bool"), "{error}");
    assert!(wrong.declare(&Relation::new("q", &["Nothing"])).is_err());
}

#[test]
fn clauses_of_a_store_join_those_of_a_text() {
    let (mut store, mut system) = (TermStore::new(), ChcSystem::new());
    let pred = system.add_pred(store.declare("inv", &[Sort::INT; 2], Sort::BOOL));
    let (x, y) = (store.var("x", Sort::INT), store.var("y", Sort::INT));
    let body = vec![PredAtom { pred, args: vec![x, y] }];
    let constraint = store.lt(y, x);
    system.add_clause(Clause { head: None, body, constraint, span: None });
    let mut session = session();
    session.add_clauses(&mut store, &system).unwrap();
    assert_eq!(session.check().word(), "sat");
    let constraint = store.add(&[x, y]);
    system.add_clause(Clause { head: None, body: Vec::new(), constraint, span: None });
    let error = session.add_clauses(&mut store, &system).unwrap_err();
    assert!(error.to_string().contains("not Bool"), "{error}");
}

#[test]
fn a_stopped_session_can_go_on() {
    let mut session = session();
    ask(&mut session, "less", "(< y x)");
    let handle = session.stop_handle();
    handle.stop(GaveUp::Cancelled);
    assert_eq!(session.check().word(), "unknown");
    handle.reset();
    assert_eq!(session.check().word(), "sat");
}

#[test]
fn what_is_known_follows_predicates_by_their_names() {
    let mut session = Session::new();
    session.push();
    session.add_text("(declare-fun p (Int) Bool)(assert (p 3))").unwrap();
    session.add_text("(assert (forall ((x Int)) (=> (p x) (> x 2))))").unwrap();
    assert_eq!(session.check().word(), "sat");
    assert!(session.pop());
    session.add_text("(declare-fun q (Int) Bool)(assert (q 1))").unwrap();
    session.add_text("(assert (forall ((x Int)) (=> (and (q x) (< x 9)) (q (+ x 1)))))").unwrap();
    session.add_text("(assert (forall ((x Int)) (=> (q x) (< x 10))))").unwrap();
    assert_eq!(session.check().word(), "sat");
    session.add_text("(assert (forall ((x Int)) (=> (q x) (< x 9))))").unwrap();
    assert_eq!(session.check().word(), "unsat");
}

#[test]
fn contradicting_clauses_fail_every_query() {
    let mut session = session();
    // An assertion that states a fact and a query at once.
    session.add_text("(assert (and (inv 1 5) (not (inv 2 7))))").unwrap();
    ask(&mut session, "less", "(< y x)");
    ask(&mut session, "ten", "(= y 10)");
    let words: Vec<&str> = words(&mut session).into_iter().map(|(_, word)| word).collect();
    assert_eq!(words, ["unsat", "unsat"]);
}

#[test]
fn a_hundred_queries_at_once() {
    let mut session = session();
    for number in 0..100 {
        // Sums are triangular numbers.
        ask(&mut session, &format!("q{number}"), &format!("(= y {number}) (< x 20)"));
    }
    let answers = words(&mut session);
    let is_sum = |number: usize| (0..20).any(|x| x * (x + 1) / 2 == number);
    for (number, (name, word)) in answers.iter().enumerate() {
        assert_eq!(name, &format!("q{number}"));
        let expected = if is_sum(number) { "unsat" } else { "sat" };
        assert!(*word == expected || *word == "unknown" && expected == "sat", "{name}: {word}");
    }
}

#[test]
fn what_cannot_be_asked_about_is_unknown() {
    let mut rules = Session::new();
    rules.add_text("(declare-rel p (Int)) (declare-var x Int) (rule (=> (= x 0) (p x)))").unwrap();
    let outcome = rules.check();
    let Answer::Unknown(failure) = &outcome.answer else { panic!("rules have their own question") };
    assert!(failure.reason().contains("cannot be mixed"), "{failure}");
    assert_eq!(rules.check_each().len(), 1);
    let mut constants = session();
    let error = constants.add_text("(declare-const c Int)").unwrap_err();
    assert!(error.to_string().contains("constant of sort Int"), "{error}");
    assert_eq!(constants.check().word(), "sat");
}

#[test]
fn a_text_ends_with_its_exit() {
    let mut session = session();
    session.add_text("(set-info :source |a file|) (exit) (assert (inv 1 0)) )))").unwrap();
    ask(&mut session, "less", "(< y x)");
    assert_eq!(session.check().word(), "sat");
    session.add_text("(reset)").unwrap();
    session.add_text("(declare-fun p (Int) Bool) (assert (p 1)) (assert (not (p 1)))").unwrap();
    assert_eq!(session.check().word(), "unsat");
}

#[test]
fn sorts_of_a_store_are_declared_once_a_scope() {
    let text = b"(declare-datatypes ((|two words| 0)) (((off) (on (level Int)))))
        (declare-fun |a\nb| (|two words|) Bool) (assert (|a\nb| off))
        (assert (forall ((s |two words|)) (=> (|a\nb| s) (not (is-on s))))) (check-sat)";
    let problem = shofar::Problem::from_text(text).unwrap();
    let (mut store, system) = (problem.store().clone(), problem.system().clone());
    let mut session = Session::new();
    for _ in 0..2 {
        session.push();
        session.add_clauses(&mut store, &system).unwrap();
        session.push();
        session.add_clauses(&mut store, &system).unwrap();
        assert_eq!(session.check().word(), "sat");
        assert!(session.pop() && session.pop());
    }
    // A predicate of this name with other arguments is another one.
    session.add_text("(declare-fun |a\nb| (Int) Bool)").unwrap();
    assert!(session.add_clauses(&mut store, &system).is_err());
}

#[test]
fn deep_and_long_texts_are_read() {
    let mut session = session();
    let depth = 100_000;
    let sum = format!("{}x{}", "(+ 1 ".repeat(depth), ")".repeat(depth));
    ask(&mut session, "deep", &format!("(< {sum} 0)"));
    assert_eq!(session.check().word(), "sat");
    let fact = |number: i64| format!("(assert (inv {number} {}))\n", number * (number + 1) / 2);
    session.add_text((0..20_000).map(fact).collect::<String>()).unwrap();
    assert_eq!(session.check().word(), "sat");
    let handle = session.stop_handle();
    handle.stop(GaveUp::Timeout);
    assert_eq!(session.check_each().iter().filter(|it| it.outcome.word() == "unknown").count(), 1);
}
