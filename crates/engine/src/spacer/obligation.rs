//! Proof obligations and the queue they wait in.
//!
//! An obligation `⟨node, cube, level⟩` asks whether a point of the cube is derivable within its level.
//! Invariant (queue): the lowest level comes first; ties go to the younger obligation, so that a chain of predecessors is
//! followed before its siblings.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use shofar_term::Term;

use super::rules::Node;

/// Points that should not be derivable within `level`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Obligation {
    pub(super) node: Node,
    /// Literals over the node's formals.
    pub(super) cube: Vec<Term>,
    pub(super) level: usize,
}

/// Obligations by level.
#[derive(Debug, Default)]
pub(super) struct Queue {
    heap: BinaryHeap<(Reverse<usize>, usize)>,
    waiting: Vec<Option<Obligation>>,
}

impl Queue {
    pub(super) fn push(&mut self, obligation: Obligation) {
        self.heap.push((Reverse(obligation.level), self.waiting.len()));
        self.waiting.push(Some(obligation));
    }
    pub(super) fn pop(&mut self) -> Option<Obligation> {
        let (_, index) = self.heap.pop()?;
        let taken = self.waiting[index].take();
        if self.heap.is_empty() {
            self.waiting.clear();
        }
        Some(taken.expect("an obligation is taken once"))
    }
    pub(super) fn clear(&mut self) {
        self.heap.clear();
        self.waiting.clear();
    }
}
