//! Large systems: long chains, many clauses, many arguments, long derivations.

mod support;

use shofar_base::Budget;
use shofar_chc::{
    ChcSystem, Clause, Definition, Derivation, DerivationStep, Interpretation, NormalSystem,
    PredAtom, PredId, Run, Transformation, Verdict, formal_params,
};
use shofar_term::eval::{Model, Value};
use shofar_term::{Cx, Sort, Term, TermStore};
use shofar_transform::{Pipeline, SingleLoop, default_pipeline};
use support::{saturate, validate};

fn pred(store: &mut TermStore, system: &mut ChcSystem, name: &str, arity: usize) -> PredId {
    let symbol = store.declare(name, &vec![Sort::INT; arity], Sort::BOOL);
    system.add_pred(symbol)
}

fn add(system: &mut ChcSystem, head: Option<PredAtom>, body: Vec<PredAtom>, constraint: Term) {
    system.add_clause(Clause { head, body, constraint, span: None });
}

/// `x` is 0 at the start of a chain and grows by one at each of `length` places; at the end it must
/// not be `bad`.
fn chain(store: &mut TermStore, length: usize, bad: i64) -> ChcSystem {
    let mut system = ChcSystem::new();
    let (x, zero, one) = (store.var("x", Sort::INT), store.int(0), store.int(1));
    let (next, top) = (store.add(&[x, one]), store.top());
    let places: Vec<PredId> =
        (0..length).map(|at| pred(store, &mut system, &format!("p{at}"), 1)).collect();
    add(&mut system, Some(PredAtom { pred: places[0], args: vec![zero] }), vec![], top);
    for pair in places.windows(2) {
        let head = PredAtom { pred: pair[1], args: vec![next] };
        add(&mut system, Some(head), vec![PredAtom { pred: pair[0], args: vec![x] }], top);
    }
    let bad = store.int(bad);
    let wrong = store.eq(x, bad);
    add(&mut system, None, vec![PredAtom { pred: places[length - 1], args: vec![x] }], wrong);
    system
}

#[test]
fn long_chains() {
    for (length, bad) in [(4_000_usize, 3_999), (1_000, 77)] {
        let (mut store, budget) = (TermStore::new(), Budget::unlimited());
        let source = chain(&mut store, length, bad);
        let cx = &mut Cx::new(&mut store, &budget);
        let pipeline: Pipeline = "eliminate,simplify".parse().expect("it is well written");
        let (target, back) = pipeline.apply(cx, source.clone()).expect("there is no limit");
        assert_eq!(target.pred_count(), 0);
        match saturate::solve(cx, &target, 10).expect("there are no predicates") {
            Verdict::Safe(model) => {
                let model = back.model(cx, model).expect("there is no limit");
                validate::model(cx, &source, &model);
            }
            Verdict::Unsafe(refutation) => {
                let refutation = back.refutation(cx, refutation).expect("there is no limit");
                assert_eq!(refutation.steps.len(), length + 1);
                validate::derivation(cx, &source, &refutation);
            }
        }
    }
}

/// Out of one predicate into many others, and back.
#[test]
fn many_clauses() {
    let (mut store, budget) = (TermStore::new(), Budget::unlimited());
    let mut source = ChcSystem::new();
    let (x, y, top) = (store.var("x", Sort::INT), store.var("y", Sort::INT), store.top());
    let hub = pred(&mut store, &mut source, "hub", 1);
    let start = store.int(0);
    add(&mut source, Some(PredAtom { pred: hub, args: vec![start] }), vec![], top);
    for number in 0..5_000 {
        let spoke = pred(&mut store, &mut source, &format!("p{number}"), 1);
        let (at, to) = (store.int(2 * number), store.int(2 * number + 2));
        let (here, there) = (store.eq(x, at), store.eq(y, to));
        let out = PredAtom { pred: spoke, args: vec![x] };
        add(&mut source, Some(out.clone()), vec![PredAtom { pred: hub, args: vec![x] }], here);
        add(&mut source, Some(PredAtom { pred: hub, args: vec![y] }), vec![out], there);
    }
    // Bounds do not exclude an odd number.
    let odd = store.int(7);
    let bad = store.eq(x, odd);
    add(&mut source, None, vec![PredAtom { pred: hub, args: vec![x] }], bad);
    let cx = &mut Cx::new(&mut store, &budget);
    let (target, back) = default_pipeline().apply(cx, source.clone()).expect("there is no limit");
    assert_eq!(target.pred_count(), 1);
    let mut model = Interpretation::new();
    for pred in target.preds() {
        let params = formal_params(cx.store, &target, pred);
        let (param, zero) = (cx.store.constant(params[0]), cx.store.int(0));
        let half = cx.store.modulo(param, &2.into());
        let body = cx.store.eq(half, zero);
        model.define(pred, Definition { params, body });
    }
    let model = back.model(cx, model).expect("there is no limit");
    validate::model(cx, &source, &model);
}

