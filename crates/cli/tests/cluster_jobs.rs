//! What an operator does with jobs on a real hub: priorities, cancelling, retrying, tables, and
//! looking on.
//!
//! Without `nats-server` the tests say that they were skipped.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod folder;
mod hub;

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::process::Stdio;
use std::time::{Duration, Instant};

use folder::Folder;
use hub::{Process, Server, free_port, program, shofar, succeed, text};
use serde_json::Value;

/// A counter from a number on, which gets below it if the problem is not safe.
fn counter(number: usize, is_safe: bool) -> String {
    let query = if is_safe { format!("(< x {number})") } else { format!("(> x {})", number + 5) };
    format!(
        "(declare-fun p (Int) Bool)(assert (p {number}))\n\
         (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))\n\
         (assert (forall ((x Int)) (=> (and (p x) {query}) false)))(check-sat)\n"
    )
}

/// No engine decides it within a minute.
const ENDLESS: &str = "(declare-fun q (Int Int Int) Bool)(assert (q 0 0 0))
(assert (forall ((x Int) (y Int) (z Int)) (=> (q x y z) (q (+ x y) (+ y z) (+ z 1)))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (q x y z) (= x 1000000000039)) false)))(check-sat)\n";

/// A hub with a folder.
struct Place {
    folder: Folder,
    server: Server,
}

