//! Engines of a portfolio that tell each other what they learn: lemmas arrive and are counted, lies
//! do no harm, and with steps instead of a clock every run is the same.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod lies;

use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use lies::{GROWING, HELPFUL, LIAR, ROUNDS, SAFE_ROUNDS, is_safe, run, settings};
use shofar_base::Outcome;
use shofar_chc::{Engine, Interpretation, NormalSystem, Verdict};
use shofar_engine::{EngineInfo, EngineOptions, Fragment, Make, engine};
use shofar_term::{Cx, Sharing};

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
