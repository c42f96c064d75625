//! Loops with known answers; every witness is checked.

mod nested;
mod random;

use shofar_base::{Budget, Map};
use shofar_chc::NormalSystem;
use shofar_chc::read::read_horn;
use shofar_num::Rational;
use shofar_term::eval::{Evaluator, Model, Value};
use shofar_term::substitute::substitute;
use shofar_term::{Symbol, Term};

use super::frames::Replaced;
use super::invariant::Paths;
use super::relation::{Kind, Relation};
use super::search::Extended;
use super::*;
use crate::ts::invariant::is_invariant;

/// The transition system of clauses about one predicate.
fn system(store: &mut TermStore, text: &str) -> TransitionSystem {
    let text = format!("{text}\n(check-sat)");
    let script = read_horn(text.as_bytes(), store).expect("it is well written");
    let system = NormalSystem::of(store, script.problems[0].system.clone());
    let pred = system.preds().next().expect("there is a predicate");
    let sorts = system.sorts(store, pred).to_vec();
    let symbols = |store: &mut TermStore, name: &str| -> Vec<Symbol> {
        sorts.iter().map(|&sort| store.fresh(name, sort)).collect()
    };
    let (state, next) = (symbols(store, "s"), symbols(store, "t"));
    let (mut init, mut step, mut bad) = (Vec::new(), Vec::new(), Vec::new());
    for (_, clause) in system.clauses() {
        let mut map: Map<Term, Term> = Map::default();
        let head = if clause.body.is_empty() { &state } else { &next };
        for (atom, symbols) in [(clause.body.first(), &state), (clause.head.as_ref(), head)] {
            for (&arg, &symbol) in atom.iter().flat_map(|atom| &atom.args).zip(symbols) {
                map.insert(arg, store.constant(symbol));
            }
        }
        let formula = substitute(store, &map, &[clause.constraint])[0];
        match (clause.body.is_empty(), clause.head.is_some()) {
            (true, _) => init.push(formula),
            (false, true) => step.push(formula),
            (false, false) => bad.push(formula),
        }
    }
    let [init, step, bad] = [init, step, bad].map(|parts| store.or(&parts));
    TransitionSystem { state, next, init, step, bad }
}

/// Whether `run` is one, to a bad state.
fn is_run(cx: &mut Cx<'_>, ts: &TransitionSystem, run: &Run) -> bool {
    let model = |symbols: &[&[Symbol]], states: &[&Vec<Value>]| {
        let mut model = Model::new();
        for (symbols, values) in symbols.iter().zip(states) {
            for (&symbol, value) in symbols.iter().zip(*values) {
                model.set(symbol, value.clone());
            }
        }
        model
    };
    let holds = |cx: &mut Cx<'_>, formula: Term, model: &Model| {
        Evaluator::with_defaults(model).holds(cx.store, formula) == Ok(true)
    };
    let (first, last) = (&run.states[0], &run.states[run.states.len() - 1]);
    let starts = holds(cx, ts.init, &model(&[&ts.state], &[first]));
    let ends = holds(cx, ts.bad, &model(&[&ts.state], &[last]));
    let both = [ts.state.as_slice(), &ts.next];
    let goes =
        run.states.windows(2).all(|pair| holds(cx, ts.step, &model(&both, &[&pair[0], &pair[1]])));
    starts && ends && goes
}

/// The verdict, whose witness is right: how long the run is, or none.
fn check(text: &str, directions: Directions) -> Option<usize> {
    check_mode(text, directions, Mode::Relations)
}

fn check_mode(text: &str, directions: Directions, mode: Mode) -> Option<usize> {
    check_within(&Budget::unlimited(), text, directions, mode).expect("it is decided")
}

fn check_within(
    budget: &Budget,
    text: &str,
    directions: Directions,
    mode: Mode,
) -> Outcome<Option<usize>> {
    let mut store = TermStore::new();
    let ts = system(&mut store, text);
    let mut cx = Cx::new(&mut store, budget);
    let mut engine = Trl::new(TrlOptions { directions, mode, ..TrlOptions::default() });
    let verdict = engine.solve(&mut cx, &ts)?;
    let unlimited = Budget::unlimited();
    let mut cx = Cx::new(&mut store, &unlimited);
    Ok(match verdict {
        Verdict::Safe(invariant) => {
            assert_eq!(is_invariant(&mut cx, &ts, invariant), Ok(true));
            None
        }
        Verdict::Unsafe(run) => {
            let run = nested::unfolded(cx.store, &ts, &run);
            assert!(is_run(&mut cx, &ts, &run), "{} states", run.states.len());
            Some(run.states.len() - 1)
        }
    })
}

fn is_safe(text: &str) {
    for directions in [Directions::Forward, Directions::Backward, Directions::Both] {
        assert_eq!(check(text, directions), None, "{directions:?}");
    }
}

