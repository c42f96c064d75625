//! Answers with their evidence.
//!
//! A view borrows the solver, so the solver cannot change while its evidence is looked at.

use shofar_base::{Outcome, Set};
use shofar_sat::{Proof, Step};
use shofar_term::eval::Model;
use shofar_term::{Cx, Term, TermStore};

use crate::interpolate::{self, Interpolation, Sides};
use crate::leaf::Leaf;
use crate::options::Evidence;
use crate::{PartId, Solver};

/// What a check found out.
pub enum Answer<'s> {
    /// The formulas can hold together.
    Sat(ModelView<'s>),
    /// They cannot.
    Unsat(UnsatView<'s>),
}

/// A model.
#[derive(Clone, Copy)]
pub struct ModelView<'s> {
    pub(crate) solver: &'s Solver,
}

impl ModelView<'_> {
    /// The values of the symbols, read off the solver now; those not assigned may have any value.
    pub fn assignment(self, store: &TermStore) -> Model {
        self.solver.assignment(store)
    }
}

/// A refutation.
#[derive(Clone, Copy)]
pub struct UnsatView<'s> {
    pub(crate) solver: &'s Solver,
}

impl UnsatView<'_> {
    /// Parts that contradict each other (with the failed assumptions); all live parts if no
    /// evidence was kept.
    pub fn core(self) -> Vec<PartId> {
        let parts = &self.solver.parts;
        match self.solver.options.evidence {
            Evidence::Plain => parts.iter().map(|p| p.id).collect(),
            Evidence::Cores => {
                let failed: Set<_> = self.solver.sat.failed().iter().copied().collect();
                parts
                    .iter()
                    .filter(|p| p.guard.is_some_and(|g| failed.contains(&g)))
                    .map(|p| p.id)
                    .collect()
            }
            Evidence::Proofs => {
                // Without a proof, the assumptions contradict each other and no part is needed.
                let mut core: Vec<PartId> =
                    self.proof().map_or_else(Vec::new, |proof| leaf_parts(self.solver, &proof));
                core.sort_unstable();
                core.dedup();
                core
            }
        }
    }
    /// The core without parts that are not needed: leaving out any one of the result makes the rest
    /// satisfiable.
    pub fn minimal_core(self, cx: &mut Cx<'_>) -> Outcome<Vec<PartId>> {
        crate::core::minimize(cx, self)
    }
    /// Assumptions that contradict the live parts.
    pub fn failed(self) -> Vec<Term> {
        let failed: Set<_> = self.solver.sat.failed().iter().copied().collect();
        self.solver
            .assumed
            .iter()
            .filter(|(_, lit)| failed.contains(lit))
            .map(|&(t, _)| t)
            .collect()
    }
    /// An interpolant of the parts `a` and all others, by the default algorithms.
    pub fn interpolant(self, cx: &mut Cx<'_>, a: &[PartId]) -> Outcome<Term> {
        self.interpolant_with(cx, a, &Interpolation::default())
    }
    /// An interpolant of the parts `a` and all others: implied by `a`, contradicting the others,
    /// over shared symbols.
    pub fn interpolant_with(
        self,
        cx: &mut Cx<'_>,
        a: &[PartId],
        how: &Interpolation,
    ) -> Outcome<Term> {
        interpolate::single(cx, self, &Sides::of_parts(a), how)
    }
    /// An interpolant of everything else (A) and the assumptions `b`.
    pub fn interpolant_of_assumptions(
        self,
        cx: &mut Cx<'_>,
        b: &[Term],
        how: &Interpolation,
    ) -> Outcome<Term> {
        let sides = Sides {
            parts: self.solver.formulas().map(|(id, _)| id).collect(),
            assumptions: self
                .solver
                .assumed
                .iter()
                .map(|&(t, _)| t)
                .filter(|t| !b.contains(t))
                .collect(),
        };
        interpolate::single(cx, self, &sides, how)
    }
    /// The interpolants of a sequence of groups: one for each proper prefix.
    pub fn sequence_interpolants(
        self,
        cx: &mut Cx<'_>,
        groups: &[Vec<PartId>],
        how: &Interpolation,
    ) -> Outcome<Vec<Term>> {
        interpolate::tree(cx, self, groups, &vec![0; groups.len()], how)
    }
    /// The interpolants of a tree of groups in post-order, without the root's (which is `false`).
    ///
    /// The subtree of node `i` is `first_in_subtree[i]..=i`. The conjunction of the interpolants of
    /// a node's children and of its group implies its interpolant.
    pub fn tree_interpolants(
        self,
        cx: &mut Cx<'_>,
        groups: &[Vec<PartId>],
        first_in_subtree: &[usize],
        how: &Interpolation,
    ) -> Outcome<Vec<Term>> {
        interpolate::tree(cx, self, groups, first_in_subtree, how)
    }
    /// The proof as plain data: the premises are the live parts in their order, the assumptions
    /// those of the last check.
    pub fn export_proof(self) -> Result<shofar_proof::Proof, crate::Objection> {
        crate::certify::export(self)
    }
    /// Checks the proof, leaves included, without the solver's own code.
    pub fn check_proof(self, cx: &mut Cx<'_>) -> Outcome<Result<(), crate::Objection>> {
        crate::certify::check_proof(cx, self)
    }
    /// The proof; there is none if two assumptions are each other's negation.
    pub(crate) fn proof(self) -> Option<Proof> {
        assert_eq!(
            self.solver.options.evidence,
            Evidence::Proofs,
            "the solver was made with proofs"
        );
        self.solver.sat.refutation()
    }
}

fn leaf_parts(solver: &Solver, proof: &Proof) -> Vec<PartId> {
    proof
        .ids()
        .filter_map(|id| match proof.step(id) {
            Step::Leaf { tag, .. } => match solver.known.leaves.get(tag) {
                Leaf::Part(id) => Some(*id),
                Leaf::Definition(_) | Leaf::Lemma(_) | Leaf::Axiom | Leaf::Retired => None,
            },
            Step::Chain { .. } => None,
        })
        .collect()
}
