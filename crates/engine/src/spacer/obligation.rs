//! Proof obligations and the queue they wait in.
//!
//! An obligation asks whether a point of its cube is derivable within its level. A *guess* is one
//! that nothing depends on; it has gas, which its predecessors use up.
//!
//! Invariant (queue): the lowest level comes first, guesses before others, then the younger one, so
//! that a chain of predecessors is followed before its siblings.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use shofar_term::{Level, Term};

use super::rules::Node;

/// A guess's means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Guess {
    /// How many predecessors it may still have.
    pub(super) gas: u32,
    /// The level up to which it should be blocked.
    pub(super) until: Level,
}

/// Points that should not be derivable within `level`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Obligation {
    pub(super) node: Node,
    /// Literals over the node's formals.
    pub(super) cube: Vec<Term>,
    pub(super) level: Level,
    /// Whether bounds of its lemmas should be moved outward.
    pub(super) widen: bool,
    /// None if the answer depends on it.
    pub(super) guess: Option<Guess>,
}

/// Obligations by level.
#[derive(Debug, Default)]
pub(super) struct Queue {
    heap: BinaryHeap<(Reverse<Level>, bool, usize)>,
    waiting: Vec<Option<Obligation>>,
}

impl Queue {
    pub(super) fn push(&mut self, obligation: Obligation) {
        self.heap.push((Reverse(obligation.level), obligation.guess.is_some(), self.waiting.len()));
        self.waiting.push(Some(obligation));
    }
    pub(super) fn pop(&mut self) -> Option<Obligation> {
        let (_, _, index) = self.heap.pop()?;
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
