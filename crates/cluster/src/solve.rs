//! Solves one job: a process of this program for each, so a crash or too much memory costs one job.
//!
//! Options come from the hub. Only those are used that the command line knows as ones about solving; everything else about the
//! process, files and limits above all, is decided here. The process is on a leash: when this one is killed, it ends as well.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use shofar::FRONT_ENDS;
use shofar_bench::{Ended, Limits, Measure, Printed, WALL_PER_CPU, run_and_keep};

use crate::message::Job;
use crate::seats::strategy;

/// Seconds in which the solver may end by itself after its limit.
const GRACE: f64 = 1.0;
/// How much a solver may print.
const ROOM: usize = 64 << 20;
/// The process may be larger than the limit that it keeps by itself, by so many megabytes.
const SLACK: u64 = 64;

/// Who solves jobs.
pub(crate) trait Solving: Sync {
    /// Solves a job whose text is given; nothing if it was stopped, an error if it cannot be tried at all.
    fn solve(
        &self,
        job: &Job,
        text: &[u8],
        stop: &AtomicBool,
    ) -> Result<Option<(Ended, Printed)>, String>;
}

/// Processes of this program.
#[derive(Debug)]
pub(crate) struct Processes {
    executable: PathBuf,
    folder: PathBuf,
    /// Megabytes for each process, at most.
    memory: Option<u64>,
    /// Whether an option is one about solving.
    is_allowed: fn(&str) -> bool,
    /// How many files there have been: a job may be here twice.
    files: AtomicU64,
}

impl Processes {
    /// Processes that share a folder for texts, which is made and removed.
    pub(crate) fn new(memory: Option<u64>, is_allowed: fn(&str) -> bool) -> Result<Self, String> {
        let executable = std::env::current_exe()
            .map_err(|error| format!("cannot find out where this program is: {error}"))?;
        let folder = std::env::temp_dir().join(format!("shofar-worker-{}", std::process::id()));
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(Self { executable, folder, memory, is_allowed, files: AtomicU64::new(0) })
    }
    fn words(&self, job: &Job, file: &Path) -> Result<Vec<String>, String> {
        let spec = &job.spec;
        if let Some(word) = spec.options.iter().find(|word| !(self.is_allowed)(word)) {
            return Err(format!("the option {word} is not one about solving"));
        }
        let told = match spec.measure {
            Measure::Wall => spec.seconds(),
            Measure::Cpu => spec.seconds() * WALL_PER_CPU,
        };
        let mut words = vec![self.executable.to_string_lossy().into_owned()];
        words.extend(spec.options.iter().cloned());
        words.extend(strategy(&spec.options, job.seat));
        if let Some(memory) = self.megabytes(job) {
            words.push(format!("--memory={memory}"));
        }
        words.push(format!("--timeout={told}"));
        words.extend(["--witness=short", "--stats=json", "--leash"].map(str::to_owned));
        words.push(file.to_string_lossy().into_owned());
        Ok(words)
    }
    fn megabytes(&self, job: &Job) -> Option<u64> {
        job.spec.memory.into_iter().chain(self.memory).min()
    }
}

impl Drop for Processes {
    fn drop(&mut self) {
        // What cannot be removed is in the folder for temporary files anyway.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Solving for Processes {
    fn solve(
        &self,
        job: &Job,
        text: &[u8],
        stop: &AtomicBool,
    ) -> Result<Option<(Ended, Printed)>, String> {
        let language = FRONT_ENDS.iter().find(|known| known.name == job.spec.language);
        let Some(extension) = language.and_then(|language| language.extensions.first()) else {
            return Err(format!("the language {} is not known here", job.spec.language));
        };
        let number = self.files.fetch_add(1, Ordering::Relaxed);
        let file = self.folder.join(format!("{}-{number}.{extension}", job.key()));
        let words = self.words(job, &file)?;
        let explain = |error| format!("{}: {error}", file.display());
        fs::write(&file, text).map_err(explain)?;
        let limits = Limits {
            seconds: job.spec.seconds(),
            measure: job.spec.measure,
            grace: GRACE,
            memory: self.megabytes(job).map(|megabytes| (megabytes + SLACK) << 20),
        };
        let ended = run_and_keep(&words, limits, ROOM, stop).map_err(explain);
        // It is written anew if it is needed again.
        let _ = fs::remove_file(&file);
        ended
    }
}
