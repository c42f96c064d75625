//! Problems, runs that tell what happened, and engines that lie or help.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::time::{Duration, Instant};

use shofar_base::{Outcome, Rng, StopHandle};
use shofar_chc::read::read_horn;
use shofar_chc::{Engine, NormalSystem, Verdict, formal_params};
use shofar_check::HornInput;
use shofar_driver::{Event, Failure, Settings, Solved, Traffic, solve};
use shofar_engine::{EngineInfo, EngineOptions, Fragment, Make};
use shofar_term::{
    Bound, Cx, Excluded, Level, Message, Says, Sharing, Subject, Symbol, Term, TermStore,
};

/// The property needs that the second argument is not negative.
pub(crate) const GROWING: &str = "(set-logic HORN)
(declare-fun s (Int Int) Bool)
(assert (s 0 0))
(assert (forall ((x Int) (y Int)) (=> (s x y) (s (+ x y) (+ y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (s x y) (< x 0)) false)))
(check-sat)";

/// Two places, which the single loop tells apart by a bit, and a bad state after some rounds.
pub(crate) const ROUNDS: &str = "(set-logic HORN)
(declare-fun p (Int) Bool) (declare-fun q (Int Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (p x) (q x (+ x 1)))))
(assert (forall ((x Int) (y Int)) (=> (q x y) (p y))))
(assert (forall ((x Int) (y Int)) (=> (and (q x y) (> (+ x y) 12)) false)))
(check-sat)";

/// The same, without a bad state.
pub(crate) const SAFE_ROUNDS: &str = "(set-logic HORN)
(declare-fun p (Int) Bool) (declare-fun q (Int Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (p x) (q x (+ x 1)))))
(assert (forall ((x Int) (y Int)) (=> (q x y) (p y))))
(assert (forall ((x Int) (y Int)) (=> (and (q x y) (< y x)) false)))
(check-sat)";

/// A run, with what was told on the way.
pub(crate) struct Told {
    pub(crate) result: Result<Solved, Failure>,
    pub(crate) traffic: Vec<Traffic>,
    pub(crate) turns: Vec<&'static str>,
    pub(crate) misled: Vec<&'static str>,
}

pub(crate) fn run(text: &str, settings: &Settings) -> Told {
    let mut store = TermStore::new();
    let script = read_horn(text.as_bytes(), &mut store).unwrap();
    let input = HornInput::of_problem(&script.problems[0]);
    let (mut traffic, mut turns, mut misled) = (Vec::new(), Vec::new(), Vec::new());
    let mut observe = |event: &Event| match event {
        Event::Exchanged(entry) => traffic.push(entry.clone()),
        Event::Start(name, _) => turns.push(*name),
        Event::Misled(name, _) => misled.push(*name),
        Event::Pass(_)
        | Event::Pause(_)
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

pub(crate) fn settings(
    engines: &[&'static EngineInfo],
    threads: usize,
    sharing: Sharing,
) -> Settings {
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

pub(crate) fn is_safe(told: &Told) -> bool {
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

pub(crate) static LIAR: EngineInfo = EngineInfo {
    name: "liar",
    cites: "",
    about: "for tests",
    fragment: Fragment::Any,
    is_strengthened: true,
    options: None,
    make: Make::Chc(|_| Box::new(Liar)),
};

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

pub(crate) static HELPFUL: EngineInfo = EngineInfo {
    name: "helpful",
    cites: "",
    about: "for tests",
    fragment: Fragment::Any,
    is_strengthened: true,
    options: None,
    make: Make::Chc(|_| Box::new(Helpful)),
};
