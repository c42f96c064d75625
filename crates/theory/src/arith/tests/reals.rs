//! Conjunctions over the reals, and scopes.

use shofar_base::Rng;
use shofar_num::Delta;

use super::*;

/// Fourier–Motzkin elimination: `Σ c·x <= bound` with a negative infinitesimal in the bound for
/// strictness.
pub(super) fn is_feasible(inequalities: &[Inequality], count: usize) -> bool {
    let mut system: Vec<(Vec<Rational>, Delta)> = inequalities
        .iter()
        .map(|i| {
            let delta = if i.strict { Rational::MINUS_ONE } else { Rational::ZERO };
            let coefficients = i.coefficients.iter().map(|&c| Rational::from(c)).collect();
            (coefficients, Delta::new(Rational::from(i.bound), delta))
        })
        .collect();
    for x in 0..count {
        let (with, mut rest): (Vec<_>, Vec<_>) =
            system.into_iter().partition(|(c, _)| !c[x].is_zero());
        let (above, below): (Vec<_>, Vec<_>) =
            with.into_iter().partition(|(c, _)| c[x].is_positive());
        for (c, b) in &above {
            for (d, e) in &below {
                let (p, q) = (c[x].recip(), -d[x].recip());
                let row = c.iter().zip(d).map(|(c, d)| c * &p + d * &q).collect();
                rest.push((row, b.scale(&p) + e.scale(&q)));
            }
        }
        system = rest;
    }
    system.iter().all(|(_, bound)| *bound >= Delta::ZERO)
}

fn random_inequality(rng: &mut Rng, count: usize) -> Inequality {
    let coefficients =
        (0..count).map(|_| if rng.chance(55) { rng.range(-3, 3) } else { 0 }).collect();
    Inequality { coefficients, bound: rng.range(-6, 8), strict: rng.chance(35) }
}

#[test]
fn conjunctions_agree_with_elimination() {
    let mut rng = Rng::new(1);
    let mut answers = [0, 0];
    for _ in 0..3000 {
        let count = 1 + rng.below(3);
        let system: Vec<_> =
            (0..=rng.below(6)).map(|_| random_inequality(&mut rng, count)).collect();
        let mut session = Session::new();
        let xs = session.unknowns(count, Sort::REAL);
        let mut consistent = true;
        for i in &system {
            consistent = consistent
                && match session.inequality(&xs, i) {
                    Ok(lit) => session.arith.assert(lit).map_err(|l| session.verify(&l)).is_ok(),
                    Err(truth) => truth,
                };
            if consistent && rng.chance(50) {
                consistent = session.quick();
            }
        }
        let consistent = consistent && session.drive().unwrap();
        assert_eq!(consistent, is_feasible(&system, count), "{system:?}");
        if consistent {
            assert!(system.iter().all(|i| session.satisfies(&xs, i)), "{system:?}");
        }
        answers[usize::from(consistent)] += 1;
    }
    assert!(answers.iter().all(|&n| n > 300), "the generator is lopsided: {answers:?}");
}

/// Random assertions, checks, pushes and pops; after every check a fresh solver is asked the same
/// question.
#[test]
fn scopes_agree_with_a_fresh_solver() {
    let mut rng = Rng::new(2);
    for _ in 0..150 {
        let mut session = Session::new();
        let xs = session.unknowns(5, Sort::REAL);
        let pool: Vec<Lit> = (0..14)
            .filter_map(|_| {
                let i = random_inequality(&mut rng, 5);
                session.inequality(&xs, &i).ok()
            })
            .collect();
        let mut trail: Vec<Vec<Lit>> = vec![Vec::new()];
        for _ in 0..120 {
            wander(&mut rng, &mut session, &pool, &mut trail);
        }
    }
}

