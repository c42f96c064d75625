//! Two steps of relations as one query.
//!
//! For each sequence and level there is one solver, which holds both steps; they only get stronger,
//! so it is never torn down (it forgets dead atoms by itself). Source and target of a question are
//! assumptions of the check, and the other side of the interpolant.
//!
//! Before a refutation is interpolated, literals of source and target that it can do without are
//! left out, if there are few variables: what is learned then says more. (2026-11, extra-small-lia
//! at 5 s: one more of 27, and most in less time; with many variables, as in lra-ts, the
//! checks cost more than they gain.)
//!
//! A half that may be left out is said with a Boolean variable: where it holds, the half is the
//! identity. So all three compositions of [Bli22] are conjunctions, and what may be skipped is a
//! question to the model.
//!
//! Source: [Bli22] §4.3.1, §4.4.4 and §5.5.5 (a separate incremental solver per level). DIVERGENCE:
//! ends are minimised before interpolation.

use shofar_base::Outcome;
use shofar_smt::{Answer, Evidence, Interpolation, LinearAlgorithm, Options, Solver};
use shofar_term::eval::{Model, Value};
use shofar_term::{Cx, Sort, Symbol, Term, TermStore};

use super::names::{Names, Place};
use super::sequence::{Half, Power, Sequences};
use crate::ts::invariant::bounds;

/// With more state variables, refutations are taken as they are.
const FEW_VARIABLES: usize = 6;

/// Whether a source state is connected with a target state.
pub(super) enum Connected {
    /// By these values.
    By(Model),
    /// It is not; both relations say why: they contain the composition, but no pair of source and
    /// target.
    Not {
        /// The one to refine with.
        why: Term,
        /// One that says less, and may be a better guess at what further steps preserve.
        coarse: Term,
    },
}

/// The composition of two relations of one level.
pub(super) struct Composition {
    halves: [Half; 2],
    solver: Solver,
    /// How many conjuncts of each half the solver knows.
    loaded: [usize; 2],
    parts: Vec<Term>,
    /// The conjunction of `parts`.
    formula: Term,
    /// Says that the optional half is left out.
    skip: Option<Symbol>,
    /// Whether refutations are made to use few literals of the ends.
    minimises: bool,
}

