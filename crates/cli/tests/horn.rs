//! The program on Horn problems: answers, witnesses, refusals, limits.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod feed;

use std::process::{Command, Output};

use feed::feed;

const UNSAFE: &str = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 0))\n\
    (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))\n\
    (assert (forall ((x Int)) (=> (and (p x) (> x 2)) false)))(check-sat)";
const SAFE: &str = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 0))\n\
    (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))\n\
    (assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))(check-sat)(get-model)";

/// Runs the program with `input` on its standard input.
fn shofar(arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shofar"));
    feed(command.args(arguments), [input.as_bytes()])
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn answers_and_models() {
    let safe = shofar(&[], SAFE);
    assert!(stdout(&safe).starts_with("sat\n(\n(define-fun p ((A Int)) Bool"), "{}", stdout(&safe));
    assert!(safe.status.success());
    assert_eq!(stdout(&shofar(&["--engine", "bmc"], UNSAFE)), "unsat\n");
}

#[test]
fn what_is_not_supported_is_refused_by_name() {
    let strings = "(set-logic HORN)(declare-fun p (String) Bool)(check-sat)";
    let output = shofar(&[], strings);
    assert_eq!(output.status.code(), Some(2));
    assert!(stdout(&output).starts_with("(error \"<stdin>:1:"), "{}", stdout(&output));
    assert!(stdout(&output).contains("String") && stdout(&output).ends_with("unknown\n"));
    // What reads the first word of a whole file finds the answer.
    let path = std::env::temp_dir().join(format!("shofar-strings-{}.smt2", std::process::id()));
    std::fs::write(&path, strings).unwrap();
    let output = shofar(&[path.to_str().unwrap()], "");
    assert!(stdout(&output).starts_with("unknown\n(error \""), "{}", stdout(&output));
    assert_eq!(output.status.code(), Some(2));
    for arguments in [&["info"][..], &["graph"], &["graph", "--svg"]] {
        let output = shofar(&[arguments, &[path.to_str().unwrap()]].concat(), "");
        assert_eq!((stdout(&output).as_str(), output.status.code()), ("", Some(2)));
        assert!(String::from_utf8_lossy(&output.stderr).contains("String"));
    }
    std::fs::remove_file(path).unwrap();
    let not_horn =
        "(set-logic HORN)(declare-fun p (Int) Bool)\n(assert (or (p 0) (p 1)))(check-sat)";
    assert_eq!(shofar(&[], not_horn).status.code(), Some(2));
    for bytes in
        ["", ")", "(", "(assert", "\u{0}\u{1}", "(set-logic HORN)(assert (forall ((x Int)) (q x)))"]
    {
        let code = shofar(&[], bytes).status.code();
        assert!(matches!(code, Some(0 | 2)), "{bytes:?}: {code:?}");
    }
}

#[test]
fn limits_end_with_unknown() {
    let output = shofar(&["--engine", "bmc", "--timeout", "0.3"], SAFE);
    let expected = "unknown\n(error \"<stdin>:3:70: there is no model: the answer was unknown\")\n";
    assert_eq!(stdout(&output), expected);
    assert!(String::from_utf8_lossy(&output.stderr).contains("timeout"));
    assert!(output.status.success());
}

#[test]
fn statistics_are_json_with_distinct_keys() {
    let output = shofar(&["--stats=json"], SAFE);
    let err = String::from_utf8_lossy(&output.stderr);
    let line = err.lines().find(|l| l.starts_with('{')).expect("statistics");
    let value: serde_json::Value = serde_json::from_str(line).unwrap();
    assert_eq!(value["verdict"], "sat");
    assert!(value["reason"].is_null() && value["peak_memory_bytes"].is_number(), "{line}");
    assert!(value["seconds_validation"].is_number(), "{line}");
    let keys = value.as_object().unwrap().keys();
    for key in keys {
        assert_eq!(line.matches(&format!("\"{key}\":")).count(), 1, "{key} in {line}");
    }
}

#[test]
fn dumped_queries_have_the_same_answers_again() {
    let folder = std::env::temp_dir().join(format!("shofar-queries-{}", std::process::id()));
    let output = shofar(&["--dump-queries", folder.to_str().unwrap()], SAFE);
    assert!(stdout(&output).starts_with("sat\n"));
    let mut seen = Vec::new();
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let (_, status) = text.split_once(":status ").unwrap();
        let (status, _) = status.split_once(')').unwrap();
        // An engine that is told to stop leaves a question without an answer.
        if status != "unknown" {
            let again = shofar(&["smt", path.to_str().unwrap()], "");
            assert_eq!(stdout(&again), format!("{status}\n"), "{text}");
            seen.push(status.to_owned());
        }
    }
    assert!(seen.iter().any(|s| s == "sat") && seen.iter().any(|s| s == "unsat"), "{seen:?}");
    std::fs::remove_dir_all(folder).unwrap();
}

