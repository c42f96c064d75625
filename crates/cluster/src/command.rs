//! The commands: what `shofar submit`, `worker`, `collect`, `cluster` and `bench --hub` do, but for
//! printing.

use std::fmt::Write as _;
use std::num::NonZeroU64;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use shofar_bench::{
    BenchArguments, Console, Ending, Measure, bench_elsewhere, instances, split_words,
};

use crate::access::{Access, HubArguments};
use crate::arguments::{
    CancelArguments, ClusterArguments, CollectArguments, Failures, LeaseArguments, SubmitArguments,
    WorkerArguments,
};
use crate::cancel::{Cancelled, cancel_all, chosen};
use crate::collect::{Collector, collect_everything};
use crate::digest::Digest;
use crate::hub::{HubError, Trouble};
use crate::judge::{Judge, REJECTED, Rules};
use crate::ledger::{Ledger, Outcome};
use crate::message::Spec;
use crate::nats::Nats;
use crate::options::{self, CommandLine};
use crate::overview::Watcher;
use crate::page::{Board, Page, SERVERS};
use crate::patience::Patience;
use crate::remote::Remote;
use crate::retry::{Changes, reopen};
use crate::solve::Processes;
use crate::submit::{ReadText, enter, send_jobs, specs};
use crate::worker::Worker;

/// How long a hub that does not answer is waited for by commands that somebody waits for.
const CONNECT: Duration = Duration::from_secs(20);
/// A job gets no less than so many megabytes: with less nothing can be solved, and everything would
/// end for want of memory.
const LEAST_MEMORY: u64 = 64;
/// How long a measurement lets the validation of a witness take.
const CHECK: Duration = Duration::from_mins(1);
/// Seconds for a problem if the user gives no others.
const TIMEOUT: f64 = 60.0;
/// How often a job is tried if the user says nothing.
const ATTEMPTS: u32 = 4;
/// How often what is shown is drawn anew.
const PERIOD: Duration = Duration::from_secs(1);

/// What a command needs of the program around it.
#[derive(Clone, Copy)]
pub struct Surroundings<'s> {
    /// Set when the command is to end.
    pub stop: &'s AtomicBool,
    /// Reads the text of a problem, plain or compressed.
    pub read: ReadText<'s>,
    /// What is known about options.
    pub line: &'s dyn CommandLine,
}

impl<'s> Surroundings<'s> {
    fn patience(&self) -> Patience<'s> {
        Patience::until(self.stop)
    }
    /// Connects to the hub, for somebody who waits for the answer.
    fn connect(&self, hub: &HubArguments, lease: LeaseArguments) -> Result<Nats, String> {
        self.connect_within(hub, lease, CONNECT)
    }
    /// Connects to the hub, which may come later than we, but not later than that.
    fn connect_within(
        &self,
        hub: &HubArguments,
        lease: LeaseArguments,
        limit: Duration,
    ) -> Result<Nats, String> {
        let access = Access::needed(hub)?;
        let begin = Instant::now();
        let nats = self.patience().with(|| {
            Nats::connect(&access, lease.duration()).map_err(|error| HubError {
                trouble: if begin.elapsed() < limit { error.trouble } else { Trouble::Final },
                message: format!("{}: {error}", access.url()),
            })
        });
        nats.map_err(|error| error.to_string())
    }
}

/// Submits problems; returns what is said about it.
pub fn submit(arguments: &SubmitArguments, around: Surroundings<'_>) -> Result<String, String> {
    if let Some(failures) = &arguments.retry {
        return retry(arguments, failures, around);
    }
    let words = split_words(arguments.options.as_deref().unwrap_or_default())?;
    let spec = Spec {
        text: Digest::of(b""),
        language: String::new(),
        options: options::whole(&words, around.line)?,
        milliseconds: options::milliseconds(arguments.timeout.unwrap_or(TIMEOUT)),
        measure: if arguments.cpu { Measure::Cpu } else { Measure::Wall },
        memory: arguments.memory.map(NonZeroU64::get),
        seats: arguments.seats.unwrap_or(1),
        attempts: arguments.attempts.unwrap_or(ATTEMPTS),
        run: String::new(),
        version: around.line.version().to_owned(),
    };
    let priority = arguments.priority.unwrap_or_default();
    let mut found = Vec::new();
    for source in &arguments.sources {
        found.extend(instances(source, &arguments.suite)?);
    }
    let specs = specs(&found, &spec, around.read)?;
    let mut ledger = Ledger::open(&arguments.journal)?;
    let entered = enter(&mut ledger, priority, found.iter().zip(specs))?;
    let journal = arguments.journal.display();
    dispatch(arguments, around, &ledger, &entered.jobs)?;
    let known = match entered.known {
        0 => String::new(),
        known => format!("; {known} files are known, by name or by content"),
    };
    Ok(format!(
        "{} new jobs{known}; {} are open\nshofar collect --journal {journal} waits for them\n",
        entered.jobs.len(),
        ledger.open_count()
    ))
}

