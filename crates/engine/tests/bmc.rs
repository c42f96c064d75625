//! Bounded model checking on systems whose answers are known.

mod support;

use shofar_base::Budget;
use shofar_chc::{Engine, Verdict};
use shofar_engine::bmc::{Bmc, BmcOptions};
use shofar_term::size::dag_size;
use shofar_term::{Cx, TermStore};
use support::{read, validate};

/// The number of steps of the refutation, or nothing if the system is safe; witnesses are
/// validated.
fn steps(text: &str) -> Option<usize> {
    let (mut store, budget) = (TermStore::new(), Budget::unlimited());
    let system = read::system(&mut store, text);
    let mut cx = Cx::new(&mut store, &budget);
    match Bmc::new(BmcOptions::default()).solve(&mut cx, &system).expect("there is no limit") {
        Verdict::Unsafe(derivation) => {
            validate::derivation(&store, &system, &derivation);
            Some(derivation.steps.len())
        }
        Verdict::Safe(model) => {
            validate::model(&mut cx, &system, &model);
            None
        }
    }
}

#[test]
fn a_counter_takes_the_shortest_way() {
    let text = "(declare-fun s (Int) Bool)
        (assert (forall ((x Int)) (=> (= x 0) (s x))))
        (assert (forall ((x Int) (y Int)) (=> (and (s x) (or (= y (+ x 1)) (= y (+ x 3)))) (s y))))
        (assert (forall ((x Int)) (=> (and (s x) (= x 7)) false)))";
    assert_eq!(steps(text), Some(5));
}

#[test]
fn a_deterministic_counter_is_executed() {
    let text = "(declare-fun s (Int Int) Bool)
        (assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 500)) (s x y))))
        (assert (forall ((x Int) (y Int)) (=> (s x y) (s (+ x 1) (ite (>= x 500) (+ y 1) y)))))
        (assert (forall ((x Int) (y Int)) (=> (and (s x y) (= x 3000) (= x y)) false)))";
    assert_eq!(steps(text), Some(3002));
}

#[test]
fn two_loops_in_a_row() {
    let text = "(declare-fun p (Real Real) Bool) (declare-fun q (Real Real) Bool)
        (assert (forall ((x Real) (y Real)) (=> (and (> x 0.0) (= y 0.0)) (p x y))))
        (assert (forall ((x Real) (y Real)) (=> (and (p x y) (< x 5.0)) (p (+ x 1.0) (+ y 2.0)))))
        (assert (forall ((x Real) (y Real)) (=> (and (p x y) (>= x 4.5)) (q x y))))
        (assert (forall ((x Real) (y Real)) (=> (q x y) (q (- x 1.5) y))))
        (assert (forall ((x Real) (y Real)) (=> (and (q x y) (<= x 0.0) (>= y 8.0)) false)))";
    assert_eq!(steps(text), Some(10));
}

#[test]
fn arguments_may_be_terms_and_constants() {
    let text = "(declare-fun p (Int Int Bool) Bool)
        (assert (forall ((x Int)) (=> (> x 2) (p 1 (* 2 x) true))))
        (assert (forall ((x Int) (b Bool)) (=> (p x (+ x 5) b) (p (+ x x) 3 (not b)))))
        (assert (forall ((x Int)) (=> (p (+ x 1) (+ x x 1) false) false)))";
    assert_eq!(steps(text), Some(3));
}

