//! Cuts from proofs: splits on forms that the tight constraints force to fractional values.
//!
//! A fractional basic term is determined by the non-basic columns of its row. Those that sit on a
//! bound are the tight constraints: equations between integer terms which, if they determine the
//! term, have no common integral solution. The Hermite normal form finds an integral form that they
//! force to a fractional value, and the search splits on that form. If some columns of the row sit
//! on no bound and the tight constraints alone are solvable, the split is on a form that they leave
//! open; once all of these are integral, so is every term.
//!
//! The constraints of fixed columns, equations that is, are tried first. If they suffice for the
//! proof, both cases of the split close at once. If they are solvable, the forms that they leave
//! open are better to branch on than the terms themselves, whose values are tied to each other:
//! such a branch cannot walk along the solutions of the equations. Bounds that the equations show
//! to be loose are tightened (`align`).
//!
//! Source: [DDA09]. DIVERGENCE: the paper takes all constraints tight at the vertex; we take those
//! of one row of the tableau, which keeps the matrix small and still always contains a proof, and
//! we branch on open forms.

use shofar_base::{Budget, Outcome};
use shofar_num::{Delta, Rational};

use super::super::Arith;
use super::super::tableau::{Column, Place, Row};
use super::hermite::{Forms, decompose};
use super::system::{Reach, System};
use super::{Cut, is_integral};

/// Forms with a coefficient of more bits than this are left to branching.
const WIDEST_COEFFICIENT: usize = 40;
/// How many rows are tried in one check.
const TRIES: usize = 8;

/// What is known about the form of a split.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Strength {
    /// The constraints force it to a fractional value.
    Refuted,
    /// The constraints say nothing about it.
    Open,
}

/// How far to look for a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Eagerness {
    /// The equations in rows of fractional terms.
    Row,
    /// Also all equations connected with the first of them, and proofs from tight inequalities.
    Equations,
    /// Also forms that tight inequalities leave open.
    Vertex,
}

impl Arith {
    /// A split on a form that tight constraints make fractional; where it looks depends on
    /// `eagerness`.
    pub(super) fn cut(
        &self,
        budget: &Budget,
        fractional: &[Column],
        eagerness: Eagerness,
    ) -> Outcome<Option<Cut>> {
        let mut rows: Vec<(usize, Row)> = Vec::new();
        for &x in fractional {
            if let Place::Basic(row) = self.simplex.tableau.place(x) {
                rows.push((self.simplex.tableau.entries(row).len(), row));
            }
        }
        rows.sort_unstable();
        rows.truncate(TRIES);
        let (mut open, mut tight) = (None, None);
        for (at, &(_, row)) in rows.iter().enumerate() {
            let wide = eagerness == Eagerness::Equations && at == 0;
            let wide = wide.then_some(Reach::Connected);
            for reach in [Some(Reach::Fixed), wide].into_iter().flatten() {
                budget.check()?;
                match self.form_of(row, reach) {
                    Some((Strength::Refuted, split)) => return Ok(Some(split)),
                    Some((Strength::Open, split)) => open = open.or(Some(split)),
                    None => {}
                }
            }
            if eagerness != Eagerness::Row && tight.is_none() {
                tight = self.tight_split(row, eagerness, at == 0);
            }
        }
        Ok(tight.or(open))
    }
    /// A split on a form that tight inequalities make fractional, or at the highest eagerness leave
    /// open.
    fn tight_split(&self, row: Row, eagerness: Eagerness, first: bool) -> Option<Cut> {
        let reaches = [Some(Reach::Tight), first.then_some(Reach::Vertex)];
        let mut found = reaches.into_iter().flatten().filter_map(|reach| self.form_of(row, reach));
        let wanted = |strength| strength == Strength::Refuted || eagerness == Eagerness::Vertex;
        found.find(|(strength, _)| wanted(*strength)).map(|(_, split)| split)
    }
    /// The split on the form found for one row.
    fn form_of(&self, row: Row, reach: Reach) -> Option<(Strength, Cut)> {
        let system = self.tight_system(row, reach)?;
        match decompose(&system.matrix, &system.right, system.terms.len())? {
            Forms::Refuted { form, value } => {
                Some((Strength::Refuted, self.form_split(&system, &form, &value)?))
            }
            Forms::Open { forms, others } => match self.aligned_split(&system, &forms, &others) {
                Some(split) => Some((Strength::Refuted, split)),
                None => Some((Strength::Open, self.open_split(&system, forms)?)),
            },
        }
    }
    /// The split of a form over the terms of `system` at `value`, unless its coefficients are too
    /// wide.
    pub(super) fn form_split(
        &self,
        system: &System,
        form: &[Rational],
        value: &Delta,
    ) -> Option<Cut> {
        let narrow = form.iter().all(|c| c.bits() <= WIDEST_COEFFICIENT);
        let parts = form.iter().cloned().zip(system.terms.iter().copied());
        let parts: Vec<_> = parts.filter(|(c, _)| !c.is_zero()).collect();
        if narrow { self.split_at(&parts, value) } else { None }
    }
    /// A split on the smallest form that the present assignment makes fractional; single terms are
    /// left to branching.
    fn open_split(&self, system: &System, forms: Vec<Vec<Rational>>) -> Option<Cut> {
        let mut best: Option<(usize, Vec<Rational>, Delta)> = None;
        for form in forms {
            let mut value = Delta::from(Rational::ZERO);
            for (c, x) in form.iter().zip(&system.terms) {
                value.add_mul(c, self.simplex.value(*x));
            }
            let parts = form.iter().filter(|c| !c.is_zero());
            let size = parts.clone().map(Rational::bits).sum();
            if !is_integral(&value)
                && parts.count() > 1
                && best.as_ref().is_none_or(|(least, ..)| size < *least)
            {
                best = Some((size, form, value));
            }
        }
        best.and_then(|(_, form, value)| self.form_split(system, &form, &value))
    }
}
