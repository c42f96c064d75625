//! Measures what cooperating instances of property-directed k-induction are good for:
//! `cargo xtask sharing LIST --suite lra-ts`.
//!
//! The four questions of [Bli22] §6.4 as one run of `shofar bench`, which prints solved, times and
//! pairwise comparisons:
//! 1. the portfolio of the default strategy beside the largest number of instances;
//! 2. the largest number of instances for every kind of sharing (`none`, `reach`, `induct`, `all`);
//! 3. all numbers of instances, sharing everything;
//! 4. one instance for each way to interpolate inequalities.

use std::path::PathBuf;
use std::process::Command;

use clap::Args;

/// What to measure.
#[derive(Args)]
pub(crate) struct Options {
    /// A list of problems as `shofar bench` takes it.
    list: PathBuf,
    /// The program.
    #[arg(long, value_name = "FILE", default_value = "target/release/shofar")]
    shofar: PathBuf,
    /// Only this suite (may be given several times).
    #[arg(long, value_name = "NAME")]
    suite: Vec<String>,
    /// Numbers of instances, in increasing order.
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "1,2,4,8")]
    instances: Vec<usize>,
    /// Seconds for each run.
    #[arg(long, value_name = "SECONDS", default_value_t = 5)]
    timeout: u64,
    /// Limit and compare CPU seconds of all instances together instead of the time by the clock.
    #[arg(long)]
    cpu: bool,
    /// Where results are kept, as JSON lines; a run that was stopped goes on.
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,
}

/// Ways to interpolate inequalities.
const INTERPOLANTS: [&str; 3] = ["farkas", "dual-farkas", "decomposed"];
/// Kinds of sharing.
const SHARING: [&str; 4] = ["none", "reach", "induct", "all"];

/// Runs all configurations on all problems.
pub(crate) fn run(options: &Options) -> Result<bool, String> {
    let mut bench = Command::new(&options.shofar);
    bench.arg("bench").arg(&options.list).arg("--without-shofar");
    bench.arg("--timeout").arg(options.timeout.to_string());
    if options.cpu {
        bench.arg("--cpu");
    }
    if let Some(results) = &options.results {
        bench.arg("--resume").arg("--json").arg(results);
    }
    for suite in &options.suite {
        bench.args(["--suite", suite]);
    }
    for (name, words) in configurations(&options.instances) {
        bench.args(["--against", &format!("{name}={{shofar}} {words} {{}}")]);
    }
    let status = bench.status().map_err(|error| format!("cannot run the program: {error}"))?;
    Ok(status.success())
}

/// Names and options of what is compared.
fn configurations(instances: &[usize]) -> Vec<(String, String)> {
    let one = |words: &str| format!("--engine pdkind {words}");
    let mut all = vec![("default".to_owned(), String::new())];
    for how in INTERPOLANTS {
        all.push((how.to_owned(), one(&format!("--pdkind-interpolants {how}"))));
    }
    let most = instances.iter().copied().max().unwrap_or(1);
    for &count in instances {
        for sharing in SHARING {
            if count == most || sharing == "all" && count > 1 {
                let words = format!("--instances {count} --share {sharing}");
                all.push((format!("p{count}-{sharing}"), one(&words)));
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_four_questions_are_asked() {
        let names: Vec<String> =
            configurations(&[1, 2, 4]).into_iter().map(|(name, _)| name).collect();
        let expected = [
            "default",
            "farkas",
            "dual-farkas",
            "decomposed",
            "p2-all",
            "p4-none",
            "p4-reach",
            "p4-induct",
            "p4-all",
        ];
        assert_eq!(names, expected);
    }
}
