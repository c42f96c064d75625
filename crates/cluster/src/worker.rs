//! A worker: takes jobs out of the queue, solves them, stores what came out.
//!
//! An entry of the queue goes through these steps. A job that has a result is done. A seat that was begun too often, and never
//! ended, counts as crashed. Else the attempt is recorded, the text is read, and the solver runs while the lease is extended. A
//! verdict is stored as the result of the job; so is another ending if there is no other seat, or if all seats have ended.
//! Only then the entry is finished. Invariant: an entry is finished only if its job has a result, or its seat an ending in the
//! store of attempts, or if it cannot be understood; so whatever dies wherever, somebody gets the job again.
//!
//! The count of deliveries is that of the store, not that of the server, which begins anew after a crash.
//! A message that says that a job has a result is believed only after a look at the result.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use shofar_bench::{Answer, Ended, Printed};

use crate::blob;
use crate::company::Company;
use crate::digest::Digest;
use crate::hub::{Created, Delivery, Hub, HubError, Listener, Store, Topic};
use crate::message::{
    Activity, Content, Ending, Job, LONGEST_LINE, LONGEST_STATISTICS, Presence, Record, Report,
    seat_key, shorten,
};
use crate::patience::{Patience, SetAtEnd};
use crate::solve::Solving;

/// How long to wait for a job before looking around.
const WAIT: Duration = Duration::from_secs(2);
/// How often a running job is looked after.
const LOOK: Duration = Duration::from_millis(20);
/// The lease is extended so often while it lasts.
const EXTENSIONS: u32 = 3;
/// How often a worker tells what it is doing.
const PULSE: Duration = Duration::from_secs(2);
/// After how long a job is tried elsewhere whose text is not there.
const LATER: Duration = Duration::from_secs(2);
/// How many packed bytes of an answer travel inside its report.
const INLINE: usize = 128 << 10;

/// A worker at a hub.
pub(crate) struct Worker<'w> {
    hub: &'w dyn Hub,
    solving: &'w dyn Solving,
    name: String,
    slots: u32,
    stop: &'w AtomicBool,
    done: AtomicU64,
    running: Mutex<BTreeMap<u64, Running>>,
    numbers: AtomicU64,
}

/// A job that is being solved.
struct Running {
    job: Digest,
    seat: u32,
    name: String,
    since: Instant,
    /// Set when somebody says that the job has a result.
    called_off: Arc<AtomicBool>,
}

/// What came of trying a job.
enum Attempt {
    Reported(Box<Report>),
    /// Another seat has found the answer.
    Overtaken,
    /// This worker is to end.
    Interrupted,
    /// It cannot be tried now.
    Postponed,
}

