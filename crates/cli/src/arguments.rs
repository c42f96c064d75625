//! The command line, and the help that teaches it.

use std::ffi::OsString;
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, Parser, Subcommand, ValueEnum};
use shofar::Property;
use shofar_bench::{BenchArguments, positive_seconds};
#[cfg(feature = "cluster")]
use shofar_cluster::{
    CancelArguments, ClusterArguments, CollectArguments, HubArguments, SubmitArguments,
    WorkerArguments,
};
use shofar_engine::ENGINES;
use shofar_term::Sharing;
use shofar_transform::Pipeline;

use crate::check;
use crate::completion::CompletionArguments;
use crate::engine_options::EngineArguments;
use crate::generate::GenerateArguments;
use crate::help_text;
use crate::language_options::LanguageArguments;
use crate::manual::ManualArguments;
use crate::passes::PassesParser;
use crate::solc::{Dialect, Guise};
use crate::spelling::Names;
use crate::translate::TranslateArguments;
use crate::version::VERSION;

/// A solver for constrained Horn clauses that gives evidence for every answer.
#[derive(Debug, Parser)]
#[command(name = "shofar", version = VERSION, after_help = help_text::POINTERS, after_long_help = help_text::long(), args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) task: Option<Task>,
    #[command(flatten)]
    pub(crate) solve: SolveArguments,
}

/// How to solve a Horn problem.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "the command line has as many independent flags")]
pub(crate) struct SolveArguments {
    /// The problem, plain or compressed; `-` or nothing reads from standard input.
    #[arg(hide_short_help = true)]
    pub(crate) file: Option<PathBuf>,
    /// What is asked about a program.
    #[arg(
        long,
        value_enum,
        value_name = "WHAT",
        help_heading = "Solving",
        long_help = "What is asked about a program [default: termination for .ari, safety for others]"
    )]
    pub(crate) property: Option<PropertyArgument>,
    /// Only these engines; `shofar engines` lists them.
    #[arg(short, long, value_name = "NAMES", value_delimiter = ',', value_parser = engine_name(), hide_possible_values = true, help_heading = "Solving", long_help = "Only these engines, separated by commas; `shofar engines` lists them")]
    pub(crate) engine: Vec<String>,
    /// How many engines work at the same time [default: 2].
    #[arg(
        long,
        value_name = "N",
        help_heading = "Solving",
        long_help = "How many engines work at the same time [default: 2, or 1 if processor time is limited]"
    )]
    pub(crate) threads: Option<NonZeroUsize>,
    /// What engines, and the instances of one, tell each other [default: induct].
    #[arg(long, value_enum, value_name = "WHAT", hide_short_help = true, help_heading = "Solving")]
    pub(crate) share: Option<ShareArgument>,
    /// Engines take turns by steps instead of by the clock, so many for a millisecond: with one
    /// thread, every run is the same then.
    #[arg(long, value_name = "N", hide_short_help = true, help_heading = "Solving")]
    pub(crate) steps_per_ms: Option<NonZeroU32>,
    /// Perturb the search; the same seed gives the same run of an engine.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        hide_short_help = true,
        help_heading = "Solving"
    )]
    pub(crate) seed: u64,
    /// Have every `unsat` of the SMT solver that a model rests on confirmed by a proof, which is
    /// checked without it.
    #[arg(long, hide_short_help = true, help_heading = "Solving")]
    pub(crate) check_proofs: bool,
    /// Predicates and terms that a solution may be made of, for `pa` and other engines;
    /// docs/formats.md tells how they are written.
    #[arg(long, value_name = "FILE", hide_short_help = true, help_heading = "Solving")]
    pub(crate) hints: Option<PathBuf>,
    /// Give the clauses to the engines as they are.
    #[arg(long, hide_short_help = true, help_heading = "Preprocessing")]
    pub(crate) no_preprocess: bool,
    /// Only these passes, such as `simplify,until_stable(slice,eliminate)`; `shofar passes` lists
    /// them.
    #[arg(
        long,
        value_name = "PASSES",
        value_parser = PassesParser,
        hide_possible_values = true,
        conflicts_with = "no_preprocess",
        hide_short_help = true,
        help_heading = "Preprocessing"
    )]
    pub(crate) passes: Option<Pipeline>,
    /// Answer `unknown` after so many seconds.
    #[arg(short, long, value_name = "SECONDS", value_parser = positive_seconds, help_heading = "Limits")]
    pub(crate) timeout: Option<f64>,
    /// Answer `unknown` to each question after so many seconds, and go on with the next one.
    #[arg(long, value_name = "SECONDS", value_parser = positive_seconds, hide_short_help = true, help_heading = "Limits")]
    pub(crate) query_timeout: Option<f64>,
    /// Answer `unknown` when all threads together have worked for so many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = positive_seconds, hide_short_help = true, help_heading = "Limits")]
    pub(crate) cpu_timeout: Option<f64>,
    /// Answer `unknown` above so many megabytes.
    #[arg(long, value_name = "MB", value_parser = positive_megabytes, help_heading = "Limits")]
    pub(crate) memory: Option<NonZeroU64>,
    /// Print the model or the refutation after the answer.
    #[arg(short, long, value_name = "STYLE", value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "full", help_heading = "Output")]
    pub(crate) witness: Option<WitnessStyle>,
    /// Print the clauses that a refutation needs, as few as the time allows.
    #[arg(long, hide_short_help = true, help_heading = "Output")]
    pub(crate) core: bool,
    /// Print statistics at the end, on standard error.
    #[arg(long, value_name = "STYLE", value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "human", hide_short_help = true, help_heading = "Output")]
    pub(crate) stats: Option<StatsStyle>,
    /// Write every question put to the SMT solver into this folder, as a script for `shofar smt`.
    #[arg(long, value_name = "DIR", hide_short_help = true, help_heading = "Output")]
    pub(crate) dump_queries: Option<PathBuf>,
    /// Write every problem of recursion-free clauses that is solved on the way into this folder,
    /// as a script.
    #[arg(long, value_name = "DIR", hide_short_help = true, help_heading = "Output")]
    pub(crate) dump_recursion_free: Option<PathBuf>,
    /// Log on standard error what is done; `-vv` logs more.
    #[arg(short, long, action = clap::ArgAction::Count, help_heading = "Output", long_help = "Log what is being done on standard error; twice also logs how engines get on")]
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
    /// Repeated cycles by their count, first and last iteration; can be checked.
    Short,
    /// The clauses in the order of their use, without values: for people, cannot be checked.
    Summary,
    /// In the words of the input: an execution, or invariants; clauses where the language has no
    /// other words.
    Source,
    /// A line of JSON: the steps of a refutation, or definitions as text and as trees.
    Json,
    /// A witness in the format of SV-COMP, version 2.0, for programs in C.
    Yaml,
}

