//! What a text in NTS says, before it becomes clauses.

use std::ops::Deref;

use shofar_base::{Map, Set, Span};
use shofar_term::{Sort, Term};

/// A hierarchical program.
#[derive(Debug, Default)]
pub(super) struct Program {
    pub(super) globals: Variables,
    /// What holds of the global variables in the beginning.
    pub(super) precondition: Option<Term>,
    /// The procedure that the text says is run, with where it says so.
    pub(super) instance: Option<(String, Span)>,
    pub(super) procedures: Vec<Procedure>,
    /// Where the procedures with these names are.
    places: Map<String, usize>,
}

impl Program {
    /// Where the procedure with this name is.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }
    /// Adds a procedure whose name nobody has.
    pub(super) fn add(&mut self, procedure: Procedure) {
        self.places.insert(procedure.name.clone(), self.procedures.len());
        self.procedures.push(procedure);
    }
}

/// Variables, which are found by their names.
#[derive(Clone, Debug, Default)]
pub(super) struct Variables {
    list: Vec<Variable>,
    places: Map<String, usize>,
}

impl Variables {
    /// Where the variable with this name is.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }
    /// Adds a variable whose name nobody has.
    pub(super) fn add(&mut self, variable: Variable) {
        self.places.insert(variable.name.clone(), self.list.len());
        self.list.push(variable);
    }
}

impl Deref for Variables {
    type Target = [Variable];
    fn deref(&self) -> &[Variable] {
        &self.list
    }
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
    pub(super) variables: Variables,
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
