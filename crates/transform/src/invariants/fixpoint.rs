//! The least fixpoint of clauses in a domain, over-approximated.
//!
//! Predicates are visited in a weak topological order, so that inner loops are stable before what
//! follows them is looked at. Heads of loops are widened from the [`DELAY`]th change on. Then all
//! clauses are evaluated again with what was found, which makes values smaller (narrowing).
//! Invariant: the result is inductive, that is, every clause derives from the values of its body
//! something that is within the value of its head. Narrowing is undone where it would break that.
//!
//! Source: [Bou93] for the order, [CC77] for widening and narrowing.

use std::collections::BTreeSet;

use shofar_base::{IndexVec, Outcome};
use shofar_chc::{ChcGraph, ChcSystem, ClauseId, PredId};
use shofar_domain::{Domain, Premise};
use shofar_num::Rational;
use shofar_term::Cx;

use crate::invariants::cubes::AbstractClause;

/// So many changes of a value are not widened.
const DELAY: usize = 4;
/// A value that changes more often has no limit that is found.
const MOST_CHANGES: usize = 400;
/// How often narrowing goes over all clauses.
const NARROWINGS: usize = 4;

/// The clauses as the iteration sees them.
pub(super) struct AbstractSystem<'s> {
    pub(super) system: &'s ChcSystem,
    pub(super) clauses: IndexVec<ClauseId, AbstractClause>,
    pub(super) thresholds: Vec<Rational>,
}

/// What is known of each predicate; nothing if it is not derivable.
pub(super) type Values<D> = IndexVec<PredId, Option<D>>;

/// More work than was allowed.
struct TooMuch;

/// The iteration.
struct Iteration<'c, 's, D> {
    clauses: &'c AbstractSystem<'s>,
    graph: ChcGraph<'s>,
    values: Values<D>,
    /// How much may still be looked at.
    effort: &'c mut usize,
}

/// An inductive value for each predicate; nothing if that is more work than `effort`, of which it
/// takes what it needs.
pub(super) fn fixpoint<D: Domain>(
    cx: &mut Cx<'_>,
    clauses: &AbstractSystem<'_>,
    effort: &mut usize,
) -> Outcome<Option<Values<D>>> {
    let graph = ChcGraph::new(clauses.system);
    let values = clauses.system.preds().map(|_| None).collect();
    let mut this = Iteration { clauses, graph, values, effort };
    let order = this.graph.weak_topological_order();
    if this.ascend(cx, &order)?.is_none() {
        return Ok(None);
    }
    if D::WIDENS {
        this.narrow(cx, &order)?;
    }
    Ok(Some(this.values))
}

impl<D: Domain> Iteration<'_, '_, D> {
    /// What a clause derives.
    fn derive(&mut self, cx: &mut Cx<'_>, id: ClauseId) -> Outcome<Result<Option<D>, TooMuch>> {
        cx.budget.check()?;
        let clause = &self.clauses.clauses[id];
        let (Some((_, to)), false) = (&clause.head, clause.cubes.is_empty()) else {
            return Ok(Ok(None));
        };
        let mut premises: Vec<Premise<'_, D>> = Vec::with_capacity(clause.body.len());
        for (pred, dims) in &clause.body {
            let Some(value) = &self.values[*pred] else { return Ok(Ok(None)) };
            premises.push((value, dims));
        }
        let cost = clause.size().saturating_mul(D::COST);
        let Some(rest) = self.effort.checked_sub(cost) else { return Ok(Err(TooMuch)) };
        *self.effort = rest;
        Ok(Ok(clause.image(&premises, to)))
    }
    /// Goes up until all clauses are satisfied.
    fn ascend(&mut self, cx: &mut Cx<'_>, order: &[(PredId, bool)]) -> Outcome<Option<()>> {
        let system = self.clauses.system;
        let mut position: IndexVec<PredId, usize> = system.preds().map(|_| 0).collect();
        for (at, &(pred, _)) in order.iter().enumerate() {
            position[pred] = at;
        }
        let mut changes: IndexVec<PredId, usize> = system.preds().map(|_| 0).collect();
        let mut open: IndexVec<ClauseId, bool> = system.clauses().map(|_| true).collect();
        let mut work: BTreeSet<usize> = (0..order.len()).collect();
        while let Some(at) = work.pop_first() {
            let (pred, is_head) = order[at];
            let mut newer = self.values[pred].clone();
            for id in self.graph.incoming(pred).to_vec() {
                if !std::mem::replace(&mut open[id], false) {
                    continue;
                }
                let Ok(derived) = self.derive(cx, id)? else { return Ok(None) };
                join(&mut newer, derived);
            }
            if !self.update(pred, newer, is_head && changes[pred] >= DELAY) {
                continue;
            }
            changes[pred] += 1;
            if changes[pred] > MOST_CHANGES {
                return Ok(None);
            }
            for &user in self.graph.outgoing(pred) {
                open[user] = true;
                if let Some(head) = &system.clause(user).head {
                    work.insert(position[head.pred]);
                }
            }
        }
        Ok(Some(()))
    }
    /// Makes the value of `pred` include `newer`, which includes it; whether that changed
    /// something.
    fn update(&mut self, pred: PredId, newer: Option<D>, widen: bool) -> bool {
        let Some(newer) = newer else { return false };
        match &mut self.values[pred] {
            Some(value) if value.includes(&newer) => false,
            Some(value) if widen => {
                value.widen(&newer, &self.clauses.thresholds);
                true
            }
            value => {
                *value = Some(newer);
                true
            }
        }
    }
    /// Makes values smaller while they stay inductive; more work than there is left ends it.
    fn narrow(&mut self, cx: &mut Cx<'_>, order: &[(PredId, bool)]) -> Outcome<()> {
        for _ in 0..NARROWINGS {
            let before = self.values.clone();
            let mut changed = false;
            for &(pred, _) in order {
                let Ok(newer) = self.derived(cx, pred)? else { break };
                let smaller = match (&self.values[pred], &newer) {
                    (Some(value), Some(newer)) => value != newer && value.includes(newer),
                    (Some(_), None) => true,
                    (None, _) => false,
                };
                if smaller {
                    self.values[pred] = newer;
                    changed = true;
                }
            }
            if !changed {
                return Ok(());
            }
            if !self.is_inductive(cx)? {
                self.values = before;
                return Ok(());
            }
        }
        Ok(())
    }
    /// What all clauses derive about a predicate.
    fn derived(&mut self, cx: &mut Cx<'_>, pred: PredId) -> Outcome<Result<Option<D>, TooMuch>> {
        let mut all = None;
        for id in self.graph.incoming(pred).to_vec() {
            let Ok(derived) = self.derive(cx, id)? else { return Ok(Err(TooMuch)) };
            join(&mut all, derived);
        }
        Ok(Ok(all))
    }
    fn is_inductive(&mut self, cx: &mut Cx<'_>) -> Outcome<bool> {
        for (id, clause) in self.clauses.system.clauses() {
            let Some(head) = &clause.head else { continue };
            let Ok(derived) = self.derive(cx, id)? else { return Ok(false) };
            let is_within = match (&self.values[head.pred], &derived) {
                (_, None) => true,
                (None, Some(_)) => false,
                (Some(value), Some(derived)) => value.includes(derived),
            };
            if !is_within {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn join<D: Domain>(value: &mut Option<D>, other: Option<D>) {
    match (value, other) {
        (_, None) => (),
        (value @ None, Some(other)) => *value = Some(other),
        (Some(value), Some(other)) => value.join(&other),
    }
}
