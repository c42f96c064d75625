//! Runs many scripts in one process of a solver and takes the output apart again.
//!
//! Starting a process costs more than most scripts, so some two hundred of them share one,
//! separated by an `echo` of a marker. If the process dies, stops at an error or exceeds its time,
//! the scripts whose output is complete are done; the others are run again, in smaller batches,
//! until the culprit is alone.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::process::{self, End, Input, Ran};

/// What a solver did with one script of a batch.
#[derive(Clone, Debug)]
pub(crate) enum Segment {
    /// Its output.
    Output(String),
    /// The process ended badly while it was at this script.
    Died(End, String),
}

/// A solver that is given files of scripts.
pub(crate) struct Solver {
    pub(crate) program: PathBuf,
    /// Arguments before the name of the file.
    pub(crate) arguments: Vec<String>,
    /// The file to write batches to.
    pub(crate) file: PathBuf,
    /// The time for a batch, and the time that each script adds to it.
    pub(crate) limit: Duration,
    pub(crate) limit_per_script: Duration,
}

impl Solver {
    /// The output for each of `scripts`, which must separate themselves from their predecessors.
    pub(crate) fn run(&self, scripts: &[String]) -> Result<Vec<Segment>, String> {
        let mut segments = Vec::with_capacity(scripts.len());
        // Each entry is the end of a batch; the scripts between it and those done are still to be
        // run.
        let mut ends = vec![scripts.len()];
        while let Some(end) = ends.pop() {
            let start = segments.len();
            if start >= end {
                continue;
            }
            let (outputs, ran) = self.run_together(&scripts[start..end])?;
            let complete = outputs.len();
            segments.extend(outputs.into_iter().map(Segment::Output));
            if start + complete == end {
                continue;
            }
            ends.push(end);
            let died = segments.len();
            if end - start == 1 {
                segments.push(Segment::Died(ran.end, last_lines(&ran.stderr)));
            } else {
                // The first script without output is the likely culprit, unless output was lost in
                // a buffer.
                ends.push(if complete > 0 { died + 1 } else { start + (end - start) / 2 });
            }
        }
        Ok(segments)
    }

    /// Removes the file of the last batch.
    pub(crate) fn clean(&self) {
        // There is none if nothing was run.
        std::fs::remove_file(&self.file).unwrap_or_default();
    }

    /// The outputs that are complete, and how the process ended.
    fn run_together(&self, scripts: &[String]) -> Result<(Vec<String>, Ran), String> {
        let mut text = String::new();
        for (i, script) in scripts.iter().enumerate() {
            writeln!(text, "(echo \"@{i}\")\n{script}").expect("a string takes everything");
        }
        process::write(&self.file, text.as_bytes())?;
        let mut arguments: Vec<&str> = self.arguments.iter().map(String::as_str).collect();
        let file = self.file.to_string_lossy();
        arguments.push(&file);
        let count = u32::try_from(scripts.len()).unwrap_or(u32::MAX);
        let limit = self.limit + self.limit_per_script * count;
        let ran = process::run(&self.program, &arguments, &Input::Nothing, limit)?;
        let mut outputs = take_apart(&ran.stdout);
        // Codes 0 to 2 are an answer or a reported error: then the last output is complete as well.
        let regular = matches!(ran.end, End::Code(0..=2));
        if !regular {
            outputs.pop();
        }
        if regular && outputs.is_empty() {
            return Err(format!(
                "{} says nothing: {}",
                self.program.display(),
                last_lines(&ran.stderr)
            ));
        }
        outputs.truncate(scripts.len());
        Ok((outputs, ran))
    }
}

/// Splits an output at the markers.
fn take_apart(output: &str) -> Vec<String> {
    let mut segments: Vec<String> = Vec::new();
    for line in output.lines() {
        let marker = line.trim_matches('"').strip_prefix('@');
        if marker.is_some_and(|number| number.parse() == Ok(segments.len())) {
            segments.push(String::new());
        } else if let Some(segment) = segments.last_mut() {
            segment.push_str(line);
            segment.push('\n');
        }
    }
    segments
}

fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(6)..].join("\n")
}

/// A solver in a scratch folder; `who` distinguishes threads, the process id runs at the same time.
pub(crate) fn solver(program: &Path, arguments: &[&str], folder: &Path, who: &str) -> Solver {
    Solver {
        program: program.to_path_buf(),
        arguments: arguments.iter().map(|a| (*a).to_owned()).collect(),
        file: folder.join(format!("{}-{who}.smt2", std::process::id())),
        limit: Duration::from_secs(10),
        limit_per_script: Duration::from_millis(100),
    }
}
