//! What `shofar bench` prints and writes, tried with small folders and with shell scripts for
//! solvers; and the manual.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A folder for one test.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("bench-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).expect("it is writable");
        Self(path)
    }
    fn write(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("it is in a folder")).expect("it is writable");
        fs::write(path, text).expect("it is writable");
    }
    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }
    /// `shofar bench`, in this folder.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = shofar(&["bench"]);
        command.args(arguments).current_dir(&self.0);
        command
    }
    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the program starts")
    }
    /// Runs to an end with the given status; returns what is printed.
    fn check(&self, arguments: &[&str], status: i32) -> String {
        let output = self.run(arguments);
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(status), "for {arguments:?}\n{out}\n{err}");
        out
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed stays.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn shofar(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shofar"));
    command.args(arguments);
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The numbers of a row of the table: files, solved, sat, unsat, unknown, limit, failed, wrong.
fn row(table: &str, suite: &str, solver: &str) -> Vec<usize> {
    let line = table.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        (words.next() == Some(suite) && words.next() == Some(solver)).then_some(words)
    });
    let numbers = line.unwrap_or_else(|| panic!("no row {suite} {solver} in\n{table}"));
    numbers.take(8).map(|word| word.parse().expect("it is a number")).collect()
}

/// A solver that prints the last line of the file without its semicolon, and notes that it was
/// called.
const ORACLE: &str = "sh -c 'echo oracle >> calls; tail -n 1 \"$1\" | tr -d \";\"' - {}";
/// A solver that finds everything satisfiable.
const OPTIMIST: &str = "sh -c 'echo optimist >> calls; echo sat' - {}";

fn suites() -> Folder {
    let folder = Folder::new();
    folder.write("suites/a/1.smt2", "(set-info :status sat)\n; sat\n");
    folder.write("suites/a/2.smt2", "(set-info :status unsat)\n; unsat\n");
    folder.write("suites/b/3.smt2", "(set-logic HORN)\n; unsat\n");
    folder.write("suites/b/4.smt2", "(set-logic HORN)\n; unknown\n");
    folder.write("suites/b/5.smt2", "(set-logic HORN)\n; nothing\n");
    folder
}

fn against(name: &str, command: &str) -> String {
    format!("--against={name}={command}")
}

#[test]
fn solvers_are_compared() {
    let folder = suites();
    let (oracle, optimist) = (against("oracle", ORACLE), against("optimist", OPTIMIST));
    let options = ["suites", "--without-shofar", &oracle, &optimist];
    let table = folder.check(&options, 1);
    assert_eq!(row(&table, "a", "oracle"), [2, 2, 1, 1, 0, 0, 0, 0]);
    assert_eq!(row(&table, "a", "optimist"), [2, 1, 1, 0, 0, 0, 0, 1]);
    assert_eq!(row(&table, "b", "oracle"), [3, 1, 0, 1, 1, 0, 1, 0]);
    assert_eq!(row(&table, "all", "optimist"), [5, 4, 4, 0, 0, 0, 0, 1]);
    assert!(table.contains("a a/2.smt2: expected unsat, oracle says unsat, optimist says sat"));
    assert!(table.contains("b b/3.smt2: expected unknown, oracle says unsat, optimist says sat"));
    assert!(table.contains("b b/5.smt2: oracle ended with status 0: nothing"), "{table}");
    assert!(table.contains("both 2, only oracle 1, only optimist 2"), "{table}");
    let order = "oracle optimist optimist oracle oracle optimist optimist oracle oracle optimist";
    let calls = folder.read("calls");
    assert_eq!(calls.split_whitespace().collect::<Vec<_>>().join(" "), order, "they alternate");
}

#[test]
fn agreement_ends_well() {
    let folder = suites();
    let oracle = against("oracle", ORACLE);
    let table = folder.check(&["suites", "--without-shofar", &oracle, "--suite=a", "-j4"], 0);
    assert!(!table.contains("\nall") && !table.contains("Disagreements"), "{table}");
}

