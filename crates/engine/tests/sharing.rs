//! What engines tell each other: each says only what is so, takes in what it can use, and is not
//! misled.

mod support;

use std::time::{Duration, Instant};

use shofar_base::{Budget, GaveUp, Idx};
use shofar_chc::{NormalSystem, Timeline, TransitionSystem, Verdict};
use shofar_engine::{ENGINES, EngineInfo, EngineOptions, Make, Pool, engine};
use shofar_smt::{Answer, Options, Solver};
use shofar_term::substitute::rename;
use shofar_term::{
    Bound, Cx, Exchange, Level, Message, Says, Sharing, Sort, Subject, Term, TermStore,
};
use support::exchange::{Faulty, Recorder};
use support::{read, validate};

/// `0 ≤ x`, which needs `0 ≤ y`.
const GROWING: &str = "(declare-fun s (Real Real) Bool) (assert (s 0.0 0.0))
    (assert (forall ((x Real) (y Real)) (=> (s x y) (s (+ x y) (+ y 1.0)))))
    (assert (forall ((x Real) (y Real)) (=> (and (s x y) (< x 0.0)) false)))";

/// Two phases; `y` goes up and down.
const PHASES: &str = "(declare-fun s (Int Int) Bool) (assert (s 0 6))
    (assert (forall ((x Int) (y Int) (z Int))
        (=> (and (s x y) (= z (ite (< x 6) y (+ y 1)))) (s (+ x 1) z))))
    (assert (forall ((x Int) (y Int)) (=> (and (s x y) (= x 12) (not (= y 12))) false)))";

/// Seven steps to a bad state.
const SEVEN: &str = "(declare-fun s (Int Int) Bool) (assert (s 0 0))
    (assert (forall ((x Int) (y Int)) (=> (s x y) (s (+ x 1) (+ y x)))))
    (assert (forall ((x Int) (y Int)) (=> (and (s x y) (> y 20)) false)))";

fn patience() -> Budget {
    Budget::until(Instant::now() + Duration::from_mins(1))
}

/// Whether the system is safe, as an engine says who is connected to `exchange`; witnesses are
/// validated.
fn decide(
    info: &EngineInfo,
    store: &mut TermStore,
    system: &NormalSystem,
    budget: &Budget,
    exchange: &dyn Exchange,
) -> Result<bool, GaveUp> {
    let options = EngineOptions::default();
    let mut cx = Cx::new(store, budget).exchanging(exchange);
    match info.make {
        Make::Chc(make) => match make(&options).solve(&mut cx, system)? {
            Verdict::Unsafe(derivation) => {
                validate::derivation(cx.store, system, &derivation);
                Ok(false)
            }
            Verdict::Safe(model) => {
                validate::model(&mut cx, system, &model);
                Ok(true)
            }
        },
        Make::Ts(make) | Make::Loops { one: make, .. } => {
            let ts = read::transition_system(cx.store, system).expect("it is one");
            match make(&options).solve(&mut cx, &ts)? {
                Verdict::Unsafe(run) => {
                    validate::run(&mut cx, &ts, &run);
                    Ok(false)
                }
                Verdict::Safe(invariant) => {
                    validate::invariant(&mut cx, &ts, invariant);
                    Ok(true)
                }
            }
        }
    }
}

/// Whether `formula` holds in all states that are at most `depth` steps away from an initial one.
fn holds(store: &mut TermStore, ts: &TransitionSystem, formula: Term, depth: usize) -> bool {
    let budget = patience();
    let (mut solver, mut timeline) = (Solver::new(Options::default()), Timeline::new(store, ts));
    let init = timeline.timed(store, ts.init, 0);
    solver.add(store, init);
    for time in 0..=depth {
        let violation = store.not(formula);
        let violation = timeline.timed(store, violation, time);
        let answer = solver.check_assuming(&mut Cx::new(store, &budget), &[violation]);
        if !matches!(answer, Ok(Answer::Unsat(_))) {
            return false;
        }
        let step = timeline.timed(store, ts.step, time);
        solver.add(store, step);
    }
    true
}

