//! What reports are worth: nobody is trusted with a verdict.
//!
//! A report with a verdict counts if its evidence proves it to [`crate::verify`], by the clauses of
//! the text as the job says it is read; other endings have no evidence, and are believed. Several
//! reports are judged at the same time, on all processors, since a witness may take as long as
//! finding it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use shofar::ELSEWHERE;

use crate::blob;
use crate::clock;
use crate::digest::Digest;
use crate::failure::Failure;
use crate::hub::{Hub, HubError};
use crate::ledger::{Lemmas, Outcome};
use crate::message::{Content, Ending, LONGEST_ANSWER, Report};
use crate::patience::Patience;
use crate::reading::Reading;
use crate::verify::{Verified, verify};

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

/// Who judges.
#[derive(Clone)]
pub(crate) struct Judge<'j> {
    /// Where large witnesses are.
    pub hub: &'j dyn Hub,
    /// How long somebody waits for it.
    pub patience: Patience<'j>,
    /// How it is done.
    pub rules: Rules,
}

/// What a report is worth.
#[derive(Debug)]
pub(crate) enum Worth {
    /// This is what came of the job.
    Counts(Box<Outcome>),
    /// It is not true, or not proved, or about something else; this is why, and the worker that
    /// said it.
    Unusable { why: String, worker: String },
    /// Nobody waited for the validator.
    Unknown,
}

impl Judge<'_> {
    /// Judges a report by the text that `read` gives; its witness is written if it counts.
    /// `outcome` is what it says.
    pub(crate) fn weigh(
        &self,
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
        let Some(output) = self.output(report).map_err(|error| error.to_string())? else {
            let why = "its witness is damaged, missing or too long".to_owned();
            return Ok(Worth::Unusable { why, worker: report.worker.clone() });
        };
        let spec = &report.spec;
        let text = read().and_then(|text| Ok((text, Reading::new(&spec.language, &spec.options)?)));
        let (text, reading) = match text {
            Ok(text) => text,
            Err(_) if self.patience.is_over() => return Ok(Worth::Unknown),
            Err(why) => {
                let (answer, failure) = (REJECTED.to_owned(), Some(Failure::RejectedWitness));
                let rejected = Outcome { answer, failure, message: Some(why), ..outcome };
                return Ok(Worth::Counts(Box::new(rejected)));
            }
        };
        match verify(&reading, &text, answer, &output, self.rules.limit, self.patience) {
            Verified::Interrupted => Ok(Worth::Unknown),
            Verified::Rejected(why) => Ok(Worth::Unusable {
                why: format!("{} by {}: {why}", answer.word(), report.worker),
                worker: report.worker.clone(),
            }),
            Verified::Valid => {
                if let Some(folder) = &self.rules.witnesses {
                    outcome.witness = Some(keep(folder, &outcome.job, &output)?);
                }
                Ok(Worth::Counts(Box::new(outcome)))
            }
        }
    }
    /// What the solver printed; nothing if it is damaged or missing.
    fn output(&self, report: &Report) -> Result<Option<Vec<u8>>, HubError> {
        match &report.output {
            Content::Inline(packed) => Ok(blob::unpack(packed, LONGEST_ANSWER)),
            Content::Stored(digest) => {
                self.patience.with(|| blob::get(self.hub, digest, LONGEST_ANSWER))
            }
        }
    }
}

/// Judges each of `cases`, several at the same time, and gives the judgements to `take` one by one,
/// as they come. If that fails, nothing more is begun.
pub(crate) fn each<C: Sync, W: Send>(
    cases: &[C],
    judge: impl Fn(&C) -> W + Sync,
    mut take: impl FnMut(&C, W) -> Result<(), String>,
) -> Result<(), String> {
    if let [case] = cases {
        return take(case, judge(case));
    }
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..processors.min(cases.len()) {
            let (sender, next, judge) = (sender.clone(), &next, &judge);
            scope.spawn(move || {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::SeqCst)) {
                    // Nobody listens any more after a failure.
                    let _ = sender.send((case, judge(case)));
                }
            });
        }
        drop(sender);
        let taken = receiver.iter().try_for_each(|(case, worth)| take(case, worth));
        next.store(cases.len(), Ordering::SeqCst);
        taken
    })
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
pub(crate) fn blank(report: &Report, job: Digest) -> Outcome {
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
        failure: Failure::of_ending(report.ending, report.exit),
        wall: Duration::from_millis(report.wall).as_secs_f64(),
        cpu: Duration::from_millis(report.cpu).as_secs_f64(),
        memory: statistics.as_ref().and_then(|s| s.get("peak_memory_bytes")?.as_u64()),
        exit: report.exit,
        message: report.message.clone(),
        engine: engine.map(str::to_owned),
        worker: report.worker.clone(),
        version: report.version.clone(),
        ended: clock::utc(report.ended),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_judged_once_until_something_fails() {
        for count in [0, 1, 2, 50] {
            let (cases, mut seen): (Vec<usize>, _) = ((0..count).collect(), vec![0; count]);
            let done = each(
                &cases,
                |case| case * 2,
                |case, worth| {
                    assert_eq!(worth, case * 2);
                    seen[*case] += 1;
                    Ok(())
                },
            );
            assert_eq!((done, seen), (Ok(()), vec![1; count]));
        }
        let (cases, judged): (Vec<usize>, _) = ((0..1000).collect(), AtomicUsize::new(0));
        let judge = |_: &usize| {
            std::thread::sleep(Duration::from_millis(1));
            judged.fetch_add(1, Ordering::SeqCst);
        };
        assert_eq!(each(&cases, judge, |_, ()| Err("no".to_owned())), Err("no".to_owned()));
        assert!(judged.load(Ordering::SeqCst) < 900);
    }
}
