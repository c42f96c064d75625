//! `shofar bench --hub`: the files of a run are jobs of the cluster.
//!
//! Every run has a name of its own, so that everything is measured anew. A verdict counts after it was validated here; one that
//! does not pass is a failure of the solver. Files of equal content are one job, whose result counts for each of them.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use shofar_bench::{Answer, Elsewhere, Ended, Errand, News};

use crate::collect::{Collector, Rules};
use crate::digest::Digest;
use crate::hub::Hub;
use crate::ledger::{Ledger, Outcome};
use crate::message::Spec;
use crate::options;
use crate::patience::Patience;
use crate::submit::{ReadText, enter, send_jobs, spec_of};

/// Runs this program on the files of a suite, by the workers of a hub.
pub(crate) struct Remote<'r> {
    /// The hub.
    pub hub: &'r dyn Hub,
    /// How texts are read.
    pub read: ReadText<'r>,
    /// Whether an option is one about solving.
    pub is_allowed: fn(&str) -> bool,
    /// How long validating a witness may take.
    pub limit: Duration,
    /// How often a job is tried until it counts as crashed.
    pub attempts: u32,
}

impl Elsewhere for Remote<'_> {
    fn run(
        &self,
        errand: &Errand,
        interrupted: &AtomicBool,
        tell: &mut dyn FnMut(News) -> Result<(), String>,
    ) -> Result<(), String> {
        let patience = Patience::until(interrupted);
        let spec = Spec {
            text: Digest::of(b""),
            language: String::new(),
            options: options::whole(&errand.options, self.is_allowed)?,
            milliseconds: options::milliseconds(errand.timeout),
            measure: errand.measure,
            memory: errand.memory,
            seats: 1,
            attempts: self.attempts,
            run: run_name(),
        };
        let mut ledger = Ledger::in_memory();
        let mut places: BTreeMap<Digest, Vec<usize>> = BTreeMap::new();
        for (place, instance) in errand.instances.iter().enumerate() {
            let job = spec_of(instance, &(self.read)(&instance.path)?, &spec).job();
            places.entry(job).or_default().push(place);
        }
        let entered = enter(&mut ledger, &errand.instances, &spec, self.read)?;
        send_jobs(self.hub, patience.unless_full(), &ledger, &entered.jobs, self.read)?;
        let rules = Rules { limit: self.limit, witnesses: None };
        let mut collector = Collector::new(self.hub, patience, self.read, rules, ledger);
        // Both closures tell, and neither while the other does.
        let tell = std::cell::RefCell::new(tell);
        let mut paused = Ok(());
        let taken = collector.take_all(
            &mut |outcome| {
                for &place in places.get(&outcome.job).into_iter().flatten() {
                    (*tell.borrow_mut())(News::Result(place, ended(outcome)))?;
                }
                Ok(())
            },
            &mut || {
                let told = (*tell.borrow_mut())(News::Pause);
                paused = std::mem::replace(&mut paused, Ok(())).and(told);
            },
        );
        if patience.is_over() || taken.is_err() {
            collector.withdraw();
        }
        taken.and(paused)
    }
}

/// A result as a run on this machine would record it.
fn ended(outcome: &Outcome) -> Ended {
    let answers = [Answer::Sat, Answer::Unsat, Answer::Unknown, Answer::Timeout, Answer::Memory];
    let answer = answers.into_iter().find(|answer| answer.word() == outcome.answer);
    let lost = answer.is_none().then(|| {
        let why = outcome.message.as_deref().unwrap_or_default();
        format!("{}: {why}", outcome.answer)
    });
    Ended {
        answer: answer.unwrap_or(Answer::Failed),
        wall: outcome.wall,
        cpu: outcome.cpu,
        exit: outcome.exit,
        message: lost.or_else(|| outcome.message.clone()),
    }
}

/// A name that no other run has.
fn run_name() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("bench-{}-{}", now.as_nanos(), std::process::id())
}
