//! Networks of timed automata: processes whose labels are terms over one state.
//!
//! An edge is taken in the states that satisfy its guard, and then does its `effect`, whose
//! assignments have been put together in their order. `checks` are what UPPAAL would abort without:
//! values inside of the declared ranges.
//!
//! Source: [AD94] for timed automata, [BDL04] for what UPPAAL adds.

use shofar_base::{Map, Span};
use shofar_term::Term;

use super::draft::Urgency;
use super::state::{Channel, Meant, State};

/// A network.
#[derive(Debug)]
pub(super) struct Network {
    pub(super) state: State,
    pub(super) channels: Vec<(String, Channel)>,
    pub(super) processes: Vec<Process>,
    /// How many instances the text lists of the template that stands for any number of them.
    pub(super) listed: Option<i64>,
}

/// A process of a network.
#[derive(Debug)]
pub(super) struct Process {
    pub(super) name: String,
    pub(super) template: String,
    /// The values of its parameters, if all of them are values: how queries call it, as in `P(1)`.
    pub(super) arguments: Vec<Term>,
    /// Its own names.
    pub(super) names: Map<String, Meant>,
    /// The slot of its location.
    pub(super) slot: usize,
    pub(super) locations: Vec<Location>,
    /// The locations with invariants.
    pub(super) constrained: Vec<usize>,
    /// The committed locations.
    pub(super) committed: Vec<usize>,
    pub(super) initial: usize,
    pub(super) edges: Vec<Edge>,
}

/// A location of a process.
#[derive(Debug)]
pub(super) struct Location {
    pub(super) name: String,
    pub(super) urgency: Urgency,
    pub(super) invariant: Term,
    /// Whether the invariant speaks of clocks.
    pub(super) is_timed: bool,
    pub(super) span: Span,
}

/// An edge of a process.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub(super) source: usize,
    pub(super) target: usize,
    pub(super) guard: Term,
    pub(super) sync: Option<Sync>,
    /// The new values of the slots that change.
    pub(super) effect: Vec<(usize, Term)>,
    /// What has to hold when the edge is taken, or else the model is at fault.
    pub(super) checks: Vec<Term>,
    /// The labels, for people.
    pub(super) label: String,
    /// What is selected: names with their values.
    pub(super) selected: Vec<(String, Term)>,
    pub(super) span: Span,
}

/// What an edge does with a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sync {
    pub(super) channel: usize,
    pub(super) direction: Direction,
}

/// Whether an edge sends or receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Send,
    Receive,
}
