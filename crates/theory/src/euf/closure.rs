//! Congruence closure with a proof forest, under backtracking.
//!
//! Nodes are terms; a node that applies a function knows its arguments, all others are constants of
//! the closure. Classes of equal nodes are merged the smaller into the larger, so a node changes
//! its class a logarithmic number of times. A table finds the application with a given function and
//! given classes of arguments; two applications that meet in it are merged in turn. Every merge
//! adds one edge to a forest, in which the path between two nodes of a class says why
//! they are equal. An edge that later merges turn around keeps its ends, so taking back a merge
//! removes its edge wherever it points.
//!
//! Invariant: the path between two nodes stays the same until the merge that made it is taken back;
//! so an explanation can be asked for later and speaks only of what was known when the equality was
//! found. Invariant: an application whose signature is not in the table as itself is in one class
//! with the one that is.
//!
//! Source: [NO07] §3 (closure, with backtracking) and §4 (proof forest). Symbols: *use list* →
//! `uses`, *lookup table* → `table`, *pending* → `pending`.
//! DIVERGENCE [NO07] §2: terms are not curried; a signature has all arguments at once, so that
//! explanations speak of terms.

use std::collections::VecDeque;

use shofar_base::{Idx, IndexVec, Lit, Map, index_type};
use shofar_term::{ArithKind, BitsKind, DataKind, Kind, Term, TermStore};
use smallvec::SmallVec;

use super::head::{Head, application};

index_type!(
    /// A term of the closure.
    pub(crate) struct Node
);

/// Why two nodes are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// This literal says so.
    Literal(Lit),
    /// They apply one function to equal arguments.
    Congruence,
}

/// An edge of the proof forest, from a node to the one above it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) to: Node,
    pub(super) reason: Reason,
}

/// The function and the classes of the arguments of an application.
type Signature = SmallVec<[u32; 4]>;

/// A function with its arguments.
#[derive(Clone, Debug)]
pub(super) struct Application {
    pub(super) head: Head,
    pub(super) args: Box<[Node]>,
}

#[derive(Clone, Debug)]
enum Undo {
    Merged { small: Node, large: Node, ends: (Node, Node), constant: Option<Node> },
    Entered(Signature),
    Removed(Signature, Node),
}

/// A merge that has just happened.
#[derive(Clone, Copy, Debug)]
pub(super) struct Merged {
    pub(super) small: Node,
    pub(super) large: Node,
    /// The nodes with fixed values in the two classes before.
    pub(super) constants: (Option<Node>, Option<Node>),
}

/// The classes; see the module documentation.
#[derive(Clone, Debug, Default)]
pub(super) struct Closure {
    terms: IndexVec<Node, Term>,
    applications: IndexVec<Node, Option<Application>>,
    class: IndexVec<Node, Node>,
    /// Of a representative: the nodes of its class, in the order of the merges.
    members: IndexVec<Node, Vec<Node>>,
    /// Of a representative: applications with an argument in its class.
    uses: IndexVec<Node, Vec<Node>>,
    /// Of a representative: a node of its class that has a fixed value.
    constant: IndexVec<Node, Option<Node>>,
    links: IndexVec<Node, Option<Link>>,
    table: Map<Signature, Node>,
    pending: VecDeque<(Node, Node, Reason)>,
    trail: Vec<Undo>,
    node_of: Map<Term, Node>,
}

