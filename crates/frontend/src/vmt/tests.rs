//! What transition systems are read as, and what is refused.

use shofar_chc::print::print_horn;
use shofar_term::TermStore;

use super::*;

const COUNTER: &str = "(set-logic QF_LIA)
(declare-fun x () Int) (declare-fun xn () Int) (declare-fun step () Int)
(define-fun .x () Int (! x :next xn))
(define-fun small ((v Int)) Bool (<= v 100))
(define-fun .init () Bool (! (= x 0) :init true))
(define-fun .trans () Bool (! (and (small x) (> step 0) (= xn (+ x step))) :trans true))
(define-fun .p0 () Bool (! (>= x 0) :invar-property 0))
(define-fun .p1 () Bool (! (small x) :invar-property 1))
(assert true)";

/// The clauses of each question as assertions.
fn assertions(text: &str) -> Vec<Vec<String>> {
    let mut store = TermStore::new();
    let problems = read(text.as_bytes(), &mut store).unwrap_or_else(|e| panic!("{}", e.message));
    let mut shown = Vec::new();
    for problem in &problems {
        problem.system.assert_well_formed(&store);
        let mut out = Vec::new();
        print_horn(&mut out, &mut store, &problem.system, &[]).unwrap();
        let script = String::from_utf8(out).unwrap();
        let lines = script.lines().filter(|line| line.starts_with("(assert"));
        shown.push(lines.map(str::to_owned).collect());
    }
    shown
}

#[test]
fn each_property_is_a_question() {
    let shown = assertions(COUNTER);
    assert_eq!(shown.len(), 2);
    assert_eq!(shown[0][..2], shown[1][..2]);
    assert_eq!(shown[0][0], "(assert (forall ((A Int)) (=> (= A 0) (reachable A))))");
    assert_eq!(
        shown[0][2],
        "(assert (forall ((A Int)) (=> (and (reachable A) (<= A (- 1))) false)))"
    );
    assert_eq!(
        shown[1][2],
        "(assert (forall ((A Int)) (=> (and (reachable A) (>= A 101)) false)))"
    );
}

#[test]
fn annotations_may_be_anywhere() {
    let text = "(declare-fun |a b| () Bool) (declare-fun |a b'| () Bool)
        (define-fun init () Bool (! (not (! |a b| :next |a b'|)) :init :named start))
        (define-fun rest () Bool (and (! (= |a b'| (not |a b|)) :trans true) (! |a b| :live-property 7)))";
    let shown = assertions(text);
    assert_eq!(shown.len(), 1);
    assert_eq!(shown[0].len(), 4, "{shown:?}");
    assert!(shown[0][3].contains("(reachable A true true A)"), "{shown:?}");
}

#[test]
fn what_is_not_understood_is_refused() {
    let changed = |from: &str, to: &str| {
        assert!(COUNTER.contains(from), "{from}");
        COUNTER.replace(from, to)
    };
    for (text, message) in [
        (changed(":init true", ":initial true"), "there is no formula with `:init`"),
        (changed(":trans true", ""), "an annotation needs an attribute"),
        (changed(":invar-property 0", ":init true"), "two formulas with `:init`"),
        (changed(":invar-property 1", ":ltl-property 1"), "`:ltl-property` is not supported"),
        (changed(":invar-property 1", ":live-property 1"), "infinitely many values"),
        (changed(":next xn", ":next y"), "`y` is not declared"),
        (changed("(! x :next xn)", "(! (+ x 1) :next xn)"), "only a symbol"),
        (changed("(= x 0)", "(= step 0)"), "`step` is no variable of the state"),
        (changed("(>= x 0)", "(>= xn 0)"), "`xn` is no variable of the state"),
        (changed("(assert true)", "(assert (= x 0))"), "no meaning in a transition system"),
        (changed("(assert true)", "(check-sat)"), "no meaning in a transition system"),
        (changed("(<= v 100)", "(! (<= v 100) :invar-property 2)"), "where parameters occur"),
        (
            changed(
                "(declare-fun step () Int)",
                "(declare-fun step () Int) (declare-fun f (Int) Int)",
            )
            .replace("(> step 0)", "(> (f step) 0)")
            .replace("(set-logic QF_LIA)", ""),
            "the function `f`",
        ),
        (changed("(! x :next xn)", "(! (! x :next xn) :next step)"), "another next value"),
    ] {
        let error = read(text.as_bytes(), &mut TermStore::new()).unwrap_err();
        assert!(error.message.contains(message), "{message}: {}", error.message);
    }
}
