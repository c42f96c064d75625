//! The commands: what `shofar submit`, `worker`, `collect`, `cluster` and `bench --hub` do, but for printing.

use std::net::TcpListener;
use std::num::NonZeroU64;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use shofar_bench::{
    BenchArguments, Console, Ending, Measure, bench_elsewhere, instances, split_words,
};

use crate::access::{Access, HubArguments};
use crate::arguments::{
    ClusterArguments, CollectArguments, LeaseArguments, SubmitArguments, WorkerArguments,
};
use crate::collect::{Collector, collect_everything};
use crate::digest::Digest;
use crate::hub::{HubError, Trouble};
use crate::judge::{Judge, REJECTED, Rules};
use crate::ledger::{Ledger, Outcome};
use crate::message::Spec;
use crate::nats::Nats;
use crate::options::{self, CommandLine};
use crate::overview::{Overview, Watcher};
use crate::page;
use crate::patience::Patience;
use crate::remote::Remote;
use crate::solve::Processes;
use crate::submit::{ReadText, enter, send_jobs, specs};
use crate::worker::Worker;

/// How long a hub that does not answer is waited for by commands that somebody waits for.
const CONNECT: Duration = Duration::from_secs(20);
/// A job gets no less than so many megabytes: with less nothing can be solved, and everything would end for want of memory.
const LEAST_MEMORY: u64 = 64;
/// How long a measurement lets the validation of a witness take.
const CHECK: Duration = Duration::from_mins(1);
/// How often a file of a measurement is tried.
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
    let words = split_words(&arguments.options)?;
    let spec = Spec {
        text: Digest::of(b""),
        language: String::new(),
        options: options::whole(&words, around.line)?,
        milliseconds: options::milliseconds(arguments.timeout),
        measure: if arguments.cpu { Measure::Cpu } else { Measure::Wall },
        memory: arguments.memory.map(NonZeroU64::get),
        seats: arguments.seats,
        attempts: arguments.attempts,
        run: String::new(),
    };
    let mut found = Vec::new();
    for source in &arguments.sources {
        found.extend(instances(source, &arguments.suite)?);
    }
    let specs = specs(&found, &spec, around.read)?;
    let mut ledger = Ledger::open(&arguments.journal)?;
    let entered = enter(&mut ledger, found.iter().zip(specs))?;
    let journal = arguments.journal.display();
    // Whoever submits the files once more is told that they are known.
    let later = |why: String| match entered.jobs.len() {
        0 => why,
        _ => {
            format!("{why}\nthe journal has them: shofar collect --journal {journal} submits them")
        }
    };
    let hub = around.connect(&arguments.hub, arguments.lease).map_err(later)?;
    send_jobs(&hub, around.patience().unless_full(), &ledger, &entered.jobs, around.read)
        .map_err(later)?;
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
    tracing::info!("worker {name} takes {slots} jobs at a time");
    Worker::new(&hub, &solving, &name, slots, around.stop).work();
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

/// Collects results, and tells of each one as a line of JSON.
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
    let mut tell = |outcome: &Outcome| {
        collected.rejected += usize::from(outcome.answer == REJECTED);
        let line = serde_json::to_string(outcome).map_err(|error| error.to_string())?;
        print(&line)
    };
    let Some(journal) = &arguments.journal else {
        let hub = around.connect(&arguments.hub, LeaseArguments::default())?;
        let judge = Judge { hub: &hub, patience: around.patience(), rules };
        collect_everything(&judge, &mut tell)?;
        return Ok(collected);
    };
    if !journal.exists() {
        return Err(format!("{}: there is no such journal", journal.display()));
    }
    let ledger = Ledger::open(journal)?;
    // Who starts again gets everything, in one piece.
    for outcome in ledger.outcomes() {
        tell(outcome)?;
    }
    if ledger.open_count() == 0 {
        return Ok(collected);
    }
    let hub = around.connect(&arguments.hub, LeaseArguments::default())?;
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
    let seen = Mutex::new(Overview::default());
    let listener = match arguments.web {
        None => None,
        Some(address) => {
            let listener = TcpListener::bind(address);
            let listener = listener.map_err(|error| format!("{address}: {error}"))?;
            let address = listener.local_addr().map_err(|error| error.to_string())?;
            show(Shown::Line(&format!("the page is at http://{address}/")))?;
            Some(listener)
        }
    };
    std::thread::scope(|scope| {
        if let Some(listener) = &listener {
            scope.spawn(|| page::serve(listener, &seen, around.patience()));
        }
        while !around.patience().is_over() {
            match watcher.look(PERIOD) {
                Ok(overview) => {
                    show(Shown::Picture(&overview.text()))?;
                    *seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = overview;
                }
                Err(error) => show(Shown::Picture(&format!("the hub does not answer: {error}\n")))?,
            }
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