fn wander(rng: &mut Rng, session: &mut Session, pool: &[Lit], trail: &mut Vec<Vec<Lit>>) {
    if pool.is_empty() || (rng.chance(20) && trail.len() > 1) {
        let levels = 1 + rng.below(trail.len()).min(trail.len().saturating_sub(2));
        if levels < trail.len() {
            session.arith.pop(u32::try_from(levels).unwrap());
            trail.truncate(trail.len() - levels);
        }
        return;
    }
    session.arith.push();
    trail.push(Vec::new());
    let mut consistent = true;
    for _ in 0..=rng.below(3) {
        let lit = rng.pick(pool).xor(rng.chance(50));
        if trail.iter().flatten().any(|l| l.var() == lit.var()) {
            continue;
        }
        trail.last_mut().unwrap().push(lit);
        consistent = session.arith.assert(lit).map_err(|l| session.verify(&l)).is_ok();
        if !consistent {
            break;
        }
    }
    let checked = rng.chance(70);
    let consistent = consistent && (!checked || session.quick());
    if checked || !consistent {
        let mut fresh = session.fresh();
        let refuted = trail.iter().flatten().any(|&lit| fresh.assert(lit).is_err());
        let fresh_consistent = !refuted
            && matches!(
                fresh.check(&mut session.store, &session.budget, Effort::Quick).unwrap(),
                Check::Consistent
            );
        assert_eq!(consistent, fresh_consistent);
        check_implied(session, trail);
    }
    if !consistent {
        session.arith.pop(1);
        trail.pop();
    }
}

/// Implied literals have reasons among the asserted and earlier implied ones.
fn check_implied(session: &mut Session, trail: &[Vec<Lit>]) {
    let mut implied = Vec::new();
    session.arith.implied(&mut implied);
    for lit in implied {
        let lemma = session.arith.explain(lit);
        session.verify(&lemma);
        let reasons = lemma.lits.iter().filter(|&&l| l != !lit);
        assert!(reasons.clone().count() + 1 == lemma.lits.len());
        assert!(reasons.into_iter().all(|r| trail.iter().flatten().any(|l| l == r)));
    }
}

#[test]
fn stronger_bounds_imply_weaker_atoms() {
    let mut session = Session::new();
    let xs = session.unknowns(1, Sort::INT);
    let below = |session: &mut Session, bound| {
        let i = Inequality { coefficients: vec![1], bound, strict: false };
        session.inequality(&xs, &i).unwrap()
    };
    let atoms: Vec<Lit> = (0..6).map(|bound| below(&mut session, bound)).collect();
    session.arith.push();
    session.arith.assert(atoms[3]).unwrap();
    session.arith.assert(!atoms[1]).unwrap();
    let mut implied = Vec::new();
    session.arith.implied(&mut implied);
    assert_eq!(implied, [atoms[4], atoms[5], !atoms[0]]);
    // The atom in between is open, and a new one that the bounds decide is noticed.
    let late = below(&mut session, 9);
    implied.clear();
    session.arith.implied(&mut implied);
    assert_eq!(implied, [late]);
    session.arith.pop(1);
    assert!(session.arith.assert(!late).is_ok());
}

#[test]
fn rows_imply_bounds_of_integers() {
    let mut session = Session::new();
    let xs = session.unknowns(2, Sort::INT);
    let mut atom = |c: &[i64], bound| {
        let i = Inequality { coefficients: c.to_vec(), bound, strict: false };
        session.inequality(&xs, &i).unwrap()
    };
    // 2x + 3y <= 7 and y >= 1 imply x <= 2.
    let (sum, y, x) = (atom(&[2, 3], 7), atom(&[0, 1], 0), atom(&[1, 0], 2));
    session.arith.assert(sum).unwrap();
    session.arith.assert(!y).unwrap();
    assert!(session.quick());
    let mut implied = Vec::new();
    session.arith.implied(&mut implied);
    assert_eq!(implied, [x]);
    let lemma = session.arith.explain(x);
    session.verify(&lemma);
    assert_eq!(lemma.lits.len(), 3);
}

#[test]
fn a_long_chain_is_refuted_and_satisfied() {
    let mut session = Session::new();
    let xs = session.unknowns(300, Sort::REAL);
    for pair in xs.windows(2) {
        assert!(session.equation(pair, &[-1, 1], 1));
    }
    let zero = session.store.number(Rational::ZERO, Sort::REAL);
    let goal = session.store.number(Rational::from(299), Sort::REAL);
    let (low, high) = (session.store.le(xs[0], zero), session.store.ge(xs[0], zero));
    assert!(session.assert_term(low) && session.assert_term(high));
    assert!(session.quick());
    assert_eq!(session.value(xs[299]), Rational::from(299));
    session.arith.push();
    let beyond = session.store.gt(xs[299], goal);
    assert!(!(session.assert_term(beyond) && session.quick()));
    session.arith.pop(1);
    assert!(session.quick());
}