/// So many loops that count to a small number and follow each other, each with a query about its
/// bound; the last one must not end at `bad`.
fn loops_in_turn(store: &mut TermStore, count: usize, bad: i64) -> ChcSystem {
    let mut system = ChcSystem::new();
    let (i, n) = (store.var("i", Sort::INT), store.var("n", Sort::INT));
    let (zero, one, top) = (store.int(0), store.int(1), store.top());
    let (next, bad) = (store.add(&[i, one]), store.int(bad));
    let (most, below, above) = (store.int(3), store.lt(i, n), store.gt(i, n));
    let range = [store.ge(n, zero), store.le(n, most)];
    let is_small = store.and(&range);
    let (ends, is_bad) = (store.eq(i, n), store.eq(i, bad));
    let mut before = pred(store, &mut system, "start", 0);
    add(&mut system, Some(PredAtom { pred: before, args: vec![] }), vec![], top);
    for at in 0..count {
        let run = pred(store, &mut system, &format!("run{at}"), 2);
        let after = pred(store, &mut system, &format!("end{at}"), 0);
        let place = |i| PredAtom { pred: run, args: vec![i, n] };
        let [from, to] = [before, after].map(|pred| PredAtom { pred, args: vec![] });
        add(&mut system, Some(place(zero)), vec![from], is_small);
        add(&mut system, Some(place(next)), vec![place(i)], below);
        add(&mut system, None, vec![place(i)], above);
        add(&mut system, Some(to), vec![place(i)], ends);
        if at + 1 == count {
            add(&mut system, None, vec![place(i)], is_bad);
        }
        before = after;
    }
    system
}

/// What matters of a long program is found at once: all but the last query follow from bounds, and
/// the way to the last one is open.
#[test]
fn many_loops_in_turn() {
    for (bad, preds) in [(-1, 0), (2, 1)] {
        let (mut store, budget) = (TermStore::new(), Budget::unlimited());
        let source = loops_in_turn(&mut store, 800, bad);
        let cx = &mut Cx::new(&mut store, &budget);
        let (target, back) =
            default_pipeline().apply(cx, source.clone()).expect("there is no limit");
        assert_eq!(target.pred_count(), preds);
        match saturate::solve(cx, &target, 40).expect("what is left is small") {
            Verdict::Safe(model) => {
                let model = back.model(cx, model).expect("there is no limit");
                validate::model(cx, &source, &model);
            }
            Verdict::Unsafe(refutation) => {
                let refutation = back.refutation(cx, refutation).expect("there is no limit");
                assert!(refutation.steps.len() > 1_600, "{}", refutation.steps.len());
                validate::derivation(cx, &source, &refutation);
            }
        }
    }
}

/// A counter with a rotation of `width` other arguments, of which a query needs one.
fn wide_loop(store: &mut TermStore, width: usize, last: i64) -> ChcSystem {
    let mut system = ChcSystem::new();
    let p = pred(store, &mut system, "p", width + 2);
    let args: Vec<Term> =
        (0..width + 2).map(|at| store.var(&format!("x{at}"), Sort::INT)).collect();
    let (zero, one, top) = (store.int(0), store.int(1), store.top());
    add(&mut system, Some(PredAtom { pred: p, args: vec![zero; width + 2] }), vec![], top);
    let mut next = args.clone();
    next[1..].rotate_right(1);
    next[0] = store.add(&[args[0], one]);
    next[width + 1] = store.add(&[args[width + 1], args[0]]);
    let last = store.int(last);
    let body = PredAtom { pred: p, args: args.clone() };
    let below = store.lt(args[0], last);
    add(&mut system, Some(PredAtom { pred: p, args: next }), vec![body.clone()], below);
    let done = store.eq(args[0], last);
    add(&mut system, None, vec![body], done);
    system
}

#[test]
fn many_arguments() {
    let (mut store, budget) = (TermStore::new(), Budget::unlimited());
    let source = wide_loop(&mut store, 1_000, 3);
    let cx = &mut Cx::new(&mut store, &budget);
    let (target, back) = default_pipeline().apply(cx, source.clone()).expect("there is no limit");
    let arguments: usize = target.preds().map(|p| target.sorts(cx.store, p).len()).sum();
    assert_eq!(arguments, 1, "only the counter matters");
    let Some(Verdict::Unsafe(found)) = saturate::solve(cx, &target, 10) else {
        panic!("the counter gets there")
    };
    let refutation = back.refutation(cx, found).expect("there is no limit");
    validate::derivation(cx, &source, &refutation);
}

#[test]
fn long_derivations() {
    let steps = 20_000;
    let (mut store, budget) = (TermStore::new(), Budget::unlimited());
    let source = wide_loop(&mut store, 4, steps);
    let cx = &mut Cx::new(&mut store, &budget);
    let (target, back) = default_pipeline().apply(cx, source.clone()).expect("there is no limit");
    let normal = NormalSystem::of(cx.store, target);
    let (ts, loop_back) = SingleLoop.apply(cx, normal).expect("it is linear");
    let states = (0..=steps).map(|at| vec![Value::Number(at.into())]).collect();
    assert_eq!(ts.state.len(), 1);
    let derivation = loop_back.refutation(cx, Run::ground(states)).expect("there is no limit");
    let derivation = back.refutation(cx, derivation).expect("there is no limit");
    assert_eq!(derivation.steps.len(), 20_002);
    validate::derivation(cx, &source, &derivation);
}

#[test]
fn a_stopped_budget_is_noticed() {
    let (mut store, budget) = (TermStore::new(), Budget::unlimited());
    let source = chain(&mut store, 100, 5);
    budget.stop_handle().stop(shofar_base::GaveUp::Cancelled);
    let cx = &mut Cx::new(&mut store, &budget);
    let result = default_pipeline().apply(cx, source.clone());
    assert_eq!(result.err(), Some(shofar_base::GaveUp::Cancelled));
    // A witness is not translated either.
    let fresh = Budget::unlimited();
    let (_, back) = default_pipeline()
        .apply(&mut Cx::new(cx.store, &fresh), source)
        .expect("there is no limit");
    let step = DerivationStep {
        clause: shofar_base::Idx::from_index(0),
        assignment: Model::new(),
        premises: vec![],
    };
    let result = back.refutation(cx, Derivation::ground(vec![step]));
    assert_eq!(result.err(), Some(shofar_base::GaveUp::Cancelled));
}
