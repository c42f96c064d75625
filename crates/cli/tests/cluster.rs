//! The cluster with a real server on this machine: jobs, failures, and who gets in.
//!
//! Without `nats-server` the tests say that they were skipped.

#![cfg(feature = "cluster")]
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod folder;
mod hub;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use folder::Folder;
use hub::{Link, Process, Server, program, say, shofar, succeed, text};
use rustix::process::Signal;
use serde_json::Value;

/// Problems of the test with failures.
const PROBLEMS: usize = 200;
/// How long that test may take.
const LONGEST: Duration = Duration::from_secs(115);
/// How often a worker is killed.
const KILLS: Duration = Duration::from_secs(2);

/// A counter: safe if it cannot get below its start, else the bug is a few steps away.
fn counter(number: usize) -> (String, &'static str) {
    let steps = 3 + number % 5;
    let (query, answer) = if number.is_multiple_of(2) {
        (format!("(< x {number})"), "sat")
    } else {
        (format!("(= x {})", number + steps), "unsat")
    };
    let text = format!(
        "(declare-fun p (Int) Bool)\n(assert (p {number}))\n\
         (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))\n\
         (assert (forall ((x Int)) (=> (and (p x) {query}) false)))\n(check-sat)\n"
    );
    (text, answer)
}
/// A question that nobody answers in the part of a second that it has: with it a problem takes its
/// time.
const PAUSE: &str = "(set-option :timeout 300)\n(push 1)\n(declare-fun q (Int Int) Bool)\n(assert (q 0 0))\n\
    (assert (forall ((x Int) (y Int)) (=> (q x y) (q (+ x y y 1) (+ y 1)))))\n\
    (assert (forall ((x Int) (y Int)) (=> (and (q x y) (= x 1000000000039)) false)))\n\
    (check-sat)\n(pop 1)\n(set-option :timeout 20000)\n";

fn counters(folder: &Folder, count: usize, before: &str) -> BTreeMap<String, &'static str> {
    let write = |number| {
        let (text, answer) = counter(number);
        let text = format!("{before}{text}");
        let name = format!("{number}.smt2");
        folder.write(&format!("suite/{name}"), text);
        (name, answer)
    };
    (0..count).map(write).collect()
}
/// The answers by file; nothing occurs twice, and every verdict has its witness.
fn answers(folder: &Folder, lines: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for line in lines.lines() {
        let line: Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
        let (file, answer) = (line["file"].as_str().unwrap(), line["answer"].as_str().unwrap());
        if matches!(answer, "sat" | "unsat") {
            let witness = folder.path().join(line["witness"].as_str().unwrap());
            let text = std::fs::read_to_string(witness).unwrap();
            assert!(text.lines().any(|line| line == answer), "{text}");
        }
        assert_eq!(found.insert(file.to_owned(), answer.to_owned()), None, "{file} comes twice");
    }
    found
}
fn check(expected: &BTreeMap<String, &'static str>, found: &BTreeMap<String, String>) {
    for (file, answer) in expected {
        assert_eq!(found.get(file).map(String::as_str), Some(*answer), "{file}");
    }
    assert_eq!(found.len(), expected.len());
}

/// The whole way, with seats, a file that is there twice, the picture of the cluster, and the table
/// of a suite.
#[test]
fn problems_go_out_and_results_come_back() {
    let Some(program) = program() else { return };
    let folder = Folder::new("cluster-way");
    let server = Server::start(program, folder.path(), "");
    let url = server.url();
    let mut expected = counters(&folder, 6, "");
    folder.write("suite/same.smt2", counter(3).0);
    let hub = ["--hub", &url];
    let submit = ["submit", "suite", "--timeout", "20", "--lease", "2", "--seats", "2"];
    let said = succeed(&shofar(&folder, &submit).args(hub).output().unwrap());
    assert!(said.contains("6 new jobs; 1 files are known"), "{said}");
    let _worker = Process::worker(&folder, "w", &url);
    let collected = succeed(
        &shofar(&folder, &["collect", "--journal", "shofar.jsonl"]).args(hub).output().unwrap(),
    );
    check(&expected, &answers(&folder, &collected));
    assert_eq!(collected.matches("\"lemmas\":{\"sent\":").count(), expected.len(), "{collected}");
    let twice = collected.lines().find(|line| line.contains("\"3.smt2\"")).unwrap();
    assert!(twice.contains("\"also\":[\"same.smt2\"]"), "{twice}");
    // What is in the journal needs no hub any more, and what everybody has is on the hub.
    let again =
        succeed(&shofar(&folder, &["collect", "--journal", "shofar.jsonl"]).output().unwrap());
    check(&expected, &answers(&folder, &again));
    let all = succeed(&shofar(&folder, &["collect"]).args(hub).output().unwrap());
    check(&expected, &answers(&folder, &all));

    let seen = succeed(&shofar(&folder, &["cluster", "--json"]).args(hub).output().unwrap());
    let seen: Value = serde_json::from_str(&seen).unwrap();
    assert_eq!((&seen["workers"][0]["worker"], &seen["results"]), (&"w".into(), &6.into()));

    expected.insert("same.smt2".to_owned(), "unsat");
    let bench = ["bench", "suite", "--timeout", "20", "--json", "bench.jsonl"];
    let table = succeed(&shofar(&folder, &bench).args(hub).output().unwrap());
    let row = table.lines().find(|line| line.contains(" shofar ")).unwrap();
    let numbers: Vec<&str> = row.split_whitespace().skip(2).take(4).collect();
    assert_eq!(numbers, ["7", "7", "3", "4"], "{table}");
}

