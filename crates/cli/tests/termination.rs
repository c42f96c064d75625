//! `shofar FILE.ari` and `--property termination`: the words of the termination competition, with evidence behind them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod folder;

use std::process::{Command, Output};

use folder::Folder;

const ENDS: &str = "(format LCTRS)\n(theory Ints)\n(fun f (-> Int Int Int))\n(entrypoint f)\n\
    (rule (f x y) (f (- x y) y) :guard (and (> x 0) (> y 0)))\n";
const RUNS: &str = "(format LCTRS)\n(theory Ints)\n(fun f (-> Int Int Int))\n(entrypoint f)\n\
    (rule (f x y) (f (+ x y) z) :guard (and (> x 0) (>= z y)))\n";

fn run(folder: &Folder, arguments: &[&str]) -> (String, String, Option<i32>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shofar"));
    let Output { status, stdout, stderr } =
        command.args(arguments).current_dir(folder.path()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(stdout), text(stderr), status.code())
}

#[test]
fn the_first_word_is_the_answer_and_evidence_follows() {
    let folder = Folder::new("termination-answered");
    folder.write("ends.ari", ENDS);
    folder.write("runs.ari", RUNS);
    let (out, err, code) = run(&folder, &["ends.ari"]);
    assert!(out.starts_with("YES\nranking functions"), "{out}{err}");
    assert!(out.contains("  f(x, y): (x") && out.contains("line 5"), "{out}");
    assert_eq!(code, Some(0));
    let (out, err, code) = run(&folder, &["runs.ari"]);
    assert!(out.starts_with("NO\n"), "{out}{err}");
    assert!(
        out.contains("from f: line 5 with z = ") && out.contains("\nexecution:\n  f("),
        "{out}"
    );
    assert_eq!(code, Some(0));
}

#[test]
fn invariants_can_be_checked() {
    let folder = Folder::new("termination-checked");
    folder.write("ends.ari", ENDS);
    let (out, _, _) = run(&folder, &["ends.ari"]);
    let model = out.split_once("invariants:\n").unwrap().1;
    folder.write("model.txt", format!("sat\n{model}"));
    let (out, err, code) = run(&folder, &["check", "ends.ari", "model.txt"]);
    assert!(out.starts_with("valid") && code == Some(0), "{out}{err}");
}

#[test]
fn programs_in_other_languages_are_asked_about() {
    let folder = Folder::new("termination-languages");
    let program = "nts count; main { x : int; initial s; error bad;
        s -> s { x > 0 and x' = x - 1 and havoc(x) }  s -> bad { x = -1 and havoc() } }";
    folder.write("count.nts", program);
    let (out, err, _) = run(&folder, &["--property", "termination", "count.nts"]);
    assert!(out.starts_with("YES\n"), "{out}{err}");
    assert!(out.contains("main.s(x): (x"), "{out}");
    let called = "nts c; main { x : int; initial s; s -> t { f(x) and havoc() } }
        f { in n : int; initial a; final b; a -> b { n > 0 and havoc() } }";
    folder.write("called.nts", called);
    let (out, err, code) = run(&folder, &["--property", "termination", "called.nts"]);
    assert_eq!((out.as_str(), code), ("MAYBE\n", Some(0)));
    assert!(err.contains("procedures"), "{err}");
}

#[test]
fn what_is_refused_or_takes_too_long_is_answered_by_maybe() {
    let folder = Folder::new("termination-refused");
    folder.write("bad.ari", ENDS.replace("(- x y)", "(* x y)"));
    let (out, err, code) = run(&folder, &["bad.ari"]);
    assert!(out.starts_with("MAYBE\n(error "), "{out}");
    assert!(err.contains("bad.ari:5:") && code == Some(2), "{err}");
    folder.write("ends.ari", ENDS);
    let (out, _, code) = run(&folder, &["--timeout", "0.0001", "ends.ari"]);
    assert_eq!((out.as_str(), code), ("MAYBE\n", Some(0)));
    let (out, err, code) = run(&folder, &["--property", "safety", "ends.ari"]);
    assert_eq!((out.lines().next(), code), (Some("unknown"), Some(2)), "{err}");
}

#[test]
fn clauses_are_described_and_translated() {
    let folder = Folder::new("termination-translated");
    folder.write("ends.ari", ENDS);
    let (out, err, code) = run(&folder, &["info", "ends.ari"]);
    assert!(out.contains("clauses:      2") && code == Some(0), "{out}{err}");
    let (out, err, code) = run(&folder, &["translate", "ends.ari"]);
    assert!(out.contains("(declare-fun f (Int Int) Bool)") && code == Some(0), "{out}{err}");
    let (out, err, code) = run(&folder, &["graph", "ends.ari"]);
    assert!(out.contains("digraph") && code == Some(0), "{out}{err}");
}
