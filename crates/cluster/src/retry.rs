//! Has jobs solved anew whose results are no verdicts.
//!
//! A job that is retried keeps its place in the journal and loses its result; on the hub it has
//! another name, so what is stored there is not taken for the new result. It may get other limits
//! and options than it had.

use std::num::NonZeroU64;

use shofar_bench::{Measure, split_words};

use crate::arguments::SubmitArguments;
use crate::digest::Digest;
use crate::failure::Failure;
use crate::ledger::Ledger;
use crate::message::Spec;
use crate::options::{self, CommandLine};
use crate::priority::Priority;
use crate::reading::Reading;

/// What changes when a job is retried.
#[derive(Clone, Debug, Default)]
pub(crate) struct Changes {
    options: Option<Vec<String>>,
    milliseconds: Option<u64>,
    measure: Option<Measure>,
    memory: Option<u64>,
    seats: Option<u32>,
    attempts: Option<u32>,
    priority: Option<Priority>,
}

impl Changes {
    /// What the command line asks for; what it does not mention stays.
    pub(crate) fn new(arguments: &SubmitArguments, line: &dyn CommandLine) -> Result<Self, String> {
        let words = arguments.options.as_deref().map(split_words).transpose()?;
        Ok(Self {
            options: words.map(|words| options::whole(&words, line)).transpose()?,
            milliseconds: arguments.timeout.map(options::milliseconds),
            measure: arguments.cpu.then_some(Measure::Cpu),
            memory: arguments.memory.map(NonZeroU64::get),
            seats: arguments.seats,
            attempts: arguments.attempts,
            priority: arguments.priority,
        })
    }
    fn apply(&self, old: &Spec, version: &str) -> Spec {
        Spec {
            options: self.options.clone().unwrap_or_else(|| old.options.clone()),
            milliseconds: self.milliseconds.unwrap_or(old.milliseconds),
            measure: self.measure.unwrap_or(old.measure),
            memory: self.memory.or(old.memory),
            seats: self.seats.unwrap_or(old.seats),
            attempts: self.attempts.unwrap_or(old.attempts),
            version: version.to_owned(),
            ..old.clone()
        }
    }
}

/// Opens the jobs of a journal again that have one of these failures; `version` is that of this
/// program. If a change makes no sense for one of them, none is opened.
pub(crate) fn reopen(
    ledger: &mut Ledger,
    failures: &[Failure],
    changes: &Changes,
    version: &str,
) -> Result<Vec<Digest>, String> {
    let mut chosen = Vec::new();
    for (open, outcome) in ledger.done_jobs() {
        if !outcome.failure.is_some_and(|failure| failures.contains(&failure)) {
            continue;
        }
        let spec = changes.apply(&open.wanted, version);
        Reading::new(&spec.language, &spec.options)
            .map_err(|why| format!("{}: {why}", open.first.file))?;
        chosen.push((open.first.job.clone(), changes.priority.unwrap_or(open.priority), spec));
    }
    for (job, priority, spec) in &chosen {
        ledger.retry(job, *priority, spec.clone())?;
    }
    ledger.sync()?;
    Ok(chosen.into_iter().map(|(job, _, _)| job).collect())
}