/// Solves the recursion-free problems of a run, which answers `sat`, again; the answers are those
/// of the run.
fn recursion_free_problems(options: &[&str], script: &str) -> Vec<String> {
    let name = format!("shofar-problems-{}-{}", options[1], std::process::id());
    let folder = std::env::temp_dir().join(name);
    let dump = ["--dump-recursion-free", folder.to_str().unwrap()];
    let output = shofar(&[options, &dump].concat(), script);
    assert_eq!(stdout(&output), "sat\n");
    let mut answers = Vec::new();
    for entry in std::fs::read_dir(&folder).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        assert!(text.contains("(set-info :fragments \"recursion-free, "), "{text}");
        let again = stdout(&shofar(&["--engine", "rf", "--no-preprocess"], &text));
        assert!(text.contains(&format!("(set-info :status {})", again.trim())), "{text}");
        assert_eq!(stdout(&shofar(&[], &text)), again);
        answers.push(again);
    }
    std::fs::remove_dir_all(&folder).unwrap();
    answers
}

#[test]
fn dumped_recursion_free_problems_have_the_same_answers_again() {
    let steps = "(set-logic HORN) (declare-fun r (Int Int) Bool) (declare-fun s (Int Int) Bool)
        (assert (forall ((x Int) (y Int)) (=> (= y (+ x 1)) (r x y))))
        (assert (forall ((x Int) (y Int)) (=> (= y (+ x 2)) (r x y))))
        (assert (forall ((x Int) (y Int) (z Int)) (=> (and (r x y) (r y z)) (s x z))))
        (assert (forall ((x Int) (z Int)) (=> (and (s x z) (>= x 0) (<= z 0)) false))) (check-sat)";
    let answers = recursion_free_problems(&["--engine", "rf", "--no-preprocess"], steps);
    assert!(answers.len() > 2, "the problem and its fragments: {answers:?}");
    assert!(answers.iter().any(|answer| answer == "sat\n"));
    // What predicate abstraction makes of its counterexamples is solvable.
    let gcd = "(set-logic HORN) (declare-fun g (Int Int Int) Bool)
        (assert (forall ((m Int) (n Int) (r Int)) (=> (and (= m n) (= r m)) (g m n r))))
        (assert (forall ((m Int) (n Int) (r Int)) (=> (and (> m n) (g (- m n) n r)) (g m n r))))
        (assert (forall ((m Int) (n Int) (r Int)) (=> (and (< m n) (g m (- n m) r)) (g m n r))))
        (assert (forall ((m Int) (n Int) (r Int)) (=> (and (>= m 0) (= m n) (g m n r) (> r m)) false)))
        (check-sat)";
    let answers = recursion_free_problems(&["--engine", "pa"], gcd);
    assert!(!answers.is_empty() && answers.iter().all(|answer| answer == "sat\n"), "{answers:?}");
}

