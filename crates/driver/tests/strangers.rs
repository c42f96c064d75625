//! Engines that lie, fail or wait: no wrong verdict comes out, and nobody else is kept from working.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::{Duration, Instant};

use shofar_base::{GaveUp, Outcome, StopHandle};
use shofar_chc::read::read_horn;
use shofar_chc::{
    ChcSystem, Definition, Derivation, DerivationStep, Engine, Interpretation, Run,
    TransitionSystem, Verdict, formal_params,
};
use shofar_check::HornInput;
use shofar_driver::{Failure, Settings, Solved, solve};
use shofar_engine::{EngineInfo, Fragment, Make, engine};
use shofar_term::eval::{Assignment, Value};
use shofar_term::{Cx, Term, TermStore};

/// A counter that meets its limit.
const UNSAFE: &str = "(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (and (p x) (< x 10)) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (and (p x) (> x 9)) false)))
(check-sat)";

/// Says that everything is safe, since every predicate holds everywhere.
struct Optimist;

impl Engine<ChcSystem> for Optimist {
    fn solve(&mut self, cx: &mut Cx<'_>, system: &ChcSystem) -> Outcome<Verdict<ChcSystem>> {
        let mut model = Interpretation::new();
        for pred in system.preds() {
            model.define_constant(cx.store, system, pred, true);
        }
        Ok(Verdict::Safe(model))
    }
}

/// Says that every query is a bug, and derives it from nothing.
struct Pessimist;

impl Engine<ChcSystem> for Pessimist {
    fn solve(&mut self, _: &mut Cx<'_>, system: &ChcSystem) -> Outcome<Verdict<ChcSystem>> {
        let (clause, _) = system.clauses().find(|(_, c)| c.is_query()).unwrap();
        let step = DerivationStep { clause, assignment: Assignment::new(), premises: Vec::new() };
        Ok(Verdict::Unsafe(Derivation { steps: vec![step] }))
    }
}

/// Says that it is safe, and nothing else.
struct Mute;

impl Engine<ChcSystem> for Mute {
    fn solve(&mut self, _: &mut Cx<'_>, _: &ChcSystem) -> Outcome<Verdict<ChcSystem>> {
        Ok(Verdict::Safe(Interpretation::new()))
    }
}

/// Says that two steps lead to a bug, without a look at the clauses.
struct Jumper;

impl Engine<TransitionSystem> for Jumper {
    fn solve(
        &mut self,
        cx: &mut Cx<'_>,
        ts: &TransitionSystem,
    ) -> Outcome<Verdict<TransitionSystem>> {
        let state: Vec<Value> =
            ts.state.iter().map(|&s| Value::default_of(cx.store.result(s))).collect();
        Ok(Verdict::Unsafe(Run { states: vec![state.clone(), state] }))
    }
}

struct Clumsy;

impl Engine<ChcSystem> for Clumsy {
    fn solve(&mut self, _: &mut Cx<'_>, _: &ChcSystem) -> Outcome<Verdict<ChcSystem>> {
        panic!("I fell")
    }
}

/// Never ends by itself.
struct Endless;

impl Engine<ChcSystem> for Endless {
    fn solve(&mut self, cx: &mut Cx<'_>, _: &ChcSystem) -> Outcome<Verdict<ChcSystem>> {
        loop {
            cx.budget.check()?;
        }
    }
}

/// Finds every state of a counter by heart: a model that is right, and whose validation takes long.
struct Verbose;

/// A counter that stays below its limit.
const SAFE: &str = "(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (p 0 0))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (<= x 3000)) (p (+ x 1) (+ y 2)))))
(assert (forall ((x Int) (y Int)) (=> (p x y) (<= y 9000))))
(check-sat)";

impl Engine<ChcSystem> for Verbose {
    fn solve(&mut self, cx: &mut Cx<'_>, system: &ChcSystem) -> Outcome<Verdict<ChcSystem>> {
        let pred = system.preds().next().unwrap();
        let params = formal_params(cx.store, system, pred);
        let [x, y] = [params[0], params[1]].map(|param| cx.store.constant(param));
        let states: Vec<Term> = (0..=3001)
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

const fn stranger(name: &'static str, make: Make) -> EngineInfo {
    EngineInfo { name, cites: "", about: "for tests", fragment: Fragment::Any, make }
}

static OPTIMIST: EngineInfo = stranger("optimist", Make::Chc(|_| Box::new(Optimist)));
static PESSIMIST: EngineInfo = stranger("pessimist", Make::Chc(|_| Box::new(Pessimist)));
static MUTE: EngineInfo = stranger("mute", Make::Chc(|_| Box::new(Mute)));
static JUMPER: EngineInfo = stranger("jumper", Make::Ts(|_| Box::new(Jumper)));
static CLUMSY: EngineInfo = stranger("clumsy", Make::Chc(|_| Box::new(Clumsy)));
static ENDLESS: EngineInfo = stranger("endless", Make::Chc(|_| Box::new(Endless)));

static VERBOSE: EngineInfo = stranger("verbose", Make::Chc(|_| Box::new(Verbose)));

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

fn alone(stranger: &'static EngineInfo, limit: Duration) -> Failure {
    match run(&[stranger], 1, limit, &StopHandle::default()) {
        Ok(_) => panic!("{} has convinced the validator", stranger.name),
        Err(failure) => failure,
    }
}

const LONG: Duration = Duration::from_mins(1);

#[test]
fn liars_are_rejected() {
    for liar in [&OPTIMIST, &PESSIMIST, &JUMPER, &MUTE] {
        let failure = alone(liar, LONG);
        assert_eq!(failure.rejected.len(), 1, "{}: {failure:?}", liar.name);
        assert!(failure.rejected[0].starts_with(liar.name), "{failure:?}");
    }
}

#[test]
fn a_failure_is_told() {
    let failure = alone(&CLUMSY, LONG);
    assert_eq!(failure.engines, [("clumsy".to_owned(), "I fell".to_owned())]);
    assert!(failure.rejected.is_empty());
}

#[test]
fn the_endless_end_in_time() {
    let start = Instant::now();
    let failure = alone(&ENDLESS, Duration::from_millis(200));
    assert_eq!(failure.stopped, Some(GaveUp::Timeout));
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[test]
fn nobody_keeps_an_honest_engine_from_working() {
    let bmc = engine("bmc").unwrap();
    for threads in [1, 2, 8] {
        let crowd = [&ENDLESS, &OPTIMIST, &CLUMSY, &PESSIMIST, &ENDLESS, bmc];
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
        let solved = run_on(SAFE, &[&VERBOSE, spacer], threads, LONG, &StopHandle::default());
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
    let Err(failure) = run(&[&ENDLESS, &ENDLESS, &ENDLESS], 1, LONG, &handle) else {
        panic!("nobody decides")
    };
    assert_eq!(failure.stopped, Some(GaveUp::Memory));
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}
