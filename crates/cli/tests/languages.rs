//! Problems in another language than SMT-LIB go the same way: here as bytes, which another process has sent.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod folder;

use std::process::{Command, Output};

use folder::Folder;
use shofar::Problem;
use shofar_chc::serial::export_problem;

const SAFE: &[u8] = b"(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (! (p 0) :named start))
(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))
(check-sat)";

fn bytes(text: &[u8]) -> Vec<u8> {
    let problem = Problem::from_text(text).unwrap();
    export_problem(&mut problem.store().clone(), problem.horn())
}

fn run(folder: &Folder, arguments: &[&str]) -> (String, String, Option<i32>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shofar"));
    let Output { status, stdout, stderr } =
        command.args(arguments).current_dir(folder.path()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(stdout), text(stderr), status.code())
}

#[test]
fn a_problem_from_another_process_is_answered() {
    let folder = Folder::new("languages-answered");
    folder.write("p.smt2", SAFE);
    folder.write("p.shofar", bytes(SAFE));
    folder.write("unnamed", bytes(SAFE));
    let (expected, _, _) = run(&folder, &["--witness", "--engine", "spacer", "p.smt2"]);
    assert!(expected.starts_with("sat\n("), "{expected}");
    for file in ["p.shofar", "unnamed"] {
        let (out, err, code) = run(&folder, &["--witness", "--engine", "spacer", file]);
        assert_eq!((out.as_str(), code), (expected.as_str(), Some(0)), "{err}");
        let (out, _, code) = run(&folder, &["info", file]);
        assert!(out.contains("clauses:      3") && code == Some(0), "{out}");
        folder.write("witness.txt", expected.as_bytes());
        let (out, err, code) = run(&folder, &["check", file, "witness.txt"]);
        assert!(out.starts_with("valid") && code == Some(0), "{out}{err}");
    }
}

#[test]
fn statistics_and_limits_are_the_same() {
    let folder = Folder::new("languages-statistics");
    folder.write("p.shofar", bytes(SAFE));
    let (out, err, code) = run(&folder, &["--stats=json", "--timeout", "20", "p.shofar"]);
    assert_eq!((out.as_str(), code), ("sat\n", Some(0)));
    assert!(err.contains("\"verdict\":\"sat\"") && err.contains("\"file\":\"p.shofar\""), "{err}");
}

#[test]
fn damaged_bytes_are_refused() {
    let folder = Folder::new("languages-damaged");
    let whole = bytes(SAFE);
    folder.write("p.shofar", &whole[..whole.len() - 3]);
    let (out, err, code) = run(&folder, &["p.shofar"]);
    assert!(out.starts_with("unknown\n(error \"p.shofar:"), "{out}");
    assert!(err.contains("error: unexpected end"), "{err}");
    assert_eq!(code, Some(2));
    let (_, err, code) = run(&folder, &["graph", "p.shofar"]);
    assert!(err.contains("unexpected end") && code == Some(2), "{err}");
}
