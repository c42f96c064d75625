//! Problems in another language than SMT-LIB go the same way: as bytes, which another process has
//! sent, in Prolog style, as programs.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod feed;
mod folder;

use std::process::{Command, Output};

use feed::feed;
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

const CLAUSES: &str = "% a counter\ncount(0).\ncount(M) :-\n  count(N), N < 10, M = N + 1.\nfalse :- count(N), N > LIMIT.\n";
const PROGRAM: &str = "nts count;
main { n : int; initial s; error bad;
  s -> run { n' = 0 and havoc(n) }
  run -> step { n < 10 and havoc() }
  step -> run { n' = next(n) and havoc(n) }
  run -> bad { n > LIMIT and havoc() } }
next { in i : int; out o : int; initial a; final b; a -> b { o' = i + 1 and havoc(o) } }
";

/// The texts of a language with a limit that is kept, and with one that is not.
fn texts(text: &str) -> [String; 2] {
    ["10", "8"].map(|limit| text.replace("LIMIT", limit))
}

/// Every command on a safe and an unsafe problem of a language.
fn check_language(extension: &str, text: &str, predicate: &str, line: &str) {
    let folder = Folder::new(&format!("languages-{extension}"));
    let (safe, bad) = (format!("safe.{extension}"), format!("bad.{extension}"));
    let [kept, broken] = texts(text);
    folder.write(&safe, kept.as_bytes());
    folder.write(&bad, broken.as_bytes());
    for (file, word, part) in [(&safe, "sat\n", predicate), (&bad, "unsat\n", line)] {
        let (out, err, code) = run(&folder, &["--witness", "--engine", "spacer", file]);
        assert!(out.starts_with(word) && out.contains(part) && code == Some(0), "{out}{err}");
        folder.write("witness.txt", out.as_bytes());
        let (out, err, code) = run(&folder, &["check", file, "witness.txt"]);
        assert!(out.starts_with("valid") && code == Some(0), "{out}{err}");
        let (out, err, code) = run(&folder, &["translate", file, "-o", "out.smt2"]);
        assert_eq!((out.as_str(), err.as_str(), code), ("", "", Some(0)));
        let (out, err, _) = run(&folder, &["--witness", "out.smt2"]);
        assert!(out.starts_with(word), "{out}{err}");
        let (out, err, code) = run(&folder, &["translate", "--format", "prolog", file]);
        assert!(out.contains(" :- ") && code == Some(0), "{out}{err}");
        folder.write("out.horn", out.as_bytes());
        let (out, err, _) = run(&folder, &["--timeout", "60", "out.horn"]);
        assert_eq!(out, word, "{err}");
    }
    let (out, _, code) = run(&folder, &["info", &safe]);
    assert!(out.contains("queries:      1") && code == Some(0), "{out}");
    let (out, _, code) = run(&folder, &["graph", &safe]);
    assert!(out.starts_with("digraph") && code == Some(0), "{out}");
    let (out, err, code) = run(&folder, &["--stats=json", "--cpu-timeout", "20", &safe]);
    assert_eq!((out.as_str(), code), ("sat\n", Some(0)));
    assert!(err.contains("\"verdict\":\"sat\""), "{err}");
}

#[test]
fn prolog_style_clauses() {
    check_language("horn", CLAUSES, "(define-fun count ((A Int)) Bool", ":line 3");
}

#[test]
fn programs_of_procedures() {
    check_language("nts", PROGRAM, "(define-fun main.run ((n Int)) Bool", ":line 5");
}

const NETWORK: &str = "// A lamp that is switched off in time.
process Lamp() {
  clock x;
  state off, on { x <= LIMIT }, err;
  init off;
  trans off -> on { assign x = 0; },
        on -> err { guard x > 8; },
        on -> off { };
}
system Lamp;
";

#[test]
fn networks_of_timed_automata() {
    let folder = Folder::new("languages-timed");
    let [bad, safe] = texts(NETWORK);
    folder.write("safe.xta", safe.as_bytes());
    folder.write("bad.xta", bad.as_bytes());
    for encode in ["product", "og", "rg"] {
        for (file, word) in [("safe.xta", "sat\n"), ("bad.xta", "unsat\n")] {
            let options = ["--encode", encode, "--time", "int"];
            let (out, err, code) = run(&folder, &[&["--witness", file], &options[..]].concat());
            assert!(out.starts_with(word) && code == Some(0), "{out}{err}");
            folder.write("witness.txt", out.as_bytes());
            let arguments = [&["check", file, "witness.txt"], &options[..]].concat();
            let (out, err, code) = run(&folder, &arguments);
            assert!(out.starts_with("valid") && code == Some(0), "{out}{err}");
        }
    }
    let (out, err, _) = run(&folder, &["--witness=source", "bad.xta"]);
    assert!(out.starts_with("unsat\nState: ( Lamp.off ) Lamp.x=0\n"), "{out}{err}");
    assert!(out.contains("Lamp: off -> on { 1; tau; x = 0; } (line 6)\n"), "{out}");
    let (out, err, _) = run(&folder, &["--witness=source", "safe.xta"]);
    assert!(out.starts_with("sat\nLamp.off (line 4): "), "{out}{err}");
    let mutant = include_str!("../../../examples/timed/fischer-parameterised-mutant.xml");
    folder.write("any.xml", mutant);
    let (out, err, code) = run(&folder, &["--encode", "parameterised", "any.xml"]);
    assert_eq!((out.as_str(), code), ("unsat\n", Some(0)), "{err}");
    assert!(err.contains("the network with 3 instances that the text lists"), "{err}");
    let any_number = ["any.xml", "--encode", "parameterised"];
    let (out, err, _) = run(&folder, &[&["--witness"], &any_number[..]].concat());
    assert!(out.starts_with("unsat\n(refutation\n"), "{out}{err}");
    let check = [&["check"], &any_number[..], &["witness.txt"]].concat();
    let wrong_step = out.replacen(":premises (3)", ":premises (2)", 1);
    let wrong_word = out.replacen("unsat", "sat", 1);
    let about = "the network with 3 instances that the text lists";
    for (witness, word, status) in
        [(&out, "valid\n", 0), (&wrong_step, "invalid\n", 1), (&wrong_word, "invalid\n", 1)]
    {
        folder.write("witness.txt", witness.as_bytes());
        let (judged, err, code) = run(&folder, &check);
        assert!(judged.starts_with(word) && judged.contains(about), "{judged}{err}");
        assert_eq!(code, Some(status), "{judged}");
    }
    let (out, err, code) = run(&folder, &["--encode", "parameterised", "safe.xta"]);
    assert!(err.contains("open parameter") && code == Some(2), "{out}{err}");
    folder.write("p.smt2", SAFE);
    let (_, err, code) = run(&folder, &["--encode", "og", "p.smt2"]);
    assert!(err.contains("--encode has no meaning") && code == Some(2), "{err}");
}

#[test]
fn translations_lead_back_to_the_input() {
    let folder = Folder::new("languages-translated");
    folder.write("p.horn", CLAUSES.replace("LIMIT", "10").as_bytes());
    let (out, err, code) = run(&folder, &["translate", "p.horn"]);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.starts_with("; from p.horn\n(set-logic HORN)\n(declare-fun count (Int) Bool)\n"));
    assert!(out.contains("; line 3: count(M) :- count(N), N < 10, M = N + 1.\n(assert "), "{out}");
    let script = "(set-logic HORN)(declare-fun p (Bool) Bool)(assert (p true))(check-sat)(assert (not (p true)))(check-sat)";
    folder.write("two.smt2", script.as_bytes());
    let (out, _, code) = run(&folder, &["translate", "two.smt2", "-o", "again.smt2"]);
    assert_eq!((out.as_str(), code), ("", Some(0)));
    assert_eq!(run(&folder, &["again.smt2"]).0, "sat\nunsat\n");
    for (arguments, message) in [
        (&["translate", "--format", "prolog", "two.smt2"][..], "asks 2 questions"),
        (&["translate", "--format", "prolog", "-q", "1", "two.smt2"][..], "something about Bool"),
        (&["translate", "-q", "3", "two.smt2"][..], "there are 2 questions"),
    ] {
        let (_, err, code) = run(&folder, arguments);
        assert!(err.contains(message) && code == Some(2), "{err}");
    }
}

#[test]
fn errors_show_the_place_in_any_language() {
    let folder = Folder::new("languages-errors");
    for (file, text, place) in [
        (
            "a.horn",
            "p(0).\np(X) :- q(X,.\n",
            "a.horn:2:13: error: expected an expression, found `.`\n  2 | p(X) :- q(X,.\n",
        ),
        (
            "a.nts",
            "nts a;\nmain { initial s;\n s -> t { x > 0 } }",
            "a.nts:3:11: error: the variable `x` is not declared\n",
        ),
    ] {
        folder.write(file, text.as_bytes());
        let (out, err, code) = run(&folder, &[file]);
        assert!(out.starts_with("unknown\n(error ") && code == Some(2), "{out}");
        assert!(err.starts_with(place), "{err}");
    }
}

/// What the program says to a text on its standard input, which is a pipe.
fn piped(arguments: &[&str], text: &[u8]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shofar"));
    // In pieces, so that the beginning does not come at once.
    let Output { stdout, stderr, .. } = feed(command.args(arguments), text.chunks(5));
    String::from_utf8(stdout).unwrap() + &String::from_utf8(stderr).unwrap()
}

#[test]
fn a_pipe_may_bring_any_language() {
    let [safe, _] = texts(CLAUSES);
    let [_, bad] = texts(PROGRAM);
    let network = include_str!("../../../tests/corpus/languages/lamp.xta");
    let ends = include_str!("../../../tests/corpus/languages/gcd.ari");
    let steps = "(declare-fun p (Int) Bool)(assert (forall ((x Int)) (p x)))
        (assert (forall ((x Int)) (=> (and (p x) (> x 0)) (p (- x 1)))))";
    for (arguments, text, word) in [
        (&[][..], SAFE, "sat\n"),
        (&[], &bytes(SAFE), "sat\n"),
        (&[], safe.as_bytes(), "sat\n"),
        (&[], bad.as_bytes(), "unsat\n"),
        (&["--encode", "product"], network.as_bytes(), "unsat\n"),
        (&[], ends.as_bytes(), "YES\n"),
        (&["--property", "termination"], format!("{steps}(check-sat)").as_bytes(), "YES\n"),
    ] {
        let said = piped(arguments, text);
        assert!(said.starts_with(word), "{}: {said}", String::from_utf8_lossy(text));
    }
}

/// The passes ask about selections inside of selections, which takes long; what is known without
/// them is told.
#[test]
fn a_program_is_described_in_good_time() {
    let folder = Folder::new("languages-described");
    let nested = format!("{}x{}", "a[".repeat(12), "]".repeat(12));
    folder.write("nested.c", format!("int main() {{ int x = 0; int a[9]; x = {nested}; }}"));
    let begin = std::time::Instant::now();
    let (out, err, code) = run(&folder, &["info", "nested.c"]);
    assert!(out.contains("flattened:") && code == Some(0), "{out}{err}");
    assert!(begin.elapsed() < std::time::Duration::from_secs(30), "{:?}", begin.elapsed());
}

/// Wraps around with 32 bits only.
const WRAPS: &str = "extern void reach_error(void);
int main(void) {
  unsigned long x = 4294967295u;
  x++;
  long y = 2147483647;
  y++;
  if (x == 0)
    reach_error();
  return 0;
}
";

#[test]
fn the_data_model_is_chosen_and_told() {
    let folder = Folder::new("languages-data-model");
    folder.write("p.c", WRAPS);
    for (model, answer) in [("LP64", "sat\n"), ("ILP32", "unsat\n")] {
        let option = format!("--data-model={model}");
        let (out, err, code) = run(&folder, &[&option, "--witness=source", "p.c"]);
        assert!(out.starts_with(answer) && code == Some(0), "{out}{err}");
        assert!(out.contains(&format!("data model: {model}\n")), "{out}");
        let (out, _, _) = run(&folder, &["info", &option, "p.c"]);
        assert!(out.contains("data model:") && out.contains(model), "{out}");
        let (out, _, _) = run(&folder, &[&option, "--witness=yaml", "p.c"]);
        assert!(out.contains(&format!("data_model: {model}\n")), "{out}");
        let (witness, _, _) = run(&folder, &[&option, "--witness", "p.c"]);
        folder.write("witness.txt", witness.as_bytes());
        let (out, err, code) = run(&folder, &["check", &option, "p.c", "witness.txt"]);
        assert!(out.starts_with("valid") && code == Some(0), "{out}{err}");
    }
    let (out, _, _) = run(&folder, &["p.c"]);
    assert_eq!(out, "sat\n");
}

#[test]
fn definitions_of_tasks_say_what_is_asked() {
    let folder = Folder::new("languages-tasks");
    folder.write("p.c", WRAPS);
    let task = |property: &str, model: &str| {
        format!(
            "# a task\nformat_version: '2.0'\ninput_files: 'p.c'\n\nproperties:\n  - property_file: \
             ../properties/{property}.prp\n    expected_verdict: false\n\noptions:\n  language: C\n  data_model: {model}\n"
        )
    };
    for (property, model, answer) in [
        ("unreach-call", "ILP32", "unsat"),
        ("unreach-call", "LP64", "sat"),
        ("no-overflow", "ILP32", "unsat"),
        ("no-overflow", "LP64", "sat"),
        ("termination", "LP64", "YES"),
    ] {
        folder.write("t.yml", task(property, model));
        let (out, err, code) = run(&folder, &["t.yml"]);
        assert_eq!(
            (out.lines().next(), code),
            (Some(answer), Some(0)),
            "{property} {model} {out}{err}"
        );
    }
    folder.write("t.yml", task("unreach-call", "ILP32"));
    let (witness, _, _) = run(&folder, &["--witness", "t.yml"]);
    folder.write("witness.txt", witness.as_bytes());
    let (out, err, code) = run(&folder, &["check", "t.yml", "witness.txt"]);
    assert!(out.starts_with("valid") && code == Some(0), "{out}{err}");
    let (out, _, _) = run(&folder, &["--data-model=LP64", "t.yml"]);
    assert_eq!(out, "sat\n", "the command line comes first");
    folder.write("t.yml", task("valid-memsafety", "LP64"));
    let (out, err, code) = run(&folder, &["t.yml"]);
    assert!(out.ends_with("unknown\n") && code == Some(2), "{out}{err}");
    assert!(err.contains("t.yml:6:20") && err.contains("`valid-memsafety`"), "{err}");
}
