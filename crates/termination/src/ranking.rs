//! Ranking functions, and the argument by which they show that all runs end.
//!
//! The transitions are cut into *pieces*, by conditions that cover what they do. One piece can
//! follow another if a state exists in which it does. An argument is a list of steps. A step is
//! about a strongly connected component of the pieces that are left. It gives a linear function
//! `ρ_p` to each location `p`, such that no piece of the component increases it, and the
//! *decreasing* ones lower it by at least 1. A run that stays in the component takes a decreasing
//! piece in states with `ρ ≥ 0` only finitely often; so from then on it takes it in states with
//! `ρ < 0` only, which is added to its condition. A piece whose condition cannot hold any more is
//! gone. If no cycle is left at the end, no run is infinite.
//!
//! If `ρ ≥ 0` follows from the condition, this is a component of a lexicographic linear ranking
//! function [BMS05] [ADFG10]; otherwise the piece is split, which gives loops in several phases.
//!
//! Source: [LORR13] §4 for functions that decrease without being bounded, and the transitions that
//! are left of them.

use shofar_chc::{ClauseId, Interpretation, PredId};
use shofar_num::Rational;
use shofar_term::{Linear, Term, TermStore};

/// A linear function of the arguments of a location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rank {
    /// One for each argument; 0 for truth values.
    pub coefficients: Vec<Rational>,
    /// The constant summand.
    pub constant: Rational,
}

impl Rank {
    /// The value for these arguments.
    pub fn value(&self, store: &TermStore, args: &[Term]) -> Linear {
        let mut value = Linear::of_constant(self.constant.clone());
        for (coefficient, &arg) in self.coefficients.iter().zip(args) {
            if !coefficient.is_zero() {
                value.add_scaled(coefficient, &store.linear(arg));
            }
        }
        value
    }
    /// That the value for these arguments is negative.
    pub(crate) fn is_negative(&self, store: &mut TermStore, args: &[Term]) -> Term {
        let value = self.value(store, args);
        store.lt_zero(&value)
    }
}

/// A part of a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The clause of the transition.
    pub clause: ClauseId,
    /// Over the variables of the clause.
    pub condition: Term,
}

/// A step of an argument; see the module documentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The pieces of the component, by their places in the argument.
    pub pieces: Vec<usize>,
    /// The locations of the component, with their functions.
    pub ranks: Vec<(PredId, Rank)>,
    /// The pieces that decrease.
    pub decreasing: Vec<usize>,
}

impl Step {
    /// The function of a location of the component.
    pub fn rank(&self, pred: PredId) -> Option<&Rank> {
        self.ranks.iter().find(|(own, _)| *own == pred).map(|(_, rank)| rank)
    }
}

/// That all runs end.
#[derive(Clone, Debug)]
pub struct TerminationProof {
    /// What holds at each location.
    pub invariants: Interpretation,
    /// What the transitions are cut into.
    pub pieces: Vec<Piece>,
    /// The argument.
    pub steps: Vec<Step>,
}
