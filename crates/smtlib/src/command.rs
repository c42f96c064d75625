//! The commands of a script, after elaboration.

use shofar_base::Span;
use shofar_term::{Symbol, Term};

use crate::graph::Graph;
use crate::interpolation::Interpolant;
use crate::logic::Logic;
use crate::marks::MarkedFormula;
use crate::partition::Partition;
use crate::sexpr::AttributeValue;

/// A term together with the text it was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quoted {
    /// The term.
    pub term: Term,
    /// As it was written.
    pub text: String,
}

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `set-logic`.
    SetLogic(Logic),
    /// `set-option`.
    SetOption {
        /// The option, with its colon.
        keyword: String,
        /// Its value.
        value: AttributeValue,
    },
    /// `set-info`.
    SetInfo {
        /// The keyword, with its colon.
        keyword: String,
        /// Its value.
        value: AttributeValue,
    },
    /// `declare-fun` or `declare-const`; in Horn clauses a predicate, also by `declare-rel`.
    Declare(Symbol),
    /// `define-fun`, `define-const`, `define-sort`, `declare-sort`, `declare-datatype` or
    /// `declare-datatypes`; the environment knows what the names stand for.
    Define {
        /// What is defined, the first of several data types.
        name: String,
    },
    /// `assert`.
    Assert {
        /// The formula.
        term: Term,
        /// The name that an annotation gives to the whole formula.
        name: Option<String>,
        /// The group for interpolation that an annotation puts it in.
        group: Option<String>,
    },
    /// `declare-var`: a variable that all rules are universal in.
    DeclareVar(Symbol),
    /// `rule`.
    Rule {
        /// The clause.
        term: Term,
        /// The name of the rule.
        name: Option<String>,
    },
    /// `query`: whether the formula can be derived for some values of its variables.
    Query(Term),
    /// `push`.
    Push(usize),
    /// `pop`; there are as many levels.
    Pop(usize),
    /// `check-sat`, also by a tactic of z3, which makes no difference.
    CheckSat,
    /// `check-sat-assuming`, and `check-sat-assuming-model` as equations.
    CheckSatAssuming(Vec<Quoted>),
    /// `get-model`.
    GetModel,
    /// `get-value`.
    GetValue(Vec<Quoted>),
    /// `eval` of z3: the value of one term.
    Eval(Quoted),
    /// `get-assignment`.
    GetAssignment,
    /// `get-assertions`.
    GetAssertions,
    /// `get-unsat-core`.
    GetUnsatCore,
    /// `get-unsat-assumptions`.
    GetUnsatAssumptions,
    /// `get-interpolants`.
    GetInterpolants(Partition),
    /// `get-interpolant` and the like.
    GetInterpolant(Interpolant),
    /// `get-dag-interpolants`.
    GetDagInterpolants(Graph),
    /// `get-disjunctive-interpolants`.
    GetDisjunctiveInterpolants(MarkedFormula),
    /// `get-proof`.
    GetProof,
    /// `get-info` of a keyword, with its colon.
    GetInfo(String),
    /// `get-option` of a keyword, with its colon.
    GetOption(String),
    /// `echo` of a string, without its quotes.
    Echo(String),
    /// `reset`.
    Reset,
    /// `reset-assertions`.
    ResetAssertions,
    /// `exit`.
    Exit,
}

/// A command in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// The command.
    pub command: Command,
    /// Where it stands.
    pub span: Span,
    /// Formulas to be asserted before the command is executed: that divisions by zero are
    /// functions of their dividends.
    pub side_conditions: Vec<Term>,
}
