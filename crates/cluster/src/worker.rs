//! A worker: takes jobs out of the queue, solves them, stores what came out.
//!
//! An entry of the queue goes through these steps. A job that has a result is done. A seat that was
//! begun too often, and never ended, counts as crashed. Else the solver runs, while the attempt is
//! recorded and the lease is extended. A verdict is stored as the result of the job; so is another
//! ending if there is no other seat, or if all seats have ended. Only then the entry is finished.
//! Invariant: an entry is finished only if its job has a result, or its seat an ending in the store
//! of attempts, or if it cannot be understood; so whatever dies wherever, somebody gets the job
//! again.
//!
//! Waiting for the hub costs more than a small problem. So everything that is needed for a job is
//! asked for at once, and while what came of it is stored, the next job is solved.
//!
//! The count of deliveries is that of the store, not that of the server, which begins anew after a
//! crash. A message that says that a job has a result is believed only after a look at the result.

mod news;
mod settle;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::Thread;
use std::time::{Duration, Instant};

use shofar_bench::Answer;

use crate::blob;
use crate::company::Company;
use crate::digest::Digest;
use crate::hub::{Delivery, Hub, HubError, Store};
use crate::message::{Ending, Job, LONGEST_LINE, LONGEST_TEXT, Record, Report, seat_key, shorten};
use crate::patience::{Patience, SetAtEnd};
use crate::solve::Solving;

/// How long to wait for a job before looking around.
const WAIT: Duration = Duration::from_secs(2);
/// How often it is looked whether to stop.
const LOOK: Duration = Duration::from_millis(100);
/// The lease is extended so often while it lasts.
const EXTENSIONS: u32 = 3;
/// After how long a job is tried elsewhere whose text is not there.
const LATER: Duration = Duration::from_secs(2);

/// A worker at a hub.
pub(crate) struct Worker<'w> {
    hub: &'w dyn Hub,
    solving: &'w dyn Solving,
    name: String,
    slots: u32,
    stop: &'w AtomicBool,
    /// The version of this program.
    version: String,
    since: Instant,
    done: AtomicU64,
    /// Milliseconds on the processors that solvers have needed.
    cpu: AtomicU64,
    running: Mutex<BTreeMap<u64, Running>>,
    numbers: AtomicU64,
}

/// A job that is being solved.
struct Running {
    job: Digest,
    seat: u32,
    name: String,
    since: Instant,
    /// How to say that the job has a result.
    call: Arc<Call>,
}

/// A call to stop, which may be wrong.
#[derive(Default)]
struct Call {
    is_out: AtomicBool,
    /// Who listens.
    keeper: OnceLock<Thread>,
}

impl Call {
    /// Calls.
    fn out(&self) {
        self.is_out.store(true, Ordering::SeqCst);
        if let Some(keeper) = self.keeper.get() {
            keeper.unpark();
        }
    }
    /// Whether somebody has called since the last time.
    fn is_heard(&self) -> bool {
        self.is_out.swap(false, Ordering::SeqCst)
    }
}

/// What the hub knows of a job.
struct Known {
    /// Whether it has a result.
    has_result: bool,
    /// Who has tried this seat.
    record: Record,
    /// The beginning of its text.
    beginning: Option<Vec<u8>>,
}