/// `x` and `y` go up together, then down together.
const BOUNCY: &str = "(declare-fun p (Int Int Int) Bool)
(assert (p 0 0 0))
(assert (forall ((x Int) (y Int)) (=> (p 0 x y) (p 0 (+ x 1) (+ y 1)))))
(assert (forall ((x Int) (y Int)) (=> (p 0 x y) (p 1 x y))))
(assert (forall ((x Int) (y Int)) (=> (p 1 x y) (p 1 (- x 1) (- y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (p 1 x y) (<= x 0) (> y 0)) false)))";

/// Relations at depths before they were learned lead to a bad state: `x` grows by `y`, which is 0
/// only at the beginning.
const LATE: &str = "(declare-fun p (Int Int) Bool)
(assert (p 0 0))
(assert (forall ((x Int)) (=> (p x 0) (p x 1))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (>= y 0)) (p (+ x y) (+ y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (= y 1) (>= x 1)) false)))";

#[test]
fn loops_with_two_phases_are_exhausted_soon() {
    is_safe(BOUNCY);
    let (mut store, budget) = (TermStore::new(), Budget::unlimited());
    let ts = system(&mut store, BOUNCY);
    let mut cx = Cx::new(&mut store, &budget);
    let mut search = Search::new(&mut cx, ts, &TrlOptions::default());
    while let Ok(Progress::Open) = search.iterate(&mut cx) {}
    assert!(matches!(search.iterate(&mut cx), Ok(Progress::Exhausted)));
    assert_eq!(search.frames.depth(), 3);
    assert_eq!((search.stats.learned, search.stats.over), (2, 0));
}

/// The union of what the final relations reach from initial states, at any depth: what is often
/// taken for the invariant.
fn naive(cx: &mut Cx<'_>, search: &mut Search) -> Term {
    let mut union = vec![search.space.ts.init];
    let mut image = search.space.ts.init;
    for _ in 0..search.frames.depth() {
        let steps: Vec<Term> = search.relations.iter().map(|r| r.formula).collect();
        let step = cx.store.or(&steps);
        let both = cx.store.and(&[image, step]);
        let mut others = search.space.ts.locals(cx.store, both);
        others.extend(&search.space.ts.state);
        let next = shofar_mbp::eliminate(cx, both, &others).expect("there is no limit");
        image = search.space.ts.unprimed(cx.store, next);
        union.push(image);
    }
    cx.store.or(&union)
}

/// A coarse relation of the second loop of [`LATE`], offered from the second frame on.
fn learn_coarsely(store: &mut TermStore, search: &mut Search) {
    let (ts, n) = (search.space.ts.clone(), search.space.n(store));
    let [x, y, next_x, next_y] =
        [ts.state[0], ts.state[1], ts.next[0], ts.next[1]].map(|s| store.constant(s));
    let (zero, one) = (store.int(0), store.int(1));
    let sum = store.add(&[y, n]);
    let literals =
        [store.ge(y, zero), store.ge(n, one), store.ge(next_x, x), store.eq(next_y, sum)];
    let formula = store.and(&literals);
    let relation = search.relations.push(Relation {
        kind: Kind::Over,
        formula,
        locals: vec![search.space.count],
        word: Vec::new(),
        once: formula,
        closed: None,
        left_out: Vec::new(),
        is_offered: true,
    });
    let pairs = substitute(store, &[(n, one)].into_iter().collect(), &[formula])[0];
    search.frames.covers.push(Replaced { relation, pairs });
}

#[test]
fn blocking_clauses_and_depths_are_a_part_of_the_certificate() {
    assert_eq!(check(LATE, Directions::Forward), None);
    let (mut store, budget) = (TermStore::new(), Budget::unlimited());
    let ts = system(&mut store, LATE);
    let mut cx = Cx::new(&mut store, &budget);
    let mut search = Search::new(&mut cx, ts.clone(), &TrlOptions::default());
    assert!(matches!(search.extend(&mut cx), Ok(Extended::By(_))));
    learn_coarsely(cx.store, &mut search);
    while let Ok(Extended::By(_)) = search.extend(&mut cx) {}
    assert!(matches!(search.extend(&mut cx), Ok(Extended::Known(Progress::Exhausted))));
    assert_eq!(search.frames.depth(), 2);
    let naive = naive(&mut cx, &mut search);
    assert_eq!(is_invariant(&mut cx, &ts, naive), Ok(false));
    for paths in [Paths::Any, Paths::Unblocked] {
        let found = invariant::along(&mut cx, &mut search, paths).expect("there is no limit");
        let found = found.expect("the ends of paths are closed under steps");
        assert_eq!(is_invariant(&mut cx, &ts, found), Ok(true), "{paths:?}");
    }
}

