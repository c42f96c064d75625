//! `cargo xtask smt-bench`: our solver and z3 side by side on generated families of problems.
//!
//! Both run the same files in turn, several rounds, and the least time of each counts. A third run
//! of ours has interpolation switched on and shows what keeping proofs costs. Times are comparable
//! within one run on one machine only.

mod arrays;
mod bits;
mod cuts;
mod data;
mod equality;
mod incremental;
mod logics;
mod measure;
mod memory;
mod problem;
mod scheduling;
mod unrollings;
mod words;

use std::path::PathBuf;

use self::problem::Problem;
use crate::process::{self, Build};

/// Options of the task.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The solver under test; without it the release build.
    #[arg(long)]
    shofar: Option<PathBuf>,
    /// The reference; without it `SHOFAR_Z3`, `.venv/bin/z3` or the one on the path.
    #[arg(long)]
    z3: Option<PathBuf>,
    /// How often each problem is run.
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Seconds for one problem.
    #[arg(long, default_value_t = 60)]
    timeout: u64,
    /// Letters of the families to run, `m` for memory.
    #[arg(long, default_value = "abcdefghijkm")]
    families: String,
    /// Only problems whose name contains this.
    #[arg(long, default_value = "")]
    only: String,
    /// Do not measure the cost of proofs.
    #[arg(long)]
    no_proofs: bool,
    /// Write the problems to `target/smt-bench` and stop.
    #[arg(long)]
    generate: bool,
}

/// Runs the task; false if answers disagree, a problem of family e is not solved, or memory grows.
pub(crate) fn run(options: &Options) -> Result<bool, String> {
    let folder = process::scratch("smt-bench")?;
    let mut problems: Vec<Problem> = unrollings::problems();
    problems.extend(incremental::problems());
    problems.extend(scheduling::problems());
    problems.extend(cuts::problems());
    problems.extend(equality::problems());
    problems.extend(arrays::problems());
    problems.extend(data::problems());
    problems.extend(bits::problems());
    problems.extend(words::problems());
    problems.extend(logics::problems());
    problems
        .retain(|p| options.families.contains(p.family.letter()) && p.name.contains(&options.only));
    for problem in &problems {
        let path = folder.join(format!("{}-{}.smt2", problem.family.letter(), problem.name));
        // The problems never change; a run at the same time may be reading them.
        if std::fs::read(&path).ok().as_deref() != Some(problem.script.as_bytes()) {
            process::write(&path, problem.script.as_bytes())?;
        }
    }
    if options.generate {
        println!("{} problems in {}", problems.len(), folder.display());
        return Ok(true);
    }
    let (shofar, z3) = (
        process::shofar(options.shofar.as_deref(), Build::Release)?,
        process::z3(options.z3.as_deref()),
    );
    let measured = measure::run(&problems, &folder, &shofar, &z3, options)?;
    let small = if options.families.contains('m') { memory::run(&shofar)? } else { true };
    Ok(measured && small)
}
