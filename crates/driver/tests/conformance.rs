//! Every engine on every file of the corpus: the answer agrees, the witness passes, also after it
//! was printed and read again.
//!
//! Each file and engine has a line of its own in the output, and all of them are tried, whatever
//! goes wrong with one.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "the test harness shows the lines of a test that fails")]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use shofar_base::{Budget, StopHandle};
use shofar_chc::print::{Lines, print_model, print_refutation};
use shofar_chc::read::{Polarity, read_horn};
use shofar_chc::{ChcGraph, Shape, Verdict};
use shofar_check::{HornInput, parse_witness, validate};
use shofar_driver::{Event, Settings, Solved, solve};
use shofar_engine::{ENGINES, EngineInfo, Fragment};
use shofar_term::{Cx, TermStore};

struct Case {
    name: String,
    text: Vec<u8>,
    expect: String,
    excused: Vec<String>,
}

fn cases(folder: &str) -> Vec<Case> {
    let corpus = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus");
    let folder = corpus.join(folder);
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| Case::read(file)).collect()
}

impl Case {
    fn read(file: &std::path::Path) -> Self {
        let text = std::fs::read_to_string(file).unwrap();
        let header = |key: &str| {
            let prefix = format!("; {key}: ");
            text.lines().find_map(|l| l.strip_prefix(&prefix)).map(str::to_owned)
        };
        let expect = header("expect").expect("every file says what is expected");
        let excused = header("unknown-ok").unwrap_or_default();
        let excused = excused.split(' ').map(str::to_owned).collect();
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned());
        Self { name: name.unwrap_or_default(), text: text.into_bytes(), expect, excused }
    }
    /// What the engine says, or what is wrong with it.
    fn run(&self, engine: &'static EngineInfo) -> Result<&'static str, String> {
        let mut store = TermStore::new();
        let script = read_horn(&self.text, &mut store).unwrap();
        let problem = &script.problems[0];
        let input = HornInput::of_problem(problem);
        let is_acyclic = ChcGraph::new(input.system()).shape() == Shape::Acyclic;
        let excused = self.excused.iter().any(|e| e == engine.name)
            || engine.fragment == Fragment::RecursionFree && !is_acyclic;
        let limit = if excused { Duration::from_millis(500) } else { Duration::from_mins(1) };
        let deadline = Some(Instant::now() + limit);
        let settings =
            Settings { engines: vec![engine], threads: 1, deadline, ..Settings::default() };
        let solved = match solve(store, &input, &settings, &StopHandle::default(), &mut |_| ()) {
            Ok(solved) => solved,
            Err(failure) if !failure.rejected.is_empty() => {
                return Err(failure.rejected.join("; "));
            }
            Err(_) if excused => return Ok("unknown, which is excused"),
            Err(failure) => return Err(failure.reason()),
        };
        let is_safe = matches!(solved.certified.verdict(), Verdict::Safe(_));
        let says = if is_safe == (problem.polarity == Polarity::Normal) { "sat" } else { "unsat" };
        if says != self.expect {
            return Err(format!("{says} instead of {}", self.expect));
        }
        self.check_printed(&input, solved);
        Ok(says)
    }
    /// What is wrong with what the default strategy says: its answer, a witness that was rejected,
    /// or an engine that panicked.
    fn faults(&self) -> Vec<String> {
        let mut store = TermStore::new();
        let script = read_horn(&self.text, &mut store).unwrap();
        let input = HornInput::of_problem(&script.problems[0]);
        let is_open = self.excused.iter().any(|who| who == "yes");
        let limit = if is_open { Duration::from_millis(500) } else { Duration::from_mins(1) };
        let settings = Settings { deadline: Some(Instant::now() + limit), ..Settings::default() };
        let mut faults = Vec::new();
        let outcome = solve(store, &input, &settings, &StopHandle::default(), &mut |event| {
            if let Event::Panicked(_, message) = event {
                faults.push(message.clone());
            }
        });
        let says = match &outcome {
            Ok(solved) if matches!(solved.certified.verdict(), Verdict::Safe(_)) => "sat",
            Ok(_) => "unsat",
            Err(failure) => {
                faults.extend(failure.rejected.iter().cloned());
                "unknown"
            }
        };
        if says != self.expect && !(is_open && says == "unknown") {
            faults.push(format!("{says} instead of {}", self.expect));
        }
        if let Ok(solved) = outcome {
            self.check_printed(&input, solved);
        }
        faults
    }
    /// What [`run`](Self::run) says, with a panic as one more thing that may be wrong.
    fn report(&self, engine: &'static EngineInfo) -> Result<&'static str, String> {
        catch_unwind(AssertUnwindSafe(|| self.run(engine))).unwrap_or_else(|payload| {
            let text = payload.downcast_ref::<String>().cloned();
            let text = text.or_else(|| payload.downcast_ref::<&str>().map(|&t| t.to_owned()));
            Err(format!("panic: {}", text.unwrap_or_default()))
        })
    }
    /// Prints the witness, reads it and validates it once more.
    fn check_printed(&self, input: &HornInput, solved: Solved) {
        let Solved { certified, mut store, .. } = solved;
        let mut text = Vec::new();
        match certified.verdict() {
            Verdict::Safe(model) => {
                print_model(&mut text, &mut store, input.system(), model).unwrap();
            }
            Verdict::Unsafe(refutation) => {
                print_refutation(&mut text, &store, input.system(), &Lines::unknown(), refutation)
                    .unwrap();
            }
        }
        let budget = Budget::unlimited();
        let mut cx = Cx::new(&mut store, &budget);
        let witness = parse_witness(&mut cx, &text, input.system()).unwrap();
        let checked = validate(&mut cx, input, witness).unwrap();
        assert!(checked.is_ok(), "{}: {}", self.name, String::from_utf8_lossy(&text));
    }
}

#[test]
fn every_engine_on_every_file() {
    let mut failures = Vec::new();
    for case in cases("chc") {
        for engine in ENGINES {
            let line = match case.report(engine) {
                Ok(answer) => format!("{} {}: {answer}", case.name, engine.name),
                Err(why) => {
                    let line = format!("{} {}: FAILED, {why}", case.name, engine.name);
                    failures.push(line.clone());
                    line
                }
            };
            println!("{line}");
        }
    }
    assert!(failures.is_empty(), "{} failed:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn what_went_wrong_once_goes_well() {
    for case in cases("theories/regress") {
        assert_eq!(case.faults(), Vec::<String>::new(), "{}", case.name);
    }
}
