//! How each argument and each variable is read as an integer.
//!
//! What is compared, added, chosen between or passed on is read in the same way: its terms form a
//! class. A class is read in two's complement if a signed operator meets it, else in the binary
//! system. A wrong choice costs cases, not answers.

use shofar_base::{Idx, IndexVec, Map, index_type};
use shofar_chc::{ChcSystem, ClauseId, PredId};
use shofar_term::visit::postorder;
use shofar_term::{BitsKind, BitsOp, Kind, Symbol, Term, TermStore};

use super::number::Reading;

index_type!(
    /// A node of the union-find structure.
    struct Node
);

/// The readings of a system.
pub(super) struct Readings {
    /// For each argument that is a vector, its reading.
    pub(super) arguments: IndexVec<PredId, Vec<Option<Reading>>>,
    /// For each variable of a clause that is a vector, its reading; sorted by symbol.
    pub(super) variables: IndexVec<ClauseId, Vec<(Symbol, Reading)>>,
}

impl Readings {
    pub(super) fn of(store: &TermStore, system: &ChcSystem) -> Self {
        let mut classes = Classes::default();
        let mut argument = |sort| store.bits_width(sort).map(|_| classes.add());
        let arguments: IndexVec<PredId, Vec<Option<Node>>> = system
            .preds()
            .map(|pred| system.sorts(store, pred).iter().map(|&sort| argument(sort)).collect())
            .collect();
        let mut variables: IndexVec<ClauseId, Vec<(Symbol, Node)>> = IndexVec::new();
        for (_, clause) in system.clauses() {
            let mut nodes: Map<Term, Node> = Map::default();
            let mut own = Vec::new();
            for term in postorder(store, &clause.terms()) {
                classes.enter(store, &mut nodes, term);
                if let (Some(symbol), Some(&node)) = (store.symbol(term), nodes.get(&term)) {
                    own.push((symbol, node));
                }
            }
            for atom in clause.body.iter().chain(&clause.head) {
                for (arg, node) in atom.args.iter().zip(&arguments[atom.pred]) {
                    if let (Some(&here), &Some(there)) = (nodes.get(arg), node) {
                        classes.join(here, there);
                    }
                }
            }
            own.sort_unstable_by_key(|&(symbol, _)| symbol);
            variables.push(own);
        }
        let argument = |node: &Option<Node>| node.map(|node| classes.reading(node));
        Self {
            arguments: arguments.iter().map(|nodes| nodes.iter().map(argument).collect()).collect(),
            variables: variables
                .iter()
                .map(|own| own.iter().map(|&(symbol, node)| (symbol, classes.reading(node))))
                .map(Iterator::collect)
                .collect(),
        }
    }
}

/// Classes of terms, and which of them a signed operator meets.
#[derive(Default)]
struct Classes {
    parents: IndexVec<Node, Node>,
    signed: IndexVec<Node, bool>,
}

impl Classes {
    fn add(&mut self) -> Node {
        self.signed.push(false);
        self.parents.push(Node::from_index(self.parents.len()))
    }
    fn root(&self, mut node: Node) -> Node {
        while self.parents[node] != node {
            node = self.parents[node];
        }
        node
    }
    fn join(&mut self, a: Node, b: Node) {
        let (a, b) = (self.compressed(a), self.compressed(b));
        if a != b {
            self.parents[b] = a;
            self.signed[a] |= self.signed[b];
        }
    }
    fn compressed(&mut self, node: Node) -> Node {
        let root = self.root(node);
        let mut at = node;
        while at != root {
            at = std::mem::replace(&mut self.parents[at], root);
        }
        root
    }
    fn reading(&self, node: Node) -> Reading {
        if self.signed[self.root(node)] { Reading::Signed } else { Reading::Unsigned }
    }
    fn mark(&mut self, nodes: &Map<Term, Node>, term: Term) {
        if let Some(&node) = nodes.get(&term) {
            let root = self.compressed(node);
            self.signed[root] = true;
        }
    }
    /// Gives `term` its class, after its children; constants have none, since all clauses share
    /// them.
    fn enter(&mut self, store: &TermStore, nodes: &mut Map<Term, Node>, term: Term) {
        if store.bits_width(store.sort(term)).is_some() && store.as_bits(term).is_none() {
            let node = self.add();
            nodes.insert(term, node);
        }
        let kind = store.kind(term);
        if let Kind::Same(a, b) = kind {
            self.join_terms(nodes, a, b);
        } else if let Kind::Ite(_, a, b) = kind {
            self.join_terms(nodes, term, a);
            self.join_terms(nodes, term, b);
        } else if let Kind::Bits(BitsKind::Op(op, args)) = kind {
            self.operator(nodes, term, op, args);
        }
    }
    fn operator(&mut self, nodes: &Map<Term, Node>, term: Term, op: BitsOp, args: &[Term]) {
        match op {
            BitsOp::Not
            | BitsOp::And
            | BitsOp::Or
            | BitsOp::Xor
            | BitsOp::Add
            | BitsOp::Mul
            | BitsOp::Udiv
            | BitsOp::Urem => self.join_all(nodes, term, args),
            BitsOp::Sdiv | BitsOp::Srem | BitsOp::Smod => {
                self.join_all(nodes, term, args);
                self.mark(nodes, term);
            }
            BitsOp::Shl | BitsOp::Lshr => self.join_terms(nodes, term, args[0]),
            BitsOp::Ashr => {
                self.join_terms(nodes, term, args[0]);
                self.mark(nodes, term);
            }
            BitsOp::SignExtend(_) => {
                self.mark(nodes, term);
                self.mark(nodes, args[0]);
            }
            BitsOp::Concat | BitsOp::Extract(..) | BitsOp::ZeroExtend(_) => (),
            BitsOp::Ule => self.join_terms(nodes, args[0], args[1]),
            BitsOp::Sle => {
                self.join_terms(nodes, args[0], args[1]);
                self.mark(nodes, args[0]);
                self.mark(nodes, args[1]);
            }
        }
    }
    fn join_all(&mut self, nodes: &Map<Term, Node>, term: Term, args: &[Term]) {
        for &arg in args {
            self.join_terms(nodes, term, arg);
        }
    }
    fn join_terms(&mut self, nodes: &Map<Term, Node>, a: Term, b: Term) {
        if let (Some(&a), Some(&b)) = (nodes.get(&a), nodes.get(&b)) {
            self.join(a, b);
        }
    }
}