#[test]
fn this_program_takes_part() {
    let folder = Folder::new();
    let clauses = "(set-logic HORN)\n(declare-fun p (Int) Bool)\n(assert (p 0))\n\
        (assert (forall ((x Int)) (=> (and (p x) (< x 3)) (p (+ x 1)))))\n";
    let query = "(assert (forall ((x Int)) (=> (and (p x) (= x 2)) false)))\n(check-sat)\n";
    folder.write("files/s/1.smt2", &format!("{clauses}{query}"));
    folder.write("list.tsv", "s\tfiles/s/1.smt2\tunsat\t1\n");
    let options = ["list.tsv", "--timeout=30", "--options", "--seed 7", "--json=out.jsonl"];
    let table = folder.check(&options, 0);
    assert_eq!(row(&table, "s", "shofar"), [1, 1, 0, 1, 0, 0, 0, 0]);
    assert!(folder.read("out.jsonl").contains(r#""--timeout","30","--seed","7","{}""#));
}

#[test]
fn results_are_written_and_continued() {
    let folder = suites();
    let oracle = against("oracle", ORACLE);
    let options = ["suites", "--without-shofar", &oracle, "--json=out.jsonl"];
    let table = folder.check(&options, 0);
    let written = folder.read("out.jsonl");
    assert_eq!(written.lines().count(), 7, "{written}");
    for line in written.lines() {
        let _: serde_json::Value = serde_json::from_str(line).expect("every line is JSON");
    }
    folder.check(&options, 2); // nothing is overwritten

    // Cut off in the middle of the third result.
    let kept: Vec<&str> = written.lines().take(3).collect();
    let torn = written.lines().nth(3).map(|line| &line[..20]).expect("it is there");
    folder.write("out.jsonl", &format!("{}\n{torn}", kept.join("\n")));
    let resumed = folder.check(&[&options[..], &["--resume"]].concat(), 0);
    assert_eq!(folder.read("calls").lines().count(), 5 + 3, "two results were kept");
    assert_eq!(row(&table, "all", "oracle"), row(&resumed, "all", "oracle"));
    assert_eq!(folder.read("out.jsonl").lines().count(), 7);

    folder.check(&[&options[..], &["--resume", "--timeout=1"]].concat(), 2);
    let optimist = against("optimist", OPTIMIST);
    let more = folder.check(&[&options[..], &["--resume", &optimist]].concat(), 1);
    assert_eq!(folder.read("calls").lines().count(), 8 + 5, "only the new solver runs");
    assert_eq!(row(&more, "all", "optimist")[1], 4);
}

#[test]
fn limits_hold() {
    let folder = suites();
    let sleeper = against("sleeper", "sh -c 'sleep 60; echo sat'");
    let start = Instant::now();
    let options = ["suites", "--without-shofar", &sleeper, "--timeout=0.3", "--jobs=5"];
    let table = folder.check(&options, 0);
    assert_eq!(row(&table, "all", "sleeper"), [5, 0, 0, 0, 0, 5, 0, 0]);
    assert!(start.elapsed() < Duration::from_secs(30));
    let last = table.lines().find(|line| line.starts_with("all")).expect("it is there");
    assert_eq!(last.split_whitespace().nth(10), Some("3.0"), "PAR-2 is twice the limit per file");
}

#[test]
fn plots_are_drawn() {
    let folder = suites();
    let (oracle, optimist) = (against("oracle", ORACLE), against("optimist", OPTIMIST));
    let options = ["suites", "--without-shofar", &oracle, &optimist, "--plots=plots", "--cpu"];
    folder.check(&options, 1);
    let cactus = folder.read("plots/cactus.svg");
    assert!(cactus.starts_with("<svg ") && cactus.contains("oracle (3)"), "{cactus}");
    let scatter = folder.read("plots/scatter-oracle-optimist.svg");
    assert_eq!(scatter.matches("class=\"point\"").count(), 5);
    assert!(scatter.contains(">sat and unsat (1)<") && scatter.contains(">limit: 60 s CPU<"));
    assert!(!scatter.contains("NaN"));
}

#[test]
fn a_solver_that_always_fails_is_told_once() {
    let folder = suites();
    let check = |arguments: &[&str], status: i32| {
        let output = folder.run(arguments);
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(status), "for {arguments:?}\n{out}\n{err}");
        (out, err)
    };
    let crash = "sh -c 'echo no such option >&2; exit 7'";
    let (oracle, broken) = (against("oracle", ORACLE), against("broken", crash));
    let (out, err) = check(&["suites", "--without-shofar", &broken], 2);
    assert!(err.contains("broken failed on all 5 files\n  command: sh -c echo no such"), "{err}");
    assert!(err.contains("broken ended with status 7: no such option"), "{err}");
    assert!(!out.contains("Failures"), "{out}");
    assert!(err.matches("FAILED").count() <= 3, "{err}");
    let (_, err) = check(&["suites", "--without-shofar", &oracle, &broken], 2);
    assert!(err.contains("broken failed on all 5") && !err.contains("oracle failed"), "{err}");

    // Some complain on standard output, and some say `unknown` to everything.
    let talker = against("talker", "sh -c 'echo; echo \"(error 1)\"; exit 1'");
    let (_, err) = check(&["suites", "--without-shofar", &talker, "--suite=a"], 2);
    assert!(err.contains("talker ended with status 1: (error 1)"), "{err}");
    let refuser = against("refuser", "sh -c 'echo unknown; echo arrays >&2; exit 2'");
    let (_, err) = check(&["suites", "--without-shofar", &refuser], 2);
    assert!(err.contains("refuser failed on all 5 files"), "{err}");
    let (_, err) = check(&["suites", "--options=--no-such-option"], 2);
    assert!(err.contains("shofar failed on all 5 files") && err.contains("--no-such"), "{err}");
}

#[test]
fn what_cannot_be_done_is_refused() {
    let folder = suites();
    let refused = |arguments: &[&str], why: &str| {
        let output = folder.run(arguments);
        let err = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "for {arguments:?}\n{err}");
        assert!(err.contains(why), "for {arguments:?}\n{err}");
    };
    refused(&["nowhere"], "nowhere");
    refused(&["suites", "--suite=c"], "no suite `c`");
    refused(&["suites", "--resume"], "--json");
    refused(&["suites", "--against=x"], "NAME=COMMAND");
    refused(&["suites", "--against=shofar=true"], "two solvers are called `shofar`");
    refused(&["suites", "--options='a"], "quote");
    refused(&["suites", "--without-shofar", "--against=x=/nowhere/x"], "x: cannot run `/nowhere/x");
    folder.write("list", "a\tsuites/a/1.smt2\na\tsuites/a/7.smt2\n8.smt2\n");
    refused(&["list"], "list:2: there is no file suites/a/7.smt2\nlist:3: there is no file 8.smt2");
}

