//! Models with quantifiers.

use std::time::{Duration, Instant};

use shofar_base::{Budget, GaveUp, Source};
use shofar_chc::read::read_horn;
use shofar_check::{HornInput, Unread, parse_witness, validate};
use shofar_term::{Cx, TermStore};

/// Even numbers from 0 on, among which 7 is not.
const EVEN: &str = "(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (p x) (p (+ x 2)))))
(assert (forall ((x Int)) (=> (and (p x) (= x 7)) false)))
(check-sat)";

/// `valid`, the line of the assertion that is false, or why there is no answer.
fn check(problem: &str, witness: &str, budget: &Budget) -> String {
    let mut store = TermStore::new();
    let script = read_horn(problem.as_bytes(), &mut store).expect("the problem is well-formed");
    let input = HornInput::of_problem(&script.problems[0]);
    let mut cx = Cx::new(&mut store, budget);
    let checked = match parse_witness(&mut cx, witness.as_bytes(), input.system()) {
        Ok(witness) => validate(&mut cx, &input, witness),
        Err(Unread::GaveUp(why)) => Err(why),
        Err(unread) => panic!("{witness}: {unread:?}"),
    };
    match checked {
        Ok(Ok(_)) => "valid".to_owned(),
        Ok(Err(objection)) => {
            let span = objection.span(&input).expect("an assertion is false");
            format!("line {}", Source::new(problem.as_bytes()).position(span.start).line)
        }
        Err(why) => why.to_string(),
    }
}

fn check_even(body: &str, expected: &str) {
    let witness = format!("sat\n((define-fun p ((A Int)) Bool {body}))");
    assert_eq!(check(EVEN, &witness, &Budget::unlimited()), expected, "{body}");
}

#[test]
fn quantified_definitions_are_decided() {
    check_even("(exists ((k Int)) (= A (* 2 k)))", "valid");
    check_even("(exists ((k Int)) (! (= A (* 2 k)) :weight 0))", "valid");
    check_even("(exists ((k Int)) (and (>= k 0) (= A (* 2 k))))", "valid");
    check_even("(exists ((k Int)) (and (>= k 1) (= A (* 2 k))))", "line 3");
    check_even("(exists ((k Int)) (= A (* 3 k)))", "line 4");
    check_even("(exists ((k Int)) (>= A k))", "line 5");
    check_even("(forall ((k Int)) (not (= A (+ 1 (* 2 k)))))", "valid");
    check_even("(not (exists ((k Int)) (= A (+ 1 (* 2 k)))))", "valid");
    check_even("(= 0 (ite (exists ((k Int)) (= A (* 2 k))) 0 1))", "valid");
    check_even("(exists ((b Bool) (r Real)) (and b (= (* 2.0 r) A) (is_int r)))", "valid");
}

#[test]
fn quantifiers_alternate_and_shadow() {
    check_even("(exists ((k Int)) (and (= A (* 2 k)) (exists ((k Int)) (= (* 3 k) 6))))", "valid");
    check_even("(exists ((k Int)) (forall ((m Int)) (=> (> m k) (> (* 2 m) A))))", "line 5");
    check_even("(exists ((A Int)) (= A 0))", "line 5");
    let helper =
        "((define-fun double ((x Int) (y Int)) Bool (exists ((k Int)) (and (= k x) (= y (+ k k)))))
        (define-fun p ((A Int)) Bool (exists ((k Int)) (and (double k A) (double A (+ A A))))))";
    assert_eq!(check(EVEN, helper, &Budget::unlimited()), "valid");
    let nested =
        format!("{}(= A (* 2 k)){}", "(exists ((k Int)) ".repeat(20_000), ")".repeat(20_000));
    check_even(&nested, "valid");
}

#[test]
fn elimination_ends_with_the_budget() {
    let mut body = String::from("true");
    for at in 0..40 {
        body = format!(
            "(exists ((k Int) (m Int)) (and {body} (= (mod (+ A (* {} k) m) 97) {at}) (< k A m)))",
            at + 2
        );
    }
    let witness = format!("sat\n((define-fun p ((A Int)) Bool {body}))");
    let started = Instant::now();
    let budget = Budget::until(started + Duration::from_millis(200));
    let found = check(EVEN, &witness, &budget);
    assert_ne!(found, "valid");
    assert!(started.elapsed() < Duration::from_secs(20), "{found}");
    let over = Budget::unlimited();
    over.stop_handle().stop(GaveUp::Cancelled);
    assert_eq!(check(EVEN, &witness, &over), "cancelled");
}

/// An array is filled with ones from 0 on.
const FILLED: &str = "(set-logic HORN)
(declare-fun p ((Array Int Int) Int) Bool)
(assert (p ((as const (Array Int Int)) 0) 0))
(assert (forall ((a (Array Int Int)) (n Int)) (=> (p a n) (p (store a n 1) (+ n 1)))))
(assert (forall ((a (Array Int Int)) (n Int) (k Int)) (=> (and (p a n) (or (< n 0) (< (select a k) 0))) false)))
(check-sat)";

#[test]
fn quantifiers_about_arrays_stand_beside_others() {
    let check_filled = |body: &str, expected: &str| {
        let witness = format!("sat\n((define-fun p ((a (Array Int Int)) (n Int)) Bool {body}))");
        assert_eq!(check(FILLED, &witness, &Budget::unlimited()), expected, "{body}");
    };
    let natural = "(forall ((k Int)) (>= (select a k) 0))";
    check_filled(&format!("(and (>= n 0) {natural})"), "valid");
    check_filled(&format!("(and (exists ((m Int)) (and (>= m 0) (= n m))) {natural})"), "valid");
    check_filled(&format!("(not (or (< n 0) (not {natural})))"), "valid");
    let open = "incomplete: a model with quantifiers could not be confirmed";
    check_filled(natural, open);
    check_filled(&format!("(and (>= n 1) {natural})"), "line 3");
    let nested = "(forall ((k Int)) (exists ((j Int)) (>= (select a k) (select a j))))";
    check_filled(
        &format!("(and (>= n 0) {natural} {nested})"),
        "incomplete: the quantifiers of a model are too entangled",
    );
}