#[test]
fn dumped_queries_are_whole_though_engines_are_stopped() {
    let folder = std::env::temp_dir().join(format!("shofar-whole-{}", std::process::id()));
    for _ in 0..10 {
        shofar(&["--dump-queries", folder.to_str().unwrap()], SAFE);
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(
                text.trim_end().ends_with(')') && text.contains(":status "),
                "{path:?}: {text}"
            );
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}

/// The record that `--stats=json` writes.
fn statistics(arguments: &[&str], input: &str) -> serde_json::Value {
    let output = shofar(&[arguments, &["--stats=json"]].concat(), input);
    let errors = String::from_utf8_lossy(&output.stderr);
    let line = errors.lines().find(|line| line.starts_with('{')).expect("statistics");
    serde_json::from_str(line).unwrap()
}

#[test]
fn info_names_the_sorts() {
    let problem = "(set-logic HORN)(declare-datatype T ((c) (d (f Int))))\
        (declare-fun p ((Array Int T) Bool) Bool)\
        (assert (forall ((a (Array Int T)) (t T)) (=> (= t c) (p (store a 0 t) true))))(check-sat)";
    let path = std::env::temp_dir().join(format!("shofar-sorts-{}.smt2", std::process::id()));
    std::fs::write(&path, problem).unwrap();
    let output = stdout(&shofar(&["info", path.to_str().unwrap()], ""));
    std::fs::remove_file(path).unwrap();
    assert!(output.contains("sorts:        Bool, T, (Array Int T)\n"), "{output}");
}

#[test]
fn statistics_tell_why_there_is_no_answer() {
    let late = statistics(&["--engine", "bmc", "--timeout", "0.3"], SAFE);
    assert_eq!(
        (late["verdict"].as_str(), late["reason"].as_str()),
        (Some("unknown"), Some("timeout"))
    );
    let strings = "(set-logic HORN)(declare-fun p (String) Bool)";
    for script in [strings.to_owned() + "(check-sat)", strings.to_owned()] {
        let refused = statistics(&[], &script);
        assert_eq!(refused["reason"], "incomplete");
        assert!(refused["explanation"].as_str().unwrap().contains("refused"), "{refused}");
    }
}

#[test]
fn the_log_says_who_answered_and_shows_no_structures() {
    let output = shofar(&["-vv"], SAFE);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("answered sat; its model was validated in"), "{errors}");
    assert!(!errors.contains(" { "), "{errors}");
}

#[test]
fn reasons_for_unknown_are_about_the_problem() {
    let nonlinear = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 1))\n\
        (assert (forall ((x Int) (y Int)) (=> (and (p x) (p y)) (p (+ x y 1)))))\n\
        (assert (forall ((x Int)) (=> (p x) (= (mod x 2) 1))))(check-sat)";
    let output = shofar(&["--engine", "bmc", "--timeout", "0.3"], nonlinear);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("no engine finished in 0.3 s"), "{errors}");
    assert!(
        errors.contains("nonlinear, to which only spacer, bmc, pa and houdini apply"),
        "{errors}"
    );
}

#[test]
fn the_log_tells_passes_and_levels() {
    let log = |argument| {
        String::from_utf8(shofar(&["--engine", "bmc", argument], UNSAFE).stderr).unwrap()
    };
    let (short, long) = (log("-v"), log("-vv"));
    assert!(short.contains("INFO main pass normalize: clauses 3 -> 3"), "{short}");
    assert!(short.contains("bmc works") && !short.contains("layers"), "{short}");
    assert!(long.contains("bmc no derivation through 1 layers"), "{long}");
    assert!(shofar(&[], UNSAFE).stderr.is_empty());
}

#[test]
fn hard_clauses_are_written_and_solved() {
    let different = "1 2 0\n-1 -2 0\n";
    for (prefix, answer) in [("a 1 0\ne 2 0\n", "unsat"), ("e 1 0\na 2 0\n", "sat")] {
        let script = stdout(&shofar(&["generate", "qbf"], &format!("{prefix}{different}")));
        assert!(script.starts_with("(set-logic HORN)"), "{script}");
        assert_eq!(stdout(&shofar(&["--engine", "rf"], &script)).trim(), answer);
        assert_eq!(stdout(&shofar(&[], &script)).trim(), answer);
    }
    let machine = "0 0 1 1 R\n0 1 1 1 R\n1 0 2 1 L\n1 1 2 0 L\n2 1 3 0 R\nhalt 3";
    for (levels, answer) in [("2", "unsat"), ("1", "sat")] {
        let script = stdout(&shofar(&["generate", "turing", "--levels", levels], machine));
        assert_eq!(stdout(&shofar(&[], &script)).trim(), answer);
    }
    let wrong = shofar(&["generate", "turing"], "0 0 1 1 X");
    assert!(!wrong.status.success());
}

