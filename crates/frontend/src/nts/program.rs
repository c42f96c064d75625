//! What a text in NTS says, before it becomes clauses.

use shofar_base::{Set, Span};
use shofar_term::{Sort, Term};

/// A hierarchical program.
#[derive(Debug, Default)]
pub(super) struct Program {
    pub(super) globals: Vec<Variable>,
    /// What holds of the global variables in the beginning.
    pub(super) precondition: Option<Term>,
    /// The procedure that the text says is run, with where it says so.
    pub(super) instance: Option<(String, Span)>,
    pub(super) procedures: Vec<Procedure>,
}

/// A variable.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) sort: Sort,
    pub(super) role: Role,
    /// Its value in the present state.
    pub(super) now: Term,
    /// Its value in the next state.
    pub(super) next: Term,
}

/// What a variable is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Global,
    /// A value that is not known and does not change.
    Parameter,
    In,
    Out,
    Local,
}

/// A procedure.
#[derive(Debug)]
pub(super) struct Procedure {
    pub(super) name: String,
    pub(super) span: Span,
    /// The global ones, then its own in the order of their declarations.
    pub(super) variables: Vec<Variable>,
    pub(super) initial: Vec<(String, Span)>,
    pub(super) finals: Set<String>,
    pub(super) errors: Set<String>,
    pub(super) edges: Vec<Edge>,
    /// The states that transitions begin in.
    pub(super) sources: Set<String>,
}

impl Procedure {
    /// The places of the variables with this role, in the order of their declarations.
    pub(super) fn with_role(&self, role: Role) -> Vec<usize> {
        let places = 0..self.variables.len();
        places.filter(|&at| self.variables[at].role == role).collect()
    }
    pub(super) fn is_error(&self, state: &str) -> bool {
        self.errors.contains(state)
    }
    pub(super) fn is_final(&self, state: &str) -> bool {
        self.finals.contains(state)
    }
    /// Whether a transition begins in the state.
    pub(super) fn goes_on(&self, state: &str) -> bool {
        self.sources.contains(state)
    }
}

/// A transition.
#[derive(Debug)]
pub(super) struct Edge {
    pub(super) source: String,
    pub(super) target: String,
    pub(super) label: Label,
    pub(super) span: Span,
}

/// What a transition does.
#[derive(Debug)]
pub(super) enum Label {
    /// A relation between the present and the next values.
    Relation(Term),
    Call(Call),
}

/// A call of a procedure.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) callee: String,
    pub(super) span: Span,
    pub(super) arguments: Vec<(Term, Span)>,
    /// The variables that take the results.
    pub(super) results: Vec<usize>,
    /// The variables that may change.
    pub(super) havoc: Vec<usize>,
}
