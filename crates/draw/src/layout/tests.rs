//! Invariants of layouts, on random systems, small ones with a known picture, and large ones.

use shofar_base::{Idx, Rng};
use shofar_chc::{ChcGraph, ChcSystem, Clause, PredAtom, PredId};
use shofar_term::{Sort, TermStore};

use super::*;
use crate::captions::Captions;
use crate::diagram::Node;
use crate::ports::{Ports, link_heights};
use crate::rows::Tip;

/// Bodies and heads.
type Clauses = Vec<(Vec<usize>, Option<usize>)>;

/// A system from its clauses: body and head by the numbers of predicates, no head for `false`.
fn system(preds: usize, clauses: &[(&[usize], Option<usize>)]) -> (TermStore, ChcSystem) {
    let (mut store, mut system) = (TermStore::new(), ChcSystem::new());
    for number in 0..preds {
        system.add_pred(store.declare(&format!("p{number}"), &[], Sort::BOOL));
    }
    let constraint = store.top();
    let atom = |number: usize| PredAtom { pred: PredId::from_index(number), args: Vec::new() };
    for &(body, head) in clauses {
        let body = body.iter().copied().map(atom).collect();
        system.add_clause(Clause { head: head.map(atom), body, constraint, span: None });
    }
    (store, system)
}

fn random(rng: &mut Rng, preds: usize, clauses: usize) -> (TermStore, ChcSystem) {
    let mut listed: Clauses = Vec::new();
    for _ in 0..clauses {
        let body = (0..rng.below(4)).map(|_| rng.below(preds)).collect();
        listed.push((body, (rng.below(6) > 0).then(|| rng.below(preds))));
    }
    let listed: Vec<(&[usize], Option<usize>)> =
        listed.iter().map(|(body, head)| (&body[..], *head)).collect();
    system(preds, &listed)
}

fn lay_out(store: &TermStore, system: &ChcSystem) -> (Diagram, Layout) {
    let diagram = Diagram::new(store, system, &Captions::unknown());
    let layout = Layout::new(&diagram, |rows, shape| match shape {
        Shape::Node(node) => {
            let beside = if rows.loops[node].is_some() { 40.0 } else { 0.0 };
            Extent { left: 30.0, right: 30.0 + beside, height: 28.0 }
        }
        Shape::Clauses(_) => Extent { left: 10.0, right: 10.0, height: 18.0 },
        Shape::Bend => Extent::default(),
    });
    (diagram, layout)
}

fn check(store: &TermStore, system: &ChcSystem) {
    let (diagram, layout) = lay_out(store, system);
    assert_boxes_are_apart(&layout);
    assert_lines_end_at_boxes(&layout);
    assert_edges_are_complete(&diagram, &layout);
    assert_components_are_in_order(&diagram, &layout, system);
}

/// Items of a row keep their distance, rows do not touch, and there is a margin around.
fn assert_boxes_are_apart(layout: &Layout) {
    for row in &layout.rows.order {
        for pair in row.windows(2) {
            let right = layout.x[pair[0]] + layout.extents[pair[0]].right;
            let left = layout.x[pair[1]] - layout.extents[pair[1]].left;
            assert!(right + BEND_GAP <= left + 1e-6, "{right} and {left}");
        }
        for &item in row {
            let extent = layout.extents[item];
            assert!(layout.x[item] - extent.left >= MARGIN - 1e-6);
            assert!(layout.x[item] + extent.right <= layout.width - MARGIN + 1e-6);
        }
    }
    for pair in layout.y.windows(2) {
        assert!(pair[0].1 + ROW_GAP.0 <= pair[1].0 + 1e-6);
    }
}

/// Lines run downward from the side of a box to the side of another one.
fn assert_lines_end_at_boxes(layout: &Layout) {
    let ports = Ports::new(layout);
    for (link, (upper, lower)) in layout.rows.links.iter().zip(&ports.ends) {
        for (item, end) in [(link.upper, upper), (link.lower, lower)] {
            assert!((end - layout.x[item]).abs() <= layout.extents[item].left + 1e-6);
        }
        assert_eq!(layout.rows.row[link.upper] + 1, layout.rows.row[link.lower]);
        let (from, to) = link_heights(layout, link);
        assert!(from < to);
    }
}

/// From every box of clauses, lines lead to the nodes of the body and with an arrow to the head.
fn assert_edges_are_complete(diagram: &Diagram, layout: &Layout) {
    let rows = &layout.rows;
    let neighbours = Neighbours::new(rows);
    for item in rows.shapes.handles() {
        let Shape::Clauses(id) = rows.shapes[item] else { continue };
        let edge = &diagram.edges[id];
        let mut met: Vec<Node> = Vec::new();
        for side in [&neighbours.above, &neighbours.below] {
            for &start in &side[item] {
                let mut at = start;
                while rows.shapes[at] == Shape::Bend {
                    assert_eq!(side[at].len(), 1, "bends lead to one node");
                    at = side[at][0];
                }
                if let Shape::Node(node) = rows.shapes[at] {
                    met.push(node);
                }
            }
        }
        met.sort_unstable();
        let mut ends = edge.sources.clone();
        ends.push(edge.target);
        ends.sort_unstable();
        assert_eq!(met, ends);
    }
    let arrows = rows.links.iter().filter(|link| link.tip != Tip::None).count();
    assert!(arrows <= diagram.edges.len());
}

