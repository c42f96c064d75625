//! Limits and interrupts: every engine ends with `unknown` and the reason in good time, and so does a huge problem.
//!
//! The machine may be busy, so the tests allow several times what an idle one needs; `BUSY` is the margin.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How much a busy machine may add.
const BUSY: Duration = Duration::from_secs(4);

const ENGINES: [&str; 4] = ["spacer", "bmc", "kind", "spacer,bmc,kind"];

/// Twelve pieces of text.
fn twelve(piece: impl Fn(usize) -> String) -> String {
    (0..12).map(piece).collect::<Vec<_>>().concat()
}

/// A system that nobody decides soon: counters of different strides that meet far away, and a premise too many for induction.
fn hard() -> String {
    let (mut args, mut step, mut zero) = (String::new(), String::new(), String::new());
    for i in 0..12 {
        write!(args, " x{i}").unwrap();
        write!(
            step,
            " (ite (< x{i} {0}) (+ x{i} {1}) (- x{2} {0}))",
            1000 + 37 * i,
            3 + 2 * i,
            (i + 5) % 12
        )
        .unwrap();
        write!(zero, " {i}").unwrap();
    }
    let binders = twelve(|i| format!("(x{i} Int)"));
    let sorts = "Int ".repeat(12);
    format!(
        "(set-logic HORN)(declare-fun p ({sorts}) Bool)(assert (p{zero}))\n\
         (assert (forall ({binders}) (=> (p{args}) (p{step}))))\n\
         (assert (forall ({binders}) (=> (and (p{args}) (= (+{args}) 987654) (= (mod x0 7) 3)) false)))(check-sat)"
    )
}

/// Tens of megabytes of clauses, and a loop that nobody decides soon.
fn huge() -> String {
    let mut text = String::from("(set-logic HORN)\n");
    let binders = twelve(|i| format!("(x{i} Int)"));
    let args = twelve(|i| format!(" x{i}"));
    for i in 0..60_000 {
        let sorts = "Int ".repeat(12);
        writeln!(text, "(declare-fun p{i} ({sorts}) Bool)").unwrap();
        let step = twelve(|k| format!(" (+ x{k} {})", (i * 7 + k) % 5));
        let from = i - i % 5;
        writeln!(
            text,
            "(assert (forall ({binders}) (=> (and (p{from}{args}) (< x0 {i})) (p{i}{step}))))"
        )
        .unwrap();
    }
    text + hard().strip_prefix("(set-logic HORN)").unwrap()
}

fn file(name: &str, text: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("shofar-limits-{}-{name}", std::process::id()));
    std::fs::write(&path, text).unwrap();
    path
}

fn start(arguments: &[&str], file: &PathBuf) -> Child {
    Command::new(env!("CARGO_BIN_EXE_shofar"))
        .args(arguments)
        .arg(file)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits for the end and checks what was said and how long it took since `since`.
fn check_end(child: Child, since: Instant, reason: &str, limit: Duration, what: &str) {
    let output = child.wait_with_output().unwrap();
    let late = since.elapsed();
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(out, "unknown\n", "{what}: {err}");
    assert!(err.contains(reason), "{what}: {err}");
    assert_eq!(output.status.code(), Some(0), "{what}: {err}");
    assert!(late < limit + BUSY, "{what}: {late:?}");
}

fn signal(child: &Child, name: &str) -> Instant {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    Instant::now()
}

#[test]
fn signals_and_timeouts_stop_every_engine() {
    let problem = file("hard.smt2", &hard());
    for engines in ENGINES {
        for (name, reason) in [("-INT", "cancelled"), ("-TERM", "cancelled")] {
            let child = start(&["--engine", engines], &problem);
            std::thread::sleep(Duration::from_millis(300));
            let since = signal(&child, name);
            check_end(child, since, reason, Duration::from_millis(100), engines);
        }
        let since = Instant::now() + Duration::from_millis(300);
        let child = start(&["--engine", engines, "--timeout", "0.3"], &problem);
        check_end(child, since, "timeout", Duration::from_millis(100), engines);
    }
    std::fs::remove_file(problem).unwrap();
}

#[test]
fn a_huge_problem_ends_in_good_time() {
    let problem = file("huge.smt2", &huge());
    for pause in [100, 400, 700] {
        let child = start(&[], &problem);
        std::thread::sleep(Duration::from_millis(pause));
        let since = signal(&child, "-INT");
        check_end(child, since, "cancelled", Duration::from_millis(500), "interrupt");
    }
    let since = Instant::now() + Duration::from_millis(500);
    let child = start(&["--timeout", "0.5"], &problem);
    check_end(child, since, "timeout", Duration::from_millis(500), "timeout");
    let since = Instant::now();
    let child = start(&["--memory", "60"], &problem);
    check_end(child, since, "memout", Duration::from_secs(20), "memory");
    std::fs::remove_file(problem).unwrap();
}
