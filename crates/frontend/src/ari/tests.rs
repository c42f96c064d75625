//! What transition systems are read as, and what is refused.

use shofar_term::TermStore;

use super::*;
use crate::trial;

const SYSTEM: &str = "(format LCTRS :smtlib 2.6)
; a comment with a ( parenthesis
(theory Ints)
(define-fun small ((v Int)) Bool (<= v 100))
(sort Loc)
(fun start (-> Int Bool Loc))
(fun loop (-> Int Bool Loc))
(fun stop Loc)
(entrypoint start)
(rule (start x b) (loop (+ x 1) c) :guard (and (small x) (or b c)) :var ((x Int)))
(rule (loop x b) (loop z b) :guard (and (< z x) (>= z 0)))
(rule (loop |x| b) stop :guard (not b))";

fn assertions(text: &str) -> Vec<String> {
    trial::assertions(&ARI, text, &[])
}

#[test]
fn rules_are_clauses_and_the_entry_point_is_a_fact() {
    assert_eq!(
        assertions(SYSTEM),
        [
            "(assert (forall ((A Int) (B Bool)) (=> true (start A B))))",
            "(assert (forall ((A Int) (B Bool) (C Bool)) (=> (and (start A B) (or B C) (<= A 100)) (loop (+ A 1) C))))",
            "(assert (forall ((A Int) (B Bool) (C Int)) (=> (and (loop A B) (>= C 0) (> A C)) (loop C B))))",
            "(assert (forall ((A Int) (B Bool)) (=> (and (loop A B) (not B)) stop)))",
        ]
    );
}

#[test]
fn arguments_are_called_as_in_the_first_rule() {
    let mut store = TermStore::new();
    let problem = read(SYSTEM.as_bytes(), &mut store).unwrap();
    let names: Vec<_> =
        problem.system.preds().map(|pred| problem.system.param_names(pred)).collect();
    let expected = ["x".to_owned(), "b".to_owned()];
    assert_eq!(names, [Some(&expected[..]), Some(&expected[..]), None]);
}

#[test]
fn what_is_not_understood_is_refused_at_its_place() {
    for (from, to, message, place) in [
        ("LCTRS", "TRS", "the format `TRS` is not supported", "(format TRS :smtlib 2.6)"),
        ("theory Ints", "theory Reals", "the only theory is `Ints`", "Reals"),
        ("(theory Ints)", "", "there is no `(theory Ints)`", ""),
        ("(entrypoint start)", "", "there is no `entrypoint`", ""),
        ("(entrypoint start)", "(entrypoint begin)", "`begin` is not declared", "begin"),
        (
            "(entrypoint start)",
            "(entrypoint start) (entrypoint loop)",
            "two entry points",
            "(entrypoint loop)",
        ),
        ("(fun stop Loc)", "(fun stop Loc) (fun stop Loc)", "declared twice", "(fun stop Loc)"),
        ("(fun stop Loc)", "(fun stop Place)", "this sort is not declared", "Place"),
        ("(loop z b)", "(loop z)", "2 arguments, 1 are given", "(loop z)"),
        ("(loop z b)", "(loop (loop z b) b)", "calls one function", "(loop z b)"),
        ("(loop z b)", "(loop b z)", "expected", "z"),
        ("(rule (loop x b)", "(rule (loop 0 b)", "has to be a variable", "0"),
        ("(rule (loop x b)", "(rule (loop x x)", "`x` has two sorts", "x"),
        ("(< z x)", "(< (* z x) x)", "a product of terms is not linear", "(* z x)"),
        ("(< z x)", "(< z (f x))", "unknown function `f`", "f"),
        ("(< z x)", "(< z -1)", "written as in `(- 1)`", "-1"),
        ("(< z x)", "(let ((y x)) (< z y))", "`let` is not supported", "let"),
        (":guard (not b)", ":guard (not b) :cost 1", "`:cost` is not supported", ":cost"),
        (":guard (not b)", ":guard", "has no value", ":guard"),
        (":guard (not b)", ":guard x", "has to be a truth value", "x"),
        (":guard (not b)", ":guard (= (div x 0) 1)", "division by zero", "(rule (loop"),
        ("(not b))", "(not b)", "is not closed", "("),
        ("(not b))", "(not b)))", "closes nothing", ")"),
        (
            "(sort Loc)",
            "(sort Loc) (strategy innermost)",
            "`strategy` is not supported",
            "strategy",
        ),
    ] {
        assert!(SYSTEM.contains(from), "{from}");
        let text = SYSTEM.replace(from, to);
        let error = read(text.as_bytes(), &mut TermStore::new()).unwrap_err();
        assert!(error.message.contains(message), "{message}: {}", error.message);
        let shown = &text[error.span.start..error.span.end];
        assert!(shown.starts_with(place), "{message}: {shown}");
    }
}

#[test]
fn depth_is_no_matter() {
    let depth = 100_000;
    let guard = format!("{}x{}", "(+ 1 ".repeat(depth), ")".repeat(depth));
    let text = SYSTEM.replace("(< z x)", &format!("(< z {guard})"));
    assert_eq!(assertions(&text).len(), 4);
    let open = "(".repeat(depth);
    assert!(read(open.as_bytes(), &mut TermStore::new()).is_err());
}