/// Two hundred problems while workers are killed, frozen and cut off, and the hub is restarted: all
/// results, each once.
#[test]
fn nothing_is_lost() {
    let Some(program) = program() else { return };
    let folder = Folder::new("cluster-failures");
    let mut server = Server::start(program, folder.path(), "");
    let (url, link) = (server.url(), Link::to(server.port));
    let expected = counters(&folder, PROBLEMS, PAUSE);
    let submit = ["submit", "suite", "--timeout", "20", "--attempts", "32", "--lease", "2"];
    succeed(&shofar(&folder, &submit).args(["--hub", &url]).output().unwrap());
    let begin = Instant::now();
    let urls = [url.clone(), url.clone(), url.clone(), link.url()];
    let mut workers: Vec<Process> = (0..4)
        .map(|number| Process::worker(&folder, &format!("w{number}"), &urls[number]))
        .collect();
    let collect = |out: &Path| {
        let out = std::fs::File::create(out).unwrap();
        let err = std::fs::File::create(folder.path().join("collect.log")).unwrap();
        let mut command = shofar(&folder, &["collect", "--journal", "shofar.jsonl"]);
        Process(command.args(["--hub", &url]).stdout(out).stderr(err).spawn().unwrap())
    };
    let out = folder.path().join("results.jsonl");
    let mut collector = collect(&out);
    let mut random = 18u64;
    let (mut kills, mut turn) = (0, 0);
    let status = loop {
        if let Some(status) = collector.0.try_wait().unwrap() {
            break status;
        }
        assert!(begin.elapsed() < LONGEST, "{}", progress(&folder));
        if begin.elapsed() < KILLS * turn {
            std::thread::sleep(Duration::from_millis(20));
            continue;
        }
        turn += 1;
        match turn {
            2 => workers[2].signal(Signal::STOP),
            3 => link.cut(),
            4 | 7 => server.restart(),
            5 => {
                workers[2].signal(Signal::CONT);
                collector.kill();
                collector = collect(&out);
            }
            6 => link.mend(),
            _ => {}
        }
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let victim = usize::try_from(random >> 62).unwrap();
        // The frozen one and the one that is cut off are to come back by themselves.
        if !(victim == 2 && turn < 7 || victim == 3 && turn < 8) {
            kills += 1;
            workers[victim].kill();
            workers[victim] = Process::worker(&folder, &format!("w{victim}"), &urls[victim]);
        }
    };
    assert!(status.success(), "{}", progress(&folder));
    say(&format!(
        "{PROBLEMS} results after {:.1} s and {kills} kills",
        begin.elapsed().as_secs_f64()
    ));
    check(&expected, &answers(&folder, &std::fs::read_to_string(&out).unwrap()));
    let journal = std::fs::read_to_string(folder.path().join("shofar.jsonl")).unwrap();
    let results = journal.lines().filter(|line| line.contains("\"record\":\"result\"")).count();
    assert_eq!(results, PROBLEMS);
    // The witnesses are good for somebody who has never heard of a cluster.
    assert!(turn > 7, "some failures did not happen");
    let first: Value = serde_json::from_str(journal.lines().last().unwrap()).unwrap();
    let (file, witness) = (first["file"].as_str().unwrap(), first["witness"].as_str().unwrap());
    let output =
        shofar(&folder, &["check", "--question=2", &format!("suite/{file}"), witness]).output();
    assert!(succeed(&output.unwrap()).starts_with("valid"));
}

/// What is known when a run takes too long.
fn progress(folder: &Folder) -> String {
    let logs = ["collect.log", "w0.log", "w1.log", "w2.log", "w3.log"].map(|name| {
        let log = std::fs::read_to_string(folder.path().join(name)).unwrap_or_default();
        let tail: Vec<&str> = log.lines().rev().take(5).collect();
        format!("{name}: {}", tail.join("\n  "))
    });
    logs.join("\n")
}

