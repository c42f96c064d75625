//! Acceleration by `pa` and by the pass: its modes, what they count, and that errors are real.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod folder;

use std::io::Write as _;
use std::process::{Command, Stdio};

use folder::Folder;
use serde_json::Value;

/// Predicate abstraction whose predicates come from counterexamples only.
const PLAIN: &[&str] = &["--engine", "pa", "--pa-abstraction", "off", "--pa-initial", "none"];

/// A loop that counts down from 1000, with a loop in it that doubles.
const X4: &str = "(set-logic HORN)(declare-fun p (Int Int) Bool)(declare-fun s (Int Int) Bool)
(assert (p 1000 0))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (> x 0)) (s (- x 1) y))))
(assert (forall ((x Int) (y Int)) (=> (s x y) (s x (+ (* 2 x) (* 2 y))))))
(assert (forall ((x Int) (y Int)) (=> (s x y) (p x (+ y 2)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (<= x 0) (or (= y 47) (not (= x 0)))) false)))
(check-sat)";

/// A number grows by 2; can it be `z`?
fn x5(z: i64) -> String {
    format!(
        "(set-logic HORN)(declare-fun q (Int Int Int) Bool)
(assert (forall ((x Int) (y Int)) (q 0 x y)))
(assert (forall ((z Int) (x Int) (y Int)) (=> (q z x y) (q (+ z 2) (+ x 1) (+ y 1)))))
(assert (forall ((z Int) (x Int) (y Int)) (=> (and (q z x y) (= z {z})) false)))
(check-sat)"
    )
}

/// A loop of one predicate with this constraint between `a`, `b` and `c`, `d`.
fn one_loop(constraint: &str) -> String {
    format!(
        "(set-logic HORN)(declare-fun p (Int Int) Bool)
(assert (p 1 2))
(assert (forall ((a Int) (b Int) (c Int) (d Int)) (=> (and (p a b) {constraint}) (p c d))))
(assert (forall ((a Int) (b Int)) (=> (and (p a b) (= a (- 3)) (= b 5)) false)))
(check-sat)"
    )
}

/// What the program prints, and its statistics.
fn shofar(arguments: &[&str], input: &str) -> (String, Value) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_shofar"))
        .args(arguments)
        .arg("--stats=json")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    let line = err.lines().find(|line| line.starts_with('{')).expect("statistics");
    let value = serde_json::from_str(line).unwrap();
    (String::from_utf8_lossy(&output.stdout).into_owned(), value)
}

/// The first line of what plain predicate abstraction answers with these further arguments, and its
/// statistics.
fn plain(arguments: &[&str], input: &str) -> (String, Value) {
    let (text, statistics) = shofar(&[PLAIN, arguments].concat(), input);
    (text.lines().next().unwrap_or_default().to_owned(), statistics)
}

/// What `pa` counted under this name.
fn count(statistics: &Value, name: &str) -> u64 {
    statistics[format!("pa_{name}")]
        .as_u64()
        .unwrap_or_else(|| panic!("{name} is counted: {statistics}"))
}

#[test]
fn closures_bring_the_remainders_that_interpolants_do_not() {
    let (answer, counted) = plain(&["--pa-accelerate", "dynamic"], &x5(5));
    assert_eq!(answer, "sat");
    assert!(count(&counted, "exact_accelerations") > 0, "{counted}");
    assert!(count(&counted, "refinements") <= 6, "{counted}");
    let model = format!("{}(get-model)", x5(5));
    let (text, _) = shofar(&[PLAIN, &["--pa-accelerate", "dynamic"]].concat(), &model);
    assert!(text.contains("mod"), "{text}");
    let (answer, counted) = plain(&["--pa-accelerate", "dynamic"], X4);
    assert_eq!(answer, "sat");
    assert!(count(&counted, "refinements") <= 20, "{counted}");
    let (answer, counted) = plain(&["--pa-accelerate", "static"], &x5(5));
    assert_eq!(answer, "sat");
    assert_eq!(count(&counted, "shortcuts"), 1, "{counted}");
    // With a delay that is never reached, and without acceleration, paths are excluded one by one.
    let far = &["--pa-accelerate", "dynamic", "--pa-delay", "1000000", "--cpu-timeout", "1"];
    for arguments in [&far[..], &["--pa-accelerate", "none", "--cpu-timeout", "1"]] {
        let (answer, counted) = plain(arguments, X4);
        assert_eq!(answer, "unknown", "{counted}");
    }
}

