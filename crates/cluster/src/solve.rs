//! Solves one job: a process of this program for each, so a crash or too much memory costs one job.
//!
//! Options come from the hub. Only those are used that the command line knows as ones about solving; everything else about the
//! process, files and limits above all, is decided here. The process is on a leash: when this one is killed, it ends as well.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use shofar::FRONT_ENDS;
use shofar_bench::{Ended, Limits, Measure, Printed, WALL_PER_CPU, run_and_keep};

use crate::company::Company;
use crate::message::Job;
use crate::patience::SetAtEnd;
use crate::seats::strategy;
use crate::socket::carry;

/// Seconds in which the solver may end by itself after its limit.
const GRACE: f64 = 1.0;
/// How much a solver may print.
const ROOM: usize = 64 << 20;
/// The process may be larger than the limit that it keeps by itself, by so many megabytes.
const SLACK: u64 = 64;

/// Who solves jobs.
pub(crate) trait Solving: Sync {
    /// Solves a job whose text is given, perhaps with others on the same one; nothing if it was stopped, an error if it cannot be tried at
    /// all.
    fn solve(
        &self,
        job: &Job,
        text: &[u8],
        company: Option<&Company<'_>>,
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
    /// Processes that share a folder for texts and sockets, which is made and removed.
    pub(crate) fn new(memory: Option<u64>, is_allowed: fn(&str) -> bool) -> Result<Self, String> {
        let executable = std::env::current_exe()
            .map_err(|error| format!("cannot find out where this program is: {error}"))?;
        let folder = own_folder(&std::env::temp_dir())?;
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
        company: Option<&Company<'_>>,
        stop: &AtomicBool,
    ) -> Result<Option<(Ended, Printed)>, String> {
        let language = FRONT_ENDS.iter().find(|known| known.name == job.spec.language);
        let Some(extension) = language.and_then(|language| language.extensions.first()) else {
            return Err(format!("the language {} is not known here", job.spec.language));
        };
        let number = self.files.fetch_add(1, Ordering::Relaxed);
        let file = self.folder.join(format!("{}-{number}.{extension}", job.key()));
        let mut words = self.words(job, &file)?;
        let socket = self.folder.join(format!("{number}.socket"));
        let listener = company.and_then(|_| listen(&socket));
        if listener.is_some() {
            words.push(format!("--relay={}", socket.display()));
        }
        let explain = |error| format!("{}: {error}", file.display());
        fs::write(&file, text).map_err(explain)?;
        let limits = Limits {
            seconds: job.spec.seconds(),
            measure: job.spec.measure,
            grace: GRACE,
            memory: self.megabytes(job).map(|megabytes| (megabytes + SLACK) << 20),
        };
        let over = &AtomicBool::new(false);
        let ended = std::thread::scope(|scope| {
            if let (Some(company), Some(listener)) = (company, &listener) {
                scope.spawn(move || carry(listener, company, over));
            }
            let _end = SetAtEnd(over);
            run_and_keep(&words, limits, ROOM, stop).map_err(explain)
        });
        // What is needed again is made anew; a socket is there only if somebody listened.
        let _ = fs::remove_file(&file);
        let _ = fs::remove_file(&socket);
        ended
    }
}

/// A folder that nobody else may look into; one that is there is somebody else's.
fn own_folder(parent: &Path) -> Result<PathBuf, String> {
    let process = std::process::id();
    let mut error = None;
    for number in 0..100 {
        let folder = parent.join(format!("shofar-worker-{process}-{number}"));
        match DirBuilder::new().mode(0o700).create(&folder) {
            Ok(()) => return Ok(folder),
            Err(why) if why.kind() == io::ErrorKind::AlreadyExists => error = Some((folder, why)),
            Err(why) => return Err(format!("{}: {why}", folder.display())),
        }
    }
    let (folder, why) = error.expect("every number was tried");
    Err(format!("{}: {why}", folder.display()))
}

/// Listens for a solver; without that it works alone.
fn listen(socket: &Path) -> Option<UnixListener> {
    let listener = UnixListener::bind(socket);
    listener.inspect_err(|error| tracing::warn!("no lemmas: {}: {error}", socket.display())).ok()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn folders_are_our_own() {
        let parent = std::env::temp_dir().join(format!("shofar-folders-{}", std::process::id()));
        fs::create_dir_all(&parent).unwrap();
        let folders = [own_folder(&parent).unwrap(), own_folder(&parent).unwrap()];
        assert_ne!(folders[0], folders[1]);
        for folder in folders {
            assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
        }
        assert!(own_folder(&parent.join("nowhere")).is_err());
        fs::remove_dir_all(&parent).unwrap();
    }
}
