//! Family j: functions, arrays and data of bit-vectors.
//!
//! Memories of bytes that are written and read as words, swaps by exclusive or, chains of hashes,
//! more arguments than results, sorting by keys, a walk through an array of bytes by integers, and
//! registers in records. Each comes as a contradiction and with a model; the logics go round
//! `QF_ABV`, `QF_UFBV`, `QF_AUFBV`, `QF_AUFBVLIA` and `QF_UFDTBV`.

use super::problem::{Family, Problem, Script};

const MEMORY: &str = "(Array (_ BitVec 32) (_ BitVec 8))";
const BYTES: &str = "(Array (_ BitVec 8) (_ BitVec 8))";

/// All problems of the family.
pub(crate) fn problems() -> Vec<Problem> {
    let mut all = Vec::new();
    for answer in ["unsat", "sat"] {
        all.extend([2, 3, 4].map(|n| words(n, answer)));
        all.extend([2, 4, 7].map(|n| swaps(n, answer)));
        all.extend([5, 10, 20].map(|n| hashes(n, answer)));
        all.extend([3, 4, 5].map(|n| sorting(n, answer)));
        all.extend([3, 8, 20].map(|n| walk(n, answer)));
        all.extend([4, 16, 40].map(|n| registers(n, answer)));
    }
    all.extend([pigeons(9, "unsat"), pigeons(8, "sat")]);
    all
}

fn byte(value: usize) -> String {
    format!("#x{value:02x}")
}

/// Words written to aligned places that differ from the first leave it alone; if one may be the
/// first, it may not.
fn words(n: usize, answer: &str) -> Problem {
    let mut script = Script::new("QF_ABV");
    script.declare("m0", MEMORY);
    for i in 0..n {
        script.declare(&format!("p{i}"), "(_ BitVec 32)");
        script.declare(&format!("v{i}"), "(_ BitVec 32)");
        script.declare(&format!("m{}", i + 1), MEMORY);
        let write = |memory: String, at: usize| {
            let part = format!("((_ extract {} {}) v{i})", 8 * at + 7, 8 * at);
            format!("(store {memory} (bvadd p{i} #x{at:08x}) {part})")
        };
        let written = (0..4).fold(format!("m{i}"), write);
        script.assert(&format!("(= m{} {written})", i + 1));
        script.assert(&format!("(= ((_ extract 1 0) p{i}) #b00)"));
        if i > 0 && (answer == "unsat" || i != n / 2) {
            script.assert(&format!("(not (= p{i} p0))"));
        }
    }
    let bytes: Vec<String> =
        (0..4).rev().map(|at| format!("(select m{n} (bvadd p0 #x{at:08x}))")).collect();
    script.assert(&format!("(not (= (concat {}) v0))", bytes.join(" ")));
    script.check(Family::Words, format!("words-{n}-{answer}"))
}

/// Neighbours are swapped by three exclusive disjunctions, and back; what is swapped with itself is
/// lost.
fn swaps(n: usize, answer: &str) -> Problem {
    let mut script = Script::new("QF_ABV");
    script.declare("m0", MEMORY);
    for i in 0..=n {
        script.declare(&format!("i{i}"), "(_ BitVec 32)");
    }
    let mut count = 0;
    for j in (0..n).chain((0..n).rev()) {
        let (a, b) = (format!("i{j}"), format!("i{}", j + 1));
        for (to, from) in [(&a, &b), (&b, &a), (&a, &b)] {
            let (before, after) = (format!("m{count}"), format!("m{}", count + 1));
            let mixed = format!("(bvxor (select {before} {to}) (select {before} {from}))");
            script.declare(&after, MEMORY);
            script.assert(&format!("(= {after} (store {before} {to} {mixed}))"));
            count += 1;
        }
        if answer == "unsat" {
            script.assert(&format!("(not (= {a} {b}))"));
        }
    }
    script.assert(&format!("(not (= m{count} m0))"));
    script.check(Family::Words, format!("swaps-{n}-{answer}"))
}

/// Chains of hashes of sums that are written differently; in the middle a byte may differ.
fn hashes(n: usize, answer: &str) -> Problem {
    let mut script = Script::new("QF_UFBV");
    script.line("(declare-fun h ((_ BitVec 32) (_ BitVec 8)) (_ BitVec 32))");
    for i in 0..=n {
        script.declare(&format!("x{i}"), "(_ BitVec 32)");
        script.declare(&format!("y{i}"), "(_ BitVec 32)");
    }
    for i in 0..n {
        let next = i + 1;
        script.declare(&format!("b{i}"), "(_ BitVec 8)");
        script.declare(&format!("c{i}"), "(_ BitVec 8)");
        script.assert(&format!("(= x{next} (h (bvadd x{i} (concat #x000000 b{i})) b{i}))"));
        let other = format!("(bvsub y{i} (bvneg ((_ zero_extend 24) c{i})))");
        script.assert(&format!("(= y{next} (h {other} c{i}))"));
        if answer == "unsat" || i != n / 2 {
            script.assert(&format!("(= (bvadd b{i} c{i}) (bvshl c{i} #x01))"));
        }
    }
    script.assert(&format!("(and (= x0 y0) (not (= x{n} y{n})))"));
    script.check(Family::Words, format!("hashes-{n}-{answer}"))
}

