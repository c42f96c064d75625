//! Family i: bit-vectors.
//!
//! Circuits against operators: ripple-carry adders, multiplication by shifts, minimum without
//! branches, population counts; and linear systems modulo a power of two. Each comes as a
//! contradiction and with a model.

use shofar_base::Rng;

use super::problem::{Family, Problem, Script};

/// All problems of the family.
pub(crate) fn problems() -> Vec<Problem> {
    let mut all = Vec::new();
    for answer in ["unsat", "sat"] {
        all.extend([8, 16, 32].map(|width| adder(width, answer)));
        all.extend([(8, 5), (16, 10), (32, 23)].map(|(width, by)| shifts(width, by, answer)));
        all.extend([8, 16, 32].map(|width| minimum(width, answer)));
        all.extend([6, 8, 10].map(|width| population(width, answer)));
        all.extend([(2, 8), (4, 16), (6, 32)].map(|(rows, width)| linear(rows, width, answer)));
        all.extend([4, 6, 8].map(|width| distributive(width, answer)));
    }
    all
}

fn script(width: usize, names: &[&str]) -> Script {
    let mut script = Script::new("QF_BV");
    for name in names {
        script.declare(name, &format!("(_ BitVec {width})"));
    }
    script
}

/// A ripple-carry adder computes the sum, unless its carry is lost in the middle.
fn adder(width: usize, answer: &str) -> Problem {
    let mut script = script(width, &["x", "y"]);
    let mut carry = "#b0".to_owned();
    let mut sum = String::new();
    for i in 0..width {
        let (a, b) = (format!("((_ extract {i} {i}) x)"), format!("((_ extract {i} {i}) y)"));
        script.declare(&format!("s{i}"), "(_ BitVec 1)");
        script.declare(&format!("c{i}"), "(_ BitVec 1)");
        script.assert(&format!("(= s{i} (bvxor {a} {b} {carry}))"));
        let lost = answer == "sat" && i == width / 2;
        let next = format!("(bvor (bvand {a} {b}) (bvand {carry} (bvxor {a} {b})))");
        script.assert(&format!("(= c{i} {})", if lost { "#b0".to_owned() } else { next }));
        carry = format!("c{i}");
        sum = if i == 0 { "s0".to_owned() } else { format!("(concat s{i} {sum})") };
    }
    script.assert(&format!("(distinct {sum} (bvadd x y))"));
    script.check(Family::Bits, format!("adder-{width}-{answer}"))
}

/// A product with a constant is a sum of shifts.
fn shifts(width: usize, by: usize, answer: &str) -> Problem {
    let mut script = script(width, &["x"]);
    let places = (0..width).filter(|i| (by >> i) & 1 == 1);
    let terms = places.map(|i| format!("(bvshl x (_ bv{i} {width}))"));
    let sum = terms.reduce(|a, b| format!("(bvadd {a} {b})")).expect("the factor is not zero");
    let factor = if answer == "unsat" { by } else { by + 2 };
    script.assert(&format!("(distinct {sum} (bvmul x (_ bv{factor} {width})))"));
    script.assert(&format!("(bvugt x (_ bv3 {width}))"));
    script.check(Family::Bits, format!("shifts-{width}-{by}-{answer}"))
}

/// `y ^ ((x ^ y) & -(x < y))` is the minimum, for unsigned numbers.
fn minimum(width: usize, answer: &str) -> Problem {
    let mut script = script(width, &["x", "y", "m"]);
    let compare = if answer == "unsat" { "bvult" } else { "bvslt" };
    let (one, zero) = (format!("(_ bv1 {width})"), format!("(_ bv0 {width})"));
    let flag = format!("(ite ({compare} x y) {one} {zero})");
    script.assert(&format!("(= m (bvxor y (bvand (bvxor x y) (bvneg {flag}))))"));
    script.assert("(not (and (bvule m x) (bvule m y) (or (= m x) (= m y))))");
    script.check(Family::Bits, format!("minimum-{width}-{answer}"))
}

/// Counting the ones of `x` and of its complement gives the width.
fn population(width: usize, answer: &str) -> Problem {
    let mut script = script(width, &["x"]);
    let count = |word: &str| {
        let bit =
            |i: usize| format!("((_ zero_extend {}) ((_ extract {i} {i}) {word}))", width - 1);
        (0..width).map(bit).reduce(|a, b| format!("(bvadd {a} {b})")).expect("a width is not zero")
    };
    let other = if answer == "unsat" { "(bvnot x)" } else { "(bvneg x)" };
    script.assert(&format!(
        "(distinct (bvadd {} {}) (_ bv{width} {width}))",
        count("x"),
        count(other)
    ));
    script.check(Family::Bits, format!("population-{width}-{answer}"))
}

/// Linear equations modulo a power of two, whose sum has even coefficients and an odd or an even
/// constant.
fn linear(rows: usize, width: usize, answer: &str) -> Problem {
    let mut rng = Rng::new(400 + rows as u64);
    let names: Vec<String> = (0..=rows).map(|i| format!("x{i}")).collect();
    let mut script = script(width, &names.iter().map(String::as_str).collect::<Vec<_>>());
    let (mut total, mut bound) = (vec![0i64; rows + 1], 0);
    for row in 0..rows {
        let last = row + 1 == rows;
        let coefficients: Vec<i64> = total
            .iter()
            .map(|sum| if last { 2 * rng.range(0, 9) + sum % 2 } else { rng.range(0, 19) })
            .collect();
        let odd = i64::from(answer == "unsat");
        let right = if last { 2 * rng.range(0, 9) + (bound + odd) % 2 } else { rng.range(0, 19) };
        for (sum, c) in total.iter_mut().zip(&coefficients) {
            *sum += c;
        }
        bound += right;
        let terms = coefficients.iter().zip(&names);
        let terms = terms.map(|(c, name)| format!("(bvmul (_ bv{c} {width}) {name})"));
        let sum = terms.reduce(|a, b| format!("(bvadd {a} {b})")).expect("there are columns");
        script.assert(&format!("(= {sum} (_ bv{right} {width}))"));
    }
    script.check(Family::Bits, format!("linear-{rows}-{width}-{answer}"))
}

/// Products distribute over sums, and over exclusive ors they do not.
fn distributive(width: usize, answer: &str) -> Problem {
    let mut script = script(width, &["x", "y", "z"]);
    let plus = if answer == "unsat" { "bvadd" } else { "bvxor" };
    script.assert(&format!("(distinct (bvmul x ({plus} y z)) ({plus} (bvmul x y) (bvmul x z)))"));
    script.check(Family::Bits, format!("distributive-{width}-{answer}"))
}
