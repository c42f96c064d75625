//! The command line, and the help that teaches it.

use std::ffi::OsString;
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, Parser, Subcommand, ValueEnum};
use shofar::Property;
use shofar_bench::{BenchArguments, positive_seconds};
use shofar_cluster::{
    ClusterArguments, CollectArguments, HubArguments, SubmitArguments, WorkerArguments,
};
use shofar_engine::ENGINES;
use shofar_term::Sharing;
use shofar_transform::PASSES;

use crate::check;
use crate::engine_options::EngineArguments;
use crate::generate::GenerateArguments;
use crate::language_options::LanguageArguments;
use crate::manual::{CompletionArguments, ManualArguments};
use crate::solc::{Dialect, Guise};
use crate::spelling;
use crate::translate::TranslateArguments;

const EXAMPLES: &str = "\
Examples:
  shofar problem.smt2                     sat (safe), unsat (a bug) or unknown; the witness is checked first
  shofar --witness problem.smt2           the answer, then a model or a refutation
  shofar --engine spacer problem.smt2     one engine
  shofar --timeout 60 --threads 2 -v p.smt2.gz
  shofar check problem.smt2 witness.txt   validate somebody's model or refutation
  shofar info problem.smt2                what the clauses look like
  shofar graph --svg problem.smt2 > g.svg draw them
  shofar program.ari                      YES if all runs end, NO if one does not, or MAYBE, with the reason
  shofar translate p.nts -o p.smt2        write the clauses of a problem in SMT-LIB
  shofar smt script.smt2                  the SMT solver by itself
  shofar bench --timeout 5 -j 2 suites    solve all problems in a folder and count
  shofar submit suites --hub nats://head  have them solved by a cluster

Commands are executed as they come, also from a pipe: (check-sat), (get-model), (get-proof), (push), (pop).
(set-option :timeout MILLISECONDS) limits the questions that follow. Limits of the system (ulimit -t and -v)
end with unknown as well.

One engine (--engine, --seed) does the same in every run, and prints the same witness. The default
strategy shares out time by the clock: the same engine wins in every run unless two are equally fast or
a limit is near.

Exit status:
  0    every question was answered (also by unknown)
  2    a part of the input was refused, or the output could not be written (a closed pipe is no failure)
  3    a witness failed its check (a bug of ours; the answer is then unknown)
  130  Ctrl-C, after unknown; 143 for SIGTERM, 129 for SIGHUP
The other commands have their own, see shofar COMMAND --help.";

const SMT_HELP: &str = "\
The script is SMT-LIB 2.6 without quantifiers: Bool, Int and Real, linear arithmetic, declared sorts and
functions, push and pop, models, values, unsatisfiable cores, assumptions, interpolants.

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

  Interpolants at the vertices of a graph, whose edges have formulas, and at marked positions of a formula:
    (get-dag-interpolants ((en a (= x 0)) (a ex (< x 0))))
    (get-disjunctive-interpolants (and (< x 0) (or (! (> x 1) :named p) (> x 2))))

  The assertions that contradict each other:
    (set-option :produce-unsat-cores true)
    (declare-const p Bool)
    (assert (! p :named a)) (assert (! (not p) :named b))
    (check-sat) (get-unsat-core)

Exit status: 0, or 2 after an error in the script or if the output could not be written (a closed pipe
is no failure), 124 and 125 if the limits on time and memory had to be enforced without an orderly end,
130 after Ctrl-C (143 for SIGTERM, 129 for SIGHUP) while nothing is computed, or the second time.";

const SHIM_HELP: &str = "\
The compiler calls the programs that it finds on its path:
  shofar solc-shim ~/shims
  PATH=~/shims:$PATH solc --model-checker-engine chc --model-checker-solvers eld Contract.sol

Under the name of eld, models are shown as contract invariants (--model-checker-invariants); under the
name of z3, bugs also come with the transactions that lead to them. Files that are not ours are not
overwritten.

Exit status: 0, or 2 if the scripts could not be written.";

