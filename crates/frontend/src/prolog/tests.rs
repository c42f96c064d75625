//! What clauses are read as, and what is refused.

use shofar_term::TermStore;

use super::*;
use crate::trial::{self, check_refused};

fn assertions(text: &str) -> Vec<String> {
    trial::assertions(&PROLOG, text, &[])
}

fn check(text: &str, expected: &[&str]) {
    assert_eq!(assertions(text), expected, "{text}");
}

#[test]
fn facts_rules_and_queries() {
    check(
        "p(0). p(Y) :- p(X), Y = X + 1. false :- p(X), X < 0.",
        &[
            "(assert (=> true (p 0)))",
            "(assert (forall ((A Int) (B Int)) (=> (and (p B) (= A (+ B 1))) (p A))))",
            "(assert (forall ((A Int)) (=> (and (p A) (<= A (- 1))) false)))",
        ],
    );
}

#[test]
fn names_are_predicates_or_variables_by_their_place() {
    check(
        "Start :- true.\nq(x) :- Start, x = 3.\nfalse :- q(x), x mod 2 = 0.",
        &[
            "(assert (=> true Start))",
            "(assert (forall ((A Int)) (=> (and Start (= A 3)) (q A))))",
            "(assert (forall ((A Int)) (=> (and (q A) (= (mod A 2) 0)) false)))",
        ],
    );
}

#[test]
fn each_blank_is_a_variable_of_its_own() {
    let shown = assertions("p(_, _, X) :- q(_), X = 1.");
    assert_eq!(shown.len(), 1);
    assert!(shown[0].starts_with("(assert (forall ((A Int) (B Int) (C Int) (D Int))"), "{shown:?}");
}

#[test]
fn disjunctions_with_predicates_are_several_clauses() {
    assert_eq!(assertions("p(X) :- q(X) ; (r(X), X > 0).").len(), 2);
    check(
        "p(X) :- q(X), (X = 1 ; X = 2).",
        &["(assert (forall ((A Int)) (=> (and (q A) (or (= A 2) (= A 1))) (p A))))"],
    );
}

#[test]
fn predicates_of_one_name_differ_by_their_arguments() {
    let mut store = TermStore::new();
    let text = b"p(0) :- p(1, 2). p :- 'p/2'(1). p(X, X). false :- p.";
    let problem = read(text, &mut store).unwrap();
    let system = &problem.system;
    let names: Vec<&str> = system.preds().map(|p| store.name(system.symbol(p))).collect();
    assert_eq!(names, ["p", "p/2", "p/0", "p/2/1"]);
}

#[test]
fn other_spellings_mean_the_same() {
    let expected = assertions("p(X, Y) :- q(Z), \\+ (X = Z), Y =< Z, X =\\= 2 * Y.");
    let armc = "p-[X, Y] :- q-[Z], X \\= Z, Z >= Y, X != Y * 2. % the end";
    assert_eq!(assertions(armc), expected);
    assert_eq!(assertions("p(X, Y) :- q(Z), (\\+ X =:= Z), \\+ Y > Z, \\+ (X = Y + Y)."), expected);
}

#[test]
fn spans_are_those_of_the_clauses() {
    let text = "% first\np(0).\n\n  p(X) :-\n p(Y),\n X = Y+1.\n";
    let mut store = TermStore::new();
    let problem = read(text.as_bytes(), &mut store).unwrap();
    let parts: Vec<&str> = problem
        .system
        .clauses()
        .filter_map(|(_, clause)| clause.span.map(|span| &text[span.start..span.end]))
        .collect();
    assert_eq!(parts, ["p(0).", "p(X) :-\n p(Y),\n X = Y+1."]);
}

#[test]
fn what_is_not_understood_is_refused_at_its_place() {
    for (text, place, message) in [
        ("", "", "the text has no clauses"),
        (":- use_module(library(clpfd)).\np.", ":- use_module", "the directive `use_module`"),
        ("?- p(X).", "?- p", "the directive `p`"),
        ("p(X) :- \\+ q(X).", "q(X)", "a predicate cannot be negated"),
        ("p(X) :- q, r ; s.", "q, r ; s", "need brackets"),
        ("p(X) :- q ; r, s.", "q ; r, s", "need brackets"),
        ("p(X) :- X < q(X).", "q(X)", "expected a value, found a predicate"),
        ("p(X) :- q(r(X)).", "r(X)", "expected a value, found a predicate"),
        ("p(X) :- q(X) = r(X).", "q(X)", "expected a value, found a predicate"),
        ("p(X) :- X < Y < Z.", "X < Y", "expected a number, found a formula"),
        ("p(X) :- X + 1.", "X + 1", "expected a formula, found a number"),
        ("p(X) :- X = Y mod Z.", "Z", "the divisor has to be a number"),
        ("p(X) :- X = Y / -2.", "-2", "not positive"),
        ("p(X) :- X = Y / 0.", "0", "not positive"),
        ("p(X) :- q(X), .", ".", "expected an expression, found `.`"),
        ("p(X) :- (q(X), r(X).", ".", "the end of a bracket"),
        ("p(X) :- q(X)", "", "`.` at the end of the clause"),
        ("p(X) :- q(X)).", ")", "`.` at the end of the clause"),
        ("p(X), q(X) :- r(X).", "p(X), q(X)", "the head of a clause"),
        ("X = 1 :- r(X).", "X = 1", "the head of a clause"),
        ("p(X) :- X <= 3.", "=", "expected an expression, found `=`"),
        ("p('a').", "'a'", "only integers"),
        ("p(true).", "true", "expected a number"),
        ("p(X) :- _.", "_", "expected a literal"),
        ("true(X).", "true", "no arguments"),
        ("p(1.5).", ".", "the end of a bracket"),
    ] {
        check_refused(&PROLOG, text, &[], (place, message));
    }
}

#[test]
fn nesting_is_no_problem() {
    let depth = 200_000;
    let text = format!("p(X) :- {}X = 1{}.", "(".repeat(depth), ")".repeat(depth));
    assert_eq!(assertions(&text).len(), 1);
    let text = format!("p(X) :- X = {}1.", "- ".repeat(depth));
    assert_eq!(assertions(&text).len(), 1);
    let text = format!("p(X) :- X = {}", "(".repeat(depth));
    assert!(read(text.as_bytes(), &mut TermStore::new()).is_err());
}

#[test]
fn texts_are_recognised() {
    for text in ["p(X) :- q(X).", "% no\n// no\n p. q :- p.", "'a b'(X) :- true.", "false:-p."] {
        assert!(recognises(text.as_bytes()), "{text}");
    }
    for text in ["", "(assert true)", "nts x;", "what is this?", "start 5", "p(X).", ":- p."] {
        assert!(!recognises(text.as_bytes()), "{text}");
    }
}