/// What an engine said about a system, in the store in which it said it.
fn said_by(name: &str, text: &str) -> (TermStore, NormalSystem, Vec<Message>) {
    let mut store = TermStore::new();
    let system = read::system(&mut store, text);
    let (recorder, info) = (Recorder::default(), engine(name).expect("there is one"));
    let budget = Budget::until(Instant::now() + Duration::from_secs(3));
    // Whether it comes to an end does not matter here.
    let _ = decide(info, &mut store, &system, &budget, &recorder);
    let said = std::mem::take(&mut *recorder.said.lock().expect("nobody panics"));
    (store, system, said)
}

/// So deep lemmas are checked.
const DEPTH: usize = 9;

/// What engines can say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Kinds {
    lemmas: bool,
    facts: bool,
    hints: bool,
}

/// What an engine says on some of the systems has all the kinds it is known for, and is so.
fn check_said(name: &str, texts: &[&str], expected: Kinds) {
    let mut kinds = Kinds::default();
    for text in texts {
        let (mut store, system, said) = said_by(name, text);
        let ts = read::transition_system(&mut store, &system).expect("it is one");
        for message in said {
            assert_eq!(message.params.len(), ts.state.len(), "{name}");
            let formula = rename(&mut store, message.formula, &message.params, &ts.state);
            let depth = match message.says {
                Says::Holds { bound: Bound::Within(level), .. } => level.index().min(DEPTH),
                Says::Holds { bound: Bound::Always, .. } => DEPTH,
                Says::Hint => {
                    kinds.hints = true;
                    continue;
                }
                Says::Reached => {
                    kinds.facts = true;
                    // Some point of it is reached: it is not excluded.
                    let elsewhere = store.not(formula);
                    assert!(!holds(&mut store, &ts, elsewhere, 2 * DEPTH), "{name}: {message:?}");
                    continue;
                }
            };
            kinds.lemmas = true;
            assert!(holds(&mut store, &ts, formula, depth), "{name}: {message:?}");
        }
    }
    assert_eq!(kinds, expected, "{name}");
}

#[test]
fn what_engines_say_is_so() {
    let all = [GROWING, PHASES, SEVEN];
    let [none, lemmas, hints, both] = [(false, false), (true, false), (false, true), (true, true)]
        .map(|(lemmas, hints)| Kinds { lemmas, facts: false, hints });
    check_said("spacer", &all, Kinds { facts: true, ..lemmas });
    for name in ["kind", "pdkind", "ic3ia"] {
        check_said(name, &all, lemmas);
    }
    for name in ["imc", "dar"] {
        check_said(name, &all, both);
    }
    for name in ["lawi", "pa"] {
        check_said(name, &all, hints);
    }
    check_said("bmc", &all, none);
}

#[test]
fn relations_of_loops_say_something_about_states() {
    let loops = "(declare-fun s (Int Int) Bool) (assert (s 0 0))
        (assert (forall ((x Int) (y Int)) (=> (and (s x y) (< x 40)) (s (+ x 1) y))))
        (assert (forall ((x Int) (y Int)) (=> (and (s x y) (>= x 40)) (s x (+ y 1)))))
        (assert (forall ((x Int) (y Int)) (=> (and (s x y) (> x 50)) false)))";
    check_said("trl", &[loops], Kinds { hints: true, ..Kinds::default() });
    let lemmas = Kinds { lemmas: true, ..Kinds::default() };
    check_said("split-tpa", &[loops, PHASES, SEVEN], lemmas);
}

/// Somebody who says `least ≤ y`, in one of the ways there are.
fn y_is_at_least(
    store: &mut TermStore,
    system: &NormalSystem,
    info: &EngineInfo,
    least: i64,
    says: Says,
) -> Recorder {
    let ts = read::transition_system(store, system).expect("it is one");
    let pred = system.preds().next().expect("there is one");
    let subject = match info.make {
        Make::Chc(_) => Subject::Predicate(system.symbol(pred)),
        Make::Ts(_) | Make::Loops { .. } => Subject::State,
    };
    let y = store.constant(ts.state[1]);
    let least = store.number(least.into(), Sort::REAL);
    let formula = store.ge(y, least);
    let message = Message { subject, params: ts.state, formula, says, sender: "test".into() };
    let recorder = Recorder::default();
    recorder.news.lock().expect("nobody panics").push(message.pack(store));
    recorder
}