#[test]
fn every_mode_finds_the_error_and_counts_what_it_did() {
    for mode in ["none", "static", "dynamic"] {
        let (answer, counted) = plain(&["--pa-accelerate", mode], &x5(6));
        assert_eq!(answer, "unsat", "{mode}");
        assert_eq!(counted["pa_shortcuts"].is_number(), mode == "static", "{counted}");
        for kind in ["exact_accelerations", "over_accelerations", "under_accelerations"] {
            assert!(mode == "dynamic" || count(&counted, kind) == 0, "{counted}");
        }
    }
    for mode in ["static", "dynamic"] {
        let (answer, counted) = plain(&["--pa-accelerate", mode], &x5(20_000));
        assert_eq!(answer, "unsat", "{mode}");
        assert!(count(&counted, "refinements") < 10, "{counted}");
    }
}

#[test]
fn shortcuts_are_made_for_the_loops_that_have_a_closed_form() {
    let loops = [
        ("(< a 50) (= c (+ a 2)) (= d (- b 1))", 1),
        ("(= c b) (= d (+ a 1))", 1),
        ("(= c (+ a 3)) (= d 7)", 1),
        ("(< (mod a 3) 2) (= c (+ a 1)) (= d b)", 1),
        ("(= c (* 2 a)) (= d b)", 0),
        ("(= c a) (= d (+ (* 2 a) (* 2 b)))", 0),
        ("(= c b) (= d a)", 0),
    ];
    for (constraint, shortcuts) in loops {
        let arguments = ["--engine", "pa", "--pa-accelerate", "static", "--no-preprocess"];
        let (_, counted) = shofar(&arguments, &one_loop(constraint));
        assert_eq!(count(&counted, "shortcuts"), shortcuts, "{constraint}");
    }
}

#[test]
fn what_is_not_linear_is_never_an_error() {
    let squares = "(set-logic HORN)(declare-fun sq (Int Int) Bool)
(assert (sq 1 0))
(assert (forall ((n Int) (x Int)) (=> (sq n x) (sq (+ n 2) (+ x n)))))
(assert (forall ((n Int) (m Int) (x Int)) (=> (and (> x 1) (sq n x) (sq m (+ x 1))) false)))
(check-sat)";
    for mode in ["none", "static", "dynamic"] {
        let (answer, _) = plain(&["--pa-accelerate", mode, "--cpu-timeout", "1"], squares);
        assert_eq!(answer, "unknown", "{mode}");
    }
}

/// `p` and `q` take turns `n` times.
fn turns(n: i64) -> String {
    format!(
        "(set-logic HORN)(declare-fun p (Int Int) Bool)(declare-fun q (Int Int) Bool)
(assert (p 0 0))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (< x {n})) (q (+ x 1) y))))
(assert (forall ((x Int) (y Int)) (=> (q x y) (p x (+ y 2)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (= y {})) false)))
(check-sat)",
        2 * n
    )
}

#[test]
fn a_cycle_of_two_clauses_is_repeated_a_trillion_times() {
    let (folder, n) = (Folder::new("accelerate"), 1_000_000_000_000);
    folder.write("turns.smt2", turns(n));
    let file = folder.path().join("turns.smt2");
    let file = file.to_str().unwrap();
    let modes: [&[&str]; 2] = [
        &["--engine", "bmc", "--passes", "accelerate"],
        &["--engine", "pa", "--pa-accelerate", "static", "--no-preprocess"],
    ];
    for arguments in modes {
        let (witness, _) = shofar(&[arguments, &["--witness=short", file]].concat(), "");
        assert!(witness.starts_with("unsat\n") && witness.contains("(repeat"), "{witness}");
        folder.write("w.txt", &witness);
        let paths = [file.to_owned(), folder.path().join("w.txt").to_str().unwrap().to_owned()];
        let output = Command::new(env!("CARGO_BIN_EXE_shofar")).arg("check").args(paths).output();
        assert!(output.unwrap().status.success(), "{witness}");
    }
}
