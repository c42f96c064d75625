//! Small graphs with known answers, a million paths, and random graphs whose answers are checked.

use shofar_base::{Budget, Rng};
use shofar_term::Sort;

use super::*;

fn solve(store: &mut TermStore, dag: &Dag) -> DagAnswer {
    let budget = Budget::unlimited();
    let cx = &mut Cx::new(store, &budget);
    dag.solve(cx, &Options::default(), &Interpolation::default()).expect("no limit")
}

fn graph(store: &TermStore, count: usize, edges: &[(usize, usize, Term)]) -> Dag {
    let vertex = DagVertex { label: store.top(), params: Vec::new() };
    let edge = |&(from, to, label)| DagEdge { from, to, label };
    let edges = edges.iter().map(edge).collect();
    let mut dag = Dag { vertices: vec![vertex; count], edges, entry: 0, exit: count - 1 };
    dag.share_symbols(store);
    dag
}

/// From `x = 0` by one or two to `y`, by one or two to `z`; the label of the second vertex says
/// more or less than that.
#[test]
fn a_diamond_with_labels() {
    let mut s = TermStore::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| s.var(name, Sort::INT));
    let numbers = [0, 1, 2, 3, 5].map(|n| s.int(n));
    let start = s.eq(x, numbers[0]);
    let by = |s: &mut TermStore, to, from, n| {
        let sum = s.add(&[from, numbers[n]]);
        s.eq(to, sum)
    };
    let (one, two) = (by(&mut s, y, x, 1), by(&mut s, y, x, 2));
    let (further, same) = (by(&mut s, z, y, 2), by(&mut s, z, y, 1));
    let end = s.ge(z, numbers[4]);
    let edges =
        [(0, 1, start), (1, 2, one), (1, 2, two), (2, 3, further), (2, 3, same), (3, 4, end)];
    let mut dag = graph(&s, 5, &edges);
    let DagAnswer::Interpolants(found) = solve(&mut s, &dag) else { panic!("z is 4 at most") };
    let budget = Budget::unlimited();
    let cx = &mut Cx::new(&mut s, &budget);
    assert_eq!(dag.check(cx, &found), Ok(Ok(())));
    let (top, bottom) = (cx.store.top(), cx.store.bottom());
    let wrong = vec![top, top, top, top, bottom];
    assert!(dag.check(cx, &wrong).expect("no limit").is_err(), "the last edge can be taken");
    dag.vertices[2].label = s.le(y, numbers[2]);
    assert!(matches!(solve(&mut s, &dag), DagAnswer::Interpolants(_)));
    dag.vertices[2].label = s.le(y, numbers[1]);
    let DagAnswer::Path(path) = solve(&mut s, &dag) else { panic!("y may be 2") };
    assert_eq!(path, [0, 2]);
    dag.vertices[2].label = s.top();
    dag.edges[5].label = s.ge(z, numbers[3]);
    let DagAnswer::Path(path) = solve(&mut s, &dag) else { panic!("z may be 3") };
    assert_eq!((path.len(), path[0], path[3]), (4, 0, 5));
}

/// Twenty diamonds have a million paths.
#[test]
fn paths_are_not_enumerated() {
    let mut s = TermStore::new();
    let mut edges = Vec::new();
    let mut before = s.int(0);
    for at in 0..20 {
        let x = s.var(&format!("x{at}"), Sort::INT);
        for n in [1, 2] {
            let n = s.int(n);
            let sum = s.add(&[before, n]);
            edges.push((at, at + 1, s.eq(x, sum)));
        }
        before = x;
    }
    let most = s.int(40);
    edges.push((20, 21, s.gt(before, most)));
    let dag = graph(&s, 22, &edges);
    assert!(matches!(solve(&mut s, &dag), DagAnswer::Interpolants(_)));
}

#[test]
fn random_graphs() {
    let mut rng = Rng::new(17);
    let (mut paths, mut refuted) = (0, 0);
    for _ in 0..80 {
        let mut s = TermStore::new();
        let count = 3 + rng.below(4);
        let mut edges = Vec::new();
        for to in 1..count {
            for _ in 0..=rng.below(2) {
                let from = rng.below(to);
                let name = |at: usize| format!("v{at}");
                let (x, y) = (s.var(&name(from), Sort::INT), s.var(&name(to), Sort::INT));
                let n = s.int(rng.range(-2, 3));
                let sum = s.add(&[x, n]);
                let step = if rng.chance(60) { s.eq(y, sum) } else { s.lt(y, sum) };
                let zero = s.int(0);
                let start = if from == 0 { s.eq(x, zero) } else { s.top() };
                let end = if to == count - 1 { s.gt(y, zero) } else { s.top() };
                edges.push((from, to, s.and(&[start, step, end])));
            }
        }
        let dag = graph(&s, count, &edges);
        match solve(&mut s, &dag) {
            DagAnswer::Path(path) => {
                let labels: Vec<Term> = path.iter().map(|&e| dag.edges[e].label).collect();
                let budget = Budget::unlimited();
                let cx = &mut Cx::new(&mut s, &budget);
                let bottom = cx.store.bottom();
                assert_eq!(implies(cx, Options::default(), &labels, bottom), Ok(false));
                paths += 1;
            }
            DagAnswer::Interpolants(_) => refuted += 1,
        }
    }
    assert!(paths > 10 && refuted > 10, "both occur: {paths} and {refuted}");
}
