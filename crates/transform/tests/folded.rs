//! Folded refutations go back through every pass and through the single loop.

mod support;

use shofar_base::Budget;
use shofar_chc::read::read_horn;
use shofar_chc::{ChcSystem, NormalSystem, Run, Transformation, Verdict};
use shofar_num::Rational;
use shofar_term::eval::Value;
use shofar_term::{Cx, TermStore};
use shofar_transform::{DEFAULT_PASSES, PASSES, PassInfo, Pipeline, SingleLoop};
use support::{saturate, validate};

/// Loops that end in a query after some tens of steps.
const PROBLEMS: &[(&str, &str)] = &[
    (
        "a loop through three predicates, with an argument that nobody needs",
        "(declare-fun p (Int Int Int) Bool)(declare-fun q (Int Int Int) Bool)(declare-fun r (Int Int) Bool)
(assert (p 0 7 0))
(assert (forall ((x Int) (c Int) (z Int)) (=> (and (p x c z) (< x 30)) (q (+ x 1) c (+ z 3)))))
(assert (forall ((x Int) (c Int) (z Int)) (=> (and (q x c z) (= c 7)) (r x c))))
(assert (forall ((x Int) (c Int)) (=> (r x c) (p x c (* 2 x)))))
(assert (forall ((x Int) (c Int) (z Int)) (=> (and (p x c z) (>= x 20)) false)))",
    ),
    (
        "two phases and a flag",
        "(declare-fun p (Int Int Bool) Bool)
(assert (p 0 0 false))
(assert (forall ((x Int) (y Int) (b Bool)) (=> (and (p x y b) (not b) (< x 12)) (p (+ x 1) y b))))
(assert (forall ((x Int) (y Int) (b Bool)) (=> (and (p x y b) (not b) (>= x 12)) (p x y true))))
(assert (forall ((x Int) (y Int) (b Bool)) (=> (and (p x y b) b (> x 0)) (p (- x 1) (+ y 2) b))))
(assert (forall ((x Int) (y Int) (b Bool)) (=> (and (p x y b) b (= x 0) (= y 24)) false)))",
    ),
    (
        "a disjunction in the loop",
        "(declare-fun p (Int Int) Bool)
(assert (p 0 3))
(assert (forall ((x Int) (y Int) (u Int)) (=> (and (p x y) (or (and (< x 9) (= u (+ x 1))) (and (>= x 9) (< x 50) (= u (+ x 2))))) (p u y))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (= x 41) (= y 3)) false)))",
    ),
    (
        "a loop in a loop",
        "(declare-fun p (Int Int) Bool)(declare-fun q (Int Int) Bool)
(assert (p 0 0))
(assert (forall ((i Int) (j Int)) (=> (and (p i j) (< j (+ i 4))) (p i (+ j 1)))))
(assert (forall ((i Int) (j Int)) (=> (and (p i j) (>= j (+ i 4)) (< i 7)) (q (+ i 1) j))))
(assert (forall ((i Int) (j Int)) (=> (q i j) (p i 0))))
(assert (forall ((i Int) (j Int)) (=> (and (p i j) (>= i 7)) false)))",
    ),
];

fn read(store: &mut TermStore, problem: &str) -> ChcSystem {
    let text = format!("(set-logic HORN){problem}(check-sat)");
    let script = read_horn(text.as_bytes(), store).expect("the problem is well-formed");
    script.problems[0].system.clone()
}

/// Sends the folded refutation of what `pipeline` makes of a problem back; whether it was and is
/// folded.
fn check(pipeline: &Pipeline, problem: &str) -> (bool, bool) {
    let (mut store, budget) = (TermStore::new(), Budget::unlimited());
    let source = read(&mut store, problem);
    let cx = &mut Cx::new(&mut store, &budget);
    let (target, back) = pipeline.run(cx, source.clone(), &mut |_| {}).expect("there is no limit");
    let Some(Verdict::Unsafe(refutation)) = saturate::solve(cx, &target, 400) else {
        panic!("there are few facts")
    };
    let folded = refutation.shared(cx.store, &target).folded();
    let translated = back.refutation(cx, folded.clone()).expect("it can be translated");
    let is_folded = (!folded.is_ground(), !translated.is_ground());
    let expanded = translated.expanded(cx.store, 10_000).expect("it is short");
    validate::derivation(cx, &source, &expanded);
    is_folded
}

#[test]
fn every_pass_takes_folded_refutations_back() {
    let (mut folded, mut kept) = (0, 0);
    for (name, problem) in PROBLEMS {
        let forms = PASSES.iter().flat_map(PassInfo::forms);
        for pass in forms.chain([DEFAULT_PASSES.to_owned()]) {
            let (before, after) = check(&pass.parse().expect("it is well written"), problem);
            // A step of a shortcut is folded iterations.
            assert!(before || !after || pass.starts_with("accelerate"), "{name}, {pass}");
            folded += usize::from(before);
            kept += usize::from(before && after);
        }
    }
    assert!(folded > 50, "{folded} are folded");
    assert!(10 * kept > 9 * folded, "{kept} of {folded} stay folded");
}

/// `p(x, y)` counts to 10¹² and takes `y` along; the run has four states.
#[test]
fn a_folded_run_becomes_a_folded_derivation() {
    let far = 1_000_000_000_000_i64;
    let problem = format!(
        "(declare-fun p (Int Int) Bool)(assert (p 0 5))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (< x {far})) (p (+ x 1) (- y 2)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (= x {far})) false)))"
    );
    let (mut store, budget) = (TermStore::new(), Budget::unlimited());
    let source = read(&mut store, &problem);
    let cx = &mut Cx::new(&mut store, &budget);
    let normal = NormalSystem::of(cx.store, source);
    let (_, back) = SingleLoop.apply(cx, normal).expect("it is linear");
    let state = |x: i64, y: i64| [x, y].map(|value| Value::Number(value.into())).to_vec();
    let mut run = Run::ground(vec![state(0, 5)]);
    run.repeat(vec![state(1, 3)], vec![state(far, 5 - 2 * far)], Rational::from(far), &[]);
    let found = back.refutation(cx, run).expect("it is one");
    assert_eq!(found.steps.len(), 4);
    assert_eq!(found.ground_length(), Rational::from(far + 2));
    assert!(found.is_nested());
    let premises: Vec<&[usize]> = found.steps.iter().map(|step| &step.premises[..]).collect();
    assert_eq!(premises, [&[][..], &[0], &[1], &[2]]);
}

/// A run of a thousand steps is folded before it is translated.
#[test]
fn long_runs_are_folded_on_the_way() {
    let problem = "(declare-fun p (Int) Bool)(assert (p 0))
(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (and (p x) (= x 5000)) false)))";
    let (mut store, budget) = (TermStore::new(), Budget::unlimited());
    let source = read(&mut store, problem);
    let cx = &mut Cx::new(&mut store, &budget);
    let normal = NormalSystem::of(cx.store, source.clone());
    let (_, back) = SingleLoop.apply(cx, normal).expect("it is linear");
    let states = (0..=5000).map(|x: i64| vec![Value::Number(x.into())]).collect();
    let found = back.refutation(cx, Run::ground(states)).expect("it is one");
    assert_eq!(found.steps.len(), 4);
    let expanded = found.expanded(cx.store, 10_000).expect("it is short");
    assert_eq!(expanded.steps.len(), 5002);
    validate::derivation(cx, &source, &expanded);
}
