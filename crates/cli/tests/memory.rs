//! Memory that the system limits: whatever fails, wherever, a command ends in good order and says a
//! word for every question.
//!
//! Some dozen runs by default, `SHOFAR_MEMORY_RUNS=500` makes five hundred: inputs go round, limits
//! are spread from what the program needs to start up to a gigabyte.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod hard;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The largest limit, in kilobytes.
const MOST: u64 = 1_000_000;
/// How many runs there are if nothing else is asked for.
const USUAL: u32 = 40;

/// Relations on lists and naturals, which take all the memory that they get.
const LISTS: &str = "(set-logic HORN)
(declare-datatypes ((Nat 0)) (((z) (s (p Nat)))))
(declare-datatypes ((List 0)) (((nil) (cons (head Nat) (tail List)))))
(declare-fun app (List List List) Bool)
(declare-fun rev (List List) Bool)
(declare-fun len (List Nat) Bool)
(declare-fun less (Nat Nat) Bool)
(assert (forall ((y List)) (app nil y y)))
(assert (forall ((h Nat) (x List) (y List) (r List)) (=> (app x y r) (app (cons h x) y (cons h r)))))
(assert (rev nil nil))
(assert (forall ((h Nat) (x List) (r List) (q List)) (=> (and (rev x r) (app r (cons h nil) q)) (rev (cons h x) q))))
(assert (len nil z))
(assert (forall ((h Nat) (x List) (n Nat)) (=> (len x n) (len (cons h x) (s n)))))
(assert (forall ((n Nat)) (less z (s n))))
(assert (forall ((n Nat) (m Nat)) (=> (less n m) (less (s n) (s m)))))
(assert (forall ((x List) (y List) (n Nat) (m Nat)) (=> (and (rev x y) (len x n) (len y m) (less n m)) false)))
(check-sat)";

const ARRAYS: &str = "(set-logic HORN)
(declare-fun p (Int (Array Int Int) Int) Bool)
(declare-fun q (Int (Array Int Int) Int) Bool)
(assert (forall ((a (Array Int Int)) (n Int)) (=> (> n 0) (p 0 a n))))
(assert (forall ((i Int) (a (Array Int Int)) (n Int)) (=> (and (p i a n) (< i n)) (p (+ i 1) (store a i (* 2 i)) n))))
(assert (forall ((i Int) (a (Array Int Int)) (n Int)) (=> (and (p i a n) (>= i n)) (q 0 a n))))
(assert (forall ((i Int) (a (Array Int Int)) (n Int)) (=> (and (q i a n) (< i n)) (q (+ i 1) a n))))
(assert (forall ((i Int) (a (Array Int Int)) (n Int)) (=> (and (q i a n) (< i n) (> (select a i) (+ i i))) false)))
(check-sat)";

const SAFE: &str = "(set-logic HORN)(declare-fun p (Int Int) Bool)(assert (p 0 0))
(assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 1) (+ y 2)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (> x y)) false)))(check-sat)";

const PROGRAM: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int a[64]; int main(void) { int n = __VERIFIER_nondet_int(), s = 0; if (n < 0 || n > 63) return 0;
for (int i = 0; i < n; i++) { a[i] = i; } for (int i = 0; i < n; i++) { s += a[i]; }
if (s > 5000) { reach_error(); } return 0; }";

const ENDING: &str = "int main(void) { int x = 10000; while (x > 0) { x = x - 1; } return 0; }";

/// Clauses that take megabytes to read.
fn long() -> String {
    let mut text = String::from("(set-logic HORN)\n");
    for i in 0..4_000 {
        writeln!(text, "(declare-fun p{i} (Int Int Int) Bool)(assert (forall ((x Int) (y Int) (z Int)) (=> (and (p{} x y z) (< x {i})) (p{i} (+ x {i}) (- y z) (* 2 z)))))", i / 2).unwrap();
    }
    text + "(assert (forall ((x Int) (y Int) (z Int)) (=> (p3999 x y z) false)))(check-sat)"
}

/// Questions of the SMT solver that take memory, one after the other.
fn script() -> String {
    let mut text = String::from("(declare-const x Int)(declare-const y Int)(check-sat)\n");
    for i in 0..20_000 {
        writeln!(text, "(assert (or (< (+ (* {i} x) y) {i}) (> (* {} x) (* 3 y))))", i + 7)
            .unwrap();
    }
    text + "(check-sat)(assert (= (* 7 x) (+ (* 21 y) 1)))(check-sat)"
}

/// A command line and what it may say.
struct Case {
    words: Vec<String>,
    /// The words that a line which answers may be.
    answers: &'static [&'static str],
    /// How many answers there are, at least and at most.
    count: (usize, usize),
    /// The exit statuses that it may have.
    statuses: &'static [i32],
}

const VERDICTS: &[&str] = &["sat", "unsat", "unknown"];

