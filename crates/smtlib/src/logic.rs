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
    /// Arrays, data types or bit-vectors, or several of them, maybe with functions and linear
    /// arithmetic.
    QfCompound {
        /// Whether it has real numbers and no integers.
        is_real: bool,
    },
    /// Everything that is supported.
    All,
    /// Constrained Horn clauses.
    Horn,
    /// Any other logic, which only scripts of Horn clauses may name: what they need of it is
    /// checked where it is used.
    Other {
        /// Whether it has real numbers and no integers.
        is_real: bool,
    },
}

/// The logics that have a variant of their own.
const LOGICS: [(&str, Logic); 15] = [
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
    ("QF_ALL", Logic::All),
    ("ALL", Logic::All),
    ("HORN", Logic::Horn),
];

/// The parts of the name of any other logic, an arithmetic last; a longer part stands before those
/// that it begins with.
///
/// Nonlinear arithmetics are among them, since many scripts name one and use less of it.
const PARTS: [&str; 5] = ["AX", "A", "UF", "DT", "BV"];
const ARITHMETICS: [&str; 8] = ["IDL", "RDL", "LIA", "LRA", "LIRA", "NIA", "NRA", "NIRA"];

/// The logic whose name is made of parts, each at most once, in any order.
fn compound(name: &str) -> Option<Logic> {
    let mut rest = name.strip_prefix("QF_")?;
    let mut used = [false; PARTS.len()];
    while !ARITHMETICS.contains(&rest) && !rest.is_empty() {
        let at = PARTS.iter().position(|part| rest.starts_with(part))?;
        if std::mem::replace(&mut used[at], true) {
            return None;
        }
        rest = &rest[PARTS[at].len()..];
    }
    (name.len() > "QF_".len()).then(|| Logic::QfCompound { is_real: is_real(rest) })
}

/// Whether an arithmetic has real numbers and no integers.
fn is_real(name: &str) -> bool {
    name.ends_with("RDL") || name.ends_with("RA") && !name.ends_with("IRA")
}

impl Logic {
    /// The logic of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        let own = LOGICS.iter().find(|(known, _)| *known == name).map(|&(_, logic)| logic);
        own.or_else(|| compound(name))
    }
    /// The logic of this name, known or not.
    pub(crate) fn of_horn(name: &str) -> Self {
        Self::from_name(name).unwrap_or(Logic::Other { is_real: is_real(name) })
    }
    /// What names logics may have, for messages.
    pub fn names() -> String {
        format!(
            "ALL, HORN, QF_ALL, QF_BOOL, and QF_ with some of {}, then at most one of {}",
            PARTS.join(", "),
            ARITHMETICS.join(", ")
        )
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

#[cfg(test)]
mod tests {
    use super::*;

    fn check(names: &str, expected: Option<Logic>) {
        for name in names.split(' ') {
            assert_eq!(Logic::from_name(name), expected, "{name}");
        }
    }

    #[test]
    fn names_of_parts_in_any_order() {
        let whole = Some(Logic::QfCompound { is_real: false });
        check("QF_AX QF_A QF_AUF QF_ABV QF_BVA QF_UFABV QF_AUFBVDTLIA QF_AUFDTBVLIRA QF_DT", whole);
        check("QF_ADTLIA QF_BVLIA QF_UFNIA QF_NIA QF_AIDL", whole);
        check("QF_AUFLRA QF_NRA QF_DTRDL", Some(Logic::QfCompound { is_real: true }));
        check("ALL QF_ALL", Some(Logic::All));
        check("QF_UFLIA", Some(Logic::QfUflia));
    }

    #[test]
    fn names_that_are_none() {
        check("QF_ QF_FP QF_S QF_BVFP QF_UFUF QF_LIALRA QF_LIABV LIA UF qf_bv", None);
    }
}
