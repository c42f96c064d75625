//! Whether a process grows: ten thousand rounds of push, check and pop through a pipe, its size
//! sampled on the way.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use super::incremental::{Growth, scopes};

/// Rounds after which the size is taken.
const SAMPLES: [usize; 4] = [1_000, 2_000, 5_000, 10_000];
/// The largest growth from the first sample to the last that is accepted.
const LIMIT: f64 = 1.5;

/// Feeds the rounds and prints the sizes; false if the process grows too much.
pub(super) fn run(shofar: &Path) -> Result<bool, String> {
    let mut fine = true;
    for (logic, sort) in [("QF_LRA", "Real"), ("QF_LIA", "Int")] {
        let script = scopes(logic, sort, SAMPLES[SAMPLES.len() - 1], Growth::None).script;
        let sizes = feed(shofar, &script)?;
        let (Some(first), Some(last)) = (sizes.first(), sizes.last()) else {
            return Err("the solver ended before the first sample".to_owned());
        };
        let growth = last / first;
        let cells: Vec<String> = SAMPLES
            .iter()
            .zip(&sizes)
            .map(|(round, size)| format!("{size:.1} MB after {round}"))
            .collect();
        let complete = sizes.len() == SAMPLES.len();
        fine &= growth <= LIMIT && complete;
        println!("memory {logic}: {}; growth {growth:.2} (at most {LIMIT})", cells.join(", "));
    }
    Ok(fine)
}

/// Megabytes of resident memory at each sample.
fn feed(shofar: &Path, script: &str) -> Result<Vec<f64>, String> {
    let mut child = Command::new(shofar)
        .args(["smt", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| error.to_string())?;
    let mut input = child.stdin.take().expect("stdin is piped");
    let mut output = BufReader::new(child.stdout.take().expect("stdout is piped")).lines();
    let (mut sizes, mut rounds) = (Vec::new(), 0);
    for line in script.lines() {
        if writeln!(input, "{line}").is_err() {
            break;
        }
        if line == "(check-sat)" {
            rounds += 1;
            // The answer must come before the next command is sent: the reader works command by
            // command.
            if input.flush().is_err() || output.next().is_none() {
                break;
            }
            if SAMPLES.contains(&rounds) {
                sizes.extend(resident(child.id()));
            }
        }
    }
    drop(input);
    child.wait().map_err(|error| error.to_string())?;
    Ok(sizes)
}

/// Resident memory of a process in megabytes.
fn resident(id: u32) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: f64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes / 1024.0)
}
