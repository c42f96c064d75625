//! The solver as a whole against reference oracles: Fourier–Motzkin elimination for the reals,
//! systems with answers known by construction for the integers, and a fresh solver for scopes.

mod flat;
mod integers;
mod reals;

use shofar_base::{Budget, Idx, Lit, Map, Outcome, Var};
use shofar_num::Rational;
use shofar_term::{Kind, Linear, Sort, Term, TermStore};

use super::{Arith, Options};
use crate::theory::{Check, Effort, Farkas, Lemma, Split, Theory};

/// A solver with its terms, and a variable for every atom.
struct Session {
    store: TermStore,
    arith: Arith,
    vars: Map<Term, Var>,
    atoms: Vec<Term>,
    budget: Budget,
}

/// An inequality `Σ c·x <= bound`, or `<` if strict, over the variables by index.
#[derive(Clone, Debug)]
struct Inequality {
    coefficients: Vec<i64>,
    bound: i64,
    strict: bool,
}

impl Session {
    fn new() -> Self {
        Self::with(Options::default())
    }
    fn with(options: Options) -> Self {
        Self {
            store: TermStore::new(),
            arith: Arith::new(options),
            vars: Map::default(),
            atoms: Vec::new(),
            budget: Budget::unlimited(),
        }
    }
    /// A solver that knows the same atoms and nothing else.
    fn fresh(&self) -> Arith {
        let mut arith = Arith::new(Options::default());
        for (i, &atom) in self.atoms.iter().enumerate() {
            arith.register(&self.store, atom, Var::from_index(i));
        }
        arith
    }
    fn unknowns(&mut self, count: usize, sort: Sort) -> Vec<Term> {
        (0..count).map(|i| self.store.var(&format!("x{i}"), sort)).collect()
    }
    fn sort_of(&self, xs: &[Term]) -> Sort {
        let integral = xs.iter().all(|&x| self.store.sort(x).is_int());
        if integral { Sort::INT } else { Sort::REAL }
    }
    fn sum(&mut self, coefficients: &[i64], xs: &[Term]) -> Term {
        let mut linear = Linear::new();
        for (&c, &x) in coefficients.iter().zip(xs) {
            linear.add_term(&Rational::from(c), x);
        }
        self.store.sum(&linear, self.sort_of(xs))
    }
    /// The literal of an inequality atom or its negation, registered; `Err` with its truth if it is
    /// a constant.
    fn literal(&mut self, term: Term) -> Result<Lit, bool> {
        let kind = self.store.kind(term);
        if matches!(kind, Kind::True | Kind::False) {
            return Err(matches!(kind, Kind::True));
        }
        let (atom, positive) =
            if let Kind::Not(atom) = kind { (atom, false) } else { (term, true) };
        let next = Var::from_index(self.vars.len());
        let var = *self.vars.entry(atom).or_insert(next);
        if var == next {
            self.atoms.push(atom);
        }
        self.arith.register(&self.store, atom, var);
        Ok(Lit::new(var, positive))
    }
    fn inequality(&mut self, xs: &[Term], i: &Inequality) -> Result<Lit, bool> {
        let (left, right) = (self.sum(&i.coefficients, xs), Rational::from(i.bound));
        let right = self.store.number(right, self.sort_of(xs));
        let term = if i.strict { self.store.lt(left, right) } else { self.store.le(left, right) };
        self.literal(term)
    }
    /// Asserts `Σ c·x = value` as two bounds; false if a bound is refuted at once.
    fn equation(&mut self, xs: &[Term], coefficients: &[i64], value: i64) -> bool {
        let left = self.sum(coefficients, xs);
        let right = self.store.number(Rational::from(value), self.sort_of(xs));
        let bounds = [self.store.le(left, right), self.store.ge(left, right)];
        bounds.into_iter().all(|bound| self.assert_term(bound))
    }
    fn assert_term(&mut self, term: Term) -> bool {
        match self.literal(term) {
            Ok(lit) => self.arith.assert(lit).map_err(|lemma| self.verify(&lemma)).is_ok(),
            Err(truth) => truth,
        }
    }
    fn verify(&self, lemma: &Lemma<Farkas>) {
        assert!(self.arith.is_lemma(lemma), "wrong lemma {lemma:?}");
    }
    fn quick(&mut self) -> bool {
        match self.arith.check(&mut self.store, &self.budget, Effort::Quick).unwrap() {
            Check::Consistent => true,
            Check::Conflict(lemma) => {
                self.verify(&lemma);
                false
            }
            Check::Split(_) | Check::Collision(_) => panic!("no case distinctions at quick effort"),
        }
    }
    /// Decides the asserted literals, both cases of every split included; leaves the scopes of a
    /// consistent branch open.
    fn drive(&mut self) -> Outcome<bool> {
        // Each entry is the literal of the second case, or `None` when that one is under way.
        let mut cases: Vec<Option<Lit>> = Vec::new();
        loop {
            let consistent = match self.arith.check(&mut self.store, &self.budget, Effort::Final)? {
                Check::Consistent => return Ok(true),
                Check::Conflict(lemma) => {
                    self.verify(&lemma);
                    false
                }
                Check::Collision(_) => panic!("there are no groups"),
                Check::Split(splits) => {
                    let lit = self.split_literal(splits[0]);
                    self.arith.push();
                    cases.push(Some(!lit));
                    self.arith.assert(lit).map_err(|lemma| self.verify(&lemma)).is_ok()
                }
            };
            if !consistent && !self.next_case(&mut cases) {
                return Ok(false);
            }
        }
    }
    fn split_literal(&mut self, split: Split) -> Lit {
        self.literal(split.atom).expect("a split is not constant")
    }
    fn next_case(&mut self, cases: &mut Vec<Option<Lit>>) -> bool {
        while let Some(case) = cases.pop() {
            self.arith.pop(1);
            let Some(lit) = case else { continue };
            self.arith.push();
            cases.push(None);
            match self.arith.assert(lit) {
                Ok(()) => return true,
                Err(lemma) => self.verify(&lemma),
            }
        }
        false
    }
    fn value(&self, x: Term) -> Rational {
        let values = self.arith.concrete_values();
        values.into_iter().find(|(t, _)| *t == x).map_or(Rational::ZERO, |(_, v)| v)
    }
    fn satisfies(&self, xs: &[Term], i: &Inequality) -> bool {
        let left: Rational =
            i.coefficients.iter().zip(xs).map(|(&c, &x)| Rational::from(c) * self.value(x)).sum();
        let right = Rational::from(i.bound);
        if i.strict { left < right } else { left <= right }
    }
}
