//! Models of linear systems whose derivations all end within a known number of steps.
//!
//! The layers of an unrolling are a system of their own, with a predicate `p@d` for `p` after `d`
//! steps, without cycles. Clauses into the last layer, and into states that the unrolling found to
//! be impossible, become queries there. It is safe, so it has a model by interpolation; `p` means
//! that some `p@d` holds. It is as large as the unrolling is deep, so a small model around some
//! points that are reached is tried first.
//!
//! Source: [McM06] §3, the interpolants of a bounded unrolling.

use shofar_base::{GaveUp, Map, Outcome};
use shofar_chc::{
    ChcGraph, ChcSystem, Clause, Definition, Interpretation, NormalSystem, PredAtom, PredId,
    formal_params,
};
use shofar_term::{Cx, Sort, Term, TermStore};

use super::linear::Unrolling;
use super::model;
use super::unfold::{Unfolded, Unfolding};
use crate::hull;

/// More predicates at depths than this are not worth a model, which would be huge.
const LARGEST: usize = 3_000;

/// A model of `system`, none of whose derivations reaches the last layer of `unrolling`.
pub(crate) fn model(
    cx: &mut Cx<'_>,
    system: &ChcSystem,
    unrolling: &Unrolling,
) -> Outcome<Interpretation> {
    if let Some(small) = hull::model(cx, system, unrolling.samples().clone())? {
        return Ok(small);
    }
    let (layered, at_depth) = layered_system(cx.store, system, unrolling)?;
    let layered = NormalSystem::of(cx.store, layered);
    let mut unfolding = Unfolding::new(cx, &layered, 0);
    let Unfolded::Safe = unfolding.decide(cx)? else {
        return Err(GaveUp::wrong("an unrolling and its layers disagree"));
    };
    let bounded = model::model(cx, &layered, &unfolding)?;
    let useful = ChcGraph::new(system).useful();
    let mut result = Interpretation::new();
    for pred in system.preds() {
        let params = formal_params(cx.store, system, pred);
        let body = if useful[pred] {
            let copies = at_depth.get(&pred).map_or(&[][..], Vec::as_slice);
            let bodies: Vec<Term> =
                copies.iter().filter_map(|&p| bounded.get(p)).map(|d| d.body).collect();
            cx.store.or(&bodies)
        } else {
            cx.store.top()
        };
        result.define(pred, Definition { params, body });
    }
    Ok(result)
}

type Copies = Map<PredId, Vec<PredId>>;

/// The system of all layers but the last, and the copies of each predicate in it.
fn layered_system(
    store: &mut TermStore,
    system: &ChcSystem,
    unrolling: &Unrolling,
) -> Outcome<(ChcSystem, Copies)> {
    let mut layered = ChcSystem::new();
    let mut copies: Copies = Map::default();
    let useful = ChcGraph::new(system).useful();
    let last = unrolling.depth() - 1;
    let mut below: Map<PredId, PredId> = Map::default();
    for depth in 0..=last {
        let mut here: Map<PredId, PredId> = Map::default();
        if depth < last {
            for &pred in unrolling.reached(depth) {
                let copy = copy_of(store, &mut layered, system, pred);
                here.insert(pred, copy);
                copies.entry(pred).or_default().push(copy);
            }
        }
        if layered.pred_count() > LARGEST {
            return Err(GaveUp::incomplete("a model of so many layers would be too large"));
        }
        for (_, clause) in system.clauses() {
            if clause.head.as_ref().is_none_or(|h| useful[h.pred]) {
                layered_clause(&mut layered, clause, depth, &below, &here);
            }
        }
        below = here;
    }
    Ok((layered, copies))
}

/// Adds `clause` from the layer `below` to the layer `here`.
fn layered_clause(
    layered: &mut ChcSystem,
    clause: &Clause,
    depth: usize,
    below: &Map<PredId, PredId>,
    here: &Map<PredId, PredId>,
) {
    let copy = |atom: &PredAtom, layer: &Map<PredId, PredId>| {
        Some(PredAtom { pred: *layer.get(&atom.pred)?, args: atom.args.clone() })
    };
    let body: Option<Vec<PredAtom>> = clause.body.iter().map(|atom| copy(atom, below)).collect();
    let Some(body) = body.filter(|body| body.is_empty() == (depth == 0)) else { return };
    let head = clause.head.as_ref().and_then(|head| copy(head, here));
    layered.add_clause(Clause { head, body, constraint: clause.constraint, span: None });
}

fn copy_of(
    store: &mut TermStore,
    layered: &mut ChcSystem,
    system: &ChcSystem,
    pred: PredId,
) -> PredId {
    let name = store.name(system.symbol(pred)).to_owned();
    let sorts = system.sorts(store, pred).to_vec();
    // A fresh constant only lends its unused name.
    let unused = store.fresh(&name, Sort::BOOL);
    let unused = format!("{}@", store.name(unused));
    let symbol = store.declare(&unused, &sorts, Sort::BOOL);
    layered.add_pred(symbol)
}
