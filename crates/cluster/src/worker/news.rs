//! What a worker tells whoever watches, and what it hears of other workers.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::{LOOK, Running, Worker};
use crate::digest::Digest;
use crate::hub::{Listener, Topic};
use crate::message::{Activity, Presence};
use crate::usage;

/// How often a worker tells what it is doing.
const PULSE: Duration = Duration::from_secs(2);

impl Worker<'_> {
    fn presence(&self) -> Presence {
        let running = self.running();
        let tasks = running.values().map(|running| Activity {
            job: running.job.clone(),
            seat: running.seat,
            name: running.name.clone(),
            milliseconds: u64::try_from(running.since.elapsed().as_millis()).unwrap_or(u64::MAX),
        });
        Presence {
            worker: self.name.clone(),
            version: self.version.clone(),
            slots: self.slots,
            tasks: tasks.collect(),
            done: self.done.load(Ordering::Relaxed),
            uptime: u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX),
            cpu: self.cpu.load(Ordering::Relaxed),
            memory: usage::resident(),
        }
    }
    /// Tells regularly, and whenever somebody asks; the last thing it tells is that it takes
    /// nothing any more.
    pub(super) fn tell_regularly(&self) {
        let mut listener = self.listener(Topic::Hello);
        while !self.patience().is_over() {
            // Who watches hears the next one.
            let _ =
                self.hub.tell(Topic::Worker, &subject_of(&self.name), &self.presence().encode());
            let told = Instant::now();
            while told.elapsed() < PULSE && !self.patience().is_over() {
                let is_asked = if let Some(listener) = &mut listener {
                    listener.next(LOOK).is_some()
                } else {
                    self.patience().wait(LOOK);
                    false
                };
                if is_asked {
                    break;
                }
            }
        }
        let farewell = Presence { slots: 0, tasks: Vec::new(), ..self.presence() };
        let _ = self.hub.tell(Topic::Worker, &subject_of(&self.name), &farewell.encode());
    }
    /// Marks the jobs that somebody says have a result.
    pub(super) fn hear_of_results(&self) {
        let Some(mut listener) = self.listener(Topic::Cancel) else { return };
        while !self.patience().is_over() {
            let Some((name, _)) = listener.next(LOOK) else { continue };
            if Digest::parse(&name).is_none() {
                tracing::warn!("a call to stop names no job, and is dropped");
                continue;
            }
            let running = self.running();
            let called: Vec<&Running> =
                running.values().filter(|running| running.job.as_str() == name).collect();
            // Every worker hears every call.
            if called.is_empty() {
                tracing::debug!("a call to stop is about a job that is not here: {name}");
            }
            for running in called {
                running.call.out();
            }
        }
    }
    fn listener(&self, topic: Topic) -> Option<Box<dyn Listener>> {
        self.patience().with(|| self.hub.listen(topic)).ok()
    }
}

/// A name that may be a part of a subject.
fn subject_of(name: &str) -> String {
    let usable = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    name.chars().map(usable).collect()
}
