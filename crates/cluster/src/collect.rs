//! Collects results: reads, validates, writes.
//!
//! What the hub says is taken for what it is: bytes of others. A report counts if it is one, if it is about the job that its
//! name says, and, if it has a verdict, if the evidence proves it to [`crate::verify`]. One that does not count is told of, and
//! the job is submitted again under another name; after [`TRIES`] of them the job ends as rejected. So a worker that lies costs time.
//!
//! Results are read in the order in which they were stored, so each is seen once; what was there before is looked up by name.
//! When the queue of the hub is empty and jobs have no result, the hub has lost them, and they are submitted again.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use shofar::ELSEWHERE;
use shofar_base::Map;

use crate::blob;
use crate::digest::Digest;
use crate::hub::{Hub, HubError, Store, Topic};
use crate::ledger::{Ledger, Lemmas, Open, Outcome};
use crate::message::{Content, Ending, Job, Report};
use crate::patience::Patience;
use crate::submit::{ReadText, entry, send, text_of};
use crate::verify::{Verified, verify};

/// How long to wait for results before looking around.
const WAIT: Duration = Duration::from_secs(1);
/// How often to look whether the hub has lost something.
const LOOK: Duration = Duration::from_secs(5);
/// How often a job is submitted again because of an unusable result.
const TRIES: u32 = 2;
/// What is said of a job whose results were all unusable.
pub(crate) const REJECTED: &str = "rejected";

/// How a report is judged.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules {
    /// How long validating a witness may take.
    pub limit: Duration,
    /// Where witnesses are written, if anywhere.
    pub witnesses: Option<PathBuf>,
}

/// Collects the results of a journal.
pub(crate) struct Collector<'c> {
    hub: &'c dyn Hub,
    patience: Patience<'c>,
    read: ReadText<'c>,
    rules: Rules,
    ledger: Ledger,
    /// From the names of jobs on the hub to those in the journal.
    names: Map<String, Digest>,
    /// How often everything open was submitted.
    rounds: u32,
}

/// What a report is worth.
enum Worth {
    Counts(Box<Outcome>),
    Unusable(String),
    /// Nobody waited for the validator.
    Unknown,
}

