//! All theories, as one.
//!
//! A solver holds a [`Theories`] and asks it what it would ask a theory; who owns an atom and who
//! made a certificate is decided here. A further theory is a field, a variant of [`Certificate`]
//! and one more line in each method: the calls are static, and a problem of arithmetic alone pays
//! for nothing else.
//!
//! Source: [NOT06], the theory solver of *DPLL(T)* as a combination of several.

use shofar_base::{Budget, Lit, Map, Outcome, Var};
use shofar_term::eval::Model;
use shofar_term::{Symbol, Term, TermStore};

use crate::arith::{self, Arith};
use crate::candidate::{Candidate, Outside};
use crate::combine::{agree, numbers_of};
use crate::euf::{Congruence, Euf, Path};
use crate::instance::Instance;
use crate::interpolate::LinearAlgorithm;
use crate::theory::{Check, Coloring, Effort, Farkas, Labelled, Lemma, SharedValues, Side, Theory};

/// Why the literals of a lemma contradict each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Certificate {
    /// They are inequalities with a contradictory sum.
    Farkas(Farkas),
    /// They make terms equal that differ.
    Congruence(Congruence),
}

impl Certificate {
    /// Whether the interpolants of such a lemma for the nodes of a tree fit together, if they are
    /// made like each other.
    pub fn fits_trees(&self) -> bool {
        match self {
            Certificate::Farkas(_) => true,
            // A step between shared terms may be given to either side.
            Certificate::Congruence(_) => false,
        }
    }
    /// The terms that it speaks of beside those of the literals.
    pub fn terms(&self) -> Vec<Term> {
        match self {
            Certificate::Farkas(_) => Vec::new(),
            Certificate::Congruence(proof) => {
                let ends = |path: &Path| path.edges.iter().map(|edge| edge.to).collect::<Vec<_>>();
                proof.paths.iter().flat_map(|path| [vec![path.from], ends(path)].concat()).collect()
            }
        }
    }
    /// A measure of the memory it takes.
    pub fn weight(&self) -> usize {
        match self {
            Certificate::Farkas(farkas) => farkas.len(),
            Certificate::Congruence(proof) => proof.weight(),
        }
    }
}

/// The theories of a solver; see the module documentation.
#[derive(Clone, Debug)]
pub struct Theories {
    arith: Arith,
    euf: Euf,
}

impl Theories {
    /// Theories without atoms.
    pub fn new(options: arith::Options) -> Self {
        Self { arith: Arith::new(options), euf: Euf::default() }
    }
    /// The work done so far.
    pub fn stats(&self) -> arith::Stats {
        self.arith.stats()
    }
    /// Sets how many case distinctions integers may take in one query.
    pub fn limit_splits(&mut self, limit: u32) {
        self.arith.limit_splits(limit);
    }
    /// Takes over the conjunction of `equations`, each negated if `negated`, if it says that many
    /// terms differ pairwise and a theory keeps such groups; the result is those terms. The
    /// groups are numbered from 0.
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
    /// Valid formulas over the symbols of `term` that say what it is; none if it needs no
    /// definition.
    pub fn facts(store: &mut TermStore, term: Term) -> Vec<Term> {
        arith::facts(store, term)
    }
    /// Atoms, or negations of such, whose conjunction is `a = b`; none if the equality is an atom
    /// itself.
    pub fn halves(store: &mut TermStore, a: Term, b: Term) -> Option<[Term; 2]> {
        store.sort(a).is_arithmetic().then(|| arith::halves(store, a, b))
    }
    /// Atoms, or negations of such, whose conjunction is `atom`, if it is one that no theory
    /// decides by itself.
    pub fn parts(store: &mut TermStore, atom: Term) -> Option<[Term; 2]> {
        arith::parts(store, atom)
    }
    /// Whether `atom` is an equality that [`Self::watches_equalities`] is about.
    pub fn is_watchable(store: &TermStore, atom: Term) -> bool {
        Euf::watches(store, atom)
    }
    /// Whether equalities matter although their parts are known: functions may be applied to their
    /// sides.
    pub fn watches_equalities(&self) -> bool {
        self.euf.has_applications()
    }
    /// Says that the value of `formula`, which `var` stands for, matters because a function is
    /// applied to it.
    pub fn register_argument(&mut self, store: &TermStore, formula: Term, var: Var) {
        self.euf.register(store, formula, var);
    }
    /// Whether a model has to be built by [`Self::refine`] because there are arrays or data, or
    /// functions of bit-vectors.
    pub fn needs_refinement(&self) -> bool {
        self.euf.has_structures()
    }
    /// Builds values for arrays and data and compares those of functions, after a `Final` check
    /// that was consistent. The result is valid clauses that the assignment violates; if there is
    /// none, the assignment has a model, and [`Theory::complete`] knows it.
    pub fn refine(
        &mut self,
        store: &mut TermStore,
        outside: Outside<'_>,
    ) -> Outcome<Vec<Instance>> {
        let numbers = numbers_of(&self.arith);
        match Candidate::new(store, &self.euf, &numbers, outside).build()? {
            Ok(structures) => {
                self.euf.set_structures(structures);
                Ok(Vec::new())
            }
            Err(instances) => Ok(instances),
        }
    }
    /// Terms over shared symbols that would have helped to avoid case distinctions that mix sides.
    pub fn wanted(&self) -> &[Term] {
        self.euf.wanted()
    }
}

