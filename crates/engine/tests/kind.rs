//! k-induction on transition systems whose answers are known.

mod support;

use shofar_base::{Budget, GaveUp};
use shofar_chc::{Engine, Verdict};
use shofar_engine::kind::{Kind, KindOptions};
use shofar_term::{Cx, TermStore};
use support::{read, validate};

/// The number of states of the run, or nothing if the system is safe; witnesses are validated.
fn states(text: &str) -> Result<Option<usize>, GaveUp> {
    let (mut store, budget) = (TermStore::new(), Budget::unlimited());
    let system = read::system(&mut store, text);
    let ts = read::transition_system(&mut store, &system).expect("it is one");
    let mut cx = Cx::new(&mut store, &budget);
    let options = KindOptions { max_k: Some(20), ..KindOptions::default() };
    Ok(match Kind::new(options).solve(&mut cx, &ts)? {
        Verdict::Unsafe(run) => {
            validate::run(&mut cx, &ts, &run);
            Some(run.states.len())
        }
        Verdict::Safe(invariant) => {
            validate::invariant(&mut cx, &ts, invariant);
            None
        }
    })
}

#[test]
fn a_counter_reaches_its_end() {
    let text = "(declare-fun s (Int) Bool) (assert (s 0))
        (assert (forall ((x Int) (i Int)) (=> (and (s x) (<= 1 i) (<= i 2)) (s (+ x i)))))
        (assert (forall ((x Int) (y Int)) (=> (and (s x) (= x (* 2 y)) (>= y 4)) false)))";
    assert_eq!(states(text), Ok(Some(5)));
}

#[test]
fn an_inductive_property() {
    let text = "(declare-fun s (Int Int) Bool) (assert (s 0 0))
        (assert (forall ((x Int) (y Int)) (=> (s x y) (s (+ x 1) (+ y 1)))))
        (assert (forall ((x Int) (y Int)) (=> (and (s x y) (not (= x y))) false)))";
    assert_eq!(states(text), Ok(None));
}

#[test]
fn a_property_inductive_after_three_steps() {
    // A rotation of 1, 0, 0: without the past, (1, 0, 0) may come from anything.
    let text = "(declare-fun s (Int Int Int) Bool) (assert (s 1 0 0))
        (assert (forall ((x Int) (y Int) (z Int)) (=> (s x y z) (s z x y))))
        (assert (forall ((x Int) (y Int) (z Int)) (=> (and (s x y z) (= z 5)) false)))";
    assert_eq!(states(text), Ok(None));
}

#[test]
fn real_numbers_that_shrink() {
    let text = "(declare-fun s (Real Real) Bool)
        (assert (forall ((x Real) (y Real)) (=> (and (<= 0.0 x) (<= x 1.0) (= y 0.0)) (s x y))))
        (assert (forall ((x Real) (y Real)) (=> (s x y) (s (/ (+ x y) 2.0) (/ (- x y) 2.0)))))
        (assert (forall ((x Real) (y Real)) (=> (and (s x y) (> x 2.0)) false)))";
    assert_eq!(states(text), Ok(None), "two steps halve both numbers");
}

#[test]
fn runs_that_end() {
    let text = "(declare-fun s (Int Int) Bool)
        (assert (forall ((x Int) (y Int)) (=> (and (>= x 0) (= y x)) (s x y))))
        (assert (forall ((x Int) (y Int)) (=> (and (s x y) (< x 4)) (s (+ x 1) (+ y y)))))
        (assert (forall ((x Int) (y Int)) (=> (and (s x y) (< x 4) (> y 30)) false)))";
    assert_eq!(states(text), Ok(None));
}

#[test]
fn a_switch_with_modes() {
    let text = "(declare-fun s (Bool Bool Int) Bool) (assert (s true false 0))
        (assert (forall ((a Bool) (b Bool) (x Int))
            (=> (s a b x) (s b a (ite (and a (not b)) (+ x 1) (- x 1))))))
        (assert (forall ((a Bool) (b Bool) (x Int)) (=> (and (s a b x) (> x 1)) false)))";
    assert_eq!(states(text), Ok(None));
}

#[test]
fn limits_are_said() {
    let text = "(declare-fun s (Int Int) Bool) (assert (s 0 0))
        (assert (forall ((x Int) (y Int)) (=> (s x y) (s (+ x y) (+ y 1)))))
        (assert (forall ((x Int) (y Int)) (=> (and (s x y) (< x 0)) false)))";
    assert!(matches!(states(text), Err(GaveUp::Incomplete(_))));
}
