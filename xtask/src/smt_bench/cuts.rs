//! Family e: integer problems whose relaxation has solutions, so that branching alone does not end
//! or takes long.

use shofar_base::Rng;

use super::problem::{Family, Problem, Script, literal};

/// All problems of the family.
pub(crate) fn problems() -> Vec<Problem> {
    let mut all = Vec::new();
    for (i, width) in [6, 8, 10, 12].into_iter().enumerate() {
        all.push(knapsack(i as u64, width, 0));
        all.push(knapsack(10 + i as u64, width, 1));
    }
    all.extend([6, 8, 10, 12].map(market_split));
    all.extend([2, 5, 10, 20, 40].map(odd_sum));
    all.extend([3, 5, 8].map(parity_rows));
    all.extend([2, 4, 6].map(strip));
    all.extend([3, 5, 7].map(unbounded_equalities));
    all.extend([4, 6, 8].map(disequal_pairs));
    all
}

fn sum(terms: &[(i64, String)]) -> String {
    let parts: Vec<String> = terms
        .iter()
        .filter(|(c, _)| *c != 0)
        .map(|(c, name)| if *c == 1 { name.clone() } else { format!("(* {} {name})", literal(*c)) })
        .collect();
    match parts.as_slice() {
        [] => "0".to_owned(),
        [one] => one.clone(),
        _ => format!("(+ {})", parts.join(" ")),
    }
}

fn declare(script: &mut Script, prefix: &str, count: usize) -> Vec<String> {
    let names: Vec<String> = (0..count).map(|i| format!("{prefix}{i}")).collect();
    for name in &names {
        script.declare(name, "Int");
    }
    names
}

/// `Σ a_i·x_i = b` with bounded `x_i`; with `offset` 0 there is a planted solution, otherwise the
/// right side is off.
fn knapsack(seed: u64, width: usize, offset: i64) -> Problem {
    let mut rng = Rng::new(seed);
    let mut script = Script::new("QF_LIA");
    let names = declare(&mut script, "x", width);
    // Even weights and an odd total have no solution, but that is hidden from a single bound.
    let weights: Vec<i64> = (0..width).map(|_| 2 * rng.range(50, 400)).collect();
    let total: i64 = weights.iter().map(|w| w * rng.range(0, 6)).sum();
    let terms: Vec<(i64, String)> = weights.into_iter().zip(names.iter().cloned()).collect();
    for name in &names {
        script.assert(&format!("(and (<= 0 {name}) (<= {name} 6))"));
    }
    script.assert(&format!("(= {} {})", sum(&terms), total + offset));
    let word = if offset == 0 { "sat" } else { "unsat" };
    script.check(Family::Cuts, format!("knapsack-{width}-{word}"))
}

/// Two knapsack equations over the same zero-one variables, each asking for half of its total.
fn market_split(width: usize) -> Problem {
    let mut rng = Rng::new(300 + width as u64);
    let mut script = Script::new("QF_LIA");
    let names = declare(&mut script, "x", width);
    for name in &names {
        script.assert(&format!("(and (<= 0 {name}) (<= {name} 1))"));
    }
    for _ in 0..2 {
        let terms: Vec<(i64, String)> =
            names.iter().map(|name| (rng.range(1, 99), name.clone())).collect();
        let total: i64 = terms.iter().map(|(weight, _)| weight).sum();
        script.assert(&format!("(= {} {})", sum(&terms), total / 2));
    }
    script.check(Family::Cuts, format!("market-split-{width}"))
}

/// `2·Σx = 2·Σy + 1` without bounds, spread over equations.
fn odd_sum(count: usize) -> Problem {
    let mut script = Script::new("QF_LIA");
    let (x, y) = (declare(&mut script, "x", count), declare(&mut script, "y", count));
    script.declare("s", "Int");
    script.declare("t", "Int");
    let left: Vec<(i64, String)> = x.into_iter().map(|name| (2, name)).collect();
    let right: Vec<(i64, String)> = y.into_iter().map(|name| (2, name)).collect();
    script.assert(&format!("(= s {})", sum(&left)));
    script.assert(&format!("(= t (+ {} 1))", sum(&right)));
    script.assert("(and (<= s t) (<= t s))");
    script.check(Family::Cuts, format!("odd-sum-{count}"))
}

