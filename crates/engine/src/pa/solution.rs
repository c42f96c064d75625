//! Solutions from closed graphs.
//!
//! A relation symbol means the disjunction over its nodes of the conjunction of their predicates.
//! Most predicates were of use on the way only: a node keeps those because of which a clause is
//! contradictory, or because of which a kept predicate of another node is entailed. The reasons are
//! the cores that images left, so it takes no further question. A node that is left with all
//! predicates of another one of its symbol, and more, says nothing new.
//!
//! Invariant: every clause over nodes that count is contradictory because of kept predicates, or
//! leads to a node whose kept predicates are entailed by kept ones; so what is left is a solution
//! as well.
//!
//! Source: [RHK13], the lemma on closed graphs; [IGB14] for what of an inductive set is needed.

use shofar_base::{IndexVec, Outcome};
use shofar_chc::{Definition, Interpretation, NormalSystem, PredId};
use shofar_term::{Cx, Term};

use super::arg::{Arg, NodeId, Task};
use super::image::Images;
use super::predicates::{Predicates, Subset};
use super::statistics::Statistics;

/// Of more tasks than these, all predicates are kept.
const MOST_TASKS: usize = 20_000;

/// The predicates that each node keeps.
type Kept = IndexVec<NodeId, Subset>;

/// The solution that a closed graph is.
pub(super) fn solution(
    cx: &mut Cx<'_>,
    system: &NormalSystem,
    predicates: &Predicates,
    images: &mut Images,
    arg: &Arg,
    stats: &mut Statistics,
) -> Outcome<Interpretation> {
    let all: Kept = arg.nodes.iter().map(|node| node.predicates.clone()).collect();
    let kept = needed(cx, predicates, images, arg, stats)?.unwrap_or(all);
    let mut model = Interpretation::new();
    for pred in system.preds() {
        let mut cubes: Vec<Term> = Vec::new();
        for set in weakest(arg, pred, &kept) {
            cubes.push(predicates.conjunction(cx.store, pred, set));
        }
        let body = cx.store.or(&cubes);
        model.define(pred, Definition { params: predicates.params(pred).to_vec(), body });
    }
    Ok(model)
}

/// The kept sets of the nodes of `pred`, without those that include another one.
fn weakest<'k>(arg: &Arg, pred: PredId, kept: &'k Kept) -> Vec<&'k Subset> {
    let mut sets: Vec<&Subset> = arg.live(pred).iter().map(|&node| &kept[node]).collect();
    sets.sort_by_key(|set| set.len());
    let mut result: Vec<&Subset> = Vec::new();
    for set in sets {
        if !result.iter().any(|weaker| weaker.is_subset(set)) {
            result.push(set);
        }
    }
    result
}

/// A task and the node that it leads to.
struct Step {
    task: Task,
    target: NodeId,
    /// How many of the kept predicates of the target have had their reasons kept.
    done: Subset,
}

/// What each node has to keep; none if there are too many tasks, or a reason is not known.
fn needed(
    cx: &mut Cx<'_>,
    predicates: &Predicates,
    images: &mut Images,
    arg: &Arg,
    stats: &mut Statistics,
) -> Outcome<Option<Kept>> {
    let Some(tasks) = arg.all_tasks(MOST_TASKS) else { return Ok(None) };
    let mut kept: Kept = arg.nodes.iter().map(|_| Subset::default()).collect();
    let mut steps = Vec::new();
    for task in tasks {
        cx.budget.check()?;
        let sets = arg.sets(&task);
        match images.image(cx, predicates, stats, task.clause, &sets)? {
            None => {
                let Some(core) = images.core(task.clause, &sets, None) else { return Ok(None) };
                keep(&mut kept, &task, core);
            }
            Some(image) => {
                let Some(target) = arg.covering(task.clause, &image) else { return Ok(None) };
                steps.push(Step { task, target, done: Subset::default() });
            }
        }
    }
    loop {
        let mut changed = false;
        for step in &mut steps {
            let wanted: Vec<usize> =
                kept[step.target].iter().filter(|&p| !step.done.contains(p)).collect();
            let sets = arg.sets(&step.task);
            for predicate in wanted {
                let core = images.core(step.task.clause, &sets, Some(predicate));
                let Some(core) = core else { return Ok(None) };
                keep(&mut kept, &step.task, core);
                step.done.insert(predicate);
                changed = true;
            }
        }
        if !changed {
            return Ok(Some(kept));
        }
    }
}

/// Keeps the predicates of `core` at the nodes of a task.
fn keep(kept: &mut Kept, task: &Task, core: &[Subset]) {
    for (&node, set) in task.body.iter().zip(core) {
        for predicate in set.iter() {
            kept[node].insert(predicate);
        }
    }
}
