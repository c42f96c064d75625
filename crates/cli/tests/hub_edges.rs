//! The cluster for people who make mistakes, are impatient, or have a small hub.
//!
//! Without `nats-server` most of these tests say that they were skipped.

#![cfg(feature = "cluster")]
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod folder;
mod hub;

use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use folder::Folder;
use hub::{Process, Server, program, shofar, succeed, text};
use rustix::process::{Pid, Signal, kill_process};

const EASY: &str = "(declare-fun p (Int) Bool)(assert (p 1))
(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))(check-sat)\n";

/// Nobody decides it soon.
const ENDLESS: &str = "(declare-fun q (Int Int Int) Bool)(assert (q 0 0 0))
(assert (forall ((x Int) (y Int) (z Int)) (=> (q x y z) (q (+ x y) (+ y z) (+ z 1)))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (q x y z) (= x 1000000000039)) false)))(check-sat)\n";

/// A lamp that goes out within ten units, and somebody who would notice if it did not.
const LAMP: &str = "clock x; bool lit = false;
process Lamp() {
  state off, on { x <= 10 };
  init off;
  trans off -> on { assign x = 0, lit = true; }, on -> off { guard x >= 3; assign lit = false; };
}
process Watcher() { state watch, err; init watch; trans watch -> err { guard lit && x > 10; }; }
system Lamp, Watcher;
";

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
    let nowhere = ["cluster", "--hub", "nats://127.0.0.1:one"];
    refused(&shofar(&folder, &nowhere).output().unwrap(), "this is no address");
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
    refused(&output, "shofar collect --journal shofar.jsonl submits them");
    // With room for it, whoever collects submits what is missing.
    server.limit("");
    let _worker = Process::worker(&folder, "w", &url);
    let collect = ["collect", "--journal", "shofar.jsonl", "--hub", &url];
    let collected = succeed(&shofar(&folder, &collect).output().unwrap());
    assert_eq!(collected.matches("\"answer\":\"sat\"").count(), 4, "{collected}");
}

/// What says how a text is read travels with it, to the worker and to who validates.
#[test]
fn a_text_is_read_the_same_way_everywhere() {
    let Some(program) = program() else { return };
    let folder = Folder::new("edges-languages");
    let server = Server::start(program, folder.path(), "");
    let url = server.url();
    let _worker = Process::worker(&folder, "w", &url);
    folder.write(
        "add.c",
        "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n\
         int main() { int x = __VERIFIER_nondet_int(); int y = x + 1; assert(y > x); return 0; }\n",
    );
    folder.write("lamp.xta", LAMP);
    for (file, options, answer) in [
        ("add.c", "--c-arith int", "sat"),
        ("add.c", "--c-arith wrap-check --engine spacer", "unsat"),
        ("lamp.xta", "--encode og --time int", "sat"),
        ("lamp.xta", "--encode=rg", "sat"),
    ] {
        let submit = ["submit", file, "--timeout", "20", "--options", options, "--hub", &url];
        succeed(&shofar(&folder, &submit).args(["--journal", "one.jsonl"]).output().unwrap());
        let collect = ["collect", "--journal", "one.jsonl", "--hub", &url];
        let collected = succeed(&shofar(&folder, &collect).output().unwrap());
        std::fs::remove_file(folder.path().join("one.jsonl")).unwrap();
        assert!(collected.contains(&format!("\"answer\":\"{answer}\"")), "{collected}");
    }
}

/// What no worker could do is refused by who submits, and nothing of it is in the journal.
#[test]
fn what_no_worker_does_is_not_submitted() {
    let folder = Folder::new("edges-languages-refused");
    folder.write("a.smt2", EASY);
    folder.write("add.c", "int main() { return 0; }");
    folder.write("loop.ari", "(format LCTRS)");
    for (files, options, why) in [
        (&["loop.ari"][..], "", "loop.ari: whether all runs end is decided on this machine only"),
        (&["add.c"], "--property termination", "whether all runs end"),
        (&["add.c", "a.smt2"], "--c-arith int", "a.smt2: --c-arith has no meaning"),
        (&["add.c"], "--c-arith float", "float"),
        (&["a.smt2"], "--engine knid", "knid"),
        (&["a.smt2"], "--hints x", "--hints=x is not an option about solving"),
    ] {
        let mut command = shofar(&folder, &["submit", "--hub", "nats://127.0.0.1:1"]);
        let output = command.args(files).args(["--options", options]).output().unwrap();
        refused(&output, why);
        assert!(!folder.path().join("shofar.jsonl").exists(), "{files:?}");
    }
}

/// A worker has processes that wait for problems. If somebody ends them, there are others, and they
/// end with their worker.
#[test]
fn who_stands_by_is_replaced() {
    let Some(program) = program() else { return };
    let folder = Folder::new("edges-stand-by");
    let server = Server::start(program, folder.path(), "");
    let url = server.url();
    let mut worker = Process::worker(&folder, "w", &url);
    let first = children(&worker, 1);
    for &child in &first {
        kill_process(child, Signal::KILL).unwrap();
    }
    folder.write("a.smt2", EASY);
    succeed(&shofar(&folder, &["submit", "a.smt2", "--hub", &url]).output().unwrap());
    let collect = ["collect", "--journal", "shofar.jsonl", "--hub", &url];
    let collected = succeed(&shofar(&folder, &collect).output().unwrap());
    assert!(collected.contains("\"answer\":\"sat\""), "{collected}");
    let next = children(&worker, 1);
    assert!(next.iter().all(|child| !first.contains(child)));
    worker.kill();
    let begin = Instant::now();
    while next.iter().any(|&child| parent(child).is_some()) {
        assert!(begin.elapsed() < Duration::from_secs(10), "it does not end");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Who has started a process; nothing if it has ended.
fn parent(process: Pid) -> Option<String> {
    let line = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let mut fields = line.rsplit_once(')')?.1.split_whitespace();
    fields.next().filter(|&state| state != "Z")?;
    fields.next().map(str::to_owned)
}

/// The processes that a process has started, when there are so many.
fn children(process: &Process, count: usize) -> Vec<Pid> {
    let own = Some(process.0.id().to_string());
    let begin = Instant::now();
    loop {
        let ids = std::fs::read_dir("/proc")
            .unwrap()
            .filter_map(|entry| Pid::from_raw(entry.ok()?.file_name().to_str()?.parse().ok()?));
        let found: Vec<Pid> = ids.filter(|&id| parent(id) == own).collect();
        if found.len() == count {
            return found;
        }
        assert!(begin.elapsed() < Duration::from_secs(20), "{found:?}");
        std::thread::sleep(Duration::from_millis(10));
    }
}
