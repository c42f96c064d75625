//! All theories, as one.
//!
//! A solver holds a [`Theories`] and asks it what it would ask a theory; who owns an atom and who made a certificate is
//! decided here. A further theory is a field, a variant of [`Certificate`] and one more line in each method: the calls
//! are static, and a problem of arithmetic alone pays for nothing else.
//!
//! Source: [NOT06], the theory solver of *DPLL(T)* as a combination of several.

use shofar_base::{Budget, Lit, Map, Outcome, Var};
use shofar_term::eval::Model;
use shofar_term::{Symbol, Term, TermStore};

use crate::arith::{self, Arith};
use crate::interpolate::LinearAlgorithm;
use crate::theory::{Check, Coloring, Effort, Farkas, Labelled, Lemma, Side, Theory};

/// Why the literals of a lemma contradict each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Certificate {
    /// They are inequalities with a contradictory sum.
    Farkas(Farkas),
}

impl Certificate {
    /// A measure of the memory it takes.
    pub fn weight(&self) -> usize {
        match self {
            Certificate::Farkas(farkas) => farkas.len(),
        }
    }
}

/// The theories of a solver; see the module documentation.
#[derive(Clone, Debug)]
pub struct Theories {
    arith: Arith,
}

impl Theories {
    /// Theories without atoms.
    pub fn new(options: arith::Options) -> Self {
        Self { arith: Arith::new(options) }
    }
    /// The work done so far.
    pub fn stats(&self) -> arith::Stats {
        self.arith.stats()
    }
    /// Takes over the conjunction of `equations`, each negated if `negated`, if it says that many terms differ pairwise
    /// and a theory keeps such groups; the result is those terms. The groups are numbered from 0.
    pub fn keep_apart(
        &mut self,
        store: &TermStore,
        equations: &[Term],
        negated: bool,
    ) -> Option<Vec<Term>> {
        self.arith.keep_apart(store, equations, negated)
    }
    /// Forgets all groups but the first `count`.
    pub fn forget_groups(&mut self, count: usize) {
        self.arith.forget_groups(count);
    }
    /// Valid formulas over the symbols of `term` that say what it is; none if it needs no definition.
    pub fn facts(store: &mut TermStore, term: Term) -> Vec<Term> {
        arith::facts(store, term)
    }
    /// Atoms, or negations of such, whose conjunction is `a = b`.
    pub fn equality(store: &mut TermStore, a: Term, b: Term) -> Vec<Term> {
        arith::halves(store, a, b).to_vec()
    }
}

impl Theory for Theories {
    type Certificate = Certificate;
    type Algorithm = LinearAlgorithm;

    #[inline]
    fn owns(&self, store: &TermStore, atom: Term) -> bool {
        self.arith.owns(store, atom)
    }
    fn register(&mut self, store: &TermStore, atom: Term, var: Var) {
        self.arith.register(store, atom, var);
    }
    fn share(&mut self, store: &TermStore, term: Term) {
        self.arith.share(store, term);
    }
    #[inline]
    fn assert(&mut self, lit: Lit) -> Result<(), Lemma<Certificate>> {
        self.arith.assert(lit).map_err(|lemma| lemma.map(Certificate::Farkas))
    }
    #[inline]
    fn check(
        &mut self,
        store: &mut TermStore,
        budget: &Budget,
        effort: Effort,
    ) -> Outcome<Check<Certificate>> {
        Ok(self.arith.check(store, budget, effort)?.map(Certificate::Farkas))
    }
    #[inline]
    fn implied(&mut self, out: &mut Vec<Lit>) {
        self.arith.implied(out);
    }
    fn explain(&mut self, lit: Lit) -> Lemma<Certificate> {
        self.arith.explain(lit).map(Certificate::Farkas)
    }
    #[inline]
    fn push(&mut self) {
        self.arith.push();
    }
    #[inline]
    fn pop(&mut self, levels: u32) {
        self.arith.pop(levels);
    }
    #[inline]
    fn phase(&self, var: Var) -> Option<bool> {
        self.arith.phase(var)
    }
    fn begin_query(&mut self) {
        self.arith.begin_query();
    }
    fn restrict_splits(&mut self, side: &Map<Term, Side>) {
        self.arith.restrict_splits(side);
    }
    fn complete(&self, store: &TermStore, model: &mut Model) {
        self.arith.complete(store, model);
    }
    fn certifies(store: &TermStore, literals: &[(Term, bool)], certificate: &Certificate) -> bool {
        match certificate {
            Certificate::Farkas(farkas) => Arith::certifies(store, literals, farkas),
        }
    }
    fn interpolate(
        store: &mut TermStore,
        literals: &[Labelled],
        certificate: &Certificate,
        coloring: &mut dyn Coloring,
        algorithm: &LinearAlgorithm,
    ) -> Term {
        match certificate {
            Certificate::Farkas(farkas) => {
                Arith::interpolate(store, literals, farkas, coloring, algorithm)
            }
        }
    }
    fn project(
        store: &mut TermStore,
        cube: &[Term],
        eliminate: &[Symbol],
        model: &Model,
    ) -> Outcome<Vec<Term>> {
        Arith::project(store, cube, eliminate, model)
    }
}
