//! `shofar bench --hub`: the files of a run are jobs of the cluster.
//!
//! Every run has a name of its own, so that everything is measured anew. A verdict counts after it
//! was validated here; one that does not pass is a failure of the solver, and so is a file that no
//! worker takes. Files of equal content are one job, whose result counts for each of them.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use shofar_bench::{Answer, Elsewhere, Ended, Errand, News};

use crate::collect::Collector;
use crate::digest::Digest;
use crate::hub::Hub;
use crate::judge::Rules;
use crate::ledger::{Ledger, Outcome};
use crate::message::Spec;
use crate::options::{self, CommandLine};
use crate::patience::Patience;
use crate::priority::Priority;
use crate::submit::{ReadText, enter, send_jobs, spec_of};

/// Runs this program on the files of a suite, by the workers of a hub.
pub(crate) struct Remote<'r> {
    /// The hub.
    pub hub: &'r dyn Hub,
    /// How texts are read.
    pub read: ReadText<'r>,
    /// What is known about options.
    pub line: &'r dyn CommandLine,
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
            options: options::whole(&errand.options, self.line)?,
            milliseconds: options::milliseconds(errand.timeout),
            measure: errand.measure,
            memory: errand.memory,
            seats: 1,
            attempts: self.attempts,
            run: run_name(),
            version: self.line.version().to_owned(),
        };
        let mut ledger = Ledger::in_memory();
        let mut places: BTreeMap<Digest, Vec<usize>> = BTreeMap::new();
        let mut problems = Vec::new();
        for (place, instance) in errand.instances.iter().enumerate() {
            match spec_of(instance, &spec, self.read) {
                Ok(spec) => {
                    places.entry(spec.job()).or_default().push(place);
                    problems.push((instance, spec));
                }
                Err(why) => tell(News::Result(place, failed(why)))?,
            }
        }
        let entered = enter(&mut ledger, Priority::Normal, problems)?;
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
    let verdicts = [Answer::Sat, Answer::Unsat, Answer::Yes, Answer::No];
    let others = [Answer::Unknown, Answer::Timeout, Answer::Memory];
    let answers = verdicts.into_iter().chain(others);
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

/// What is recorded of a file that is refused.
fn failed(why: String) -> Ended {
    Ended { answer: Answer::Failed, wall: 0.0, cpu: 0.0, exit: None, message: Some(why) }
}

/// A name that no other run has.
fn run_name() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("bench-{}-{}", now.as_nanos(), std::process::id())
}
