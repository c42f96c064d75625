//! `cargo xtask fuzz`: damaged scripts through the program; it must neither die nor hang.
//!
//! The seeds are the files of `tests/corpus`, `examples` and freshly generated cases, one mutant in
//! eight is of a text in another language than SMT-LIB (`--language` leaves out all others). Each
//! mutant is a process of its own, since an input error ends the solver by design. A panic has exit
//! code 101; a signal is an abort or a stack overflow; whatever is still running well after
//! `--timeout` hangs. Mutants that do harm are shrunken and written to `target/fuzz/`.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use shofar_base::Rng;
use shofar_testkit::case::{Answer, Case};
use shofar_testkit::corpus;
use shofar_testkit::horn::HornCase;
use shofar_testkit::mutate::{Vocabulary, mutate, mutate_with, shrink_bytes};

use crate::process::{self, Build, End, Input, Ran};

/// Options of the task.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Number of mutants.
    #[arg(long, default_value_t = 5_000)]
    cases: u64,
    /// Seed of the mutator.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The solver under test; without it one is built.
    #[arg(long)]
    shofar: Option<PathBuf>,
    /// Threads.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Only texts with this extension, such as `horn`, `nts` or `xml`.
    #[arg(long)]
    language: Option<String>,
}

/// The languages other than SMT-LIB, by the extensions of their files.
const LANGUAGES: [&str; 7] = ["horn", "nts", "vmt", "ari", "c", "xml", "xta"];
/// One mutant in so many is in another language than SMT-LIB.
const SHARE: u64 = 8;

/// A damaged text, and the extension that says what it was.
struct Mutant {
    text: Vec<u8>,
    extension: String,
}

/// What the solver gets as its own time limit, in seconds; it hangs if it takes much longer.
const TIMEOUT: &str = "2";
const HANG: Duration = Duration::from_secs(12);

/// Runs the task; false if a mutant does harm.
pub(crate) fn run(options: &Options) -> Result<bool, String> {
    let shofar = process::shofar(options.shofar.as_deref(), Build::Checks)?;
    let folder = process::scratch("fuzz")?;
    let corpus = Seeds::new(options.language.as_deref());
    if corpus.is_lacking() {
        return Err("there is no text in this language".to_owned());
    }
    let started = Instant::now();
    let next = AtomicU64::new(0);
    let harmful = Mutex::new(Vec::new());
    let slowest = Mutex::new(Duration::ZERO);
    let work = || -> Result<(), String> {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= options.cases {
                return Ok(());
            }
            let mutant = corpus.mutant(options.seed, number);
            let Ran { end, time, .. } = feed(&shofar, &folder, number, &mutant)?;
            let mut slowest = slowest.lock().expect("no thread panics while it holds the lock");
            *slowest = time.max(*slowest);
            let mut harmful = harmful.lock().expect("no thread panics while it holds the lock");
            if end.is_crash() || end == End::Timeout {
                harmful.push((number, end, mutant));
            }
            if number % 5_000 == 4_999 {
                let (done, bad) = (number + 1, harmful.len());
                let seconds = started.elapsed().as_secs_f64();
                eprintln!("{done} mutants, {bad} harmful, {seconds:.0} s");
            }
        }
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..options.jobs).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("a thread does not panic"))
    })?;
    let mut harmful = harmful.into_inner().expect("no thread panics while it holds the lock");
    harmful.sort_by_key(|(number, _, _)| *number);
    for (number, end, mutant) in harmful.iter().take(10) {
        report(&shofar, &folder, *number, *end, mutant)?;
    }
    let slowest = slowest.into_inner().expect("no thread panics while it holds the lock");
    let (all, bad) = (options.cases, u64::try_from(harmful.len()).unwrap_or(u64::MAX));
    println!(
        "{all} mutants in {:.1} s, slowest {:.1} s, seed {}",
        started.elapsed().as_secs_f64(),
        slowest.as_secs_f64(),
        options.seed
    );
    println!("fuzz: {} passed, {bad} failed", all - bad);
    Ok(harmful.is_empty())
}

/// Texts of a language other than SMT-LIB.
struct Form {
    extension: String,
    texts: Vec<String>,
    vocabulary: Vocabulary,
}

/// Texts to damage.
struct Seeds {
    scripts: Vec<String>,
    others: Vec<Form>,
    /// Whether only these are damaged.
    only_others: bool,
}

