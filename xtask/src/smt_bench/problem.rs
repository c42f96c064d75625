//! A problem to measure: a script of a family.

use std::fmt::Write as _;

/// A generated script.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    /// The family it belongs to.
    pub(crate) family: Family,
    /// A name for tables and files.
    pub(crate) name: String,
    /// SMT-LIB text.
    pub(crate) script: String,
}

impl Problem {
    /// The logic that the script is in.
    pub(crate) fn logic(&self) -> &str {
        let rest = self.script.split_once("(set-logic ").map_or("", |(_, rest)| rest);
        rest.split_once(')').map_or("", |(logic, _)| logic)
    }
}

/// The families of the benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Family {
    /// Unrolled loops over the reals.
    RealUnrolling,
    /// Unrolled loops over the integers.
    IntUnrolling,
    /// Ten thousand small queries in one script.
    Incremental,
    /// Pigeons and job shops.
    Scheduling,
    /// Integer problems that need cuts.
    Cuts,
    /// Uninterpreted functions.
    Equality,
    /// Arrays.
    Arrays,
    /// Data types.
    Data,
    /// Bit-vectors.
    Bits,
    /// Functions, arrays and data of bit-vectors.
    Words,
    /// One kind of problem for each combination of theories.
    Logics,
}

impl Family {
    /// All families in order.
    pub(crate) const ALL: [Family; 11] = [
        Family::RealUnrolling,
        Family::IntUnrolling,
        Family::Incremental,
        Family::Scheduling,
        Family::Cuts,
        Family::Equality,
        Family::Arrays,
        Family::Data,
        Family::Bits,
        Family::Words,
        Family::Logics,
    ];

    /// Letter and words for tables.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Family::RealUnrolling => "a: QF_LRA unrollings",
            Family::IntUnrolling => "b: QF_LIA unrollings",
            Family::Incremental => "c: 10,000 incremental queries",
            Family::Scheduling => "d: pigeonhole and scheduling",
            Family::Cuts => "e: integer cuts",
            Family::Equality => "f: equality with functions",
            Family::Arrays => "g: arrays",
            Family::Data => "h: data types",
            Family::Bits => "i: bit-vectors",
            Family::Words => "j: memories and functions of bits",
            Family::Logics => "k: combinations of theories",
        }
    }
    /// The letter alone.
    pub(crate) fn letter(self) -> &'static str {
        &self.label()[..1]
    }
    /// The largest ratio of total times to z3 that we want.
    pub(crate) fn target(self) -> Option<f64> {
        match self {
            Family::RealUnrolling => Some(1.5),
            Family::IntUnrolling | Family::Scheduling => Some(2.0),
            Family::Incremental => Some(0.7),
            Family::Logics => Some(1.0),
            Family::Cuts
            | Family::Equality
            | Family::Arrays
            | Family::Data
            | Family::Bits
            | Family::Words => None,
        }
    }
}

/// A script under construction.
#[derive(Default)]
pub(crate) struct Script {
    text: String,
}

impl Script {
    /// A script in this logic.
    pub(crate) fn new(logic: &str) -> Self {
        Self { text: format!("(set-logic {logic})\n") }
    }
    /// Declares a constant.
    pub(crate) fn declare(&mut self, name: &str, sort: &str) {
        self.line(&format!("(declare-fun {name} () {sort})"));
    }
    /// Asserts a formula.
    pub(crate) fn assert(&mut self, formula: &str) {
        self.line(&format!("(assert {formula})"));
    }
    /// Adds a command.
    pub(crate) fn line(&mut self, command: &str) {
        writeln!(self.text, "{command}").expect("a string takes everything");
    }
    /// The finished problem, with one last check.
    pub(crate) fn check(mut self, family: Family, name: String) -> Problem {
        self.line("(check-sat)");
        self.finish(family, name)
    }
    /// The finished problem.
    pub(crate) fn finish(self, family: Family, name: String) -> Problem {
        Problem { family, name, script: self.text }
    }
}

/// An integer literal.
pub(crate) fn literal(n: i64) -> String {
    if n < 0 { format!("(- {})", n.unsigned_abs()) } else { n.to_string() }
}
