//! The library as a program uses it: limits, cancelling, errors as values, several questions.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::{Duration, Instant};

use shofar::base::wire::{Reader, Writer};
use shofar::{Answer, Failure, GaveUp, Outcome, Problem, Report, Solver};

/// Nobody decides this soon: x = y², and the question is about a number that is no square, a
/// million steps away.
const HARD: &[u8] = b"(set-logic HORN)
(declare-fun p (Int Int Int) Bool)
(assert (p 0 0 0))
(assert (forall ((x Int) (y Int) (z Int))
  (=> (p x y z) (p (+ x y y 1) (+ y 1) (ite (< z y) (+ x z) z)))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (p x y z) (= x 1000000000039) (> z y)) false)))
(check-sat)";

const SAFE: &[u8] = b"(declare-fun p (Int) Bool)(assert (p 0))
(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (p x) (>= x 0))))(check-sat)";

fn failure(outcome: Outcome) -> Failure {
    match outcome.answer {
        Answer::Unknown(failure) => failure,
        Answer::Safe(_) | Answer::Unsafe(_) => panic!("nobody decides this"),
    }
}

#[test]
fn the_time_limit_is_kept() {
    let start = Instant::now();
    let solver = Solver::new().with_timeout(Duration::from_millis(300));
    let outcome = solver.solve(Problem::from_text(HARD).unwrap());
    assert_eq!(outcome.word(), "unknown");
    assert!(outcome.report.total >= Duration::from_millis(250), "{:?}", outcome.report);
    assert_eq!(failure(outcome).stopped, Some(GaveUp::Timeout));
    assert!(start.elapsed() < Duration::from_secs(20));
}

/// Nothing is left of such clauses after the passes, whatever engine is to decide them.
#[test]
fn no_engine_fails_where_nothing_is_asked() {
    let text = b"(declare-fun p (Int) Bool)(assert (p 0))(check-sat)";
    for info in shofar::engine::ENGINES {
        let solver = Solver::new().with_engines(&[info.name]).unwrap();
        let solver = solver.with_timeout(Duration::from_mins(1));
        let mut failures = Vec::new();
        solver.solve_with(Problem::from_text(text).unwrap(), &mut |event| {
            if let shofar::Event::Panicked(_, why) = event {
                failures.push(why.clone());
            }
        });
        assert!(failures.is_empty(), "{}: {failures:?}", info.name);
    }
}

#[test]
fn another_thread_stops_it() {
    let solver = Solver::new();
    let handle = solver.stop_handle();
    let worker = std::thread::spawn(move || solver.solve(Problem::from_text(HARD).unwrap()));
    std::thread::sleep(Duration::from_millis(300));
    assert!(!worker.is_finished());
    handle.stop(GaveUp::Cancelled);
    let failure = failure(worker.join().unwrap());
    assert_eq!((failure.word(), failure.stopped), ("cancelled", Some(GaveUp::Cancelled)));
}

#[test]
fn questions_of_a_script_are_problems_of_their_own() {
    let script = b"(declare-fun p (Int) Bool)(assert (p 0))(push 1)
        (assert (forall ((x Int)) (=> (p x) (> x 0))))(check-sat)(pop 1)(check-sat)";
    let problems = Problem::all_from_text(script).unwrap();
    let words: Vec<&str> =
        problems.into_iter().map(|problem| Solver::new().solve(problem).word()).collect();
    assert_eq!(words, ["unsat", "sat"]);
    let error = Problem::from_text(script).unwrap_err();
    assert_eq!(error.to_string(), "1:1: the text asks 2 questions");
    let error = Problem::from_text(b"(declare-fun p (Int) Bool)").unwrap_err();
    assert_eq!(error.to_string(), "1:1: the text asks no question");
}

#[test]
fn settings_are_followed() {
    let told = |solver: &Solver| {
        let mut engines = Vec::new();
        let outcome = solver.solve_with(Problem::from_text(SAFE).unwrap(), &mut |event| {
            if let shofar::Event::Start(engine, _) = event {
                engines.push(*engine);
            }
        });
        (engines, outcome)
    };
    let solver = Solver::new().with_engines(&["kind"]).unwrap();
    let (engines, outcome) = told(&solver.clone().without_preprocessing());
    assert_eq!((engines, outcome.word()), (vec!["kind"], "sat"));
    assert!(outcome.report.passes.iter().all(|(name, _)| name == "normalize"));
    let (_, outcome) = told(&solver.with_passes("slice,normalize".parse().unwrap()));
    assert!(outcome.report.passes.iter().any(|(name, _)| name == "slice"));
}

#[test]
fn why_there_is_no_answer_can_be_sent() {
    let solver = Solver::new().with_timeout(Duration::from_millis(100));
    let outcome = solver.solve(Problem::from_text(HARD).unwrap());
    let mut out = Writer::new(b"answer");
    outcome.report.write(&mut out);
    let report = outcome.report.clone();
    let failure = failure(outcome);
    failure.write(&mut out);
    let bytes = out.finish();
    let mut reader = Reader::new(&bytes, b"answer").unwrap();
    assert_eq!(Report::read(&mut reader).unwrap(), report);
    let there = Failure::read(&mut reader).unwrap();
    reader.end().unwrap();
    assert_eq!((there.reason(), there.word()), (failure.reason(), failure.word()));
}
