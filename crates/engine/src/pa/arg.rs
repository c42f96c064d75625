//! The abstract reachability graph: a hypergraph of nodes `(p, Q)`.
//!
//! A node is a relation symbol with a set of its predicates, and stands for the states that satisfy
//! all of them. A hyperedge says that a clause leads from the nodes of its body to a node that its
//! image under abstraction is in. A *task* is a clause with a node for each premise that has no
//! edge yet. A node is *covered* by another one of the same symbol that has fewer predicates;
//! nothing is derived from it as long as that is there. When no task is left, the graph is closed,
//! and the nodes are a solution.
//!
//! A refinement deletes the nodes that were made without the new predicates on the way to the
//! counterexample, and everything made from these. What led to deleted nodes from others is a task
//! again, and so is what was covered by them.
//!
//! Invariants: a node that is not dead has all nodes of the edge that made it (`Node::made_by`) not
//! dead, and these are older than the node. A covered node is covered by one that is neither dead
//! nor covered. [`Arg::next`] restores that tasks are about such nodes only.
//!
//! Every order of tasks is fair: between two refinements there are finitely many nodes.
//!
//! Source: [RHK13], the algorithm that constructs abstract reachability graphs (*construct_arg*);
//! [HJMS02] for deletion below what a refinement touched.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use shofar_base::{IndexVec, Set, index_type};
use shofar_chc::PredId;

use super::options::Order;
use super::predicates::Subset;
use super::statistics::Statistics;
use crate::rule::Rule;

index_type!(
    /// A node of the graph.
    pub(super) struct NodeId
);

/// A clause with a node for each premise.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Task {
    pub(super) clause: usize,
    pub(super) body: Vec<NodeId>,
}

/// Whether a node counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// It does.
    Live,
    /// Nothing is derived from it as long as another one is there.
    Covered(NodeId),
    /// A refinement deleted it.
    Dead,
}

/// A node; see the module documentation.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) pred: PredId,
    pub(super) predicates: Subset,
    /// So many predicates of the symbol had come, or come back, when it was made.
    pub(super) considered: usize,
    made_by: Task,
    depth: usize,
    fate: Fate,
}

/// A hyperedge.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub(super) task: Task,
    pub(super) target: NodeId,
}

/// The height of a node's shallowest derivation, and the edge that ends it.
pub(super) type Shallowest = IndexVec<NodeId, Option<(usize, usize)>>;

/// What comes first: queries, then the rank, then the age.
type Key = (bool, usize, u64);

/// The graph; see the module documentation.
pub(super) struct Arg {
    pub(super) nodes: IndexVec<NodeId, Node>,
    pub(super) edges: Vec<Edge>,
    /// The nodes of each symbol that are neither dead nor covered.
    live: IndexVec<PredId, Vec<NodeId>>,
    tasks: BTreeMap<Key, Task>,
    /// The tasks that are waiting or have been done.
    known: Set<Task>,
    /// For each clause, the symbols of its body.
    bodies: Vec<Vec<PredId>>,
    /// For each clause, the symbol of its head; none for queries.
    heads: Vec<Option<PredId>>,
    /// The premises of each symbol.
    uses: IndexVec<PredId, Vec<(usize, usize)>>,
    order: Order,
    clock: u64,
}

