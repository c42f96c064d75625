//! `cargo xtask crosscheck`: random scripts through our solver and z3; answers, models, cores and
//! interpolants must agree.
//!
//! A case goes through four steps: its draft is put to z3; the answers decide which questions are
//! asked after each check; the finished script is put to our solver; what that prints is judged,
//! and the obligations are put to z3. A script on which something is wrong is shrunken and written
//! to `target/crosscheck/`.
//!
//! Cases depend on the seed and their number only: `--first K --cases 1` repeats case `K`.

mod batch;
mod examine;
mod tally;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use shofar_testkit::case::Case;
use shofar_testkit::judge::{Fault, Kind};
use shofar_testkit::sexp::Sexp;
use shofar_testkit::shrink::shrink;

pub(crate) use self::examine::without_divisible;
use self::examine::{Bench, Examined, parse};
use self::tally::{Limits, Tally};
use crate::process::{self, Build};

/// Options of the task.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Number of scripts.
    #[arg(long, default_value_t = 20_000)]
    cases: u64,
    /// Seed of the generator.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of the first script.
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// The solver under test; without it one is built.
    #[arg(long)]
    shofar: Option<PathBuf>,
    /// The reference; without it `SHOFAR_Z3`, `.venv/bin/z3` or the one on the path.
    #[arg(long)]
    z3: Option<PathBuf>,
    /// Threads.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Scripts in one process.
    #[arg(long, default_value_t = 200)]
    batch: u64,
    /// How many of the faulty scripts are shrunken.
    #[arg(long, default_value_t = 5)]
    shrink: usize,
    /// Only the scripts in these logics, named as in the table.
    #[arg(long, value_delimiter = ',')]
    logics: Vec<String>,
    /// Scripts with arrays, data types and bit-vectors instead of those with numbers and functions
    /// only.
    #[arg(long)]
    theories: bool,
    /// The most answers in a hundred that may be `unknown` or declined, for all logics or as
    /// LOGIC=PERCENT.
    #[arg(long, value_delimiter = ',')]
    unknown: Vec<String>,
    /// Compare the generator with the reference only.
    #[arg(long)]
    reference_only: bool,
    /// Print the finished scripts instead of a table.
    #[arg(long)]
    show: bool,
}

/// Milliseconds for a question about the newer theories.
const PATIENCE: u64 = 2000;
/// How long one script may be shrunken.
const SHRINKING: Duration = Duration::from_mins(1);

/// A script on which something is wrong.
struct Failure {
    number: u64,
    fault: Fault,
    script: Vec<Sexp>,
}

/// Runs the task; false if anything disagrees.
pub(crate) fn run(options: &Options) -> Result<bool, String> {
    let z3 = process::z3(options.z3.as_deref());
    let shofar = if options.reference_only {
        z3.clone()
    } else {
        process::shofar(options.shofar.as_deref(), Build::Checks)?
    };
    // Multiplications of bit-vectors can take arbitrarily long; that is no fault.
    let patience = options.theories.then_some(PATIENCE);
    let limits = Limits::parse(&options.unknown, options.theories)?;
    let folder = process::scratch("crosscheck")?;
    let started = Instant::now();
    let next = AtomicU64::new(0);
    let gathered = Mutex::new((Tally::default(), Vec::new()));
    let work = |who: usize| -> Result<(), String> {
        let bench = Bench::new(&shofar, &z3, &folder, &format!("thread{who}"), patience);
        loop {
            let start = next.fetch_add(options.batch, Ordering::Relaxed);
            if start >= options.cases {
                bench.clean();
                return Ok(());
            }
            let size = options.batch.min(options.cases - start);
            let (tally, failures) = check_batch(&bench, options, options.first + start, size)?;
            let mut gathered = gathered.lock().expect("no thread panics while it holds the lock");
            gathered.0.merge(&tally);
            gathered.1.extend(failures);
            if gathered.0.cases() % 2000 < usize::try_from(size).unwrap_or(0) {
                let (done, faults) = (gathered.0.cases(), gathered.0.faults());
                eprintln!(
                    "{done} scripts, {faults} faulty, {:.0} s",
                    started.elapsed().as_secs_f64()
                );
            }
        }
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..options.jobs).map(|who| scope.spawn(move || work(who))).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("a thread does not panic"))
    })?;
    let (tally, mut failures) =
        gathered.into_inner().expect("no thread panics while it holds the lock");
    failures.sort_by_key(|failure: &Failure| failure.number);
    let bench = Bench::new(&shofar, &z3, &folder, "shrink", patience);
    for (i, failure) in failures.iter().enumerate().take(50) {
        report(&bench, failure, i < options.shrink, &folder)?;
    }
    bench.clean();
    println!("{}", tally.text());
    println!(
        "{} scripts in {:.1} s, seed {}",
        tally.cases(),
        started.elapsed().as_secs_f64(),
        options.seed
    );
    let excesses = tally.excesses(&limits);
    for excess in &excesses {
        println!("{excess}");
    }
    println!("crosscheck: {} passed, {} failed", tally.cases() - tally.faults(), tally.faults());
    Ok(failures.is_empty() && excesses.is_empty())
}

