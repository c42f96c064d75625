//! Problems and witnesses as bytes: on the corpus they come back, and are valid in a store that has
//! never seen the text; changed bytes are read or refused, and nothing else.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::time::Duration;

use shofar::base::{Budget, Rng};
use shofar::chc::read::Assertion;
use shofar::chc::serial::{
    export_model, export_problem, export_refutation, export_system, import_model, import_problem,
    import_refutation, import_system,
};
use shofar::chc::{ChcSystem, Clause, Verdict};
use shofar::check::{HornInput, validate};
use shofar::term::{Cx, TermStore};
use shofar::{Answer, Problem, Solver};

/// The problems of the corpus, with the names of their files.
fn corpus() -> Vec<(String, Problem)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/chc");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()).collect();
    files.sort();
    let read = |file: &std::path::PathBuf| {
        let problems = Problem::all_from_text(&std::fs::read(file).unwrap()).unwrap();
        let name = file.display().to_string();
        problems.into_iter().map(move |problem| (name.clone(), problem))
    };
    files.iter().flat_map(read).collect()
}

/// The clauses; in one store, equal terms have equal handles.
fn clauses(system: &ChcSystem) -> Vec<&Clause> {
    system.clauses().map(|(_, clause)| clause).collect()
}

#[test]
fn problems_come_back_through_another_store() {
    let problems = corpus();
    assert!(problems.len() > 20);
    for (name, problem) in problems {
        let (mut own, mut other) = (problem.store().clone(), TermStore::new());
        let bytes = export_problem(&mut own, problem.horn());
        let there =
            import_problem(&mut other, &bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        there.system.assert_well_formed(&other);
        let bytes = export_problem(&mut other, &there);
        let back = import_problem(&mut own, &bytes).unwrap();
        let horn = problem.horn();
        assert_eq!(clauses(&back.system), clauses(&horn.system), "{name}");
        // What travels is what the reader made of an assertion; there, that is how it was written.
        let stripped =
            |assertion: &Assertion| Assertion { written: assertion.formula, ..assertion.clone() };
        let assertions: Vec<Assertion> = horn.assertions.iter().map(stripped).collect();
        assert_eq!(back.assertions, assertions, "{name}");
        assert_eq!(back.origin.iter().collect::<Vec<_>>(), horn.origin.iter().collect::<Vec<_>>());
        assert_eq!(
            (back.polarity, back.status, back.exactness, back.span),
            (horn.polarity, horn.status, horn.exactness, horn.span)
        );
        let bytes = export_system(&mut other, &there.system);
        let system = import_system(&mut own, &bytes).unwrap();
        assert_eq!(clauses(&system), clauses(&horn.system), "{name}");
    }
}

#[test]
fn witnesses_are_valid_in_another_store() {
    let (mut models, mut refutations) = (0, 0);
    let solver = Solver::new().with_timeout(Duration::from_secs(2));
    for (name, problem) in corpus() {
        let mut own = problem.store().clone();
        let bytes = export_problem(&mut own, problem.horn());
        let answer = solver.solve(problem).answer;
        let mut store = TermStore::new();
        let there = import_problem(&mut store, &bytes).unwrap();
        let verdict = match answer {
            Answer::Safe(model) => {
                models += 1;
                let mut own = model.store().clone();
                let bytes = export_model(&mut own, &there.system, model.interpretation());
                Verdict::Safe(import_model(&mut store, &there.system, &bytes).unwrap())
            }
            Answer::Unsafe(refutation) => {
                refutations += 1;
                let own = &mut refutation.store().clone();
                let bytes = export_refutation(own, refutation.system(), refutation.derivation());
                Verdict::Unsafe(import_refutation(&mut store, &there.system, &bytes).unwrap())
            }
            // Debug builds are slow; most of the corpus is enough.
            Answer::Unknown(_) => continue,
        };
        let (budget, input) = (Budget::unlimited(), HornInput::of_problem(&there));
        let checked = validate(&mut Cx::new(&mut store, &budget), &input, verdict).unwrap();
        assert!(checked.is_ok(), "{name}");
    }
    assert!(models > 15 && refutations > 8);
}

/// Changes a few bytes, cuts, or doubles a part.
fn damage(rng: &mut Rng, bytes: &[u8]) -> Vec<u8> {
    let mut damaged = bytes.to_vec();
    for _ in 0..=rng.below(4) {
        let at = rng.below(damaged.len());
        match rng.below(6) {
            0 => damaged.truncate(at.max(1)),
            1 => damaged.extend_from_within(at..),
            2 => damaged[at] = 0xff,
            _ => damaged[at] = rng.below(256).try_into().unwrap(),
        }
    }
    damaged
}

#[test]
fn hostile_bytes_are_refused_or_well_formed() {
    let mut rng = Rng::new(8);
    let (mut refused, mut read) = (0, 0);
    for (_, problem) in corpus().into_iter().take(12) {
        let mut own = problem.store().clone();
        let bytes = export_problem(&mut own, problem.horn());
        for _ in 0..400 {
            let mut store = TermStore::new();
            match import_problem(&mut store, &damage(&mut rng, &bytes)) {
                Ok(problem) => {
                    problem.system.assert_well_formed(&store);
                    let _ = HornInput::of_problem(&problem);
                    read += 1;
                }
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > 1000 && read > 0, "{refused} refused, {read} read");
    for _ in 0..2000 {
        let noise: Vec<u8> =
            (0..rng.below(80)).map(|_| rng.below(256).try_into().unwrap()).collect();
        let bytes = [b"shofar problem 2\n", noise.as_slice()].concat();
        assert!(import_problem(&mut TermStore::new(), &bytes).is_err());
    }
}

#[test]
fn hostile_witnesses_are_refused_or_can_be_judged() {
    let mut rng = Rng::new(9);
    let mut read = 0;
    for (_, problem) in corpus().into_iter().take(12) {
        let (horn, store) = (problem.horn().clone(), problem.store().clone());
        let answer = Solver::new().solve(problem).answer;
        let bytes = match &answer {
            Answer::Safe(model) => {
                export_model(&mut model.store().clone(), &horn.system, model.interpretation())
            }
            Answer::Unsafe(refutation) => export_refutation(
                &mut refutation.store().clone(),
                &horn.system,
                refutation.derivation(),
            ),
            Answer::Unknown(why) => panic!("{why}"),
        };
        for _ in 0..200 {
            let (mut store, damaged) = (store.clone(), damage(&mut rng, &bytes));
            let verdict = match &answer {
                Answer::Safe(_) => {
                    import_model(&mut store, &horn.system, &damaged).map(Verdict::Safe)
                }
                Answer::Unsafe(_) | Answer::Unknown(_) => {
                    import_refutation(&mut store, &horn.system, &damaged).map(Verdict::Unsafe)
                }
            };
            let Ok(verdict) = verdict else { continue };
            read += 1;
            let (budget, input) = (Budget::unlimited().part(100_000), HornInput::of_problem(&horn));
            // Whether it is valid is not known; but it can be told.
            let _ = validate(&mut Cx::new(&mut store, &budget), &input, verdict);
        }
    }
    assert!(read > 0);
}
