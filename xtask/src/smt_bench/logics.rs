//! Family j: one kind of problem for each logic in which theories meet, and for the difference
//! logics.
//!
//! | problem | logic | what it is |
//! |---|---|---|
//! | `pipeline` | `QF_UFIDL` | reads through a chain of writes to registers, whose numbers are compared |
//! | `hash` | `QF_UFLIA` | hash functions with few values on distinct keys |
//! | `sensor` | `QF_UFLIRA` | functions of rounded sums of reals |
//! | `monotone` | `QF_UFLRA` | values of a monotone function on a chain of reals |
//! | `queens` | `QF_IDL` | queens on a board |
//! | `clock` | `QF_RDL` | events with distances, and choices between two orders |
//! | `algebra` | `QF_UF` | a finite operation with a law, given by its table |
//! | `memory` | `QF_AUFLIA` | copies of an array through a function of its indices |
//! | `permute` | `QF_AX` | writes at declared places, undone in another order |
//!
//! Each comes as a contradiction and with a model; the seed decides about details.

use shofar_base::Rng;

use super::problem::{Family, Problem, Script};

/// All problems of the family.
pub(crate) fn problems() -> Vec<Problem> {
    let mut all = Vec::new();
    for answer in ["unsat", "sat"] {
        all.extend([10, 14, 20].map(|n| pipeline(n, answer)));
        all.extend([10, 20, 30].map(|n| hash(n, answer)));
        all.extend([8, 16, 32].map(|n| sensor(n, answer)));
        all.extend([10, 20, 40].map(|n| monotone(n, answer)));
        all.extend([60, 150, 400].map(|n| clock(n, answer)));
        all.extend([5, 7, 9].map(|n| algebra(n, answer)));
        all.extend([8, 16, 32].map(|n| memory(n, answer)));
        all.extend([6, 8, 12].map(|n| permute(n, answer)));
    }
    all.extend([8, 14, 20].map(queens));
    all
}

fn function(script: &mut Script, name: &str, arguments: &str, result: &str) {
    script.line(&format!("(declare-fun {name} ({arguments}) {result})"));
}

fn finish(script: Script, name: &str, n: usize, answer: &str) -> Problem {
    script.check(Family::Logics, format!("{name}-{n}-{answer}"))
}

/// A register is read behind `n` writes by an `ite` each; a second machine forwards the writes in
/// pairs. One of the pairs is in the wrong order if there is to be a model.
fn pipeline(n: usize, answer: &str) -> Problem {
    let mut script = Script::new("QF_UFIDL");
    function(&mut script, "reg", "Int", "Int");
    function(&mut script, "alu", "Int Int", "Int");
    script.declare("r", "Int");
    for i in 0..n {
        for name in ["d", "s", "t"] {
            script.declare(&format!("{name}{i}"), "Int");
        }
    }
    // What is written by instruction i: a function of two registers as they were before.
    let read = |place: &str, upto: usize, swapped: Option<usize>| {
        let mut order: Vec<usize> = (0..upto).collect();
        if let Some(at) = swapped.filter(|at| at + 1 < upto) {
            order.swap(at, at + 1);
        }
        order.iter().fold(format!("(reg {place})"), |older, i| {
            format!("(ite (= {place} d{i}) w{i} {older})")
        })
    };
    for i in 0..n {
        script.declare(&format!("w{i}"), "Int");
        let (left, right) = (read(&format!("s{i}"), i, None), read(&format!("t{i}"), i, None));
        script.assert(&format!("(= w{i} (alu {left} {right}))"));
    }
    let swapped = n / 2;
    if answer == "unsat" {
        script.assert(&format!("(< d{swapped} d{})", swapped + 1));
    }
    let (one, other) = (read("r", n, None), read("r", n, Some(swapped)));
    script.assert(&format!("(not (= {one} {other}))"));
    finish(script, "pipeline", n, answer)
}

/// `n` keys with different values of each of `n` hash functions into `n` places, or one place less.
fn hash(n: usize, answer: &str) -> Problem {
    let mut script = Script::new("QF_UFLIA");
    let places = if answer == "sat" { n } else { 4 };
    let keys = if answer == "sat" { n } else { 5 };
    for k in 0..keys {
        script.declare(&format!("x{k}"), "Int");
    }
    for h in 0..n {
        function(&mut script, &format!("h{h}"), "Int", "Int");
        for k in 0..keys {
            let term = format!("(h{h} (+ x{k} {h}))");
            script.assert(&format!("(and (<= 0 {term}) (< {term} {places}))"));
            for other in 0..k {
                script.assert(&format!("(not (= {term} (h{h} (+ x{other} {h}))))"));
            }
        }
    }
    for k in 1..keys {
        script.assert(&format!("(or (= (h0 x{k}) x{}) (= (h0 x{}) x{k}))", k - 1, k - 1));
    }
    finish(script, "hash", n, answer)
}

