//! `shofar check`: what is printed, and the exit status.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod folder;

use std::io::Write as _;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use folder::Folder;

const UNSAFE: &str = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 0))
(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (and (p x) (> x 2)) false)))(check-sat)";
/// Asks three questions, the answers to which are sat, unsat and sat.
const THREE: &str = "(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (p x) (p (+ x 2)))))
(check-sat)
(push 1)
(assert (forall ((x Int)) (=> (and (p x) (= x 4)) false)))
(check-sat)
(pop 1)
(echo \"sat\")
(check-sat)";

/// Runs the program in the folder, with `input` on its standard input.
fn shofar(folder: &Folder, arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_shofar"))
        .args(arguments)
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that has seen enough does not read the rest.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What is printed about `witness`, and the exit status.
fn checked(folder: &Folder, arguments: &[&str], problem: &str, witness: &str) -> (String, i32) {
    folder.write("p.smt2", problem);
    folder.write("w.txt", witness);
    let arguments = [&["check", "p.smt2", "w.txt"], arguments].concat();
    let output = shofar(folder, &arguments, "");
    (stdout(&output), output.status.code().unwrap())
}

#[track_caller]
fn expect(found: &(String, i32), text: &str, status: i32) {
    assert_eq!((found.0.as_str(), found.1), (text, status));
}

/// The answers of one engine, which are the same in every run.
fn answers(folder: &Folder, problem: &str) -> String {
    stdout(&shofar(folder, &["--engine", "spacer", "--witness"], problem))
}

#[test]
fn a_witness_checks_and_a_damaged_one_does_not() {
    let folder = Folder::new("check-one");
    let good = answers(&folder, UNSAFE);
    let valid = "valid\nunsat is confirmed by a refutation of 5 steps\n";
    expect(&checked(&folder, &[], UNSAFE, &good), valid, 0);
    let claim = good.replace("(p 1)", "(p 7)");
    let message = "invalid\nw.txt:4:57: clause and values derive something else\n";
    expect(&checked(&folder, &[], UNSAFE, &claim), message, 1);
    let values = good.replace("((x 3))", "((x 2))");
    let message = "invalid\np.smt2:3:1: step 4, by clause 2: the constraint is false for x = 2\n";
    expect(&checked(&folder, &[], UNSAFE, &values), message, 1);
    let word = good.replace("unsat", "sat");
    let message = "invalid\nthe answer is sat, but a refutation is evidence for unsat\n";
    expect(&checked(&folder, &[], UNSAFE, &word), message, 1);
    let wordless = good.replace("unsat", "");
    expect(&checked(&folder, &[], UNSAFE, &wordless), valid, 0);
    let folded = stdout(&shofar(&folder, &["--witness=short"], UNSAFE));
    expect(&checked(&folder, &[], UNSAFE, &folded), valid, 0);
}

/// In one loop the disjunct that holds changes on the way.
#[test]
fn folded_refutations_are_confirmed() {
    let folder = Folder::new("check-folded");
    let problem = |guard: &str| {
        format!(
            "(set-logic HORN)(declare-fun p (Int Int) Bool)(assert (p 0 7))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) {guard}) (p (+ x 1) (+ y 2)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (= x 90)) false)))(check-sat)"
        )
    };
    for (guard, most) in [("(< x 90)", 4), ("(or (< x 50) (> x 20))", 8)] {
        let problem = problem(guard);
        let full = stdout(&shofar(&folder, &["--engine", "bmc", "--witness"], &problem));
        assert_eq!(full.matches("(step").count(), 92, "{full}");
        let short = stdout(&shofar(&folder, &["--engine", "bmc", "--witness=short"], &problem));
        let listed = short.matches("(step").count();
        assert!(short.contains("(repeat") && listed <= most, "{short}");
        let valid = format!(
            "valid\nunsat is confirmed by a refutation of {listed} steps, which stand for 92\n"
        );
        expect(&checked(&folder, &[], &problem, &short), &valid, 0);
        let wrong = short.replacen("(repeat ", "(repeat 1", 1);
        assert_eq!(checked(&folder, &[], &problem, &wrong).1, 1, "{wrong}");
    }
}

#[test]
fn what_is_not_found_out_has_a_status_of_its_own() {
    let folder = Folder::new("check-unknown");
    expect(&checked(&folder, &[], UNSAFE, "unknown"), "unknown\nthe answer is unknown\n", 4);
    let message = "unknown\nthere is no evidence for unsat\n";
    expect(&checked(&folder, &[], UNSAFE, "unsat"), message, 4);
    let (text, status) = checked(&folder, &[], UNSAFE, "(error \"no\") hello");
    assert!(text.starts_with("(error \"w.txt:1:1: there is neither"), "{text}");
    assert_eq!(status, 2);
    let products = "sat ((define-fun p ((A Int)) Bool (= (* A A) 4)))";
    assert_eq!(checked(&folder, &[], UNSAFE, products).1, 2);
    assert_eq!(checked(&folder, &[], "(declare-fun p", "sat ()").1, 2);
    assert_eq!(checked(&folder, &[], "(set-logic HORN)", "sat ()").1, 2);
    assert_eq!(checked(&folder, &[], UNSAFE, "sat () unsat").1, 2);
}

#[test]
fn every_question_has_its_answer() {
    let folder = Folder::new("check-several");
    let all = answers(&folder, THREE);
    let first = "valid: sat is confirmed by a model of 1 predicate (question 1 of 3, line 5)\n";
    let second = "valid: unsat is confirmed by a refutation of 4 steps (question 2 of 3, line 8)\n";
    let third = "valid: sat is confirmed by a model of 1 predicate (question 3 of 3, line 11)\n";
    let lines = [first, second, third].concat();
    expect(&checked(&folder, &[], THREE, &all), &lines, 0);
    let chosen = checked(&folder, &["--question", "2"], THREE, &all);
    expect(&chosen, &second.replacen(": ", "\n", 1), 0);
    assert_eq!(checked(&folder, &["--question", "4"], THREE, &all).1, 2);
    assert_eq!(checked(&folder, &["--question", "0"], THREE, &all).1, 2);

    // A single answer is the one to the chosen question.
    let model = "(define-fun p ((A Int)) Bool (>= A 0))";
    expect(
        &checked(&folder, &["--question", "3"], THREE, model),
        &third.replacen(": ", "\n", 1),
        0,
    );
    let missing = "unknown: there is no answer (question 2 of 3, line 8)\n\
        unknown: there is no answer (question 3 of 3, line 11)\n";
    expect(&checked(&folder, &[], THREE, model), &[first, missing].concat(), 4);
}

#[test]
fn the_gravest_judgement_decides() {
    let folder = Folder::new("check-gravest");
    let status = |witness: &str| checked(&folder, &[], THREE, witness).1;
    let (model, wrong) =
        ("(define-fun p ((A Int)) Bool true)", "(define-fun p ((A Int)) Bool false)");
    assert_eq!(status(&format!("sat {model} unknown sat {model}")), 4);
    assert_eq!(status(&format!("sat {model} sat {model} sat {model}")), 1);
    assert_eq!(status(&format!("sat {wrong} unknown sat (model oops)")), 1);
    assert_eq!(status(&format!("sat {model} unknown sat (model oops)")), 2);
    let (text, _) = checked(&folder, &[], THREE, &format!("sat (model oops) unknown sat {model}"));
    assert!(text.starts_with("(error \"w.txt:1:12: "), "{text}");
    assert!(text.ends_with("(question 3 of 3, line 11)\n"), "{text}");
}

#[test]
fn what_solvers_print_besides_is_skipped() {
    let folder = Folder::new("check-remarks");
    let witness = "success\n; sat\n\"unsat\"\nsat\n(:reason-unknown \"sat\")\nunsupported\n\
        (error \"line 3: unsat\")\n(model (define-fun p ((A Int)) Bool\n  (let ((a (>= A 0))) (! a :weight 0))))\n\
        hello\nunknown\n(define-fun p ((A Int)) Bool false)";
    let (text, status) = checked(&folder, &[], THREE, witness);
    assert!(text.starts_with("valid: sat is confirmed"), "{text}");
    assert_eq!((text.matches("unknown").count(), status), (3, 4), "{text}");
}

#[test]
fn witnesses_can_come_through_a_pipe() {
    let folder = Folder::new("check-pipe");
    folder.write("p.smt2", UNSAFE);
    let witness = answers(&folder, UNSAFE);
    let output = shofar(&folder, &["check", "p.smt2", "-"], &witness);
    assert!(stdout(&output).starts_with("valid\n"));
}

#[test]
fn limits_hold_for_reading_and_checking() {
    let folder = Folder::new("check-limit");
    let problem = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 0))
(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (and (p x) (>= x 400000)) false)))(check-sat)";
    let mut witness =
        String::from("unsat (refutation (step 0 :clause 0 :values () :premises ())\n");
    for x in 0..400_000 {
        let step = format!("(step {} :clause 1 :values ((x {x})) :premises ({x}))\n", x + 1);
        witness.push_str(&step);
    }
    witness.push_str("(step 400001 :clause 2 :values ((x 400000)) :premises (400000)))");
    let start = Instant::now();
    let (text, status) = checked(&folder, &["--timeout", "0.05"], problem, &witness);
    assert_eq!((text.lines().next(), status), (Some("unknown"), 4), "{text}");
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    let (text, status) = checked(&folder, &[], problem, &witness);
    assert_eq!((text.lines().next(), status), (Some("valid"), 0), "{text}");
}

#[test]
fn deep_definitions_are_read() {
    let folder = Folder::new("check-deep");
    let deep = 200_000;
    let body = format!("{}(>= A 0){}", "(not (not ".repeat(deep), "))".repeat(deep));
    let witness = format!("(define-fun p ((A Int)) Bool {body})");
    let found = checked(&folder, &["--question", "1"], THREE, &witness);
    assert_eq!((found.0.lines().next(), found.1), (Some("valid"), 0));
    let quantified = body.replacen("(not", "(exists ((k Int)) (not", 1) + ")";
    let witness = format!("(define-fun p ((A Int)) Bool {quantified})");
    assert_eq!(checked(&folder, &["--question", "1"], THREE, &witness).1, 0);
}

#[test]
fn the_help_tells_the_exit_statuses() {
    let folder = Folder::new("check-help");
    for arguments in [&["check", "--help"][..], &["manual", "check"]] {
        let text = stdout(&shofar(&folder, arguments, ""));
        for line in [
            "3  an internal check failed",
            "1  invalid",
            "2  the problem or",
            "4  unknown",
            "0  valid",
        ] {
            assert!(text.contains(line), "{line} in {text}");
        }
    }
}
