//! Transition power abstraction on transition systems whose answers are known, with every switch.

mod support;

use shofar_base::Budget;
use shofar_chc::{Engine, Verdict};
use shofar_engine::tpa::{
    Direction, Elimination, Lemma, Order, Power, Scope, Tpa, TpaOptions, TransitionInvariant,
    Variant,
};
use shofar_smt::LinearAlgorithm;
use shofar_term::{Cx, TermStore};
use support::{read, validate};

/// What was found; witnesses are validated.
enum Found {
    /// A run of so many states.
    Run(usize),
    /// An invariant, for this reason.
    Invariant(TransitionInvariant),
}

fn solve(text: &str, options: TpaOptions) -> Found {
    let (mut store, budget) = (TermStore::new(), Budget::unlimited());
    let system = read::system(&mut store, text);
    let ts = read::transition_system(&mut store, &system).expect("it is one");
    let mut cx = Cx::new(&mut store, &budget);
    let mut engine = Tpa::new(options);
    match engine.solve(&mut cx, &ts).expect("there is no limit") {
        Verdict::Unsafe(run) => {
            validate::run(&mut cx, &ts, &run);
            Found::Run(run.states.len())
        }
        Verdict::Safe(invariant) => {
            validate::invariant(&mut cx, &ts, invariant);
            Found::Invariant(engine.transition_invariant().expect("it has a reason").clone())
        }
    }
}

/// Both algorithms, each with every switch turned once.
fn all_options() -> Vec<TpaOptions> {
    let mut all = Vec::new();
    for variant in [Variant::Whole, Variant::Split] {
        let usual = TpaOptions { variant, ..TpaOptions::default() };
        all.push(TpaOptions { elimination: Elimination::Full, ..usual.clone() });
        all.push(TpaOptions { order: Order::PowerFirst, ..usual.clone() });
        all.push(TpaOptions { direction: Direction::Backward, ..usual.clone() });
        all.push(TpaOptions { linear: LinearAlgorithm::Farkas, ..usual.clone() });
        all.push(usual);
    }
    all
}

fn is_unsafe(text: &str, options: &TpaOptions, states: usize) {
    match solve(text, options.clone()) {
        Found::Run(length) => assert_eq!(length, states, "{options:?}"),
        Found::Invariant(found) => panic!("{found} with {options:?}"),
    }
}

fn is_safe(text: &str, options: &TpaOptions) -> TransitionInvariant {
    match solve(text, options.clone()) {
        Found::Run(_) => panic!("a run with {options:?}"),
        Found::Invariant(found) => found,
    }
}

/// Figure 4.1 of [Bli22].
fn two_phases(n: usize) -> String {
    format!(
        "(declare-fun s (Int Int) Bool) (assert (s 0 {n}))
         (assert (forall ((x Int) (y Int) (u Int)) (=> (and (s x y) (< x {m}) (= u (+ x 1)))
           (s u (ite (> u {n}) (+ y 1) y)))))
         (assert (forall ((x Int) (y Int)) (=> (and (s x y) (>= x {m}) (= y {m})) false)))",
        m = 2 * n
    )
}

#[test]
fn a_loop_has_to_be_run_to_its_end() {
    for options in all_options() {
        is_unsafe(&two_phases(6), &options, 13);
    }
    for variant in [Variant::Whole, Variant::Split] {
        is_unsafe(&two_phases(100), &TpaOptions { variant, ..TpaOptions::default() }, 201);
    }
}

#[test]
fn steps_may_be_chosen() {
    let text = "(declare-fun s (Int Int) Bool) (assert (s 0 0))
        (assert (forall ((x Int) (y Int) (i Int)) (=> (and (s x y) (< x 16) (<= 1 i) (<= i 2))
          (s (+ x i) (ite (>= x 8) (+ y i) y)))))
        (assert (forall ((x Int) (y Int)) (=> (and (s x y) (= x 17) (= y 9)) false)))";
    for options in all_options() {
        match solve(text, options.clone()) {
            Found::Run(states) => assert!((10..=18).contains(&states), "{options:?}: {states}"),
            Found::Invariant(found) => panic!("{found} with {options:?}"),
        }
    }
}