/// A solver for constrained Horn clauses that gives evidence for every answer.
#[derive(Debug, Parser)]
#[command(name = "shofar", version, after_help = EXAMPLES, after_long_help = long_help(), args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) task: Option<Task>,
    #[command(flatten)]
    pub(crate) solve: SolveArguments,
}

/// How to solve a Horn problem.
#[derive(Debug, Args)]
pub(crate) struct SolveArguments {
    /// The problem, plain or compressed; `-` or nothing reads from standard input.
    pub(crate) file: Option<PathBuf>,
    /// What is asked about a program [default: termination for .ari, safety for others].
    #[arg(long, value_enum, value_name = "WHAT", help_heading = "Solving")]
    pub(crate) property: Option<PropertyArgument>,
    #[arg(short, long, value_name = "NAME", value_delimiter = ',', value_parser = engine_name, help = engine_help(), help_heading = "Solving")]
    pub(crate) engine: Vec<String>,
    /// How many engines work at the same time [default: 2, or 1 if processor time is limited].
    #[arg(long, value_name = "N", help_heading = "Solving")]
    pub(crate) threads: Option<NonZeroUsize>,
    /// What engines, and the instances of one, tell each other [default: induct].
    #[arg(long, value_enum, value_name = "WHAT", help_heading = "Solving")]
    pub(crate) share: Option<ShareArgument>,
    /// Engines take turns by steps instead of by the clock, so many for a millisecond: with one thread, every run is the same then.
    #[arg(long, value_name = "N", help_heading = "Solving")]
    pub(crate) steps_per_ms: Option<NonZeroU32>,
    /// Perturb the search; the same seed gives the same run of an engine.
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Solving")]
    pub(crate) seed: u64,
    /// Have every `unsat` of the SMT solver that a model rests on confirmed by a proof, which is checked without it.
    #[arg(long, help_heading = "Solving")]
    pub(crate) check_proofs: bool,
    /// Predicates and terms that a solution may be made of, for `pa` and other engines; docs/formats.md tells how they are written.
    #[arg(long, value_name = "FILE", help_heading = "Solving")]
    pub(crate) hints: Option<PathBuf>,
    /// Give the clauses to the engines as they are.
    #[arg(long, help_heading = "Preprocessing")]
    pub(crate) no_preprocess: bool,
    /// Only these passes, in this order, separated by commas.
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        value_parser = pass_name,
        conflicts_with = "no_preprocess",
        help_heading = "Preprocessing"
    )]
    pub(crate) passes: Vec<String>,
    /// Answer `unknown` after so many seconds.
    #[arg(short, long, value_name = "SECONDS", value_parser = positive_seconds, help_heading = "Limits")]
    pub(crate) timeout: Option<f64>,
    /// Answer `unknown` to each question after so many seconds, and go on with the next one.
    #[arg(long, value_name = "SECONDS", value_parser = positive_seconds, help_heading = "Limits")]
    pub(crate) query_timeout: Option<f64>,
    /// Answer `unknown` when all threads together have worked for so many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = positive_seconds, help_heading = "Limits")]
    pub(crate) cpu_timeout: Option<f64>,
    /// Answer `unknown` above so many megabytes.
    #[arg(long, value_name = "MB", value_parser = positive_megabytes, help_heading = "Limits")]
    pub(crate) memory: Option<NonZeroU64>,
    /// Print the model or the refutation after the answer; `short` lists a cycle that a refutation repeats by its first and last iteration, `source` tells an execution or invariants in the words of the input, `yaml` writes the witness of a verification task.
    #[arg(short, long, value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "full", help_heading = "Output")]
    pub(crate) witness: Option<WitnessStyle>,
    /// Tell at the end, on standard error, how much work it was.
    #[arg(long, value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "human", help_heading = "Output")]
    pub(crate) stats: Option<StatsStyle>,
    /// Write every question put to the SMT solver into this folder, as a script for `shofar smt`.
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub(crate) dump_queries: Option<PathBuf>,
    /// Write every problem of recursion-free clauses that is solved on the way into this folder, as a script.
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub(crate) dump_recursion_free: Option<PathBuf>,
    /// Tell on standard error what is being done; twice tells how engines get on.
    #[arg(short, long, action = clap::ArgAction::Count, help_heading = "Output")]
    pub(crate) verbose: u8,
    /// End when standard input ends, and print witnesses as they were found: for who starts many.
    #[arg(long, hide = true, requires = "file", help_heading = "Output")]
    pub(crate) leash: bool,
    /// Exchange lemmas with other processes through this socket.
    #[arg(long, hide = true, value_name = "SOCKET", requires = "leash", help_heading = "Output")]
    pub(crate) relay: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) languages: LanguageArguments,
    #[command(flatten)]
    pub(crate) engines: EngineArguments,
    /// In which form witnesses are printed.
    #[arg(skip)]
    pub(crate) dialect: Dialect,
    /// When the problem came, if the process was there before it.
    #[arg(skip)]
    pub(crate) begin: Option<Instant>,
}

