//! Proofs by congruence from the proof forest.
//!
//! The path between two nodes in the forest is a chain of equal terms. For a step by congruence the
//! paths between the arguments are asked for in turn; each path is written once, after those it
//! refers to, whatever the depth.
//!
//! Invariant: every lemma that leaves the theory is checked in debug builds, from its certificate
//! alone.
//!
//! Source: [NO07] §4, *Explain*. DIVERGENCE [NO07] §4.2: redundant steps are avoided by writing
//! each path once, not by a second union-find over the forest.

use shofar_base::{Lit, Map};

use super::certificate::{Clash, Congruence, Edge, Path, Why};
use super::closure::{Closure, Node, Reason};
use crate::theory::Lemma;

/// What contradicts a chain of equal nodes.
#[derive(Clone, Copy, Debug)]
pub(super) enum End {
    /// This literal.
    Literal(Lit),
    /// The fixed values of its ends.
    Values,
}

/// A step that is not in the forest: the literal, which is about to be contradicted, makes the
/// nodes equal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bridge {
    pub(super) lit: Lit,
    pub(super) from: Node,
    pub(super) to: Node,
}

/// A step of a path in the forest.
type Step = (Node, Node, Reason);

/// Says which literal that is asserted makes two nodes equal at one step.
pub(super) type Shortcut<'c> = &'c dyn Fn(Node, Node) -> Option<Lit>;

/// A lemma in the making.
pub(super) struct Explanation<'c> {
    closure: &'c Closure,
    shortcut: Shortcut<'c>,
    paths: Vec<Path>,
    path_of: Map<(Node, Node), usize>,
    lits: Vec<Lit>,
    index_of: Map<Lit, usize>,
}

enum Task {
    Visit((Node, Node)),
    Write((Node, Node), Vec<Step>),
}

/// The contradiction of `end` with the equality of two nodes of one class.
pub(super) fn refute(closure: &Closure, ends: (Node, Node), end: End) -> Lemma<Congruence> {
    refute_by_shortcuts(closure, &|_, _| None, ends, end)
}

/// The same, by way of shortcuts.
pub(super) fn refute_by_shortcuts(
    closure: &Closure,
    shortcut: Shortcut<'_>,
    ends: (Node, Node),
    end: End,
) -> Lemma<Congruence> {
    let explanation = Explanation::new(closure, shortcut);
    let steps = explanation.forest_path(ends.0, ends.1);
    explanation.finish(ends.0, &steps, end)
}

/// The contradiction of the values of two nodes that a bridge between their classes would make
/// equal.
pub(super) fn refute_bridge(
    closure: &Closure,
    ends: (Node, Node),
    bridge: Bridge,
) -> Lemma<Congruence> {
    let explanation = Explanation::new(closure, &|_, _| None);
    let mut steps = explanation.forest_path(ends.0, bridge.from);
    steps.push((bridge.from, bridge.to, Reason::Literal(bridge.lit)));
    steps.extend(explanation.forest_path(bridge.to, ends.1));
    explanation.finish(ends.0, &steps, End::Values)
}