#[test]
fn initial_and_bad_states_may_have_locals() {
    let text = "(declare-fun s (Int) Bool)
        (assert (forall ((x Int) (i Int)) (=> (and (= x (* 3 i)) (<= 0 x) (<= x 5)) (s x))))
        (assert (forall ((x Int) (i Int)) (=> (and (s x) (<= 4 i) (<= i 5)) (s (+ x i)))))
        (assert (forall ((x Int) (i Int)) (=> (and (s x) (= x (* 2 i)) (>= i 6)) false)))";
    for options in all_options() {
        match solve(text, options.clone()) {
            Found::Run(states) => assert!((3..=5).contains(&states), "{options:?}: {states}"),
            Found::Invariant(found) => panic!("{found} with {options:?}"),
        }
    }
}

#[test]
fn bounds_that_stay() {
    let text = "(declare-fun s (Real Real) Bool)
        (assert (forall ((y Real)) (=> (<= y 0.0) (s 0.0 y))))
        (assert (forall ((x Real) (y Real)) (=> (s x y) (s (+ x 1.0) (ite (< x 50.0) y (+ y 1.0))))))
        (assert (forall ((x Real) (y Real)) (=> (and (s x y) (> y x)) false)))";
    for variant in [Variant::Whole, Variant::Split] {
        is_safe(text, &TpaOptions { variant, ..TpaOptions::default() });
    }
}

#[test]
fn no_initial_states_and_no_bad_ones() {
    let empty = "(declare-fun s (Int) Bool)
        (assert (forall ((x Int)) (=> (and (< x 0) (> x 0)) (s x))))
        (assert (forall ((x Int)) (=> (s x) (s (+ x 1)))))
        (assert (forall ((x Int)) (=> (and (s x) (> x 9)) false)))";
    let harmless = "(declare-fun s (Int) Bool) (assert (s 0))
        (assert (forall ((x Int)) (=> (s x) (s (+ x 1)))))
        (assert (forall ((x Int)) (=> (and (s x) (> x 9) (< x 9)) false)))";
    for options in all_options() {
        is_safe(empty, &options);
        is_safe(harmless, &options);
    }
}

#[test]
fn the_log_says_whether_the_anchor_is_needed() {
    // That x never gets smaller holds of all steps; that it stays below 10 depends on where it
    // starts.
    let grows = "(declare-fun s (Int) Bool) (assert (s 0))
        (assert (forall ((x Int)) (=> (s x) (s (+ x 1)))))
        (assert (forall ((x Int)) (=> (and (s x) (< x 0)) false)))";
    let stays = "(declare-fun s (Int Int) Bool) (assert (s 0 0))
        (assert (forall ((x Int) (y Int)) (=> (s x y) (s (ite (= y 0) x (+ x 1)) (* 2 y)))))
        (assert (forall ((x Int) (y Int)) (=> (and (s x y) (> x 9)) false)))";
    for variant in [Variant::Whole, Variant::Split] {
        let options = TpaOptions { variant, ..TpaOptions::default() };
        let full = is_safe(grows, &options);
        assert_eq!(full.scope, Scope::Full, "{full}");
        assert!(full.to_string().contains("transition invariant, full "), "{full}");
        let grounded = is_safe(stays, &options);
        assert_eq!(grounded.scope, Scope::Grounded, "{grounded}");
        assert!(grounded.to_string().ends_with("-grounded 1-inductive transition invariant"));
    }
}

#[test]
fn two_steps_are_closed_under_composition() {
    // Example 4.25 of [Bli22].
    let text = "(declare-fun s (Int Int Int Int) Bool)
        (assert (forall ((x Int) (z Int)) (=> (> x z) (s x z 0 0))))
        (assert (forall ((x Int) (z Int) (v Int) (w Int)) (=> (and (s x z v w) (< v 1000))
          (s (+ x 1) (+ z 2) (ite (< x z) (+ v 1) v) (ite (< x z) w (+ w 1))))))
        (assert (forall ((x Int) (z Int) (v Int) (w Int))
          (=> (and (s x z v w) (>= v 1000) (<= w 0)) false)))";
    let found = is_safe(text, &TpaOptions::default());
    assert_eq!((found.lemma, found.exponent), (Lemma::Exactly, Power::new(1)), "{found}");
    let text = found.to_string();
    assert!(text.starts_with("Lemma 4.22: ATr<1 ∪ ") && text.contains(" 2-inductive "), "{found}");
}
