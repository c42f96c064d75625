//! Random formulas with uninterpreted functions and sorts, alone and over numbers: models evaluate
//! to true, proofs replay with all their leaves, cores suffice, every interpolant passes its check.
//!
//! In debug builds the solver checks its own models and interpolants, so running is most of the
//! test.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use shofar_base::{Budget, GaveUp, Rng};
use shofar_smt::{Answer, BoolAlgorithm, Interpolation, Options, PartId, Solver};
use shofar_term::{Cx, Sort, Symbol, Term, TermStore};

/// A generator of formulas over a few constants and functions; some are shared by all groups, some
/// belong to one.
struct Random {
    rng: Rng,
    numbers: Option<Sort>,
    element: Sort,
}

impl Random {
    fn new(seed: u64, store: &mut TermStore, numbers: Option<Sort>) -> Self {
        Self { rng: Rng::new(seed), numbers, element: store.declare_sort("S") }
    }
    fn name(&mut self, group: usize, stem: &str, count: usize) -> String {
        let owner = if self.rng.chance(40) { format!("{group}") } else { String::new() };
        format!("{stem}{owner}_{}", self.rng.below(count))
    }
    fn sort(&mut self) -> Sort {
        match self.numbers {
            Some(sort) if self.rng.chance(60) => sort,
            _ => self.element,
        }
    }
    fn function(&mut self, store: &mut TermStore, group: usize, result: Sort) -> Symbol {
        let params: Vec<Sort> = match self.rng.below(4) {
            0 => vec![self.element, self.sort()],
            1 if self.rng.chance(40) => vec![Sort::BOOL],
            _ => vec![self.sort()],
        };
        let name = self.name(group, "f", 1);
        store.declare(&name, &params, result)
    }
    fn application(
        &mut self,
        store: &mut TermStore,
        group: usize,
        depth: usize,
        result: Sort,
    ) -> Term {
        let f = self.function(store, group, result);
        let args: Vec<Term> = store
            .params(f)
            .to_vec()
            .into_iter()
            .map(|sort| {
                if sort.is_bool() {
                    self.formula(store, group, 0)
                } else {
                    self.term(store, group, depth - 1, sort)
                }
            })
            .collect();
        store.app(f, &args)
    }
    fn term(&mut self, store: &mut TermStore, group: usize, depth: usize, sort: Sort) -> Term {
        if depth > 0 && self.rng.chance(55) {
            return self.application(store, group, depth, sort);
        }
        if depth > 0 && self.rng.chance(8) {
            let c = self.formula(store, group, 0);
            let [a, b] = [(); 2].map(|()| self.term(store, group, 0, sort));
            return store.ite(c, a, b);
        }
        let name = self.name(group, if sort == self.element { "e" } else { "x" }, 2);
        let constant = store.var(&name, sort);
        if sort.is_arithmetic() && self.rng.chance(40) {
            let offset = store.number(self.rng.range(-1, 2).into(), sort);
            if self.rng.chance(30) {
                let other = self.term(store, group, depth, sort);
                let other = store.scale(&self.rng.range(-2, 2).into(), other);
                return store.add(&[constant, other, offset]);
            }
            return store.add(&[constant, offset]);
        }
        constant
    }
    fn atom(&mut self, store: &mut TermStore, group: usize) -> Term {
        if self.rng.chance(15) {
            return self.application(store, group, 1, Sort::BOOL);
        }
        let sort = self.sort();
        let [a, b] = [(); 2].map(|()| self.term(store, group, 2, sort));
        if sort.is_arithmetic() && self.rng.chance(40) {
            return store.le(a, b);
        }
        store.eq(a, b)
    }
    fn formula(&mut self, store: &mut TermStore, group: usize, depth: usize) -> Term {
        let f = if depth == 0 {
            self.atom(store, group)
        } else {
            let parts = [(); 2].map(|()| self.formula(store, group, depth - 1));
            match self.rng.below(4) {
                0 => store.and(&parts),
                1 => store.iff(parts[0], parts[1]),
                _ => store.or(&parts),
            }
        };
        if self.rng.chance(35) { store.not(f) } else { f }
    }
}

#[derive(Default)]
struct Seen {
    sat: usize,
    unsat: usize,
    interpolants: usize,
    incomplete: usize,
}

