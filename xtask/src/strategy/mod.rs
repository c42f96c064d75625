//! Fits the table of the default strategy: `cargo xtask strategy LIST --results FILE`.
//!
//! 1. Every engine is run alone on every problem of the list through `shofar bench`, measured in
//!    CPU seconds; results that are in the file already are kept, so that a new or improved engine
//!    costs only its own runs (delete its lines to measure it again).
//! 2. A decision tree over the figures of the simplified clauses is grown; every leaf has the time
//!    slices that decide most of its problems soonest (`slices`, `tree`).
//! 3. The same is done with each fifth of the problems left out, which then judges the result: the
//!    printed figure for unseen problems.
//! 4. The tree is written as the rows of `crates/driver/src/strategy/table.rs`.

mod data;
mod report;
mod slices;
mod tree;
mod write;

use std::path::PathBuf;
use std::process::Command;

use clap::Args;
use shofar_engine::ENGINES;

use data::Sample;
use tree::Tree;

/// How to fit.
#[derive(Args)]
pub(crate) struct Options {
    /// A list of problems as `shofar bench` takes it.
    list: PathBuf,
    /// Where the results of the single engines are kept, as JSON lines.
    #[arg(long, value_name = "FILE")]
    results: PathBuf,
    /// Only this suite (may be given several times).
    #[arg(long, value_name = "NAME")]
    suite: Vec<String>,
    /// CPU seconds for each run, and for the strategy.
    #[arg(long, value_name = "SECONDS", default_value_t = 5)]
    timeout: u64,
    /// How many runs at a time.
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: usize,
    /// Use the results that are there; run nothing.
    #[arg(long)]
    fit_only: bool,
    /// Print the figures, but do not write the table.
    #[arg(long)]
    dry_run: bool,
}

/// How many parts the problems are divided into for cross-validation.
const FOLDS: usize = 5;
/// Where the table goes.
const TABLE: &str = "crates/driver/src/strategy/table.rs";

/// Measures, fits, judges and writes.
pub(crate) fn run(options: &Options) -> Result<bool, String> {
    if !options.fit_only {
        measure(options)?;
    }
    let samples = data::read(&options.list, &options.results, &options.suite)?;
    let limit = options.timeout * 1000;
    println!("{} problems, {} engines", samples.len(), ENGINES.len());
    let all: Vec<&Sample> = samples.iter().collect();
    let fitted = Tree::fit(&all, limit);
    let unseen = cross_validate(&samples, limit);
    print!("{}", report::table(&samples, &fitted, &unseen, limit));
    let text = write::table(&fitted, samples.len(), options.timeout);
    if options.dry_run {
        print!("{text}");
        return Ok(true);
    }
    std::fs::write(TABLE, text).map_err(|error| format!("cannot write {TABLE}: {error}"))?;
    let formatted = Command::new("rustfmt").args(["--edition", "2024", TABLE]).status();
    formatted.map_err(|error| format!("cannot run rustfmt: {error}")).map(|status| status.success())
}

/// For each problem, when a strategy that was fitted without it decides it.
fn cross_validate(samples: &[Sample], limit: u64) -> Vec<Option<u64>> {
    let mut times = vec![None; samples.len()];
    for fold in 0..FOLDS {
        let others = samples.iter().enumerate().filter(|(at, _)| at % FOLDS != fold);
        let others: Vec<&Sample> = others.map(|(_, sample)| sample).collect();
        let tree = Tree::fit(&others, limit);
        for (at, sample) in samples.iter().enumerate().filter(|(at, _)| at % FOLDS == fold) {
            times[at] = slices::decided_at(tree.slices(&sample.features), sample, limit);
        }
    }
    times
}

/// Runs every engine alone on every problem, as far as there is no result yet.
fn measure(options: &Options) -> Result<(), String> {
    let build = ["build", "--release", "--quiet", "--package", "shofar-cli"];
    let built = Command::new("cargo").args(build).status();
    if !built.map_err(|error| format!("cannot run cargo: {error}"))?.success() {
        return Err("the program could not be built".to_owned());
    }
    let mut bench = Command::new("target/release/shofar");
    bench.arg("bench").arg(&options.list).args(["--cpu", "--without-shofar", "--resume"]);
    bench.arg("--timeout").arg(options.timeout.to_string());
    bench.arg("--jobs").arg(options.jobs.to_string());
    bench.arg("--json").arg(&options.results);
    for suite in &options.suite {
        bench.args(["--suite", suite]);
    }
    for info in ENGINES {
        let name = info.name;
        bench.args(["--against", &format!("{name}={{shofar}} --engine {name} --threads 1 {{}}")]);
    }
    let status = bench.status().map_err(|error| format!("cannot run the program: {error}"))?;
    if status.success() { Ok(()) } else { Err("the runs of the engines failed".to_owned()) }
}