impl<'c> Explanation<'c> {
    fn new(closure: &'c Closure, shortcut: Shortcut<'c>) -> Self {
        Self {
            closure,
            shortcut,
            paths: Vec::new(),
            path_of: Map::default(),
            lits: Vec::new(),
            index_of: Map::default(),
        }
    }
    fn finish(mut self, from: Node, steps: &[Step], end: End) -> Lemma<Congruence> {
        self.write_arguments(steps);
        let path = self.path(from, steps);
        self.paths.push(path);
        let clash = match end {
            End::Literal(lit) => Clash::Literal(self.literal(lit)),
            End::Values => Clash::Values,
        };
        Lemma { lits: self.lits, certificate: Congruence { paths: self.paths, clash } }
    }
    fn literal(&mut self, lit: Lit) -> usize {
        *self.index_of.entry(lit).or_insert_with(|| {
            self.lits.push(lit);
            self.lits.len() - 1
        })
    }
    /// The pairs of different arguments of the steps by congruence.
    fn argument_pairs(&self, steps: &[Step]) -> Vec<(Node, Node)> {
        let mut pairs = Vec::new();
        for &(from, to, reason) in steps {
            if reason == Reason::Congruence {
                let (left, right) = (self.arguments(from), self.arguments(to));
                let different = left.iter().zip(right).filter(|(a, b)| a != b);
                pairs.extend(different.map(|(&a, &b)| (a.min(b), a.max(b))));
            }
        }
        pairs
    }
    fn arguments(&self, node: Node) -> &'c [Node] {
        &self.closure.application(node).expect("only applications are congruent").args
    }
    /// Writes the paths that `steps` refer to.
    fn write_arguments(&mut self, steps: &[Step]) {
        let pairs = self.argument_pairs(steps);
        let mut tasks: Vec<Task> = pairs.into_iter().map(Task::Visit).collect();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Visit(pair) if self.path_of.contains_key(&pair) => {}
                Task::Visit(pair) => {
                    let steps = self.forest_path(pair.0, pair.1);
                    let pairs = self.argument_pairs(&steps);
                    tasks.push(Task::Write(pair, steps));
                    tasks.extend(pairs.into_iter().map(Task::Visit));
                }
                Task::Write(pair, steps) => {
                    if !self.path_of.contains_key(&pair) {
                        let path = self.path(pair.0, &steps);
                        self.path_of.insert(pair, self.paths.len());
                        self.paths.push(path);
                    }
                }
            }
        }
    }
    /// A path whose steps refer to paths that are written.
    fn path(&mut self, from: Node, steps: &[Step]) -> Path {
        let mut edges = Vec::with_capacity(steps.len());
        for &(left, right, reason) in steps {
            let why = match reason {
                Reason::Literal(lit) => Why::Literal(self.literal(lit)),
                Reason::Congruence => {
                    let pairs = self.arguments(left).iter().zip(self.arguments(right));
                    let path = |(&a, &b): (&Node, &Node)| {
                        (a != b).then(|| self.path_of[&(a.min(b), a.max(b))])
                    };
                    Why::Congruent(pairs.map(path).collect())
                }
            };
            edges.push(Edge { to: self.closure.term(right), why });
        }
        Path { from: self.closure.term(from), edges }
    }
    /// The way between two nodes of one tree.
    fn forest_path(&self, from: Node, to: Node) -> Vec<Step> {
        let meeting = self.meeting(from, to);
        let mut steps = self.climb(from, meeting);
        let mut down = self.climb(to, meeting);
        down.reverse();
        steps.extend(down.into_iter().map(|(low, high, reason)| (high, low, reason)));
        self.shortened(steps)
    }
    /// The same way with shortcuts in the place of two steps each.
    fn shortened(&self, steps: Vec<Step>) -> Vec<Step> {
        let mut shorter: Vec<Step> = Vec::with_capacity(steps.len());
        for (from, to, reason) in steps {
            match shorter.last().and_then(|last| (self.shortcut)(last.0, to).map(|l| (last.0, l))) {
                Some((start, lit)) => {
                    shorter.pop();
                    shorter.push((start, to, Reason::Literal(lit)));
                }
                None => shorter.push((from, to, reason)),
            }
        }
        shorter
    }
    fn climb(&self, from: Node, top: Node) -> Vec<Step> {
        let (mut steps, mut at) = (Vec::new(), from);
        while at != top {
            let link = self.closure.link(at).expect("the nodes are in one tree");
            steps.push((at, link.to, link.reason));
            at = link.to;
        }
        steps
    }
    /// The lowest node that is above both.
    fn meeting(&self, a: Node, b: Node) -> Node {
        let depth = |mut node: Node| {
            let mut depth = 0_usize;
            while let Some(link) = self.closure.link(node) {
                node = link.to;
                depth += 1;
            }
            depth
        };
        let up = |node: Node| self.closure.link(node).expect("the nodes are in one tree").to;
        let (mut a, mut b, mut a_depth, mut b_depth) = (a, b, depth(a), depth(b));
        while a != b {
            if a_depth >= b_depth {
                a = up(a);
                a_depth -= 1;
            } else {
                b = up(b);
                b_depth -= 1;
            }
        }
        a
    }
}