impl Seeds {
    fn new(language: Option<&str>) -> Self {
        let root = process::root();
        let folders = [root.join("tests/corpus"), root.join("examples")];
        let read = |extension: &str| -> Vec<String> {
            let files = folders.iter().flat_map(|f| corpus::files_with(f, extension));
            let bytes = files.filter_map(|path| fs::read(path).ok());
            bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).collect()
        };
        let languages = language.map_or(LANGUAGES.to_vec(), |language| vec![language]);
        let of = |extension: &str| {
            let texts = read(extension);
            let vocabulary = Vocabulary::of_texts(&texts);
            let extension = extension.to_owned();
            (!texts.is_empty()).then_some(Form { extension, texts, vocabulary })
        };
        let others = languages.into_iter().filter_map(of).collect();
        Self { scripts: read("smt2"), others, only_others: language.is_some() }
    }
    fn is_lacking(&self) -> bool {
        self.only_others && self.others.is_empty()
    }
    /// The mutant with this number; the same for the same seed and corpus.
    fn mutant(&self, seed: u64, number: u64) -> Mutant {
        if self.only_others || number.is_multiple_of(SHARE) && !self.others.is_empty() {
            let mut rng = Rng::new(seed ^ Rng::new(number).bits());
            let Form { extension, texts, vocabulary } = rng.pick(&self.others);
            let text = rng.pick(texts);
            let text = mutate_with(&mut rng, vocabulary, text);
            return Mutant { text, extension: extension.clone() };
        }
        Mutant { text: script(&self.scripts, seed, number), extension: "smt2".to_owned() }
    }
}

/// A damaged script.
fn script(corpus: &[String], seed: u64, number: u64) -> Vec<u8> {
    let mut rng = Rng::new(seed ^ Rng::new(number).bits());
    let script = if corpus.is_empty() || rng.chance(60) {
        // The answers are a guess here: asking for a model after `unsat` is bad input too.
        let guess: Vec<Answer> =
            (0..40).map(|_| *rng.pick(&[Answer::Sat, Answer::Unsat])).collect();
        let case = if rng.chance(50) {
            Case::new(rng.bits(), number)
        } else {
            Case::with_theories(rng.bits(), number)
        };
        case.finish(&guess).join("\n")
    } else if rng.chance(50) {
        HornCase::with_theories(rng.bits(), number).script().join("\n")
    } else {
        rng.pick(corpus).clone()
    };
    mutate(&mut rng, &script)
}

/// Runs the solver on a mutant: a script as a Horn problem if it still says so, what is in another
/// language from a file.
fn feed(shofar: &Path, folder: &Path, number: u64, mutant: &Mutant) -> Result<Ran, String> {
    let Mutant { text, extension } = mutant;
    if extension != "smt2" {
        let path = folder.join(format!("input-{number}.{extension}"));
        process::write(&path, text)?;
        let name = path.to_string_lossy().into_owned();
        let ran = process::run(shofar, &["--timeout", TIMEOUT, &name], &Input::Nothing, HANG);
        fs::remove_file(&path).map_err(|error| error.to_string())?;
        return ran;
    }
    let is_horn = text.windows(b"set-logic HORN".len()).any(|part| part == b"set-logic HORN");
    let horn: &[&str] = &["--timeout", TIMEOUT, "-"];
    let arguments = if is_horn { horn } else { &["smt", "--timeout", TIMEOUT, "-"] };
    process::run(shofar, arguments, &Input::Bytes(text), HANG)
}

fn report(
    shofar: &Path,
    folder: &Path,
    number: u64,
    end: End,
    mutant: &Mutant,
) -> Result<(), String> {
    // A hang costs its time limit at every try.
    let tries = if end == End::Timeout { 20 } else { 2000 };
    let again = |text: &[u8]| {
        let mutant = Mutant { text: text.to_vec(), extension: mutant.extension.clone() };
        feed(shofar, folder, number, &mutant)
    };
    let mut fails = |candidate: &[u8]| again(candidate).is_ok_and(|ran| ran.end == end);
    let small = shrink_bytes(&mutant.text, tries, &mut fails);
    let path = folder.join(format!("mutant-{number}.{}", mutant.extension));
    process::write(&path, &small)?;
    let ran = again(&small)?;
    println!(
        "mutant {number}: {end:?}, see {}\n{}\n{}",
        path.display(),
        String::from_utf8_lossy(&small),
        ran.stderr
    );
    Ok(())
}
