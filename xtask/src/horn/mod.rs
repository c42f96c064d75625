//! `cargo xtask horn`: random systems of Horn clauses through every engine and z3; verdicts must
//! agree and witnesses hold.
//!
//! Every engine and the default strategy decide each system, in turn also without preprocessing or
//! after random passes. Each verdict has passed the validator; its witness is printed, read again
//! and validated once more, and models are put to z3 clause by clause. A contradiction between
//! verdicts, a witness that does not hold, a panic or a late answer is a fault. The system
//! is then shrunken and written to `target/horn/`.
//!
//! Systems depend on the seed and their number only: `--first K --cases 1 --show` shows system `K`.

mod contest;
mod reference;
mod tally;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use shofar_testkit::horn::HornCase;
use shofar_testkit::sexp::Sexp;
use shofar_testkit::shrink::shrink;

use self::contest::{Contest, Fault, FaultKind, Variety};
use self::reference::Reference;
use self::tally::Tally;
use crate::process;

/// Options of the task.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Number of systems.
    #[arg(long, default_value_t = 5_000)]
    cases: u64,
    /// Seed of the generator.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of the first system.
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// The reference; without it `SHOFAR_Z3`, `.venv/bin/z3` or the one on the path.
    #[arg(long)]
    z3: Option<PathBuf>,
    /// Threads.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Milliseconds for each engine.
    #[arg(long, default_value_t = 50)]
    limit: u64,
    /// Milliseconds for z3.
    #[arg(long, default_value_t = 300)]
    z3_limit: u64,
    /// Systems over arrays, data types and bit-vectors; engines take turns.
    #[arg(long)]
    theories: bool,
    /// How many of the faulty systems are shrunken.
    #[arg(long, default_value_t = 5)]
    shrink: usize,
    /// Print the systems with what each engine says.
    #[arg(long)]
    show: bool,
}

impl Options {
    /// The system with this number.
    fn draw(&self, number: u64) -> HornCase {
        if self.theories {
            HornCase::with_theories(self.seed, number)
        } else {
            HornCase::new(self.seed, number)
        }
    }
    /// Everything that we say about a system.
    fn hold(&self, script: Vec<Sexp>, number: u64) -> Contest {
        let variety = if self.theories { Variety::Turns } else { Variety::Everybody };
        Contest::hold(script, number, Duration::from_millis(self.limit), variety)
    }
}

/// Systems that z3 gets in one process.
const BATCH: u64 = 20;
/// How long one system may be shrunken.
const SHRINKING: Duration = Duration::from_mins(1);
/// A system that takes longer than this hangs.
const HANG: Duration = Duration::from_mins(1);

/// A system on which something is wrong.
struct Failure {
    number: u64,
    fault: Fault,
    script: Vec<Sexp>,
}

/// Runs the task; false if anything is wrong.
pub(crate) fn run(options: &Options) -> Result<bool, String> {
    let folder = process::scratch("horn")?;
    let started = Instant::now();
    let reference =
        Reference::new(process::z3(options.z3.as_deref()), Duration::from_millis(options.z3_limit));
    contest::silence_panics();
    let next = AtomicU64::new(0);
    let gathered = Mutex::new((Tally::default(), Vec::new()));
    let (progress, reports) = channel();
    let work = |who: usize, progress: std::sync::mpsc::Sender<(usize, Option<u64>)>| {
        loop {
            let start = next.fetch_add(BATCH, Ordering::Relaxed);
            if start >= options.cases {
                progress.send((who, None)).unwrap_or_default();
                return Ok::<(), String>(());
            }
            let numbers = options.first + start..options.first + options.cases.min(start + BATCH);
            let (tally, failures) = check_batch(options, &reference, numbers, &|number| {
                progress.send((who, number)).unwrap_or_default();
            })?;
            let mut gathered = gathered.lock().expect("no thread panics while it holds the lock");
            gathered.0.merge(&tally);
            gathered.1.extend(failures);
            if gathered.0.cases() % 1000 < BATCH {
                let (done, faults) = (gathered.0.cases(), gathered.1.len());
                eprintln!(
                    "{done} systems, {faults} faulty, {:.0} s",
                    started.elapsed().as_secs_f64()
                );
            }
        }
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..options.jobs)
            .map(|who| {
                let progress = progress.clone();
                scope.spawn(move || work(who, progress))
            })
            .collect();
        drop(progress);
        watch(options, &folder, &reports);
        threads.into_iter().try_for_each(|thread| thread.join().expect("a thread does not panic"))
    })?;
    let (tally, mut failures) =
        gathered.into_inner().expect("no thread panics while it holds the lock");
    failures.sort_by_key(|failure: &Failure| failure.number);
    for (i, failure) in failures.iter().enumerate().take(50) {
        report(options, &reference, failure, i < options.shrink, &folder)?;
    }
    println!("{}", tally.text());
    println!(
        "{} systems in {:.1} s, seed {}",
        tally.cases(),
        started.elapsed().as_secs_f64(),
        options.seed
    );
    let faulty = u64::try_from(failures.len()).unwrap_or(u64::MAX);
    println!("horn: {} passed, {faulty} failed", tally.cases() - faulty);
    Ok(failures.is_empty())
}