/// Sensors whose sums of readings lie within a half of each other round to numbers that differ by
/// at most one; a table of these numbers is a function.
fn sensor(n: usize, answer: &str) -> Problem {
    let mut script = Script::new("QF_UFLIRA");
    function(&mut script, "table", "Int", "Real");
    for i in 0..=n {
        script.declare(&format!("r{i}"), "Real");
        script.declare(&format!("k{i}"), "Int");
        script.assert(&format!("(and (<= (to_real k{i}) r{i}) (< r{i} (+ (to_real k{i}) 1.0)))"));
    }
    for i in 0..n {
        script.assert(&format!("(or (= r{} (+ r{i} 0.5)) (= r{} (- r{i} 0.5)))", i + 1, i + 1));
        let near = format!("(= (table k{}) (+ (table k{i}) 1.0))", i + 1);
        script.assert(&format!("(or (= k{} k{i}) {near})", i + 1));
        script.assert(&format!("(>= (table k{i}) 0.0)"));
    }
    // Back at the start after steps of a half: the number of steps must be even.
    script.assert(&format!("(= k{n} k0)"));
    let rises = if answer == "sat" { "(>= (table k1) (table k0))" } else { "(= k1 (+ k0 1))" };
    script.assert(rises);
    script.assert(
        &format!("(< (table k{n}) (table k1))").replace(
            "(table k1)",
            if answer == "sat" { "(+ (table k0) 1.0)" } else { "(table k0)" },
        ),
    );
    finish(script, "sensor", n, answer)
}

/// `f(x + 1) ≥ f(x) + 1` along a chain; the last value is too small, or just right.
fn monotone(n: usize, answer: &str) -> Problem {
    let mut script = Script::new("QF_UFLRA");
    function(&mut script, "f", "Real", "Real");
    for i in 0..=n {
        script.declare(&format!("x{i}"), "Real");
    }
    for i in 0..n {
        script.assert(&format!("(or (= x{} (+ x{i} 1.0)) (= x{} (+ x{i} 2.0)))", i + 1, i + 1));
        script.assert(&format!("(>= (f (+ x{i} 1.0)) (+ (f x{i}) 1.0))"));
        script.assert(&format!("(>= (f (+ x{i} 2.0)) (+ (f (+ x{i} 1.0)) 1.0))"));
    }
    let least = if answer == "sat" { n } else { n - 1 };
    script.assert(&format!("(<= (f x{n}) (+ (f x0) {least}.5))"));
    if answer == "unsat" {
        script.assert(&format!("(>= (f x{}) (+ (f x{}) 1.75))", n, n - 1));
        script.assert(&format!("(<= (f x{}) (+ (f x0) {}.5))", n - 1, n - 2));
    }
    finish(script, "monotone", n, answer)
}

/// Queens on a board of `n` by `n`, a column each.
fn queens(n: usize) -> Problem {
    let mut script = Script::new("QF_IDL");
    script.declare("zero", "Int");
    for i in 0..n {
        script.declare(&format!("q{i}"), "Int");
        script.assert(&format!("(and (>= (- q{i} zero) 0) (<= (- q{i} zero) {}))", n - 1));
        for j in 0..i {
            let d = i - j;
            script.assert(&format!("(not (= q{i} q{j}))"));
            script.assert(&format!("(not (= (- q{i} q{j}) {d}))"));
            script.assert(&format!("(not (= (- q{j} q{i}) {d}))"));
        }
    }
    finish(script, "queens", n, "sat")
}

/// Events on a line: neighbours keep a distance, and pairs drawn at random may come in either
/// order. A last distance closes a cycle that is too short, or long enough.
fn clock(n: usize, answer: &str) -> Problem {
    let mut rng = Rng::new(n as u64);
    let mut script = Script::new("QF_RDL");
    for i in 0..=n {
        script.declare(&format!("e{i}"), "Real");
    }
    for i in 0..n {
        let ways = format!("(or (>= (- e{} e{i}) 2.0) (>= (- e{} e{i}) 3.0))", i + 1, i + 1);
        script.assert(&ways);
    }
    for _ in 0..3 * n {
        let (a, b) = (rng.below(n), rng.below(n));
        if a != b {
            script.assert(&format!("(or (>= (- e{a} e{b}) 1.0) (>= (- e{b} e{a}) 2.0))"));
        }
    }
    let most = if answer == "sat" { 3 * n } else { 2 * n - 1 };
    script.assert(&format!("(<= (- e{n} e0) {most}.0)"));
    finish(script, "clock", n, answer)
}

