//! The command line of `shofar bench`.
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use clap::Args;

use crate::command::{self, NamedCommand};

/// What `shofar bench --help` says at its end.
pub const HELP: &str = "\
A list has one line per file, with tabs between suite, path from the list's folder, and
expected verdict (sat, unsat or unknown; YES, NO or MAYBE if termination is asked about);
more columns are ignored. Without a list the suites are the folders, and
(set-info :status ...) in a file or a comment at its beginning such as `// expect: sat`
says what to expect.

In commands {} stands for the file, {timeout} for the limit in whole seconds, and
{shofar} for this program.

Examples:
  shofar bench suites/list.tsv --timeout 60 --jobs 4
  shofar bench suites --suite lra-ts --options \"--engine kind\" --json kind.jsonl --resume
  shofar bench suites --against z3=\"z3 -T:{timeout} {}\" --plots plots
  shofar bench suites --against bmc=\"{shofar} --engine bmc --timeout {timeout} {}\"

Exit status: 0, 1 after a wrong verdict or a disagreement, 2 if the run could not be made
or a solver failed on every file, 130 after Ctrl-C.";

/// How to run suites.
#[derive(Debug, Args)]
pub struct BenchArguments {
    /// A folder with .smt2 files, or a list of files.
    #[arg(value_name = "DIR|LIST")]
    pub(crate) source: PathBuf,
    /// Only this suite (may be given several times).
    #[arg(long, value_name = "NAME")]
    pub(crate) suite: Vec<String>,
    /// Seconds for each file.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = positive_seconds)]
    pub(crate) timeout: f64,
    /// Limit and compare CPU seconds, which a busy machine disturbs less (and allow four times as
    /// much by the clock).
    #[arg(long)]
    pub(crate) cpu: bool,
    /// End a solver above so many megabytes.
    #[arg(long, value_name = "MB")]
    pub(crate) memory: Option<NonZeroU64>,
    /// How many solvers run at the same time.
    #[arg(long, short, value_name = "N", default_value = "1")]
    pub(crate) jobs: NonZeroUsize,

    /// Options for Shofar, separated by blanks.
    #[arg(long, value_name = "OPTIONS", default_value = "", allow_hyphen_values = true)]
    #[arg(help_heading = "Solvers")]
    pub(crate) options: String,
    /// Compare with another solver in the same run (may be given several times).
    #[arg(long, value_name = "NAME=COMMAND", value_parser = command::parse_named)]
    #[arg(help_heading = "Solvers")]
    pub(crate) against: Vec<NamedCommand>,
    /// Run only the solvers given by --against.
    #[arg(long, requires = "against", help_heading = "Solvers")]
    pub(crate) without_shofar: bool,

    /// Write the results, one JSON object a line, as they come.
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    pub(crate) json: Option<PathBuf>,
    /// Keep the results that are in the file from an earlier run under the same limits, and add
    /// those that are missing.
    #[arg(long, requires = "json", help_heading = "Results")]
    pub(crate) resume: bool,
    /// Draw cactus.svg, and a scatter plot for every other solver, into this folder.
    #[arg(long, value_name = "DIR", help_heading = "Results")]
    pub(crate) plots: Option<PathBuf>,
}

/// Reads a limit on time.
pub fn positive_seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 1e9 => Ok(seconds),
        Ok(_) | Err(_) => Err("a positive number of seconds is needed".to_owned()),
    }
}