impl<'c> Collector<'c> {
    /// A collector for the jobs of a journal.
    pub(crate) fn new(
        hub: &'c dyn Hub,
        patience: Patience<'c>,
        read: ReadText<'c>,
        rules: Rules,
        ledger: Ledger,
    ) -> Self {
        let mut names = Map::default();
        for open in ledger.open_jobs() {
            names.insert(open.spec.job().as_str().to_owned(), open.first.job.clone());
        }
        Self { hub, patience, read, rules, ledger, names, rounds: 0 }
    }
    /// The journal.
    pub(crate) fn ledger(&self) -> &Ledger {
        &self.ledger
    }
    /// Takes what is there.
    pub(crate) fn take_stored(
        &mut self,
        tell: &mut dyn FnMut(&Outcome) -> Result<(), String>,
    ) -> Result<(), String> {
        let jobs: Vec<Open> = self.ledger.open_jobs().cloned().collect();
        for open in jobs {
            if self.patience.is_over() {
                break;
            }
            let name = open.spec.job();
            let stored = self.patience.with(|| self.hub.read(Store::Results, name.as_str()));
            if let Some(bytes) = stored.map_err(|error| error.to_string())? {
                self.take(&open, &bytes, tell)?;
            }
        }
        Ok(())
    }
    /// Takes results until every job has one, or patience is over. `pause` is called now and then.
    pub(crate) fn take_all(
        &mut self,
        tell: &mut dyn FnMut(&Outcome) -> Result<(), String>,
        pause: &mut dyn FnMut(),
    ) -> Result<(), String> {
        let last = |this: &Self| this.patience.with(|| this.hub.last_result());
        let mut place = last(self).map_err(|error| error.to_string())?;
        self.take_stored(tell)?;
        let mut looked = Instant::now();
        while self.ledger.open_count() > 0 && !self.patience.is_over() {
            match self.hub.results_after(place, WAIT) {
                Ok(entries) => {
                    for entry in entries {
                        place = entry.place;
                        let job = self.names.get(&entry.name);
                        let open = job.and_then(|job| self.ledger.open_job(job)).cloned();
                        if let Some(open) = open {
                            self.take(&open, &entry.value, tell)?;
                        }
                    }
                }
                Err(error) => {
                    tracing::warn!("hub: {error}; trying again");
                    self.patience.wait(WAIT / 4);
                }
            }
            pause();
            if looked.elapsed() >= LOOK {
                looked = Instant::now();
                // A hub that began anew counts anew.
                place = place.min(last(self).map_err(|error| error.to_string())?);
                self.recover(tell)?;
            }
        }
        Ok(())
    }
    /// Submits again what the hub has lost.
    fn recover(
        &mut self,
        tell: &mut dyn FnMut(&Outcome) -> Result<(), String>,
    ) -> Result<(), String> {
        if !self.hub.queue().is_ok_and(|queue| queue.open == 0) {
            return Ok(());
        }
        self.take_stored(tell)?;
        let lost: Vec<Open> = self.ledger.open_jobs().cloned().collect();
        if lost.is_empty() || self.patience.is_over() {
            return Ok(());
        }
        self.rounds += 1;
        tracing::warn!("the hub has lost {} jobs; they are submitted again", lost.len());
        for open in &lost {
            self.send(open, tell)?;
        }
        Ok(())
    }
    /// Sends a job once more; if nobody has its text any more, it is rejected.
    fn send(
        &mut self,
        open: &Open,
        tell: &mut dyn FnMut(&Outcome) -> Result<(), String>,
    ) -> Result<(), String> {
        match text_of(self.hub, self.patience, open, self.read) {
            Ok(text) => {
                let sent = send(self.hub, self.patience, open, &text, open.again + self.rounds);
                sent.map_err(|error| error.to_string())
            }
            Err(why) => self.finish(&rejected(open, &why), tell),
        }
    }
    fn finish(
        &mut self,
        outcome: &Outcome,
        tell: &mut dyn FnMut(&Outcome) -> Result<(), String>,
    ) -> Result<(), String> {
        self.ledger.finish(outcome.clone())?;
        tell(outcome)
    }
    /// Takes a result for what it is worth.
    pub(crate) fn take(
        &mut self,
        open: &Open,
        bytes: &[u8],
        tell: &mut dyn FnMut(&Outcome) -> Result<(), String>,
    ) -> Result<(), String> {
        let read = || text_of(self.hub, self.patience, open, self.read);
        let worth = match Report::decode(bytes) {
            Ok(report) if report.spec == open.spec => {
                let mut outcome = blank(&report, open.first.job.clone());
                outcome.suite.clone_from(&open.first.suite);
                outcome.file.clone_from(&open.first.file);
                outcome.also.clone_from(&open.also);
                weigh(self.hub, self.patience, &self.rules, &report, outcome, &read)?
            }
            Ok(_) => Worth::Unusable("it is about another job".to_owned()),
            Err(why) => Worth::Unusable(format!("it is not understood: {why}")),
        };
        let outcome = match worth {
            Worth::Counts(outcome) => *outcome,
            Worth::Unusable(why) => {
                tracing::error!("{}: a result is rejected: {why}", open.first.file);
                if open.again < TRIES {
                    return self.submit_again(open, tell);
                }
                rejected(open, &why)
            }
            // It is judged when somebody collects again.
            Worth::Unknown => return Ok(()),
        };
        self.finish(&outcome, tell)
    }
    fn submit_again(
        &mut self,
        open: &Open,
        tell: &mut dyn FnMut(&Outcome) -> Result<(), String>,
    ) -> Result<(), String> {
        let job = &open.first.job;
        self.ledger.submit_again(job)?;
        self.ledger.sync()?;
        let Some(open) = self.ledger.open_job(job).cloned() else { return Ok(()) };
        self.names.insert(open.spec.job().as_str().to_owned(), job.clone());
        self.send(&open, tell)
    }
    /// Says that nobody wants to know the open jobs any more, so workers drop them.
    pub(crate) fn withdraw(&mut self) {
        for open in self.ledger.open_jobs() {
            let job = Job { spec: open.spec.clone(), seat: 0, name: String::new() };
            let report = Report::without_answer(&job, Ending::Withdrawn, "", "withdrawn");
            let id = open.spec.job();
            // What cannot be withdrawn is solved for nobody.
            let _ = self.hub.create(Store::Results, id.as_str(), &report.encode());
            let _ = self.hub.tell(Topic::Cancel, id.as_str(), b"");
            // Workers step over entries that have a result, but thousands of them take a while.
            for seat in 0..open.spec.seats {
                let _ = self.hub.drop_entry(&entry(&id, seat, open.again + self.rounds));
            }
        }
    }
}

