//! Takes jobs back that were submitted: their result on the hub says so.
//!
//! A result is written once, so whatever a worker finds later changes nothing; workers that are
//! solving the job are told, and look at the result before they believe it. A collector that waits
//! for the job receives the cancellation like any result.

use crate::digest::Digest;
use crate::hub::{Created, Hub, HubError, Store, Topic};
use crate::ledger::{Ledger, Open};
use crate::message::{Ending, Job, Report};
use crate::patience::Patience;
use crate::submit::entry;

/// What became of jobs that were to be cancelled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cancelled {
    /// The files whose jobs are cancelled.
    pub files: Vec<String>,
    /// Those that have a result on the hub already.
    pub late: Vec<String>,
}

/// Stores that a job is cancelled; says whether it had no result. `rounds` is how often it may have
/// been sent.
pub(crate) fn cancel(hub: &dyn Hub, open: &Open, rounds: u32) -> Result<Created, HubError> {
    let (spec, name) = (open.spec.clone(), String::new());
    let job = Job { spec, seat: 0, priority: open.priority, name };
    let report = Report::without_answer(&job, Ending::Withdrawn, "", "withdrawn by its submitter");
    let id: Digest = open.spec.job();
    let created = hub.create(Store::Results, id.as_str(), &report.encode())?;
    // Workers that do not hear it find the result when they are done.
    let _ = hub.tell(Topic::Cancel, id.as_str(), b"");
    // Workers step over entries that have a result, but thousands of them take a while.
    for seat in 0..open.spec.seats {
        let _ = hub.drop_entry(open.priority, &entry(&id, seat, rounds));
    }
    Ok(created)
}

/// Cancels the open jobs of a journal that are called so: by a file, or by the name of the job. If
/// one is not known, nothing is done.
pub(crate) fn cancel_all(
    hub: &dyn Hub,
    patience: Patience<'_>,
    ledger: &Ledger,
    names: &[String],
) -> Result<Cancelled, String> {
    let mut cancelled = Cancelled::default();
    for open in chosen(ledger, names)? {
        let created = patience.with(|| cancel(hub, open, open.again));
        let files = match created.map_err(|error| error.to_string())? {
            Created::New => &mut cancelled.files,
            Created::Exists => &mut cancelled.late,
        };
        files.push(open.first.file.clone());
    }
    Ok(cancelled)
}

/// The open jobs that are called so, each once.
pub(crate) fn chosen<'l>(ledger: &'l Ledger, names: &[String]) -> Result<Vec<&'l Open>, String> {
    for name in names {
        let is_done = |(open, _): (&Open, _)| open.is_called(name);
        if ledger.open_jobs().any(|open| open.is_called(name)) {
            continue;
        }
        return Err(if ledger.done_jobs().any(is_done) {
            format!("{name} has its result already")
        } else {
            format!("{name} is neither a file of the journal nor a job of it")
        });
    }
    let is_meant = |open: &&Open| names.iter().any(|name| open.is_called(name));
    Ok(ledger.open_jobs().filter(is_meant).collect())
}
