//! No bytes make the program panic or hang: damaged texts of every language are read, described,
//! drawn and translated, or refused at a place in them; some of those that are read are answered
//! ([`answer`]).
//!
//! The texts are those of the corpus and of the examples. `SHOFAR_MUTANTS` says how many mutants of
//! each language there are, a few hundred otherwise, and `SHOFAR_ANSWERED` how many of them are
//! answered, a few otherwise. Those that do harm are written to the folder for temporary files, and
//! their numbers are told; a mutant is a function of its language and number, unless texts are
//! added.

mod answer;

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use shofar::{FRONT_ENDS, front_end_for};
use shofar_base::{Rng, Source};
use shofar_chc::read::{FrontEnd, ReadOptions};
use shofar_draw::{Captions, graph_dot};
use shofar_term::TermStore;
use shofar_testkit::corpus::files_with;
use shofar_testkit::mutate::{Vocabulary, mutate_with};

use crate::show;
use crate::text::{Complaint, Text};
use crate::translate::{self, Format};

/// The forms that texts have, by the extensions of their files.
const FORMS: [&str; 8] = ["smt2", "horn", "nts", "vmt", "xml", "xta", "c", "ari"];
/// Problems that another process has sent have tests of their own, beside their reader.
const BYTES: &str = "shofar";
/// How long a text may take: much longer in a debug build on a busy machine than in the program.
const LONGEST: Duration = Duration::from_secs(if cfg!(debug_assertions) { 60 } else { 20 });
/// Larger texts are damaged in the same places as small ones.
const LARGEST: usize = 20_000;

/// What came of the mutants of a form.
#[derive(Debug, Default)]
struct Tally {
    accepted: usize,
    refused: usize,
    slowest: Duration,
    answered: Answered,
    /// The mutants that do harm, and what is wrong with them.
    harmful: Vec<String>,
}

/// What came of the mutants that were answered.
#[derive(Debug, Default)]
struct Answered {
    mutants: usize,
    /// How many answers there are other than that nothing is known.
    known: usize,
    slowest: Duration,
}

/// How many mutants of each form are made, and how many of them are answered.
#[derive(Clone, Copy, Debug)]
struct Counts {
    mutants: usize,
    answered: usize,
}

impl Counts {
    fn told() -> Self {
        let told = |name, usual| {
            let text = std::env::var(name).ok();
            text.and_then(|text| text.parse().ok()).unwrap_or(usual)
        };
        Self { mutants: told("SHOFAR_MUTANTS", 250), answered: told("SHOFAR_ANSWERED", 12) }
    }
}

fn texts(form: &str) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = [root.join("tests/corpus"), root.join("examples")];
    let files = folders.iter().flat_map(|folder| files_with(folder, form));
    let texts = files.filter_map(|path| fs::read_to_string(path).ok());
    // Scripts about something else than Horn clauses are refused as they are.
    let is_horn = |text: &String| form != "smt2" || text.contains("HORN");
    texts.filter(|text| text.len() <= LARGEST).filter(is_horn).collect()
}

/// Reads a text and does with its problems what `info`, `graph` and `translate` do; an error is
/// what is wrong with the program.
fn front_half(
    front_end: &FrontEnd,
    options: &ReadOptions,
    file: &Path,
    text: &[u8],
) -> Result<bool, String> {
    let mut store = TermStore::new();
    let problems = match (front_end.read)(text, options, &mut store) {
        Ok(problems) => problems,
        Err(error) => {
            let name = file.to_string_lossy();
            let complaint = Complaint::new(&error, &name, &Source::new(text));
            let has_place = error.span.start <= error.span.end && error.span.end <= text.len();
            let begin = format!("{name}:");
            let has_words = complaint.picture.starts_with(&begin) && !error.message.is_empty();
            let wrong = || format!("a complaint without a place: {error:?}");
            return if has_place && has_words { Ok(false) } else { Err(wrong()) };
        }
    };
    let whole = Text::of(Some(file), text.to_vec());
    for problem in &problems {
        problem.system.assert_well_formed(&store);
        if problem.system.clauses().any(|(_, clause)| clause.span.is_none()) {
            return Err("a clause without a place".to_owned());
        }
        let _ = show::rows(&store, &problem.system);
        let _ = graph_dot(&store, &problem.system, &Captions::new(problem, text));
    }
    for format in [Format::SmtLib, Format::Prolog] {
        // What cannot be said in a format is refused.
        let _ = translate::write(format, &mut store, &problems, &whole);
    }
    Ok(true)
}

/// Texts of a form, and what they are damaged with.
struct Seeds {
    form: &'static str,
    texts: Vec<String>,
    vocabulary: Vocabulary,
}

impl Seeds {
    fn new(form: &'static str) -> Self {
        let texts = texts(form);
        assert!(!texts.is_empty(), "there is no text in {form}");
        let vocabulary =
            if form == "smt2" { Vocabulary::smt_lib() } else { Vocabulary::of_texts(&texts) };
        Self { form, texts, vocabulary }
    }
    /// The mutant with this number, and the generator that it leaves.
    fn mutant(&self, number: usize) -> (Vec<u8>, Rng) {
        let mut rng = Rng::new(u64::try_from(number).expect("it is a small number") + 1);
        let text = rng.pick(&self.texts);
        (mutate_with(&mut rng, &self.vocabulary, text), rng)
    }
    /// Keeps a mutant that does harm, and says where.
    fn keep(&self, number: usize) -> String {
        let kept = std::env::temp_dir().join(format!("shofar-mutant-{number}.{}", self.form));
        let _ = fs::write(&kept, self.mutant(number).0);
        format!("mutant {number} of {}, see {}", self.form, kept.display())
    }
}