impl<'w> Worker<'w> {
    /// A worker that takes so many jobs at the same time until `stop` is set.
    pub(crate) fn new(
        hub: &'w dyn Hub,
        solving: &'w dyn Solving,
        name: &str,
        slots: u32,
        stop: &'w AtomicBool,
    ) -> Self {
        Self {
            hub,
            solving,
            name: shorten(name, LONGEST_LINE),
            slots,
            stop,
            done: AtomicU64::new(0),
            running: Mutex::default(),
            numbers: AtomicU64::new(0),
        }
    }
    /// Works until told to stop.
    pub(crate) fn work(&self) {
        std::thread::scope(|scope| {
            scope.spawn(|| self.tell_regularly());
            scope.spawn(|| self.hear_of_results());
            for _ in 0..self.slots {
                scope.spawn(|| {
                    while !self.patience().is_over() {
                        self.take_one(WAIT);
                    }
                });
            }
        });
    }
    /// Takes a job, if there is one within this time; says whether there was.
    pub(crate) fn take_one(&self, wait: Duration) -> bool {
        match self.hub.take(wait) {
            Ok(None) => false,
            Ok(Some(delivery)) => {
                if let Err(error) = self.handle(&*delivery) {
                    // The job comes back when its lease is over.
                    tracing::warn!("a job is left to others: {error}");
                }
                true
            }
            Err(error) => {
                tracing::warn!("no job can be taken: {error}");
                self.patience().wait(LATER / 4);
                false
            }
        }
    }
    fn patience(&self) -> Patience<'w> {
        Patience::until(self.stop)
    }
    fn handle(&self, delivery: &dyn Delivery) -> Result<(), HubError> {
        let finish = || self.patience().with(|| delivery.finish());
        let job = match Job::decode(delivery.payload()) {
            Ok(job) => job,
            Err(why) => {
                tracing::warn!("an entry of the queue is not a job and is dropped: {why}");
                return finish();
            }
        };
        let id = job.spec.job();
        if self.has_result(&id)? {
            return finish();
        }
        let mut record = self.record(&id, job.seat)?;
        let report = match record.ended.take() {
            Some(report) => report,
            None if record.workers.len() >= attempts(&job) => self.crashed(&job, &record),
            None => match self.attempt(&job, &id, &mut record, delivery)? {
                Attempt::Reported(report) => *report,
                Attempt::Overtaken => return finish(),
                Attempt::Interrupted => {
                    // It is not the job's fault, so it does not count.
                    record.workers.pop();
                    self.keep_record(&id, job.seat, &record)?;
                    return delivery.give_back(Duration::ZERO);
                }
                Attempt::Postponed => return delivery.give_back(LATER),
            },
        };
        self.settle(&id, &report, record)?;
        self.done.fetch_add(1, Ordering::Relaxed);
        finish()
    }
    /// Whether somebody has stored a result. One that is not understood is none, but it is in the way.
    fn has_result(&self, id: &Digest) -> Result<bool, HubError> {
        let stored = self.patience().with(|| self.hub.read(Store::Results, id.as_str()))?;
        Ok(stored.is_some())
    }
    fn record(&self, id: &Digest, seat: u32) -> Result<Record, HubError> {
        let key = seat_key(id, seat);
        let stored = self.patience().with(|| self.hub.read(Store::Attempts, &key))?;
        let read = |bytes: Vec<u8>| {
            let record = Record::decode(&bytes)
                .inspect_err(|why| tracing::warn!("a record of attempts is not understood: {why}"));
            // A report about something else is not one about this seat.
            let fits = |report: &Report| report.spec.job() == *id && report.seat == seat;
            record.ok().filter(|record| record.ended.as_ref().is_none_or(fits))
        };
        Ok(stored.and_then(read).unwrap_or_default())
    }
    fn keep_record(&self, id: &Digest, seat: u32, record: &Record) -> Result<(), HubError> {
        let (key, bytes) = (seat_key(id, seat), record.encode());
        self.patience().with(|| self.hub.replace(Store::Attempts, &key, &bytes))
    }
    fn crashed(&self, job: &Job, record: &Record) -> Report {
        let who = record.workers.join(", ");
        let why = format!("no attempt came to its end; they were made by {who}");
        let mut report = Report::without_answer(job, Ending::Crashed, &self.name, &why);
        report.attempts = u32::try_from(record.workers.len()).unwrap_or(u32::MAX);
        report
    }

    /// Solves a job, while its lease is extended.
    fn attempt(
        &self,
        job: &Job,
        id: &Digest,
        record: &mut Record,
        delivery: &dyn Delivery,
    ) -> Result<Attempt, HubError> {
        record.workers.push(self.name.clone());
        self.keep_record(id, job.seat, record)?;
        let text = self.patience().with(|| blob::get(self.hub, &job.spec.text))?;
        let Some(text) = text else {
            tracing::warn!("{}: the text is not on the hub", job.name);
            return Ok(Attempt::Postponed);
        };
        let called_off = Arc::new(AtomicBool::new(false));
        let number = self.begin(job, id, &called_off);
        let company = self.company(job, id);
        let (halt, over) = (AtomicBool::new(false), AtomicBool::new(false));
        let (solved, overtaken) = std::thread::scope(|scope| {
            let keeper = scope.spawn(|| self.look_after(id, delivery, &called_off, &halt, &over));
            let end = SetAtEnd(&over);
            let solved = self.solving.solve(job, &text, company.as_ref(), &halt);
            drop(end);
            keeper.thread().unpark();
            (solved, keeper.join().unwrap_or(false))
        });
        self.running().remove(&number);
        match solved {
            Ok(Some((ended, printed))) => {
                let attempts = u32::try_from(record.workers.len()).unwrap_or(u32::MAX);
                let report = self.report(job, ended, printed, attempts)?;
                Ok(Attempt::Reported(Box::new(report)))
            }
            Ok(None) if overtaken => Ok(Attempt::Overtaken),
            Ok(None) => Ok(Attempt::Interrupted),
            Err(why) => {
                let ending = Ending::Answered(Answer::Failed);
                let report = Report::without_answer(job, ending, &self.name, &why);
                Ok(Attempt::Reported(Box::new(report)))
            }
        }
    }
    /// Those on other seats, if there are any.
    fn company(&self, job: &Job, id: &Digest) -> Option<Company<'w>> {
        if job.spec.seats == 1 {
            return None;
        }
        let company = Company::join(self.hub, id, job.seat);
        company.inspect_err(|error| tracing::warn!("{}: no lemmas: {error}", job.name)).ok()
    }
    /// Extends the lease, and halts the solver if it works in vain; says whether that is because another seat was faster.
    fn look_after(
        &self,
        id: &Digest,
        delivery: &dyn Delivery,
        called_off: &AtomicBool,
        halt: &AtomicBool,
        over: &AtomicBool,
    ) -> bool {
        let period = self.hub.lease() / EXTENSIONS;
        let mut extended = Instant::now();
        while !over.load(Ordering::SeqCst) {
            if self.patience().is_over() {
                halt.store(true, Ordering::SeqCst);
                return false;
            }
            if called_off.swap(false, Ordering::SeqCst)
                && self.hub.read(Store::Results, id.as_str()).is_ok_and(|found| found.is_some())
            {
                halt.store(true, Ordering::SeqCst);
                return true;
            }
            if extended.elapsed() >= period {
                extended = Instant::now();
                if let Err(error) = delivery.extend() {
                    tracing::warn!("a lease is not extended: {error}");
                }
            }
            std::thread::park_timeout(LOOK);
        }
        false
    }
    fn report(
        &self,
        job: &Job,
        ended: Ended,
        printed: Printed,
        attempts: u32,
    ) -> Result<Report, HubError> {
        let Ended { answer, wall, cpu, exit, message } = ended;
        let (answer, message, output) = if answer.is_verdict() && printed.is_cut {
            (Answer::Unknown, Some("the witness is too long".to_owned()), Vec::new())
        } else if answer.is_verdict() {
            (answer, message, printed.output)
        } else {
            (answer, message, Vec::new())
        };
        let packed = blob::pack(&output);
        let output = if packed.len() <= INLINE {
            Content::Inline(packed)
        } else {
            Content::Stored(self.patience().with(|| blob::put(self.hub, &output))?)
        };
        Ok(Report {
            spec: job.spec.clone(),
            seat: job.seat,
            name: job.name.clone(),
            ending: Ending::Answered(answer),
            wall: milliseconds(wall),
            cpu: milliseconds(cpu),
            exit,
            message: message.map(|text| shorten(&text, LONGEST_LINE)),
            statistics: printed.statistics.map(|text| shorten(&text, LONGEST_STATISTICS)),
            worker: self.name.clone(),
            attempts,
            output,
        })
    }
    /// Stores what came out: as the result of the job, or as the ending of one of its seats.
    fn settle(&self, id: &Digest, report: &Report, mut record: Record) -> Result<(), HubError> {
        if report.spec.seats == 1 || report.ending.is_verdict() {
            return self.store(id, report);
        }
        record.ended = Some(report.clone());
        self.keep_record(id, report.seat, &record)?;
        let mut first = None;
        for seat in 0..report.spec.seats {
            match self.record(id, seat)?.ended {
                None => return Ok(()),
                Some(report) => first = first.or(Some(report)),
            }
        }
        self.store(id, first.as_ref().unwrap_or(report))
    }
    fn store(&self, id: &Digest, report: &Report) -> Result<(), HubError> {
        let bytes = report.encode();
        let create = || self.hub.create(Store::Results, id.as_str(), &bytes);
        match self.patience().with(create)? {
            Created::New => tracing::info!("{}: {}", report.name, report.ending.word()),
            Created::Exists => self.compare(id, report)?,
        }
        if report.spec.seats > 1 {
            // Who does not hear it finds the result when it is done.
            let _ = self.hub.tell(Topic::Cancel, id.as_str(), b"");
        }
        Ok(())
    }
    /// Somebody else was faster: the job was redelivered, or this is a second try of ours.
    fn compare(&self, id: &Digest, report: &Report) -> Result<(), HubError> {
        let stored = self.patience().with(|| self.hub.read(Store::Results, id.as_str()))?;
        let stored = stored.and_then(|bytes| Report::decode(&bytes).ok());
        let other = stored.filter(|stored| {
            let both = stored.ending.is_verdict() && report.ending.is_verdict();
            both && stored.ending != report.ending
        });
        if let Some(other) = other {
            tracing::error!(
                "{}: {} here, but {} by {}; whoever collects will see who is right",
                report.name,
                report.ending.word(),
                other.ending.word(),
                other.worker
            );
        }
        Ok(())
    }

    fn running(&self) -> MutexGuard<'_, BTreeMap<u64, Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
    fn begin(&self, job: &Job, id: &Digest, called_off: &Arc<AtomicBool>) -> u64 {
        let number = self.numbers.fetch_add(1, Ordering::Relaxed);
        let running = Running {
            job: id.clone(),
            seat: job.seat,
            name: job.name.clone(),
            since: Instant::now(),
            called_off: Arc::clone(called_off),
        };
        self.running().insert(number, running);
        number
    }
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
            version: env!("CARGO_PKG_VERSION").to_owned(),
            slots: self.slots,
            tasks: tasks.collect(),
            done: self.done.load(Ordering::Relaxed),
        }
    }
    /// Tells regularly, and whenever somebody asks.
    fn tell_regularly(&self) {
        let mut listener = self.listener(Topic::Hello);
        while !self.patience().is_over() {
            // Who watches hears the next one.
            let _ =
                self.hub.tell(Topic::Worker, &subject_of(&self.name), &self.presence().encode());
            let told = Instant::now();
            while told.elapsed() < PULSE && !self.patience().is_over() {
                let is_asked = if let Some(listener) = &mut listener {
                    listener.next(LOOK * 5).is_some()
                } else {
                    self.patience().wait(LOOK * 5);
                    false
                };
                if is_asked {
                    break;
                }
            }
        }
    }
    /// Marks the jobs that somebody says have a result.
    fn hear_of_results(&self) {
        let Some(mut listener) = self.listener(Topic::Cancel) else { return };
        while !self.patience().is_over() {
            let Some((name, _)) = listener.next(LOOK * 5) else { continue };
            for running in self.running().values().filter(|r| r.job.as_str() == name) {
                running.called_off.store(true, Ordering::SeqCst);
            }
        }
    }
    fn listener(&self, topic: Topic) -> Option<Box<dyn Listener>> {
        self.patience().with(|| self.hub.listen(topic)).ok()
    }
}

fn attempts(job: &Job) -> usize {
    usize::try_from(job.spec.attempts).unwrap_or(usize::MAX)
}

fn milliseconds(seconds: f64) -> u64 {
    u64::try_from(Duration::try_from_secs_f64(seconds).unwrap_or_default().as_millis())
        .unwrap_or(u64::MAX)
}

/// A name that may be a part of a subject.
fn subject_of(name: &str) -> String {
    let usable = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    name.chars().map(usable).collect()
}
