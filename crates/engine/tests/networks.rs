//! Transition power abstraction on loops that follow each other, with answers known beforehand.

mod support;

use shofar_base::{Budget, GaveUp, Outcome};
use shofar_chc::{Engine, Verdict};
use shofar_engine::tpa::{Direction, Elimination, Order, Tpa, TpaOptions, Variant};
use shofar_term::{Cx, TermStore};
use support::{read, validate};

/// The number of steps of a refutation, or none for a model; both are validated.
fn solve(text: &str, options: TpaOptions) -> Outcome<Option<usize>> {
    let (mut store, budget) = (TermStore::new(), Budget::unlimited());
    let system = read::system(&mut store, text);
    let mut cx = Cx::new(&mut store, &budget);
    match Tpa::new(options).solve(&mut cx, &system)? {
        Verdict::Unsafe(derivation) => {
            validate::derivation(cx.store, &system, &derivation);
            Ok(Some(derivation.steps.len()))
        }
        Verdict::Safe(model) => {
            validate::model(&mut cx, &system, &model);
            Ok(None)
        }
    }
}

/// Both algorithms, forward and backward, and the split one with every other switch.
fn all_options() -> Vec<TpaOptions> {
    let usual = TpaOptions::default();
    let mut all = vec![
        TpaOptions { elimination: Elimination::Full, ..usual.clone() },
        TpaOptions { order: Order::PowerFirst, ..usual.clone() },
    ];
    for variant in [Variant::Whole, Variant::Split] {
        for direction in [Direction::Forward, Direction::Backward] {
            all.push(TpaOptions { variant, direction, ..usual.clone() });
        }
    }
    all
}

fn check(text: &str, steps: Option<usize>) {
    for options in all_options() {
        assert_eq!(solve(text, options.clone()), Ok(steps), "{options:?}");
    }
}

/// Counts up to `n` in the first loop and down in the second, which counts in `y`.
fn up_and_down(n: usize, bad: &str) -> String {
    format!(
        "(declare-fun p (Int Int) Bool) (declare-fun q (Int Int) Bool) (assert (p 0 0))
         (assert (forall ((x Int) (y Int)) (=> (and (p x y) (< x {n})) (p (+ x 1) y))))
         (assert (forall ((x Int) (y Int)) (=> (and (p x y) (>= x {n})) (q x y))))
         (assert (forall ((x Int) (y Int)) (=> (and (q x y) (> x 0)) (q (- x 1) (+ y 1)))))
         (assert (forall ((x Int) (y Int)) (=> (and (q x y) {bad}) false)))"
    )
}

#[test]
fn two_loops_have_to_be_run_to_their_ends() {
    // The fact, n steps, the edge, n steps, the query.
    check(&up_and_down(20, "(<= x 0) (= y 20)"), Some(43));
    for variant in [Variant::Whole, Variant::Split] {
        let text = up_and_down(500, "(<= x 0) (= y 500)");
        let options = TpaOptions { variant, ..TpaOptions::default() };
        assert_eq!(solve(&text, options), Ok(Some(1003)));
    }
}

#[test]
fn two_loops_that_are_safe() {
    check(&up_and_down(8, "(< x 0)"), None);
}

#[test]
fn safe_states_flow_back_through_three_loops() {
    let text = "(declare-fun p (Int Int) Bool) (declare-fun q (Int Int) Bool) (declare-fun r (Int Int) Bool)
        (assert (p 0 0))
        (assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 1) y))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (>= x 10)) (q x y))))
        (assert (forall ((x Int) (y Int)) (=> (and (q x y) (> x 0)) (q (- x 1) (+ y 1)))))
        (assert (forall ((x Int) (y Int)) (=> (and (q x y) (<= x 0)) (r x y))))
        (assert (forall ((x Int) (y Int)) (=> (r x y) (r x (+ y 2)))))
        (assert (forall ((x Int) (y Int)) (=> (and (r x y) (< y 10)) false)))";
    check(text, None);
}

