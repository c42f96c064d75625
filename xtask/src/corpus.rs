//! `cargo xtask corpus`: the files of `tests/corpus` and `examples` through the program, as a user
//! would run them.
//!
//! With `--z3` the expected answers themselves are checked: z3 reads the scripts without what it
//! does not know.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use shofar_testkit::corpus::{self, Header};
use shofar_testkit::sexp::{Sexp, parse_all};

use crate::process::{self, Build, Input};

/// Options of the task.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The solver under test; without it one is built.
    #[arg(long)]
    shofar: Option<PathBuf>,
    /// Check the expected answers with z3 instead.
    #[arg(long)]
    z3: bool,
    /// Files up to this level.
    #[arg(long, default_value_t = 1)]
    level: u32,
}

/// Runs the task; false if a file fails.
pub(crate) fn run(options: &Options) -> Result<bool, String> {
    let folders = [process::root().join("tests/corpus"), process::root().join("examples")];
    if options.z3 {
        return confirm(&folders);
    }
    let shofar = process::shofar(options.shofar.as_deref(), Build::Checks)?;
    let started = Instant::now();
    let mut reports = Vec::new();
    for folder in &folders {
        let solve = |path: &Path, script: &str| {
            let is_horn = script.lines().any(|line| line == "; test: chc");
            // What may stay open is given up soon.
            let is_open = script.lines().any(|line| line.starts_with("; unknown-ok"));
            let arguments: &[&str] = match (is_horn, is_open) {
                (true, true) => &["--timeout", "2", "-"],
                (true, false) => &["-"],
                (false, _) => &["smt", "-"],
            };
            let ran = process::run(
                &shofar,
                arguments,
                &Input::Bytes(script.as_bytes()),
                Duration::from_mins(1),
            );
            ran.map_or_else(|error| format!("{}: {error}", path.display()), |ran| ran.stdout)
        };
        reports.push(corpus::run(folder, options.level, solve));
    }
    let failures: Vec<&String> = reports.iter().flat_map(|report| &report.failures).collect();
    for failure in &failures {
        println!("{failure}");
    }
    let run: usize = reports.iter().map(|report| report.run).sum();
    println!("{:.1} s", started.elapsed().as_secs_f64());
    println!("corpus: {} passed, {} failed", run - failures.len(), failures.len());
    Ok(failures.is_empty())
}

/// Compares the expected answers with those of z3, on files without expected errors.
fn confirm(folders: &[PathBuf]) -> Result<bool, String> {
    let z3 = process::z3(None);
    let (mut passed, mut failed) = (0, 0);
    for path in folders.iter().flat_map(|folder| corpus::files(folder)) {
        let script = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
        let header = Header::parse(&script)?;
        if header.expect.iter().any(|word| word == "error") {
            continue;
        }
        // What follows an exit need not be well formed.
        let commands = parse_all(script.split("\n(exit)").next().unwrap_or(&script))?;
        let is_known = |command: &&Sexp| {
            command.head().is_some_and(|head| !head.starts_with("get-") && head != "set-option")
        };
        let lines: Vec<String> = commands.iter().filter(is_known).map(Sexp::to_string).collect();
        let ran = process::run(
            &z3,
            &["-in"],
            &Input::Bytes(lines.join("\n").as_bytes()),
            Duration::from_mins(1),
        )?;
        let words = corpus::words(&ran.stdout);
        if words == header.expect {
            passed += 1;
        } else if words.len() != header.expect.len() || words.iter().any(|word| word == "unknown") {
            // It reads another dialect or gives up: no opinion.
            println!("{}: z3 does not decide this: {words:?}", path.display());
        } else {
            failed += 1;
            println!(
                "{}: expected {:?}, z3 says {:?}\n{}",
                path.display(),
                header.expect,
                words,
                ran.stdout
            );
        }
    }
    println!("corpus: {passed} passed, {failed} failed");
    Ok(failed == 0)
}
