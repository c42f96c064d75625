//! Whole checks through the public interface: answers, models, cores, proofs and interpolants on
//! small problems.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use shofar_base::Budget;
use shofar_num::Rational;
use shofar_smt::{Answer, BoolAlgorithm, Interpolation, LinearAlgorithm, Options, Solver};
use shofar_term::eval::evaluate_with_defaults;
use shofar_term::{Cx, Sort, Term, TermStore};

fn is_sat(solver: &mut Solver, store: &mut TermStore) -> bool {
    let budget = Budget::unlimited();
    matches!(solver.check(&mut Cx::new(store, &budget)), Ok(Answer::Sat(_)))
}

#[test]
fn scopes_come_and_go() {
    let mut s = TermStore::new();
    let x = s.var("x", Sort::INT);
    let (zero, ten) = (s.int(0), s.int(10));
    for options in [Options::default(), Options::with_cores(), Options::with_proofs()] {
        let mut solver = Solver::new(options);
        let low = s.ge(x, zero);
        solver.add(&mut s, low);
        for round in 0..200 {
            solver.push();
            let value = s.int(round - 100);
            let equal = s.eq(x, value);
            solver.add(&mut s, equal);
            assert_eq!(is_sat(&mut solver, &mut s), round >= 100);
            solver.push();
            let high = s.gt(x, ten);
            solver.add(&mut s, high);
            assert_eq!(is_sat(&mut solver, &mut s), round > 110);
            solver.pop(2);
        }
        assert!(is_sat(&mut solver, &mut s));
    }
}

fn parity(s: &mut TermStore, name: &str, rest: i64) -> Term {
    let x = s.var("x", Sort::INT);
    let y = s.var(name, Sort::INT);
    let twice = s.scale(&Rational::from(2), y);
    let rest = s.int(rest);
    let sum = s.add(&[twice, rest]);
    s.eq(x, sum)
}

#[test]
fn parity_interpolates_over_mixed_cuts() {
    let mut s = TermStore::new();
    let (even, odd) = (parity(&mut s, "a", 0), parity(&mut s, "b", 1));
    let mut solver = Solver::new(Options::with_proofs());
    let a = solver.add(&mut s, even);
    solver.add(&mut s, odd);
    let budget = Budget::unlimited();
    let mut cx = Cx::new(&mut s, &budget);
    let Answer::Unsat(view) = solver.check(&mut cx).unwrap() else { panic!("x is even and odd") };
    let how = Interpolation { certify: true, ..Interpolation::default() };
    let interpolant = view.interpolant_with(&mut cx, &[a], &how).unwrap();
    assert_ne!(interpolant, cx.store.bottom());
    assert_eq!(view.check_proof(&mut cx).unwrap(), Ok(()));
}

#[test]
fn every_algorithm_gives_an_interpolant() {
    let mut s = TermStore::new();
    let sorts = [Sort::INT, Sort::REAL];
    for sort in sorts {
        let (x, y, z) = (s.var("x", sort), s.var("y", sort), s.var("z", sort));
        let p = s.var("p", Sort::BOOL);
        let (a1, a2) = (s.lt(x, y), s.le(y, z));
        let a = {
            let one = s.and(&[a1, a2]);
            s.implies(p, one)
        };
        let b = s.lt(z, x);
        let b = s.and(&[p, b]);
        let mut solver = Solver::new(Options::with_proofs());
        let part = solver.add(&mut s, a);
        solver.add(&mut s, b);
        let budget = Budget::unlimited();
        let mut cx = Cx::new(&mut s, &budget);
        let Answer::Unsat(view) = solver.check(&mut cx).unwrap() else { panic!("a cycle") };
        for boolean in [BoolAlgorithm::McMillan, BoolAlgorithm::Pudlak, BoolAlgorithm::McMillanDual]
        {
            for linear in [
                LinearAlgorithm::Farkas,
                LinearAlgorithm::DualFarkas,
                LinearAlgorithm::Factor(Rational::new(1, 2)),
                LinearAlgorithm::Decomposed,
                LinearAlgorithm::DualDecomposed,
            ] {
                let how = Interpolation { boolean, linear, certify: true };
                view.interpolant_with(&mut cx, &[part], &how).unwrap();
            }
        }
    }
}

/// So many that a `distinct` of them is left to the theory.
const MANY: usize = 60;

fn integers(s: &mut TermStore) -> Vec<Term> {
    (0..MANY).map(|k| s.var(&format!("x{k}"), Sort::INT)).collect()
}

fn between(s: &mut TermStore, low: i64, x: Term, high: i64) -> Term {
    let (low, high) = (s.int(low), s.int(high));
    let bounds = [s.le(low, x), s.le(x, high)];
    s.and(&bounds)
}