impl Closure {
    pub(super) fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }
    pub(super) fn len(&self) -> usize {
        self.terms.len()
    }
    pub(super) fn nodes(&self) -> impl Iterator<Item = Node> + use<> {
        self.terms.handles()
    }
    pub(super) fn find(&self, term: Term) -> Option<Node> {
        self.node_of.get(&term).copied()
    }
    pub(super) fn term(&self, node: Node) -> Term {
        self.terms[node]
    }
    pub(super) fn application(&self, node: Node) -> Option<&Application> {
        self.applications[node].as_ref()
    }
    /// The representative of the class of `node`.
    #[inline]
    pub(super) fn class(&self, node: Node) -> Node {
        self.class[node]
    }
    pub(super) fn are_equal(&self, a: Node, b: Node) -> bool {
        self.class[a] == self.class[b]
    }
    /// The nodes of the class that `representative` stands for.
    pub(super) fn members(&self, representative: Node) -> &[Node] {
        &self.members[representative]
    }
    /// The node with a fixed value in the class of `node`.
    pub(super) fn constant(&self, node: Node) -> Option<Node> {
        self.constant[self.class[node]]
    }
    pub(super) fn link(&self, node: Node) -> Option<Link> {
        self.links[node]
    }
    /// The node of `term`, made with those of its arguments if need be. New applications are made
    /// only while nothing has been merged that could be taken back.
    pub(super) fn add(&mut self, store: &TermStore, term: Term) -> Node {
        if let Some(node) = self.find(term) {
            return node;
        }
        let mut stack = vec![term];
        while let Some(&t) = stack.last() {
            let args: &[Term] = application(store, t).map_or(&[], |(_, args)| args);
            let open = stack.len();
            stack.extend(args.iter().filter(|a| !self.node_of.contains_key(*a)));
            if stack.len() == open {
                stack.pop();
                self.add_one(store, t);
            }
        }
        self.node_of[&term]
    }
    /// The node of a term whose arguments have nodes.
    fn add_one(&mut self, store: &TermStore, term: Term) {
        if self.node_of.contains_key(&term) {
            return;
        }
        let node = Node::from_index(self.terms.len());
        self.node_of.insert(term, node);
        self.terms.push(term);
        self.class.push(node);
        self.members.push(vec![node]);
        self.uses.push(Vec::new());
        self.constant.push(has_fixed_value(store, term).then_some(node));
        self.links.push(None);
        let application = application(store, term).map(|(head, args)| Application {
            head,
            args: args.iter().map(|a| self.node_of[a]).collect(),
        });
        self.applications.push(application);
        self.enter_application(node);
    }
    fn enter_application(&mut self, node: Node) {
        let Some(application) = &self.applications[node] else { return };
        let mut classes: SmallVec<[Node; 4]> =
            application.args.iter().map(|&a| self.class[a]).collect();
        classes.sort_unstable();
        classes.dedup();
        for class in classes {
            self.uses[class].push(node);
        }
        self.enter(node);
    }
    fn signature(&self, node: Node) -> Signature {
        let application = self.applications[node].as_ref().expect("only applications are used");
        let number = |index: usize| u32::try_from(index).expect("fewer than 2^32 nodes");
        let classes = application.args.iter().map(|&a| number(self.class[a].index()));
        std::iter::once(application.head.code()).chain(classes).collect()
    }
    /// Looks an application up by its signature: merges it with the one that is there, or enters
    /// it.
    fn enter(&mut self, node: Node) {
        let signature = self.signature(node);
        match self.table.get(&signature) {
            Some(&other) if other == node => {}
            Some(&other) => self.pending.push_back((node, other, Reason::Congruence)),
            None => {
                self.table.insert(signature.clone(), node);
                self.trail.push(Undo::Entered(signature));
            }
        }
    }
    /// Says that two nodes are equal; [`Self::step`] draws the consequences.
    pub(super) fn merge(&mut self, a: Node, b: Node, reason: Reason) {
        self.pending.push_back((a, b, reason));
    }
    /// Forgets merges that were not carried out.
    pub(super) fn clear_pending(&mut self) {
        self.pending.clear();
    }
    /// Carries out the next merge, if there is one.
    pub(super) fn step(&mut self) -> Option<Merged> {
        loop {
            let (a, b, reason) = self.pending.pop_front()?;
            let (a_class, b_class) = (self.class[a], self.class[b]);
            if a_class == b_class {
                continue;
            }
            let size = |n: Node| self.members[n].len() + self.uses[n].len();
            let ends = if size(a_class) <= size(b_class) { (a, b) } else { (b, a) };
            return Some(self.unite(ends, reason));
        }
    }
    /// Merges the class of the first node into that of the second.
    fn unite(&mut self, ends: (Node, Node), reason: Reason) -> Merged {
        let (small, large) = (self.class[ends.0], self.class[ends.1]);
        self.root_at(ends.0);
        self.links[ends.0] = Some(Link { to: ends.1, reason });
        let users = std::mem::take(&mut self.uses[small]);
        for &user in &users {
            let signature = self.signature(user);
            if self.table.get(&signature) == Some(&user) {
                self.table.remove(&signature);
                self.trail.push(Undo::Removed(signature, user));
            }
        }
        let constants = (self.constant[small], self.constant[large]);
        self.trail.push(Undo::Merged { small, large, ends, constant: constants.1 });
        self.constant[large] = constants.1.or(constants.0);
        let moved = std::mem::take(&mut self.members[small]);
        for &node in &moved {
            self.class[node] = large;
        }
        self.members[large].extend_from_slice(&moved);
        self.members[small] = moved;
        self.uses[large].extend_from_slice(&users);
        for &user in &users {
            self.enter(user);
        }
        self.uses[small] = users;
        Merged { small, large, constants }
    }
    /// Turns the edges around on the way from `node` to the root of its tree.
    fn root_at(&mut self, node: Node) {
        let (mut below, mut link) = (node, self.links[node].take());
        while let Some(Link { to, reason }) = link {
            link = self.links[to].replace(Link { to: below, reason });
            below = to;
        }
    }
    /// Where the trail stands.
    pub(super) fn mark(&self) -> usize {
        self.trail.len()
    }
    /// Undoes everything since the trail had this length.
    pub(super) fn undo_to(&mut self, mark: usize) {
        self.pending.clear();
        while self.trail.len() > mark {
            match self.trail.pop().expect("longer than the mark") {
                Undo::Entered(signature) => {
                    self.table.remove(&signature);
                }
                Undo::Removed(signature, node) => {
                    self.table.insert(signature, node);
                }
                Undo::Merged { small, large, ends, constant } => {
                    self.separate(small, large);
                    self.constant[large] = constant;
                    let (from, to) = ends;
                    // Later merges may have turned the edge around.
                    let lower = if self.points(from, to) { from } else { to };
                    self.links[lower] = None;
                }
            }
        }
    }
    fn points(&self, from: Node, to: Node) -> bool {
        self.links[from].is_some_and(|link| link.to == to)
    }
    fn separate(&mut self, small: Node, large: Node) {
        let (moved, users) = (self.members[small].len(), self.uses[small].len());
        let kept = self.members[large].len() - moved;
        self.members[large].truncate(kept);
        let kept = self.uses[large].len() - users;
        self.uses[large].truncate(kept);
        for at in 0..moved {
            let node = self.members[small][at];
            self.class[node] = small;
        }
    }
}

/// Whether different terms of this kind have different values.
fn has_fixed_value(store: &TermStore, term: Term) -> bool {
    matches!(
        store.kind(term),
        Kind::True
            | Kind::False
            | Kind::Arith(ArithKind::Number(_))
            | Kind::Bits(BitsKind::Value(_))
            | Kind::Data(DataKind::Construct(_, []))
    )
}