impl Composition {
    pub(super) fn new(
        store: &mut TermStore,
        names: &mut Names,
        halves: [Half; 2],
        seed: u64,
    ) -> Self {
        let options = Options { evidence: Evidence::Proofs, seed, ..Options::default() };
        let (parts, formula) = (Vec::new(), store.top());
        let minimises = names.ts.state.len() <= FEW_VARIABLES;
        let mut this = Self {
            minimises,
            halves,
            solver: Solver::new(options),
            loaded: [0; 2],
            parts,
            formula,
            skip: None,
        };
        for (half, place) in halves.into_iter().zip([Place::First, Place::Second]) {
            if let Half::Optional(_) = half {
                let skip = store.fresh("skip", Sort::BOOL);
                let stay = names.identity(store);
                let stay = names.at(store, stay, place);
                let skipped = store.constant(skip);
                let part = store.implies(skipped, stay);
                this.add(store, part);
                this.skip = Some(skip);
            }
        }
        this
    }
    fn add(&mut self, store: &mut TermStore, part: Term) {
        self.solver.add(store, part);
        self.parts.push(part);
    }
    /// Learns what is new about the relations of level `n`.
    pub(super) fn load(
        &mut self,
        store: &mut TermStore,
        names: &mut Names,
        sequences: &Sequences,
        n: Power,
    ) {
        let before = self.parts.len();
        for (index, place) in [Place::First, Place::Second].into_iter().enumerate() {
            let conjuncts = sequences.conjuncts(self.halves[index].relation(), n);
            for &conjunct in &conjuncts[self.loaded[index]..] {
                let mut part = names.at(store, conjunct, place);
                if let (Half::Optional(_), Some(skip)) = (self.halves[index], self.skip) {
                    let skip = store.constant(skip);
                    part = store.or(&[skip, part]);
                }
                self.add(store, part);
            }
            self.loaded[index] = conjuncts.len();
        }
        if self.parts.len() > before || before == 0 {
            self.formula = store.and(&self.parts);
        }
    }
    /// Looks for a state of `source` from which two steps lead into `target`, which is over the
    /// next variables.
    pub(super) fn check(
        &mut self,
        cx: &mut Cx<'_>,
        source: Term,
        target: Term,
        how: &Interpolation,
    ) -> Outcome<Connected> {
        let mut ends = cx.store.conjuncts(&[source, target]);
        let needed = match self.solver.check_assuming(cx, &ends)? {
            Answer::Sat(model) => return Ok(Connected::By(model.assignment(cx.store))),
            Answer::Unsat(proof) => proof.failed(),
        };
        if self.minimises {
            ends = self.fewest(cx, &needed)?;
            self.solver.check_assuming(cx, &ends)?;
        }
        let Some(Answer::Unsat(proof)) = self.solver.last_answer() else {
            unreachable!("these ends were found not to be connected")
        };
        let why = proof.interpolant_of_assumptions(cx, &ends, how)?;
        let mut coarse = why;
        if how.linear == LinearAlgorithm::Decomposed {
            let farkas = Interpolation { linear: LinearAlgorithm::Farkas, ..how.clone() };
            coarse = proof.interpolant_of_assumptions(cx, &ends, &farkas)?;
        }
        Ok(Connected::Not { why, coarse })
    }
    /// Of `ends`, which are not connected, some that still are not, as few as leaving out one after
    /// the other finds.
    fn fewest(&mut self, cx: &mut Cx<'_>, ends: &[Term]) -> Outcome<Vec<Term>> {
        let mut ends = bounds(cx.store, ends);
        let mut position = 0;
        while position < ends.len() && ends.len() > 1 {
            let mut fewer = ends.clone();
            fewer.remove(position);
            match self.solver.check_assuming(cx, &fewer)? {
                Answer::Unsat(proof) => {
                    let needed = proof.failed();
                    fewer.retain(|t| needed.contains(t));
                    position = position.min(fewer.len());
                    ends = fewer;
                }
                Answer::Sat(_) => position += 1,
            }
        }
        Ok(ends)
    }
    /// As [`check`](Self::check), without a reason for no.
    pub(super) fn values(
        &mut self,
        cx: &mut Cx<'_>,
        source: Term,
        target: Term,
    ) -> Outcome<Option<Model>> {
        let ends = cx.store.conjuncts(&[source, target]);
        Ok(match self.solver.check_assuming(cx, &ends)? {
            Answer::Sat(model) => Some(model.assignment(cx.store)),
            Answer::Unsat(_) => None,
        })
    }
    /// Whether `relation` contains the composition.
    pub(super) fn is_within(&mut self, cx: &mut Cx<'_>, relation: Term) -> Outcome<bool> {
        let outside = cx.store.not(relation);
        Ok(matches!(self.solver.check_assuming(cx, &[outside])?, Answer::Unsat(_)))
    }
    /// Both steps as a formula.
    pub(super) fn formula(&self) -> Term {
        self.formula
    }
    /// Whether the optional half is left out.
    pub(super) fn is_skipped(&self, model: &Model) -> bool {
        self.skip.is_some_and(|skip| model.get(skip) == Some(&Value::Bool(true)))
    }
    /// That no half is left out.
    pub(super) fn is_taken(&self, store: &mut TermStore) -> Term {
        let Some(skip) = self.skip else { return store.top() };
        let skip = store.constant(skip);
        store.not(skip)
    }
    pub(super) fn skip(&self) -> Option<Symbol> {
        self.skip
    }
    /// The relations that are composed.
    pub(super) fn halves(&self) -> [Half; 2] {
        self.halves
    }
}