/// Two ways from `a` to `d`, one of which counts every second number.
fn diamond(bad: &str) -> String {
    format!(
        "(declare-fun a (Int Int) Bool) (declare-fun b (Int Int) Bool)
         (declare-fun c (Int Int) Bool) (declare-fun d (Int Int) Bool)
         (assert (forall ((n Int)) (=> (and (<= 0 n) (<= n 1)) (a n 0))))
         (assert (forall ((x Int) (y Int)) (=> (and (a x y) (< x 10)) (a (+ x 2) y))))
         (assert (forall ((x Int) (y Int)) (=> (and (a x y) (>= x 10)) (b x y))))
         (assert (forall ((x Int) (y Int)) (=> (and (a x y) (>= x 10)) (c x y))))
         (assert (forall ((x Int) (y Int)) (=> (and (b x y) (> x 0)) (b (- x 1) (+ y 1)))))
         (assert (forall ((x Int) (y Int)) (=> (and (c x y) (> x 0)) (c (- x 2) (+ y 1)))))
         (assert (forall ((x Int) (y Int)) (=> (and (b x y) (<= x 0)) (d x y))))
         (assert (forall ((x Int) (y Int)) (=> (and (c x y) (< x 0)) (d x y))))
         (assert (forall ((x Int) (y Int)) (=> (d x y) (d x (+ y 3)))))
         (assert (forall ((x Int) (y Int)) (=> (and (d x y) {bad}) false)))"
    )
}

#[test]
fn a_diamond_with_one_way_to_the_query() {
    // Only from 1: 5 steps to 11, 6 steps down to -1, then 6 + 3 · 3 = 15.
    check(&diamond("(= y 15) (< x 0)"), Some(1 + 5 + 1 + 6 + 1 + 3 + 1));
}

#[test]
fn a_diamond_without_a_way_to_the_query() {
    let usual = TpaOptions::default();
    assert_eq!(solve(&diamond("(< y 5)"), usual.clone()), Ok(None));
    assert_eq!(solve(&diamond("(> x 0)"), usual), Ok(None));
}

#[test]
fn edges_facts_and_queries_may_have_locals() {
    let text = "(declare-fun p (Int) Bool) (declare-fun q (Int Int) Bool)
        (assert (forall ((x Int) (i Int)) (=> (and (= x (* 3 i)) (<= 0 i) (<= i 2)) (p x))))
        (assert (forall ((x Int)) (=> (and (p x) (< x 20)) (p (+ x 5)))))
        (assert (forall ((x Int) (k Int)) (=> (and (p x) (> x 20) (<= x k) (<= k (+ x 1))) (q k x))))
        (assert (forall ((x Int) (y Int) (i Int)) (=> (and (q x y) (<= 1 i) (<= i 2)) (q (+ x i) y))))
        (assert (forall ((x Int) (y Int) (i Int)) (=> (and (q x y) (= x (* 10 i)) (= y 21)) false)))";
    for options in all_options() {
        let steps = solve(text, options.clone()).expect("there is no limit").expect("a refutation");
        assert!((10..=15).contains(&steps), "{options:?}: {steps}");
    }
}

#[test]
fn predicates_without_a_loop_or_without_arguments() {
    let text = "(declare-fun p (Int) Bool) (declare-fun q () Bool) (declare-fun r (Bool) Bool)
        (assert (p 0)) (assert (forall ((x Int)) (=> (p x) (p (+ x 2)))))
        (assert (forall ((x Int)) (=> (and (p x) (= x 7)) q)))
        (assert (forall ((b Bool)) (=> (and q b) (r b))))
        (assert (forall ((b Bool)) (=> (and (r b) b) false)))";
    check(text, None);
    check(&text.replace("(= x 7)", "(= x 8)"), Some(8));
}

#[test]
fn what_is_no_network_of_loops_is_refused() {
    let cycle = "(declare-fun p (Int) Bool) (declare-fun q (Int) Bool) (assert (p 0))
        (assert (forall ((x Int)) (=> (p x) (q x)))) (assert (forall ((x Int)) (=> (q x) (p x))))";
    let nonlinear = "(declare-fun p (Int) Bool) (assert (p 0))
        (assert (forall ((x Int) (y Int)) (=> (and (p x) (p y)) (p (+ x y)))))";
    for text in [cycle, nonlinear] {
        let refused = solve(text, TpaOptions::default());
        assert!(matches!(refused, Err(GaveUp::Unsupported(_))), "{refused:?}");
    }
}
