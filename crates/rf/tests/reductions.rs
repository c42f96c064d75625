//! Graphs as linear clauses and linear clauses as graphs.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use shofar_base::{Budget, Idx as _, Rng};
use shofar_chc::{Definition, Interpretation, NormalSystem, PredId, Verdict};
use shofar_rf::{Class, Form, LinearGraph, Options, clauses_of_dag, solve};
use shofar_smt::{Dag, DagAnswer, DagEdge, DagVertex, Interpolation};
use shofar_term::{Cx, Sort, Term, TermStore};
use support::{GCD, TWO_STEPS, assert_derivation, assert_model, decide, read};

fn vertices(store: &TermStore, count: usize) -> Vec<DagVertex> {
    vec![DagVertex { label: store.top(), params: Vec::new() }; count]
}

/// Interpolants of the graph and solutions of its clauses are the same. Whether there are any.
fn both_ways(store: &mut TermStore, dag: &Dag) -> bool {
    let system = clauses_of_dag(store, dag);
    assert!(Class::of(&system).linear && Class::of(&system).recursion_free);
    let system = NormalSystem::of(store, system);
    let budget = Budget::unlimited();
    let cx = &mut Cx::new(store, &budget);
    let answer = dag.solve(cx, &shofar_smt::Options::default(), &Interpolation::default()).unwrap();
    let lazy = solve(cx, &system, &Options::default()).unwrap();
    let graph = LinearGraph::of(cx.store, &system).unwrap();
    let again = graph.solve(cx, &system, &Options::default()).unwrap();
    match answer {
        DagAnswer::Interpolants(found) => {
            let mut model = Interpretation::new();
            for (at, &body) in found.iter().enumerate() {
                let params = dag.vertices[at].params.clone();
                model.define(PredId::from_index(at), Definition { params, body });
            }
            assert_model(cx, &system, &model);
            for verdict in [lazy, again] {
                let Verdict::Safe(model) = verdict else { panic!("it has interpolants") };
                assert_model(cx, &system, &model);
                let mut interpolants: Vec<Term> = Vec::new();
                for (at, vertex) in dag.vertices.iter().enumerate() {
                    let args: Vec<Term> =
                        vertex.params.iter().map(|&param| cx.store.constant(param)).collect();
                    let definition = model.get(PredId::from_index(at)).unwrap();
                    interpolants.push(definition.apply(cx.store, &args));
                }
                // The ends are equivalent to these.
                interpolants[dag.entry] = cx.store.top();
                interpolants[dag.exit] = cx.store.bottom();
                assert_eq!(dag.check(cx, &interpolants), Ok(Ok(())));
            }
            true
        }
        DagAnswer::Path(_) => {
            for verdict in [lazy, again] {
                let Verdict::Unsafe(derivation) = verdict else { panic!("it has a path") };
                assert_derivation(cx.store, &system, &derivation);
            }
            false
        }
    }
}

#[test]
fn a_diamond_with_labels() {
    let s = &mut TermStore::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| s.var(name, Sort::INT));
    let [zero, one, two, five] = [0, 1, 2, 5].map(|n| s.int(n));
    let mut edges = vec![DagEdge { from: 0, to: 1, label: s.eq(x, zero) }];
    for by in [one, two] {
        let (once, twice) = (s.add(&[x, by]), s.add(&[y, by]));
        edges.push(DagEdge { from: 1, to: 2, label: s.eq(y, once) });
        edges.push(DagEdge { from: 2, to: 3, label: s.eq(z, twice) });
    }
    edges.push(DagEdge { from: 3, to: 4, label: s.ge(z, five) });
    let mut dag = Dag { vertices: vertices(s, 5), edges, entry: 0, exit: 4 };
    dag.share_symbols(s);
    assert!(both_ways(s, &dag));
    dag.vertices[2].label = s.le(y, two);
    assert!(both_ways(s, &dag), "the label holds");
    dag.vertices[2].label = s.le(y, one);
    assert!(!both_ways(s, &dag), "the label may fail");
    dag.vertices[2].label = s.top();
    dag.edges[5].label = s.gt(z, two);
    assert!(!both_ways(s, &dag), "the exit is reached");
}

#[test]
fn random_graphs() {
    let mut rng = Rng::new(29);
    let (mut paths, mut refuted) = (0, 0);
    for _ in 0..60 {
        let s = &mut TermStore::new();
        let count = 3 + rng.below(4);
        let mut edges = Vec::new();
        let mut dag =
            Dag { vertices: vertices(s, count), edges: Vec::new(), entry: 0, exit: count - 1 };
        let zero = s.int(0);
        for to in 1..count {
            for _ in 0..=rng.below(2) {
                let from = rng.below(to);
                let [x, y] = [from, to].map(|at| s.var(&format!("x{at}"), Sort::INT));
                let n = s.int(rng.range(-2, 3));
                let sum = s.add(&[x, n]);
                let step = if rng.chance(60) { s.eq(y, sum) } else { s.lt(y, sum) };
                let start = if from == 0 { s.eq(x, zero) } else { s.top() };
                let end = if to == count - 1 { s.gt(y, zero) } else { s.top() };
                edges.push(DagEdge { from, to, label: s.and(&[start, step, end]) });
            }
            if to + 1 < count && rng.chance(20) {
                let (y, most) = (s.var(&format!("x{to}"), Sort::INT), s.int(rng.range(1, 5)));
                dag.vertices[to].label = s.le(y, most);
            }
        }
        dag.edges = edges;
        dag.share_symbols(s);
        if both_ways(s, &dag) { refuted += 1 } else { paths += 1 }
    }
    assert!(paths > 10 && refuted > 10, "both occur: {paths} and {refuted}");
}

/// Clauses that were written as such: parallel ones are one edge, and nothing is copied.
#[test]
fn linear_clauses_are_a_graph() {
    let mut store = TermStore::new();
    let system = read(&mut store, GCD);
    assert_eq!(Class::of(&system).form(), Some(Form::Dag));
    let graph = LinearGraph::of(&mut store, &system).unwrap();
    assert_eq!(graph.dag.vertices.len(), 4);
    let mut parallel: Vec<usize> = graph.clauses.iter().map(Vec::len).collect();
    parallel.sort_unstable();
    assert_eq!(parallel, [1, 1, 1, 2], "two clauses lead from g1 to g");
    let budget = Budget::unlimited();
    let cx = &mut Cx::new(&mut store, &budget);
    let Verdict::Safe(model) = graph.solve(cx, &system, &Options::default()).unwrap() else {
        panic!("the clauses are solvable")
    };
    assert_model(cx, &system, &model);
    let system = read(&mut store, &support::ladder(4, 8));
    let graph = LinearGraph::of(&mut store, &system).unwrap();
    assert_eq!((graph.dag.vertices.len(), graph.dag.edges.len()), (12, 19));
    let cx = &mut Cx::new(&mut store, &budget);
    let Verdict::Safe(model) = graph.solve(cx, &system, &Options::default()).unwrap() else {
        panic!("each step adds two at most")
    };
    assert_model(cx, &system, &model);
    let system = read(&mut store, TWO_STEPS);
    assert!(LinearGraph::of(&mut store, &system).is_none());
    assert!(!decide(&GCD.replace("(> r m)", "(<= r m)")).0);
}
