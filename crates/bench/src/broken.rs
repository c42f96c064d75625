//! Solvers that failed on every file: a wrong path, a missing library, an option that the solver
//! does not know.
//!
//! Such a run measures nothing. It is told once, with the command and what the solver printed,
//! instead of for each file.
use crate::command::NamedCommand;
use crate::record::{Answer, Measured};
use crate::table;

/// A solver that failed on every file.
#[derive(Debug)]
pub(crate) struct Broken<'a> {
    solver: &'a NamedCommand,
    /// How often it ran.
    count: usize,
    /// One of its failures.
    example: &'a Measured,
}

impl Broken<'_> {
    /// Whether a result is one of this solver.
    pub(crate) fn concerns(&self, result: &Measured) -> bool {
        result.solver == self.solver.name
    }
    /// What is told.
    pub(crate) fn describe(&self) -> String {
        let files = match self.count {
            1 => "the only file".to_owned(),
            count => format!("all {count} files"),
        };
        format!(
            "{} failed on {files}\n  command: {}\n  for example: {}",
            self.solver.name,
            self.solver.words.join(" "),
            table::describe_failure(self.example)
        )
    }
}

/// The solvers of which every run ended in an error; no result at all is none.
pub(crate) fn find<'a>(solvers: &'a [NamedCommand], results: &'a [Measured]) -> Vec<Broken<'a>> {
    let broken = |solver: &'a NamedCommand| {
        let mut own = results.iter().filter(|result| result.solver == solver.name);
        let example = own.clone().next()?;
        let count = own.clone().count();
        own.all(is_error).then_some(Broken { solver, count, example })
    };
    solvers.iter().filter_map(broken).collect()
}

/// Whether a solver ended without an answer, or with `unknown` and an exit status that tells of an
/// error.
fn is_error(result: &Measured) -> bool {
    match result.answer {
        Answer::Failed => true,
        Answer::Unknown => result.exit.is_some_and(|status| status != 0),
        Answer::Sat
        | Answer::Unsat
        | Answer::Yes
        | Answer::No
        | Answer::Timeout
        | Answer::Memory => false,
    }
}
