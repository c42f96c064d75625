//! The submitter's journal: what was submitted, and what has come back.
//!
//! The hub is a queue and may lose what it holds; the journal is what counts. A job is written
//! here, and on its way to the disk, before it goes to the hub; a result after it was validated and
//! its witness written. So whoever collects knows at any time what is open, and submits it again if
//! the hub knows nothing of it. One JSON object a line; a torn last line is dropped.
//!
//! | `"record"` | what |
//! |---|---|
//! | `job` | a problem with its options and limits; files of equal content are one job with several lines |
//! | `again` | a job was submitted again under another name, since its result was unusable |
//! | `retry` | a job that had a result without a verdict was submitted anew, perhaps with other limits |
//! | `result` | what came back, as it is printed |
//!
//! Invariant: a job has at most one result here, the one since its last retry. One process at a
//! time writes a journal; others may read it.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::failure::Failure;
use crate::message::Spec;
use crate::priority::Priority;

/// How every line begins.
const BEGINNING: &[u8] = b"{\"record\":";

/// A problem that was submitted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Submitted {
    /// The name of the job.
    pub job: Digest,
    /// The suite of the file.
    pub suite: String,
    /// What the file is called.
    pub file: String,
    /// Where it is.
    pub path: PathBuf,
    /// How urgent it is.
    #[serde(default)]
    pub priority: Priority,
    /// What is to be done.
    #[serde(flatten)]
    pub spec: Spec,
}

/// What came back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Outcome {
    /// The name of the job.
    pub job: Digest,
    /// The suite of the file.
    pub suite: String,
    /// What the file is called.
    pub file: String,
    /// Further files of the same content.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// `sat`, `unsat`, `unknown`, `timeout`, `memory`, `failed`, `crashed`, `withdrawn`, or
    /// `rejected` if a worker said something that is not true or not proved.
    pub answer: String,
    /// Why there is no verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// Seconds by the clock.
    pub wall: f64,
    /// Seconds on the processors.
    pub cpu: f64,
    /// Bytes of memory that the solver had at its peak, if it told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// The exit status, unless a signal ended the solver.
    pub exit: Option<i32>,
    /// What the solver complained about, or why there is no verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The engine that found it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// Who solved it.
    pub worker: String,
    /// The version of the worker's program.
    #[serde(default)]
    pub version: String,
    /// When, in UTC, by the worker's clock.
    #[serde(default)]
    pub ended: String,
    /// Which seat it was.
    pub seat: u32,
    /// How often it was tried.
    pub attempts: u32,
    /// The file with the answer and its witness.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<PathBuf>,
    /// What the seat told the others, and what it heard of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lemmas: Option<Lemmas>,
}

/// Lemmas that a seat exchanged with others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Lemmas {
    /// Those that it found, and told.
    pub sent: u64,
    /// Those of others that reached an engine; several engines may hear the same.
    pub heard: u64,
    /// Those that engines worked with.
    pub taken: u64,
    /// Those that are in the invariant that was found.
    pub used: u64,
}

/// A line of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "lowercase")]
enum Line {
    Job(Submitted),
    Again { job: Digest, run: String },
    Retry { job: Digest, priority: Priority, spec: Spec },
    Result(Outcome),
}

/// A job that has no result yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Open {
    /// The first file of its content.
    pub first: Submitted,
    /// What further ones are called.
    pub also: Vec<String>,
    /// How urgent it is now.
    pub priority: Priority,
    /// What is to be done now: the same, unless it was retried in another way.
    pub wanted: Spec,
    /// What is on the hub: that, but for its run if it had to be submitted again.
    pub spec: Spec,
    /// How often it was submitted again.
    pub again: u32,
    /// How often it was retried after it had a result.
    pub retries: u32,
}

impl Open {
    fn new(first: Submitted) -> Self {
        let (also, priority, spec) = (Vec::new(), first.priority, first.spec.clone());
        Self { first, also, priority, wanted: spec.clone(), spec, again: 0, retries: 0 }
    }
    /// Whether a user means this job by `name`: that of a file, or of the job here or on the hub.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        let files = [&self.first.file].into_iter().chain(&self.also);
        let mut names = files.map(String::as_str).chain([self.first.job.as_str()]);
        names.any(|own| own == name) || self.spec.job().as_str() == name
    }
}

/// A job with its result.
#[derive(Clone, Debug)]
struct Done {
    open: Open,
    outcome: Outcome,
}

/// The journal, open at its end.
#[derive(Debug)]
pub(crate) struct Ledger {
    path: PathBuf,
    /// Nothing if the journal is of no use after this process.
    file: Option<File>,
    open: BTreeMap<Digest, Open>,
    done: BTreeMap<Digest, Done>,
}

