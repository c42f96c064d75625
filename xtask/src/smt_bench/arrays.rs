//! Family g: arrays of integers.
//!
//! Chains write many places and read one, swaps undo themselves, and a sorting network permutes: it
//! keeps the number of occurrences of a value, and its output is sorted. Each comes as a
//! contradiction and with a model.

use super::problem::{Family, Problem, Script};

/// All problems of the family.
pub(crate) fn problems() -> Vec<Problem> {
    let mut all = Vec::new();
    for answer in ["unsat", "sat"] {
        all.extend([10, 40, 160].map(|n| chain(n, answer)));
        all.extend([4, 8, 12].map(|n| commuting(n, answer)));
        all.extend([4, 6, 10].map(|n| swaps(n, answer)));
        all.extend([3, 4, 5].map(|n| network(n, answer)));
        all.extend([5, 20, 60].map(|n| copies(n, answer)));
    }
    all
}

fn script() -> Script {
    let mut script = Script::new("QF_ALIA");
    script.declare("a0", "(Array Int Int)");
    script
}

/// `n` writes at different places leave the others alone.
fn chain(n: usize, answer: &str) -> Problem {
    let mut script = script();
    script.declare("k", "Int");
    for i in 0..n {
        script.declare(&format!("i{i}"), "Int");
        script.declare(&format!("a{}", i + 1), "(Array Int Int)");
        script.assert(&format!("(= a{} (store a{i} i{i} {i}))", i + 1));
        if answer == "unsat" || i != n / 2 {
            script.assert(&format!("(< i{i} k)"));
        }
    }
    script.assert(&format!("(distinct (select a{n} k) (select a0 k))"));
    script.check(Family::Arrays, format!("chain-{n}-{answer}"))
}

/// Writes at different places may be done in any order.
fn commuting(n: usize, answer: &str) -> Problem {
    let mut script = script();
    let names: Vec<String> = (0..n).map(|i| format!("i{i}")).collect();
    for name in &names {
        script.declare(name, "Int");
    }
    let write = |array: String, i: &usize| format!("(store {array} i{i} {})", i * i);
    let forth = (0..n).collect::<Vec<_>>().iter().fold("a0".to_owned(), write);
    let back = (0..n).rev().collect::<Vec<_>>().iter().fold("a0".to_owned(), write);
    let different = if answer == "unsat" { &names[..] } else { &names[1..] };
    script.assert(&format!("(distinct {})", different.join(" ")));
    script.assert(&format!("(not (= {forth} {back}))"));
    script.check(Family::Arrays, format!("commuting-{n}-{answer}"))
}

/// Neighbours are swapped one after the other, and back; nothing has changed.
fn swaps(n: usize, answer: &str) -> Problem {
    let mut script = script();
    for i in 0..=n {
        script.declare(&format!("i{i}"), "Int");
    }
    let mut steps: Vec<usize> = (0..n).chain((0..n).rev()).collect();
    if answer == "sat" {
        steps.pop();
    }
    for (at, step) in steps.iter().enumerate() {
        let (i, j) = (format!("i{step}"), format!("i{}", step + 1));
        let (before, after) = (format!("a{at}"), format!("a{}", at + 1));
        script.declare(&after, "(Array Int Int)");
        script.assert(&format!(
            "(= {after} (store (store {before} {i} (select {before} {j})) {j} (select {before} {i})))"
        ));
    }
    script.assert(&format!("(not (= a0 a{}))", steps.len()));
    script.check(Family::Arrays, format!("swaps-{n}-{answer}"))
}

/// Odd-even transposition sorts `n` cells, and keeps the number of cells that hold `v`.
fn network(n: usize, answer: &str) -> Problem {
    let mut script = script();
    script.declare("v", "Int");
    let rounds = if answer == "unsat" { n } else { n - 2 };
    let mut at = 0;
    for round in 0..rounds {
        for i in (round % 2..n - 1).step_by(2) {
            let (before, after, j) = (format!("a{at}"), format!("a{}", at + 1), i + 1);
            script.declare(&after, "(Array Int Int)");
            let (x, y) = (format!("(select {before} {i})"), format!("(select {before} {j})"));
            let swapped = format!("(store (store {before} {i} {y}) {j} {x})");
            script.assert(&format!("(= {after} (ite (> {x} {y}) {swapped} {before}))"));
            at += 1;
        }
    }
    let count = |array: &str| {
        let ones = (0..n).map(|i| format!("(ite (= v (select {array} {i})) 1 0)"));
        format!("(+ 0 {})", ones.collect::<Vec<_>>().join(" "))
    };
    let last = format!("a{at}");
    let unsorted = (1..n).map(|i| format!("(> (select {last} {}) (select {last} {i}))", i - 1));
    let unsorted = unsorted.collect::<Vec<_>>().join(" ");
    script.assert(&format!("(or (distinct {} {}) {unsorted})", count("a0"), count(&last)));
    script.check(Family::Arrays, format!("network-{n}-{answer}"))
}

/// A loop that copies, unrolled, under an order of the places that is not fixed.
fn copies(n: usize, answer: &str) -> Problem {
    let mut script = script();
    script.declare("b0", "(Array Int Int)");
    for name in ["start", "k"] {
        script.declare(name, "Int");
    }
    for i in 0..n {
        let place = format!("(+ start {i})");
        script.declare(&format!("b{}", i + 1), "(Array Int Int)");
        script.assert(&format!("(= b{} (store b{i} {place} (select a0 {place})))", i + 1));
    }
    let end = if answer == "unsat" { "<" } else { "<=" };
    script.assert(&format!("(and (<= start k) ({end} k (+ start {n})))"));
    script.assert(&format!("(distinct (select a0 k) (select b{n} k))"));
    script.check(Family::Arrays, format!("copies-{n}-{answer}"))
}
