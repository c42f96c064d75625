//! Laws of closures of relations with choices: by enumeration on boxes, and by queries everywhere.

use shofar_base::{Budget, Rng};
use shofar_smt::{Options, implies};
use shofar_term::substitute::substitute;
use shofar_term::{Cx, Sort, Term};

use super::Setting;

/// A random octagonal relation; `box_size` bounds all values.
fn octagonal(rng: &mut Rng, s: &mut Setting, box_size: Option<i64>) -> Vec<Term> {
    let count = s.pairs.len();
    let mut literals = Vec::new();
    for at in 0..count {
        let (a, b) = (s.pre(at), s.post(at));
        if let Some(size) = box_size {
            let (low, high) = (s.store.int(-size), s.store.int(size));
            literals.extend([a, b].map(|x| s.store.le(low, x)));
            literals.extend([a, b].map(|x| s.store.le(x, high)));
        }
        let (low, high) = (rng.range(-3, 1), rng.range(0, 3));
        let (low, high) = (s.sum(&[(1, a)], low), s.sum(&[(1, a)], high));
        match rng.below(4) {
            0 => literals.push(s.store.eq(b, high)),
            1 => literals.push(s.store.le(b, high)),
            2 => literals.extend([s.store.le(b, high), s.store.le(low, b)]),
            _ => literals.push(s.store.le(low, b)),
        }
    }
    for _ in 0..rng.below(3) {
        let names = [s.pre(rng.below(count)), s.post(rng.below(count))];
        let signs = [rng.range(-1, 1), rng.range(-1, 1)];
        let side = s.sum(&[(signs[0], names[0]), (signs[1], names[1])], 0);
        let bound = s.store.int(rng.range(-2, 5));
        literals.push(s.store.le(side, bound));
    }
    literals
}

/// Which pairs of points are related by 1, 2, … steps, all within the box.
fn powers(s: &mut Setting, literals: &[Term], points: &[Vec<i64>]) -> Vec<Vec<Vec<bool>>> {
    let relation = s.store.and(literals);
    let row = |x: &Vec<i64>| points.iter().map(|y| s.holds(relation, x, y, 0)).collect();
    let step: Vec<Vec<bool>> = points.iter().map(row).collect();
    let mut powers = vec![step.clone()];
    for _ in 1..7 {
        let last = &powers[powers.len() - 1];
        let next = (0..points.len()).map(|x| {
            let reaches = |z: usize| (0..points.len()).any(|y| last[x][y] && step[y][z]);
            (0..points.len()).map(reaches).collect()
        });
        let next = next.collect();
        powers.push(next);
    }
    powers
}

fn compare(seed: u64, dims: usize, size: i64) -> bool {
    let rng = &mut Rng::new(seed);
    let mut s = Setting::ints(dims);
    let literals = octagonal(rng, &mut s, Some(size));
    let Some(closure) = s.exact(&literals) else { return false };
    let (formula, _) = s.formulas(&closure);
    let line: Vec<i64> = (-size..=size).collect();
    let points: Vec<Vec<i64>> = match dims {
        1 => line.iter().map(|&x| vec![x]).collect(),
        _ => line.iter().flat_map(|&x| line.iter().map(move |&y| vec![x, y])).collect(),
    };
    let powers = powers(&mut s, &literals, &points);
    for (at, power) in powers.iter().enumerate() {
        let count = i64::try_from(at + 1).unwrap();
        for (x, row) in points.iter().zip(power) {
            for (y, &expected) in points.iter().zip(row) {
                let holds = s.holds(formula, x, y, count);
                assert_eq!(holds, expected, "{seed}: {x:?} {y:?} in {count} steps");
            }
        }
    }
    true
}

#[test]
fn octagonal_relations_on_boxes_have_the_powers_that_enumeration_finds() {
    let found = (0..60).filter(|&seed| compare(seed, 1, 5)).count();
    assert!(found > 50, "closures on a line: {found}");
    let found = (0..12).filter(|&seed| compare(seed, 2, 2)).count();
    assert!(found > 8, "closures in the plane: {found}");
}

#[test]
fn a_closure_includes_the_relation_and_absorbs_a_step() {
    let budget = Budget::unlimited();
    let mut found = 0;
    for seed in 0..40 {
        let rng = &mut Rng::new(seed);
        let mut s = Setting::ints(1 + rng.below(2));
        let literals = octagonal(rng, &mut s, None);
        let Some(closure) = s.exact(&literals) else { continue };
        found += 1;
        let count = s.store.constant(s.count);
        let (one, more) = (s.store.int(1), s.sum(&[(1, count)], 1));
        let (first, power) =
            (closure.formula(&mut s.store, one), closure.formula(&mut s.store, count));
        let next = closure.formula(&mut s.store, more);
        // The value between two steps.
        let between: Vec<Term> =
            (0..s.pairs.len()).map(|at| s.store.var(&format!("m{at}"), Sort::INT)).collect();
        let (pre, post): (Vec<Term>, Vec<Term>) =
            (0..s.pairs.len()).map(|at| (s.pre(at), s.post(at))).unzip();
        let to_between = post.iter().copied().zip(between.iter().copied()).collect();
        let from_between = pre.iter().copied().zip(between.iter().copied()).collect();
        let power = substitute(&mut s.store, &to_between, &[power])[0];
        let step = s.store.and(&literals);
        let last = substitute(&mut s.store, &from_between, &[step])[0];
        let cx = &mut Cx::new(&mut s.store, &budget);
        assert_eq!(implies(cx, Options::default(), &[step], first), Ok(true), "{seed}");
        assert_eq!(implies(cx, Options::default(), &[first], step), Ok(true), "{seed}");
        assert_eq!(implies(cx, Options::default(), &[power, last], next), Ok(true), "{seed}");
    }
    assert!(found > 25, "relations with a closure: {found}");
}

#[test]
fn sums_of_two_values_need_tight_bounds() {
    // 2x ≤ 2 follows from x + x' ≤ 1 and x − x' ≤ 1, and x' ≤ x + 1 makes the powers grow.
    let mut s = Setting::ints(1);
    let (a, b) = (s.pre(0), s.post(0));
    let (sum, difference) = (s.sum(&[(1, a), (1, b)], 0), s.sum(&[(1, a), (-1, b)], 0));
    let one = s.store.int(1);
    let literals = [s.store.le(sum, one), s.store.le(difference, one)];
    let closure = s.exact(&literals).expect("an octagonal relation");
    let (formula, _) = s.formulas(&closure);
    assert!(s.holds(formula, &[1], &[0], 1) && s.holds(formula, &[1], &[-1], 2));
    assert!(!s.holds(formula, &[2], &[-1], 1) && !s.holds(formula, &[1], &[3], 2));
}
