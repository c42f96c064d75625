//! What a run records: one JSON object a line, in the order in which solvers end.
//!
//! | `"record"` | when | what |
//! |---|---|---|
//! | `run` | first line | limits and commands, so that a continued run can refuse other ones |
//! | `result` | after each solver on each file | the answer, seconds, how the process ended |
//! | `summary` | last line of a complete run | the rows of the table |
//!
//! Invariant: a pair of solver and file has at most one result. A line is written whole and at
//! once; the last line of a run that was cut off may be torn, and is then dropped by whoever
//! continues.
use serde::{Deserialize, Serialize};

use crate::process::PANIC;
use crate::table::Row;

/// The version of this format.
pub(crate) const FORMAT: u32 = 1;

/// What is known about a file beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Expected {
    /// Satisfiable.
    Sat,
    /// Unsatisfiable.
    Unsat,
    /// All runs end.
    Yes,
    /// Some run does not end.
    No,
    /// Nothing.
    Unknown,
}

impl Expected {
    /// Reads `sat`, `unsat`, `unknown`, and the words of the termination competition, `YES`, `NO`
    /// and `MAYBE`.
    pub fn of_word(word: &str) -> Option<Self> {
        match word {
            "sat" => Some(Self::Sat),
            "unsat" => Some(Self::Unsat),
            "YES" => Some(Self::Yes),
            "NO" => Some(Self::No),
            "unknown" | "MAYBE" => Some(Self::Unknown),
            _ => None,
        }
    }
    /// Whether both cannot be right.
    pub(crate) fn contradicts(self, other: Self) -> bool {
        let opposite = match self {
            Self::Sat => Self::Unsat,
            Self::Unsat => Self::Sat,
            Self::Yes => Self::No,
            Self::No => Self::Yes,
            Self::Unknown => return false,
        };
        other == opposite
    }
    /// The word for it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Sat => "sat",
            Self::Unsat => "unsat",
            Self::Yes => "YES",
            Self::No => "NO",
            Self::Unknown => "unknown",
        }
    }
}

/// What came of running a solver on a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// The solver said `sat`.
    Sat,
    /// The solver said `unsat`.
    Unsat,
    /// The solver said `YES`: all runs end.
    Yes,
    /// The solver said `NO`: some run does not end.
    No,
    /// The solver said `unknown` or `MAYBE`, before it ran into a limit.
    Unknown,
    /// The time limit was reached.
    Timeout,
    /// The memory limit was reached.
    Memory,
    /// The solver ended without an answer, or by a signal.
    Failed,
}

impl Answer {
    /// What a solver says by a line of its output, if that is an answer.
    pub(crate) fn of_line(line: &[u8]) -> Option<Self> {
        match line {
            b"sat" => Some(Self::Sat),
            b"unsat" => Some(Self::Unsat),
            b"YES" => Some(Self::Yes),
            b"NO" => Some(Self::No),
            b"unknown" | b"MAYBE" => Some(Self::Unknown),
            _ => None,
        }
    }
    /// Whether it is `sat` or `unsat`, `YES` or `NO`.
    pub fn is_verdict(self) -> bool {
        self.verdict() != Expected::Unknown
    }
    /// What somebody would expect who knows of this answer only.
    pub(crate) fn verdict(self) -> Expected {
        match self {
            Self::Sat => Expected::Sat,
            Self::Unsat => Expected::Unsat,
            Self::Yes => Expected::Yes,
            Self::No => Expected::No,
            Self::Unknown | Self::Timeout | Self::Memory | Self::Failed => Expected::Unknown,
        }
    }
    /// Whether it is the opposite of what is expected.
    pub fn contradicts(self, expected: Expected) -> bool {
        self.verdict().contradicts(expected)
    }
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Sat => "sat",
            Self::Unsat => "unsat",
            Self::Yes => "YES",
            Self::No => "NO",
            Self::Unknown => "unknown",
            Self::Timeout => "timeout",
            Self::Memory => "memory",
            Self::Failed => "failed",
        }
    }
}

/// Which seconds are limited and compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Measure {
    /// Those of the clock.
    Wall,
    /// Those of the processors.
    Cpu,
}

/// The conditions of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Conditions {
    /// The version of the format.
    pub(crate) format: u32,
    /// The limit on each file, in seconds.
    pub(crate) timeout: f64,
    /// Which seconds.
    pub(crate) measure: Measure,
    /// The limit on memory in megabytes.
    pub(crate) memory: Option<u64>,
    /// Who takes part.
    pub(crate) solvers: Vec<Contender>,
}

/// A solver that takes part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Contender {
    /// Its name.
    pub(crate) name: String,
    /// Its command, before placeholders are replaced.
    pub(crate) command: Vec<String>,
}

/// The result of one solver on one file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Measured {
    /// The solver's name.
    pub(crate) solver: String,
    /// The file's suite.
    pub(crate) suite: String,
    /// The file's name.
    pub(crate) file: String,
    /// The verdict it should get.
    pub(crate) expected: Expected,
    /// What the solver said.
    pub(crate) answer: Answer,
    /// Seconds by the clock.
    pub(crate) wall: f64,
    /// Seconds on the processors; zero where the system does not tell.
    pub(crate) cpu: f64,
    /// The exit status, unless a signal ended the process.
    pub(crate) exit: Option<i32>,
    /// The first line of the solver's standard error, or the first one that tells of a panic; of
    /// its output if there is neither that nor an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<String>,
}

impl Measured {
    /// The seconds that count.
    pub(crate) fn seconds(&self, measure: Measure) -> f64 {
        match measure {
            Measure::Wall => self.wall,
            Measure::Cpu => self.cpu,
        }
    }
    /// Whether the verdict is known to be wrong.
    pub(crate) fn is_wrong(&self) -> bool {
        self.answer.contradicts(self.expected)
    }
    /// Whether the solver panicked somewhere, though it may have found an answer all the same.
    pub(crate) fn has_panicked(&self) -> bool {
        self.message.as_deref().is_some_and(|message| message.contains(PANIC))
    }
    /// Whether there is a verdict that nothing speaks against.
    pub(crate) fn is_solved(&self) -> bool {
        self.answer.is_verdict() && !self.is_wrong()
    }
}

/// A line of the file of results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "lowercase")]
pub(crate) enum Line {
    /// The first line.
    Run(Conditions),
    /// A result.
    Result(Measured),
    /// The last line.
    Summary {
        /// The rows of the table.
        rows: Vec<Row>,
    },
}