impl Ledger {
    /// Opens a journal, which may be new.
    pub(crate) fn open(path: &Path) -> Result<Self, String> {
        let explain = |error: io::Error| format!("{}: {error}", path.display());
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(explain)?;
        // Where a file system has no locks, nobody is kept away.
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            return Err(format!("{}: another process uses this journal", path.display()));
        }
        let (ledger, whole) = Self::parse(path)?;
        file.set_len(whole).map_err(explain)?;
        Ok(Self { file: Some(file), ..ledger })
    }
    /// Reads a journal that another process may be writing; what is done to it here is not written.
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        Self::parse(path).map(|(ledger, _)| ledger)
    }
    /// Reads the whole lines of a journal, and says where they end.
    fn parse(path: &Path) -> Result<(Self, u64), String> {
        let text = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let mut ledger = Self { path: path.to_owned(), ..Self::in_memory() };
        for (number, line) in text[..whole].split(|&byte| byte == b'\n').enumerate() {
            if line.is_empty() {
                continue;
            }
            let line = serde_json::from_slice(line)
                .map_err(|error| format!("{}: line {}: {error}", path.display(), number + 1))?;
            ledger.apply(line);
        }
        let torn = &text[whole..];
        let known = torn.len().min(BEGINNING.len());
        if torn[..known] != BEGINNING[..known] {
            return Err(format!("{}: this is no journal", path.display()));
        }
        Ok((ledger, whole as u64))
    }
    /// A journal that ends with this process.
    pub(crate) fn in_memory() -> Self {
        let (open, done) = (BTreeMap::new(), BTreeMap::new());
        Self { path: PathBuf::new(), file: None, open, done }
    }
    fn apply(&mut self, line: Line) {
        match line {
            Line::Job(submitted) => {
                if let Some(open) = self.open.get_mut(&submitted.job) {
                    open.also.push(submitted.file);
                } else if let Some(done) = self.done.get_mut(&submitted.job) {
                    done.open.also.push(submitted.file.clone());
                    done.outcome.also.push(submitted.file);
                } else {
                    self.open.insert(submitted.job.clone(), Open::new(submitted));
                }
            }
            Line::Again { job, run } => {
                if let Some(open) = self.open.get_mut(&job) {
                    open.spec.run = run;
                    open.again += 1;
                }
            }
            Line::Retry { job, priority, spec } => {
                if let Some(Done { open, .. }) = self.done.remove(&job) {
                    let (wanted, retries) = (spec.clone(), open.retries + 1);
                    let open = Open { priority, wanted, spec, again: 0, retries, ..open };
                    self.open.insert(job, open);
                }
            }
            Line::Result(mut outcome) => {
                if let Some(open) = self.open.remove(&outcome.job) {
                    let failure = Failure::of_answer(&outcome.answer, outcome.exit);
                    outcome.failure = outcome.failure.or(failure);
                    self.done.insert(outcome.job.clone(), Done { open, outcome });
                }
            }
        }
    }
    /// Writes a line, and follows it.
    fn write(&mut self, line: Line) -> Result<(), String> {
        if let Some(file) = &mut self.file {
            let mut text = serde_json::to_string(&line).map_err(|error| error.to_string())?;
            text.push('\n');
            let written = file.write_all(text.as_bytes());
            written.map_err(|error| format!("{}: {error}", self.path.display()))?;
        }
        self.apply(line);
        Ok(())
    }
    /// Adds a problem; says whether its content is new. A file that is known for its job is not
    /// added twice.
    pub(crate) fn submit(&mut self, submitted: Submitted) -> Result<bool, String> {
        let known = self.open.get(&submitted.job).map(|open| (&open.first.file, &open.also));
        let done = self.done.get(&submitted.job);
        let done = done.map(|done| (&done.open.first.file, &done.open.also));
        if let Some((first, also)) = known.or(done) {
            if *first != submitted.file && !also.contains(&submitted.file) {
                self.write(Line::Job(submitted))?;
            }
            return Ok(false);
        }
        self.write(Line::Job(submitted))?;
        Ok(true)
    }
    /// Notes that a job goes to the hub once more, under another name.
    pub(crate) fn submit_again(&mut self, job: &Digest) -> Result<(), String> {
        let Some(open) = self.open.get(job) else { return Ok(()) };
        let run = format!("{}+{}", open.wanted.run, open.again + 1);
        self.write(Line::Again { job: job.clone(), run })
    }
    /// Takes back the result of a job, which is to be done as `spec` says; its run becomes another
    /// one.
    pub(crate) fn retry(
        &mut self,
        job: &Digest,
        priority: Priority,
        spec: Spec,
    ) -> Result<(), String> {
        let Some(Done { open, .. }) = self.done.get(job) else { return Ok(()) };
        let run = format!("{}~{}", open.first.spec.run, open.retries + 1);
        self.write(Line::Retry { job: job.clone(), priority, spec: Spec { run, ..spec } })
    }
    /// Adds a result, which takes its job off the list.
    pub(crate) fn finish(&mut self, outcome: Outcome) -> Result<(), String> {
        if self.open.contains_key(&outcome.job) {
            self.write(Line::Result(outcome))?;
        }
        Ok(())
    }
    /// Makes sure that everything is on the disk.
    pub(crate) fn sync(&self) -> Result<(), String> {
        let Some(file) = &self.file else { return Ok(()) };
        file.sync_data().map_err(|error| format!("{}: {error}", self.path.display()))
    }
    /// What has no result, in the order of names.
    pub(crate) fn open_jobs(&self) -> impl Iterator<Item = &Open> {
        self.open.values()
    }
    /// A job, if it has no result.
    pub(crate) fn open_job(&self, job: &Digest) -> Option<&Open> {
        self.open.get(job)
    }
    /// How many jobs have no result.
    pub(crate) fn open_count(&self) -> usize {
        self.open.len()
    }
    /// What has come back.
    pub(crate) fn outcomes(&self) -> impl Iterator<Item = &Outcome> {
        self.done.values().map(|done| &done.outcome)
    }
    /// The jobs that have come back, each as it was before, with its result.
    pub(crate) fn done_jobs(&self) -> impl Iterator<Item = (&Open, &Outcome)> {
        self.done.values().map(|done| (&done.open, &done.outcome))
    }
}

