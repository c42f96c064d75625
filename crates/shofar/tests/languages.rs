//! The files of `tests/corpus/languages`: each has the verdict that its first line says, and so has
//! its twin in SMT-LIB.
//!
//! The first line is a comment of the language: `% expect: sat`. A file that begins with the number
//! of an example of the thesis, such as `x3-…`, has a twin of the same name in `tests/corpus/chc`.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use shofar::{Answer, Problem, Solver, front_end_for};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus")
}

fn files(extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(corpus().join("languages")).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|e| e == extension)).collect();
    files.sort();
    files
}

/// The words behind `expect:` in a text.
fn expected(text: &str) -> Vec<String> {
    let line = text.lines().find_map(|line| line.split_once("expect: ")).unwrap().1;
    line.split_whitespace().map(str::to_owned).collect()
}

fn answers(file: &Path, text: &str, patience: u64) -> Vec<String> {
    let front_end = front_end_for(Some(file), text.as_bytes());
    let problems = Problem::read(front_end, text.as_bytes()).unwrap();
    let solver = Solver::new().with_timeout(Duration::from_secs(patience));
    problems.into_iter().map(|problem| solver.solve(problem).word().to_owned()).collect()
}

fn check(extension: &str) {
    let files = files(extension);
    assert!(!files.is_empty(), "{extension}");
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let expected = expected(&text);
        let patience = if expected.iter().any(|word| word == "unknown") { 1 } else { 60 };
        assert_eq!(answers(&file, &text, patience), expected, "{}", file.display());
    }
}

#[test]
fn prolog_style_clauses() {
    check("horn");
}

#[test]
fn programs_of_procedures() {
    check("nts");
}

#[test]
fn transition_systems() {
    check("vmt");
}

#[test]
fn networks_of_timed_automata() {
    check("xml");
    check("xta");
}

#[test]
fn programs_in_c() {
    check("c");
}

#[test]
fn twins_have_the_same_verdict() {
    let mut twins = 0;
    for file in files("horn").into_iter().chain(files("nts")).chain(files("c")) {
        let twin = corpus().join("chc").join(file.with_extension("smt2").file_name().unwrap());
        let Ok(script) = fs::read_to_string(twin) else { continue };
        let own = expected(&fs::read_to_string(&file).unwrap());
        // What no engine decides in a short time has the word `unknown` here.
        if own != ["unknown"] {
            assert_eq!(own, expected(&script), "{}", file.display());
        }
        twins += 1;
    }
    assert!(twins >= 15, "{twins}");
}

#[test]
fn models_speak_of_locations_and_variables() {
    let text = fs::read_to_string(corpus().join("languages/x2-difference-safe.nts")).unwrap();
    let problem = Problem::from_text(text.as_bytes()).unwrap();
    let Answer::Safe(model) = Solver::new().solve(problem).answer else { panic!("it is safe") };
    let shown = model.to_string();
    assert!(
        shown.contains("(define-fun main.l2 ((i Int) (j Int) (x Int) (y Int)) Bool"),
        "{shown}"
    );
}
