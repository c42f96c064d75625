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
    /// Uninterpreted functions, of which only constants are supported, so it is propositional logic.
    QfUf,
    /// Everything that is supported.
    All,
    /// Constrained Horn clauses.
    Horn,
}

/// All logics by name.
const LOGICS: [(&str, Logic); 9] = [
    ("QF_LRA", Logic::QfLra),
    ("QF_LIA", Logic::QfLia),
    ("QF_LIRA", Logic::QfLira),
    ("QF_RDL", Logic::QfRdl),
    ("QF_IDL", Logic::QfIdl),
    ("QF_UF", Logic::QfUf),
    ("QF_BOOL", Logic::QfUf),
    ("ALL", Logic::All),
    ("HORN", Logic::Horn),
];

impl Logic {
    /// The logic of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        LOGICS.iter().find(|(known, _)| *known == name).map(|&(_, logic)| logic)
    }
    /// The names of all logics, for messages.
    pub fn names() -> String {
        let names: Vec<&str> = LOGICS.iter().map(|&(name, _)| name).collect();
        names.join(", ")
    }
    /// Whether numerals such as `5` are real numbers, because the logic has no integers.
    pub fn has_real_numerals(self) -> bool {
        match self {
            Logic::QfLra | Logic::QfRdl => true,
            Logic::QfLia
            | Logic::QfLira
            | Logic::QfIdl
            | Logic::QfUf
            | Logic::All
            | Logic::Horn => false,
        }
    }
}