impl Theories {
    /// A check of equality and arithmetic; at the final one they have to agree.
    fn check_all(
        &mut self,
        store: &mut TermStore,
        budget: &Budget,
        effort: Effort,
    ) -> Outcome<Check<Certificate>> {
        let mut splits = Vec::new();
        match self.euf.check(store, budget, effort)? {
            Check::Consistent => {}
            Check::Split(wanted) => splits = wanted,
            found @ (Check::Conflict(_) | Check::Collision(_)) => {
                return Ok(found.map(Certificate::Congruence));
            }
        }
        match self.arith.check(store, budget, effort)? {
            Check::Consistent if !splits.is_empty() => Ok(Check::Split(splits)),
            Check::Consistent if effort == Effort::Final && self.euf.has_applications() => {
                let check = agree(store, budget, &self.arith, &mut self.euf)?;
                Ok(check.map(Certificate::Congruence))
            }
            found @ (Check::Consistent
            | Check::Conflict(_)
            | Check::Split(_)
            | Check::Collision(_)) => Ok(found.map(Certificate::Farkas)),
        }
    }
}

impl Theory for Theories {
    type Certificate = Certificate;
    type Algorithm = LinearAlgorithm;

    #[inline]
    fn owns(&self, store: &TermStore, atom: Term) -> bool {
        self.arith.owns(store, atom) || self.euf.owns(store, atom)
    }
    fn register(&mut self, store: &TermStore, atom: Term, var: Var) {
        if self.arith.owns(store, atom) {
            self.arith.register(store, atom, var);
        } else {
            self.euf.register(store, atom, var);
        }
    }
    /// For an application: its arguments are shared as well.
    fn share(&mut self, store: &TermStore, term: Term) {
        self.euf.share(store, term);
        let numbers = store.children(term).iter().chain([&term]);
        for &t in numbers.filter(|&&t| store.sort(t).is_arithmetic()) {
            self.arith.share(store, t);
        }
    }
    #[inline]
    fn assert(&mut self, lit: Lit) -> Result<(), Lemma<Certificate>> {
        let in_arith = self.arith.assert_own(lit);
        if let Some(asserted) = in_arith {
            asserted.map_err(|lemma| lemma.map(Certificate::Farkas))?;
        }
        if self.euf.is_in_use() {
            return self.euf.assert(lit).map_err(|lemma| lemma.map(Certificate::Congruence));
        }
        Ok(())
    }
    #[inline]
    fn check(
        &mut self,
        store: &mut TermStore,
        budget: &Budget,
        effort: Effort,
    ) -> Outcome<Check<Certificate>> {
        if self.euf.is_in_use() {
            return self.check_all(store, budget, effort);
        }
        Ok(self.arith.check(store, budget, effort)?.map(Certificate::Farkas))
    }
    #[inline]
    fn implied(&mut self, out: &mut Vec<Lit>) {
        self.arith.implied(out);
        if self.euf.is_in_use() {
            self.euf.implied(out);
        }
    }
    fn explain(&mut self, lit: Lit) -> Lemma<Certificate> {
        // Both may have found it, each from what was asserted before.
        if self.euf.is_in_use() && self.euf.has_implied(lit) {
            return self.euf.explain(lit).map(Certificate::Congruence);
        }
        self.arith.explain(lit).map(Certificate::Farkas)
    }
    #[inline]
    fn push(&mut self) {
        self.arith.push();
        if self.euf.is_in_use() {
            self.euf.push();
        }
    }
    #[inline]
    fn pop(&mut self, levels: u32) {
        self.arith.pop(levels);
        if self.euf.is_in_use() {
            self.euf.pop(levels);
        }
    }
    #[inline]
    fn phase(&self, var: Var) -> Option<bool> {
        self.arith.phase(var)
    }
    fn begin_query(&mut self) {
        self.arith.begin_query();
        self.euf.begin_query();
    }
    fn restrict_splits(&mut self, side: &Map<Term, Side>) {
        self.arith.restrict_splits(side);
        self.euf.restrict_splits(side);
    }
    fn complete(&self, store: &TermStore, shared: &mut SharedValues, model: &mut Model) {
        self.arith.complete(store, shared, model);
        if self.euf.is_in_use() {
            self.euf.complete(store, shared, model);
        }
    }
    fn certifies(store: &TermStore, literals: &[(Term, bool)], certificate: &Certificate) -> bool {
        match certificate {
            Certificate::Farkas(farkas) => Arith::certifies(store, literals, farkas),
            Certificate::Congruence(proof) => Euf::certifies(store, literals, proof),
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
            Certificate::Congruence(proof) => {
                Euf::interpolate(store, literals, proof, coloring, &())
            }
        }
    }
    fn project(
        store: &mut TermStore,
        cube: &[Term],
        eliminate: &[Symbol],
        model: &Model,
    ) -> Outcome<Vec<Term>> {
        Euf::project(store, cube, eliminate, model)
    }
}
