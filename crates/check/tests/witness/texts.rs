//! Models as other solvers write them, and what is said about texts that are no witnesses.

use shofar_base::{Budget, Idx};
use shofar_chc::{ChcSystem, PredAtom, Verdict};
use shofar_check::{HornInput, Unread, parse_witness};
use shofar_term::{Cx, Sort, TermStore};

use crate::cases::{Case, clause};

/// `x = 0 ∧ r = 1/2 → p(x, r, true)`, `p(x, r, b) → q`, and `p(x, r, b) ∧ (x < 0 ∨ ¬b) → false`.
fn mixed() -> Case {
    let mut s = TermStore::new();
    let mut system = ChcSystem::new();
    let symbol = s.declare("p", &[Sort::INT, Sort::REAL, Sort::BOOL], Sort::BOOL);
    let p = system.add_pred(symbol);
    let q = system.add_pred(s.declare("q", &[], Sort::BOOL));
    let (x, r, b) = (s.var("x", Sort::INT), s.var("r", Sort::REAL), s.var("b", Sort::BOOL));
    let (zero, half, top) =
        (s.int(0), s.number(shofar_num::Rational::new(1, 2), Sort::REAL), s.top());
    let (at_zero, at_half) = (s.eq(x, zero), s.eq(r, half));
    let init = s.and(&[at_zero, at_half]);
    system.add_clause(clause(vec![], init, Some(PredAtom { pred: p, args: vec![x, r, top] })));
    let atom = PredAtom { pred: p, args: vec![x, r, b] };
    let none = PredAtom { pred: q, args: vec![] };
    system.add_clause(clause(vec![atom.clone()], top, Some(none)));
    let (negative, not_b) = (s.lt(x, zero), s.not(b));
    let bad = s.or(&[negative, not_b]);
    system.add_clause(clause(vec![atom], bad, None));
    let input = HornInput::of_system(&mut s, system);
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
        let witness = case.parse(text).unwrap_or_else(|unread| panic!("{text}: {unread:?}"));
        let certified = case.validate(witness).unwrap_or_else(|objection| {
            panic!("{text}: {}", objection.describe(&case.store, &case.input))
        });
        assert!(matches!(certified.verdict(), Verdict::Safe(_)));
        let printed = case.print(&certified.into_verdict());
        assert!(case.accepts(&printed), "{printed}");
    }
}

/// Whether a text is not understood, or only does not fit.
#[derive(Debug, PartialEq, Eq)]
enum Trouble {
    Malformed,
    Misfit,
}
use Trouble::{Malformed, Misfit};

/// What is the trouble, the message, and the text it points at.
fn complaint(text: &str) -> (Trouble, String, String) {
    let mut case = mixed();
    let (trouble, error) = match case.parse(text).expect_err(text) {
        Unread::Malformed(error) => (Malformed, error),
        Unread::Misfit(error) => (Misfit, error),
        Unread::GaveUp(why) => panic!("{why} without a limit"),
    };
    let span = error.span;
    assert!(span.start <= span.end && span.end <= text.len(), "{span:?} in {text}");
    (trouble, error.message, text[span.start..span.end].to_owned())
}

#[test]
fn complaints_point_at_the_place() {
    const P: &str = "(define-fun p ((A Int) (B Real) (C Bool)) Bool";
    const Q: &str = "(define-fun q () Bool true)";
    let malformed = [
        (String::new(), "there is neither a model nor a refutation", ""),
        ("unknown".into(), "there is neither a model nor a refutation", "unknown"),
        (format!("({Q} {P} (< A D)))"), "unknown symbol `D`", "D"),
        (format!("({P} q) {Q} {Q})"), "`q` is defined twice", "q"),
        (format!("({Q} {P} (p A B C)))"), "unknown function `p`", "p"),
        (
            format!("({Q} {P} (= (div A 0) 1)))"),
            "in the expansion of `p`: division by zero has no fixed value and is not supported in Horn clauses",
            "(= (div A 0) 1)",
        ),
        (format!("({Q} {P} (= (* A A) 4)))"), "a product of terms is not linear", "(= (* A A) 4)"),
        (
            format!("({Q} (define-fun-rec p () Bool true))"),
            "recursive definitions are not supported",
            "define-fun-rec",
        ),
        (
            "(error \"no model\")".into(),
            "there is neither a model nor a refutation",
            "(error \"no model\")",
        ),
        (
            "(refutation (step 0 :clause 0 :values ((r (/ 1 0))) :premises ()))".into(),
            "a value cannot be divided by zero",
            "0",
        ),
        ("(refutation (step 0 :clause 0))".into(), "`:premises` are missing", "step"),
        (
            "(refutation-summary :steps 1)".into(),
            "a summary leaves values out and cannot be checked",
            "(refutation-summary :steps 1)",
        ),
        ("(refutation) (model)".into(), "here further evidence begins", "(model)"),
        ("unsat (refutation) sat ()".into(), "here a second answer begins", "sat"),
    ];
    for (text, message, place) in malformed {
        assert_eq!(complaint(&text), (Malformed, message.to_owned(), place.to_owned()), "{text}");
    }
}

#[test]
fn what_speaks_about_another_problem_does_not_fit() {
    const P: &str = "(define-fun p ((A Int) (B Real) (C Bool)) Bool";
    const Q: &str = "(define-fun q () Bool true)";
    let step = |rest: &str| format!("(refutation (step 0 {rest}))");
    let misfits = [
        ("()".into(), "the predicate `p` is not defined", "()"),
        (Q.into(), "the predicate `p` is not defined", Q),
        (format!("({P} C))"), "the predicate `q` is not defined", &format!("({P} C))")),
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
        ("(refutation (step 1))".into(), "this is step 0", "1"),
        (step(":clause 3"), "the problem has 3 clauses, numbered from 0", "3"),
        (step(":clause 0 :values ((y 1))"), "clause 0 has no variable `y`", "y"),
        (step(":clause 0 :values ((x 1) (x 2))"), "`x` has two values", "x"),
        (step(":clause 0 :values ((x 0.5))"), "this is not an integer", "0.5"),
        (step(":clause 0 :values ((x true))"), "this is not a number", "true"),
        (
            step(":clause 2 :values ((x 0) (r 1.0) (b 1))"),
            "this is neither `true` nor `false`",
            "1",
        ),
        (
            step(":clause 0 :premises () :derives (p 1 0.0 true)"),
            "clause and values derive something else",
            ":derives",
        ),
        (step(":clause 0 :premises () :derives (p 1)"), "`p` is declared with 3 arguments", "p"),
        (
            step(":clause 0 :premises () :derives (p 1 0.0 true 5)"),
            "`p` is declared with 3 arguments",
            "p",
        ),
        (step(":clause 0 :premises () :derives (s 1)"), "there is no predicate `s`", "s"),
    ];
    for (text, message, place) in misfits {
        assert_eq!(complaint(&text), (Misfit, message.to_owned(), place.to_owned()), "{text}");
    }
}

#[test]
fn two_thousand_arguments_and_deep_bodies() {
    let mut s = TermStore::new();
    let mut system = ChcSystem::new();
    let wide = system.add_pred(s.declare("wide", &[Sort::INT; 2000], Sort::BOOL));
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
    let budget = Budget::unlimited();
    let mut cx = Cx::new(&mut s, &budget);
    let Ok(Verdict::Safe(read)) = parse_witness(&mut cx, &text, &system) else { panic!() };
    let mut again = Vec::new();
    shofar_chc::print::print_model(&mut again, &mut s, &system, &read).unwrap();
    assert_eq!(text, again);
    assert_eq!(wide.index(), 0);
}