/// Draws, asks, finishes, runs and judges a run of cases.
fn check_batch(
    bench: &Bench,
    options: &Options,
    first: u64,
    size: u64,
) -> Result<(Tally, Vec<Failure>), String> {
    let wanted = |case: &Case| {
        options.logics.is_empty() || options.logics.iter().any(|name| name == case.logic.label())
    };
    let draw = |number: u64| {
        if options.theories {
            Case::with_theories(options.seed, number)
        } else {
            Case::new(options.seed, number)
        }
    };
    let (numbers, cases): (Vec<u64>, Vec<Case>) = (first..first + size)
        .map(|number| (number, draw(number)))
        .filter(|(_, case)| wanted(case))
        .unzip();
    let drafts: Vec<Vec<Sexp>> = cases.iter().map(|case| parse(&case.draft())).collect();
    let opinions = bench.opinions(&drafts)?;
    let scripts: Vec<Vec<Sexp>> = cases
        .iter()
        .zip(&opinions)
        .map(|(case, opinion)| parse(&case.finish(&opinion.answers)))
        .collect();
    if options.show {
        for (number, script) in numbers.iter().zip(&scripts) {
            println!("; case {number}\n{}", text(script));
        }
    }
    if let Some((number, error)) =
        numbers.iter().zip(&opinions).find_map(|(n, o)| Some((n, o.error.as_ref()?)))
    {
        return Err(format!("the generator made a script that z3 refuses: case {number}: {error}"));
    }
    for ((number, case), opinion) in numbers.iter().zip(&cases).zip(&opinions) {
        if case.contradicts(&opinion.answers) {
            return Err(format!("the generator and z3 disagree about case {number}"));
        }
    }
    let results = if options.reference_only {
        opinions.iter().map(Examined::of_reference).collect()
    } else {
        bench.examine(&scripts, &opinions)?
    };
    let mut tally = Tally::default();
    let mut failures = Vec::new();
    for ((&number, case), (script, examined)) in
        numbers.iter().zip(&cases).zip(scripts.iter().zip(&results))
    {
        tally.add(case, script, examined);
        if let Some(fault) = examined.faults.first() {
            failures.push(Failure { number, fault: fault.clone(), script: script.clone() });
        }
    }
    Ok((tally, failures))
}

/// Shrinks a faulty script if wanted, writes it to a file and says so.
fn report(bench: &Bench, failure: &Failure, wanted: bool, folder: &Path) -> Result<(), String> {
    let (kind, class) = (failure.fault.kind, class(&failure.fault));
    let mut script = failure.script.clone();
    if wanted {
        let deadline = Instant::now() + SHRINKING;
        let mut fails = |candidate: &[Sexp]| {
            Instant::now() < deadline
                && bench.faults(candidate).iter().any(|fault| class == self::class(fault))
        };
        if fails(&script) {
            script = shrink(drop_status(kind, script), 1000, &mut fails);
        }
    }
    let fault = bench.faults(&script).into_iter().find(|fault| fault.kind == kind);
    let message = fault.as_ref().map_or(&failure.fault.message, |fault| &fault.message);
    let comment: Vec<String> = message.lines().map(|line| format!("; {line}")).collect();
    let content =
        format!("; case {}: {kind:?}\n{}\n{}\n", failure.number, comment.join("\n"), text(&script));
    let path = folder.join(format!("case-{}.smt2", failure.number));
    process::write(&path, content.as_bytes())?;
    println!("case {}: {kind:?}, see {}\n{content}", failure.number, path.display());
    Ok(())
}

/// What must stay the same while a script is shrunken: the kind, and the words of an error less its
/// position.
fn class(fault: &Fault) -> (Kind, String) {
    let words = match fault.kind {
        Kind::Error => fault.message.rsplit_once(": ").map_or("", |(_, words)| words),
        Kind::Answer
        | Kind::Status
        | Kind::Shape
        | Kind::Model
        | Kind::Value
        | Kind::Core
        | Kind::Assumptions
        | Kind::Interpolant
        | Kind::Symbols
        | Kind::Strength
        | Kind::Crash
        | Kind::Timeout => "",
    };
    (fault.kind, words.chars().filter(char::is_ascii_alphabetic).collect())
}

/// Answers known by construction do not survive shrinking, unless they are the fault.
fn drop_status(kind: Kind, mut script: Vec<Sexp>) -> Vec<Sexp> {
    if kind != Kind::Status {
        script.retain(|command| command.head() != Some("set-info"));
    }
    script
}

fn text(script: &[Sexp]) -> String {
    let lines: Vec<String> = script.iter().map(Sexp::to_string).collect();
    lines.join("\n")
}
