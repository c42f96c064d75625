//! The logics and sorts that scripts are generated for.

use std::fmt;

/// The sorts of terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Integers.
    Int,
    /// Reals.
    Real,
}

impl Sort {
    /// First letter of the names of variables of this sort.
    pub fn prefix(self) -> &'static str {
        match self {
            Sort::Bool => "b",
            Sort::Int => "i",
            Sort::Real => "x",
        }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Sort::Bool => "Bool",
            Sort::Int => "Int",
            Sort::Real => "Real",
        })
    }
}

/// A fragment to generate scripts in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Logic {
    /// Linear real arithmetic.
    Lra,
    /// Linear integer arithmetic.
    Lia,
    /// Both, with conversions.
    Lira,
    /// Differences of reals.
    Rdl,
    /// Differences of integers.
    Idl,
    /// Propositional logic.
    Bool,
}

impl Logic {
    /// All of them.
    pub const ALL: [Logic; 6] =
        [Logic::Lra, Logic::Lia, Logic::Lira, Logic::Rdl, Logic::Idl, Logic::Bool];

    /// The name for `set-logic`; propositional scripts have no logic of their own.
    pub fn name(self) -> &'static str {
        match self {
            Logic::Lra => "QF_LRA",
            Logic::Lia => "QF_LIA",
            Logic::Lira => "QF_LIRA",
            Logic::Rdl => "QF_RDL",
            Logic::Idl => "QF_IDL",
            Logic::Bool => "ALL",
        }
    }
    /// The name for tables.
    pub fn label(self) -> &'static str {
        if self == Logic::Bool { "Bool" } else { self.name() }
    }
    /// Sorts that terms of this logic have.
    pub fn sorts(self) -> &'static [Sort] {
        match self {
            Logic::Lra => &[Sort::Bool, Sort::Real],
            Logic::Lia => &[Sort::Bool, Sort::Int],
            Logic::Lira => &[Sort::Bool, Sort::Int, Sort::Real],
            // Definitions of numbers would leave the difference fragment.
            Logic::Rdl | Logic::Idl | Logic::Bool => &[Sort::Bool],
        }
    }
    /// Sorts of the numeric variables to declare.
    pub fn number_sorts(self) -> &'static [Sort] {
        match self {
            Logic::Lra | Logic::Rdl => &[Sort::Real],
            Logic::Lia | Logic::Idl => &[Sort::Int],
            Logic::Lira => &[Sort::Int, Sort::Real],
            Logic::Bool => &[],
        }
    }
}