/// What derives something in another component stands above it; `true` stands at the top and
/// `false` at the bottom.
fn assert_components_are_in_order(diagram: &Diagram, layout: &Layout, system: &ChcSystem) {
    let mut component: IndexVec<PredId, usize> = system.preds().map(|_| 0).collect();
    for (number, preds) in ChcGraph::new(system).components().iter().enumerate() {
        for &pred in preds {
            component[pred] = number;
        }
    }
    let mut row: IndexVec<Node, usize> = diagram.captions.iter().map(|_| 0).collect();
    for item in layout.rows.shapes.handles() {
        if let Shape::Node(node) = layout.rows.shapes[item] {
            row[node] = layout.rows.row[item];
        }
    }
    for (_, clause) in system.clauses() {
        for atom in &clause.body {
            let Some(head) = &clause.head else { continue };
            if component[atom.pred] != component[head.pred] {
                let node = |pred: PredId| row[Node::from_index(pred.index() + 1)];
                assert!(node(atom.pred) < node(head.pred));
            }
        }
    }
    for node in diagram.captions.handles().filter(|&node| diagram.is_pred(node)) {
        assert!(row[Diagram::top()] < row[node] && row[node] < row[diagram.bottom()]);
    }
}

#[test]
fn random_systems_are_laid_out() {
    let mut rng = Rng::new(3);
    for size in 1..60 {
        for density in 1..4 {
            let (store, system) = random(&mut rng, size, density * size);
            check(&store, &system);
        }
    }
}

#[test]
fn a_chain_is_straight() {
    let clauses: [(&[usize], Option<usize>); 5] =
        [(&[], Some(0)), (&[0], Some(1)), (&[1], Some(1)), (&[1], Some(2)), (&[2], None)];
    let (store, system) = system(3, &clauses);
    check(&store, &system);
    let (_, layout) = lay_out(&store, &system);
    let first = layout.x[Item::from_index(0)];
    assert!(layout.x.iter().all(|x| (x - first).abs() < 1e-6), "{:?}", layout.x);
    assert_eq!(layout.rows.order.len(), 9);
}

#[test]
fn a_diamond_has_no_crossings() {
    let clauses: [(&[usize], Option<usize>); 6] = [
        (&[], Some(0)),
        (&[0], Some(1)),
        (&[0], Some(2)),
        (&[2], Some(3)),
        (&[1], Some(4)),
        (&[3, 4], None),
    ];
    let (store, system) = system(5, &clauses);
    let (_, layout) = lay_out(&store, &system);
    let links = &layout.rows.links;
    for (a, b) in links.iter().flat_map(|a| links.iter().map(move |b| (a, b))) {
        if layout.rows.row[a.upper] == layout.rows.row[b.upper] {
            let upper = layout.x[a.upper] - layout.x[b.upper];
            let lower = layout.x[a.lower] - layout.x[b.lower];
            assert!(upper * lower >= -1e-6, "{a:?} crosses {b:?}");
        }
    }
}

#[test]
fn large_systems_take_no_time() {
    // Independent predicates, a chain whose members all end in a query, long connections without
    // end, and a large cycle.
    let shapes: [fn(usize, usize) -> Clauses; 4] = [
        |i, _| vec![(vec![], Some(i)), (vec![i], None)],
        |i, n| vec![(vec![i], Some((i + 1).min(n - 1))), (vec![i], None), (vec![], Some(i))],
        |i, n| vec![(vec![i], Some((i + 1).min(n - 1))), (vec![i], Some(n - 1 - i))],
        |i, n| vec![(vec![i], Some((i + 1) % n)), (vec![i, i / 2], Some(i * 7 % n))],
    ];
    for shape in shapes {
        let clauses: Vec<_> = (0..5000).flat_map(|i| shape(i, 5000)).collect();
        let clauses: Vec<(&[usize], Option<usize>)> =
            clauses.iter().map(|(body, head)| (&body[..], *head)).collect();
        let (store, system) = system(5000, &clauses);
        let (_, layout) = lay_out(&store, &system);
        assert_boxes_are_apart(&layout);
        let bends = layout.rows.shapes.iter().filter(|&&s| s == Shape::Bend).count();
        assert!(bends <= BENDS.0 + BENDS.1 * 20_002, "{bends}");
    }
}