/// Who reads the statistics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StatsStyle {
    /// For people: a figure in each line.
    Human,
    /// For programs: one line of JSON.
    Json,
}

/// Which witness to check.
#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// The problem, plain or gzipped; `-` reads from standard input.
    pub(crate) file: PathBuf,
    /// Answers with models (ours or another solver's) or refutations of ours; `-` reads from
    /// standard input.
    pub(crate) witness: PathBuf,
    /// Check the answer to this question only, counted from 1; a single answer in the witness is
    /// taken for it.
    #[arg(short, long, value_name = "N")]
    pub(crate) question: Option<NonZeroUsize>,
    /// Have every `unsat` of the SMT solver that a model rests on confirmed by a proof, which is
    /// checked without it.
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

/// Which engines to tell about.
#[derive(Debug, Args)]
pub(crate) struct EnginesArguments {
    /// Tell about this engine and its options instead of listing all.
    #[arg(value_name = "NAME", value_parser = engine_name())]
    pub(crate) name: Option<String>,
}

/// Which passes to tell about.
#[derive(Debug, Args)]
pub(crate) struct PassesArguments {
    /// Tell about this pass and its parameters instead of listing all.
    #[arg(value_name = "NAME", value_parser = pass_name())]
    pub(crate) name: Option<String>,
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
    /// Solve a problem: the same as `shofar FILE`.
    #[command(after_help = help_text::SOLVE)]
    Solve(Box<SolveArguments>),
    /// Validate a model or a refutation against a problem.
    #[command(after_help = check::HELP)]
    Check(CheckArguments),
    /// Tell what the clauses of a problem look like.
    #[command(after_help = crate::show::help())]
    Info(InfoArguments),
    /// Draw the clauses of a problem as a graph, in DOT or SVG.
    Graph(GraphArguments),
    /// Write the clauses of a problem in another language.
    Translate(TranslateArguments),
    /// Execute an SMT-LIB script.
    #[command(after_help = help_text::SMT)]
    Smt(SmtArguments),
    /// List the engines, or the options of one.
    Engines(EnginesArguments),
    /// List the passes, or the parameters of one.
    Passes(PassesArguments),
    /// Run suites of problems, alone or against other solvers.
    #[command(after_help = shofar_bench::HELP)]
    Bench(SuiteArguments),
    /// Submit problems to a cluster, through a hub.
    #[cfg(feature = "cluster")]
    Submit(SubmitArguments),
    /// Solve problems that come through a hub, until told to stop.
    #[cfg(feature = "cluster")]
    Worker(WorkerArguments),
    /// Collect and validate what the cluster has found.
    #[cfg(feature = "cluster")]
    Collect(CollectArguments),
    /// Cancel problems that were submitted.
    #[cfg(feature = "cluster")]
    Cancel(CancelArguments),
    /// Show who works on what, in the terminal or as a page.
    #[cfg(feature = "cluster")]
    Cluster(ClusterArguments),
    /// Wait for the words of a command line on standard input, and do what they say: for who starts
    /// many.
    #[command(hide = true)]
    StandBy,
    /// Stand in for the solvers of Solidity's compiler.
    #[command(after_help = help_text::SHIM)]
    SolcShim(ShimArguments),
    /// Take the command line of another solver, and answer in its form.
    As(AsArguments),
    /// Write recursion-free clauses that are hard on purpose.
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
    #[cfg(feature = "cluster")]
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
    /// Print statistics at the end, on standard error.
    #[arg(long)]
    pub(crate) stats: bool,
    /// Perturb the search; the same seed gives the same run.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
}

/// Reads the name of an engine.
fn engine_name() -> Names {
    Names::new("engine", || ENGINES.iter().map(|engine| (engine.name, engine.about)).collect())
}

/// Reads the name of a pass.
fn pass_name() -> Names {
    Names::new("pass", || Pipeline::words().collect())
}

/// Reads a limit on memory.
fn positive_megabytes(text: &str) -> Result<NonZeroU64, String> {
    text.parse().map_err(|_| "a positive number of megabytes is needed".to_owned())
}
