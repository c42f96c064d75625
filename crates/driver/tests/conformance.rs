//! Every engine on every file of the corpus: the answer agrees, the witness passes, also after it was printed and read again.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use shofar_base::{Budget, StopHandle};
use shofar_chc::Verdict;
use shofar_chc::print::{Lines, print_model, print_refutation};
use shofar_chc::read::{Polarity, read_horn};
use shofar_check::{HornInput, parse_witness, validate};
use shofar_driver::{Settings, Solved, solve};
use shofar_engine::ENGINES;
use shofar_term::{Cx, TermStore};

struct Case {
    name: String,
    text: Vec<u8>,
    expect: String,
    excused: Vec<String>,
}

fn cases() -> Vec<Case> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/chc");
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
        Self { name: file.display().to_string(), text: text.into_bytes(), expect, excused }
    }
    fn run(&self, engine: &'static shofar_engine::EngineInfo) {
        let mut store = TermStore::new();
        let script = read_horn(&self.text, &mut store).unwrap();
        let problem = &script.problems[0];
        let input = HornInput::of_problem(problem);
        let excused = self.excused.iter().any(|e| e == engine.name);
        let limit = if excused { Duration::from_millis(500) } else { Duration::from_mins(1) };
        let deadline = Some(Instant::now() + limit);
        let settings =
            Settings { engines: vec![engine], threads: 1, deadline, ..Settings::default() };
        let solved = match solve(store, &input, &settings, &StopHandle::default(), &mut |_| ()) {
            Ok(solved) => solved,
            Err(failure) => {
                assert!(
                    failure.rejected.is_empty(),
                    "{} {}: {:?}",
                    self.name,
                    engine.name,
                    failure.rejected
                );
                assert!(excused, "{} {}: {failure:?}", self.name, engine.name);
                return;
            }
        };
        let is_safe = matches!(solved.certified.verdict(), Verdict::Safe(_));
        let says = if is_safe == (problem.polarity == Polarity::Normal) { "sat" } else { "unsat" };
        assert_eq!(says, self.expect, "{} {}", self.name, engine.name);
        self.check_printed(&input, solved);
    }
    /// Prints the witness, reads it and validates it once more.
    fn check_printed(&self, input: &HornInput<'_>, solved: Solved) {
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
    for case in cases() {
        for engine in ENGINES {
            case.run(engine);
        }
    }
}