/// What is asked about a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PropertyArgument {
    /// Whether no bad state is reached.
    Safety,
    /// Whether all runs end.
    Termination,
}

impl PropertyArgument {
    /// As the library calls it.
    pub(crate) fn property(self) -> Property {
        match self {
            PropertyArgument::Safety => Property::Safety,
            PropertyArgument::Termination => Property::Termination,
        }
    }
}

/// What engines tell each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShareArgument {
    /// Nothing: a race.
    None,
    /// What is and is not reachable in a bounded number of steps.
    Reach,
    /// Invariants, and lemmas that were pushed.
    Induct,
    /// All, hints as well.
    All,
}

impl ShareArgument {
    /// As engines understand it.
    pub(crate) fn sharing(self) -> Sharing {
        match self {
            ShareArgument::None => Sharing::None,
            ShareArgument::Reach => Sharing::Reach,
            ShareArgument::Induct => Sharing::Induct,
            ShareArgument::All => Sharing::All,
        }
    }
}

/// How a witness is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum WitnessStyle {
    /// Every step, up to a million.
    Full,
    /// Repeated cycles by their count, first and last iteration.
    Short,
    /// In the words of the input: an execution, or invariants; clauses where the language has no other words.
    Source,
    /// A witness in the format of SV-COMP, version 2.0, for programs in C.
    Yaml,
}

/// Who reads the statistics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StatsStyle {
    /// A person.
    Human,
    /// A program.
    Json,
}

/// Which witness to check.
#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// The problem, plain or gzipped; `-` reads from standard input.
    pub(crate) file: PathBuf,
    /// Answers with models (ours or another solver's) or refutations of ours; `-` reads from standard input.
    pub(crate) witness: PathBuf,
    /// Check the answer to this question only, counted from 1; a single answer in the witness is taken for it.
    #[arg(short, long, value_name = "N")]
    pub(crate) question: Option<NonZeroUsize>,
    /// Have every `unsat` of the SMT solver that a model rests on confirmed by a proof, which is checked without it.
    #[arg(long)]
    pub(crate) proofs: bool,
    /// Say `unknown` after so many seconds.
    #[arg(short, long, value_name = "SECONDS", value_parser = positive_seconds)]
    pub(crate) timeout: Option<f64>,
    #[command(flatten)]
    pub(crate) languages: LanguageArguments,
}

/// What to tell about.
#[derive(Debug, Args)]
pub(crate) struct InfoArguments {
    /// The problem; `-` or nothing reads from standard input.
    pub(crate) file: Option<PathBuf>,
    /// A line of JSON for each problem.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) languages: LanguageArguments,
}

