//! What a drawing of a system shows: the predicates, `true` and `false`, and the clauses between them.
//!
//! Clauses with the same body predicates and the same head are one edge that carries their numbers, so parallel clauses
//! do not clutter the picture.

use shofar_base::{Idx, IndexVec, Map, index_type};
use shofar_term::TermStore;

use crate::{ChcGraph, ChcSystem, ClauseId, PredId};

index_type!(
    /// A node of the drawing.
    pub(super) struct Node
);

/// A bundle of clauses.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    /// Where it comes from: the predicates of the body, `true` if there is none.
    pub(super) sources: Vec<Node>,
    /// What it derives.
    pub(super) target: Node,
    /// The clauses.
    pub(super) clauses: Vec<ClauseId>,
}

impl Edge {
    /// The numbers of the clauses, cut if there are many.
    pub(super) fn label(&self) -> String {
        const SHOWN: usize = 4;
        let shown: Vec<String> =
            self.clauses.iter().take(SHOWN).map(|c| c.index().to_string()).collect();
        let shown = shown.join(", ");
        if self.clauses.len() > SHOWN {
            format!("{shown}, … ({})", self.clauses.len())
        } else {
            shown
        }
    }
}

/// A drawing without coordinates: node 0 is `true`, then come the predicates, the last node is `false`.
pub(super) struct Diagram {
    /// What is written at each node.
    pub(super) labels: IndexVec<Node, String>,
    /// The clauses.
    pub(super) edges: Vec<Edge>,
    /// All nodes in an order in which most edges run forward.
    pub(super) order: Vec<Node>,
}

impl Diagram {
    /// The drawing of `system`.
    pub(super) fn new(store: &TermStore, system: &ChcSystem) -> Self {
        let mut labels: IndexVec<Node, String> = IndexVec::new();
        let top = labels.push("true".to_owned());
        for pred in system.preds() {
            let name = store.name(system.symbol(pred));
            labels.push(format!("{name}/{}", system.sorts(store, pred).len()));
        }
        let bottom = labels.push("false".to_owned());
        let node = |pred: PredId| Node::from_index(pred.index() + 1);
        let mut order = vec![top];
        order.extend(ChcGraph::new(system).components().into_iter().flatten().map(node));
        order.push(bottom);

        let mut edges: Vec<Edge> = Vec::new();
        let mut known: Map<(Vec<Node>, Node), usize> = Map::default();
        for (id, clause) in system.clauses() {
            let mut sources: Vec<Node> = clause.body.iter().map(|a| node(a.pred)).collect();
            sources.sort_unstable();
            if sources.is_empty() {
                sources.push(top);
            }
            let target = clause.head.as_ref().map_or(bottom, |h| node(h.pred));
            let at = *known.entry((sources.clone(), target)).or_insert(edges.len());
            if at == edges.len() {
                edges.push(Edge { sources, target, clauses: Vec::new() });
            }
            edges[at].clauses.push(id);
        }
        Self { labels, edges, order }
    }
    /// The node `true`.
    pub(super) fn top() -> Node {
        Node::from_index(0)
    }
    /// The node `false`.
    pub(super) fn bottom(&self) -> Node {
        Node::from_index(self.labels.len() - 1)
    }
}
