//! Solves one job: a process of this program for each, so a crash or too much memory costs one job.
//!
//! Options come from the hub. Only those are used that the command line knows as ones about
//! solving; everything else about the process, files and limits above all, is decided here. The
//! process is on a leash: when this one is killed, it ends as well.
//!
//! While a job is solved, the process of the next one is started, and stands by until there is one.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use shofar_bench::{Ended, Limits, Measure, Printed, Started, WALL_PER_CPU};

use crate::company::Company;
use crate::message::{Job, LONGEST_ANSWER};
use crate::options::CommandLine;
use crate::patience::SetAtEnd;
use crate::reading::Reading;
use crate::seats::strategy;
use crate::socket::carry;

/// Seconds in which the solver may end by itself after its limit.
const GRACE: f64 = 1.0;
/// The process may be larger than the limit that it keeps by itself, by so many megabytes.
const SLACK: u64 = 64;
/// What a process is started with that waits for its job.
const STAND_BY: &str = "stand-by";

/// Who solves jobs.
pub(crate) trait Solving: Sync {
    /// Solves a job whose text is given, perhaps with others on the same one; nothing if it was
    /// stopped, an error if it cannot be tried at all.
    fn solve(
        &self,
        job: &Job,
        text: &[u8],
        company: Option<&Company<'_>>,
        stop: &AtomicBool,
    ) -> Result<Option<(Ended, Printed)>, String>;
}

/// Processes of this program.
pub(crate) struct Processes<'p> {
    executable: PathBuf,
    folder: PathBuf,
    /// Megabytes for each process, at most.
    memory: Option<u64>,
    /// What is known about options.
    line: &'p dyn CommandLine,
    /// How many files there have been: a job may be here twice.
    files: AtomicU64,
    /// Those who wait for a job.
    ready: Mutex<Vec<Started>>,
    /// How many these are, at most.
    most_ready: usize,
}

impl<'p> Processes<'p> {
    /// Processes for so many jobs at the same time, which share a folder for texts and sockets,
    /// which is made and removed.
    pub(crate) fn new(
        memory: Option<u64>,
        jobs: u32,
        line: &'p dyn CommandLine,
    ) -> Result<Self, String> {
        let executable = std::env::current_exe()
            .map_err(|error| format!("cannot find out where this program is: {error}"))?;
        let folder = own_folder(&std::env::temp_dir()).map_err(|why| {
            format!("{why}; a worker needs room for temporary files, in TMPDIR or /tmp")
        })?;
        let most_ready = usize::try_from(jobs).unwrap_or(usize::MAX);
        let (files, ready) = (AtomicU64::new(0), Mutex::default());
        let this = Self { executable, folder, memory, line, files, ready, most_ready };
        for _ in 0..jobs {
            this.prepare();
        }
        Ok(this)
    }
    fn words(&self, job: &Job, file: &Path) -> Result<Vec<String>, String> {
        let spec = &job.spec;
        let is_refused = |word: &&String| !self.line.is_about_solving(word);
        if let Some(word) = spec.options.iter().find(is_refused) {
            return Err(format!("the option {word} is not one about solving"));
        }
        let told = match spec.measure {
            Measure::Wall => spec.seconds(),
            Measure::Cpu => spec.seconds() * WALL_PER_CPU,
        };
        let mut words = spec.options.clone();
        words.extend(strategy(spec, job.seat));
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
    /// Processes are put here whole, so a thread that panicked did no harm.
    fn ready(&self) -> MutexGuard<'_, Vec<Started>> {
        self.ready.lock().unwrap_or_else(PoisonError::into_inner)
    }
    /// Starts a process that waits for its job.
    fn start(&self) -> io::Result<Started> {
        Started::new(&[self.executable.to_string_lossy().into_owned(), STAND_BY.to_owned()])
    }
    /// Has one more process stand by, unless there are enough.
    fn prepare(&self) {
        if self.ready().len() >= self.most_ready {
            return;
        }
        match self.start() {
            Ok(process) => self.ready().push(process),
            // It is tried again when there is a job.
            Err(error) => tracing::debug!("nobody stands by: {error}"),
        }
    }
    /// A process that works on this command line. Somebody may have ended those who stood by.
    fn process(&self, words: &[String], limits: Limits) -> io::Result<Started> {
        let mut line: Vec<u8> =
            words.iter().flat_map(|word| [word.as_bytes(), b"\0"].concat()).collect();
        line.push(0);
        loop {
            let waiting = self.ready().pop();
            let is_new = waiting.is_none();
            let mut process = waiting.map_or_else(|| self.start(), Ok)?;
            match process.ask(limits, &line) {
                Ok(()) => return Ok(process),
                Err(error) if is_new => return Err(error),
                Err(error) => tracing::debug!("who stood by has ended: {error}"),
            }
        }
    }
}

impl Drop for Processes<'_> {
    fn drop(&mut self) {
        // What cannot be removed is in the folder for temporary files anyway.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Solving for Processes<'_> {
    fn solve(
        &self,
        job: &Job,
        text: &[u8],
        company: Option<&Company<'_>>,
        stop: &AtomicBool,
    ) -> Result<Option<(Ended, Printed)>, String> {
        let extension = Reading::new(&job.spec.language, &job.spec.options)?.extension();
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
            let process = self.process(&words, limits).map_err(explain)?;
            self.prepare();
            process.run(limits, LONGEST_ANSWER, stop).map_err(explain)
        });
        // What is needed again is made anew; a socket is there only if somebody listened.
        let _ = fs::remove_file(&file);
        let _ = fs::remove_file(&socket);
        // Where the text was here means nothing to the submitter.
        let (here, there) = (file.to_string_lossy(), &job.name);
        ended.map(|solved| {
            solved.map(|(ended, printed)| {
                let message = ended.message.map(|message| message.replace(&*here, there));
                (Ended { message, ..ended }, printed)
            })
        })
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