/// What to draw.
#[derive(Debug, Args)]
pub(crate) struct GraphArguments {
    /// The problem; `-` or nothing reads from standard input.
    pub(crate) file: Option<PathBuf>,
    /// A self-contained SVG instead of DOT.
    #[arg(long)]
    pub(crate) svg: bool,
    #[command(flatten)]
    pub(crate) languages: LanguageArguments,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Validate a model or a refutation against the clauses of a problem.
    #[command(after_help = check::HELP)]
    Check(CheckArguments),
    /// Tell what the clauses of a problem look like.
    Info(InfoArguments),
    /// Draw the clauses of a problem as a graph, in DOT or SVG.
    Graph(GraphArguments),
    /// Write the clauses of a problem in another language.
    Translate(TranslateArguments),
    /// Execute an SMT-LIB script.
    #[command(after_help = SMT_HELP)]
    Smt(SmtArguments),
    /// List the engines: what each is for, and where it comes from.
    Engines,
    /// Run suites of problems, alone or against other solvers.
    #[command(after_help = shofar_bench::HELP)]
    Bench(SuiteArguments),
    /// Submit problems to a cluster, through a hub.
    Submit(SubmitArguments),
    /// Solve problems that come through a hub, until told to stop.
    Worker(WorkerArguments),
    /// Collect and validate what the cluster has found.
    Collect(CollectArguments),
    /// Show who works on what, in the terminal or as a page.
    Cluster(ClusterArguments),
    /// Wait for the words of a command line on standard input, and do what they say: for who starts many.
    #[command(hide = true)]
    StandBy,
    /// Install programs `eld` and `z3` for Solidity's compiler that call this one.
    #[command(after_help = SHIM_HELP)]
    SolcShim(ShimArguments),
    /// Take the command line of another solver, and answer in the form that Solidity's compiler reads.
    As(AsArguments),
    /// Write recursion-free clauses that are hard on purpose, as a script.
    Generate(GenerateArguments),
    /// Print the manual page, to be read by man.
    Manual(ManualArguments),
    /// Print completions for a shell.
    Completions(CompletionArguments),
}

/// How to run suites, here or by a cluster.
#[derive(Debug, Args)]
pub(crate) struct SuiteArguments {
    #[command(flatten)]
    pub(crate) bench: BenchArguments,
    #[command(flatten)]
    pub(crate) hub: HubArguments,
}

/// Where the programs for Solidity's compiler go.
#[derive(Debug, Args)]
pub(crate) struct ShimArguments {
    /// The folder; it is made if it is not there.
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
}

/// The call of another solver.
#[derive(Debug, Args)]
pub(crate) struct AsArguments {
    /// Whose command line follows.
    pub(crate) solver: Guise,
    /// Its words; options that are not known here have no effect.
    #[arg(value_name = "ARGUMENTS", trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) words: Vec<OsString>,
}

/// How to execute a script.
#[derive(Debug, Args)]
pub(crate) struct SmtArguments {
    /// The script, plain or gzipped; `-` or nothing reads from standard input.
    pub(crate) file: Option<PathBuf>,
    /// Answer `unknown` after so many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = positive_seconds)]
    pub(crate) timeout: Option<f64>,
    /// Answer `unknown` to each question after so many seconds, and go on with the next one.
    #[arg(long, value_name = "SECONDS", value_parser = positive_seconds)]
    pub(crate) query_timeout: Option<f64>,
    /// Answer `unknown` when all threads together have worked for so many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = positive_seconds)]
    pub(crate) cpu_timeout: Option<f64>,
    /// Answer `unknown` above so many megabytes.
    #[arg(long, value_name = "MB", value_parser = positive_megabytes)]
    pub(crate) memory: Option<NonZeroU64>,
    /// Tell at the end, on standard error, how much work it was.
    #[arg(long)]
    pub(crate) stats: bool,
    /// Perturb the search; the same seed gives the same run.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
}

/// The end of the long help.
fn long_help() -> String {
    format!("{EXAMPLES}\n\n{}", spelling::help())
}

fn engine_names() -> Vec<&'static str> {
    ENGINES.iter().map(|engine| engine.name).collect()
}

fn engine_help() -> String {
    format!(
        "Only these engines, separated by commas: {}; `shofar engines` tells about them",
        engine_names().join(", ")
    )
}

fn engine_name(text: &str) -> Result<String, String> {
    spelling::one_of("engine", text, &engine_names())
}

fn pass_name(text: &str) -> Result<String, String> {
    let names: Vec<&str> = PASSES.iter().map(|pass| pass.name).collect();
    spelling::one_of("pass", text, &names)
}

/// Reads a limit on memory.
fn positive_megabytes(text: &str) -> Result<NonZeroU64, String> {
    text.parse().map_err(|_| "a positive number of megabytes is needed".to_owned())
}
