//! The cluster for people who make mistakes, are impatient, or have a small hub.
//!
//! Without `nats-server` most of these tests say that they were skipped.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod folder;
mod hub;

use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use folder::Folder;
use hub::{Process, Server, program, shofar, succeed, text};
use rustix::process::Signal;

const EASY: &str = "(declare-fun p (Int) Bool)(assert (p 1))
(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))(check-sat)\n";

/// Nobody decides it soon.
const ENDLESS: &str = "(declare-fun q (Int Int Int) Bool)(assert (q 0 0 0))
(assert (forall ((x Int) (y Int) (z Int)) (=> (q x y z) (q (+ x y) (+ y z) (+ z 1)))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (q x y z) (= x 1000000000039)) false)))(check-sat)\n";

/// It fails with status 2, and says so.
fn refused(output: &Output, why: &str) {
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains(why), "{said}");
}

/// How a process ends after a signal; it has a few seconds for that.
fn interrupted(mut process: Process, signal: Signal) -> Option<i32> {
    process.signal(signal);
    let begin = Instant::now();
    loop {
        if let Some(status) = process.0.try_wait().unwrap() {
            return status.code();
        }
        assert!(begin.elapsed() < Duration::from_secs(10), "it does not end");
        std::thread::sleep(Duration::from_millis(10));
    }
}
fn start(command: &mut Command) -> Process {
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    // Signals are listened for from early on, but not from the beginning.
    std::thread::sleep(Duration::from_millis(500));
    Process(child)
}

#[test]
fn what_cannot_work_is_refused_at_once() {
    let folder = Folder::new("edges-refused");
    folder.write("a.smt2", EASY);
    refused(&shofar(&folder, &["submit", "a.smt2"]).output().unwrap(), "--hub URL or SHOFAR_HUB");
    let missing = ["collect", "--journal", "none.jsonl", "--hub", "nats://127.0.0.1:1"];
    refused(&shofar(&folder, &missing).output().unwrap(), "there is no such journal");
    assert!(!folder.path().join("none.jsonl").exists());
    let other = ["collect", "--journal", "a.smt2", "--hub", "nats://127.0.0.1:1"];
    assert_eq!(shofar(&folder, &other).output().unwrap().status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(folder.path().join("a.smt2")).unwrap(), EASY);
    let small = ["worker", "--jobs", "4", "--memory", "100", "--hub", "nats://127.0.0.1:1"];
    refused(&shofar(&folder, &small).output().unwrap(), "25 MB each");
}

#[test]
fn everything_ends_when_asked_to() {
    let Some(program) = program() else { return };
    let folder = Folder::new("edges-signals");
    let server = Server::start(program, folder.path(), "");
    let url = server.url();
    folder.write("a.smt2", ENDLESS);
    let submit = ["submit", "a.smt2", "--timeout", "100", "--hub", &url, "--seats", "2"];
    succeed(&shofar(&folder, &submit).output().unwrap());
    let collect = ["collect", "--journal", "shofar.jsonl", "--hub", &url];
    let collector = start(&mut shofar(&folder, &collect));
    // The journal belongs to one process at a time.
    refused(&shofar(&folder, &collect).output().unwrap(), "another process uses this journal");
    refused(&shofar(&folder, &submit).output().unwrap(), "another process uses this journal");
    let worker = start(&mut shofar(&folder, &["worker", "--jobs", "2", "--hub", &url]));
    let cluster = start(&mut shofar(&folder, &["cluster", "--hub", &url]));
    assert_eq!(interrupted(collector, Signal::INT), Some(130));
    assert_eq!(interrupted(cluster, Signal::INT), Some(0));
    assert_eq!(interrupted(worker, Signal::TERM), Some(0));
    // What the worker had is in the queue again, and nobody waits for it.
    let now = ["collect", "--journal", "shofar.jsonl", "--withdraw", "--hub", &url];
    let said = succeed(&shofar(&folder, &now).output().unwrap());
    assert!(said.contains("\"answer\":\"withdrawn\""), "{said}");
    // Nobody is there to be submitted to, and nobody has to wait for that.
    drop(server);
    let lonely =
        start(&mut shofar(&folder, &["submit", "a.smt2", "--hub", &url, "--timeout", "7"]));
    assert_eq!(interrupted(lonely, Signal::INT), Some(2));
}

#[test]
fn a_full_hub_is_said_to_be_full_and_nothing_is_lost() {
    let Some(program) = program() else { return };
    let folder = Folder::new("edges-full");
    let mut server = Server::start(program, folder.path(), "");
    server.limit("max_file_store: 100KB");
    let url = server.url();
    let mut random = 7u64;
    for number in 0..4 {
        // Texts that hardly become smaller.
        let noise = (0..20_000).map(|_| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            format!("{:x}", random >> 40)
        });
        let noise: Vec<String> = noise.collect();
        folder.write(&format!("suite/{number}.smt2"), format!("{EASY}; {}\n", noise.concat()));
    }
    let submit = ["submit", "suite", "--timeout", "20", "--hub", &url];
    let output = shofar(&folder, &submit).output().unwrap();
    refused(&output, "the hub is full");
    // With room for it, whoever collects submits what is missing.
    server.limit("");
    let _worker = Process::worker(&folder, "w", &url);
    let collect = ["collect", "--journal", "shofar.jsonl", "--hub", &url];
    let collected = succeed(&shofar(&folder, &collect).output().unwrap());
    assert_eq!(collected.matches("\"answer\":\"sat\"").count(), 4, "{collected}");
}
