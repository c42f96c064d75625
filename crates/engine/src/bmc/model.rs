//! Models of systems that an unfolding has shown to be safe.
//!
//! Each expanded node gets an interpolant, children first: `A` says how the node is derived from
//! what its children's interpolants say, `B` is the rest of the unfolding above and beside it. Open
//! leaves may be anything, so theirs is `true`. A predicate means the conjunction of the
//! interpolants of its nodes.
//!
//! That is a model: take a clause and a node of its head. If the node is open, its interpolant is
//! `true`. If it is expanded, the clause has an edge into it, and the interpolants of the edge's
//! children, which the meanings of the body's predicates imply, imply the node's. The root's
//! interpolant is `false`.
//!
//! Source: [McM06] §3 for interpolants along paths, [RHK13] for recursion-free clauses.

use shofar_base::{Map, Outcome};
use shofar_chc::{ChcGraph, ChcSystem, Definition, Interpretation, PredId, formal_params};
use shofar_smt::{Answer, Options, PartId, Solver};
use shofar_term::substitute::substitute;
use shofar_term::{Cx, Term, TermStore};

use super::unfold::{Edge, Growth, NodeId, Unfolding};

/// A model of `system`, whose unfolding is contradictory.
pub(crate) fn model(
    cx: &mut Cx<'_>,
    system: &ChcSystem,
    unfolding: &Unfolding,
) -> Outcome<Interpretation> {
    let mut interpolants: Map<NodeId, Term> = Map::default();
    let mut conjuncts: Map<PredId, Vec<Term>> = Map::default();
    for node in children_first(system, unfolding) {
        let Some(pred) = unfolding.nodes[node].pred else { continue };
        let interpolant = interpolate(cx, unfolding, node, &interpolants)?;
        interpolants.insert(node, interpolant);
        let params = formal_params(cx.store, system, pred);
        let params: Vec<Term> = params.into_iter().map(|p| cx.store.constant(p)).collect();
        let meaning = said_of(cx.store, unfolding, node, interpolant, &params);
        conjuncts.entry(pred).or_default().push(meaning);
    }
    let mut model = Interpretation::new();
    for pred in system.preds() {
        let params = formal_params(cx.store, system, pred);
        let body = if unfolding.derivable[pred] {
            cx.store.and(conjuncts.get(&pred).map_or(&[], Vec::as_slice))
        } else {
            cx.store.bottom()
        };
        model.define(pred, Definition { params, body });
    }
    Ok(model)
}

/// The expanded nodes, each after its children.
fn children_first(system: &ChcSystem, unfolding: &Unfolding) -> Vec<NodeId> {
    let mut rank: Map<PredId, usize> = Map::default();
    for (i, component) in ChcGraph::new(system).components().iter().enumerate() {
        rank.extend(component.iter().map(|&p| (p, i)));
    }
    let mut nodes: Vec<NodeId> = unfolding
        .nodes
        .handles()
        .filter(|&n| matches!(unfolding.nodes[n].growth, Growth::Expanded(_)))
        .collect();
    nodes.reverse();
    if unfolding.is_shared() {
        // A shared node may be older than one of its parents, but its predicate comes before
        // theirs.
        nodes.sort_by_key(|&n| {
            let pred = unfolding.nodes[n].pred;
            (pred.is_none(), pred.map(|p| rank[&p]))
        });
    }
    nodes
}

/// The interpolant of `node`, over its arguments.
fn interpolate(
    cx: &mut Cx<'_>,
    unfolding: &Unfolding,
    node: NodeId,
    done: &Map<NodeId, Term>,
) -> Outcome<Term> {
    cx.budget.check()?;
    let below = derivations(cx.store, unfolding, node, done);
    if below == cx.store.bottom() {
        return Ok(below);
    }
    let mut solver = Solver::new(Options::with_proofs());
    let below: PartId = solver.add(cx.store, below);
    for other in unfolding.nodes.handles() {
        let Growth::Expanded(edges) = &unfolding.nodes[other].growth else { continue };
        let lit = unfolding.nodes[other].lit;
        if other == node {
            continue;
        }
        if let Some(&interpolant) = done.get(&other) {
            let meaning = cx.store.implies(lit, interpolant);
            solver.add(cx.store, meaning);
            continue;
        }
        let taken: Vec<Term> = edges.iter().map(|e| e.taken).collect();
        let any = cx.store.or(&taken);
        let derived = cx.store.implies(lit, any);
        solver.add(cx.store, derived);
        for edge in edges {
            solver.add(cx.store, edge.meaning);
        }
    }
    match solver.check(cx)? {
        Answer::Unsat(proof) => proof.interpolant(cx, &[below]),
        Answer::Sat(_) => unreachable!("the unfolding is contradictory"),
    }
}

/// That `node` is derived from what is known about its children, over constants of its own except
/// for its arguments.
fn derivations(
    store: &mut TermStore,
    unfolding: &Unfolding,
    node: NodeId,
    done: &Map<NodeId, Term>,
) -> Term {
    let Growth::Expanded(edges) = &unfolding.nodes[node].growth else { return store.top() };
    let ways: Vec<Term> = edges.iter().map(|e| way(store, unfolding, node, e, done)).collect();
    store.or(&ways)
}

fn way(
    store: &mut TermStore,
    unfolding: &Unfolding,
    node: NodeId,
    edge: &Edge,
    done: &Map<NodeId, Term>,
) -> Term {
    let rule = &unfolding.rules[edge.rule];
    let mut args: Vec<Vec<Term>> = Vec::new();
    let mut facts = Vec::new();
    for (premise, child) in rule.body.iter().zip(&edge.children) {
        let mut copies = Vec::new();
        for &formal in &premise.formals {
            let sort = store.result(formal);
            let copy = store.fresh("from", sort);
            copies.push(store.constant(copy));
        }
        if let Some(&interpolant) = done.get(child) {
            facts.push(said_of(store, unfolding, *child, interpolant, &copies));
        }
        args.push(copies);
    }
    let instance =
        rule.instantiate(store, &args.iter().map(Vec::as_slice).collect::<Vec<&[Term]>>());
    facts.push(instance.guard);
    let head = unfolding.nodes[node].args.iter().zip(&instance.head);
    facts.extend(head.map(|(&arg, &value)| store.eq(arg, value)));
    store.and(&facts)
}

/// `formula`, which speaks about the arguments of `node`, said of `args`.
fn said_of(
    store: &mut TermStore,
    unfolding: &Unfolding,
    node: NodeId,
    formula: Term,
    args: &[Term],
) -> Term {
    let from = &unfolding.nodes[node].args;
    let map: Map<Term, Term> = from.iter().copied().zip(args.iter().copied()).collect();
    substitute(store, &map, &[formula])[0]
}
