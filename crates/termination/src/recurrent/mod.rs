//! Recurrent sets: why a run need not end.
//!
//! Sets of states `S_p` of some locations are *recurrent* if in each state of `S_p` one of finitely
//! many *moves* is possible and leads into some `S_q`. A move is a path of transitions on which
//! everything that the program leaves open is chosen, as a term over the variables
//! at its beginning. If a state of a recurrent set is reached, there is an infinite run: the moves,
//! one after the other.
//! ```text
//! closed:    S_p(x) → ⋁ over moves m from p:  guard_m(x) ∧ S_q(next_m(x))
//! reached:   an execution to a state in some S_p
//! ```
//! So no quantifier over what is left open is needed, and closedness is one question to the SMT
//! solver for each location.
//!
//! | file | what |
//! |---|---|
//! | `path` | moves as terms: composing transitions |
//! | `choice` | choosing what is left open |
//! | `candidates` | sets for a path that leads back to its beginning |
//! | `search` | cycles of a component, and which candidates are reached |
//! | `closed` | sets of several locations, which safety queries find |
//!
//! Source: [GHMRX08] (recurrent sets, of lassos), [CCFNO14] (closed ones, after an
//! under-approximation that chooses what is left open).

pub(crate) mod candidates;
pub(crate) mod choice;
pub(crate) mod closed;
pub(crate) mod path;
pub(crate) mod search;

use shofar_chc::{ClauseId, Derivation, PredId};
use shofar_term::{Symbol, Term};

/// An instance of a clause whose variables are terms over the variables at the beginning of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveStep {
    /// The clause.
    pub clause: ClauseId,
    /// Its variables, all of them.
    pub values: Vec<(Symbol, Term)>,
}

/// A path of transitions with everything chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Where it begins.
    pub from: PredId,
    /// Its transitions; there is at least one. Terms are over the [formal
    /// parameters](shofar_chc::formal_params) of `from`.
    pub steps: Vec<MoveStep>,
}

/// Recurrent sets; see the module documentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recurrence {
    /// The sets, over the formal parameters of their locations.
    pub sets: Vec<(PredId, Term)>,
    /// The moves.
    pub moves: Vec<Move>,
}

/// That some run does not end.
#[derive(Clone, Debug)]
pub struct DivergenceProof {
    /// The sets and moves.
    pub recurrence: Recurrence,
    /// The location whose set is reached.
    pub reached: PredId,
    /// The execution that leads there; its last step is an instance of the query
    /// `p(x) ∧ S_p(x) → false`, which follows the clauses of the program.
    pub execution: Derivation,
}
