//! Models as other solvers write them, and what is said about texts that are no witnesses.

use std::borrow::Cow;

use shofar_base::Idx;
use shofar_chc::{ChcSystem, PredAtom, Verdict};
use shofar_check::{HornInput, parse_witness};
use shofar_smtlib::Source;
use shofar_term::{Sort, TermStore};

use crate::cases::{Case, clause};

/// `x = 0 ∧ r = 1/2 → p(x, r, true)`, `p(x, r, b) → q`, and `p(x, r, b) ∧ (x < 0 ∨ ¬b) → false`.
fn mixed() -> Case {
    let mut s = TermStore::new();
    let mut system = ChcSystem::new();
    let symbol = s.declare("p", &[Sort::Int, Sort::Real, Sort::Bool], Sort::Bool);
    let p = system.add_pred(symbol);
    let q = system.add_pred(s.declare("q", &[], Sort::Bool));
    let (x, r, b) = (s.var("x", Sort::Int), s.var("r", Sort::Real), s.var("b", Sort::Bool));
    let (zero, half, top) =
        (s.int(0), s.number(shofar_num::Rational::new(1, 2), Sort::Real), s.top());
    let (at_zero, at_half) = (s.eq(x, zero), s.eq(r, half));
    let init = s.and(&[at_zero, at_half]);
    system.add_clause(clause(vec![], init, Some(PredAtom { pred: p, args: vec![x, r, top] })));
    let atom = PredAtom { pred: p, args: vec![x, r, b] };
    let none = PredAtom { pred: q, args: vec![] };
    system.add_clause(clause(vec![atom.clone()], top, Some(none)));
    let (negative, not_b) = (s.lt(x, zero), s.not(b));
    let bad = s.or(&[negative, not_b]);
    system.add_clause(clause(vec![atom], bad, None));
    let input = HornInput::of_system(&mut s, Cow::Owned(system));
    Case { store: s, input, preds: vec![p, q] }
}

#[test]
fn models_of_other_solvers_are_understood() {
    let texts = [
        // z3, new and old
        "sat\n(\n  (define-fun q () Bool\n    true)\n  (define-fun p ((x!0 Int) (x!1 Real) (x!2 Bool)) Bool\n    (let ((a!1 (not (<= x!0 (- 1)))))\n      (and x!2 a!1 (= x!1 (/ 1.0 2.0)))))\n)\n",
        "(model \n  (define-fun q () Bool true)\n  (define-fun p ((x!0 Int) (x!1 Real) (x!2 Bool)) Bool (and x!2 (>= x!0 0))))",
        // Golem
        "sat\n(define-fun p ((x Int) (y Real) (b Bool)) Bool (and b (not (<= x (- 1)))))\n(define-fun q () Bool (not false))\n",
        // Eldarica
        "sat\n(\n(define-fun q () Bool (or true (= 1 2)))\n(define-fun p ((A Int) (B Real) (C Bool)) Bool (and C (>= (+ A (* (- 1) 0)) 0)))\n)",
        // an auxiliary function after its use, parameters named like predicates
        "((define-fun p ((q Int) (p Real) (help Bool)) Bool (and help (natural q)))\n(define-fun natural ((n Int)) Bool (>= n 0))\n(define-fun q () Bool (natural 3)))",
    ];
    for text in texts {
        let mut case = mixed();
        let witness = case.parse(text).unwrap_or_else(|error| {
            panic!("{}", error.render("witness", &Source::new(text.as_bytes())))
        });
        let certified = case.validate(witness).unwrap_or_else(|objection| {
            panic!("{text}: {}", objection.describe(&case.store, &case.input))
        });
        assert!(matches!(certified.verdict(), Verdict::Safe(_)));
        let printed = case.print(&certified.into_verdict());
        assert!(case.accepts(&printed), "{printed}");
    }
}

/// The message, and the text it points at.
fn complaint(text: &str) -> (String, String) {
    let mut case = mixed();
    let error = case.parse(text).expect_err(text);
    let span = error.span;
    assert!(span.start <= span.end && span.end <= text.len(), "{span:?} in {text}");
    (error.message, text[span.start..span.end].to_owned())
}