/// Waits until all threads are done; ends the process with a word about a system that hangs.
fn watch(
    options: &Options,
    folder: &Path,
    reports: &std::sync::mpsc::Receiver<(usize, Option<u64>)>,
) {
    let mut current: Vec<Option<(u64, Instant)>> = vec![None; options.jobs];
    loop {
        match reports.recv_timeout(Duration::from_secs(1)) {
            Ok((who, number)) => current[who] = number.map(|number| (number, Instant::now())),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        let late = current.iter().flatten().find(|(_, since)| since.elapsed() > HANG);
        if let Some((number, _)) = late {
            let path = folder.join(format!("case-{number}.smt2"));
            let script = options.draw(*number).script().join("\n");
            drop(process::write(&path, format!("; hangs\n{script}\n").as_bytes()));
            println!("case {number} hangs, see {}", path.display());
            std::process::exit(1);
        }
    }
}

/// Draws and decides a run of systems, and puts them and the models to z3.
fn check_batch(
    options: &Options,
    reference: &Reference,
    numbers: std::ops::Range<u64>,
    progress: &dyn Fn(Option<u64>),
) -> Result<(Tally, Vec<Failure>), String> {
    let mut contests = Vec::new();
    for number in numbers.clone() {
        progress(Some(number));
        let script = parse(&options.draw(number).script());
        contests.push(options.hold(script, number));
    }
    progress(None);
    let opinions =
        reference.verdicts(&contests.iter().map(|c| c.script.as_slice()).collect::<Vec<_>>())?;
    for (contest, opinion) in contests.iter_mut().zip(opinions) {
        contest.hear(opinion);
    }
    reference.confirm(&mut contests)?;
    let mut tally = Tally::default();
    let mut failures = Vec::new();
    for (number, contest) in numbers.zip(contests) {
        tally.add(&contest);
        if options.show {
            println!("; case {number}\n{}\n{}", text(&contest.script), contest.describe());
        }
        if let Some(fault) = contest.faults.first() {
            failures.push(Failure { number, fault: fault.clone(), script: contest.script });
        }
    }
    Ok((tally, failures))
}

/// The faults of one system, tried alone.
fn faults(options: &Options, reference: &Reference, script: &[Sexp], number: u64) -> Vec<Fault> {
    let mut contest = options.hold(script.to_vec(), number);
    if let Ok(mut opinions) = reference.verdicts(&[script])
        && let Some(opinion) = opinions.pop()
    {
        contest.hear(opinion);
    }
    let mut contests = [contest];
    drop(reference.confirm(&mut contests));
    let [contest] = contests;
    contest.faults
}

/// Shrinks a faulty system if wanted, writes it to a file and says so.
fn report(
    options: &Options,
    reference: &Reference,
    failure: &Failure,
    wanted: bool,
    folder: &Path,
) -> Result<(), String> {
    let (kind, number) = (failure.fault.kind, failure.number);
    let mut script = failure.script.clone();
    if wanted && kind != FaultKind::Late {
        let deadline = Instant::now() + SHRINKING;
        let mut fails = |candidate: &[Sexp]| {
            Instant::now() < deadline
                && faults(options, reference, candidate, number).iter().any(|f| f.kind == kind)
        };
        if fails(&script) {
            script = shrink(script, 1000, &mut fails);
        }
    }
    let again = faults(options, reference, &script, number).into_iter().find(|f| f.kind == kind);
    let message = again.as_ref().map_or(&failure.fault.message, |fault| &fault.message);
    let comment: Vec<String> = message.lines().map(|line| format!("; {line}")).collect();
    let content = format!(
        "; case {number}, seed {}: {kind:?}\n{}\n{}\n",
        options.seed,
        comment.join("\n"),
        text(&script)
    );
    let path = folder.join(format!("case-{number}.smt2"));
    process::write(&path, content.as_bytes())?;
    println!("case {number}: {kind:?}, see {}\n{content}", path.display());
    Ok(())
}

fn parse(script: &[String]) -> Vec<Sexp> {
    shofar_testkit::sexp::parse_all(&script.join("\n")).expect("generated scripts are well-formed")
}

fn text(script: &[Sexp]) -> String {
    let lines: Vec<String> = script.iter().map(Sexp::to_string).collect();
    lines.join("\n")
}
