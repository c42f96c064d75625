//! `shofar FILE.ari` and `--property termination`: the words of the termination competition, with
//! evidence behind them.

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
    folder.write("whole.txt", &out);
    let (_, err, code) = run(&folder, &["check", "ends.ari", "whole.txt"]);
    assert!(err.contains("not checked from its text") && code == Some(2), "{err}");
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
    let called = "p(X, Y) :- X > 0. p(X, Z) :- p(X, Y), q(Y, Z). q(Y, Z) :- Z < Y.";
    folder.write("called.horn", called);
    let (out, err, code) = run(&folder, &["--property", "termination", "called.horn"]);
    assert_eq!((out.as_str(), code), ("MAYBE\n", Some(0)));
    assert!(err.contains("procedures"), "{err}");
}

/// A program that calls `f` again and again with its result; `body` is what `f` does.
fn calling(body: &str) -> String {
    format!(
        "nts c;\nmain {{ x : int; initial s;\n s -> s {{ x' = f(x) and havoc(x) }} }}\n\
         f {{ in n : int; out r : int; i : int; initial a; final b;\n {body} }}"
    )
}

#[test]
fn runs_go_through_what_is_called() {
    let folder = Folder::new("termination-calls");
    let down = "a -> c { n > 0 and i' = n and havoc(i) } c -> c { i > 0 and i' = i - 1 and havoc(i) } c -> b { i <= 0 and r' = n - 1 and havoc(r) }";
    for (name, text, word, part) in [
        ("down", calling(down), "YES\n", "f.c/1("),
        ("same", calling(&down.replace("r' = n - 1", "r' = n")), "NO\n", "f.c/1("),
        ("inner", calling(&down.replace("i' = i - 1", "i' = i + 1")), "NO\n", "f.c/1("),
        ("stuck", calling(&down.replace("c -> b { i <= 0", "c -> b { i > 0")), "YES\n", "f.c/1("),
    ] {
        folder.write(&format!("{name}.nts"), &text);
        let file = format!("{name}.nts");
        let (out, err, code) = run(&folder, &["--property", "termination", &file]);
        assert!(
            out.starts_with(word) && out.contains(part) && code == Some(0),
            "{name}: {out}{err}"
        );
    }
}

/// What a recursive function gives back is not known, so a run that waits for it is no evidence;
/// one that only goes down is.
#[test]
fn recursion_that_does_not_end() {
    let folder = Folder::new("termination-descent");
    let down = "a -> b { n <= 0 and r' = 0 and havoc(r) } a -> c { n > 0 and havoc() } c -> b { r' = f(n - 1) and havoc(r) }";
    folder.write("again.nts", calling("a -> b { r' = f(n) and havoc(r) }"));
    folder.write("waits.nts", calling(down));
    let program = |f: &str, main: &str| format!("int g;\n{f}\nint main() {{ {main} return 0; }}\n");
    let descent = "int f(int n) { if (n <= 0) return 0; return f(n - 1); }";
    let ackermann = "int f(int m, int n) { if (m <= 0) return n + 1; if (n <= 0) return f(m - 1, 1); return f(m - 1, f(m, n - 1)); }";
    for (file, text) in [
        ("again.c", program("int f(int n) { return f(n); }", "f(3);")),
        ("grows.c", program("int f(int n) { if (n > 0) f(n + 1); return n; }", "f(3);")),
        (
            "both.c",
            program(
                "int h(int);\nint f(int n) { g++; return h(n); }\nint h(int n) { return f(g); }",
                "f(3);",
            ),
        ),
        ("descent.c", program(descent, "f(30);")),
        ("ackermann.c", program(ackermann, "f(3, 4);")),
        ("waits.c", program(descent, "while (f(3) == 0) g++;")),
        ("stops.c", program("int f(int n) { if (n == 3) return 0; return f(n); }", "f(3);")),
    ] {
        folder.write(file, text);
    }
    for (file, word) in [
        ("again.nts", "NO"),
        ("waits.nts", "MAYBE"),
        ("again.c", "NO"),
        ("grows.c", "NO"),
        ("both.c", "NO"),
        ("descent.c", "YES"),
        ("ackermann.c", "YES"),
        ("waits.c", "MAYBE"),
        ("stops.c", "YES"),
    ] {
        let (out, err, code) = run(&folder, &["--property", "termination", file]);
        assert_eq!((out.lines().next(), code), (Some(word), Some(0)), "{file}: {out}{err}");
        let is_open = err.contains("need not be one of the input");
        assert_eq!(is_open, word == "MAYBE", "{file}: {err}");
    }
}

#[test]
fn recursion_that_descends_ends() {
    let folder = Folder::new("termination-recursion");
    let ackermann =
        "nts a; main { x, y, r : int; initial s; s -> t { r' = ack(x, y) and havoc(r) } }
        ack { in m, n : int; out r : int; k : int; initial a; final e;
          a -> e { m <= 0 and r' = n + 1 and havoc(r) }
          a -> e { m > 0 and n <= 0 and havoc(r) }
          a -> b { m > 0 and n > 0 and havoc() }
          b -> c { k' = ack(m, n - 1) and havoc(k) }
          c -> e { r' = ack(m - 1, k) and havoc(r) } }";
    folder.write("ackermann.nts", ackermann);
    let (out, err, code) = run(&folder, &["--property", "termination", "ackermann.nts"]);
    assert!(out.starts_with("YES\n") && out.contains("ack.a(m, n, r, k): ("), "{out}{err}");
    assert_eq!(code, Some(0));
}

#[test]
fn statistics_and_suites_know_the_answers() {
    let folder = Folder::new("termination-statistics");
    folder.write("suite/ends.ari", format!("; expect: YES\n{ENDS}"));
    folder.write("suite/runs.ari", format!("; expect: NO\n{RUNS}"));
    folder.write("suite/wrong.ari", format!("; expect: YES\n{RUNS}"));
    let (_, err, _) = run(&folder, &["--stats=json", "suite/ends.ari"]);
    for part in ["\"verdict\":\"YES\"", "\"termination_ranking_functions\":1", "\"reason\":null"] {
        assert!(err.contains(part), "{err}");
    }
    let (_, err, _) = run(&folder, &["--stats=json", "--timeout", "0.0001", "suite/ends.ari"]);
    assert!(!err.contains("verdict") || err.contains("\"verdict\":\"MAYBE\""), "{err}");
    let (out, err, code) = run(&folder, &["bench", "suite", "--timeout", "60"]);
    assert_eq!(code, Some(1), "{out}{err}");
    assert!(out.contains("YES  NO") && out.contains("expected YES, shofar says NO"), "{out}{err}");
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
