//! The logics a script may name.

/// A logic of SMT-LIB that is known here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Logic {
    /// Linear real arithmetic.
    QfLra,
    /// Linear integer arithmetic.
    QfLia,
    /// Linear arithmetic over both.
    QfLira,
    /// Differences of reals; any linear constraint is accepted.
    QfRdl,
    /// Differences of integers; any linear constraint is accepted.
    QfIdl,
    /// Uninterpreted sorts and functions.
    QfUf,
    /// The same with linear real arithmetic.
    QfUflra,
    /// The same with linear integer arithmetic.
    QfUflia,
    /// The same with linear arithmetic over both.
    QfUflira,
    /// The same with differences of reals; any linear constraint is accepted.
    QfUfrdl,
    /// The same with differences of integers; any linear constraint is accepted.
    QfUfidl,
    /// Arrays, data types or bit-vectors, or several of them, maybe with functions and linear arithmetic.
    QfCompound {
        /// Whether it has real numbers and no integers.
        is_real: bool,
    },
    /// Everything that is supported.
    All,
    /// Constrained Horn clauses.
    Horn,
    /// Any other logic, which only scripts of Horn clauses may name: what they need of it is checked where it is used.
    Other {
        /// Whether it has real numbers and no integers.
        is_real: bool,
    },
}

const COMPOUND: Logic = Logic::QfCompound { is_real: false };
const REAL: Logic = Logic::QfCompound { is_real: true };

/// All logics by name.
const LOGICS: [(&str, Logic); 41] = [
    ("QF_LRA", Logic::QfLra),
    ("QF_LIA", Logic::QfLia),
    ("QF_LIRA", Logic::QfLira),
    ("QF_RDL", Logic::QfRdl),
    ("QF_IDL", Logic::QfIdl),
    ("QF_UF", Logic::QfUf),
    ("QF_UFLRA", Logic::QfUflra),
    ("QF_UFLIA", Logic::QfUflia),
    ("QF_UFLIRA", Logic::QfUflira),
    ("QF_UFRDL", Logic::QfUfrdl),
    ("QF_UFIDL", Logic::QfUfidl),
    ("QF_BOOL", Logic::QfUf),
    ("QF_AX", COMPOUND),
    ("QF_ALIA", COMPOUND),
    ("QF_ALRA", REAL),
    ("QF_ALIRA", COMPOUND),
    ("QF_AUFLIA", COMPOUND),
    ("QF_AUFLRA", REAL),
    ("QF_AUFLIRA", COMPOUND),
    ("QF_DT", COMPOUND),
    ("QF_DTLIA", COMPOUND),
    ("QF_DTLRA", REAL),
    ("QF_UFDT", COMPOUND),
    ("QF_UFDTLIA", COMPOUND),
    ("QF_UFDTLRA", REAL),
    ("QF_UFDTLIRA", COMPOUND),
    ("QF_ADT", COMPOUND),
    ("QF_ADTLIA", COMPOUND),
    ("QF_AUFDTLIA", COMPOUND),
    ("QF_BV", COMPOUND),
    ("QF_ABV", COMPOUND),
    ("QF_UFBV", COMPOUND),
    ("QF_AUFBV", COMPOUND),
    ("QF_BVLIA", COMPOUND),
    ("QF_ABVLIA", COMPOUND),
    ("QF_UFBVLIA", COMPOUND),
    ("QF_AUFBVLIA", COMPOUND),
    ("QF_UFDTBV", COMPOUND),
    ("QF_AUFBVDTLIA", COMPOUND),
    ("ALL", Logic::All),
    ("HORN", Logic::Horn),
];

impl Logic {
    /// The logic of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        LOGICS.iter().find(|(known, _)| *known == name).map(|&(_, logic)| logic)
    }
    /// The logic of this name, known or not.
    pub(crate) fn of_horn(name: &str) -> Self {
        let is_real = name.ends_with("RDL") || name.ends_with("RA") && !name.ends_with("IRA");
        Self::from_name(name).unwrap_or(Logic::Other { is_real })
    }
    /// The names of all logics, for messages.
    pub fn names() -> String {
        let names: Vec<&str> = LOGICS.iter().map(|&(name, _)| name).collect();
        names.join(", ")
    }
    /// Whether numerals such as `5` are real numbers, because the logic has no integers.
    pub fn has_real_numerals(self) -> bool {
        match self {
            Logic::QfLra | Logic::QfRdl | Logic::QfUflra | Logic::QfUfrdl => true,
            Logic::Other { is_real } | Logic::QfCompound { is_real } => is_real,
            Logic::QfLia
            | Logic::QfLira
            | Logic::QfIdl
            | Logic::QfUf
            | Logic::QfUflia
            | Logic::QfUflira
            | Logic::QfUfidl
            | Logic::All
            | Logic::Horn => false,
        }
    }
}