#[test]
fn many_different_values_in_little_room() {
    let mut s = TermStore::new();
    let terms = integers(&mut s);
    let distinct = s.distinct(&terms);
    for room in [10 * MANY, MANY] {
        let mut solver = Solver::default();
        solver.add(&mut s, distinct);
        for &x in &terms {
            let bounds = between(&mut s, 1, x, i64::try_from(room).unwrap());
            solver.add(&mut s, bounds);
        }
        assert!(is_sat(&mut solver, &mut s));
        assert_eq!(solver.stats().sat.conflicts, 0, "the values are found without a search");
    }
}

#[test]
fn different_values_that_rows_tie_together() {
    let mut s = TermStore::new();
    let terms = integers(&mut s);
    let distinct = s.distinct(&terms);
    let mut solver = Solver::default();
    solver.add(&mut s, distinct);
    for triple in terms.windows(3) {
        // Each is the mean of its neighbours, so all of them lie on a line that is not level.
        let (outer, inner) =
            (s.add(&[triple[0], triple[2]]), s.scale(&Rational::from(2), triple[1]));
        let mean = s.eq(outer, inner);
        solver.add(&mut s, mean);
    }
    assert!(is_sat(&mut solver, &mut s));
    let level = s.eq(terms[3], terms[4]);
    solver.add(&mut s, level);
    assert!(!is_sat(&mut solver, &mut s));
}

#[test]
fn too_few_values_for_some_of_many() {
    let mut s = TermStore::new();
    let terms = integers(&mut s);
    let distinct = s.distinct(&terms);
    for options in [Options::default(), Options::with_cores(), Options::with_proofs()] {
        let mut solver = Solver::new(options);
        solver.push();
        let group = solver.add(&mut s, distinct);
        solver.push();
        for &x in &terms[..4] {
            let bounds = between(&mut s, 0, x, 2);
            solver.add(&mut s, bounds);
        }
        assert!(!is_sat(&mut solver, &mut s));
        if let Some(Answer::Unsat(view)) = solver.last_answer() {
            assert!(view.core().contains(&group));
        }
        solver.pop(1);
        assert!(is_sat(&mut solver, &mut s));
        solver.pop(1);
        let same = s.eq(terms[0], terms[1]);
        solver.add(&mut s, same);
        assert!(is_sat(&mut solver, &mut s), "the group has gone with its scope");
        solver.add(&mut s, distinct);
        assert!(!is_sat(&mut solver, &mut s));
    }
}

#[test]
fn interpolants_of_many_different_terms() {
    let mut s = TermStore::new();
    let terms = integers(&mut s);
    let (distinct, same) = (s.distinct(&terms), s.eq(terms[7], terms[11]));
    let mut solver = Solver::new(Options::with_proofs());
    let a = solver.add(&mut s, distinct);
    let b = solver.add(&mut s, same);
    let budget = Budget::unlimited();
    let mut cx = Cx::new(&mut s, &budget);
    let Answer::Unsat(view) = solver.check(&mut cx).unwrap() else { panic!("two are the same") };
    assert_eq!(view.check_proof(&mut cx).unwrap(), Ok(()));
    let how = Interpolation { certify: true, ..Interpolation::default() };
    for part in [a, b] {
        view.interpolant_with(&mut cx, &[part], &how).unwrap();
    }
}

#[test]
fn real_values_that_differ_by_little() {
    let mut s = TermStore::new();
    let terms: Vec<Term> = (0..MANY).map(|k| s.var(&format!("r{k}"), Sort::REAL)).collect();
    let distinct = s.distinct(&terms);
    let mut solver = Solver::default();
    solver.add(&mut s, distinct);
    let (zero, one) = (s.number(Rational::ZERO, Sort::REAL), s.number(Rational::ONE, Sort::REAL));
    for &x in &terms {
        let bounds = [s.lt(zero, x), s.lt(x, one)];
        let bounds = s.and(&bounds);
        solver.add(&mut s, bounds);
    }
    let budget = Budget::unlimited();
    let mut cx = Cx::new(&mut s, &budget);
    let Answer::Sat(model) = solver.check(&mut cx).unwrap() else { panic!("there is room") };
    let model = model.assignment(cx.store);
    let mut values: Vec<String> = terms
        .iter()
        .map(|&x| {
            format!("{:?}", evaluate_with_defaults(cx.store, x, &model).expect("it has a value"))
        })
        .collect();
    values.sort();
    values.dedup();
    assert_eq!(values.len(), MANY);
}

#[test]
fn choices_inside_conditions_need_no_search() {
    let mut s = TermStore::new();
    let (x, y, five) = (s.var("x", Sort::INT), s.var("y", Sort::INT), s.int(5));
    let mut chain = x;
    for k in 0..2000 {
        let (above, number) = (s.lt(five, chain), s.int(k % 50));
        chain = s.ite(above, number, y);
    }
    let positive = s.lt(five, chain);
    let mut solver = Solver::default();
    solver.add(&mut s, positive);
    assert!(is_sat(&mut solver, &mut s));
    assert!(solver.stats().sat.conflicts < 20, "{}", solver.stats().sat.conflicts);
}