/// Who has no password, or a wrong one, gets nowhere, and passwords are not seen.
#[test]
fn strangers_do_not_get_in() {
    let Some(program) = program() else { return };
    let folder = Folder::new("cluster-strangers");
    let users = "authorization { users = [ { user: anna, password: \"quiet-please\" }, \
        { nkey: UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4 } ] }";
    let server = Server::start(program, folder.path(), users);
    let url = server.url();
    let expected = counters(&folder, 2, "");
    let submit = ["submit", "suite", "--timeout", "20", "--hub", &url];
    for set in [
        &[][..],
        &[("SHOFAR_HUB_USER", "anna"), ("SHOFAR_HUB_PASSWORD", "loud")],
        &[("SHOFAR_HUB_USER", "otto"), ("SHOFAR_HUB_PASSWORD", "quiet-please")],
    ] {
        let output = shofar(&folder, &submit).envs(set.iter().copied()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{set:?}");
        let said = text(&output.stderr);
        assert!(said.contains("the hub does not let us in"), "{said}");
        assert!(!said.contains("quiet-please") && !said.contains("loud"), "{said}");
    }
    folder.write("seed", "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY\n");
    succeed(&shofar(&folder, &submit).args(["--hub-nkey", "seed"]).output().unwrap());
    folder.write("password", "quiet-please\n");
    let login = ["--hub", &url, "--hub-user", "anna", "--hub-password-file", "password"];
    let worker = Process::worker_with(&folder, "w", &login, &[]);
    let words = std::fs::read(format!("/proc/{}/cmdline", worker.0.id())).unwrap();
    assert!(!text(&words).contains("quiet-please"));
    let collect = ["collect", "--journal", "shofar.jsonl"];
    let collected = succeed(&shofar(&folder, &collect).args(login).output().unwrap());
    check(&expected, &answers(&folder, &collected));
    let logs = std::fs::read_to_string(folder.path().join("w.log")).unwrap();
    assert!(!logs.contains("quiet-please"), "{logs}");
}

/// Over TLS the server is known by its certificate, and so are we.
#[test]
fn certificates_are_checked() {
    let Some(program) = program() else { return };
    let folder = Folder::new("cluster-tls");
    if !certificates(&folder) {
        say("skipped: openssl is not installed, so nothing was tried over TLS");
        return;
    }
    let tls = "tls { cert_file: \"server.pem\", key_file: \"server.key\", ca_file: \"ca.pem\", verify: true }";
    let here = format!("\"{}/", folder.path().display());
    let tls = tls.replace(": \"", &format!(": {here}"));
    let server = Server::start(program, folder.path(), &tls);
    let url = format!("tls://127.0.0.1:{}", server.port);
    let expected = counters(&folder, 2, "");
    let submit = ["submit", "suite", "--timeout", "20", "--hub", &url];
    let ours = ["--hub-cert", "client.pem", "--hub-key", "client.key"];
    let stranger = shofar(&folder, &submit).args(["--hub-ca", "other.pem"]).args(ours).output();
    assert_eq!(stranger.unwrap().status.code(), Some(2), "the server is somebody else");
    let nameless = shofar(&folder, &submit).args(["--hub-ca", "ca.pem"]).output();
    assert_eq!(nameless.unwrap().status.code(), Some(2), "we are nobody");
    let known = ["--hub-ca", "ca.pem"];
    succeed(&shofar(&folder, &submit).args(known).args(ours).output().unwrap());
    let login: Vec<&str> = ["--hub", &url].into_iter().chain(known).chain(ours).collect();
    let _worker = Process::worker_with(&folder, "w", &login, &[]);
    let collect = ["collect", "--journal", "shofar.jsonl"];
    let collected = succeed(&shofar(&folder, &collect).args(&login).output().unwrap());
    check(&expected, &answers(&folder, &collected));
}

/// Makes certificates of a server and a client; false if there is no tool for that.
fn certificates(folder: &Folder) -> bool {
    let openssl = |words: &[&str]| {
        let mut command = Command::new("openssl");
        let command = command.args(words).current_dir(folder.path());
        command.output().is_ok_and(|output| output.status.success())
    };
    let authority = |name: &str| {
        openssl(&[
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-keyout",
            &format!("{name}.key"),
            "-out",
            &format!("{name}.pem"),
            "-days",
            "2",
            "-subj",
            &format!("/CN={name}"),
        ])
    };
    folder.write("names", "subjectAltName=IP:127.0.0.1\nextendedKeyUsage=serverAuth,clientAuth\n");
    let signed = |name: &str| {
        openssl(&[
            "req",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-keyout",
            &format!("{name}.key"),
            "-out",
            &format!("{name}.csr"),
            "-subj",
            &format!("/CN={name}"),
        ]) && openssl(&[
            "x509",
            "-req",
            "-in",
            &format!("{name}.csr"),
            "-CA",
            "ca.pem",
            "-CAkey",
            "ca.key",
            "-CAcreateserial",
            "-days",
            "2",
            "-extfile",
            "names",
            "-out",
            &format!("{name}.pem"),
        ])
    };
    authority("ca") && authority("other") && signed("server") && signed("client")
}
