//! Family h: data types.
//!
//! Long chains of constructors and selectors, terms that would be parts of themselves, lists that
//! are equal element by element, and enumerations as colours. Each comes as a contradiction and
//! with a model.

use super::problem::{Family, Problem, Script};

/// All problems of the family.
pub(crate) fn problems() -> Vec<Problem> {
    let mut all = Vec::new();
    for answer in ["unsat", "sat"] {
        all.extend([50, 200, 800].map(|n| tower(n, answer)));
        all.extend([10, 100, 1000].map(|n| ring(n, answer)));
        all.extend([10, 40, 160].map(|n| unzipped(n, answer)));
        all.extend([5, 8, 11].map(|n| trees(n, answer)));
        all.extend([6, 12, 24].map(|n| colouring(n, answer)));
    }
    all
}

fn lists(logic: &str) -> Script {
    let mut script = Script::new(logic);
    script.line("(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))");
    script
}

/// `n` elements put in front and taken off again.
fn tower(n: usize, answer: &str) -> Problem {
    let mut script = lists("ALL");
    for i in 0..=n {
        script.declare(&format!("x{i}"), "L");
        script.declare(&format!("y{i}"), "L");
    }
    for i in 0..n {
        script.assert(&format!("(= x{} (cons {i} x{i}))", i + 1));
        script.assert(&format!("(= y{i} (tl y{}))", i + 1));
        if answer == "unsat" || i != n / 2 {
            script.assert(&format!("((_ is cons) y{})", i + 1));
        }
    }
    script.assert(&format!("(= y{n} x{n})"));
    let last = if answer == "unsat" { "(not (= x0 y0))" } else { "(= (hd y1) 0)" };
    script.assert(last);
    script.check(Family::Data, format!("tower-{n}-{answer}"))
}

/// Each list is the tail of the next one, round a ring, unless one of them is empty.
fn ring(n: usize, answer: &str) -> Problem {
    let mut script = lists("ALL");
    for i in 0..n {
        script.declare(&format!("x{i}"), "L");
    }
    for i in 0..n {
        let (this, next) = (format!("x{i}"), format!("x{}", (i + 1) % n));
        let step = format!("(and ((_ is cons) {this}) (= (tl {this}) {next}))");
        let breaks = answer == "sat" && i == n / 2;
        script.assert(&if breaks { format!("(or {step} (= {this} nil))") } else { step });
    }
    script.check(Family::Data, format!("ring-{n}-{answer}"))
}

/// Two lists of length `n` with equal elements are equal.
fn unzipped(n: usize, answer: &str) -> Problem {
    let mut script = lists("ALL");
    for side in ["x", "y"] {
        for i in 0..=n {
            script.declare(&format!("{side}{i}"), "L");
        }
        for i in 0..n {
            script.assert(&format!(
                "(and ((_ is cons) {side}{i}) (= (tl {side}{i}) {side}{}))",
                i + 1
            ));
        }
        script.assert(&format!("(= {side}{n} nil)"));
    }
    for i in 0..n {
        let relation = if answer == "sat" && i == n / 2 { "<=" } else { "=" };
        script.assert(&format!("({relation} (hd x{i}) (hd y{i}))"));
    }
    script.assert("(not (= x0 y0))");
    script.check(Family::Data, format!("unzipped-{n}-{answer}"))
}

/// Complete trees of depth `n` with shared parts, mirrored twice.
fn trees(n: usize, answer: &str) -> Problem {
    let mut script = Script::new("ALL");
    script.line("(declare-datatypes ((T 0)) (((leaf (mark Int)) (node (left T) (right T)))))");
    for i in 0..=n {
        for name in ["s", "t", "u"] {
            script.declare(&format!("{name}{i}"), "T");
        }
    }
    script.assert("(and ((_ is leaf) s0) (= s0 t0))");
    script.assert("(= u0 s0)");
    for i in 1..=n {
        let below = i - 1;
        script.assert(&format!("(= s{i} (node s{below} t{below}))"));
        script.assert(&format!("(= t{i} (node t{below} s{below}))"));
        script.assert(&format!(
            "(or (= u{i} (node s{below} u{below})) (= u{i} (node u{below} t{below})))"
        ));
    }
    let goal = if answer == "unsat" {
        format!("(not (= s{n} u{n}))")
    } else {
        format!("(and (= s{n} u{n}) (> (mark s0) 7))")
    };
    script.assert(&goal);
    script.check(Family::Data, format!("trees-{n}-{answer}"))
}

/// A wheel with an odd rim cannot be coloured with three colours, one with an even rim can.
fn colouring(n: usize, answer: &str) -> Problem {
    let mut script = Script::new("QF_DT");
    script.line("(declare-datatypes ((C 0)) (((red) (green) (blue))))");
    let rim = if answer == "unsat" { n / 2 * 2 + 1 } else { n / 2 * 2 };
    script.declare("hub", "C");
    for i in 0..rim {
        script.declare(&format!("c{i}"), "C");
    }
    for i in 0..rim {
        script.assert(&format!("(distinct hub c{i})"));
        script.assert(&format!("(distinct c{i} c{})", (i + 1) % rim));
    }
    script.check(Family::Data, format!("colouring-{n}-{answer}"))
}