#[test]
fn complaints_point_at_the_place() {
    const P: &str = "(define-fun p ((A Int) (B Real) (C Bool)) Bool";
    const Q: &str = "(define-fun q () Bool true)";
    let cases = [
        (String::new(), "there is neither a model nor a refutation", ""),
        ("unknown".into(), "`unknown` comes without a witness", "unknown"),
        ("()".into(), "the predicate `p` is not defined", "()"),
        (Q.into(), "the predicate `p` is not defined", Q),
        (format!("({Q} {P} (< A D)))"), "unknown symbol `D`", "D"),
        (format!("({P} q) {Q} {Q})"), "`q` is defined twice", "q"),
        (format!("({Q} {P} (p A B C)))"), "unknown function `p`", "p"),
        (
            format!("({Q} {P} (= (div A 0) 1)))"),
            "a division by zero has no definite value, so this defines nothing",
            "(= (div A 0) 1)",
        ),
        (
            format!("({Q} (define-fun p ((A Int)) Bool true))"),
            "`p` is declared as (Int Real Bool) Bool",
            "p",
        ),
        (
            format!("({Q} (define-fun p ((A Int) (B Real) (C Bool)) Int 1))"),
            "`p` is declared as (Int Real Bool) Bool",
            "p",
        ),
        (
            format!("({Q} (define-fun-rec p () Bool true))"),
            "recursive definitions are not supported",
            "define-fun-rec",
        ),
        ("(error \"no model\")".into(), "this is an error message, not a witness", "error"),
        ("(refutation (step 1".into(), "this is step 0", "1"),
        ("(refutation (step 0 :clause 3".into(), "there are 3 clauses, numbered from 0", "3"),
        (
            "(refutation (step 0 :clause 0 :values ((y 1))".into(),
            "clause 0 has no variable `y`",
            "y",
        ),
        ("(refutation (step 0 :clause 0 :values ((x 1) (x 2))".into(), "`x` has two values", "x"),
        ("(refutation (step 0 :clause 0 :values ((x 0.5))".into(), "this is not an integer", "0.5"),
        (
            "(refutation (step 0 :clause 0 :values ((r (/ 1 0)))".into(),
            "a value cannot be divided by zero",
            "0",
        ),
        (
            "(refutation (step 0 :clause 0 :premises () :derives (p 1 0.0 true)))".into(),
            "clause and values derive something else",
            ":derives",
        ),
        ("(refutation (step 0 :clause 0))".into(), "`:premises` are missing", "step"),
        (
            "(refutation-summary :steps 1)".into(),
            "a summary leaves values out and cannot be checked",
            "refutation-summary",
        ),
        ("(refutation) (refutation)".into(), "nothing may follow a refutation", "("),
    ];
    for (text, message, place) in cases {
        assert_eq!(complaint(&text), (message.to_owned(), place.to_owned()), "{text}");
    }
}

#[test]
fn quantifiers_and_products_are_refused() {
    for body in ["(forall ((x Int)) (> x A))", "(= (* A A) 4)"] {
        let text = format!(
            "((define-fun q () Bool true) (define-fun p ((A Int) (B Real) (C Bool)) Bool {body}))"
        );
        let (_, place) = complaint(&text);
        assert!(body.contains(&place), "{place}");
    }
}

#[test]
fn two_thousand_arguments_and_deep_bodies() {
    let mut s = TermStore::new();
    let mut system = ChcSystem::new();
    let wide = system.add_pred(s.declare("wide", &[Sort::Int; 2000], Sort::Bool));
    let params = shofar_chc::formal_params(&mut s, &system, wide);
    let (zero, mut body) = (s.int(0), s.top());
    for (at, &param) in params.iter().enumerate() {
        let x = s.constant(param);
        let atom = s.le(x, zero);
        body = if at % 2 == 0 { s.and(&[body, atom]) } else { s.or(&[body, atom]) };
    }
    let mut model = shofar_chc::Interpretation::new();
    model.define(wide, shofar_chc::Definition { params, body });
    let mut text = Vec::new();
    shofar_chc::print::print_model(&mut text, &mut s, &system, &model).unwrap();
    let Ok(Verdict::Safe(read)) = parse_witness(&text, &system, &mut s) else { panic!() };
    let mut again = Vec::new();
    shofar_chc::print::print_model(&mut again, &mut s, &system, &read).unwrap();
    assert_eq!(text, again);
    assert_eq!(wide.index(), 0);
}
