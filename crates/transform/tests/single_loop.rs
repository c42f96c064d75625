//! Linear systems become one loop and come back.

mod support;

use shofar_base::{Budget, GaveUp, Rng};
use shofar_chc::{
    ChcSystem, Clause, NormalSystem, PredAtom, Run, Timeline, Transformation, TransitionSystem,
    Verdict,
};
use shofar_smt::{Answer, Options, Solver};
use shofar_term::eval::evaluate_with_defaults;
use shofar_term::{Cx, Sort, Term, TermStore};
use shofar_transform::{PASSES, PassOptions, Pipeline, SingleLoop};
use support::random::{Config, system};
use support::{saturate, validate};

/// The shortest run to a bad state of at most `depth` steps.
fn bmc(cx: &mut Cx<'_>, ts: &TransitionSystem, depth: usize) -> Option<Run> {
    let mut solver = Solver::new(Options::default());
    let mut timeline = Timeline::new(cx.store, ts);
    let init = timeline.timed(cx.store, ts.init, 0);
    solver.add(cx.store, init);
    for time in 0..=depth {
        // Locals of the bad states must not be those of the step.
        let bad = timeline.timed(cx.store, ts.bad, time);
        solver.push();
        solver.add(cx.store, bad);
        let run = match solver.check(cx).expect("there is no limit") {
            Answer::Sat(model) => {
                let model = model.assignment(cx.store);
                let mut states = Vec::new();
                for at in 0..=time {
                    let mut state = Vec::new();
                    for &symbol in timeline.state(cx.store, at) {
                        let term = cx.store.constant(symbol);
                        state.push(
                            evaluate_with_defaults(cx.store, term, &model).expect("it has a value"),
                        );
                    }
                    states.push(state);
                }
                Some(Run::ground(states))
            }
            Answer::Unsat(_) => None,
        };
        if run.is_some() {
            return run;
        }
        solver.pop(1);
        let step = timeline.timed(cx.store, ts.step, time);
        solver.add(cx.store, step);
    }
    None
}

/// All reachable states as a formula.
fn reachable(cx: &mut Cx<'_>, ts: &TransitionSystem, limit: usize) -> Option<Term> {
    let mut states: Vec<Term> = Vec::new();
    loop {
        let known = cx.store.or(&states);
        let known_next = ts.primed(cx.store, known);
        let from_known = cx.store.and(&[known, ts.step]);
        let init = ts.primed(cx.store, ts.init);
        let (image, new) = (cx.store.or(&[init, from_known]), cx.store.not(known_next));
        let mut solver = Solver::new(Options::default());
        solver.add(cx.store, image);
        solver.add(cx.store, new);
        let model = match solver.check(cx).expect("there is no limit") {
            Answer::Sat(model) => model.assignment(cx.store),
            Answer::Unsat(_) => return Some(known),
        };
        let mut parts = Vec::new();
        for (&now, &next) in ts.state.iter().zip(&ts.next) {
            let sort = cx.store.result(now);
            let (now, next) = (cx.store.constant(now), cx.store.constant(next));
            let value = evaluate_with_defaults(cx.store, next, &model).expect("it has a value");
            let value = cx.store.value_term(&value, sort);
            parts.push(cx.store.eq(now, value));
        }
        states.push(cx.store.and(&parts));
        if states.len() > limit {
            return None;
        }
    }
}

fn check(seed: u64, uniform: bool) -> Option<bool> {
    let (mut store, mut rng) = (TermStore::new(), Rng::new(seed));
    let preds = if seed.is_multiple_of(50) { 40 } else { 1 + rng.below(4) };
    let clauses = preds + 3 + rng.below(6);
    let wild_arguments = rng.chance(50);
    let config = Config { preds, clauses, max_body: 1, uniform, wild_arguments };
    let source = system(&mut store, &mut rng, config);
    let budget = Budget::unlimited();
    let cx = &mut Cx::new(&mut store, &budget);
    let expected = saturate::solve(cx, &source, 150)?;
    let normal = NormalSystem::of(cx.store, source.clone());
    let (loop_, back) = SingleLoop.apply(cx, normal).expect("there is no limit");
    match expected {
        Verdict::Unsafe(refutation) => {
            let run = bmc(cx, &loop_, refutation.steps.len()).expect("a bad state is reachable");
            let refutation = back.refutation(cx, run).expect("there is no limit");
            validate::derivation(cx, &source, &refutation);
            Some(false)
        }
        Verdict::Safe(_) => {
            assert_eq!(bmc(cx, &loop_, 6), None, "seed {seed}: the verdict changed");
            if uniform && let Some(invariant) = reachable(cx, &loop_, 150) {
                let model = back.model(cx, invariant).expect("there is no limit");
                validate::model(cx, &source, &model);
            }
            Some(true)
        }
    }
}

#[test]
fn random_systems() {
    let (mut safe, mut unsafe_) = (0, 0);
    for seed in 0..300 {
        match check(seed, seed % 3 != 0) {
            Some(true) => safe += 1,
            Some(false) => unsafe_ += 1,
            None => (),
        }
    }
    assert!(safe > 30 && unsafe_ > 30, "both verdicts: {safe}, {unsafe_}");
}

