//! The command line, and the help that teaches it.

use std::num::NonZeroU64;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

const EXAMPLES: &str = "\
Examples:
  shofar smt script.smt2                 decide a script
  shofar smt --timeout 60 script.smt2    answer `unknown` after a minute
  echo '(check-sat)' | shofar smt        read from a pipe, answering command by command";

const SMT_HELP: &str = "\
The script is SMT-LIB 2.6 without quantifiers: Bool, Int and Real, linear arithmetic, push and pop,
models, values, unsatisfiable cores, assumptions, interpolants.

Examples:
  A model:
    (declare-const x Int) (declare-const y Int)
    (assert (and (< x y) (< y (+ x 2))))
    (check-sat) (get-model)

  An interpolant of A and B, over the symbols they share:
    (set-option :produce-interpolants true)
    (declare-const x Real) (declare-const y Real) (declare-const z Real)
    (assert (! (and (< x y) (> x 0)) :named A))
    (assert (! (and (< y z) (< z 0)) :named B))
    (check-sat) (get-interpolants A B)

  The assertions that contradict each other:
    (set-option :produce-unsat-cores true)
    (declare-const p Bool)
    (assert (! p :named a)) (assert (! (not p) :named b))
    (check-sat) (get-unsat-core)

Exit status: 0, or 2 after an error in the script, 124 and 125 if the limits on time and memory
had to be enforced without an orderly end.";

/// A solver for linear arithmetic that explains its answers.
#[derive(Debug, Parser)]
#[command(name = "shofar", version, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) task: Task,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Execute an SMT-LIB script.
    #[command(after_help = SMT_HELP)]
    Smt(SmtArguments),
}

/// How to execute a script.
#[derive(Debug, Args)]
pub(crate) struct SmtArguments {
    /// The script; `-` or nothing reads from standard input.
    pub(crate) file: Option<PathBuf>,
    /// Answer `unknown` after so many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = positive_seconds)]
    pub(crate) timeout: Option<f64>,
    /// Answer `unknown` above so many megabytes.
    #[arg(long, value_name = "MB")]
    pub(crate) memory: Option<NonZeroU64>,
    /// Tell at the end, on standard error, how much work it was.
    #[arg(long)]
    pub(crate) stats: bool,
    /// Perturb the search; the same seed gives the same run.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
}

fn positive_seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 1e9 => Ok(seconds),
        Ok(_) | Err(_) => Err("a positive number of seconds is needed".to_owned()),
    }
}
