//! Where the time goes: phases of a computation, measured outside of the algorithms.
//!
//! An algorithm says which phase a part of its work belongs to ([`Cx::phase`](crate::Cx::phase)).
//! Whether anybody measures, and with which clock, is a matter of the context.

use std::cell::Cell;
use std::time::Duration;

/// The kinds of work whose time is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Deciding whether something can be reached.
    Solving,
    /// Projecting models.
    Projection,
    /// Interpolants.
    Interpolation,
    /// Making lemmas stronger.
    Generalization,
    /// Raising lemmas to higher levels.
    Pushing,
}

impl Phase {
    /// All of them, in the order in which they are reported.
    pub const ALL: [Phase; 5] = [
        Phase::Solving,
        Phase::Projection,
        Phase::Interpolation,
        Phase::Generalization,
        Phase::Pushing,
    ];
    fn index(self) -> usize {
        match self {
            Phase::Solving => 0,
            Phase::Projection => 1,
            Phase::Interpolation => 2,
            Phase::Generalization => 3,
            Phase::Pushing => 4,
        }
    }
}

/// The time that each phase took.
#[derive(Clone, Debug, Default)]
pub struct PhaseTimes([Cell<Duration>; Phase::ALL.len()]);

impl PhaseTimes {
    /// Adds to the time of a phase.
    pub fn add(&self, phase: Phase, time: Duration) {
        let cell = &self.0[phase.index()];
        cell.set(cell.get() + time);
    }
    /// The time of a phase.
    pub fn get(&self, phase: Phase) -> Duration {
        self.0[phase.index()].get()
    }
    /// The time of a phase in microseconds.
    pub fn micros(&self, phase: Phase) -> u64 {
        u64::try_from(self.get(phase).as_micros()).unwrap_or(u64::MAX)
    }
}