#[test]
fn information_and_pictures() {
    assert!(stdout(&shofar(&["info"], SAFE)).contains("transition system"));
    let information = stdout(&shofar(&["info"], SAFE));
    assert!(information.contains("fragments:    linear"), "{information}");
    assert!(information.contains("interpolants: none\nsolvability:  undecidable"), "{information}");
    let chain = "(set-logic HORN) (declare-fun p (Int) Bool) (assert (p 0))
        (assert (forall ((x Int)) (=> (and (p x) (< x 0)) false))) (check-sat)";
    let line = stdout(&shofar(&["info", "--json"], chain));
    let line: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!((&line["clauses"], &line["interpolants"]), (&2.into(), &"sequence".into()));
    assert_eq!(line["fragments"].as_array().unwrap().len(), 6);
    assert_eq!(line["well-founded"], true);
    assert!(information.contains("well-founded: no: "), "{information}");
    assert!(stdout(&shofar(&["graph"], SAFE)).starts_with("digraph"));
    assert!(stdout(&shofar(&["graph", "--svg"], SAFE)).contains("<svg"));
}

/// Records are no arguments of what engines see, and what nobody reads is gone.
#[test]
fn info_tells_what_is_left_of_records() {
    let records = "(declare-datatype Pair ((pair (first Int) (second (Array Int Int)))))\n\
        (declare-fun p (Pair) Bool)\n\
        (assert (forall ((x Pair)) (=> (= (select (second x) 3) (first x)) (p x))))\n\
        (assert (forall ((x Pair)) (=> (and (p x) (> (first x) (select (second x) 3))) false)))(check-sat)";
    let text = stdout(&shofar(&["info"], records));
    assert!(text.contains("sorts:        Pair\n"), "{text}");
    assert!(text.contains("flattened:    2 arguments of sorts Int, (Array Int Int)\n"), "{text}");
    assert!(!stdout(&shofar(&["info"], SAFE)).contains("flattened:"));
}

#[test]
fn hints_are_read_followed_and_refused() {
    let problem = "(set-logic HORN)(declare-fun p (Int Int) Bool)(assert (p 3 0))\n\
        (assert (forall ((x Int) (y Int)) (=> (p x y) (p (- (* 5 x) (* 4 y)) (+ x (* 3 y))))))\n\
        (assert (forall ((x Int) (y Int) (k Int))\n\
          (=> (and (p x y) (= (+ x y) (+ (* 6 k) 2))) false)))(check-sat)";
    let path = std::env::temp_dir().join(format!("shofar-hints-{}.txt", std::process::id()));
    let file = path.to_str().unwrap();
    let arguments = ["-v", "--engine", "spacer", "--hints", file];
    let hints = "(initial-predicates p ((x Int) (y Int)) (= (mod x 3) 0) (= (mod y 3) 0) (> x 5))";
    std::fs::write(&path, hints).unwrap();
    let output = shofar(&arguments, problem);
    assert_eq!(stdout(&output), "sat\n", "two of the hints are inductive");
    let output_of_another = shofar(&["--engine", "ic3ia", "--hints", file], problem);
    assert_eq!(stdout(&output_of_another), "sat\n");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("3 hints are about the clauses that the engines get; 3 were"), "{told}");
    std::fs::write(&path, "\n(initial-predicates q ((x Int)) true)").unwrap();
    let output = shofar(&arguments, problem);
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains(":2:21: error: the problem has no predicate `q`"), "{told}");
    assert!(told.contains("  2 | (initial-predicates q"), "{told}");
    assert!(stdout(&output).starts_with("unknown\n(error"), "{}", stdout(&output));
    std::fs::remove_file(&path).unwrap();
    let output = shofar(&arguments, problem);
    assert_eq!((stdout(&output).as_str(), output.status.code()), ("", Some(2)));
}
