//! The engines for loops on systems whose answers are known.

mod support;

use std::time::{Duration, Instant};

use shofar_base::{Budget, GaveUp};
use shofar_chc::{ChcSystem, Engine, TransitionSystem, Verdict};
use shofar_engine::dar::Dar;
use shofar_engine::imc::Imc;
use shofar_engine::kind::{Kind, KindOptions};
use shofar_engine::lawi::{Covering, Lawi, LawiOptions, Search};
use shofar_engine::pdkind::{Depth, Order, PdKind, PdKindOptions};
use shofar_smt::LinearAlgorithm;
use shofar_term::{Cx, TermStore};
use support::{read, validate};

/// Long enough for every engine on everything below, on a busy machine and without optimisation.
fn patience() -> Budget {
    Budget::until(Instant::now() + Duration::from_mins(1))
}

/// The number of states of the run, or nothing if the system is safe; witnesses are validated.
fn decide(
    engine: &mut dyn Engine<TransitionSystem>,
    text: &str,
    budget: &Budget,
) -> Result<Option<usize>, GaveUp> {
    let mut store = TermStore::new();
    let system = read::system(&mut store, text);
    let ts = read::transition_system(&mut store, &system).expect("it is one");
    let mut cx = Cx::new(&mut store, budget);
    Ok(match engine.solve(&mut cx, &ts)? {
        Verdict::Unsafe(run) => {
            validate::run(&mut cx, &ts, &run);
            Some(run.states.len())
        }
        Verdict::Safe(invariant) => {
            validate::invariant(&mut cx, &ts, invariant);
            None
        }
    })
}

/// The same for an engine that works on clauses; the number of steps of the refutation.
fn decide_clauses(engine: &mut dyn Engine<ChcSystem>, text: &str) -> Result<Option<usize>, GaveUp> {
    let (mut store, budget) = (TermStore::new(), patience());
    let system = read::system(&mut store, text);
    let mut cx = Cx::new(&mut store, &budget);
    Ok(match engine.solve(&mut cx, &system)? {
        Verdict::Unsafe(derivation) => {
            validate::derivation(cx.store, &system, &derivation);
            Some(derivation.steps.len())
        }
        Verdict::Safe(model) => {
            validate::model(&mut cx, &system, &model);
            None
        }
    })
}

fn engines() -> Vec<(&'static str, Box<dyn Engine<TransitionSystem>>)> {
    let pdkind = |depth, order| PdKindOptions { depth, order, ..PdKindOptions::default() };
    let pair = PdKindOptions { instances: 2, ..PdKindOptions::default() };
    vec![
        ("pdkind", Box::new(PdKind::default())),
        ("pdkind, shallow", Box::new(PdKind::new(pdkind(Depth::AtMost(1), Order::Oldest)))),
        ("pdkind, nearest", Box::new(PdKind::new(pdkind(Depth::AtMost(3), Order::Nearest)))),
        ("two of pdkind", Box::new(PdKind::new(pair))),
        ("imc", Box::new(Imc::default())),
        ("dar", Box::new(Dar::default())),
    ]
}

fn lawis() -> Vec<Lawi> {
    let mut lawis = Vec::new();
    for search in [Search::Deep, Search::Wide] {
        for covering in [Covering::Found, Covering::Forced(4)] {
            lawis.push(Lawi::new(LawiOptions { search, covering, ..LawiOptions::default() }));
        }
    }
    lawis
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Safe,
    Unsafe,
}

/// All engines agree.
fn check(text: &str, expected: Known) {
    for (name, mut engine) in engines() {
        let found = decide(&mut *engine, text, &patience());
        assert_eq!(found.map(|run| run.is_some()), Ok(expected == Known::Unsafe), "{name}");
    }
    for mut lawi in lawis() {
        let found = decide_clauses(&mut lawi, text).map(|steps| steps.is_some());
        assert_eq!(found, Ok(expected == Known::Unsafe), "{lawi:?}");
    }
}

#[test]
fn a_bad_start() {
    check(
        "(declare-fun s (Int) Bool) (assert (forall ((x Int)) (=> (>= x 3) (s x))))
        (assert (forall ((x Int)) (=> (s x) (s (+ x 1)))))
        (assert (forall ((x Int)) (=> (and (s x) (< x 4)) false)))",
        Known::Unsafe,
    );
}

#[test]
fn a_counter_reaches_its_end() {
    check(
        "(declare-fun s (Int) Bool) (assert (s 0))
        (assert (forall ((x Int) (i Int)) (=> (and (s x) (<= 1 i) (<= i 2)) (s (+ x i)))))
        (assert (forall ((x Int) (y Int)) (=> (and (s x) (= x (* 2 y)) (>= y 4)) false)))",
        Known::Unsafe,
    );
}

#[test]
fn two_counters_stay_equal() {
    check(
        "(declare-fun s (Real Real) Bool)
        (assert (forall ((x Real)) (=> (<= 0.0 x 1.0) (s x x))))
        (assert (forall ((x Real) (y Real)) (=> (s x y) (s (+ x 1.0) (+ y 1.0)))))
        (assert (forall ((x Real) (y Real)) (=> (and (s x y) (> x (+ y 1.0))) false)))",
        Known::Safe,
    );
}