/// Submits the jobs of a journal again that have no verdict; returns what is said about it.
fn retry(
    arguments: &SubmitArguments,
    failures: &Failures,
    around: Surroundings<'_>,
) -> Result<String, String> {
    let mut ledger = existing(&arguments.journal)?;
    let changes = Changes::new(arguments, around.line)?;
    let jobs = reopen(&mut ledger, &failures.0, &changes, around.line.version())?;
    dispatch(arguments, around, &ledger, &jobs)?;
    Ok(format!(
        "{} jobs are submitted again; {} are open\nshofar collect --journal {} waits for them\n",
        jobs.len(),
        ledger.open_count(),
        arguments.journal.display()
    ))
}

/// Sends jobs that are in the journal to the hub.
fn dispatch(
    arguments: &SubmitArguments,
    around: Surroundings<'_>,
    ledger: &Ledger,
    jobs: &[Digest],
) -> Result<(), String> {
    let journal = arguments.journal.display();
    // A user who submits the files once more is told that they are known.
    let later = |why: String| match jobs.len() {
        0 => why,
        _ => {
            format!("{why}\nthe journal has them: shofar collect --journal {journal} submits them")
        }
    };
    let hub = around.connect(&arguments.hub, arguments.lease).map_err(later)?;
    send_jobs(&hub, around.patience().unless_full(), ledger, jobs, around.read).map_err(later)
}

/// Opens a journal that is there.
fn existing(journal: &Path) -> Result<Ledger, String> {
    if !journal.exists() {
        return Err(format!("{}: there is no such journal", journal.display()));
    }
    Ledger::open(journal)
}

/// Cancels jobs of a journal; returns what is said about it.
pub fn cancel(arguments: &CancelArguments, around: Surroundings<'_>) -> Result<String, String> {
    let ledger = Ledger::read(&arguments.journal)?;
    chosen(&ledger, &arguments.names)?;
    let hub = around.connect(&arguments.hub, LeaseArguments::default())?;
    let Cancelled { files, late } = cancel_all(&hub, around.patience(), &ledger, &arguments.names)?;
    let mut said = String::new();
    for file in files {
        let _ = writeln!(said, "{file} is cancelled");
    }
    for file in late {
        let _ = writeln!(said, "{file} has a result on the hub already");
    }
    Ok(said)
}

/// Works until told to stop.
pub fn work(arguments: &WorkerArguments, around: Surroundings<'_>) -> Result<(), String> {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let usual = u32::try_from(processors.div_ceil(2)).unwrap_or(1);
    let slots = arguments.jobs.map_or(usual, Into::into);
    let memory = arguments.memory.map(|memory| memory.get() / u64::from(slots));
    if let Some(each) = memory.filter(|&each| each < LEAST_MEMORY) {
        return Err(format!(
            "--memory is for {slots} problems at the same time, {each} MB each; \
             at least {LEAST_MEMORY} MB are needed for each"
        ));
    }
    let solving = Processes::new(memory, slots, around.line)?;
    let name = arguments.name.clone().unwrap_or_else(|| {
        let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        format!("{}-{}", host.trim(), std::process::id())
    });
    // A worker may be there before its hub, and is not watched.
    let hub = around.connect_within(&arguments.hub, arguments.lease, Duration::MAX)?;
    let version = around.line.version();
    tracing::info!("worker {name} of version {version} takes {slots} jobs at a time");
    Worker::new(&hub, &solving, &name, slots, around.stop).with_version(version).work();
    Ok(())
}