#[cfg(test)]
mod tests {
    use shofar_bench::Measure;

    use super::*;

    fn submitted(file: &str, text: &str) -> Submitted {
        let spec = Spec {
            text: Digest::of(text.as_bytes()),
            language: "smt-lib".to_owned(),
            options: vec!["--engine=kind".to_owned()],
            milliseconds: 1500,
            measure: Measure::Wall,
            memory: None,
            seats: 1,
            attempts: 4,
            run: String::new(),
            version: "1".to_owned(),
        };
        let (suite, path, priority) = ("s".to_owned(), PathBuf::from(file), Priority::Normal);
        Submitted { job: spec.job(), suite, file: file.to_owned(), path, priority, spec }
    }
    fn outcome(submitted: &Submitted) -> Outcome {
        Outcome {
            job: submitted.job.clone(),
            suite: submitted.suite.clone(),
            file: submitted.file.clone(),
            also: Vec::new(),
            answer: "sat".to_owned(),
            failure: None,
            wall: 0.5,
            cpu: 0.25,
            memory: None,
            exit: Some(0),
            message: None,
            engine: None,
            worker: "w".to_owned(),
            version: "1".to_owned(),
            ended: String::new(),
            seat: 0,
            attempts: 1,
            witness: None,
            lemmas: None,
        }
    }
    /// A file that is removed in the end.
    struct Place(PathBuf);
    impl Place {
        fn new(name: &str) -> Self {
            let name = format!("shofar-ledger-{name}-{}", std::process::id());
            Self(std::env::temp_dir().join(name))
        }
    }
    impl Drop for Place {
        fn drop(&mut self) {
            let _ = fs::remove_file(&self.0);
        }
    }

    #[test]
    fn what_was_written_is_known_later() {
        let place = Place::new("later");
        let (a, b, same) = (submitted("a", "x"), submitted("b", "y"), submitted("c", "x"));
        let mut ledger = Ledger::open(&place.0).unwrap();
        assert!(ledger.submit(a.clone()).unwrap());
        assert!(ledger.submit(b.clone()).unwrap());
        assert!(!ledger.submit(same.clone()).unwrap());
        assert!(!ledger.submit(same).unwrap(), "it is known");
        ledger.finish(outcome(&b)).unwrap();
        ledger.finish(outcome(&b)).unwrap();
        ledger.submit_again(&a.job).unwrap();
        ledger.sync().unwrap();
        drop(ledger);
        // The power went off while a line was being written.
        let mut file = OpenOptions::new().append(true).open(&place.0).unwrap();
        file.write_all(b"{\"record\":\"result\",\"jo").unwrap();

        let ledger = Ledger::open(&place.0).unwrap();
        let open: Vec<&Open> = ledger.open_jobs().collect();
        assert_eq!((open.len(), ledger.open_count()), (1, 1));
        assert_eq!(
            (open[0].first.file.as_str(), open[0].also.clone()),
            ("a", vec!["c".to_owned()])
        );
        assert_eq!((open[0].spec.run.as_str(), open[0].again), ("+1", 1));
        assert_ne!(open[0].spec.job(), a.job);
        assert_eq!(ledger.outcomes().collect::<Vec<_>>(), [&outcome(&b)]);
        drop(ledger);
        assert_eq!(fs::read_to_string(&place.0).unwrap().lines().count(), 5);
        fs::write(&place.0, "nonsense\n").unwrap();
        assert!(Ledger::open(&place.0).unwrap_err().contains("line 1"));
    }