/// Takes all results on a hub, whoever submitted them, until its queue is empty.
pub(crate) fn collect_everything(
    hub: &dyn Hub,
    patience: Patience<'_>,
    rules: &Rules,
    tell: &mut dyn FnMut(&Outcome) -> Result<(), String>,
) -> Result<(), String> {
    let text = |error: HubError| error.to_string();
    let mut place = 0;
    loop {
        let queue = patience.with(|| hub.queue()).map_err(text)?;
        let entries = patience.with(|| hub.results_after(place, WAIT)).map_err(text)?;
        if entries.is_empty() && queue.open == 0 || patience.is_over() {
            return Ok(());
        }
        for entry in entries {
            place = entry.place;
            match Report::decode(&entry.value) {
                Ok(report) if report.spec.job().as_str() == entry.name => {
                    let outcome = blank(&report, report.spec.job());
                    if let Some(outcome) = judge_alone(hub, patience, rules, &report, outcome)? {
                        tell(&outcome)?;
                    }
                }
                Ok(_) => tracing::error!("{}: a result is about another job", entry.name),
                Err(why) => tracing::error!("{}: a result is not understood: {why}", entry.name),
            }
        }
    }
}

/// Judges a report by the text that is on the hub; nothing if nobody waits for that.
fn judge_alone(
    hub: &dyn Hub,
    patience: Patience<'_>,
    rules: &Rules,
    report: &Report,
    outcome: Outcome,
) -> Result<Option<Outcome>, String> {
    let read = || {
        let text = patience.with(|| blob::get(hub, &report.spec.text));
        let text = text.map_err(|error| error.to_string())?;
        text.ok_or_else(|| "the text of the problem is not on the hub".to_owned())
    };
    let unjudged = outcome.clone();
    Ok(match weigh(hub, patience, rules, report, outcome, &read)? {
        Worth::Counts(outcome) => Some(*outcome),
        Worth::Unusable(why) => {
            tracing::error!("{}: a result is rejected: {why}", report.name);
            Some(Outcome { answer: REJECTED.to_owned(), message: Some(why), ..unjudged })
        }
        Worth::Unknown => None,
    })
}

