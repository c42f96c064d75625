//! Submits problems: first to the journal, then to the hub.

use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use shofar::front_end_for;
use shofar_bench::Instance;

use crate::blob;
use crate::digest::Digest;
use crate::hub::{Hub, HubError};
use crate::ledger::{Ledger, Open, Submitted};
use crate::message::{Job, LONGEST_LINE, LONGEST_TEXT, Spec, seat_key, shorten};
use crate::patience::Patience;
use crate::priority::Priority;
use crate::reading::Reading;

/// How many jobs are on their way to the hub at the same time.
const SENDERS: usize = 8;
/// So many files that are refused are named.
const COMPLAINTS: usize = 5;

/// Reads the text of a problem, plain or compressed.
pub type ReadText<'r> = &'r (dyn Fn(&Path) -> Result<Vec<u8>, String> + Sync);

/// What became of problems that were submitted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Entered {
    /// Jobs that are new.
    pub jobs: Vec<Digest>,
    /// Files whose content is that of a job that is known.
    pub known: usize,
}

/// What is to be done about each file; `spec` says it, but for the text. If a file is refused, all
/// are, before anything is done.
pub(crate) fn specs(
    instances: &[Instance],
    spec: &Spec,
    read: ReadText<'_>,
) -> Result<Vec<Spec>, String> {
    let (mut specs, mut complaints) = (Vec::new(), Vec::new());
    for instance in instances {
        match spec_of(instance, spec, read) {
            Ok(spec) => specs.push(spec),
            Err(why) => complaints.push(why),
        }
    }
    if complaints.is_empty() {
        return Ok(specs);
    }
    let more = complaints.len().saturating_sub(COMPLAINTS);
    complaints.truncate(COMPLAINTS);
    let more = if more > 0 { format!("\n… and {more} more files") } else { String::new() };
    Err(complaints.join("\n") + &more)
}

/// What is to be done about a file: the language is that of the file, since not every text tells
/// its own. What cannot be read as the options say, or is not done by workers at all, is refused.
pub(crate) fn spec_of(
    instance: &Instance,
    spec: &Spec,
    read: ReadText<'_>,
) -> Result<Spec, String> {
    let text = read(&instance.path)?;
    if text.len() > LONGEST_TEXT {
        let (path, most) = (instance.path.display(), LONGEST_TEXT >> 20);
        return Err(format!("{path}: a text of more than {most} MB does not travel"));
    }
    let language = front_end_for(Some(&instance.path), &text).name.to_owned();
    Reading::new(&language, &spec.options)
        .map_err(|why| format!("{}: {why}", instance.path.display()))?;
    Ok(Spec { text: Digest::of(&text), language, ..spec.clone() })
}

/// Writes problems into the journal, each with what is to be done about it.
pub(crate) fn enter<'i>(
    ledger: &mut Ledger,
    priority: Priority,
    problems: impl IntoIterator<Item = (&'i Instance, Spec)>,
) -> Result<Entered, String> {
    let mut entered = Entered::default();
    for (instance, spec) in problems {
        let path = instance.path.canonicalize().unwrap_or_else(|_| instance.path.clone());
        let (suite, file) = (instance.suite.clone(), instance.name.clone());
        let job = spec.job();
        if ledger.submit(Submitted { job: job.clone(), suite, file, path, priority, spec })? {
            entered.jobs.push(job);
        } else {
            entered.known += 1;
        }
    }
    ledger.sync()?;
    Ok(entered)
}

/// Sends a job to the hub; `round` counts how often that was done, so that the hub does not take it
/// for the same.
pub(crate) fn send(
    hub: &dyn Hub,
    patience: Patience<'_>,
    open: &Open,
    text: &[u8],
    round: u32,
) -> Result<(), HubError> {
    patience.with(|| blob::put(hub, text))?;
    let id = open.spec.job();
    for seat in 0..open.spec.seats {
        let name = shorten(&open.first.file, LONGEST_LINE);
        let job = Job { spec: open.spec.clone(), seat, priority: open.priority, name };
        patience.with(|| hub.enqueue(open.priority, &entry(&id, seat, round), &job.encode()))?;
    }
    Ok(())
}

/// What a seat of a job is called in the queue.
pub(crate) fn entry(job: &Digest, seat: u32, round: u32) -> String {
    match round {
        0 => seat_key(job, seat),
        round => format!("{}-{round}", seat_key(job, seat)),
    }
}

/// The text of a job: that of its file if it has not changed, else that on the hub.
pub(crate) fn text_of(
    hub: &dyn Hub,
    patience: Patience<'_>,
    open: &Open,
    read: ReadText<'_>,
) -> Result<Vec<u8>, String> {
    let wanted = &open.spec.text;
    if let Ok(text) = read(&open.first.path)
        && Digest::of(&text) == *wanted
    {
        return Ok(text);
    }
    let stored = patience
        .with(|| blob::get(hub, wanted, LONGEST_TEXT))
        .map_err(|error| error.to_string())?;
    stored.ok_or_else(|| {
        format!("{}: the file has changed, and the hub has no copy", open.first.path.display())
    })
}

/// Sends jobs of the journal, several at a time, since most of the time is spent on waiting for the
/// hub. What cannot be sent is open, and sent again when the hub turns out not to know it.
pub(crate) fn send_jobs(
    hub: &dyn Hub,
    patience: Patience<'_>,
    ledger: &Ledger,
    jobs: &[Digest],
    read: ReadText<'_>,
) -> Result<(), String> {
    let open: Vec<&Open> = jobs.iter().filter_map(|job| ledger.open_job(job)).collect();
    let (next, failure) = (AtomicUsize::new(0), OnceLock::new());
    let send_next = || {
        while failure.get().is_none()
            && let Some(open) = open.get(next.fetch_add(1, Ordering::Relaxed))
        {
            let sent = text_of(hub, patience, open, read).and_then(|text| {
                send(hub, patience, open, &text, open.again).map_err(|error| error.to_string())
            });
            if let Err(why) = sent {
                // The first failure is told; others are of the same kind.
                let _ = failure.set(why);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..SENDERS.min(open.len()) {
            scope.spawn(send_next);
        }
    });
    failure.into_inner().map_or(Ok(()), Err)
}
