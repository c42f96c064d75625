//! No bytes make a reader panic or hang: damaged texts of every language are read, or refused at a place in them.
//!
//! With `SHOFAR_LONG_TESTS=1`, fifty thousand mutants of each language.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use shofar_base::Rng;
use shofar_chc::read::FrontEnd;
use shofar_frontend::{ARI, C, NTS, PROLOG, UPPAAL, VMT};
use shofar_term::TermStore;
use shofar_testkit::mutate::mutate;

/// The texts of the corpus in a language.
fn texts(front_end: &FrontEnd) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/languages");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.retain(|path| {
        path.extension().is_some_and(|e| front_end.extensions.contains(&e.to_str().unwrap()))
    });
    paths.sort();
    paths.iter().map(|path| fs::read_to_string(path).unwrap()).collect()
}

fn damage(front_end: &FrontEnd) {
    let texts = texts(front_end);
    assert!(!texts.is_empty(), "{}", front_end.name);
    let count = if std::env::var_os("SHOFAR_LONG_TESTS").is_some() { 50_000 } else { 1_500 };
    let mut rng = Rng::new(7);
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..count {
        let original = rng.pick(&texts).clone();
        let mutant = mutate(&mut rng, &original);
        let mut store = TermStore::new();
        let _ = (front_end.recognises)(&mutant);
        let chosen = front_end.options.iter().map(|option| (option.name, *rng.pick(option.values)));
        let chosen: Vec<(&str, &str)> = chosen.collect();
        let options = front_end.options_with(&chosen).unwrap();
        match (front_end.read)(&mutant, &options, &mut store) {
            Ok(problems) => {
                accepted += 1;
                for problem in &problems {
                    problem.system.assert_well_formed(&store);
                }
            }
            Err(error) => {
                refused += 1;
                assert!(error.span.start <= error.span.end, "{error:?}");
                assert!(error.span.end <= mutant.len(), "{error:?}");
            }
        }
    }
    assert!(accepted > 0 && refused > 0, "{accepted} accepted, {refused} refused");
}

#[test]
fn damaged_clauses_in_prolog_style() {
    damage(&PROLOG);
}

#[test]
fn damaged_programs() {
    damage(&NTS);
}

#[test]
fn damaged_transition_systems() {
    damage(&VMT);
}

#[test]
fn damaged_networks() {
    damage(&UPPAAL);
}

#[test]
fn damaged_programs_in_c() {
    damage(&C);
}

#[test]
fn damaged_integer_transition_systems() {
    damage(&ARI);
}