/// How much of a collection was rejected, and whether something is left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Collected {
    /// Results that are not true, or not proved.
    pub rejected: usize,
    /// Problems without a result.
    pub open: usize,
}

/// Collects results, and tells of each one as a line.
pub fn collect(
    arguments: &CollectArguments,
    around: Surroundings<'_>,
    print: &mut dyn FnMut(&str) -> Result<(), String>,
) -> Result<Collected, String> {
    let rules = Rules {
        limit: Duration::from_secs_f64(arguments.check_timeout),
        witnesses: Some(arguments.witnesses.clone()),
    };
    let mut collected = Collected::default();
    if let Some(heading) = arguments.format.heading() {
        print(&heading)?;
    }
    let mut tell = |outcome: &Outcome| {
        collected.rejected += usize::from(outcome.answer == REJECTED);
        print(&arguments.format.line(outcome)?)
    };
    let Some(journal) = &arguments.journal else {
        let hub = around.connect(&arguments.hub, LeaseArguments::default())?;
        let judge = Judge { hub: &hub, patience: around.patience(), rules };
        collect_everything(&judge, &mut tell)?;
        return Ok(collected);
    };
    let mut ledger = existing(journal)?;
    let mut again = Vec::new();
    if let Some(failures) = &arguments.retry {
        let version = around.line.version();
        again = reopen(&mut ledger, &failures.0, &Changes::default(), version)?;
    }
    // A collector that is started again prints everything, in one piece.
    for outcome in ledger.outcomes() {
        tell(outcome)?;
    }
    if ledger.open_count() == 0 {
        return Ok(collected);
    }
    let hub = around.connect(&arguments.hub, LeaseArguments::default())?;
    send_jobs(&hub, around.patience(), &ledger, &again, around.read)?;
    let mut collector = Collector::new(&hub, around.patience(), around.read, rules, ledger);
    if arguments.withdraw {
        collector.withdraw();
    }
    if arguments.now || arguments.withdraw {
        collector.take_stored(&mut tell)?;
    } else {
        collector.take_all(&mut tell, &mut || ())?;
    }
    collected.open = collector.ledger().open_count();
    Ok(collected)
}

/// What `shofar cluster` shows.
pub enum Shown<'s> {
    /// A picture that takes the place of the one before.
    Picture(&'s str),
    /// A line that stays.
    Line(&'s str),
}

/// Shows what is going on, once or until told to stop.
pub fn watch(
    arguments: &ClusterArguments,
    around: Surroundings<'_>,
    show: &mut dyn FnMut(Shown<'_>) -> Result<(), String>,
) -> Result<(), String> {
    let text = |error: HubError| error.to_string();
    let hub = around.connect(&arguments.hub, LeaseArguments::default())?;
    let mut watcher = Watcher::new(&hub).map_err(text)?;
    if arguments.json {
        let overview = watcher.look(PERIOD).map_err(text)?;
        let json = serde_json::to_string(&overview).map_err(|error| error.to_string())?;
        return show(Shown::Line(&json));
    }
    let board = Board::new(around.line.version());
    let page = arguments.web.as_ref().map(Page::bind).transpose()?;
    if let Some(page) = &page {
        show(Shown::Line(&format!("the page is at http://{}/", page.address())))?;
    }
    std::thread::scope(|scope| {
        for _ in 0..page.as_ref().map_or(0, |_| SERVERS) {
            scope.spawn(|| page.as_ref().map(|page| page.serve(&board, around.patience())));
        }
        while !around.patience().is_over() {
            let looked = watcher.look(PERIOD).map_err(text);
            match &looked {
                Ok(overview) => show(Shown::Picture(&overview.text()))?,
                Err(error) => show(Shown::Picture(&format!("the hub does not answer: {error}\n")))?,
            }
            board.put(looked);
        }
        Ok(())
    })
}

/// Runs suites over the cluster.
pub fn bench(
    arguments: &BenchArguments,
    hub: &HubArguments,
    around: Surroundings<'_>,
    console: &mut dyn Console,
) -> Result<Ending, String> {
    let hub = around.connect(hub, LeaseArguments::default())?;
    let remote = Remote {
        hub: &hub,
        read: around.read,
        line: around.line,
        limit: CHECK,
        attempts: ATTEMPTS,
    };
    bench_elsewhere(arguments, &remote, around.stop, console)
}
