//! Thin and unbounded regions, for which branching on terms takes too long or does not end.
//!
//! A small system with a known answer is written in other coordinates: a unimodular change with
//! large entries makes the region long and thin, and keeps its integral points.

use shofar_base::Rng;

use super::integers::{assert_all, bounded_box, has_point};
use super::*;

fn eager() -> Session {
    Session::with(Options { splits_before_plans: 0, ..Options::default() })
}

/// The matrix of a unimodular change of coordinates, row by row.
fn change(rng: &mut Rng, size: usize, steps: usize, largest: i64) -> Vec<Vec<i64>> {
    let mut matrix: Vec<Vec<i64>> =
        (0..size).map(|i| (0..size).map(|j| i64::from(i == j)).collect()).collect();
    for _ in 0..steps {
        let (to, from) = (rng.below(size), rng.below(size));
        let factor = rng.range(-largest, largest);
        if to != from {
            let source = matrix[from].clone();
            for (t, s) in matrix[to].iter_mut().zip(&source) {
                *t += factor * s;
            }
        }
    }
    matrix
}

fn changed(system: &[Inequality], matrix: &[Vec<i64>]) -> Vec<Inequality> {
    let size = matrix.len();
    let one = |i: &Inequality| {
        let column = |j: usize| (0..size).map(|r| i.coefficients[r] * matrix[r][j]).sum();
        Inequality { coefficients: (0..size).map(column).collect(), ..*i }
    };
    system.iter().map(one).collect()
}

fn random_system(rng: &mut Rng, count: usize) -> Vec<Inequality> {
    let one = |rng: &mut Rng| Inequality {
        coefficients: (0..count).map(|_| rng.range(-7, 7)).collect(),
        bound: rng.range(-9, 9),
        strict: rng.chance(20),
    };
    (0..=rng.below(5)).map(|_| one(rng)).collect()
}

fn decide(session: &mut Session, count: usize, system: &[Inequality]) -> bool {
    let xs = session.unknowns(count, Sort::INT);
    let consistent = assert_all(session, &xs, system) && session.drive().unwrap();
    if consistent {
        assert!(xs.iter().all(|&x| session.value(x).is_integer()));
        assert!(system.iter().all(|i| session.satisfies(&xs, i)), "{system:?}");
    }
    consistent
}

#[test]
fn small_boxes_agree_with_enumeration() {
    let mut rng = Rng::new(14);
    let mut answers = [0, 0];
    for _ in 0..600 {
        let count = 1 + rng.below(3);
        let mut system = bounded_box(count, 4);
        system.extend(random_system(&mut rng, count));
        let expected = has_point(&system, count, 4);
        assert_eq!(decide(&mut eager(), count, &system), expected, "{system:?}");
        answers[usize::from(expected)] += 1;
    }
    assert!(answers.iter().all(|&n| n > 60), "the generator is lopsided: {answers:?}");
}

#[test]
fn thin_regions_take_few_branches() {
    let mut rng = Rng::new(15);
    let mut answers = [0, 0];
    for _ in 0..300 {
        let count = 2 + rng.below(2);
        let mut system = bounded_box(count, 3);
        system.extend(random_system(&mut rng, count));
        let expected = has_point(&system, count, 3);
        let matrix = change(&mut rng, count, 6, 30);
        let thin = changed(&system, &matrix);
        let mut session = eager();
        assert_eq!(decide(&mut session, count, &thin), expected, "{thin:?}");
        assert!(session.arith.stats().flat < 100, "{:?}", session.arith.stats());
        answers[usize::from(expected)] += 1;
    }
    assert!(answers.iter().all(|&n| n > 30), "the generator is lopsided: {answers:?}");
}

