//! Engines of a portfolio that tell each other what they learn: lemmas arrive and are counted, lies do no harm, and with steps
//! instead of a clock every run is the same.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use shofar_base::{Outcome, Rng, StopHandle};
use shofar_chc::read::read_horn;
use shofar_chc::{Engine, Interpretation, NormalSystem, Verdict, formal_params};
use shofar_check::HornInput;
use shofar_driver::{Event, Failure, Settings, Solved, Traffic, solve};
use shofar_engine::{EngineInfo, EngineOptions, Fragment, Make, engine};
use shofar_term::{
    Bound, Cx, Excluded, Level, Message, Says, Sharing, Subject, Symbol, Term, TermStore,
};

/// The property needs that the second argument is not negative.
const GROWING: &str = "(set-logic HORN)
(declare-fun s (Int Int) Bool)
(assert (s 0 0))
(assert (forall ((x Int) (y Int)) (=> (s x y) (s (+ x y) (+ y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (s x y) (< x 0)) false)))
(check-sat)";

/// Two places, which the single loop tells apart by a bit, and a bad state after some rounds.
const ROUNDS: &str = "(set-logic HORN)
(declare-fun p (Int) Bool) (declare-fun q (Int Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (p x) (q x (+ x 1)))))
(assert (forall ((x Int) (y Int)) (=> (q x y) (p y))))
(assert (forall ((x Int) (y Int)) (=> (and (q x y) (> (+ x y) 12)) false)))
(check-sat)";

/// The same, without a bad state.
const SAFE_ROUNDS: &str = "(set-logic HORN)
(declare-fun p (Int) Bool) (declare-fun q (Int Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (p x) (q x (+ x 1)))))
(assert (forall ((x Int) (y Int)) (=> (q x y) (p y))))
(assert (forall ((x Int) (y Int)) (=> (and (q x y) (< y x)) false)))
(check-sat)";

/// A run, with what was told on the way.
struct Told {
    result: Result<Solved, Failure>,
    traffic: Vec<Traffic>,
    turns: Vec<&'static str>,
    misled: Vec<&'static str>,
}

fn run(text: &str, settings: &Settings) -> Told {
    let mut store = TermStore::new();
    let script = read_horn(text.as_bytes(), &mut store).unwrap();
    let input = HornInput::of_problem(&script.problems[0]);
    let (mut traffic, mut turns, mut misled) = (Vec::new(), Vec::new(), Vec::new());
    let mut observe = |event: &Event<'_>| match event {
        Event::Exchanged(entry) => traffic.push((*entry).clone()),
        Event::Start(name, _) => turns.push(*name),
        Event::Misled(name, _) => misled.push(*name),
        Event::Pass(_)
        | Event::Stop(..)
        | Event::Panicked(..)
        | Event::Found(_)
        | Event::NoThread(_)
        | Event::Rejected(..)
        | Event::Hints(..)
        | Event::LevelBegins(_)
        | Event::LevelEnded(..) => (),
    };
    let result = solve(store, &input, settings, &StopHandle::default(), &mut observe);
    Told { result, traffic, turns, misled }
}

