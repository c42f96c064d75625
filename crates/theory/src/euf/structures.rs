//! What the theories of arrays and data see of the classes, and the values that they give back.
//!
//! They look at nodes, classes and applications when an assignment is complete, and never change
//! them. The values that they find are kept here until the next candidate, because a model is read
//! off later, when scopes may be gone.
//!
//! Source: [DMB08] for candidates as models in the making.

use std::collections::BTreeMap;

use shofar_base::{Map, Set};
use shofar_term::eval::{FunctionTable, Value};
use shofar_term::{Field, Term};

use super::closure::Node;
use super::explain::{End, refute};
use super::head::Head;
use super::{Euf, Pair};

/// Values of arrays and data.
#[derive(Clone, Debug, Default)]
pub(crate) struct Structures {
    /// Of a class.
    pub(crate) of_class: Map<Node, Value>,
    /// Of a node whose theory is neither arithmetic nor equality.
    pub(crate) of_node: Map<Node, Value>,
    /// Applications that no live formula needs, so that their values mean nothing.
    pub(crate) idle: Set<Node>,
    /// What selectors yield of values that another constructor made.
    pub(crate) selectors: BTreeMap<Field, FunctionTable>,
}

impl Structures {
    pub(super) fn value(&self, node: Node, class: Node) -> Option<Value> {
        self.of_node.get(&node).or_else(|| self.of_class.get(&class)).cloned()
    }
}

impl Euf {
    /// Whether there are arrays, data or bit-vectors.
    pub(crate) fn has_structures(&self) -> bool {
        self.has_structures
    }
    pub(crate) fn set_structures(&mut self, structures: Structures) {
        self.structures = structures;
    }
    pub(crate) fn nodes(&self) -> impl Iterator<Item = Node> + use<> {
        self.closure.nodes()
    }
    pub(crate) fn term(&self, node: Node) -> Term {
        self.closure.term(node)
    }
    pub(crate) fn find(&self, term: Term) -> Option<Node> {
        self.closure.find(term)
    }
    /// The representative of the class of `node`.
    pub(crate) fn class(&self, node: Node) -> Node {
        self.closure.class(node)
    }
    /// The nodes of the class that `representative` stands for.
    pub(crate) fn members(&self, representative: Node) -> &[Node] {
        self.closure.members(representative)
    }
    pub(crate) fn application(&self, node: Node) -> Option<(Head, &[Node])> {
        self.closure.application(node).map(|application| (application.head, &*application.args))
    }
    /// The truth value of a formula that is a node.
    pub(crate) fn truth_of(&self, node: Node) -> Option<bool> {
        self.closure.constant(node).map(|truth| truth == self.truth(true))
    }
    /// The pairs of nodes that differ because an equality between them is false, with that
    /// equality.
    pub(crate) fn different_pairs(&self) -> impl Iterator<Item = (Term, Node, Node)> + '_ {
        self.pairs.iter().filter_map(|&Pair { left, right, atom }| {
            let atom = &self.atoms[atom];
            (atom.asserted == Some(false)).then_some((atom.term, left, right))
        })
    }
    /// Formulas that are asserted and make two nodes of one class equal: atoms, with whether they
    /// are true.
    pub(crate) fn explanation(&self, a: Node, b: Node) -> Vec<(Term, bool)> {
        let lits = refute(&self.closure, (a, b), End::Values).lits;
        let literal = |lit: shofar_base::Lit| {
            let id = self.atom(lit.var()).expect("a literal of the closure is registered");
            (self.atoms[id].term, lit.is_positive())
        };
        lits.into_iter().map(literal).collect()
    }
}
