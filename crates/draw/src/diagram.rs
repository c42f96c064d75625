//! What a drawing of a system shows: the predicates, `true` and `false`, and the clauses between
//! them.
//!
//! Clauses with the same body predicates and the same head are one edge that carries all their
//! names, so parallel clauses do not clutter the picture.
//!
//! The order of the nodes is the reverse of the one in which a depth-first search leaves them. So
//! strongly connected components follow each other as they are derived, and within one of them few
//! edges run backward: those of a program's loops only.

use shofar_base::{Idx, IndexVec, Map, index_type};
use shofar_chc::{ChcSystem, ClauseId, PredId};
use shofar_term::TermStore;
use shofar_term::print::{print_sort, quote};

use crate::captions::{Captions, shortened};

/// Longer names of predicates are cut.
const LONGEST_NAME: usize = 32;
/// Longer names of clauses are cut.
const LONGEST_LABEL: usize = 26;
/// What is told about a thing is cut as well: a predicate may have thousands of arguments.
const LONGEST_ABOUT: usize = 4000;

index_type!(
    /// A node of the drawing.
    pub(crate) struct Node
);
index_type!(
    /// An edge of the drawing.
    pub(crate) struct EdgeId
);

/// What is written at a node or an edge.
#[derive(Clone, Debug)]
pub(crate) struct Caption {
    /// What everybody sees.
    pub(crate) label: String,
    /// What is told to those who point at it.
    pub(crate) about: String,
}

impl Caption {
    /// A caption whose label has at most so many characters, all in one line.
    fn new(label: &str, longest: usize, about: &str) -> Self {
        let label = shortened(label, longest);
        Self {
            label: label.replace(['\n', '\r', '\t'], " "),
            about: shortened(about, LONGEST_ABOUT),
        }
    }
}

/// A bundle of clauses.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    /// Where it comes from: the predicates of the body, as often as they occur; `true` if there is
    /// none.
    pub(crate) sources: Vec<Node>,
    /// What it derives.
    pub(crate) target: Node,
    /// Its clauses.
    pub(crate) caption: Caption,
}

impl Edge {
    /// Whether it derives a predicate from nothing but itself.
    pub(crate) fn is_loop(&self) -> bool {
        self.sources.iter().all(|&source| source == self.target)
    }
}

/// A drawing without coordinates: node 0 is `true`, then come the predicates, the last node is
/// `false`.
pub(crate) struct Diagram {
    /// What is written at each node.
    pub(crate) captions: IndexVec<Node, Caption>,
    /// The clauses.
    pub(crate) edges: IndexVec<EdgeId, Edge>,
    /// All nodes in an order in which most edges run forward.
    pub(crate) order: Vec<Node>,
}

impl Diagram {
    /// The drawing of `system`.
    pub(crate) fn new(store: &TermStore, system: &ChcSystem, captions: &Captions) -> Self {
        let nodes = nodes(store, system);
        let bottom = Node::from_index(nodes.len() - 1);
        let edges = edges(system, captions, bottom);
        let order = forward_order(&edges, bottom);
        Self { captions: nodes, edges, order }
    }
    /// The node `true`.
    pub(crate) fn top() -> Node {
        Node::from_index(0)
    }
    /// The node `false`.
    pub(crate) fn bottom(&self) -> Node {
        Node::from_index(self.captions.len() - 1)
    }
    /// Whether a node is a predicate, not `true` or `false`.
    pub(crate) fn is_pred(&self, node: Node) -> bool {
        node != Self::top() && node != self.bottom()
    }
}

fn nodes(store: &TermStore, system: &ChcSystem) -> IndexVec<Node, Caption> {
    let pred = |pred: PredId| {
        let (name, sorts) = (store.name(system.symbol(pred)), system.sorts(store, pred));
        let listed: Vec<String> =
            sorts.iter().map(|&sort| print_sort(store, sort).into_owned()).collect();
        let about = format!("(declare-fun {} ({}) Bool)", quote(name), listed.join(" "));
        Caption::new(&format!("{name}/{}", sorts.len()), LONGEST_NAME, &about)
    };
    let mut nodes = IndexVec::new();
    nodes.push(Caption::new("true", LONGEST_NAME, "true: the clauses below it are facts"));
    for id in system.preds() {
        nodes.push(pred(id));
    }
    nodes.push(Caption::new("false", LONGEST_NAME, "false: the clauses above it are queries"));
    nodes
}

fn edges(system: &ChcSystem, captions: &Captions, bottom: Node) -> IndexVec<EdgeId, Edge> {
    let node = |pred: PredId| Node::from_index(pred.index() + 1);
    let mut bundles: Vec<(Vec<Node>, Node, Vec<ClauseId>)> = Vec::new();
    let mut known: Map<(Vec<Node>, Node), usize> = Map::default();
    for (id, clause) in system.clauses() {
        let mut sources: Vec<Node> = clause.body.iter().map(|a| node(a.pred)).collect();
        sources.sort_unstable();
        if sources.is_empty() {
            sources.push(Diagram::top());
        }
        let target = clause.head.as_ref().map_or(bottom, |h| node(h.pred));
        let at = *known.entry((sources.clone(), target)).or_insert(bundles.len());
        if at == bundles.len() {
            bundles.push((sources, target, Vec::new()));
        }
        bundles[at].2.push(id);
    }
    let edge = |(sources, target, clauses): (Vec<Node>, Node, Vec<ClauseId>)| {
        let (label, about) = (captions.label(&clauses), captions.about(&clauses));
        let caption = Caption::new(&label, LONGEST_LABEL, &about);
        Edge { sources, target, caption }
    };
    bundles.into_iter().map(edge).collect()
}

/// The nodes in reverse postorder, `true` first and `false` last.
fn forward_order(edges: &IndexVec<EdgeId, Edge>, bottom: Node) -> Vec<Node> {
    let count = bottom.index() + 1;
    let mut outgoing: IndexVec<Node, Vec<Node>> = (0..count).map(|_| Vec::new()).collect();
    let mut derived: IndexVec<Node, bool> = (0..count).map(|_| false).collect();
    for edge in edges {
        for &source in &edge.sources {
            outgoing[source].push(edge.target);
            derived[edge.target] |= source != edge.target;
        }
    }
    // What nothing derives comes before what can only be entered in the middle of a cycle.
    let (entries, inner): (Vec<Node>, Vec<Node>) =
        outgoing.handles().rev().partition(|&node| !derived[node]);
    let mut seen: IndexVec<Node, bool> = (0..count).map(|_| false).collect();
    seen[bottom] = true;
    let mut left = Vec::with_capacity(count);
    for root in [Diagram::top()].into_iter().chain(entries).chain(inner) {
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        let mut path = vec![root];
        while let Some(&node) = path.last() {
            // The first clause is followed last, so that it stands first in the end.
            match outgoing[node].pop() {
                Some(next) if !std::mem::replace(&mut seen[next], true) => path.push(next),
                Some(_) => (),
                None => left.extend(path.pop()),
            }
        }
    }
    left.retain(|&node| node != Diagram::top());
    let order = [Diagram::top()].into_iter().chain(left.into_iter().rev());
    order.chain([bottom]).collect()
}