fn settings(engines: &[&'static EngineInfo], threads: usize, sharing: Sharing) -> Settings {
    let mut options = EngineOptions::default();
    options.sharing = sharing;
    Settings {
        engines: engines.to_vec(),
        options,
        threads,
        deadline: Some(Instant::now() + Duration::from_mins(1)),
        ..Settings::default()
    }
}

fn is_safe(told: &Told) -> bool {
    match &told.result {
        Ok(solved) => matches!(solved.certified.verdict(), Verdict::Safe(_)),
        Err(failure) => panic!("{failure:?}"),
    }
}

/// Formulas over parameters, most of them wrong.
fn lie(store: &mut TermStore, rng: &mut Rng, params: &[Symbol]) -> Term {
    let mut literal = |store: &mut TermStore| {
        let (x, y) = (store.constant(*rng.pick(params)), store.constant(*rng.pick(params)));
        let number = store.int(rng.range(-9, 9));
        let side = if rng.chance(50) { number } else { y };
        if rng.chance(50) { store.le(x, side) } else { store.lt(side, x) }
    };
    let literals = [literal(store), literal(store)];
    if rng.chance(30) { store.bottom() } else { store.or(&literals) }
}

fn way_to_say(store: &mut TermStore, rng: &mut Rng, params: &[Symbol]) -> Says {
    let distance = Level::new(1);
    let bound = if rng.chance(40) { Bound::Always } else { Bound::Within(Level::new(30)) };
    match rng.below(5) {
        0 => Says::Reached,
        1 => Says::Hint,
        2 => {
            let points = lie(store, rng, params);
            Says::Holds { bound, excludes: Some(Excluded { points, distance }) }
        }
        _ => Says::holds(bound),
    }
}

/// Says what is not so, again and again.
struct Liar;

fn babble(cx: &mut Cx<'_>, seed: u64, subject: Subject, params: &[Symbol]) -> Outcome<()> {
    let mut rng = Rng::new(seed);
    for _ in 0..40 {
        let formula = lie(cx.store, &mut rng, params);
        let says = way_to_say(cx.store, &mut rng, params);
        let params = params.to_vec();
        let message = Message { subject, params, formula, says, sender: "liar".into() };
        let Some(exchange) = cx.exchange else { break };
        for _ in 0..rng.below(3) {
            exchange.publish(cx.store, &message);
        }
        cx.budget.check()?;
    }
    Ok(())
}

/// Ends when it is told to.
fn linger<T>(cx: &Cx<'_>) -> Outcome<T> {
    loop {
        cx.budget.check()?;
        std::thread::sleep(Duration::from_micros(100));
    }
}

impl Engine<NormalSystem> for Liar {
    fn solve(&mut self, cx: &mut Cx<'_>, system: &NormalSystem) -> Outcome<Verdict<NormalSystem>> {
        for pred in system.preds() {
            let params = formal_params(cx.store, system, pred);
            let subject = Subject::Predicate(system.symbol(pred));
            for seed in 0..3 {
                babble(cx, seed, subject, &params)?;
            }
        }
        linger(cx)
    }
}

static LIAR: EngineInfo = EngineInfo {
    name: "liar",
    cites: "",
    about: "for tests",
    fragment: Fragment::Any,
    is_strengthened: true,
    options: None,
    make: Make::Chc(|_| Box::new(Liar)),
};

#[test]
fn lies_do_no_harm() {
    let names =
        ["spacer", "pa", "pdkind", "ic3ia", "imc", "kind", "dar", "lawi", "split-tpa", "trl"];
    for name in names {
        for (text, expected) in [(ROUNDS, false), (SAFE_ROUNDS, true)] {
            let engines = [&LIAR, engine(name).unwrap()];
            for threads in [1, 2] {
                let told = run(text, &settings(&engines, threads, Sharing::All));
                assert_eq!(is_safe(&told), expected, "{name}, {threads} threads");
                let Ok(solved) = told.result else { unreachable!("it is decided") };
                assert_eq!(solved.engine, name);
            }
        }
    }
}

/// Believes everything: what it hears is its model. Alone it works like `spacer`.
struct Gullible;

impl Engine<NormalSystem> for Gullible {
    fn solve(&mut self, cx: &mut Cx<'_>, system: &NormalSystem) -> Outcome<Verdict<NormalSystem>> {
        let Some(exchange) = cx.exchange else {
            let Make::Chc(make) = engine("spacer").unwrap().make else {
                unreachable!("it works on clauses")
            };
            return make(&EngineOptions::default()).solve(cx, system);
        };
        loop {
            cx.budget.check()?;
            let messages = exchange.receive(cx)?;
            if let Some(message) = messages.first() {
                exchange.took(message);
                let mut model = Interpretation::new();
                for pred in system.preds() {
                    model.define_constant(cx.store, system, pred, false);
                }
                return Ok(Verdict::Safe(model));
            }
        }
    }
}

static GULLIBLE: EngineInfo = EngineInfo {
    name: "gullible",
    cites: "",
    about: "for tests",
    fragment: Fragment::Any,
    is_strengthened: true,
    options: None,
    make: Make::Chc(|_| Box::new(Gullible)),
};

#[test]
fn the_misled_begin_anew_without_others() {
    let told = run(SAFE_ROUNDS, &settings(&[&LIAR, &GULLIBLE], 2, Sharing::All));
    assert!(is_safe(&told));
    assert_eq!(told.misled, ["gullible"]);
}

/// Tells the one invariant that helps, and ends when it is told to.
struct Helpful;

impl Engine<NormalSystem> for Helpful {
    fn solve(&mut self, cx: &mut Cx<'_>, system: &NormalSystem) -> Outcome<Verdict<NormalSystem>> {
        let pred = system.preds().next().unwrap();
        let params = formal_params(cx.store, system, pred);
        // Arguments may have changed places.
        for &param in &params {
            let (param, zero) = (cx.store.constant(param), cx.store.int(0));
            let message = Message {
                subject: Subject::Predicate(system.symbol(pred)),
                params: params.clone(),
                formula: cx.store.ge(param, zero),
                says: Says::holds(Bound::Always),
                sender: "helpful".into(),
            };
            if let Some(exchange) = cx.exchange {
                exchange.publish(cx.store, &message);
            }
        }
        linger(cx)
    }
}

static HELPFUL: EngineInfo = EngineInfo {
    name: "helpful",
    cites: "",
    about: "for tests",
    fragment: Fragment::Any,
    is_strengthened: true,
    options: None,
    make: Make::Chc(|_| Box::new(Helpful)),
};

#[test]
fn a_lemma_of_one_engine_decides_for_another() {
    // Alone, k-induction does not come to an end here.
    let engines = [engine("kind").unwrap(), &HELPFUL];
    let mut wanted = settings(&engines, 2, Sharing::All);
    let told = run(GROWING, &wanted);
    assert!(is_safe(&told));
    let entry = told.traffic.iter().find(|t| t.from == "helpful" && t.to == "kind").unwrap();
    assert!(entry.sent >= 2 && entry.taken >= 1 && entry.used >= 1, "{entry:?}");
    wanted.options.sharing = Sharing::None;
    wanted.deadline = Some(Instant::now() + Duration::from_secs(2));
    let told = run(GROWING, &wanted);
    assert!(told.result.is_err(), "nothing is shared");
    assert_eq!(told.traffic, []);
}

#[test]
fn by_steps_every_run_is_the_same() {
    let names = ["pa", "spacer", "pdkind", "imc", "ic3ia"];
    let engines: Vec<&'static EngineInfo> = names.map(|name| engine(name).unwrap()).to_vec();
    let once = |text: &str| {
        let mut settings = settings(&engines, 1, Sharing::All);
        settings.steps_per_millisecond = NonZeroU32::new(1);
        let told = run(text, &settings);
        let Ok(solved) = told.result else { panic!("it is easy") };
        let counts: Vec<(String, u64)> = solved
            .statistics
            .iter()
            .filter(|(name, _)| !name.starts_with("us_"))
            .map(|(name, count)| (name.to_owned(), count))
            .collect();
        (solved.engine, counts, told.turns, told.traffic)
    };
    for text in [ROUNDS, SAFE_ROUNDS, GROWING] {
        let first = once(text);
        assert!(first.2.len() > 1, "several engines have their turn: {:?}", first.2);
        for _ in 0..2 {
            assert_eq!(once(text), first);
        }
    }
}
