//! Clauses with at most one predicate in their body.
//!
//! A derivation from such clauses is a path: it starts with a fact, and each further clause has one
//! premise, what the clause before derived. Engines that follow paths and the single-loop
//! construction ask for a [`LinearSystem`], and have no case for a second premise.
//!
//! Invariant: [`LinearSystem`] is made by looking only ([`LinearSystem::of`]).

use std::ops::Deref;

use crate::{ClauseId, NormalAtom, NormalSystem};

/// A system of normal clauses none of which has two predicates in its body.
#[derive(Clone, Copy, Debug)]
pub struct LinearSystem<'s>(&'s NormalSystem);

impl<'s> LinearSystem<'s> {
    /// `system`, if it is linear.
    pub fn of(system: &'s NormalSystem) -> Option<Self> {
        system.is_linear().then_some(Self(system))
    }
    /// The predicate in the body of a clause, if there is one.
    pub fn premise(self, id: ClauseId) -> Option<&'s NormalAtom> {
        self.0.body(id).first()
    }
}

impl Deref for LinearSystem<'_> {
    type Target = NormalSystem;
    fn deref(&self) -> &NormalSystem {
        self.0
    }
}