    #[test]
    fn a_retried_job_has_its_new_result_only() {
        let place = Place::new("retry");
        let (a, same) = (submitted("a", "x"), submitted("c", "x"));
        let mut ledger = Ledger::open(&place.0).unwrap();
        ledger.submit(a.clone()).unwrap();
        ledger.submit(same).unwrap();
        let timeout = Outcome { answer: "timeout".to_owned(), ..outcome(&a) };
        ledger.finish(timeout.clone()).unwrap();
        let longer = Spec { milliseconds: 9000, ..a.spec.clone() };
        ledger.retry(&a.job, Priority::High, longer).unwrap();
        assert_eq!((ledger.open_count(), ledger.outcomes().count()), (1, 0));
        ledger.submit_again(&a.job).unwrap();
        // The other process sees what this one has written, and may not write.
        let read = Ledger::read(&place.0).unwrap();
        let open = read.open_job(&a.job).unwrap();
        assert_eq!((open.spec.run.as_str(), open.spec.milliseconds), ("~1+1", 9000));
        assert_eq!((open.priority, open.also.clone()), (Priority::High, vec!["c".to_owned()]));
        for name in ["a", "c", a.job.as_str(), open.spec.job().as_str()] {
            assert!(open.is_called(name), "{name}");
        }
        assert!(!open.is_called("b"));
        ledger.finish(timeout).unwrap();
        ledger.retry(&a.job, Priority::Low, a.spec.clone()).unwrap();
        assert_eq!(ledger.open_job(&a.job).unwrap().spec.run, "~2");
        ledger.finish(outcome(&a)).unwrap();
        drop(ledger);
        let ledger = Ledger::open(&place.0).unwrap();
        let answers: Vec<&str> = ledger.outcomes().map(|o| o.answer.as_str()).collect();
        assert_eq!((answers, ledger.open_count()), (vec!["sat"], 0));
        assert_eq!(ledger.done_jobs().next().unwrap().0.retries, 2);
    }

    #[test]
    fn results_of_older_versions_get_their_failures() {
        let place = Place::new("older");
        let a = submitted("a", "x");
        let job = serde_json::to_string(&Line::Job(a.clone())).unwrap();
        let job = job.replace(",\"priority\":\"normal\"", "").replace(",\"version\":\"1\"", "");
        let result = format!(
            "{{\"record\":\"result\",\"job\":\"{}\",\"suite\":\"s\",\"file\":\"a\",\"answer\":\"memory\",\
             \"wall\":1.0,\"cpu\":1.0,\"exit\":0,\"worker\":\"w\",\"seat\":0,\"attempts\":1}}",
            a.job
        );
        fs::write(&place.0, format!("{job}\n{result}\n")).unwrap();
        let ledger = Ledger::open(&place.0).unwrap();
        let outcome = ledger.outcomes().next().unwrap();
        assert_eq!((outcome.failure, outcome.version.as_str()), (Some(Failure::Memout), ""));
    }

    #[test]
    fn one_process_at_a_time_writes() {
        let place = Place::new("lock");
        let ledger = Ledger::open(&place.0).unwrap();
        assert!(Ledger::open(&place.0).unwrap_err().contains("another process"));
        drop(ledger);
        assert!(Ledger::open(&place.0).is_ok());
    }

    #[test]
    fn what_is_no_journal_stays_as_it_is() {
        let place = Place::new("other");
        for text in ["(check-sat)", "x", "{\"recall\":", "{\"a\":1}\n(check-sat)"] {
            fs::write(&place.0, text).unwrap();
            assert!(Ledger::open(&place.0).is_err(), "{text}");
            assert_eq!(fs::read_to_string(&place.0).unwrap(), text);
        }
        fs::write(&place.0, "{\"rec").unwrap();
        assert!(Ledger::open(&place.0).is_ok());
    }
}