#[test]
fn real_numbers_that_shrink() {
    check(
        "(declare-fun s (Real Real) Bool)
        (assert (forall ((x Real) (y Real)) (=> (and (<= 0.0 x) (<= x 1.0) (= y 0.0)) (s x y))))
        (assert (forall ((x Real) (y Real)) (=> (s x y) (s (/ (+ x y) 2.0) (/ (- x y) 2.0)))))
        (assert (forall ((x Real) (y Real)) (=> (and (s x y) (> x 2.0)) false)))",
        Known::Safe,
    );
}

#[test]
fn a_switch_with_modes() {
    check(
        "(declare-fun s (Bool Bool Int) Bool) (assert (s true false 0))
        (assert (forall ((a Bool) (b Bool) (x Int))
            (=> (s a b x) (s b a (ite (and a (not b)) (+ x 1) (- x 1))))))
        (assert (forall ((a Bool) (b Bool) (x Int)) (=> (and (s a b x) (> x 1)) false)))",
        Known::Safe,
    );
}

#[test]
fn clauses_with_two_loops() {
    let text = |least: i32| {
        format!(
            "(declare-fun p (Int Int) Bool) (declare-fun q (Int Int) Bool)
            (assert (forall ((n Int)) (=> (>= n 0) (p n 0))))
            (assert (forall ((n Int) (x Int)) (=> (and (p n x) (< x n)) (p n (+ x 1)))))
            (assert (forall ((n Int) (x Int)) (=> (and (p n x) (>= x n)) (q n x))))
            (assert (forall ((n Int) (x Int)) (=> (and (q n x) (> x 0)) (q n (- x 1)))))
            (assert (forall ((n Int) (x Int)) (=> (and (q n x) (< x {least})) false)))"
        )
    };
    for mut lawi in lawis() {
        assert_eq!(decide_clauses(&mut lawi, &text(0)), Ok(None), "{lawi:?}");
        assert!(matches!(decide_clauses(&mut lawi, &text(1)), Ok(Some(_))), "{lawi:?}");
    }
}

/// The example of [Bly22] §3.2, over the reals.
const GROWING: &str = "(declare-fun s (Real Real) Bool) (assert (s 0.0 0.0))
    (assert (forall ((x Real) (y Real)) (=> (s x y) (s (+ x y) (+ y 1.0)))))
    (assert (forall ((x Real) (y Real)) (=> (and (s x y) (< x 0.0)) false)))";

fn pdkind_by(linear: LinearAlgorithm) -> PdKind {
    let mut options = PdKindOptions::default();
    options.interpolation.linear = linear;
    PdKind::new(options)
}

#[test]
fn farkas_interpolants_run_away() {
    let budget = Budget::until(Instant::now() + Duration::from_millis(1500));
    let found = decide(&mut pdkind_by(LinearAlgorithm::Farkas), GROWING, &budget);
    assert_eq!(found, Err(GaveUp::Timeout));
}

#[test]
fn decomposed_interpolants_do_not() {
    let found = decide(&mut pdkind_by(LinearAlgorithm::Decomposed), GROWING, &patience());
    assert_eq!(found, Ok(None));
}

#[test]
fn an_instance_learns_what_it_could_not_find() {
    // The first instance runs away; the second proves it, and the answer comes home.
    let mut options = PdKindOptions { instances: 2, ..PdKindOptions::default() };
    options.interpolation.linear = LinearAlgorithm::Farkas;
    assert_eq!(decide(&mut PdKind::new(options), GROWING, &patience()), Ok(None));
}

/// An array of three cells that are copied from earlier ones, round and round; the first stays 0.
const COPIES: &str = "(declare-fun s (Int Int Int Int) Bool)
    (assert (forall ((b Int) (c Int)) (s 0 0 b c)))
    (assert (forall ((i Int) (k Int) (j Int) (v Int) (a Int) (b Int) (c Int))
        (=> (and (s i a b c) (<= 0 j) (<= j i)
                (= k (ite (= i 2) 0 (+ i 1)))
                (= v (ite (= j 0) a (ite (= j 1) b c))))
            (s k (ite (= k 0) v a) (ite (= k 1) v b) (ite (= k 2) v c)))))
    (assert (forall ((i Int) (a Int) (b Int) (c Int)) (=> (and (s i a b c) (not (= a 0))) false)))";

#[test]
fn copies_are_inductive_after_one_round() {
    let size = 3;
    let kind = |max_k| Kind::new(KindOptions { max_k: Some(max_k), ..KindOptions::default() });
    assert_eq!(decide(&mut kind(size + 1), COPIES, &patience()), Ok(None));
    let shallow = decide(&mut kind(1), COPIES, &patience());
    assert!(matches!(shallow, Err(GaveUp::Incomplete(_))), "one step is not enough");
    let depth = Depth::AtMost(size + 1);
    let pdkind = PdKindOptions { depth, ..PdKindOptions::default() };
    assert_eq!(decide(&mut PdKind::new(pdkind), COPIES, &patience()), Ok(None));
}