#[test]
fn ctrl_c_ends_the_solvers_and_keeps_the_results() {
    let folder = suites();
    let script = "test -e calls && exec sleep 60; echo $$ > calls; echo sat";
    let solver = against("slow", &format!("sh -c '{script}'"));
    let child = folder
        .command(&["suites", "--without-shofar", &solver, "--json=out.jsonl"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let begun = Instant::now();
    while !fs::read_to_string(folder.0.join("out.jsonl")).is_ok_and(|t| t.lines().count() == 2) {
        assert!(begun.elapsed() < Duration::from_secs(30), "the first result comes");
        std::thread::sleep(Duration::from_millis(20));
    }
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill starts").success());
    let output = child.wait_with_output().expect("it ends");
    assert!(begun.elapsed() < Duration::from_secs(30), "the second solver is not waited for");
    assert_eq!(output.status.code(), Some(130));
    let out = text(&output.stdout);
    assert!(out.contains("Interrupted: 1 of 5 results."), "{out}");
    assert_eq!(folder.read("out.jsonl").lines().count(), 2);
}

#[test]
fn the_manual_tells_of_everything() {
    let page = |arguments: &[&str]| {
        let output = shofar(arguments).output().expect("the program starts");
        assert!(output.status.success(), "for {arguments:?}");
        text(&output.stdout)
    };
    assert!(page(&["manual"]).contains(".TH shofar 1"));
    assert!(page(&["manual", "bench"]).contains("timeout"));
    assert_eq!(shofar(&["manual", "nothing"]).output().unwrap().status.code(), Some(2));
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(page(&["completions", shell]).contains("without-shofar"), "for {shell}");
    }
    let folder = Folder::new();
    let into = folder.0.join("man").display().to_string();
    page(&["manual", "--into", &into]);
    assert!(folder.read("man/shofar-bench.1").contains("against"));
}