fn run(seed: u64, numbers: Option<Sort>, seen: &mut Seen) {
    let mut store = TermStore::new();
    let mut random = Random::new(seed, &mut store, numbers);
    let mut solver = Solver::new(Options::with_proofs());
    let mut parts: Vec<PartId> = Vec::new();
    for at in 0..12 {
        let depth = random.rng.below(6) / 4;
        let formula = random.formula(&mut store, at % 3, depth);
        parts.push(solver.add(&mut store, formula));
    }
    let budget = Budget::unlimited();
    let mut cx = Cx::new(&mut store, &budget);
    match solver.check(&mut cx) {
        Ok(Answer::Sat(_)) => seen.sat += 1,
        Ok(Answer::Unsat(proof)) => {
            seen.unsat += 1;
            assert_eq!(proof.check_proof(&mut cx), Ok(Ok(())), "seed {seed}");
            for boolean in
                [BoolAlgorithm::McMillan, BoolAlgorithm::Pudlak, BoolAlgorithm::McMillanDual]
            {
                let how = Interpolation { boolean, certify: true, ..Interpolation::default() };
                for group in 0..3 {
                    let a: Vec<PartId> = parts.iter().copied().skip(group).step_by(3).collect();
                    match proof.interpolant_with(&mut cx, &a, &how) {
                        Ok(_) => seen.interpolants += 1,
                        Err(GaveUp::Incomplete(_)) => seen.incomplete += 1,
                        Err(why) => panic!("seed {seed}: {why:?}"),
                    }
                }
                let groups: Vec<Vec<PartId>> = parts.chunks(4).map(<[PartId]>::to_vec).collect();
                match proof.sequence_interpolants(&mut cx, &groups, &how) {
                    Ok(sequence) => assert_eq!(sequence.len(), groups.len() - 1),
                    Err(why) => {
                        assert!(matches!(why, GaveUp::Incomplete(_)), "seed {seed}: {why:?}");
                    }
                }
            }
        }
        Err(why) => panic!("seed {seed}: {why:?}"),
    }
}

fn run_all(count: u64, numbers: Option<Sort>) -> Seen {
    let mut seen = Seen::default();
    for seed in 0..count {
        run(seed, numbers, &mut seen);
    }
    assert!(seen.sat > 10 && seen.unsat > 10, "{} sat, {} unsat", seen.sat, seen.unsat);
    seen
}

#[test]
fn equality_alone() {
    let seen = run_all(300, None);
    assert!(seen.interpolants > 100 && seen.incomplete == 0, "{} gave up", seen.incomplete);
}

#[test]
fn functions_over_integers() {
    let seen = run_all(200, Some(Sort::INT));
    assert!(
        seen.incomplete * 5 < seen.interpolants,
        "{} of {} gave up",
        seen.incomplete,
        seen.interpolants
    );
}

#[test]
fn functions_over_reals() {
    let seen = run_all(200, Some(Sort::REAL));
    assert!(
        seen.incomplete * 5 < seen.interpolants,
        "{} of {} gave up",
        seen.incomplete,
        seen.interpolants
    );
}

/// The sides apply a function to terms of their own, which bounds make equal to a term that both
/// could write down.
#[test]
fn arguments_of_different_sides_meet_in_a_shared_term() {
    for sort in [Sort::INT, Sort::REAL] {
        let mut store = TermStore::new();
        let f = store.declare("f", &[sort], sort);
        let [x, y, c] = ["x", "y", "c"].map(|name| store.var(name, sort));
        let (two, five) = (store.number(2.into(), sort), store.number(5.into(), sort));
        let middle = store.add(&[c, two]);
        let [of_x, of_y, of_middle] = [x, y, middle].map(|t| store.app(f, &[t]));
        let a = [store.le(x, middle), store.ge(x, middle), store.gt(of_x, five)];
        let b = [store.le(y, middle), store.ge(y, middle), store.le(of_y, five)];
        let mut solver = Solver::new(Options::with_proofs());
        let a: Vec<PartId> = a.into_iter().map(|t| solver.add(&mut store, t)).collect();
        for t in b {
            solver.add(&mut store, t);
        }
        let expected = store.gt(of_middle, five);
        let budget = Budget::unlimited();
        let mut cx = Cx::new(&mut store, &budget);
        let Ok(Answer::Unsat(proof)) = solver.check(&mut cx) else {
            panic!("f(c + 2) is f(c + 2)")
        };
        let interpolant = proof.interpolant(&mut cx, &a).unwrap();
        let differ = store.xor(interpolant, expected);
        let mut solver = Solver::default();
        solver.add(&mut store, differ);
        let mut cx = Cx::new(&mut store, &budget);
        assert!(matches!(solver.check(&mut cx), Ok(Answer::Unsat(_))), "{sort:?}");
    }
}

/// Scopes and assumptions: each answer is that of a fresh solver.
#[test]
fn scopes_and_assumptions() {
    for seed in 0..40 {
        let mut store = TermStore::new();
        let mut random = Random::new(seed, &mut store, Some(Sort::INT));
        let budget = Budget::unlimited();
        let mut solver = Solver::new(Options::with_cores());
        let mut live: Vec<Vec<Term>> = vec![Vec::new()];
        for _ in 0..25 {
            if live.len() > 1 && random.rng.chance(30) {
                solver.pop(1);
                live.pop();
            } else if random.rng.chance(40) {
                solver.push();
                live.push(Vec::new());
            }
            for _ in 0..2 {
                let formula = random.formula(&mut store, 0, 0);
                solver.add(&mut store, formula);
                live.last_mut().unwrap().push(formula);
            }
            let assumed = [random.formula(&mut store, 1, 0), random.formula(&mut store, 2, 1)];
            let mut fresh = Solver::default();
            for &t in live.iter().flatten().chain(&assumed) {
                fresh.add(&mut store, t);
            }
            let mut cx = Cx::new(&mut store, &budget);
            let expected = matches!(fresh.check(&mut cx), Ok(Answer::Sat(_)));
            let found = solver.check_assuming(&mut cx, &assumed).unwrap();
            assert_eq!(matches!(found, Answer::Sat(_)), expected, "seed {seed}");
            if !expected && live.len() > 1 {
                solver.pop(1);
                live.pop();
            }
        }
    }
}
