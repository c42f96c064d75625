//! Contradictions as Farkas lemmas, and the check that they are.
//!
//! A stuck row `Σ a_j·x_j = 0` is a lemma as it stands: take for every entry the bound that keeps
//! it from moving, times the absolute value of its coefficient. The explanation of an implied
//! literal is the contradiction of its negation with its reasons; for integers the negation is the
//! tightened one, so the sum is a positive constant there too.
//!
//! Invariant: every lemma that leaves the solver passes [`Arith::is_lemma`]; debug builds check
//! each one.
//!
//! Source: [DdM06], explanation of conflicts; the certificate is that of Farkas' lemma, see [Sch86]
//! §7.3.

use shofar_base::Lit;
use shofar_num::{Delta, Rational};

use super::Arith;
use super::bounds::End;
use super::propagate::{Reason, contributing_end};
use super::tableau::{Column, Row};
use crate::theory::{Farkas, Lemma};

impl Arith {
    /// The contradiction of two opposite bounds on the same column.
    pub(super) fn clash(&self, first: Lit, second: Lit) -> Lemma<Farkas> {
        self.checked(Lemma {
            lits: vec![first, second],
            certificate: vec![Rational::ONE, Rational::ONE],
        })
    }
    /// The contradiction in a row whose basic column is stuck beyond its bound at `end`.
    pub(super) fn row_conflict(&self, row: Row, end: End) -> Lemma<Farkas> {
        let tableau = &self.simplex.tableau;
        let positive = tableau.pivot_coefficient(row).is_positive();
        let extreme = if positive { end } else { end.opposite() };
        let (mut lits, mut farkas) = (Vec::new(), Vec::new());
        for entry in tableau.entries(row) {
            let bound = self.simplex.bounds.of(entry.column).at(contributing_end(entry, extreme));
            lits.push(bound.expect("an entry without bound would have room to move").lit);
            farkas.push(entry.coefficient.abs());
        }
        self.checked(Lemma { lits, certificate: farkas })
    }
    /// The contradiction of the negation of an implied literal with the reasons for it.
    pub(super) fn explain_implied(&self, lit: Lit) -> Lemma<Farkas> {
        let id = self.atom(lit.var()).expect("an implied literal is registered");
        let (positive, reason) = self.atoms[id].implied.expect("the literal is implied");
        debug_assert_eq!(positive, lit.is_positive());
        match reason {
            Reason::Bound(stronger) => self.clash(stronger, !lit),
            Reason::Row(cause) => {
                let cause = &self.causes[cause as usize];
                let premises = &self.premises[cause.start as usize..cause.end as usize];
                let (mut lits, mut farkas): (Vec<_>, Vec<_>) = premises.iter().cloned().unzip();
                lits.push(!lit);
                farkas.push(cause.own.clone());
                self.checked(Lemma { lits, certificate: farkas })
            }
        }
    }
    fn checked(&self, lemma: Lemma<Farkas>) -> Lemma<Farkas> {
        debug_assert!(self.is_lemma(&lemma), "not a Farkas lemma: {lemma:?}");
        lemma
    }

    /// Whether the coefficients of `lemma` prove that its literals, all registered, contradict each
    /// other.
    pub fn is_lemma(&self, lemma: &Lemma<Farkas>) -> bool {
        let mut summands: Vec<(Column, Rational)> = Vec::new();
        // The sum is `Σ summands - constant`, and a negative infinitesimal of the constant is a
        // strict inequality.
        let mut constant = Delta::ZERO;
        for (&lit, factor) in lemma.lits.iter().zip(&lemma.certificate) {
            let (column, end, value) = self.meaning(lit);
            let factor = match end {
                End::Upper => factor.clone(),
                End::Lower => -factor,
            };
            constant.add_mul(&factor, value);
            if self.simplex.is_opaque(column) {
                summands.push((column, factor));
            } else {
                let parts = self.simplex.definition(column);
                summands.extend(parts.iter().map(|(c, x)| (*x, c * &factor)));
            }
        }
        summands.sort_unstable_by_key(|(column, _)| *column);
        let cancels = summands
            .chunk_by(|a, b| a.0 == b.0)
            .all(|group| group.iter().map(|(_, c)| c.clone()).sum::<Rational>().is_zero());
        let mut distinct = lemma.lits.clone();
        distinct.sort_unstable();
        distinct.dedup();
        cancels
            && constant < Delta::ZERO
            && distinct.len() == lemma.lits.len()
            && lemma.certificate.len() == lemma.lits.len()
            && lemma.certificate.iter().all(Rational::is_positive)
    }
}
