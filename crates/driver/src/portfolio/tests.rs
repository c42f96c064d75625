//! Engines for which the system has no thread.

use shofar_base::StopHandle;
use shofar_chc::read::read_horn;
use shofar_chc::{Engine, NormalSystem, Verdict};
use shofar_check::HornInput;
use shofar_engine::{EngineInfo, Fragment, Make, engine};
use shofar_term::{Cx, TermStore};

use super::*;
use crate::workers::THREADS_LEFT;
use crate::{Settings, solve};

const UNSAFE: &[u8] = b"(declare-fun p (Int) Bool) (assert (p 0))
(assert (forall ((x Int)) (=> (and (p x) (< x 20)) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (and (p x) (> x 19)) false)))
(check-sat)";

struct Endless;

impl Engine<NormalSystem> for Endless {
    fn solve(&mut self, cx: &mut Cx<'_>, _: &NormalSystem) -> Outcome<Verdict<NormalSystem>> {
        loop {
            cx.budget.check()?;
            std::thread::sleep(Duration::from_micros(100));
        }
    }
}

static ENDLESS: EngineInfo = EngineInfo {
    name: "endless",
    cites: "",
    about: "for tests",
    fragment: Fragment::Any,
    is_strengthened: true,
    options: None,
    make: Make::Chc(|_| Box::new(Endless)),
};

/// Decides the problem with `bmc` behind an engine that does not end, and so many threads; who had
/// no thread.
fn check(threads: usize) -> Vec<&'static str> {
    let mut store = TermStore::new();
    let script = read_horn(UNSAFE, &mut store).expect("it is well written");
    let input = HornInput::of_problem(&script.problems[0]);
    let engines = vec![&ENDLESS, engine("bmc").expect("there is one")];
    let settings = Settings { engines, ..Settings::default() };
    let mut refused = Vec::new();
    THREADS_LEFT.set(Some(threads));
    let mut observe = |event: &Event| {
        if let Event::NoThread(name) = event {
            refused.push(*name);
        }
    };
    let solved = solve(store, &input, &settings, &StopHandle::default(), &mut observe);
    THREADS_LEFT.set(None);
    let Ok(solved) = solved else { panic!("bounded model checking decides it") };
    assert!(matches!(solved.certified.verdict(), Verdict::Unsafe(_)));
    assert_eq!(solved.engine, "bmc");
    refused
}

#[test]
fn engines_without_a_thread_work_beside_those_with_one() {
    assert_eq!(check(2), [""; 0]);
    assert_eq!(check(1), ["bmc"]);
    assert_eq!(check(0), ["endless", "bmc"]);
}