fn cases(folder: &Path) -> Vec<Case> {
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (lists, arrays) = (write("lists.smt2", LISTS), write("arrays.smt2", ARRAYS));
    let (safe, hard) =
        (write("safe.smt2", SAFE), write("hard.smt2", &(hard::hard() + "(check-sat)")));
    let (program, ending) = (write("program.c", PROGRAM), write("ending.c", ENDING));
    let (long, script) = (write("long.smt2", &long()), write("script.smt2", &script()));
    let twice = write("twice.smt2", &format!("{SAFE}(push)(pop)(check-sat)(get-model)"));
    let model = "sat\n((define-fun p ((x Int) (y Int)) Bool (and (<= x y) (>= x 0))))";
    let model = write("model.txt", model);
    let suite = folder.join("suite");
    std::fs::create_dir_all(&suite).unwrap();
    std::fs::copy(&safe, suite.join("safe.smt2")).unwrap();
    std::fs::copy(&lists, suite.join("lists.smt2")).unwrap();
    let suite = suite.to_str().unwrap().to_owned();
    let solve = |line: &str, file: &str, count| Case {
        words: words(&format!("--timeout 2 {line}"), &[file]),
        answers: VERDICTS,
        count,
        statuses: &[0],
    };
    vec![
        solve("", &lists, (1, 1)),
        solve("--threads 1", &lists, (1, 1)),
        solve("--threads 2 --witness", &lists, (1, 1)),
        solve("", &arrays, (1, 1)),
        solve("--threads 1 --witness", &arrays, (1, 1)),
        solve("", &hard, (1, 1)),
        solve("--threads 4", &hard, (1, 1)),
        solve("--engine spacer", &hard, (1, 1)),
        solve("--engine bmc,kind --threads 1", &hard, (1, 1)),
        solve("--no-preprocess", &hard, (1, 1)),
        solve("--witness", &safe, (1, 1)),
        solve("--stats=json", &safe, (1, 1)),
        // While the rest of a file is read, a further answer may be owed.
        solve("--witness", &twice, (1, 3)),
        solve("", &long, (1, 1)),
        solve("--threads 1", &long, (1, 1)),
        // Where there is no room for the stack that a program needs, it is refused.
        Case { statuses: &[0, 2], ..solve("", &program, (1, 1)) },
        Case { statuses: &[0, 2], ..solve("--witness", &program, (1, 1)) },
        Case {
            words: words("--timeout 2 --property termination", &[&ending]),
            answers: &["YES", "NO", "MAYBE"],
            count: (1, 1),
            statuses: &[0, 2],
        },
        Case {
            words: words("smt --timeout 4", &[&script]),
            answers: VERDICTS,
            count: (0, 3),
            statuses: &[0, 124, 125],
        },
        Case {
            words: words("check --timeout 2", &[&safe, &model]),
            answers: &["valid", "unknown"],
            count: (1, 1),
            statuses: &[0, 4],
        },
        Case {
            words: words("bench --timeout 1", &[&suite]),
            answers: &[],
            count: (0, 0),
            statuses: &[0, 2],
        },
    ]
}

fn words(line: &str, files: &[&str]) -> Vec<String> {
    line.split_ascii_whitespace().chain(files.iter().copied()).map(str::to_owned).collect()
}

/// Runs the program with no more than so many kilobytes of addresses.
fn limited(kilobytes: u64, words: &[String]) -> Output {
    Command::new("sh")
        .args([
            "-c",
            &format!("ulimit -v {kilobytes}; exec \"$0\" \"$@\""),
            env!("CARGO_BIN_EXE_shofar"),
        ])
        .args(words)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// The least that the program needs to say which one it is, in kilobytes.
fn least() -> u64 {
    let is_enough =
        |&kilobytes: &u64| limited(kilobytes, &["--version".to_owned()]).status.success();
    (1..1_000).map(|step| step * 4_000).find(is_enough).unwrap()
}

fn judge(case: &Case, output: &Output, what: &str) {
    let out = String::from_utf8_lossy(&output.stdout);
    let what = format!("{what}: {out}{}", String::from_utf8_lossy(&output.stderr));
    let status = output.status.code();
    assert!(status.is_some_and(|status| case.statuses.contains(&status)), "{status:?} {what}");
    let said = out.lines().filter(|line| case.answers.contains(line)).count();
    assert!(case.count.0 <= said && said <= case.count.1, "{what}");
    if case.count.0 > 0 {
        let first = out.lines().next().unwrap_or_default();
        assert!(case.answers.contains(&first), "{what}");
    }
}

#[test]
fn there_is_a_word_for_every_question_whatever_memory_there_is() {
    let runs = std::env::var("SHOFAR_MEMORY_RUNS").map_or(USUAL, |text| text.parse().unwrap());
    let folder: PathBuf = [env!("CARGO_TARGET_TMPDIR"), "memory"].iter().collect();
    std::fs::create_dir_all(&folder).unwrap();
    let (cases, least) = (cases(&folder), least());
    let mut memouts = 0;
    for run in 0..runs {
        let case = &cases[usize::try_from(run).unwrap() % cases.len()];
        // Most of the limits are small ones.
        let share = (u64::from(run).pow(3), u64::from(runs).pow(3));
        let limit = least + MOST.saturating_sub(least) * share.0 / share.1;
        let output = limited(limit, &case.words);
        memouts += u32::from(String::from_utf8_lossy(&output.stderr).contains("memout"));
        judge(case, &output, &format!("ulimit -v {limit} {:?}", case.words));
    }
    assert!(memouts > 0, "no limit was reached");
}