/// Eight results are too few for nine arguments.
fn pigeons(n: usize, answer: &str) -> Problem {
    let mut script = Script::new("QF_UFBV");
    script.line("(declare-fun f ((_ BitVec 8)) (_ BitVec 3))");
    for i in 0..n {
        script.declare(&format!("x{i}"), "(_ BitVec 8)");
    }
    let results: Vec<String> = (0..n).map(|i| format!("(f x{i})")).collect();
    script.assert(&format!("(distinct {})", results.join(" ")));
    for i in 1..n {
        script.assert(&format!("(bvult x{} x{i})", i - 1));
    }
    script.check(Family::Words, format!("pigeons-{n}-{answer}"))
}

/// A sorting network over a memory puts bytes in the order of their keys, which may be equal.
fn sorting(n: usize, answer: &str) -> Problem {
    let mut script = Script::new("QF_AUFBV");
    script.declare("m0", BYTES);
    script.line("(declare-fun key ((_ BitVec 8)) (_ BitVec 4))");
    let mut count = 0;
    for i in 0..n {
        for j in 0..n - 1 - i {
            let (a, b) = (byte(j), byte(j + 1));
            let [x, y] = [&a, &b].map(|at| format!("(select m{count} {at})"));
            let swapped = format!("(store (store m{count} {a} {y}) {b} {x})");
            let kept = format!("(bvule (key {x}) (key {y}))");
            script.declare(&format!("m{}", count + 1), BYTES);
            script.assert(&format!("(= m{} (ite {kept} m{count} {swapped}))", count + 1));
            count += 1;
        }
    }
    let compare = if answer == "unsat" { "bvugt" } else { "bvuge" };
    let key = |at: usize| format!("(key (select m{count} {}))", byte(at));
    let wrong: Vec<String> =
        (1..n).map(|at| format!("({compare} {} {})", key(at - 1), key(at))).collect();
    script.assert(&format!("(or {})", wrong.join(" ")));
    script.check(Family::Words, format!("sorting-{n}-{answer}"))
}

/// Every byte on the way says that the next one is two places further.
fn walk(n: usize, answer: &str) -> Problem {
    let mut script = Script::new("QF_AUFBVLIA");
    script.declare("a", "(Array Int (_ BitVec 8))");
    script.line("(declare-fun g ((_ BitVec 8)) Int)");
    for i in 0..=n {
        script.declare(&format!("i{i}"), "Int");
    }
    script.assert("(= (select a i0) #x04)");
    script.assert("(= (g (bvadd (select a i0) #x01)) 2)");
    for i in 0..n {
        script.assert(&format!("(= i{} (+ i{i} (g (bvor (select a i{i}) #x01))))", i + 1));
        script.assert(&format!("(= (bvand (select a i{i}) #xfe) (select a i0))"));
    }
    let end = if answer == "unsat" { 2 * n } else { 2 * n + 1 };
    script.assert(&format!("(not (= i{n} (+ i0 {end})))"));
    script.check(Family::Words, format!("walk-{n}-{answer}"))
}

/// What `n` steps do to registers in a record is told to a function in two ways.
fn registers(n: usize, answer: &str) -> Problem {
    let mut script = Script::new("QF_UFDTBV");
    let cpu = "((cpu (a (_ BitVec 16)) (b (_ BitVec 16)) (flag Bool)) (halt))";
    script.line(&format!("(declare-datatypes ((Cpu 0)) ({cpu}))"));
    script.line("(declare-fun run (Cpu) Cpu)");
    for i in 0..=n {
        script.declare(&format!("s{i}"), "Cpu");
    }
    for i in 0..n {
        let [a, b] = ["(bvadd (a s{i}) #x0001)", "(bvsub (b s{i}) #x0001)"]
            .map(|term| term.replace("{i}", &i.to_string()));
        let next = format!("(cpu {a} {b} (bvult (b s{i}) #x0001))");
        script.assert(&format!("(= s{} {next})", i + 1));
    }
    let down = if answer == "unsat" { n } else { n - 1 };
    let whole = format!("(cpu (bvadd (a s0) #x{n:04x}) (bvsub (b s0) #x{down:04x}) (flag s{n}))");
    script.assert(&format!("(not (= (run s{n}) (run {whole})))"));
    script.check(Family::Words, format!("registers-{n}-{answer}"))
}
