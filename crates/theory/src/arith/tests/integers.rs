//! Integer and mixed systems, with answers known by construction or by enumeration.

use shofar_base::{GaveUp, Rng};
use shofar_term::visit::postorder;

use super::*;

/// Whether some point of the box `-size..=size` satisfies all inequalities.
pub(super) fn has_point(system: &[Inequality], count: usize, size: i64) -> bool {
    let mut point = vec![-size; count];
    loop {
        let holds = |i: &Inequality| {
            let left: i64 = i.coefficients.iter().zip(&point).map(|(c, x)| c * x).sum();
            if i.strict { left < i.bound } else { left <= i.bound }
        };
        if system.iter().all(holds) {
            return true;
        }
        let Some(at) = (0..count).find(|&at| point[at] < size) else { return false };
        point[at] += 1;
        point[..at].fill(-size);
    }
}

pub(super) fn bounded_box(count: usize, size: i64) -> Vec<Inequality> {
    let mut system = Vec::new();
    for x in 0..count {
        for sign in [1, -1] {
            let mut coefficients = vec![0; count];
            coefficients[x] = sign;
            system.push(Inequality { coefficients, bound: size, strict: false });
        }
    }
    system
}

pub(super) fn assert_all(session: &mut Session, xs: &[Term], system: &[Inequality]) -> bool {
    system.iter().all(|i| match session.inequality(xs, i) {
        Ok(lit) => session.arith.assert(lit).map_err(|l| session.verify(&l)).is_ok(),
        Err(truth) => truth,
    })
}

#[test]
fn boxes_agree_with_enumeration() {
    let mut rng = Rng::new(4);
    let mut answers = [0, 0];
    for _ in 0..1500 {
        let count = 1 + rng.below(4);
        let mut system = bounded_box(count, 4);
        for _ in 0..=rng.below(4) {
            let coefficients: Vec<i64> = (0..count).map(|_| rng.range(-7, 7)).collect();
            let bound = rng.range(-9, 9);
            if rng.chance(40) {
                let negated = coefficients.iter().map(|c| -c).collect();
                system.push(Inequality { coefficients: negated, bound: -bound, strict: false });
            }
            system.push(Inequality { coefficients, bound, strict: rng.chance(20) });
        }
        let mut session = Session::new();
        let xs = session.unknowns(count, Sort::INT);
        let consistent = assert_all(&mut session, &xs, &system) && session.drive().unwrap();
        assert_eq!(consistent, has_point(&system, count, 4), "{system:?}");
        if consistent {
            assert!(xs.iter().all(|&x| session.value(x).is_integer()));
            assert!(system.iter().all(|i| session.satisfies(&xs, i)), "{system:?}");
        }
        answers[usize::from(consistent)] += 1;
    }
    assert!(answers.iter().all(|&n| n > 200), "the generator is lopsided: {answers:?}");
}

/// Equations `A·x = A·p` for a planted point `p`, without any bounds.
#[test]
fn unbounded_equations_with_a_planted_solution_are_solved() {
    let mut rng = Rng::new(5);
    for round in 0..300 {
        let (count, height) = (2 + rng.below(5), 1 + rng.below(4));
        let point: Vec<i64> = (0..count).map(|_| rng.range(-20, 20)).collect();
        let mut session = Session::new();
        let xs = session.unknowns(count, Sort::INT);
        let mut rows = Vec::new();
        for _ in 0..height {
            let row: Vec<i64> = (0..count).map(|_| rng.range(-15, 15)).collect();
            let value = row.iter().zip(&point).map(|(a, x)| a * x).sum();
            assert!(session.equation(&xs, &row, value));
            rows.push((row, value));
        }
        assert_eq!(session.drive(), Ok(true), "round {round}: {rows:?}");
        for (row, value) in rows {
            let left: Rational =
                row.iter().zip(&xs).map(|(&a, &x)| Rational::from(a) * session.value(x)).sum();
            assert_eq!(left, Rational::from(value));
        }
        assert!(session.arith.stats().branches + session.arith.stats().cuts < 400);
    }
}

