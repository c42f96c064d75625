//! Limits and interrupts: every engine ends with `unknown` and the reason in good time, and so does
//! a huge problem.
//!
//! The machine may be busy: a single run may be late by `BUSY`, but one of `TRIES` runs has to end
//! in the time that is promised.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod hard;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use hard::twelve;

/// How late a run may end on a busy machine.
const BUSY: Duration = Duration::from_secs(4);

/// How often a run is repeated until it ends in time.
const TRIES: usize = 8;

/// How long the system needs to start and to end a process.
const PROCESS: Duration = Duration::from_millis(50);

/// Every engine by itself, some in turn, and the default strategy.
const CONTENDERS: [&[&str]; 11] = [
    &["--engine", "spacer"],
    &["--engine", "bmc"],
    &["--engine", "kind"],
    &["--engine", "split-tpa"],
    &["--engine", "tpa"],
    &["--engine", "pdkind"],
    &["--engine", "imc"],
    &["--engine", "lawi"],
    &["--engine", "dar"],
    &["--engine", "spacer,bmc,kind", "--threads", "1"],
    &[],
];

/// A problem that nobody decides soon.
fn hard() -> String {
    hard::hard() + "(check-sat)"
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

/// Waits for the end, checks what was said and the exit status, and tells how long it took since
/// `since`.
fn end(child: Child, since: Instant, (reason, code): (&str, i32), what: &str) -> Duration {
    let output = child.wait_with_output().unwrap();
    let late = since.elapsed();
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(out, "unknown\n", "{what}: {err}");
    assert!(err.contains(reason), "{what}: {err}");
    assert_eq!(output.status.code(), Some(code), "{what}: {err}");
    late
}

/// Repeats a run until it ends within `limit`; it tells how late it was.
fn in_time(what: &str, limit: Duration, run: impl Fn() -> Duration) {
    let mut lateness = Vec::new();
    for _ in 0..TRIES {
        let late = run();
        if late < limit + PROCESS {
            return;
        }
        assert!(late < limit + BUSY, "{what}: {late:?}");
        lateness.push(late);
    }
    panic!("{what}: {lateness:?}");
}

/// Interrupts a run after `pause`.
fn interrupted(arguments: &[&str], problem: &PathBuf, pause: u64, name: &str) -> Duration {
    let child = start(arguments, problem);
    std::thread::sleep(Duration::from_millis(pause));
    let since = signal(&child, name);
    let code = if name == "-INT" { 130 } else { 143 };
    end(child, since, ("cancelled", code), &format!("{arguments:?} {name}"))
}

/// Lets a run have `limit` seconds.
fn timed_out(arguments: &[&str], problem: &PathBuf, limit: f64) -> Duration {
    let since = Instant::now() + Duration::from_secs_f64(limit);
    let child = start(&[arguments, &["--timeout", &limit.to_string()]].concat(), problem);
    end(child, since, ("timeout", 0), &format!("{arguments:?} timeout"))
}

fn signal(child: &Child, name: &str) -> Instant {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    Instant::now()
}

#[test]
fn signals_and_timeouts_stop_every_engine() {
    let problem = file("hard.smt2", &hard());
    let limit = Duration::from_millis(100);
    for arguments in CONTENDERS {
        let what = format!("{arguments:?}");
        in_time(&what, limit, || interrupted(arguments, &problem, 300, "-INT"));
        in_time(&what, limit, || interrupted(arguments, &problem, 200, "-TERM"));
        in_time(&what, limit, || timed_out(arguments, &problem, 0.3));
    }
    std::fs::remove_file(problem).unwrap();
}

#[test]
fn memory_is_limited_for_every_engine() {
    let problem = file("memory.smt2", &hard());
    for arguments in CONTENDERS {
        let child = start(&[arguments, &["--memory", "8"]].concat(), &problem);
        let late = end(child, Instant::now(), ("memout", 0), &format!("{arguments:?} memory"));
        assert!(late < Duration::from_mins(1), "{arguments:?}: {late:?}");
    }
    std::fs::remove_file(problem).unwrap();
}

#[test]
fn processor_time_is_limited() {
    let problem = file("processor.smt2", &hard());
    let begin = Instant::now();
    let child = start(&["--cpu-timeout", "0.3"], &problem);
    end(child, begin, ("timeout", 0), "--cpu-timeout");
    // The system would kill the process after a second.
    let limited =
        format!("ulimit -t 1; exec {} {}", env!("CARGO_BIN_EXE_shofar"), problem.display());
    let child = Command::new("sh")
        .args(["-c", &limited])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    end(child, begin, ("timeout", 0), "ulimit -t");
    assert!(begin.elapsed() < Duration::from_mins(1));
    std::fs::remove_file(problem).unwrap();
}

/// Runs the program while others take the processors.
#[test]
fn a_busy_machine_does_not_delay_the_end() {
    let problem = file("busy.smt2", &hard());
    let mut busy: Vec<Child> = (0..8)
        .map(|_| Command::new("sh").args(["-c", "while :; do :; done"]).spawn().unwrap())
        .collect();
    in_time("busy", Duration::from_millis(150), || timed_out(&[], &problem, 1.0));
    for child in &mut busy {
        child.kill().unwrap();
        child.wait().unwrap();
    }
    std::fs::remove_file(problem).unwrap();
}

#[test]
fn a_huge_problem_ends_in_good_time() {
    let problem = file("huge.smt2", &huge());
    let limit = Duration::from_millis(500);
    for pause in [250, 500, 750] {
        in_time("interrupt", limit, || interrupted(&[], &problem, pause, "-INT"));
    }
    in_time("timeout", limit, || timed_out(&[], &problem, 0.5));
    let since = Instant::now();
    let child = start(&["--memory", "60"], &problem);
    let late = end(child, since, ("memout", 0), "memory");
    assert!(late < Duration::from_mins(1), "{late:?}");
    std::fs::remove_file(problem).unwrap();
}

/// Records of two records each, `depth` deep: a value has exponentially many parts.
fn records(depth: usize) -> String {
    let sorts: Vec<String> = (0..=depth).map(|at| format!("(D{at} 0)")).collect();
    let sorts = sorts.concat();
    let made = |at: usize| format!("((c{at} (l{at} D{}) (r{at} D{})))", at + 1, at + 1);
    let made: String = (0..depth).map(made).collect();
    format!("(declare-datatypes ({sorts}) ({made}((e1) (e2))))")
}

#[test]
fn records_of_records_are_not_taken_apart() {
    let declared = records(60) + "(declare-const x D0)(declare-const y D0)";
    let questions = [
        "(assert (distinct x y))(check-sat)(get-model)",
        "(assert (not (= (l0 x) (r0 y))))(check-sat)(get-value (x))",
        "(assert (= x y))(check-sat)(get-model)",
    ];
    for (number, question) in questions.into_iter().enumerate() {
        let script = file(&format!("records-{number}.smt2"), &(declared.clone() + question));
        let child = start(&["smt", "--timeout", "20", "--memory", "500"], &script);
        let output = child.wait_with_output().unwrap();
        let out = String::from_utf8_lossy(&output.stdout);
        assert!(out.starts_with("sat\n") && out.contains("c0"), "{question}: {out}");
        assert_eq!(output.status.code(), Some(0), "{question}");
        std::fs::remove_file(script).unwrap();
    }
}

#[test]
fn clauses_about_records_of_records_end_in_time() {
    let text = format!(
        "(set-logic HORN){}(declare-fun p (D0 Int) Bool)(assert (forall ((x D0)) (p x 0)))\n\
         (assert (forall ((x D0) (n Int)) (=> (p x n) (p x (+ n 1)))))\n\
         (assert (forall ((x D0) (y D0) (n Int)) (=> (and (p x n) (distinct x y) (> n 3)) false)))\n\
         (check-sat)",
        records(60)
    );
    let problem = file("records.smt2", &text);
    let child = start(&["--timeout", "2", "--memory", "500"], &problem);
    let since = Instant::now();
    let output = child.wait_with_output().unwrap();
    assert!(since.elapsed() < Duration::from_secs(2) + BUSY);
    let out = String::from_utf8_lossy(&output.stdout);
    // The error that the relation derives needs values of sixty levels; who does not find it says
    // so.
    assert!(["unsat\n", "unknown\n"].contains(&&*out), "{out}");
    assert_eq!(output.status.code(), Some(0));
    std::fs::remove_file(problem).unwrap();
}

/// Conditionals in conditionals: each shape a hundred thousand deep.
#[test]
fn conditionals_in_conditionals_take_linear_time() {
    let deep = 100_000;
    let shapes = [
        format!("{}x0{}", "(ite b0 x1 ".repeat(deep), ")".repeat(deep)),
        format!("{}x0{}", "(ite (> x0 3) ".repeat(deep), " x1)".repeat(deep)),
        format!("{}x0{}", "(ite (not b0) ".repeat(deep), " x1)".repeat(deep)),
    ];
    for (number, shape) in shapes.iter().enumerate() {
        let text = format!(
            "(declare-const x0 Int)(declare-const x1 Int)(declare-const b0 Bool)\
             (assert (> {shape} 5))(check-sat)"
        );
        let script = file(&format!("conditionals-{number}.smt2"), &text);
        // All of them are one conditional: memory tells, whatever else the machine does.
        let child = start(&["smt", "--timeout", "60", "--memory", "300"], &script);
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), "sat\n", "{number}");
        std::fs::remove_file(script).unwrap();
    }
}
