//! Refutations as they reach the user: each fact is derived once, whoever found them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use shofar_base::{Budget, StopHandle};
use shofar_chc::Verdict;
use shofar_chc::print::{Lines, print_refutation};
use shofar_chc::read::read_horn;
use shofar_check::{HornInput, parse_witness};
use shofar_driver::{Preprocessing, Settings, solve};
use shofar_engine::engine;
use shofar_term::{Cx, TermStore};

const FIBONACCI: &str = "
(declare-fun fib (Int Int) Bool)
(assert (! (forall ((n Int)) (=> (and (>= n 0) (<= n 1)) (fib n n))) :named base))
(assert (! (forall ((n Int) (a Int) (b Int))
    (=> (and (>= n 2) (fib (- n 1) a) (fib (- n 2) b)) (fib n (+ a b)))) :named |the sum|))
(assert (forall ((r Int)) (=> (and (fib 11 r) (>= r 89)) false)))
(check-sat)";

/// The printed refutation.
fn refutation(name: &str, preprocessing: Preprocessing) -> String {
    let mut store = TermStore::new();
    let script = read_horn(FIBONACCI.as_bytes(), &mut store).unwrap();
    let input = HornInput::of_problem(&script.problems[0]);
    let engines = vec![engine(name).unwrap()];
    let settings = Settings { engines, preprocessing, ..Settings::default() };
    let solved = solve(store, &input, &settings, &StopHandle::default(), &mut |_| ()).unwrap();
    let mut store = solved.store;
    let Verdict::Unsafe(refutation) = solved.certified.verdict() else { panic!("it is unsafe") };
    let lines = Lines::new(&script.problems[0], FIBONACCI.as_bytes());
    let mut text = Vec::new();
    print_refutation(&mut text, &store, input.system(), &lines, refutation).unwrap();
    let budget = Budget::unlimited();
    parse_witness(&mut Cx::new(&mut store, &budget), &text, input.system()).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn a_recursion_takes_one_step_for_each_fact() {
    for engine in ["bmc", "spacer"] {
        for preprocessing in [Preprocessing::Default, Preprocessing::Nothing] {
            let text = refutation(engine, preprocessing);
            assert_eq!(text.matches("(step ").count(), 13, "{engine}: {text}");
        }
    }
}

#[test]
fn clauses_are_called_by_their_names() {
    let text = refutation("bmc", Preprocessing::Default);
    assert!(text.contains(":clause 0 :name base :line 3 :values"), "{text}");
    assert!(text.contains(":clause 1 :name |the sum| :line 4 :values"), "{text}");
    assert!(text.contains(":clause 2 :line 6 :values"), "{text}");
}
