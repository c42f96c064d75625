//! Whole checks through the public interface: answers, models, cores, proofs and interpolants on small problems.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use shofar_base::Budget;
use shofar_num::Rational;
use shofar_smt::{Answer, BoolAlgorithm, Interpolation, LinearAlgorithm, Options, Solver};
use shofar_term::{Cx, Sort, Term, TermStore};

fn is_sat(solver: &mut Solver, store: &mut TermStore) -> bool {
    let budget = Budget::unlimited();
    matches!(solver.check(&mut Cx::new(store, &budget)), Ok(Answer::Sat(_)))
}

#[test]
fn scopes_come_and_go() {
    let mut s = TermStore::new();
    let x = s.var("x", Sort::Int);
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
    let x = s.var("x", Sort::Int);
    let y = s.var(name, Sort::Int);
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
    let sorts = [Sort::Int, Sort::Real];
    for sort in sorts {
        let (x, y, z) = (s.var("x", sort), s.var("y", sort), s.var("z", sort));
        let p = s.var("p", Sort::Bool);
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