#[test]
fn remainders_doubling_and_swaps_are_understood() {
    is_safe(
        "(declare-fun p (Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (p x) (p (+ x 2)))))
(assert (forall ((x Int)) (=> (and (p x) (= x 99)) false)))",
    );
    let doubling = "(declare-fun p (Int) Bool)
(assert (p 1))
(assert (forall ((x Int)) (=> (p x) (p (* 2 x)))))
(assert (forall ((x Int)) (=> (and (p x) (= x 0)) false)))";
    assert_eq!(check(doubling, Directions::Forward), None);
    is_safe(
        "(declare-fun p (Int Int) Bool)
(assert (p 3 4))
(assert (forall ((x Int) (y Int)) (=> (p x y) (p y x))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (= x y)) false)))",
    );
}

#[test]
fn two_phases_of_many_steps_are_a_short_path() {
    let text = |limit: i64, bound: i64| {
        format!(
            "(declare-fun p (Int Int) Bool)
(assert (p 0 {limit}))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (< x {limit})) (p (+ x 1) y))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (>= x {limit})) (p (+ x 1) (+ y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (= x {bound}) (= y {bound})) false)))"
        )
    };
    assert_eq!(check(&text(500, 1000), Directions::Forward), Some(1000));
    assert_eq!(check(&text(500, 1000), Directions::Both), Some(1000));
    assert_eq!(check_mode(&text(500, 1000), Directions::Forward, Mode::Shortcuts), Some(1000));
    is_safe(&text(500, 400));
    assert_eq!(check_mode(BOUNCY, Directions::Both, Mode::Both), None);
}

#[test]
fn many_iterations_of_a_step_are_a_repeat() {
    let text = "(declare-fun p (Int Int) Bool)
(assert (p 0 0))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (< x 1000000000000)) (p (+ x 1) (+ y 2)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (= y 2000000000000)) false)))";
    for directions in [Directions::Forward, Directions::Backward] {
        let (mut store, budget) = (TermStore::new(), Budget::unlimited());
        let ts = system(&mut store, text);
        let mut cx = Cx::new(&mut store, &budget);
        let mut engine = Trl::new(TrlOptions { directions, ..TrlOptions::default() });
        let Ok(Verdict::Unsafe(run)) = engine.solve(&mut cx, &ts) else { panic!("it is unsafe") };
        let [repeat] = &run.repeats[..] else { panic!("one repeat: {run:?}") };
        let others = i64::try_from(run.states.len()).unwrap() - 3;
        let steps = &repeat.count + &others.into();
        assert_eq!(steps, 1_000_000_000_000_i64.into());
        let number = |state: &Vec<Value>| {
            let Value::Number(x) = &state[0] else { panic!("x is a number") };
            x.clone()
        };
        let listed: Vec<Rational> = run.states.iter().map(number).collect();
        let jump = &listed[repeat.start + 1] - &listed[repeat.start];
        assert_eq!(jump, &repeat.count - &Rational::ONE);
        assert_eq!(listed[repeat.start - 1].clone() + Rational::ONE, listed[repeat.start]);
    }
}

/// `x` counts to a limit again and again, `y` how often.
const NESTED: &str = "(declare-fun p (Int Int) Bool)
(assert (p 0 0))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (< x 100)) (p (+ x 1) y))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (= x 100)) (p 0 (+ y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (>= y 100)) false)))";

#[test]
fn shortcuts_of_nested_loops_make_deep_runs_short() {
    let (mut store, budget) = (TermStore::new(), Budget::unlimited());
    let ts = system(&mut store, NESTED);
    let mut cx = Cx::new(&mut store, &budget);
    let mut engine = Trl::new(TrlOptions {
        directions: Directions::Forward,
        mode: Mode::Shortcuts,
        ..TrlOptions::default()
    });
    let Ok(Verdict::Unsafe(run)) = engine.solve(&mut cx, &ts) else { panic!("it is unsafe") };
    let run = nested::unfolded(cx.store, &ts, &run);
    assert!(is_run(&mut cx, &ts, &run));
    // The shortest run has 10,100 steps; a path may go on before it is looked at.
    assert!((10_101..10_201).contains(&run.states.len()), "{}", run.states.len());
    assert!(engine.statistics.deepest < 15, "{}", engine.statistics.deepest);
}

#[test]
fn reals_and_truth_values_are_states_too() {
    is_safe(
        "(declare-fun p (Bool Real Real) Bool)
(assert (p true 0.0 0.0))
(assert (forall ((b Bool) (x Real) (y Real)) (=> (and (p b x y) b) (p b (+ x 0.5) (+ y 1.0)))))
(assert (forall ((b Bool) (x Real) (y Real)) (=> (and (p b x y) b) (p false x y))))
(assert (forall ((b Bool) (x Real) (y Real)) (=> (and (p b x y) (not b)) (p b (- x 0.5) (- y 1.0)))))
(assert (forall ((b Bool) (x Real) (y Real)) (=> (and (p b x y) (not b) (< y (- (* 2.0 x) 1.0))) false)))",
    );
}