fn atom(store: &mut TermStore, system: &mut ChcSystem, name: &str, args: &[Term]) -> PredAtom {
    let sorts: Vec<Sort> = args.iter().map(|&t| store.sort(t)).collect();
    let symbol = store.declare(name, &sorts, Sort::BOOL);
    PredAtom { pred: system.add_pred(symbol), args: args.to_vec() }
}

/// `p` counts up from 0; at 10, `q` takes over with a flag.
fn two_places(store: &mut TermStore) -> ChcSystem {
    let mut system = ChcSystem::new();
    let (x, y, b) =
        (store.var("x", Sort::INT), store.var("y", Sort::INT), store.var("b", Sort::BOOL));
    let (zero, one, ten) = (store.int(0), store.int(1), store.int(10));
    let next = store.add(&[x, one]);
    let (p_zero, p_x, p_next) = (
        atom(store, &mut system, "p", &[zero]),
        atom(store, &mut system, "p", &[x]),
        atom(store, &mut system, "p", &[next]),
    );
    let (q_up, q_y) =
        (atom(store, &mut system, "q", &[b, x, zero]), atom(store, &mut system, "q", &[b, x, y]));
    let (below, at_ten) = (store.lt(x, ten), store.eq(x, ten));
    let (less, not_b) = (store.lt(x, ten), store.not(b));
    let wrong = store.and(&[less, b]);
    let leave = store.and(&[at_ten, b]);
    let top = store.top();
    let mut add = |head: Option<PredAtom>, body: Vec<PredAtom>, constraint| {
        system.add_clause(Clause { head, body, constraint, span: None });
    };
    add(Some(p_zero), vec![], top);
    add(Some(p_next), vec![p_x.clone()], below);
    add(Some(q_up), vec![p_x], leave);
    add(None, vec![q_y.clone()], wrong);
    add(None, vec![q_y], not_b);
    system
}

#[test]
fn places_with_different_arguments() {
    let (mut store, budget) = (TermStore::new(), Budget::unlimited());
    let source = two_places(&mut store);
    let cx = &mut Cx::new(&mut store, &budget);
    let normal = NormalSystem::of(cx.store, source.clone());
    let (ts, back) = SingleLoop.apply(cx, normal).expect("there is no limit");
    assert_eq!(ts.state.len(), 4, "a bit, two integers and a flag");
    assert_eq!(bmc(cx, &ts, 12), None);
    // In the state order: the place, x (of both), b, y.
    let terms: Vec<Term> = ts.state.iter().map(|&s| cx.store.constant(s)).collect();
    let ten = cx.store.int(10);
    let (low, full) = (cx.store.le(terms[1], ten), cx.store.eq(terms[1], ten));
    let at_q = cx.store.and(&[full, terms[2]]);
    let invariant = cx.store.ite(terms[0], at_q, low);
    let model = back.model(cx, invariant).expect("there is no limit");
    validate::model(cx, &source, &model);
}

#[test]
fn nonlinear_systems_are_refused() {
    let (mut store, budget) = (TermStore::new(), Budget::unlimited());
    let mut source = ChcSystem::new();
    let x = store.var("x", Sort::INT);
    let p = atom(&mut store, &mut source, "p", &[x]);
    let constraint = store.top();
    source.add_clause(Clause { head: None, body: vec![p.clone(), p], constraint, span: None });
    let cx = &mut Cx::new(&mut store, &budget);
    let normal = NormalSystem::of(cx.store, source);
    assert!(matches!(SingleLoop.apply(cx, normal), Err(GaveUp::Unsupported(_))));
}

#[test]
fn passes_before_the_loop() {
    let names: Vec<&str> = PASSES.iter().map(|info| info.name).collect();
    let pipeline: Pipeline = names.join(",").parse().expect("they are in the table");
    for seed in 500..600 {
        let (mut store, mut rng) = (TermStore::new(), Rng::new(seed));
        let config =
            Config { preds: 3, clauses: 9, max_body: 1, uniform: false, wild_arguments: false };
        let source = system(&mut store, &mut rng, config);
        let budget = Budget::unlimited();
        let cx = &mut Cx::new(&mut store, &budget);
        let Some(Verdict::Unsafe(known)) = saturate::solve(cx, &source, 150) else { continue };
        let (middle, first) = pipeline.apply(cx, source.clone()).expect("there is no limit");
        let normal = NormalSystem::of(cx.store, middle);
        let (ts, second) = SingleLoop.apply(cx, normal).expect("there is no limit");
        let run = bmc(cx, &ts, known.steps.len()).expect("a bad state is reachable");
        let refutation = second.refutation(cx, run).expect("there is no limit");
        let refutation = first.refutation(cx, refutation).expect("there is no limit");
        validate::derivation(cx, &source, &refutation);
    }
}

#[test]
fn names_are_those_of_the_table() {
    for info in PASSES {
        assert_eq!((info.make)(&PassOptions::default()).name(), info.name);
    }
}
