//! The logics and sorts that scripts are generated for.

use std::fmt;

use crate::{arrays, data};

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
    /// Bit-vectors of this width.
    Bits(u8),
    /// Arrays, by their number in [`arrays::SORTS`].
    Array(u8),
    /// A data type, by its number in [`data::TYPES`].
    Data(u8),
}

impl Sort {
    /// First letter of the names of variables of this sort.
    pub fn prefix(self) -> &'static str {
        match self {
            Sort::Bool => "b",
            Sort::Int => "i",
            Sort::Real => "x",
            Sort::Free(_) => "u",
            Sort::Bits(_) => "v",
            Sort::Array(_) => "a",
            Sort::Data(_) => "t",
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
            Sort::Bits(width) => write!(f, "(_ BitVec {width})"),
            Sort::Array(_) => {
                let (index, element) = arrays::parts(*self);
                write!(f, "(Array {index} {element})")
            }
            Sort::Data(_) => f.write_str(data::of(*self).name),
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

/// The theory that a logic has besides numbers and functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Theory {
    /// None.
    None,
    /// Arrays.
    Arrays,
    /// Data types.
    Data,
    /// Bit-vectors.
    Bits,
    /// Arrays and bit-vectors.
    ArraysOfBits,
    /// Data types and bit-vectors.
    DataOfBits,
    /// Arrays, data types and bit-vectors.
    All,
}

impl Theory {
    /// Whether there are arrays.
    pub fn has_arrays(self) -> bool {
        matches!(self, Theory::Arrays | Theory::ArraysOfBits | Theory::All)
    }
    /// Whether there are data types.
    pub fn has_data(self) -> bool {
        matches!(self, Theory::Data | Theory::DataOfBits | Theory::All)
    }
    /// Whether there are bit-vectors.
    pub fn has_bits(self) -> bool {
        matches!(self, Theory::Bits | Theory::ArraysOfBits | Theory::DataOfBits | Theory::All)
    }
}

/// A fragment to generate scripts in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Logic {
    /// Its numbers.
    pub arithmetic: Arithmetic,
    /// Whether scripts declare sorts and functions with arguments.
    pub has_functions: bool,
    /// Its further theory.
    pub theory: Theory,
}

const fn plain(arithmetic: Arithmetic) -> Logic {
    Logic { arithmetic, has_functions: false, theory: Theory::None }
}

const fn with_functions(arithmetic: Arithmetic) -> Logic {
    Logic { has_functions: true, ..plain(arithmetic) }
}

const fn with_theory(theory: Theory, arithmetic: Arithmetic) -> Logic {
    Logic { theory, ..plain(arithmetic) }
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
    /// Arrays over declared sorts.
    pub const AX: Logic = with_theory(Theory::Arrays, Arithmetic::None);
    /// Arrays with integers.
    pub const ALIA: Logic = with_theory(Theory::Arrays, Arithmetic::Lia);
    /// Arrays with integers and functions.
    pub const AUFLIA: Logic = Logic { has_functions: true, ..Logic::ALIA };
    /// Data types.
    pub const DT: Logic = with_theory(Theory::Data, Arithmetic::None);
    /// Data types with integers.
    pub const DTLIA: Logic = with_theory(Theory::Data, Arithmetic::Lia);
    /// Data types with integers and functions.
    pub const UFDTLIA: Logic = Logic { has_functions: true, ..Logic::DTLIA };
    /// Bit-vectors.
    pub const BV: Logic = with_theory(Theory::Bits, Arithmetic::None);
    /// Arrays of bit-vectors.
    pub const ABV: Logic = with_theory(Theory::ArraysOfBits, Arithmetic::None);
    /// Functions of bit-vectors.
    pub const UFBV: Logic = Logic { has_functions: true, ..Logic::BV };
    /// Arrays and functions of bit-vectors.
    pub const AUFBV: Logic = Logic { has_functions: true, ..Logic::ABV };
    /// Data types and functions of bit-vectors.
    pub const UFDTBV: Logic =
        Logic { has_functions: true, ..with_theory(Theory::DataOfBits, Arithmetic::None) };
    /// Bit-vectors with integers, and conversions between them.
    pub const BVLIA: Logic = with_theory(Theory::Bits, Arithmetic::Lia);
    /// Everything but reals.
    pub const MIXED: Logic =
        Logic { has_functions: true, ..with_theory(Theory::All, Arithmetic::Lia) };

    /// Those with arrays, data types or bit-vectors.
    pub const THEORIES: [Logic; 13] = [
        Logic::AX,
        Logic::ALIA,
        Logic::AUFLIA,
        Logic::DT,
        Logic::DTLIA,
        Logic::UFDTLIA,
        Logic::BV,
        Logic::ABV,
        Logic::UFBV,
        Logic::AUFBV,
        Logic::UFDTBV,
        Logic::BVLIA,
        Logic::MIXED,
    ];

    /// Those of numbers and functions.
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
        match (self.theory, self.arithmetic, self.has_functions) {
            (Theory::None, _, _) => self.plain_name(),
            (Theory::Arrays, Arithmetic::None, false) => "QF_AX",
            (Theory::Arrays, Arithmetic::Lia, false) => "QF_ALIA",
            (Theory::Arrays, Arithmetic::Lia, true) => "QF_AUFLIA",
            (Theory::Data, Arithmetic::None, false) => "QF_DT",
            (Theory::Data, Arithmetic::Lia, true) => "QF_UFDTLIA",
            (Theory::Bits, Arithmetic::None, false) => "QF_BV",
            (Theory::ArraysOfBits, Arithmetic::None, false) => "QF_ABV",
            (Theory::Bits, Arithmetic::None, true) => "QF_UFBV",
            (Theory::ArraysOfBits, Arithmetic::None, true) => "QF_AUFBV",
            (_, _, _) => "ALL",
        }
    }
    fn plain_name(self) -> &'static str {
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
        match (self.theory, self.arithmetic) {
            (Theory::None, Arithmetic::None) if !self.has_functions => "Bool",
            (Theory::Data, Arithmetic::Lia) if !self.has_functions => "DTLIA",
            (Theory::Bits, Arithmetic::Lia) => "BVLIA",
            (Theory::DataOfBits, _) => "UFDTBV",
            (Theory::All, _) => "mixed",
            (_, _) => self.name(),
        }
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
