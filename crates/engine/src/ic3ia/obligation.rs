//! Proof obligations and the queue they wait in.
//!
//! An obligation `⟨c, i⟩` asks to show that no state of the cube `c` is within `i` steps of an
//! initial one. Every state of `c` has an abstract path to a bad state, through the cubes of the
//! obligations that it was made for.
//!
//! Invariant (queue): the lowest level comes first; ties go to the obligation that is closest to a
//! bad state, then to the older one, so runs are reproducible.
//!
//! Source: [EMB11].

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use shofar_base::{IndexVec, index_type};
use shofar_term::Level;

use super::predicates::Cube;

index_type!(
    /// An obligation.
    pub(super) struct ObligationId
);

/// What is to be shown; see the module documentation.
struct Obligation {
    cube: Cube,
    /// The obligation that it was made for, unless a step from here leads to a bad state.
    parent: Option<ObligationId>,
    /// How many steps a bad state is away.
    distance: usize,
}

/// All obligations of one search for a path to a bad state.
#[derive(Default)]
pub(super) struct Obligations {
    all: IndexVec<ObligationId, Obligation>,
    queue: BinaryHeap<Reverse<(Level, usize, ObligationId)>>,
}

impl Obligations {
    /// A new obligation for the sake of `parent`, to be shown at `level`.
    pub(super) fn add(&mut self, cube: Cube, parent: Option<ObligationId>, level: Level) {
        let distance = parent.map_or(1, |parent| self.all[parent].distance + 1);
        let id = self.all.push(Obligation { cube, parent, distance });
        self.wait(id, level);
    }
    /// Asks for the obligation at `level` later.
    pub(super) fn wait(&mut self, id: ObligationId, level: Level) {
        self.queue.push(Reverse((level, self.all[id].distance, id)));
    }
    /// The next obligation and its level.
    pub(super) fn next(&mut self) -> Option<(ObligationId, Level)> {
        self.queue.pop().map(|Reverse((level, _, id))| (id, level))
    }
    /// The cube of an obligation.
    pub(super) fn cube(&self, id: ObligationId) -> &Cube {
        &self.all[id].cube
    }
    /// The cubes from that of `id` on, up to the last before a bad state.
    pub(super) fn path(&self, id: ObligationId) -> Vec<Cube> {
        let mut path = Vec::new();
        let mut here = Some(id);
        while let Some(id) = here {
            path.push(self.all[id].cube.clone());
            here = self.all[id].parent;
        }
        path
    }
    /// Forgets all obligations.
    pub(super) fn clear(&mut self) {
        self.queue.clear();
        self.all = IndexVec::new();
    }
}