/// An operation on `n` elements without a fixed point of the diagonal: every row is a permutation,
/// and the operation is commutative. With the law `x·x = x` there is a table for odd numbers only.
fn algebra(n: usize, answer: &str) -> Problem {
    let n = if (answer == "sat") == (n % 2 == 1) { n } else { n + 1 };
    let mut script = Script::new("QF_UF");
    script.line("(declare-sort U 0)");
    function(&mut script, "m", "U U", "U");
    let names: Vec<String> = (0..n).map(|i| format!("c{i}")).collect();
    for name in &names {
        script.declare(name, "U");
    }
    script.assert(&format!("(distinct {})", names.join(" ")));
    for (i, a) in names.iter().enumerate() {
        for b in &names {
            let values: Vec<String> =
                names.iter().map(|c| format!("(= (m {a} {b}) {c})")).collect();
            script.assert(&format!("(or {})", values.join(" ")));
            script.assert(&format!("(= (m {a} {b}) (m {b} {a}))"));
        }
        let row: Vec<String> = names.iter().map(|b| format!("(m {a} {b})")).collect();
        script.assert(&format!("(distinct {})", row.join(" ")));
        if answer == "sat" || i == 0 {
            script.assert(&format!("(= (m {a} {a}) {a})"));
        } else {
            let other = &names[i];
            script.assert(&format!("(= (m {other} {other}) {other})"));
        }
    }
    finish(script, "algebra", n, answer)
}

/// An array is copied place by place through a function that shifts indices; the copy has what the
/// original had.
fn memory(n: usize, answer: &str) -> Problem {
    let mut script = Script::new("QF_AUFLIA");
    function(&mut script, "shift", "Int", "Int");
    script.declare("a", "(Array Int Int)");
    script.declare("b0", "(Array Int Int)");
    for i in 0..n {
        script.declare(&format!("i{i}"), "Int");
        script.declare(&format!("b{}", i + 1), "(Array Int Int)");
        let write = format!("(store b{i} (shift i{i}) (+ (select a i{i}) {i}))");
        script.assert(&format!("(= b{} {write})", i + 1));
        if i > 0 {
            let order = if answer == "sat" && i == n / 2 { "<=" } else { "<" };
            script.assert(&format!("({order} (shift i{}) (shift i{i}))", i - 1));
        }
    }
    let places: Vec<String> = (0..n)
        .map(|i| format!("(not (= (select b{n} (shift i{i})) (+ (select a i{i}) {i})))"))
        .collect();
    script.assert(&format!("(or {})", places.join(" ")));
    finish(script, "memory", n, answer)
}

/// Elements move along a cycle of places by swaps in two different orders.
fn permute(n: usize, answer: &str) -> Problem {
    let mut script = Script::new("QF_AX");
    script.line("(declare-sort Index 0)");
    script.line("(declare-sort Element 0)");
    script.declare("a", "(Array Index Element)");
    for i in 0..n {
        script.declare(&format!("p{i}"), "Index");
    }
    let swap = |array: &str, i: usize, j: usize| {
        format!("(store (store {array} p{i} (select {array} p{j})) p{j} (select {array} p{i}))")
    };
    // Swaps at disjoint pairs of places commute.
    let pairs: Vec<(usize, usize)> = (0..n / 2).map(|k| (2 * k, 2 * k + 1)).collect();
    let names: Vec<String> = (0..n).map(|i| format!("p{i}")).collect();
    let different = if answer == "sat" { &names[1..] } else { &names[..] };
    script.assert(&format!("(distinct {})", different.join(" ")));
    let (mut forth, mut back) = ("a".to_owned(), "a".to_owned());
    for (step, (&(i, j), &(k, l))) in pairs.iter().zip(pairs.iter().rev()).enumerate() {
        for (name, term) in [("f", swap(&forth, i, j)), ("g", swap(&back, k, l))] {
            script.declare(&format!("{name}{step}"), "(Array Index Element)");
            script.assert(&format!("(= {name}{step} {term})"));
        }
        (forth, back) = (format!("f{step}"), format!("g{step}"));
    }
    script.assert(&format!("(not (= {forth} {back}))"));
    finish(script, "permute", n, answer)
}