impl Place {
    fn new(name: &str) -> Option<Self> {
        let program = program()?;
        let folder = Folder::new(name);
        let server = Server::start(program, folder.path(), "");
        Some(Self { folder, server })
    }
    fn run(&self, words: &[&str]) -> String {
        let url = self.server.url();
        succeed(&shofar(&self.folder, words).args(["--hub", &url]).output().unwrap())
    }
    fn refused(&self, words: &[&str]) -> String {
        let url = self.server.url();
        let output = shofar(&self.folder, words).args(["--hub", &url]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
        text(&output.stderr)
    }
    fn worker(&self, name: &str) -> Process {
        Process::worker(&self.folder, name, &self.server.url())
    }
    fn collected(&self, words: &[&str]) -> BTreeMap<String, Value> {
        let collect = ["collect", "--journal", "shofar.jsonl"];
        let lines = self.run(&[&collect, words].concat());
        let results = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        results.map(|result| (result["file"].as_str().unwrap().to_owned(), result)).collect()
    }
}

#[test]
fn urgent_problems_are_solved_first() {
    let Some(place) = Place::new("jobs-priority") else { return };
    for number in 0..12 {
        let folder = ["low", "normal", "high"][number % 3];
        place.folder.write(&format!("{folder}/{number}.smt2"), counter(number, true));
    }
    for priority in ["low", "normal", "high"] {
        place.run(&["submit", priority, "--priority", priority, "--timeout", "20"]);
    }
    let seen: Value = serde_json::from_str(&place.run(&["cluster", "--json"])).unwrap();
    assert_eq!(seen["queue"], serde_json::json!([4, 4, 4]));
    let _worker = place.worker("w");
    let results = place.collected(&[]);
    let mut order: Vec<(&str, &str)> = results
        .values()
        .map(|result| (result["ended"].as_str().unwrap(), result["suite"].as_str().unwrap()))
        .collect();
    order.sort_unstable();
    let suites: Vec<&str> = order.iter().map(|(_, suite)| *suite).collect();
    let expected = ["high", "normal", "low"].map(|priority| [priority; 4]).concat();
    assert_eq!(suites, expected, "{order:?}");
}

#[test]
fn one_problem_is_cancelled_while_the_journal_is_in_use() {
    let Some(place) = Place::new("jobs-cancel") else { return };
    place.folder.write("suite/endless.smt2", ENDLESS);
    place.folder.write("suite/easy.smt2", counter(3, true));
    place.run(&["submit", "suite", "--timeout", "100"]);
    let _worker = place.worker("w");
    let url = place.server.url();
    let out = std::fs::File::create(place.folder.path().join("out")).unwrap();
    let collect = ["collect", "--journal", "shofar.jsonl", "--hub", &url];
    let mut collector = Process(shofar(&place.folder, &collect).stdout(out).spawn().unwrap());
    // The worker has begun with it, or will.
    std::thread::sleep(Duration::from_secs(2));
    let why = place.refused(&["cancel", "other.smt2"]);
    assert!(why.contains("other.smt2 is neither a file of the journal nor a job"), "{why}");
    let begin = Instant::now();
    assert_eq!(place.run(&["cancel", "endless.smt2"]), "endless.smt2 is cancelled\n");
    let status = loop {
        if let Some(status) = collector.0.try_wait().unwrap() {
            break status;
        }
        assert!(begin.elapsed() < Duration::from_secs(30), "nothing waits for its limit");
        std::thread::sleep(Duration::from_millis(20));
    };
    assert!(status.success());
    let results = place.collected(&[]);
    assert_eq!(results["easy.smt2"]["answer"], "sat");
    assert_eq!(results["endless.smt2"]["answer"], "withdrawn");
    assert_eq!(results["endless.smt2"]["failure"], "cancelled");
    assert!(place.refused(&["cancel", "easy.smt2"]).contains("has its result already"));
}

/// Servers such as 2.9.10 let a consumer step over everything that waits when one subject is
/// purged.
#[test]
fn cancelling_one_problem_leaves_the_others_in_the_queue() {
    let Some(place) = Place::new("jobs-cancel-one") else { return };
    for number in 0..20 {
        place.folder.write(&format!("suite/{number}.smt2"), counter(number, true));
    }
    place.run(&["submit", "suite", "--timeout", "20"]);
    place.run(&["cancel", "0.smt2", "7.smt2", "19.smt2"]);
    let seen: Value = serde_json::from_str(&place.run(&["cluster", "--json"])).unwrap();
    assert_eq!(seen["queue"], serde_json::json!([0, 17, 0]));
    let _worker = place.worker("w");
    let results = place.collected(&[]);
    let count = |answer| results.values().filter(|result| result["answer"] == answer).count();
    assert_eq!((count("sat"), count("withdrawn")), (17, 3));
}

#[test]
fn failures_are_told_apart_and_retried() {
    let Some(place) = Place::new("jobs-retry") else { return };
    place.folder.write("suite/endless.smt2", ENDLESS);
    place.folder.write("suite/broken.smt2", "(set-logic HORN)(assert (p 1))(check-sat)\n");
    place.folder.write("suite/safe.smt2", counter(3, true));
    place.folder.write("suite/unsafe, \"x\".smt2", counter(4, false));
    place.run(&["submit", "suite", "--timeout", "1"]);
    let _worker = place.worker("w");
    let results = place.collected(&[]);
    let failure = |file: &str| results[file]["failure"].as_str();
    assert_eq!(failure("endless.smt2"), Some("timeout"));
    assert_eq!(failure("broken.smt2"), Some("refused-input"));
    assert_eq!(failure("safe.smt2"), None);
    let message = results["broken.smt2"]["message"].as_str().unwrap();
    assert!(message.starts_with("broken.smt2:1:"), "{message}");
    for result in results.values() {
        assert!(result["version"].as_str().unwrap().starts_with(env!("CARGO_PKG_VERSION")));
        let ended = result["ended"].as_str().unwrap();
        assert!(ended.len() == 24 && ended.ends_with('Z'), "{ended}");
    }
    let again = place.run(&["submit", "--retry", "timeout,refused-input", "--timeout", "2"]);
    assert!(again.starts_with("2 jobs are submitted again; 2 are open"), "{again}");
    let results = place.collected(&[]);
    assert_eq!(results.len(), 4, "each has one result");
    let wall = results["endless.smt2"]["wall"].as_f64().unwrap();
    assert!(wall > 1.5, "it had two seconds: {wall}");
    let once_more = place.collected(&["--retry", "timeout"]);
    assert_eq!(once_more.len(), 4);
    let journal = std::fs::read_to_string(place.folder.path().join("shofar.jsonl")).unwrap();
    assert_eq!(journal.matches("\"record\":\"retry\"").count(), 3);
    let why = place.refused(&["submit", "--retry", "tired"]);
    assert!(why.contains("worker-lost"), "{why}");

    let table = place.run(&["collect", "--journal", "shofar.jsonl", "--format", "csv"]);
    let lines: Vec<&str> = table.lines().collect();
    assert!(lines[0].starts_with("suite,file,also,answer,failure,wall,cpu,memory,exit,"));
    assert_eq!(lines.len(), 5, "{table}");
    assert!(table.contains("\nsuite,\"unsafe, \"\"x\"\".smt2\",,unsat,,"), "{table}");
    assert!(table.contains("\nsuite,broken.smt2,,unknown,refused-input,"), "{table}");
    let log = std::fs::read_to_string(place.folder.path().join("w.log")).unwrap();
    let year = &log[..5];
    assert!(year.starts_with("20") && year.ends_with('-'), "lines begin with a date: {log}");
}

/// A page, as a browser or Prometheus gets it: the status, and the text.
fn get(port: u16, host: &str, path: &str) -> (String, String) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().to_owned(), body.to_owned())
}