/// The last coordinate is bounded on one side only, so it never matters.
#[test]
fn what_has_room_does_not_matter() {
    let mut rng = Rng::new(16);
    let mut answers = [0, 0];
    for _ in 0..300 {
        let count = 2 + rng.below(2);
        let mut small = bounded_box(count - 1, 3);
        small.extend(random_system(&mut rng, count - 1));
        let expected = has_point(&small, count - 1, 3);
        for i in &mut small {
            i.coefficients.push(0);
        }
        let sign = if rng.chance(50) { 1 } else { -1 };
        for _ in 0..=rng.below(2) {
            let mut above: Vec<i64> = (0..count).map(|_| rng.range(-9, 9)).collect();
            above[count - 1] = sign * rng.range(1, 5);
            small.push(Inequality { coefficients: above, bound: -rng.range(0, 50), strict: false });
        }
        let thin = changed(&small, &change(&mut rng, count, 6, 20));
        assert_eq!(decide(&mut eager(), count, &thin), expected, "{thin:?}");
        answers[usize::from(expected)] += 1;
    }
    assert!(answers.iter().all(|&n| n > 30), "the generator is lopsided: {answers:?}");
}

/// `0 ≤ a·x - b·y ≤ c` and `1 ≤ a'·x - b'·y ≤ c'` with large coefficients, almost the same: a
/// rhombus far from the axes.
#[test]
fn rhombuses_are_decided_at_once() {
    let check = |[a, b, c]: [i64; 3], [d, e, f]: [i64; 3], expected: bool| {
        let row = |coefficients: [i64; 2], bound| Inequality {
            coefficients: coefficients.to_vec(),
            bound,
            strict: false,
        };
        let system = [row([-a, b], 0), row([a, -b], c), row([-d, e], -1), row([d, -e], f)];
        let mut session = Session::new();
        assert_eq!(decide(&mut session, 2, &system), expected, "{system:?}");
        assert!(session.arith.stats().branches < 40, "{:?}", session.arith.stats());
    };
    check([31_000_000, 27_000_001, 99_999], [31_000_001, 27_000_000, 100_000], false);
    check([31_000_000, 27_000_001, 99_999_999], [31_000_001, 27_000_000, 100_000_000], true);
    check([5_000, 3_001, 999], [5_001, 3_000, 1_000], false);
}

/// `n - r ∈ (0, 1/2]` and `m + r` in an interval that follows `n`: no term is bounded, but `m + n`
/// is.
#[test]
fn sums_of_integers_are_bounded_through_reals() {
    let mut session = Session::new();
    let [n, m] = ["n", "m"].map(|name| session.store.var(name, Sort::INT));
    let r = session.store.var("r", Sort::REAL);
    let [n_real, m_real] = [n, m].map(|t| session.store.to_real(t));
    let store = &mut session.store;
    let half = store.number(Rational::new(1, 2), Sort::REAL);
    let fifth = store.number(Rational::new(1, 5), Sort::REAL);
    let gap = store.sub(n_real, r);
    let zero = store.number(Rational::ZERO, Sort::REAL);
    let sum = store.add(&[m_real, r]);
    // m + n = (m + r) + (n - r) lies strictly between 1/5 and 9/10.
    let two_fifths = store.number(Rational::new(2, 5), Sort::REAL);
    let bounds =
        [store.gt(gap, zero), store.le(gap, half), store.ge(sum, fifth), store.lt(sum, two_fifths)];
    assert!(bounds.into_iter().all(|bound| session.assert_term(bound)));
    assert_eq!(session.drive(), Ok(false));
}

/// `2n ≥ r + 1` and `r ≥ 0`: nothing is bounded, and the only sums that are limited have a real.
#[test]
fn regions_without_bounded_sums_have_points() {
    let mut session = eager();
    let n = session.store.var("n", Sort::INT);
    let r = session.store.var("r", Sort::REAL);
    let store = &mut session.store;
    let n_real = store.to_real(n);
    let [zero, one] = [0, 1].map(|value| store.number(Rational::from(value), Sort::REAL));
    let twice = store.add(&[n_real, n_real]);
    let right = store.add(&[r, one]);
    let bounds = [store.ge(r, zero), store.ge(twice, right)];
    assert!(bounds.into_iter().all(|bound| session.assert_term(bound)));
    assert_eq!(session.drive(), Ok(true));
    let value = session.value(n);
    assert!(value.is_integer() && value.is_positive());
}