/// A seat of a job that has come to its end, and is not stored yet.
struct Done {
    delivery: Box<dyn Delivery>,
    id: Digest,
    report: Report,
    record: Record,
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
            version: String::new(),
            since: Instant::now(),
            done: AtomicU64::new(0),
            cpu: AtomicU64::new(0),
            running: Mutex::default(),
            numbers: AtomicU64::new(0),
        }
    }
    /// The worker, of this version of the program.
    pub(crate) fn with_version(self, version: &str) -> Self {
        Self { version: shorten(version, LONGEST_LINE), ..self }
    }
    /// Works until told to stop.
    pub(crate) fn work(&self) {
        std::thread::scope(|scope| {
            scope.spawn(|| self.tell_regularly());
            scope.spawn(|| self.hear_of_results());
            for _ in 0..self.slots {
                let (sender, receiver) = sync_channel(0);
                scope.spawn(move || receiver.iter().for_each(|done| self.conclude(done)));
                scope.spawn(move || {
                    while !self.patience().is_over() {
                        if let Some(done) = self.take(WAIT) {
                            // It waits until the one before is stored.
                            let _ = sender.send(done);
                        }
                    }
                });
            }
        });
    }
    /// Takes a job, if there is one within this time, and solves it; nothing if there is nothing to
    /// store.
    fn take(&self, wait: Duration) -> Option<Done> {
        let delivery = match self.hub.take(wait) {
            Ok(delivery) => delivery?,
            Err(error) => {
                tracing::warn!("no job can be taken: {error}");
                self.patience().wait(LATER / 4);
                return None;
            }
        };
        match self.handle(delivery) {
            Ok(done) => done,
            Err(error) => {
                // It comes back when its lease is over.
                tracing::warn!("a job is left to others: {error}");
                None
            }
        }
    }
    /// Takes a job, if there is one, and stores what comes of it.
    #[cfg(test)]
    pub(crate) fn take_one(&self) {
        if let Some(done) = self.take(Duration::ZERO) {
            self.conclude(done);
        }
    }
    fn patience(&self) -> Patience<'w> {
        Patience::until(self.stop)
    }
    fn handle(&self, delivery: Box<dyn Delivery>) -> Result<Option<Done>, HubError> {
        let finish = || self.patience().with(|| delivery.finish()).map(|()| None);
        let job = match Job::decode(delivery.payload()) {
            Ok(job) => job,
            Err(why) => {
                tracing::warn!("an entry of the queue is not a job and is dropped: {why}");
                return finish();
            }
        };
        let id = job.spec.job();
        let Known { has_result, mut record, beginning } = self.look_up(&job, &id)?;
        if has_result {
            return finish();
        }
        let report = match record.ended.take() {
            Some(report) => report,
            None if record.workers.len() >= attempts(&job) => self.crashed(&job, &record),
            None => match self.attempt(&job, &id, &mut record, beginning.as_deref(), &*delivery)? {
                Attempt::Reported(report) => *report,
                Attempt::Overtaken => return finish(),
                Attempt::Interrupted => {
                    // It is not the job's fault, so it does not count.
                    record.workers.pop();
                    self.keep_record(&id, job.seat, &record)?;
                    return delivery.give_back(Duration::ZERO).map(|()| None);
                }
                Attempt::Postponed => return delivery.give_back(LATER).map(|()| None),
            },
        };
        Ok(Some(Done { delivery, id, report, record }))
    }
    /// Stores what came of a job. What cannot be stored is left to others.
    fn conclude(&self, done: Done) {
        let Done { delivery, id, report, record } = done;
        let stored = self.settle(&id, &report, record).and_then(|()| {
            self.done.fetch_add(1, Ordering::Relaxed);
            self.patience().with(|| delivery.finish())
        });
        if let Err(error) = stored {
            tracing::warn!("{}: the job is left to others: {error}", report.name);
        }
    }
    /// What is known of a job. A result that is not understood is none, but it is in the way.
    fn look_up(&self, job: &Job, id: &Digest) -> Result<Known, HubError> {
        let wanted = [
            (Store::Results, id.as_str().to_owned()),
            (Store::Attempts, seat_key(id, job.seat)),
            (Store::Texts, blob::beginning(&job.spec.text)),
        ];
        let mut stored = self.patience().with(|| self.hub.read_all(&wanted))?.into_iter();
        let mut next = || stored.next().flatten();
        let (result, record, beginning) = (next(), next(), next());
        let record = record.and_then(|bytes| read_record(&bytes, id, job.seat));
        Ok(Known { has_result: result.is_some(), record: record.unwrap_or_default(), beginning })
    }
    fn record(&self, id: &Digest, seat: u32) -> Result<Record, HubError> {
        let key = seat_key(id, seat);
        let stored = self.patience().with(|| self.hub.read(Store::Attempts, &key))?;
        Ok(stored.and_then(|bytes| read_record(&bytes, id, seat)).unwrap_or_default())
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

    /// Solves a job, while the attempt is recorded and the lease is extended.
    fn attempt(
        &self,
        job: &Job,
        id: &Digest,
        record: &mut Record,
        beginning: Option<&[u8]>,
        delivery: &dyn Delivery,
    ) -> Result<Attempt, HubError> {
        record.workers.push(self.name.clone());
        let begun: &Record = record;
        let first = || beginning.map(<[u8]>::to_vec);
        let whole = || blob::complete(self.hub, &job.spec.text, LONGEST_TEXT, first());
        let Some(text) = self.patience().with(whole)? else {
            tracing::warn!("{}: the text is not on the hub", job.name);
            self.keep_record(id, job.seat, begun)?;
            return Ok(Attempt::Postponed);
        };
        let call = Arc::new(Call::default());
        let number = self.begin(job, id, &call);
        let company = self.company(job, id);
        let (halt, over) = (AtomicBool::new(false), AtomicBool::new(false));
        let (solved, overtaken) = std::thread::scope(|scope| {
            let keeper = scope.spawn(|| {
                if let Err(error) = self.keep_record(id, job.seat, begun) {
                    tracing::warn!("{}: the attempt is not recorded: {error}", job.name);
                }
                // Nobody else has set it.
                let _ = call.keeper.set(std::thread::current());
                self.look_after(id, delivery, &call, &halt, &over)
            });
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
    /// Extends the lease, and halts the solver if it works in vain; says whether that is because
    /// another seat was faster.
    fn look_after(
        &self,
        id: &Digest,
        delivery: &dyn Delivery,
        call: &Call,
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
            if call.is_heard()
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
    fn running(&self) -> MutexGuard<'_, BTreeMap<u64, Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
    fn begin(&self, job: &Job, id: &Digest, call: &Arc<Call>) -> u64 {
        let number = self.numbers.fetch_add(1, Ordering::Relaxed);
        let running = Running {
            job: id.clone(),
            seat: job.seat,
            name: job.name.clone(),
            since: Instant::now(),
            call: Arc::clone(call),
        };
        self.running().insert(number, running);
        number
    }
}

/// Reads who has tried a seat; nothing if that is not understood.
fn read_record(bytes: &[u8], id: &Digest, seat: u32) -> Option<Record> {
    let record = Record::decode(bytes)
        .inspect_err(|why| tracing::warn!("a record of attempts is not understood: {why}"));
    // A report about something else is not one about this seat.
    let fits = |report: &Report| report.spec.job() == *id && report.seat == seat;
    record.ok().filter(|record| record.ended.as_ref().is_none_or(fits))
}

fn attempts(job: &Job) -> usize {
    usize::try_from(job.spec.attempts).unwrap_or(usize::MAX)
}
