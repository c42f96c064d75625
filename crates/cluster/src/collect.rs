//! Collects results: reads, validates, writes.
//!
//! What the hub says is taken for what it is: bytes of others. A report counts if it is one, if it
//! is about the job that its name says, and, if it has a verdict, if the evidence proves it to
//! [`crate::verify`]. One that does not count is told of, and the job is submitted again under
//! another name; after [`TRIES`] of them the job ends as rejected. So a worker that lies costs
//! time.
//!
//! Results are read in the order in which they were stored, so each is seen once; what was there
//! before is looked up by name. When the queue of the hub is empty and jobs have no result, the hub
//! has lost them, and they are submitted again.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use shofar_base::Map;

use crate::blob;
use crate::cancel::cancel;
use crate::clock;
use crate::digest::Digest;
use crate::failure::Failure;
use crate::hub::{Entry, Hub, HubError, Store, Topic};
use crate::judge::{Judge, REJECTED, Rules, Worth, blank, each};
use crate::ledger::{Ledger, Open, Outcome};
use crate::message::{LONGEST_TEXT, Rejection, Report};
use crate::patience::Patience;
use crate::submit::{ReadText, send, text_of};

/// How long to wait for results before looking around.
const WAIT: Duration = Duration::from_secs(1);
/// How often to look whether the hub has lost something.
const LOOK: Duration = Duration::from_secs(5);
/// How often a job is submitted again because of an unusable result.
const TRIES: u32 = 2;
/// How many results are looked up at once.
const BATCH: usize = 64;
/// Collects the results of a journal.
pub(crate) struct Collector<'c> {
    judge: Judge<'c>,
    read: ReadText<'c>,
    ledger: Ledger,
    /// From the names of jobs on the hub to those in the journal.
    names: Map<String, Digest>,
    /// How often everything open was submitted.
    rounds: u32,
    /// Versions of workers that were told of, since they differ from those that jobs ask for.
    versions: BTreeSet<String>,
}