/// A random combination of the equations is divisible by `m` on the left and not on the right.
#[test]
fn unbounded_equations_without_solution_are_refuted() {
    let mut rng = Rng::new(6);
    for round in 0..300 {
        let count = 2 + rng.below(4);
        let modulus = rng.range(2, 7);
        let mut session = Session::new();
        let xs = session.unknowns(count, Sort::INT);
        // first + k·second is a multiple of the modulus in every coefficient, but not on the right.
        let k = rng.range(-3, 3);
        let second: Vec<i64> = (0..count).map(|_| rng.range(-9, 9)).collect();
        let first: Vec<i64> = second.iter().map(|s| modulus * rng.range(-4, 4) - k * s).collect();
        let value = rng.range(-9, 9);
        let other = modulus * rng.range(-4, 4) - k * value + rng.range(1, modulus - 1);
        let consistent = session.equation(&xs, &second, value)
            && session.equation(&xs, &first, other)
            && session.drive().unwrap();
        assert!(!consistent, "round {round}: {second:?} = {value}, {first:?} = {other}");
        assert!(session.arith.stats().branches + session.arith.stats().cuts < 60);
    }
}

#[test]
fn classic_equations() {
    let check = |coefficients: &[i64], value: i64, expected: bool| {
        let mut session = Session::new();
        let xs = session.unknowns(coefficients.len(), Sort::INT);
        let answer = session.equation(&xs, coefficients, value) && session.drive().unwrap();
        assert_eq!(answer, expected, "{coefficients:?} = {value}");
    };
    check(&[6, 10, 15], 1, true);
    check(&[3, -3], 1, false);
    check(&[12, 21, -33], 7, false);
    check(&[123_457, 765_433], 1, true);
    check(&[27, -39, 51, 4], 10, true);
}

/// x_{i+1} = x_i + 2 y_i, and finally x_n = x_0 + 1.
#[test]
fn parity_through_many_rows_is_refuted() {
    let mut session = Session::new();
    let count = 12;
    let xs = session.unknowns(2 * count + 1, Sort::INT);
    for i in 0..count {
        let row = [xs[i], xs[i + 1], xs[count + 1 + i]];
        assert!(session.equation(&row, &[1, -1, 2], 0));
    }
    assert!(session.equation(&[xs[0], xs[count]], &[-1, 1], 1));
    assert_eq!(session.drive(), Ok(false));
    let stats = session.arith.stats();
    assert!(stats.cuts + stats.branches < 10, "{stats:?}");
}

#[test]
fn knapsacks_are_decided() {
    // 3 <= 4x + 6y + 10z <= 3 has no solution; 1/2-integral slabs 1 <= 3x - 3y <= 2 neither.
    let slab = |coefficients: &[i64], low: i64, high: i64| {
        let mut session = Session::new();
        let xs = session.unknowns(coefficients.len(), Sort::INT);
        let negated: Vec<i64> = coefficients.iter().map(|c| -c).collect();
        let system = [
            Inequality { coefficients: coefficients.to_vec(), bound: high, strict: false },
            Inequality { coefficients: negated, bound: -low, strict: false },
        ];
        assert_all(&mut session, &xs, &system) && session.drive().unwrap()
    };
    assert!(!slab(&[4, 6, 10], 3, 3));
    assert!(!slab(&[3, -3], 1, 2));
    assert!(slab(&[5, -7], 1, 1));
    assert!(slab(&[17, 23, -31], 100, 101));
}