#[test]
fn clauses_that_cannot_fire_do_not_matter() {
    let clauses = "(declare-fun p (Int) Bool) (declare-fun q (Int) Bool)
        (assert (forall ((x Int) (y Int)) (=> (and (< x y) (< y x)) (q x))))
        (assert (forall ((x Int)) (=> (> x 3) (p x))))
        (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
        (assert (forall ((x Int)) (=> (and (p x) (< x 1) (> x 2)) (q x))))
        (assert (forall ((x Int)) (=> (q x) false)))";
    assert_eq!(steps(clauses), None);
    let bad = format!("{clauses} (assert (forall ((x Int)) (=> (and (p x) (> x 9)) false)))");
    assert_eq!(steps(&bad), Some(2));
}

#[test]
fn queries_without_body() {
    let text = "(declare-fun p (Int) Bool)
        (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
        (assert (forall ((x Int)) (=> (= (* 2 x) 6) false)))";
    assert_eq!(steps(text), Some(1));
}

#[test]
fn loops_that_end_are_safe() {
    let text = "(declare-fun s (Int Int) Bool)
        (assert (forall ((x Int) (y Int)) (=> (and (>= x 0) (= y x)) (s x y))))
        (assert (forall ((x Int) (y Int)) (=> (and (s x y) (< x 4)) (s (+ x 1) (+ y 1)))))
        (assert (forall ((x Int) (y Int)) (=> (and (s x y) (< x y)) false)))";
    assert_eq!(steps(text), None);
}

#[test]
fn executions_in_a_circle_are_safe() {
    let text = "(declare-fun p (Int Bool) Bool) (declare-fun q (Int Bool) Bool)
        (assert (p 0 true))
        (assert (forall ((x Int) (b Bool)) (=> (p x b) (q (ite (> x 4) 0 (+ x 2)) (not b)))))
        (assert (forall ((x Int) (b Bool)) (=> (q x b) (p x b))))
        (assert (forall ((x Int) (b Bool)) (=> (and (p x b) (= x 3)) false)))";
    assert_eq!(steps(text), None);
}

#[test]
fn nothing_to_start_from_is_safe() {
    let text = "(declare-fun s (Int) Bool)
        (assert (forall ((x Int)) (=> (and (< x 0) (> x 0)) (s x))))
        (assert (forall ((x Int)) (=> (s x) (s (+ x 1)))))
        (assert (forall ((x Int)) (=> (s x) false)))";
    assert_eq!(steps(text), None);
}

const DIAMOND: &str =
    "(declare-fun a (Int) Bool) (declare-fun b (Int) Bool) (declare-fun c (Int) Bool)
        (declare-fun d (Int) Bool) (declare-fun unused (Int) Bool) (declare-fun never (Int) Bool)
        (assert (forall ((x Int)) (=> (and (<= 0 x) (<= x 9)) (a x))))
        (assert (forall ((x Int)) (=> (a x) (b (+ x 1)))))
        (assert (forall ((x Int)) (=> (a x) (c (- x 1)))))
        (assert (forall ((x Int)) (=> (never x) (d (- x 1)))))
        (assert (forall ((x Int)) (=> (b x) (unused x))))
        (assert (forall ((x Int)) (=> (b x) (d (* 2 x)))))
        (assert (forall ((x Int)) (=> (c x) (d (+ (* 2 x) 1)))))";

#[test]
fn systems_without_cycles_are_decided() {
    let safe = format!("{DIAMOND} (assert (forall ((x Int)) (=> (and (d x) (> x 20)) false)))");
    assert_eq!(steps(&safe), None);
    let bad = format!("{DIAMOND} (assert (forall ((x Int)) (=> (and (d x) (> x 19)) false)))");
    assert_eq!(steps(&bad), Some(4));
}

#[test]
fn nonlinear_systems_without_cycles_are_decided() {
    let clauses = "(declare-fun p (Int) Bool) (declare-fun q (Int Int) Bool)
        (assert (forall ((x Int)) (=> (or (= x 1) (= x 4)) (p x))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x) (p y)) (q x (+ x y)))))";
    let safe = format!(
        "{clauses} (assert (forall ((x Int) (y Int) (z Int)) (=> (and (q x y) (q y z)) false)))"
    );
    assert_eq!(steps(&safe), None);
    let bad = format!(
        "{clauses} (assert (forall ((x Int) (y Int) (z Int)) (=> (and (q x y) (q z y) (> x z)) false)))"
    );
    assert_eq!(steps(&bad), Some(7));
}

#[test]
fn fibonacci_numbers() {
    let clauses = "(declare-fun fib (Int Int) Bool)
        (assert (forall ((n Int)) (=> (and (>= n 0) (<= n 1)) (fib n n))))
        (assert (forall ((n Int) (a Int) (b Int))
            (=> (and (> n 1) (fib (- n 1) a) (fib (- n 2) b)) (fib n (+ a b)))))";
    let query = |value: i32| {
        format!("{clauses} (assert (forall ((r Int)) (=> (and (fib 6 r) (= r {value})) false)))")
    };
    assert!(steps(&query(8)).is_some());
    assert_eq!(steps(&query(9)), None, "the calls from 6 all end");
}