/// Several equations; only a combination of all of them shows the parity.
fn parity_rows(rows: usize) -> Problem {
    let mut rng = Rng::new(rows as u64);
    let width = rows + 2;
    let mut script = Script::new("QF_LIA");
    let names = declare(&mut script, "x", width);
    let mut total = vec![0; width];
    let mut bound = 0;
    for row in 0..rows {
        let last = row + 1 == rows;
        let coefficients: Vec<i64> = (0..width)
            .map(|i| if last { 2 * rng.range(-3, 3) - total[i] } else { rng.range(-5, 5) })
            .collect();
        let right = if last { 2 * rng.range(-4, 4) + 1 - bound } else { rng.range(-9, 9) };
        for (sum, c) in total.iter_mut().zip(&coefficients) {
            *sum += c;
        }
        bound += right;
        let terms: Vec<(i64, String)> =
            coefficients.into_iter().zip(names.iter().cloned()).collect();
        script.assert(&format!("(= {} {})", sum(&terms), literal(right)));
    }
    script.check(Family::Cuts, format!("parity-rows-{rows}"))
}

/// An unbounded strip that lies between two layers of integer points.
fn strip(width: usize) -> Problem {
    let mut rng = Rng::new(100 + width as u64);
    let mut script = Script::new("QF_LIA");
    let (x, y) = (declare(&mut script, "x", width), declare(&mut script, "y", width));
    // u = Σ a·x is split in two, so that no single row has a common divisor.
    script.declare("u", "Int");
    let modulus = 6;
    let terms: Vec<(i64, String)> =
        x.into_iter().chain(y).map(|name| (modulus * rng.range(1, 4), name)).collect();
    let (left, right) = terms.split_at(width);
    script.assert(&format!("(= (+ u 1) {})", sum(left)));
    script.assert(&format!("(and (<= 2 (- u {})) (<= (- u {}) 4))", sum(right), sum(right)));
    script.check(Family::Cuts, format!("strip-{width}"))
}

/// Equations over unbounded integers with coprime coefficients: solvable, but far from the origin.
fn unbounded_equalities(rows: usize) -> Problem {
    let mut rng = Rng::new(200 + rows as u64);
    let width = rows + 2;
    let mut script = Script::new("QF_LIA");
    let names = declare(&mut script, "x", width);
    let solution: Vec<i64> = (0..width).map(|_| rng.range(-1000, 1000)).collect();
    for _ in 0..rows {
        let coefficients: Vec<i64> = (0..width).map(|_| rng.range(-30, 30)).collect();
        let right: i64 = coefficients.iter().zip(&solution).map(|(c, x)| c * x).sum();
        let terms: Vec<(i64, String)> =
            coefficients.into_iter().zip(names.iter().cloned()).collect();
        script.assert(&format!("(= {} {})", sum(&terms), literal(right)));
    }
    script.assert(&format!("(>= {} 10)", names[0]));
    script.check(Family::Cuts, format!("unbounded-equalities-{rows}"))
}

/// `2x_i ≠ 2y_j + 1` holds for all pairs, so its negation has no solution, whichever pair is
/// chosen.
fn disequal_pairs(count: usize) -> Problem {
    let mut script = Script::new("QF_LIA");
    let (x, y) = (declare(&mut script, "x", count), declare(&mut script, "y", count));
    let pairs: Vec<String> = x
        .iter()
        .flat_map(|x| y.iter().map(move |y| format!("(= (* 2 {x}) (+ (* 4 {y}) 1))")))
        .chain(
            x.windows(3)
                .map(|w| format!("(= (+ (* 3 {}) (* 6 {})) (+ (* 9 {}) 1))", w[0], w[1], w[2])),
        )
        .collect();
    script.assert(&format!("(or {})", pairs.join(" ")));
    script.check(Family::Cuts, format!("disequal-pairs-{count}"))
}