#[test]
fn mixed_systems_round_only_the_integers() {
    let mut session = Session::new();
    let (n, r) = (session.store.var("n", Sort::INT), session.store.var("r", Sort::REAL));
    // 2r = 2n + 1 and 0 < n < 2: n = 1, r = 3/2.
    let (double, n_real) = (session.store.scale(&Rational::from(2), r), session.store.to_real(n));
    let one = session.store.number(Rational::ONE, Sort::REAL);
    let twice = session.store.add(&[n_real, n_real, one]);
    let (low, high) = (session.store.le(double, twice), session.store.ge(double, twice));
    let positive = session.store.gt(r, one);
    let bounded = session.store.lt(n_real, double);
    let below = session.store.le(n_real, one);
    for term in [low, high, positive, bounded, below] {
        assert!(session.assert_term(term));
    }
    assert_eq!(session.drive(), Ok(true));
    assert_eq!(session.value(n), Rational::ONE);
    assert_eq!(session.value(r), Rational::new(3, 2));
    // n strictly between two reals that are strictly between 1 and 2 does not exist.
    let two = session.store.number(Rational::from(2), Sort::REAL);
    let (above, under) = (session.store.gt(n_real, one), session.store.lt(n_real, two));
    assert!(
        !(session.assert_term(above) && session.assert_term(under) && session.drive().unwrap())
    );
}

#[test]
fn restricted_splits_do_not_mix() {
    let mut session = Session::new();
    let xs = session.unknowns(4, Sort::INT);
    let sides = [(xs[0], crate::Side::A), (xs[3], crate::Side::B)];
    session.arith.restrict_splits(&sides.into_iter().collect());
    assert!(session.equation(&xs, &[2, 4, 6, -8], 2));
    assert!(session.equation(&xs, &[3, 1, -3, 5], 7));
    assert!(session.equation(&xs, &[1, 1, 1, 3], 4));
    loop {
        match session.arith.check(&mut session.store, &session.budget, Effort::Final) {
            Ok(Check::Collision(_)) => panic!("there are no groups"),
            Ok(Check::Split(splits)) => {
                let subterms = postorder(&session.store, &[splits[0].atom]);
                assert!(!(subterms.contains(&xs[0]) && subterms.contains(&xs[3])));
                let lit = session.split_literal(splits[0]);
                session.arith.assert(lit).map_err(|l| session.verify(&l)).ok();
            }
            Ok(Check::Conflict(_) | Check::Consistent) => break,
            Err(why) => {
                assert!(matches!(why, GaveUp::Incomplete(_)));
                break;
            }
        }
    }
}

/// Systems of equations and inequalities under scopes: every answer agrees with that of a fresh
/// solver.
#[test]
fn integer_scopes_agree_with_enumeration() {
    let mut rng = Rng::new(7);
    for _ in 0..60 {
        let count = 3;
        let mut session = Session::new();
        let xs = session.unknowns(count, Sort::INT);
        let bounds = bounded_box(count, 5);
        assert!(assert_all(&mut session, &xs, &bounds));
        let mut system = vec![bounds];
        for _ in 0..25 {
            if system.len() > 1 && rng.chance(40) {
                session.arith.pop(1);
                system.pop();
                continue;
            }
            session.arith.push();
            let coefficients: Vec<i64> = (0..count).map(|_| rng.range(-5, 5)).collect();
            let bound = rng.range(-7, 7);
            let negated: Vec<i64> = coefficients.iter().map(|c| -c).collect();
            let mut new = vec![Inequality { coefficients, bound, strict: false }];
            if rng.chance(50) {
                new.push(Inequality { coefficients: negated, bound: -bound, strict: false });
            }
            let refuted = !assert_all(&mut session, &xs, &new);
            system.push(new);
            let all: Vec<Inequality> = system.iter().flatten().cloned().collect();
            // The splits of the search live in scopes above this one.
            let mut copy = session.arith.clone();
            let consistent = !refuted && session.drive().unwrap();
            std::mem::swap(&mut copy, &mut session.arith);
            assert_eq!(consistent, has_point(&all, count, 5), "{all:?}");
            session.arith = if rng.chance(50) { session.arith } else { unwind(copy, system.len()) };
            if !consistent {
                session.arith.pop(1);
                system.pop();
            }
        }
    }
}