/// Options of a language, chosen at random.
fn options(front_end: &FrontEnd, rng: &mut Rng) -> ReadOptions {
    let chosen = front_end.options.iter().map(|option| (option.name, *rng.pick(option.values)));
    let chosen: Vec<(&str, &str)> = chosen.collect();
    front_end.options_with(&chosen).expect("the values are those of the options")
}

impl Tally {
    /// Reads a mutant, and answers it if that is wanted; an error is what is wrong with the
    /// program.
    fn add(
        &mut self,
        file: &Path,
        mutant: &[u8],
        mut rng: Rng,
        count: usize,
    ) -> Result<(), String> {
        let _ = front_end_for(None, mutant);
        let front_end = front_end_for(Some(file), mutant);
        let options = options(front_end, &mut rng);
        let begin = Instant::now();
        let is_read = front_half(front_end, &options, file, mutant)?;
        self.slowest = self.slowest.max(begin.elapsed());
        if !is_read {
            self.refused += 1;
            return Ok(());
        }
        self.accepted += 1;
        if self.answered.mutants < count {
            let begin = Instant::now();
            self.answered.mutants += 1;
            self.answered.known += answer::answer(front_end, &options, mutant)?;
            self.answered.slowest = self.answered.slowest.max(begin.elapsed());
        }
        Ok(())
    }
}

/// Damages texts of a form; `at` is the number of the mutant, for who watches.
fn damage(seeds: &Seeds, counts: Counts, at: &AtomicUsize) -> Tally {
    let file = PathBuf::from(format!("mutant.{}", seeds.form));
    let mut tally = Tally::default();
    for number in 0..counts.mutants {
        at.store(number, Ordering::SeqCst);
        let (mutant, rng) = seeds.mutant(number);
        let added = AssertUnwindSafe(|| tally.add(&file, &mutant, rng, counts.answered));
        let wrong = match catch_unwind(added) {
            Ok(Ok(())) => continue,
            Ok(Err(why)) => why,
            Err(_) => "a panic".to_owned(),
        };
        tally.harmful.push(format!("{}: {wrong}", seeds.keep(number)));
    }
    tally
}

/// Ends the process if a mutant takes too long: nothing else ends a thread that hangs.
fn watch(numbers: &[(Seeds, AtomicUsize)], is_over: &AtomicBool) {
    let mut seen: Vec<(usize, Instant)> = numbers.iter().map(|_| (0, Instant::now())).collect();
    while !is_over.load(Ordering::SeqCst) {
        thread::sleep(Duration::from_millis(100));
        for ((seeds, number), (last, since)) in numbers.iter().zip(&mut seen) {
            let number = number.load(Ordering::SeqCst);
            if number != *last || number == usize::MAX || number == 0 {
                (*last, *since) = (number, Instant::now());
            } else if since.elapsed() > LONGEST {
                let (_, errors) = crate::output::Channel::standard();
                errors.write(&format!("{}: it takes too long\n", seeds.keep(number)));
                std::process::exit(101);
            }
        }
    }
}

#[test]
fn damaged_texts_of_every_language() {
    let counts = Counts::told();
    let numbers = FORMS.map(|form| (Seeds::new(form), AtomicUsize::new(0)));
    let (next, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let tallies = Mutex::new(Vec::new());
    let work = || {
        while let Some((seeds, at)) = numbers.get(next.fetch_add(1, Ordering::SeqCst)) {
            let tally = damage(seeds, counts, at);
            at.store(usize::MAX, Ordering::SeqCst);
            let mut tallies = tallies.lock().expect("no thread panics while it holds the lock");
            tallies.push((seeds.form, tally));
        }
    };
    thread::scope(|scope| {
        scope.spawn(|| watch(&numbers, &is_over));
        let threads = [scope.spawn(work), scope.spawn(work)];
        let ends = threads.map(thread::ScopedJoinHandle::join);
        is_over.store(true, Ordering::SeqCst);
        assert!(ends.iter().all(Result::is_ok), "a worker failed");
    });
    let tallies = tallies.into_inner().expect("all threads have ended");
    for (form, tally) in &tallies {
        let (_, errors) = crate::output::Channel::standard();
        let Tally { accepted, refused, slowest, answered, .. } = tally;
        errors.write(&format!("{form}: {accepted} read, {refused} refused, slowest {slowest:?}; "));
        errors.write(&format!(
            "of {} answered, {} known, slowest {:?}\n",
            answered.mutants, answered.known, answered.slowest
        ));
    }
    for (form, tally) in tallies {
        assert!(tally.harmful.is_empty(), "{form}: {:?}", tally.harmful);
        assert!(tally.accepted > 0 && tally.refused > 0, "{form}: {tally:?}");
        assert!(counts.answered == 0 || tally.answered.known > 0, "{form}: {tally:?}");
    }
}

#[test]
fn every_language_is_damaged() {
    let is_damaged = |row: &FrontEnd| row.extensions.iter().any(|own| FORMS.contains(own));
    let left: Vec<&str> =
        FRONT_ENDS.iter().filter(|row| !is_damaged(row)).map(|r| r.name).collect();
    assert_eq!(left, [FRONT_ENDS.iter().find(|row| row.extensions == [BYTES]).unwrap().name]);
}