/// What somebody is told of.
pub(crate) type Tell<'t> = &'t mut dyn FnMut(&Outcome) -> Result<(), String>;

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
        let (judge, versions) = (Judge { hub, patience, rules }, BTreeSet::new());
        Self { judge, read, ledger, names, rounds: 0, versions }
    }
    /// The journal.
    pub(crate) fn ledger(&self) -> &Ledger {
        &self.ledger
    }
    /// Gives the journal back.
    #[cfg(test)]
    pub(crate) fn into_ledger(self) -> Ledger {
        self.ledger
    }
    fn hub(&self) -> &'c dyn Hub {
        self.judge.hub
    }
    fn patience(&self) -> Patience<'c> {
        self.judge.patience
    }
    /// Takes what is there.
    pub(crate) fn take_stored(&mut self, tell: Tell<'_>) -> Result<(), String> {
        let jobs: Vec<Open> = self.ledger.open_jobs().cloned().collect();
        for jobs in jobs.chunks(BATCH) {
            if self.patience().is_over() {
                break;
            }
            let name = |open: &Open| (Store::Results, open.spec.job().as_str().to_owned());
            let names: Vec<(Store, String)> = jobs.iter().map(name).collect();
            let stored = self.patience().with(|| self.hub().read_all(&names));
            let stored = stored.map_err(|error| error.to_string())?;
            let found = jobs.iter().cloned().zip(stored);
            let found = found.filter_map(|(open, bytes)| Some((open, bytes?)));
            self.take(&found.collect::<Vec<_>>(), tell)?;
        }
        Ok(())
    }
    /// Takes results until every job has one, or patience is over. `pause` is called now and then.
    pub(crate) fn take_all(
        &mut self,
        tell: Tell<'_>,
        pause: &mut dyn FnMut(),
    ) -> Result<(), String> {
        let last = |this: &Self| this.patience().with(|| this.hub().last_result());
        let mut place = last(self).map_err(|error| error.to_string())?;
        self.take_stored(tell)?;
        let mut looked = Instant::now();
        while self.ledger.open_count() > 0 && !self.patience().is_over() {
            match self.hub().results_after(place, WAIT) {
                Ok(entries) => {
                    place = entries.last().map_or(place, |entry| entry.place);
                    let reports = entries.into_iter().filter_map(|entry| self.wanted(entry));
                    let reports: Vec<_> = reports.collect();
                    self.take(&reports, tell)?;
                }
                Err(error) => {
                    tracing::warn!("hub: {error}; trying again");
                    self.patience().wait(WAIT / 4);
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
    /// The job that a result is about, if somebody waits for that.
    fn wanted(&self, entry: Entry) -> Option<(Open, Vec<u8>)> {
        let open = self.names.get(&entry.name).and_then(|job| self.ledger.open_job(job))?;
        Some((open.clone(), entry.value))
    }
    /// Submits again what the hub has lost.
    fn recover(&mut self, tell: Tell<'_>) -> Result<(), String> {
        if !self.hub().queue().is_ok_and(|queue| queue.is_empty()) {
            return Ok(());
        }
        self.take_stored(tell)?;
        let lost: Vec<Open> = self.ledger.open_jobs().cloned().collect();
        if lost.is_empty() || self.patience().is_over() {
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
    fn send(&mut self, open: &Open, tell: Tell<'_>) -> Result<(), String> {
        match text_of(self.hub(), self.patience(), open, self.read) {
            Ok(text) => {
                let round = open.again + self.rounds;
                let sent = send(self.hub(), self.patience(), open, &text, round);
                sent.map_err(|error| error.to_string())
            }
            Err(why) => self.finish(&rejected(open, &why), tell),
        }
    }
    fn finish(&mut self, outcome: &Outcome, tell: Tell<'_>) -> Result<(), String> {
        self.ledger.finish(outcome.clone())?;
        tell(outcome)
    }
    /// Takes results for what they are worth.
    pub(crate) fn take(
        &mut self,
        reports: &[(Open, Vec<u8>)],
        tell: Tell<'_>,
    ) -> Result<(), String> {
        let (judge, read) = (self.judge.clone(), self.read);
        let weigh = |(open, bytes): &(Open, Vec<u8>)| weigh(&judge, read, open, bytes);
        each(reports, weigh, |(open, _), worth| self.accept(open, worth?, tell))
    }
    fn accept(&mut self, open: &Open, worth: Worth, tell: Tell<'_>) -> Result<(), String> {
        // Of two results of a job the first one counts.
        if self.ledger.open_job(&open.first.job).is_none_or(|now| now.spec != open.spec) {
            return Ok(());
        }
        let outcome = match worth {
            Worth::Counts(outcome) => {
                self.compare_versions(&outcome, open);
                *outcome
            }
            Worth::Unusable { why, worker } => {
                tracing::error!("{}: a result is rejected: {why}", open.first.file);
                let rejection = Rejection { job: open.spec.job(), worker };
                // It is counted by those that watch, and nothing depends on it.
                let _ = self.hub().tell(Topic::Rejected, "all", &rejection.encode());
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
    /// Tells once of each version of workers that is not the one that a job asks for.
    fn compare_versions(&mut self, outcome: &Outcome, open: &Open) {
        let (theirs, wanted) = (&outcome.version, &open.spec.version);
        // A job that was withdrawn has no worker.
        if !outcome.worker.is_empty() && theirs != wanted && self.versions.insert(theirs.clone()) {
            tracing::warn!(
                "{}: {} runs version {theirs}, and the job was submitted by version {wanted}",
                outcome.file,
                outcome.worker
            );
        }
    }
    fn submit_again(&mut self, open: &Open, tell: Tell<'_>) -> Result<(), String> {
        let job = &open.first.job;
        self.ledger.submit_again(job)?;
        self.ledger.sync()?;
        let Some(open) = self.ledger.open_job(job).cloned() else { return Ok(()) };
        self.names.insert(open.spec.job().as_str().to_owned(), job.clone());
        self.send(&open, tell)
    }
    /// Cancels all open jobs.
    pub(crate) fn withdraw(&mut self) {
        for open in self.ledger.open_jobs() {
            // What cannot be withdrawn is solved for nobody.
            let _ = cancel(self.hub(), open, open.again + self.rounds);
        }
    }
}

/// What a result of a job is worth.
fn weigh(
    judge: &Judge<'_>,
    read: ReadText<'_>,
    open: &Open,
    bytes: &[u8],
) -> Result<Worth, String> {
    Ok(match Report::decode(bytes) {
        Ok(report) if report.spec == open.spec => {
            let mut outcome = blank(&report, open.first.job.clone());
            outcome.suite.clone_from(&open.first.suite);
            outcome.file.clone_from(&open.first.file);
            outcome.also.clone_from(&open.also);
            judge.weigh(&report, outcome, &|| text_of(judge.hub, judge.patience, open, read))?
        }
        Ok(report) => {
            Worth::Unusable { why: "it is about another job".to_owned(), worker: report.worker }
        }
        Err(why) => {
            Worth::Unusable { why: format!("it is not understood: {why}"), worker: String::new() }
        }
    })
}

/// Takes all results on a hub, whoever submitted them, until its queue is empty.
pub(crate) fn collect_everything(judge: &Judge<'_>, tell: Tell<'_>) -> Result<(), String> {
    let text = |error: HubError| error.to_string();
    let (hub, patience) = (judge.hub, judge.patience);
    let mut place = 0;
    loop {
        let queue = patience.with(|| hub.queue()).map_err(text)?;
        let entries = patience.with(|| hub.results_after(place, WAIT)).map_err(text)?;
        if entries.is_empty() && queue.is_empty() || patience.is_over() {
            return Ok(());
        }
        place = entries.last().map_or(place, |entry| entry.place);
        each(
            &entries,
            |entry| judge_alone(judge, entry),
            |_, outcome| outcome?.map_or(Ok(()), |outcome| tell(&outcome)),
        )?;
    }
}

/// Judges a result by the text that is on the hub; nothing if nobody waits for that, or if it is
/// none.
fn judge_alone(judge: &Judge<'_>, entry: &Entry) -> Result<Option<Outcome>, String> {
    let report = match Report::decode(&entry.value) {
        Ok(report) if report.spec.job().as_str() == entry.name => report,
        Ok(_) => {
            tracing::error!("{}: a result is about another job", entry.name);
            return Ok(None);
        }
        Err(why) => {
            tracing::error!("{}: a result is not understood: {why}", entry.name);
            return Ok(None);
        }
    };
    let read = || {
        let text = judge.patience.with(|| blob::get(judge.hub, &report.spec.text, LONGEST_TEXT));
        let text = text.map_err(|error| error.to_string())?;
        text.ok_or_else(|| "the text of the problem is not on the hub".to_owned())
    };
    let unjudged = blank(&report, report.spec.job());
    Ok(match judge.weigh(&report, unjudged.clone(), &read)? {
        Worth::Counts(outcome) => Some(*outcome),
        Worth::Unusable { why, .. } => {
            tracing::error!("{}: a result is rejected: {why}", report.name);
            let (answer, failure) = (REJECTED.to_owned(), Some(Failure::RejectedWitness));
            Some(Outcome { answer, failure, message: Some(why), ..unjudged })
        }
        Worth::Unknown => None,
    })
}

/// The end of a job whose results were all unusable.
fn rejected(open: &Open, why: &str) -> Outcome {
    Outcome {
        job: open.first.job.clone(),
        suite: open.first.suite.clone(),
        file: open.first.file.clone(),
        also: open.also.clone(),
        answer: REJECTED.to_owned(),
        failure: Some(Failure::RejectedWitness),
        wall: 0.0,
        cpu: 0.0,
        memory: None,
        exit: None,
        message: Some(why.to_owned()),
        engine: None,
        worker: String::new(),
        version: String::new(),
        ended: clock::utc(clock::now()),
        seat: 0,
        attempts: open.again + 1,
        witness: None,
        lemmas: None,
    }
}