impl Arg {
    /// The empty graph of `rules` over `preds` symbols; clauses without premises are its tasks.
    pub(super) fn new(rules: &[Rule], preds: usize, order: Order) -> Self {
        let mut this = Self {
            nodes: IndexVec::new(),
            edges: Vec::new(),
            live: (0..preds).map(|_| Vec::new()).collect(),
            tasks: BTreeMap::new(),
            known: Set::default(),
            bodies: Vec::new(),
            heads: Vec::new(),
            uses: (0..preds).map(|_| Vec::new()).collect(),
            order,
            clock: 0,
        };
        for (clause, rule) in rules.iter().enumerate() {
            let body: Vec<PredId> = rule.body.iter().map(|premise| premise.pred).collect();
            for (premise, &pred) in body.iter().enumerate() {
                this.uses[pred].push((clause, premise));
            }
            this.bodies.push(body);
            this.heads.push(rule.head.as_ref().map(|(pred, _)| *pred));
        }
        for clause in 0..rules.len() {
            if this.bodies[clause].is_empty() {
                this.open(Task { clause, body: Vec::new() });
            }
        }
        this
    }
    /// The next task, if there is one.
    pub(super) fn next(&mut self) -> Option<Task> {
        while let Some((_, task)) = self.tasks.pop_first() {
            if task.body.iter().all(|&node| self.nodes[node].fate == Fate::Live) {
                return Some(task);
            }
            // If its nodes count again, it is opened again.
            self.known.remove(&task);
        }
        None
    }
    /// The sets of predicates of a task's body.
    pub(super) fn sets(&self, task: &Task) -> Vec<&Subset> {
        task.body.iter().map(|&node| &self.nodes[node].predicates).collect()
    }
    /// The nodes of `pred` that count.
    pub(super) fn live(&self, pred: PredId) -> &[NodeId] {
        &self.live[pred]
    }
    /// The predicates that nodes of `pred` have, covered ones included.
    pub(super) fn used(&self, pred: PredId) -> Subset {
        let mut used = Subset::default();
        for node in &self.nodes {
            if node.pred == pred && node.fate != Fate::Dead {
                used.unite(&node.predicates);
            }
        }
        used
    }
    /// Does `task`, whose image is `image` among the `considered` predicates of `pred`.
    pub(super) fn derive(
        &mut self,
        stats: &mut Statistics,
        task: Task,
        pred: PredId,
        image: Subset,
        considered: usize,
    ) {
        stats.edges += 1;
        let covers = |&&node: &&NodeId| self.nodes[node].predicates.is_subset(&image);
        if let Some(&target) = self.live[pred].iter().find(covers) {
            stats.subsumed += 1;
            self.edges.push(Edge { task, target });
            return;
        }
        stats.nodes += 1;
        let depth = 1 + task.body.iter().map(|&node| self.nodes[node].depth).max().unwrap_or(0);
        let target = self.nodes.push(Node {
            pred,
            predicates: image,
            considered,
            made_by: task.clone(),
            depth,
            fate: Fate::Live,
        });
        self.edges.push(Edge { task, target });
        self.cover_by(stats, target);
        self.live[pred].push(target);
        self.open_all(target);
    }
    /// Weakens `image` so that what is known of `pred` so far is in it.
    pub(super) fn join(&self, pred: PredId, image: &mut Subset) {
        for &node in &self.live[pred] {
            image.intersect(&self.nodes[node].predicates);
        }
    }
    /// The tasks that made the nodes of a symbol up to `node`, the latest first.
    pub(super) fn made_by(&self, node: NodeId) -> Vec<&Task> {
        let pred = self.nodes[node].pred;
        let is_earlier = |other: &NodeId| *other <= node && self.nodes[*other].pred == pred;
        self.nodes.handles().filter(is_earlier).rev().map(|n| &self.nodes[n].made_by).collect()
    }
    /// All tasks over nodes that count; none if there are more than `most`.
    pub(super) fn all_tasks(&self, most: usize) -> Option<Vec<Task>> {
        let mut tasks = Vec::new();
        for (clause, body) in self.bodies.iter().enumerate() {
            let choices: Vec<Vec<NodeId>> = body.iter().map(|&p| self.live[p].clone()).collect();
            let count = choices.iter().try_fold(1_usize, |n, c| n.checked_mul(c.len()))?;
            if tasks.len() + count > most {
                return None;
            }
            tasks.extend(products(&choices).into_iter().map(|body| Task { clause, body }));
        }
        Some(tasks)
    }
    /// A node that counts and that the image of a clause is in.
    pub(super) fn covering(&self, clause: usize, image: &Subset) -> Option<NodeId> {
        let pred = self.heads[clause]?;
        let covers = |&node: &NodeId| self.nodes[node].predicates.is_subset(image);
        self.live[pred].iter().copied().find(covers)
    }
    /// Puts a task back that was not done.
    pub(super) fn reopen(&mut self, task: Task) {
        self.known.remove(&task);
        if task.body.iter().all(|&node| self.nodes[node].fate != Fate::Dead) {
            self.open(task);
        }
    }
    /// Deletes `nodes`, and what was made from them; see the module documentation.
    pub(super) fn delete(&mut self, stats: &mut Statistics, nodes: &[NodeId]) {
        for &node in nodes {
            self.nodes[node].fate = Fate::Dead;
        }
        // A node is younger than those it was made of.
        for node in self.nodes.handles() {
            let mut made_of = self.nodes[node].made_by.body.iter();
            if made_of.any(|&from| self.nodes[from].fate == Fate::Dead) {
                self.nodes[node].fate = Fate::Dead;
            }
        }
        let is_dead = |node: &NodeId| self.nodes[*node].fate == Fate::Dead;
        let mut again = Vec::new();
        for edge in std::mem::take(&mut self.edges) {
            if edge.task.body.iter().any(is_dead) {
                self.known.remove(&edge.task);
            } else if is_dead(&edge.target) {
                again.push(edge.task);
            } else {
                self.edges.push(edge);
            }
        }
        for pred in self.live.handles() {
            let before = self.live[pred].len();
            let nodes = &self.nodes;
            self.live[pred].retain(|&node| nodes[node].fate == Fate::Live);
            stats.deleted += (before - self.live[pred].len()) as u64;
        }
        for task in again {
            self.reopen(task);
        }
        for node in self.nodes.handles() {
            if let Fate::Covered(by) = self.nodes[node].fate
                && self.nodes[by].fate == Fate::Dead
            {
                self.uncover(stats, node);
            }
        }
    }
    /// The shallowest derivation of each node that is not dead.
    pub(super) fn shallowest(&self) -> Shallowest {
        let mut best: Shallowest = self.nodes.iter().map(|_| None).collect();
        loop {
            let mut changed = false;
            for (at, edge) in self.edges.iter().enumerate() {
                let Some(height) = height_of(&best, &edge.task) else { continue };
                if best[edge.target].is_none_or(|(known, _)| height < known) {
                    best[edge.target] = Some((height, at));
                    changed = true;
                }
            }
            if !changed {
                return best;
            }
        }
    }
    /// Covers the nodes that have all predicates of `target`, and more.
    fn cover_by(&mut self, stats: &mut Statistics, target: NodeId) {
        let pred = self.nodes[target].pred;
        let wanted = self.nodes[target].predicates.clone();
        let (nodes, before) = (&mut self.nodes, self.live[pred].len());
        self.live[pred].retain(|&node| {
            let is_covered = node != target && wanted.is_subset(&nodes[node].predicates);
            if is_covered {
                stats.subsumed += 1;
                nodes[node].fate = Fate::Covered(target);
            }
            !is_covered
        });
        if self.live[pred].len() == before {
            return;
        }
        for node in self.nodes.handles() {
            if let Fate::Covered(by) = self.nodes[node].fate
                && self.nodes[by].fate == Fate::Covered(target)
            {
                self.nodes[node].fate = Fate::Covered(target);
            }
        }
    }
    /// Makes a node count again whose cover is gone, unless there is another one.
    fn uncover(&mut self, stats: &mut Statistics, node: NodeId) {
        let pred = self.nodes[node].pred;
        let mine = self.nodes[node].predicates.clone();
        let covers = |&&other: &&NodeId| self.nodes[other].predicates.is_subset(&mine);
        if let Some(&cover) = self.live[pred].iter().find(covers) {
            self.nodes[node].fate = Fate::Covered(cover);
            return;
        }
        self.nodes[node].fate = Fate::Live;
        self.cover_by(stats, node);
        self.live[pred].push(node);
        self.open_all(node);
    }
    /// Opens the tasks that `node` takes part in, with nodes that count.
    fn open_all(&mut self, node: NodeId) {
        for (clause, premise) in self.uses[self.nodes[node].pred].clone() {
            let mut choices: Vec<Vec<NodeId>> = Vec::new();
            for (at, &pred) in self.bodies[clause].iter().enumerate() {
                choices.push(match at.cmp(&premise) {
                    Ordering::Equal => vec![node],
                    // A task with the node in two places is opened for the first of them.
                    Ordering::Less => {
                        self.live[pred].iter().copied().filter(|&other| other != node).collect()
                    }
                    Ordering::Greater => self.live[pred].clone(),
                });
            }
            for body in products(&choices) {
                self.open(Task { clause, body });
            }
        }
    }
    fn open(&mut self, task: Task) {
        if !self.known.insert(task.clone()) {
            return;
        }
        self.clock += 1;
        let depth = task.body.iter().map(|&node| self.nodes[node].depth).max().unwrap_or(0);
        let rank = match self.order {
            Order::Breadth => depth,
            Order::Depth => usize::MAX - depth,
            Order::General => task.body.iter().map(|&n| self.nodes[n].predicates.len()).sum(),
        };
        let is_derivation = self.heads[task.clause].is_some();
        self.tasks.insert((is_derivation, rank, self.clock), task);
    }
}

/// All ways to choose one of each.
fn products(choices: &[Vec<NodeId>]) -> Vec<Vec<NodeId>> {
    let mut bodies: Vec<Vec<NodeId>> = vec![Vec::new()];
    for choice in choices {
        let with = |body: &Vec<NodeId>, node: NodeId| {
            body.iter().copied().chain([node]).collect::<Vec<NodeId>>()
        };
        bodies = bodies
            .iter()
            .flat_map(|body| choice.iter().map(move |&node| with(body, node)))
            .collect();
    }
    bodies
}

/// The height of the shallowest derivation that ends with `task`, if its body has any.
pub(super) fn height_of(best: &Shallowest, task: &Task) -> Option<usize> {
    let mut height = 0;
    for &node in &task.body {
        height = height.max(best[node]?.0);
    }
    Some(height + 1)
}
