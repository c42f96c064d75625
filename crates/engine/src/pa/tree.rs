//! And/or trees of counterexamples.
//!
//! An *or* node is a copy of a relation symbol and lists ways to derive it; each way is an *and*
//! node, a clause with a copy for each premise. The root is a copy of `false`. With one way
//! everywhere the tree is a single derivation (TI); with several it stands for all derivations that
//! a choice at every copy makes (DI). In either case the clauses, said of the copies, are
//! recursion-free and body-disjoint: every copy is a premise once.
//!
//! Invariant: a copy comes before those below it.
//!
//! Source: [RHK13] (*extract*). The depth of a tree is that of the shallowest counterexample, which
//! makes extraction end where nodes have edges to themselves.

use shofar_base::{GaveUp, Outcome};
use shofar_chc::PredId;

use super::arg::{Arg, Node, NodeId, Shallowest, Task, height_of};
use super::options::Refinement;
use super::predicates::Subset;

/// So many copies a tree has before only one way of each further copy is taken.
const MOST_COPIES: usize = 60;

/// So many copies a tree may have.
const LIMIT: usize = 20_000;

/// A clause with a copy for each premise.
#[derive(Clone, Debug)]
pub(super) struct Way {
    pub(super) clause: usize,
    pub(super) kids: Vec<usize>,
}

/// A copy of a relation symbol.
#[derive(Clone, Debug)]
pub(super) struct Copy {
    /// None for `false`.
    pub(super) pred: Option<PredId>,
    /// The node of the graph it comes from; none for `false`.
    pub(super) node: Option<NodeId>,
    /// The predicates that are known to hold of all that is derived here.
    pub(super) known: Subset,
    pub(super) ways: Vec<Way>,
}

/// An and/or tree; see the module documentation.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    pub(super) copies: Vec<Copy>,
}

/// A copy that is still to be made: of which node, within which depth, and for which premise of
/// which way of which copy.
struct Pending {
    node: NodeId,
    depth: usize,
    place: (usize, usize, usize),
}

impl Tree {
    /// The tree of the counterexamples that end with `task`, a query.
    pub(super) fn extract(arg: &Arg, task: &Task, refinement: Refinement) -> Outcome<Self> {
        let best = arg.shallowest();
        let depth = height_of(&best, task).expect("nodes that are not dead are derived");
        Self::grow(arg, task, depth, |tree, node, depth| {
            tree.ways(arg, &best, node, depth, refinement)
        })
    }
    /// The tree of the counterexamples that end with `task`, a query, where a node stands for all
    /// earlier ones of its symbol.
    pub(super) fn extract_global(arg: &Arg, task: &Task) -> Outcome<Self> {
        Self::grow(arg, task, 0, |tree, node, _| {
            let mut ways = arg.made_by(node);
            if tree.copies.len() >= MOST_COPIES {
                ways.truncate(1);
            }
            ways
        })
    }
    /// The tree below `task`, with the ways to derive a node within a depth that `ways` tells.
    fn grow<'a>(
        arg: &'a Arg,
        task: &Task,
        depth: usize,
        ways: impl Fn(&Self, NodeId, usize) -> Vec<&'a Task>,
    ) -> Outcome<Self> {
        let mut tree = Self::default();
        let mut stack = Vec::new();
        tree.push(&mut stack, None, &[task], depth);
        while let Some(Pending { node, depth, place: (parent, way, premise) }) = stack.pop() {
            let at = tree.copies.len();
            if at >= LIMIT {
                return Err(GaveUp::incomplete("a counterexample is too large as a tree"));
            }
            tree.copies[parent].ways[way].kids[premise] = at;
            let Node { pred, predicates, .. } = &arg.nodes[node];
            let ways = ways(&tree, node, depth);
            tree.push(&mut stack, Some((node, *pred, predicates)), &ways, depth);
        }
        Ok(tree)
    }
    /// The tree below a copy, which becomes its root.
    pub(super) fn below(&self, at: usize) -> Self {
        let (mut tree, mut order) = (Self::default(), vec![at]);
        let mut next = 0;
        while let Some(&from) = order.get(next) {
            let mut copy = self.copies[from].clone();
            for kid in copy.ways.iter_mut().flat_map(|way| &mut way.kids) {
                let place = order.len();
                order.push(std::mem::replace(kid, place));
            }
            tree.copies.push(copy);
            next += 1;
        }
        tree
    }
    /// The edges into `node` that end derivations of at most this depth; those that belong to a
    /// tree.
    fn ways<'a>(
        &self,
        arg: &'a Arg,
        best: &Shallowest,
        node: NodeId,
        depth: usize,
        refinement: Refinement,
    ) -> Vec<&'a Task> {
        let (_, shallowest) = best[node].expect("nodes that are not dead are derived");
        let mut ways = vec![&arg.edges[shallowest].task];
        if refinement == Refinement::Disjunctive && self.copies.len() < MOST_COPIES {
            for (at, edge) in arg.edges.iter().enumerate() {
                let is_within = || height_of(best, &edge.task).is_some_and(|h| h <= depth);
                if edge.target == node && at != shallowest && is_within() {
                    ways.push(&edge.task);
                }
            }
        }
        ways
    }
    /// Enters a copy, and what is to be made below it.
    fn push(
        &mut self,
        stack: &mut Vec<Pending>,
        of: Option<(NodeId, PredId, &Subset)>,
        tasks: &[&Task],
        depth: usize,
    ) {
        let at = self.copies.len();
        let mut ways = Vec::new();
        for (way, task) in tasks.iter().enumerate() {
            ways.push(Way { clause: task.clause, kids: vec![0; task.body.len()] });
            for (premise, &node) in task.body.iter().enumerate() {
                let place = (at, way, premise);
                stack.push(Pending { node, depth: depth.saturating_sub(1), place });
            }
        }
        let (node, pred) = (of.map(|(node, ..)| node), of.map(|(_, pred, _)| pred));
        let known = of.map_or_else(Subset::default, |(.., known)| known.clone());
        self.copies.push(Copy { pred, node, known, ways });
    }
}
