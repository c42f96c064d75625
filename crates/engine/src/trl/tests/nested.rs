//! Loops in loops: runs with nested repeats, which are runs step by step.

use shofar_base::Idx;
use shofar_chc::{ClauseId, Derivation, DerivationStep};

use super::*;

/// A run step by step.
pub(super) fn unfolded(store: &TermStore, ts: &TransitionSystem, run: &Run) -> Run {
    let mut steps: Vec<DerivationStep> = Vec::new();
    for state in &run.states {
        let mut assignment = Model::new();
        for (&symbol, value) in ts.state.iter().zip(state) {
            assignment.set(symbol, value.clone());
        }
        let premises = steps.len().checked_sub(1).into_iter().collect();
        steps.push(DerivationStep { clause: ClauseId::from_index(0), assignment, premises });
    }
    let folded = Derivation { steps, repeats: run.repeats.clone() };
    let expanded = folded.expanded(store, 1_000_000).expect("it is nested, and short");
    let state = |step: &DerivationStep| -> Vec<Value> {
        ts.state.iter().map(|&symbol| step.assignment.get_or_default(store, symbol)).collect()
    };
    Run::ground(expanded.steps.iter().map(state).collect())
}

/// How deep repeats are nested.
fn depth(run: &Run) -> usize {
    let around = |inner: &shofar_chc::Repeat| {
        run.repeats.iter().filter(|it| it.start <= inner.start && inner.end() <= it.end()).count()
    };
    run.repeats.iter().map(around).max().unwrap_or(0)
}

/// The depth of repeats in a run of a system that is unsafe, and how many states are listed; `text`
/// is about a number `N`.
fn solve(text: &str, n: i64, directions: Directions, mode: Mode) -> (usize, usize) {
    let text = text.replace('N', &n.to_string());
    let (mut store, budget) = (TermStore::new(), Budget::unlimited());
    let ts = system(&mut store, &text);
    let mut cx = Cx::new(&mut store, &budget);
    let mut engine = Trl::new(TrlOptions { directions, mode, ..TrlOptions::default() });
    let verdict = engine.solve(&mut cx, &ts);
    let Ok(Verdict::Unsafe(run)) = verdict else { panic!("it is unsafe: {verdict:?}\n{text}") };
    if n < 1_000 {
        let all = unfolded(cx.store, &ts, &run);
        assert!(is_run(&mut cx, &ts, &all), "{directions:?} {mode:?} {n}: {run:?}");
    }
    (depth(&run), run.states.len())
}

fn check_all(text: &str, expected: usize) {
    for directions in [Directions::Forward, Directions::Backward] {
        for mode in [Mode::Relations, Mode::Shortcuts] {
            for n in [40, 77, 300] {
                solve(text, n, directions, mode);
            }
            let (depth, listed) = solve(text, 1_000_000_000_000, directions, mode);
            assert!(depth >= expected, "{directions:?} {mode:?}: {depth}");
            assert!(listed < 500, "{directions:?} {mode:?}: {listed}");
        }
    }
}

#[test]
fn an_inner_loop_with_the_same_count_is_a_repeat_in_a_repeat() {
    check_all(&NESTED.replace(">= y 100", ">= y N"), 2);
}

#[test]
fn an_inner_loop_may_go_further_each_time() {
    check_all(
        "(declare-fun p (Int Int) Bool)
(assert (p 0 0))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (< y x)) (p x (+ y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (>= y x)) (p (+ x 1) 0))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (>= x N)) false)))",
        2,
    );
}

#[test]
fn counters_that_are_reset_are_in_a_closed_form_with_a_prefix() {
    check_all(
        "(declare-fun p (Int Int) Bool)
(assert (p 0 7))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (< x N)) (p (+ x 1) 0))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (>= x N) (< x (* 2 N))) (p (+ x 1) (+ y 1)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (= y N)) false)))",
        1,
    );
}

/// Relations that say little at first are refined until paths are real or there are none.
#[test]
fn refined_relations_decide_what_others_decide() {
    let options = TrlOptions {
        refinement: Refinement::On,
        directions: Directions::Forward,
        ..TrlOptions::default()
    };
    let solve = |text: &str| {
        let (mut store, budget) = (TermStore::new(), Budget::unlimited());
        let ts = system(&mut store, text);
        let mut cx = Cx::new(&mut store, &budget);
        let mut engine = Trl::new(options.clone());
        let length = match engine.solve(&mut cx, &ts).expect("it is decided") {
            Verdict::Safe(invariant) => {
                assert_eq!(is_invariant(&mut cx, &ts, invariant), Ok(true));
                None
            }
            Verdict::Unsafe(run) => {
                let all = unfolded(cx.store, &ts, &run);
                assert!(is_run(&mut cx, &ts, &all));
                Some(all.states.len() - 1)
            }
        };
        (length, engine.statistics.refinements > 0)
    };
    assert_eq!(solve(BOUNCY).0, None);
    assert_eq!(solve(LATE).0, None);
    // The closed form is not linear, so the relation says less than the loop.
    let growing = "(declare-fun p (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (>= x 0) (>= y 1)) (p x y))))
(assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x y) y))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (< x 0)) false)))";
    assert_eq!(solve(growing), (None, true));
    let counter = |limit: i64, bad: i64| {
        format!(
            "(declare-fun p (Int Int) Bool)
(assert (p 0 0))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (< x {limit})) (p (+ x 1) (+ y 2)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (= y {bad})) false)))"
        )
    };
    assert_eq!(solve(&counter(50, 100)).0, Some(50));
    assert_eq!(solve(&counter(50, 102)).0, None);
}
