//! Engines that are wrong, panic or do not end: no wrong verdict comes out, and other engines get
//! their time slices.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use shofar_base::{GaveUp, Outcome, StopHandle};
use shofar_chc::read::read_horn;
use shofar_chc::{
    Definition, Derivation, DerivationStep, Engine, Interpretation, NormalSystem, Run,
    TransitionSystem, Verdict, formal_params,
};
use shofar_check::HornInput;
use shofar_driver::{Failure, Settings, Solved, solve};
use shofar_engine::{EngineInfo, Fragment, Make, engine};
use shofar_term::eval::{Model, Value};
use shofar_term::{Cx, Term, TermStore};

/// A counter that meets its limit.
const UNSAFE: &str = "(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (and (p x) (< x 10)) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (and (p x) (> x 9)) false)))
(check-sat)";

/// Says that everything is safe, since every predicate holds everywhere.
struct AlwaysSafe;

impl Engine<NormalSystem> for AlwaysSafe {
    fn solve(&mut self, cx: &mut Cx<'_>, system: &NormalSystem) -> Outcome<Verdict<NormalSystem>> {
        let mut model = Interpretation::new();
        for pred in system.preds() {
            model.define_constant(cx.store, system, pred, true);
        }
        Ok(Verdict::Safe(model))
    }
}

/// Says that every query is a bug, and derives it from nothing.
struct AlwaysUnsafe;

impl Engine<NormalSystem> for AlwaysUnsafe {
    fn solve(&mut self, _: &mut Cx<'_>, system: &NormalSystem) -> Outcome<Verdict<NormalSystem>> {
        let (clause, _) = system.clauses().find(|(_, c)| c.is_query()).unwrap();
        let step = DerivationStep { clause, assignment: Model::new(), premises: Vec::new() };
        Ok(Verdict::Unsafe(Derivation::ground(vec![step])))
    }
}

/// Says that it is safe, and nothing else.
struct EmptyModel;

impl Engine<NormalSystem> for EmptyModel {
    fn solve(&mut self, _: &mut Cx<'_>, _: &NormalSystem) -> Outcome<Verdict<NormalSystem>> {
        Ok(Verdict::Safe(Interpretation::new()))
    }
}

/// Says that two steps lead to a bug, without a look at the clauses.
struct WrongRun;

impl Engine<TransitionSystem> for WrongRun {
    fn solve(
        &mut self,
        cx: &mut Cx<'_>,
        ts: &TransitionSystem,
    ) -> Outcome<Verdict<TransitionSystem>> {
        let state: Vec<Value> =
            ts.state.iter().map(|&s| Value::default_of(cx.store, cx.store.result(s))).collect();
        Ok(Verdict::Unsafe(Run::ground(vec![state.clone(), state])))
    }
}

struct Panics;

impl Engine<NormalSystem> for Panics {
    fn solve(&mut self, _: &mut Cx<'_>, _: &NormalSystem) -> Outcome<Verdict<NormalSystem>> {
        panic!("an index is out of range")
    }
}

/// Never ends by itself.
struct NeverEnds;

impl Engine<NormalSystem> for NeverEnds {
    fn solve(&mut self, cx: &mut Cx<'_>, _: &NormalSystem) -> Outcome<Verdict<NormalSystem>> {
        loop {
            cx.budget.check()?;
        }
    }
}

/// Takes its time when it is told to stop.
struct SlowToStop;

/// How many of them have begun, and how many have ended.
static BEGUN: AtomicUsize = AtomicUsize::new(0);
static ENDED: AtomicUsize = AtomicUsize::new(0);

impl Engine<NormalSystem> for SlowToStop {
    fn solve(&mut self, cx: &mut Cx<'_>, _: &NormalSystem) -> Outcome<Verdict<NormalSystem>> {
        BEGUN.fetch_add(1, Ordering::SeqCst);
        let why = loop {
            if let Err(why) = cx.budget.check() {
                break why;
            }
        };
        std::thread::sleep(Duration::from_millis(300));
        ENDED.fetch_add(1, Ordering::SeqCst);
        Err(why)
    }
}

/// Finds every state of a counter by heart: a model that is right, and whose validation takes long.
struct HugeModel;

/// A counter that stays below its limit.
const SAFE: &str = "(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (p 0 0))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (<= x 30000)) (p (+ x 1) (+ y 2)))))
(assert (forall ((x Int) (y Int)) (=> (p x y) (<= y 90000))))
(check-sat)";

impl Engine<NormalSystem> for HugeModel {
    fn solve(&mut self, cx: &mut Cx<'_>, system: &NormalSystem) -> Outcome<Verdict<NormalSystem>> {
        let pred = system.preds().next().unwrap();
        let params = formal_params(cx.store, system, pred);
        let [x, y] = [params[0], params[1]].map(|param| cx.store.constant(param));
        let states: Vec<Term> = (0..=30001)
            .map(|i| {
                let [i, j] = [i, 2 * i].map(|n| cx.store.int(n));
                let parts = [cx.store.eq(x, i), cx.store.eq(y, j)];
                cx.store.and(&parts)
            })
            .collect();
        let mut model = Interpretation::new();
        model.define(pred, Definition { params, body: cx.store.or(&states) });
        Ok(Verdict::Safe(model))
    }
}