#[test]
fn mccarthy_91() {
    let clauses = "(declare-fun mc (Int Int) Bool)
        (assert (forall ((n Int)) (=> (> n 100) (mc n (- n 10)))))
        (assert (forall ((n Int) (t Int) (r Int))
            (=> (and (<= n 100) (mc (+ n 11) t) (mc t r)) (mc n r))))";
    let bad = format!("{clauses} (assert (forall ((r Int)) (=> (and (mc 97 r) (>= r 91)) false)))");
    assert!(steps(&bad).is_some());
    let safe = format!("{clauses} (assert (forall ((r Int)) (=> (and (mc 98 r) (> r 91)) false)))");
    assert_eq!(steps(&safe), None);
}

#[test]
fn even_and_odd() {
    let text = "(declare-fun even (Int) Bool) (declare-fun odd (Int) Bool)
        (assert (even 0))
        (assert (forall ((x Int)) (=> (even x) (odd (+ x 1)))))
        (assert (forall ((x Int)) (=> (odd x) (even (+ x 1)))))
        (assert (forall ((x Int)) (=> (and (even x) (odd (- 13 x))) false)))";
    assert!(steps(text).is_some());
}

#[test]
fn limits_are_said() {
    let (mut store, budget) = (TermStore::new(), Budget::unlimited());
    let text = "(declare-fun s (Int) Bool) (assert (s 0))
        (assert (forall ((x Int)) (=> (s x) (s (+ x 1)))))
        (assert (forall ((x Int)) (=> (s (- 1)) false)))";
    let system = read::system(&mut store, text);
    let mut engine = Bmc::new(BmcOptions { max_steps: Some(10), ..BmcOptions::default() });
    assert!(engine.solve(&mut Cx::new(&mut store, &budget), &system).is_err());
}

/// How large the model of a safe system is; it is validated.
fn size_of_model(text: &str) -> usize {
    let (mut store, budget) = (TermStore::new(), Budget::unlimited());
    let system = read::system(&mut store, text);
    let mut cx = Cx::new(&mut store, &budget);
    let verdict = Bmc::new(BmcOptions::default()).solve(&mut cx, &system);
    let Ok(Verdict::Safe(model)) = verdict else {
        panic!("there are no refutations and no limits")
    };
    validate::model(&mut cx, &system, &model);
    let bodies: Vec<_> =
        system.preds().map(|p| model.get(p).expect("it is defined").body).collect();
    dag_size(&store, &bodies)
}

#[test]
fn an_exhausted_execution_has_a_small_model() {
    let text = "(declare-fun inv (Int Int) Bool)
        (assert (inv 0 0))
        (assert (forall ((i Int) (j Int)) (=> (and (inv i j) (<= i 700)) (inv (+ i 1) (+ j 2)))))
        (assert (forall ((i Int) (j Int)) (=> (inv i j) (<= j 2100))))";
    assert!(size_of_model(text) < 12);
    let real = text.replace("Int", "Real");
    assert!(size_of_model(&real) < 12);
}

#[test]
fn an_exhausted_loop_from_many_states_has_a_small_model() {
    let text = "(declare-fun inv (Int Int Int) Bool)
        (assert (forall ((n Int)) (=> (and (<= 20 n) (<= n 30)) (inv 0 0 n))))
        (assert (forall ((i Int) (j Int) (n Int)) (=> (and (inv i j n) (< i n)) (inv (+ i 1) (+ j 3) n))))
        (assert (forall ((i Int) (j Int) (n Int)) (=> (inv i j n) (<= j 100))))";
    assert!(size_of_model(text) < 30);
}

#[test]
fn an_exhausted_loop_may_need_remainders_and_guards() {
    let text = "(declare-fun inv (Int Bool Int) Bool)
        (assert (inv 0 true 0))
        (assert (forall ((i Int) (b Bool) (x Int))
            (=> (and (inv i b x) (< i 200)) (inv (+ i 2) (not b) (ite b (+ x 4) (- x 4))))))
        (assert (forall ((i Int) (b Bool) (x Int)) (=> (inv i b x) (and (not (= i 77)) (= x (ite b 0 4))))))";
    assert!(size_of_model(text) < 30);
}

#[test]
fn points_without_a_common_shape_stay_a_list() {
    let text = "(declare-fun s (Int) Bool)
        (assert (s 1))
        (assert (forall ((x Int)) (=> (and (s x) (< x 1000)) (s (* 3 x)))))
        (assert (forall ((x Int)) (=> (s x) (and (not (= x 5)) (not (= x 15)) (not (= x 405))))))";
    assert_eq!(steps(text), None);
}
