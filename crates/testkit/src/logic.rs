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
    /// A sort that the script declares, by its number.
    Free(u8),
}

impl Sort {
    /// First letter of the names of variables of this sort.
    pub fn prefix(self) -> &'static str {
        match self {
            Sort::Bool => "b",
            Sort::Int => "i",
            Sort::Real => "x",
            Sort::Free(_) => "u",
        }
    }
    /// Whether the script declares it.
    pub fn is_free(self) -> bool {
        matches!(self, Sort::Free(_))
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => f.write_str("Bool"),
            Sort::Int => f.write_str("Int"),
            Sort::Real => f.write_str("Real"),
            // Every second name needs bars, which readers and printers of sorts must not forget.
            Sort::Free(number) if number % 2 == 0 => write!(f, "U{number}"),
            Sort::Free(number) => write!(f, "|U {number}|"),
        }
    }
}

/// The arithmetic that a logic has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Arithmetic {
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
    /// No numbers.
    None,
}

impl Arithmetic {
    /// Whether atoms are bounds on differences of two terms.
    pub fn is_difference(self) -> bool {
        matches!(self, Arithmetic::Rdl | Arithmetic::Idl)
    }
}

/// A fragment to generate scripts in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Logic {
    /// Its numbers.
    pub arithmetic: Arithmetic,
    /// Whether scripts declare sorts and functions with arguments.
    pub has_functions: bool,
}

const fn plain(arithmetic: Arithmetic) -> Logic {
    Logic { arithmetic, has_functions: false }
}

const fn with_functions(arithmetic: Arithmetic) -> Logic {
    Logic { arithmetic, has_functions: true }
}

impl Logic {
    /// Linear real arithmetic.
    pub const LRA: Logic = plain(Arithmetic::Lra);
    /// Linear integer arithmetic.
    pub const LIA: Logic = plain(Arithmetic::Lia);
    /// Linear arithmetic over both.
    pub const LIRA: Logic = plain(Arithmetic::Lira);
    /// Differences of reals.
    pub const RDL: Logic = plain(Arithmetic::Rdl);
    /// Differences of integers.
    pub const IDL: Logic = plain(Arithmetic::Idl);
    /// Propositional logic.
    pub const BOOL: Logic = plain(Arithmetic::None);
    /// Uninterpreted functions.
    pub const UF: Logic = with_functions(Arithmetic::None);
    /// The same with linear real arithmetic.
    pub const UFLRA: Logic = with_functions(Arithmetic::Lra);
    /// The same with linear integer arithmetic.
    pub const UFLIA: Logic = with_functions(Arithmetic::Lia);
    /// The same with linear arithmetic over both.
    pub const UFLIRA: Logic = with_functions(Arithmetic::Lira);
    /// The same with differences of reals.
    pub const UFRDL: Logic = with_functions(Arithmetic::Rdl);
    /// The same with differences of integers.
    pub const UFIDL: Logic = with_functions(Arithmetic::Idl);

    /// All of them.
    pub const ALL: [Logic; 12] = [
        Logic::LRA,
        Logic::LIA,
        Logic::LIRA,
        Logic::RDL,
        Logic::IDL,
        Logic::BOOL,
        Logic::UF,
        Logic::UFLRA,
        Logic::UFLIA,
        Logic::UFLIRA,
        Logic::UFRDL,
        Logic::UFIDL,
    ];

    /// The name for `set-logic`; propositional scripts have no logic of their own.
    pub fn name(self) -> &'static str {
        match (self.arithmetic, self.has_functions) {
            (Arithmetic::Lra, false) => "QF_LRA",
            (Arithmetic::Lia, false) => "QF_LIA",
            (Arithmetic::Lira, false) => "QF_LIRA",
            (Arithmetic::Rdl, false) => "QF_RDL",
            (Arithmetic::Idl, false) => "QF_IDL",
            (Arithmetic::None, false) => "ALL",
            (Arithmetic::Lra, true) => "QF_UFLRA",
            (Arithmetic::Lia, true) => "QF_UFLIA",
            (Arithmetic::Lira, true) => "QF_UFLIRA",
            (Arithmetic::Rdl, true) => "QF_UFRDL",
            (Arithmetic::Idl, true) => "QF_UFIDL",
            (Arithmetic::None, true) => "QF_UF",
        }
    }
    /// The name for tables.
    pub fn label(self) -> &'static str {
        if self == Logic::BOOL { "Bool" } else { self.name() }
    }
    /// Sorts that terms of this logic have, besides those that a script declares.
    pub fn sorts(self) -> &'static [Sort] {
        match self.arithmetic {
            Arithmetic::Lra => &[Sort::Bool, Sort::Real],
            Arithmetic::Lia => &[Sort::Bool, Sort::Int],
            Arithmetic::Lira => &[Sort::Bool, Sort::Int, Sort::Real],
            // Definitions of numbers would leave the difference fragment.
            Arithmetic::Rdl | Arithmetic::Idl | Arithmetic::None => &[Sort::Bool],
        }
    }
    /// Sorts of the numeric variables to declare.
    pub fn number_sorts(self) -> &'static [Sort] {
        match self.arithmetic {
            Arithmetic::Lra | Arithmetic::Rdl => &[Sort::Real],
            Arithmetic::Lia | Arithmetic::Idl => &[Sort::Int],
            Arithmetic::Lira => &[Sort::Int, Sort::Real],
            Arithmetic::None => &[],
        }
    }
}