const fn faulty(name: &'static str, make: Make) -> EngineInfo {
    EngineInfo {
        name,
        cites: "",
        about: "for tests",
        fragment: Fragment::Any,
        is_strengthened: true,
        options: None,
        make,
    }
}

static ALWAYS_SAFE: EngineInfo = faulty("always-safe", Make::Chc(|_| Box::new(AlwaysSafe)));
static ALWAYS_UNSAFE: EngineInfo = faulty("always-unsafe", Make::Chc(|_| Box::new(AlwaysUnsafe)));
static EMPTY_MODEL: EngineInfo = faulty("empty-model", Make::Chc(|_| Box::new(EmptyModel)));
static WRONG_RUN: EngineInfo = faulty("wrong-run", Make::Ts(|_| Box::new(WrongRun)));
static PANICS: EngineInfo = faulty("panics", Make::Chc(|_| Box::new(Panics)));
static NEVER_ENDS: EngineInfo = faulty("never-ends", Make::Chc(|_| Box::new(NeverEnds)));

static SLOW_TO_STOP: EngineInfo = faulty("slow", Make::Chc(|_| Box::new(SlowToStop)));
static HUGE_MODEL: EngineInfo = faulty("huge-model", Make::Chc(|_| Box::new(HugeModel)));

fn run(
    engines: &[&'static EngineInfo],
    threads: usize,
    limit: Duration,
    handle: &StopHandle,
) -> Result<Solved, Failure> {
    run_on(UNSAFE, engines, threads, limit, handle)
}

fn run_on(
    problem: &str,
    engines: &[&'static EngineInfo],
    threads: usize,
    limit: Duration,
    handle: &StopHandle,
) -> Result<Solved, Failure> {
    let mut store = TermStore::new();
    let script = read_horn(problem.as_bytes(), &mut store).unwrap();
    let input = HornInput::of_problem(&script.problems[0]);
    let deadline = Some(Instant::now() + limit);
    let settings = Settings { engines: engines.to_vec(), threads, deadline, ..Settings::default() };
    solve(store, &input, &settings, handle, &mut |_| ())
}

fn alone(faulty: &'static EngineInfo, limit: Duration) -> Failure {
    match run(&[faulty], 1, limit, &StopHandle::default()) {
        Ok(_) => panic!("{} has convinced the validator", faulty.name),
        Err(failure) => failure,
    }
}

const LONG: Duration = Duration::from_mins(1);

#[test]
fn liars_are_rejected() {
    for liar in [&ALWAYS_SAFE, &ALWAYS_UNSAFE, &WRONG_RUN, &EMPTY_MODEL] {
        let failure = alone(liar, LONG);
        assert_eq!(failure.rejected.len(), 1, "{}: {failure:?}", liar.name);
        assert!(failure.rejected[0].starts_with(liar.name), "{failure:?}");
    }
}

#[test]
fn a_failure_is_told() {
    let failure = alone(&PANICS, LONG);
    assert_eq!(failure.engines, [("panics".to_owned(), "an index is out of range".to_owned())]);
    assert!(failure.rejected.is_empty());
}

#[test]
fn the_endless_end_in_time() {
    let start = Instant::now();
    let failure = alone(&NEVER_ENDS, Duration::from_millis(200));
    assert_eq!(failure.stopped, Some(GaveUp::Timeout));
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[test]
fn nobody_keeps_an_honest_engine_from_working() {
    let bmc = engine("bmc").unwrap();
    for threads in [1, 2, 8] {
        let crowd = [&NEVER_ENDS, &ALWAYS_SAFE, &PANICS, &ALWAYS_UNSAFE, &NEVER_ENDS, bmc];
        let solved = run(&crowd, threads, LONG, &StopHandle::default());
        let solved = solved.unwrap_or_else(|failure| panic!("{threads} threads: {failure:?}"));
        assert_eq!(solved.engine, "bmc");
        assert!(matches!(solved.certified.verdict(), Verdict::Unsafe(_)));
    }
}

#[test]
fn a_witness_whose_validation_takes_long_is_overtaken() {
    let spacer = engine("spacer").unwrap();
    for threads in [1, 2] {
        let solved = run_on(SAFE, &[&HUGE_MODEL, spacer], threads, LONG, &StopHandle::default());
        let solved = solved.unwrap_or_else(|failure| panic!("{threads} threads: {failure:?}"));
        assert_eq!(solved.engine, "spacer", "{threads} threads");
    }
}

#[test]
fn paused_engines_hear_that_it_is_over() {
    let handle = StopHandle::default();
    let stop = handle.clone();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(700));
        stop.stop(GaveUp::Memory);
    });
    let start = Instant::now();
    let Err(failure) = run(&[&NEVER_ENDS, &NEVER_ENDS, &NEVER_ENDS], 1, LONG, &handle) else {
        panic!("nobody decides")
    };
    assert_eq!(failure.stopped, Some(GaveUp::Memory));
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[test]
fn all_threads_have_ended_when_the_answer_is_there() {
    let bmc = engine("bmc").unwrap();
    let solved = run(&[&SLOW_TO_STOP, &SLOW_TO_STOP, bmc], 3, LONG, &StopHandle::default());
    assert_eq!(solved.unwrap_or_else(|failure| panic!("{failure:?}")).engine, "bmc");
    let (begun, ended) = (BEGUN.load(Ordering::SeqCst), ENDED.load(Ordering::SeqCst));
    assert!(begun > 0 && begun == ended, "{ended} of {begun} have ended");
}