#[test]
fn the_cluster_is_watched_over_http() {
    let Some(mut place) = Place::new("jobs-watch") else { return };
    for number in 0..6 {
        place.folder.write(&format!("suite/{number}.smt2"), counter(number, number % 2 == 0));
    }
    place.folder.write("suite/broken.smt2", "(set-logic HORN)(assert (p 1))(check-sat)\n");
    let port = free_port();
    let (url, web) = (place.server.url(), format!("{port}"));
    let mut command = shofar(&place.folder, &["cluster", "--web", &web, "--hub", &url]);
    let _watcher = Process(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
    place.run(&["submit", "suite", "--timeout", "20"]);
    place.run(&["submit", "suite/0.smt2", "--options", "--seed 9", "--priority", "low"]);
    let worker = place.worker("w");
    place.collected(&[]);
    let begin = Instant::now();
    let figure = |name: &str| {
        let (status, text) = get(port, "localhost", "/metrics");
        assert_eq!(status, "200");
        let line = text.lines().find(|line| line.starts_with(&format!("{name} ")));
        line.and_then(|line| line.rsplit(' ').next()?.parse::<f64>().ok())
    };
    while TcpStream::connect(("127.0.0.1", port)).is_err()
        || figure("shofar_solve_seconds_count") != Some(8.0)
        || figure("shofar_worker_done_total{worker=\"w\"}") != Some(8.0)
    {
        assert!(
            begin.elapsed() < Duration::from_secs(20),
            "{:?}",
            get(port, "localhost", "/metrics")
        );
        std::thread::sleep(Duration::from_millis(100));
    }
    for (name, value) in [
        ("shofar_hub_up", 1.0),
        ("shofar_verdicts_total{verdict=\"sat\"}", 4.0),
        ("shofar_verdicts_total{verdict=\"unsat\"}", 3.0),
        ("shofar_failures_total{kind=\"refused-input\"}", 1.0),
        ("shofar_failures_total{kind=\"timeout\"}", 0.0),
        ("shofar_queue_waiting{priority=\"high\"}", 0.0),
        ("shofar_queue_waiting{priority=\"low\"}", 0.0),
        ("shofar_workers{state=\"alive\"}", 1.0),
        ("shofar_solve_seconds_bucket{le=\"+Inf\"}", 8.0),
    ] {
        assert_eq!(figure(name), Some(value), "{name}");
    }
    assert!(figure("shofar_worker_memory_bytes{worker=\"w\"}") > Some(1e6));
    assert_eq!(get(port, "localhost", "/health"), ("200".to_owned(), "ok\n".to_owned()));
    let (status, page) = get(port, &format!("127.0.0.1:{port}"), "/");
    assert!(status == "200" && page.contains("verdicts: 4 sat, 3 unsat"), "{page}");
    assert!(page.contains("failures: 1 refused-input"), "{page}");
    for path in ["/", "/status.json", "/metrics", "/health"] {
        assert_eq!(get(port, "rebound.example", path).0, "421", "{path}");
    }
    drop(worker);
    place.server.kill();
    let begin = Instant::now();
    while get(port, "localhost", "/health").0 != "503" {
        assert!(begin.elapsed() < Duration::from_secs(30), "the hub is away");
        std::thread::sleep(Duration::from_millis(200));
    }
}