/// Validates a report; its witness is written if it counts.
fn weigh(
    hub: &dyn Hub,
    patience: Patience<'_>,
    rules: &Rules,
    report: &Report,
    mut outcome: Outcome,
    read: &dyn Fn() -> Result<Vec<u8>, String>,
) -> Result<Worth, String> {
    let answer = match report.ending {
        Ending::Answered(answer) if answer.is_verdict() => answer,
        Ending::Answered(_) | Ending::Crashed | Ending::Withdrawn => {
            return Ok(Worth::Counts(Box::new(outcome)));
        }
    };
    let output = match &report.output {
        Content::Inline(packed) => blob::unpack(packed),
        Content::Stored(digest) => {
            let stored = patience.with(|| blob::get(hub, digest));
            stored.map_err(|error| error.to_string())?
        }
    };
    let Some(output) = output else {
        return Ok(Worth::Unusable("its witness is damaged or missing".to_owned()));
    };
    let text = match read() {
        Ok(text) => text,
        Err(_) if patience.is_over() => return Ok(Worth::Unknown),
        Err(why) => {
            let answer = REJECTED.to_owned();
            let rejected = Outcome { answer, message: Some(why), ..outcome };
            return Ok(Worth::Counts(Box::new(rejected)));
        }
    };
    match verify(&report.spec.language, &text, answer, &output, rules.limit, patience) {
        Verified::Interrupted => Ok(Worth::Unknown),
        Verified::Rejected(why) => {
            Ok(Worth::Unusable(format!("{} by {}: {why}", answer.word(), report.worker)))
        }
        Verified::Valid => {
            if let Some(folder) = &rules.witnesses {
                outcome.witness = Some(keep(folder, &outcome.job, &output)?);
            }
            Ok(Worth::Counts(Box::new(outcome)))
        }
    }
}

/// Writes a witness, whole or not at all.
fn keep(folder: &Path, job: &Digest, output: &[u8]) -> Result<PathBuf, String> {
    let path = folder.join(format!("{job}.txt"));
    let fresh = path.with_added_extension("new");
    let written = fs::create_dir_all(folder)
        .and_then(|()| fs::write(&fresh, output))
        .and_then(|()| fs::rename(&fresh, &path));
    written.map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(path)
}

/// What a report says, before its evidence was looked at.
fn blank(report: &Report, job: Digest) -> Outcome {
    let statistics = report.statistics.as_deref();
    let statistics: Option<serde_json::Value> =
        statistics.and_then(|line| serde_json::from_str(line).ok());
    let engine = statistics.as_ref().and_then(|s| s.get("engine")?.as_str());
    Outcome {
        job,
        suite: String::new(),
        file: report.name.clone(),
        also: Vec::new(),
        answer: report.ending.word().to_owned(),
        wall: Duration::from_millis(report.wall).as_secs_f64(),
        cpu: Duration::from_millis(report.cpu).as_secs_f64(),
        exit: report.exit,
        message: report.message.clone(),
        engine: engine.map(str::to_owned),
        worker: report.worker.clone(),
        seat: report.seat,
        attempts: report.attempts,
        witness: None,
        lemmas: statistics.as_ref().filter(|_| report.spec.seats > 1).map(lemmas),
    }
}

/// What the solver counted of lemmas that went to other seats, or came from them.
fn lemmas(statistics: &serde_json::Value) -> Lemmas {
    let mut lemmas = Lemmas::default();
    for (key, count) in statistics.as_object().into_iter().flatten() {
        let Some((from, to)) = key.strip_prefix("exchange_").and_then(|key| key.split_once("_to_"))
        else {
            continue;
        };
        let (is_heard, is_told) = (from.starts_with(ELSEWHERE), to.starts_with(ELSEWHERE));
        let count = count.as_u64().unwrap_or_default();
        let what = to.rsplit('_').next().unwrap_or_default();
        let sum = match what {
            "sent" if is_told => &mut lemmas.sent,
            "sent" if is_heard => &mut lemmas.heard,
            "taken" if is_heard => &mut lemmas.taken,
            "used" if is_heard => &mut lemmas.used,
            _ => continue,
        };
        *sum = sum.saturating_add(count);
    }
    lemmas
}

/// The end of a job whose results were all unusable.
fn rejected(open: &Open, why: &str) -> Outcome {
    Outcome {
        job: open.first.job.clone(),
        suite: open.first.suite.clone(),
        file: open.first.file.clone(),
        also: open.also.clone(),
        answer: REJECTED.to_owned(),
        wall: 0.0,
        cpu: 0.0,
        exit: None,
        message: Some(why.to_owned()),
        engine: None,
        worker: String::new(),
        seat: 0,
        attempts: open.again + 1,
        witness: None,
        lemmas: None,
    }
}
