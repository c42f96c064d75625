//! Long refutations over a real hub: what travels can be checked, whether it folds or not.
//!
//! Without `nats-server` the tests say that they were skipped. The load test is run by hand:
//! `cargo test --release -p shofar-cli --test long_refutations -- --ignored`

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod folder;
mod hub;

use std::collections::BTreeMap;
use std::time::Instant;

use folder::Folder;
use hub::{Process, Server, program, say, shofar, succeed};
use serde_json::Value;

/// A generator of pseudo-random numbers that reaches its end after so many steps: values do not
/// grow evenly, so nothing folds.
fn jumping(number: u64, steps: u64) -> String {
    // 2 generates the numbers other than 0 of the field.
    let (factor, add, modulus) = (2, 3 + 2 * number, 1_000_003);
    let end = (0..steps).fold(number, |x, _| (factor * x + add) % modulus);
    format!(
        "(set-logic HORN)(declare-fun p (Int Int) Bool)(assert (p 0 {number}))\n\
         (assert (forall ((i Int) (x Int)) (=> (and (p i x) (< i {steps}))\n  \
           (p (+ i 1) (mod (+ (* {factor} x) {add}) {modulus})))))\n\
         (assert (forall ((i Int) (x Int)) (=> (and (p i x) (= i {steps}) (= x {end})) false)))\n\
         (check-sat)\n"
    )
}

/// A counter, whose refutation folds.
fn counting(number: u64, steps: u64) -> String {
    format!(
        "(set-logic HORN)(declare-fun p (Int) Bool)(assert (p {number}))\n\
         (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))\n\
         (assert (forall ((x Int)) (=> (and (p x) (= x {})) false)))(check-sat)\n",
        number + steps
    )
}

/// Problems by file: every fourth one folds; the lengths of others take turns.
fn problems(count: u64, lengths: &[u64]) -> BTreeMap<String, String> {
    let one = |number: u64| {
        let turn = usize::try_from(number).unwrap() % lengths.len();
        let text = match number % 4 {
            3 => counting(number, 1_000 * (number + 1)),
            _ => jumping(number, lengths[turn] + number),
        };
        (format!("{number}.smt2"), text)
    };
    (0..count).map(one).collect()
}

/// Has them solved by workers over a hub, and checks every witness once more by `shofar check`.
fn solve_all(name: &str, count: u64, lengths: &[u64], workers: usize) {
    let Some(program) = program() else { return };
    let folder = Folder::new(name);
    let server = Server::start(program, folder.path(), "");
    let url = server.url();
    let problems = problems(count, lengths);
    for (file, text) in &problems {
        folder.write(&format!("suite/{file}"), text);
    }
    let begin = Instant::now();
    let submit = ["submit", "suite", "--timeout", "100", "--hub", &url];
    succeed(&shofar(&folder, &submit).output().unwrap());
    let _workers: Vec<Process> =
        (0..workers).map(|number| Process::worker(&folder, &format!("w{number}"), &url)).collect();
    let collect = ["collect", "--journal", "shofar.jsonl", "--hub", &url];
    let output = shofar(&folder, &collect).output().unwrap();
    assert_eq!(hub::text(&output.stderr), "");
    let collected = succeed(&output);
    let time = begin.elapsed().as_secs_f64();
    let (mut steps, mut longest) = (0, 0);
    for line in collected.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        assert_eq!((&line["answer"], &line["attempts"]), (&"unsat".into(), &1.into()), "{line}");
        let (file, witness) = (line["file"].as_str().unwrap(), line["witness"].as_str().unwrap());
        let text = std::fs::read_to_string(folder.path().join(witness)).unwrap();
        let is_folded = problems[file].contains("(p (+ x 1))");
        assert_eq!(text.contains("(repeat "), is_folded, "{file}");
        assert!(is_folded || text.matches("(step ").count() > 64, "{file} is short");
        steps += text.matches("(step ").count();
        longest = longest.max(text.len());
        let check = ["check", &format!("suite/{file}"), witness];
        let said = succeed(&shofar(&folder, &check).output().unwrap());
        assert!(said.starts_with("valid"), "{file}: {said}");
    }
    assert_eq!(collected.lines().count(), problems.len());
    say(&format!(
        "{count} of {count} refutations valid after {time:.1} s with {workers} workers; \
         {steps} steps listed, the longest witness has {longest} bytes"
    ));
}

/// What `--witness=short` prints can be checked; a summary says that it cannot.
#[test]
fn a_summary_says_that_it_cannot_be_checked() {
    let folder = Folder::new("long-summary");
    folder.write("a.smt2", jumping(1, 200));
    let judged = |style: &str| {
        let option = format!("--witness={style}");
        let said = succeed(&shofar(&folder, &[&option, "a.smt2"]).output().unwrap());
        folder.write("witness", &said);
        let output = shofar(&folder, &["check", "a.smt2", "witness"]).output().unwrap();
        (said, hub::text(&output.stdout))
    };
    for style in ["short", "full"] {
        let (said, judgement) = judged(style);
        assert_eq!(said.matches("(step ").count(), 202, "{style}");
        assert!(judgement.starts_with("valid"), "{style}: {judgement}");
    }
    let (said, judgement) = judged("summary");
    let remark = said.lines().nth(1).unwrap();
    assert!(remark.starts_with("; a summary of 202 steps for people"), "{said}");
    assert!(remark.contains("cannot be checked") && said.lines().count() < 10, "{said}");
    assert!(judgement.starts_with("unknown"), "{judgement}");
}

#[test]
fn long_refutations_travel_and_are_valid() {
    solve_all("long-refutations", 16, &[65, 150, 400, 1_500], 2);
}

/// A witness of several megabytes does not fit into a message of the hub.
#[test]
fn a_witness_of_megabytes_travels() {
    solve_all("long-large", 1, &[40_000], 1);
}

#[test]
#[ignore = "a load test of minutes"]
fn two_hundred_long_refutations_are_valid() {
    let lengths = [100, 300, 1_000, 3_000, 10_000, 500, 20_000, 65];
    solve_all("long-load", 199, &lengths, 3);
    solve_all("long-longest", 1, &[100_000], 1);
}
