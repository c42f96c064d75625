//! Short cycles of clauses, as single clauses.
//!
//! A cycle begins and ends with the same predicate, visits no other one twice, and every clause on
//! it has one premise. Its resolvent is a clause `p(x̄) ∧ φ → p(x̄')`, in which what lies between is
//! eliminated. A clause with a disjunction takes part by its disjuncts: they are what has a
//! closure, not all of them together. A cycle is listed once, at the predicate that comes first in
//! a weak topological order, which is where the search enters it.
//!
//! Invariant: a step of a listed clause is a step of each clause of its cycle, in the way its
//! origin tells.

use shofar_base::{IndexVec, Outcome};
use shofar_chc::{ChcGraph, Clause, ClauseId, NormalSystem, PredId};
use shofar_term::{Cx, Symbol};

use crate::back::Origin;
use crate::disjunctive::split;
use crate::resolve::{Work, resolve};

/// Cycles of more clauses are not looked at.
const LONGEST: usize = 4;
/// A clause takes part with so many disjuncts at most.
const MOST_CASES: usize = 16;
/// So many resolvents are made at most.
const MOST_RESOLVENTS: usize = 200;

/// A cycle as a clause, and how it is made of clauses of the source.
pub(super) struct Cycle {
    pub(super) clause: Clause,
    /// The arguments before and after an iteration.
    pub(super) pairs: Vec<(Symbol, Symbol)>,
    pub(super) origin: Origin,
    /// The clause of the source that it is, or a disjunct of.
    pub(super) alone: Option<ClauseId>,
}

/// A disjunct of a clause with one premise.
struct Step {
    clause: ClauseId,
    to: PredId,
    work: Work,
}

/// A path from a predicate, as one clause.
struct Path {
    visited: Vec<PredId>,
    work: Work,
}

/// The cycles of a system, loops of one clause first.
pub(super) fn cycles(cx: &mut Cx<'_>, source: &NormalSystem) -> Outcome<Vec<Cycle>> {
    let steps = steps(cx, source);
    let mut rank: IndexVec<PredId, usize> = source.preds().map(|_| 0).collect();
    for (place, (pred, _)) in ChcGraph::new(source).weak_topological_order().iter().enumerate() {
        rank[*pred] = place;
    }
    let mut found = Vec::new();
    for pred in source.preds() {
        for step in steps[pred].iter().filter(|step| step.to == pred) {
            found.extend(alone(cx, source, step)?);
        }
    }
    let mut left = MOST_RESOLVENTS;
    for start in source.preds() {
        let first = steps[start].iter().filter(|step| rank[step.to] > rank[start]);
        let mut open: Vec<Path> =
            first.map(|step| Path { visited: vec![step.to], work: step.work.clone() }).collect();
        while let Some(path) = open.pop() {
            let last = path.visited[path.visited.len() - 1];
            for step in &steps[last] {
                let is_closed = step.to == start;
                let goes_on = path.visited.len() + 1 < LONGEST
                    && rank[step.to] > rank[start]
                    && !path.visited.contains(&step.to);
                if left == 0 || !(is_closed || goes_on) {
                    continue;
                }
                left -= 1;
                cx.budget.check()?;
                let outer = step.work.copy(cx.store);
                let Some(work) = resolve(cx, last, path.work.clone(), outer)? else { continue };
                if is_closed {
                    found.push(made(cx, work));
                } else {
                    let mut visited = path.visited.clone();
                    visited.push(step.to);
                    open.push(Path { visited, work });
                }
            }
        }
    }
    Ok(found)
}

/// The disjuncts of clauses within components, by the predicate of their premise.
fn steps(cx: &mut Cx<'_>, source: &NormalSystem) -> IndexVec<PredId, Vec<Step>> {
    let mut component: IndexVec<PredId, usize> = source.preds().map(|_| 0).collect();
    for (number, preds) in ChcGraph::new(source).components().iter().enumerate() {
        for &pred in preds {
            component[pred] = number;
        }
    }
    let mut steps: IndexVec<PredId, Vec<Step>> = source.preds().map(|_| Vec::new()).collect();
    for (id, clause) in source.clauses() {
        let (Some(head), [premise]) = (&clause.head, &clause.body[..]) else { continue };
        if component[head.pred] != component[premise.pred] {
            continue;
        }
        for constraint in split(cx.store, clause.constraint, MOST_CASES) {
            let work = Work::new(cx.store, source, id, constraint);
            steps[premise.pred].push(Step { clause: id, to: head.pred, work });
        }
    }
    steps
}

/// A loop of one clause.
fn alone(cx: &mut Cx<'_>, source: &NormalSystem, step: &Step) -> Outcome<Option<Cycle>> {
    let variables = source.clause(step.clause).variables(cx.store);
    if variables.len() > source.arguments(step.clause).count() {
        let work = step.work.clone().simplified(cx)?;
        return Ok(work.map(|work| Cycle { alone: Some(step.clause), ..made(cx, work) }));
    }
    let clause = step.work.to_clause(cx.store);
    let (pairs, alone) = (pairs(&step.work), Some(step.clause));
    Ok(Some(Cycle { clause, pairs, origin: Origin::Same(step.clause), alone }))
}

fn made(cx: &mut Cx<'_>, work: Work) -> Cycle {
    let clause = work.to_clause(cx.store);
    let head = clause.head.as_ref().map_or_else(Vec::new, |head| head.args.clone());
    let pairs = pairs(&work);
    let origin = Origin::Made { head, templates: vec![work.template] };
    Cycle { clause, pairs, origin, alone: None }
}

fn pairs(work: &Work) -> Vec<(Symbol, Symbol)> {
    let [before, after] = [work.body.first(), work.head.as_ref()]
        .map(|atom| atom.into_iter().flat_map(|atom| atom.args.iter().copied()));
    before.zip(after).collect()
}