/// How many messages an engine takes in that say `least ≤ y` in this way, if it then decides that
/// the system is safe.
fn taken(name: &str, least: i64, says: Says) -> Result<usize, GaveUp> {
    let mut store = TermStore::new();
    let system = read::system(&mut store, GROWING);
    let info = engine(name).expect("there is one");
    let recorder = y_is_at_least(&mut store, &system, info, least, says);
    let budget = Budget::until(Instant::now() + Duration::from_secs(20));
    assert!(decide(info, &mut store, &system, &budget, &recorder)?, "{name}");
    let taken = recorder.taken.lock().expect("nobody panics").len();
    Ok(taken)
}

#[test]
fn engines_take_in_what_holds_always() {
    for name in ["spacer", "kind", "pdkind", "ic3ia", "imc", "dar", "lawi", "pa"] {
        assert_eq!(taken(name, 0, Says::holds(Bound::Always)), Ok(1), "{name}");
    }
}

#[test]
fn engines_take_in_candidates_and_hints() {
    let bounded = Says::holds(Bound::Within(Level::new(50)));
    for name in ["pdkind", "ic3ia", "pa"] {
        assert_eq!(taken(name, 0, bounded), Ok(1), "{name}");
    }
    for name in ["ic3ia", "pa"] {
        assert_eq!(taken(name, -1, Says::Hint), Ok(1), "{name}");
    }
    // Hints and bounded claims are nothing to these, which can decide without.
    for name in ["imc", "dar"] {
        assert_eq!(taken(name, -1, Says::Hint), Ok(0), "{name}");
        assert_eq!(taken(name, 0, bounded), Ok(0), "{name}");
    }
}

#[test]
fn an_invariant_from_outside_decides() {
    // Alone, k-induction does not come to an end: the property is inductive after no number of
    // steps.
    let mut store = TermStore::new();
    let system = read::system(&mut store, GROWING);
    let (info, alone) = (engine("kind").expect("there is one"), Recorder::default());
    let budget = Budget::until(Instant::now() + Duration::from_millis(1500));
    let found = decide(info, &mut store, &system, &budget, &alone);
    assert_eq!(found, Err(GaveUp::Timeout));
}

/// Two engines that hear each other over lines that are not reliable.
fn check_faulty(names: [&str; 2], text: &str, is_safe: bool, seed: u64) {
    let mut store = TermStore::new();
    let system = read::system(&mut store, text);
    let pool = Pool::new(Sharing::All);
    let lines = [0, 1].map(|at: u32| {
        Faulty::new(pool.line(at.try_into().expect("it is small")), 2 * seed + u64::from(at))
    });
    std::thread::scope(|scope| {
        for (name, line) in names.into_iter().zip(&lines) {
            let (mut store, system) = (store.clone(), &system);
            scope.spawn(move || {
                let info = engine(name).expect("there is one");
                let budget = Budget::until(Instant::now() + Duration::from_secs(20));
                let found = decide(info, &mut store, system, &budget, line);
                // It may notice that it was misled.
                let is_right = match &found {
                    Ok(found) => *found == is_safe,
                    Err(why) => matches!(why, GaveUp::Wrong(_) | GaveUp::Timeout),
                };
                assert!(is_right, "{name} of {names:?}, seed {seed}: {found:?}");
            });
        }
    });
}

#[test]
fn unreliable_lines_mislead_nobody() {
    let pairs = [["spacer", "pa"], ["dar", "spacer"], ["pdkind", "ic3ia"], ["imc", "ic3ia"]];
    for names in pairs {
        for seed in 0..4 {
            check_faulty(names, PHASES, true, seed);
            check_faulty(names, SEVEN, false, seed);
        }
    }
}

#[test]
fn every_engine_names_itself() {
    for info in ENGINES {
        let (_, _, said) = said_by(info.name, SEVEN);
        for message in said {
            let is_own = info.name == message.sender || info.name.ends_with(&*message.sender);
            assert!(is_own, "{} says it is {}", info.name, message.sender);
        }
    }
}