/// Closes the scopes beyond those of the system.
fn unwind(mut arith: Arith, height: usize) -> Arith {
    let extra = arith.levels.len() - (height - 1);
    arith.pop(u32::try_from(extra).unwrap());
    arith
}

/// Two integers in a box and two reals: the reference enumerates the integers and eliminates the
/// reals.
#[test]
fn mixed_systems_agree_with_enumeration_and_elimination() {
    let mut rng = Rng::new(8);
    let mut answers = [0, 0];
    for _ in 0..400 {
        let mut system = Vec::new();
        for x in 0..2 {
            for sign in [1, -1] {
                let mut coefficients = vec![0; 4];
                coefficients[x] = sign;
                system.push(Inequality { coefficients, bound: 3, strict: false });
            }
        }
        for _ in 0..=rng.below(5) {
            let coefficients: Vec<i64> = (0..4).map(|_| rng.range(-4, 4)).collect();
            let bound = rng.range(-6, 6);
            if rng.chance(50) {
                let negated = coefficients.iter().map(|c| -c).collect();
                system.push(Inequality { coefficients: negated, bound: -bound, strict: false });
            }
            system.push(Inequality { coefficients, bound, strict: rng.chance(30) });
        }
        let mut session = Session::new();
        let mut xs: Vec<Term> = vec![];
        for (i, sort) in [Sort::INT, Sort::INT, Sort::REAL, Sort::REAL].into_iter().enumerate() {
            xs.push(session.store.var(&format!("m{i}"), sort));
        }
        let consistent = assert_all(&mut session, &xs, &system) && session.drive().unwrap();
        let expected = (-3..=3).any(|a| (-3..=3).any(|b| reals_exist(&system, a, b)));
        assert_eq!(consistent, expected, "{system:?}");
        if consistent {
            assert!(session.value(xs[0]).is_integer() && session.value(xs[1]).is_integer());
            assert!(system.iter().all(|i| session.satisfies(&xs, i)), "{system:?}");
        }
        answers[usize::from(consistent)] += 1;
    }
    assert!(answers.iter().all(|&n| n > 40), "the generator is lopsided: {answers:?}");
}

fn reals_exist(system: &[Inequality], a: i64, b: i64) -> bool {
    let fixed: Vec<Inequality> = system
        .iter()
        .map(|i| Inequality {
            coefficients: i.coefficients[2..].to_vec(),
            bound: i.bound - i.coefficients[0] * a - i.coefficients[1] * b,
            strict: i.strict,
        })
        .collect();
    super::reals::is_feasible(&fixed, 2)
}

/// `u + 1 = 6·(…)` and `2 <= u - 6·(…) <= 4`: an unbounded strip between two layers of integer
/// points.
#[test]
fn strips_without_points_are_refuted() {
    for (left, right) in [([1, 4, 2], [3, 1, 2]), ([3, 2, 2], [2, 3, 4])] {
        let mut session = Session::new();
        let xs = session.unknowns(7, Sort::INT);
        let row = |c: [i64; 3], u: i64, side: usize| {
            let mut row = vec![0; 7];
            row[0] = u;
            for i in 0..3 {
                row[1 + 3 * side + i] = 6 * c[i];
            }
            row
        };
        assert!(session.equation(&xs, &row(left, -1, 0), 1));
        let low = row(right, -1, 1);
        let high = low.iter().map(|c| -c).collect();
        let strip = [
            Inequality { coefficients: low, bound: -2, strict: false },
            Inequality { coefficients: high, bound: 4, strict: false },
        ];
        assert!(assert_all(&mut session, &xs, &strip));
        assert_eq!(session.drive(), Ok(false));
        let stats = session.arith.stats();
        assert!(stats.cuts + stats.branches < 40, "{stats:?}");
    }
}
