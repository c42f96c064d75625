//! Integers: makes the assignment integral, or asks for a case distinction.
//!
//! The relaxation over the reals is feasible when this begins. First, what is cheap: non-basic
//! integer columns move to integral values, and fractional basic ones are patched by shifting a
//! neighbour within its slack (`patch`). If a term is still fractional, the search has to
//! distinguish cases. Equations without integral solutions are recognised by a gcd test (`gcd`) or
//! from the Hermite normal form of the tight constraints (`cuts`, `hermite`), and then both cases
//! close over the reals; otherwise branches on one term (`branch`) alternate with splits on better
//! forms (`cuts`). If that goes on, the search branches along directions in which few values are
//! left (`flat`), which ends.
//!
//! | part | job |
//! |---|---|
//! | `flat` | plans: which sums to branch on, and integral points where nothing bounds the rest |
//! | `region`, `lattice`, `reduce` | the polyhedron around a term, its integral points, reduced bases |
//!
//! Invariant: no lemma depends on integrality other than through the tightened bounds of atoms, so
//! that every leaf of a proof is a Farkas lemma. Invariant: the number of splits in one query is
//! limited.
//!
//! Source: [DdM06b] for patching-free branch and bound and the gcd test; [DDA09] for cuts from
//! proofs.

mod align;
mod branch;
mod cuts;
mod flat;
mod gcd;
mod hermite;
mod lattice;
mod patch;
mod reduce;
mod region;
mod system;

use shofar_base::{Budget, GaveUp, Outcome, Set};
use shofar_num::{Delta, Rational};
use shofar_term::{Linear, Term, TermStore};

use self::cuts::Eagerness;
use self::flat::{Flat, Planning};
use super::Arith;
use super::simplex::Feasibility;
use super::tableau::{Column, Place, Which};
use crate::theory::{Check, Farkas, Side, Split};

/// Why a check may give up.
pub const SPLIT_LIMIT: &str = "integer search limit";

/// The kinds of effort for a cut repeat after so many splits.
const CUT_PERIOD: u32 = 4;

/// A wish for the atom `form <= bound`; its negation is `form >= bound + 1`.
///
/// The coefficients are coprime integers, the terms are integer terms other than sums, and the
/// bound is an integer.
#[derive(Clone, Debug)]
struct Cut {
    form: Vec<(Rational, Term)>,
    bound: Rational,
}

impl Cut {
    /// The case distinction. The side toward zero comes first, so that a search without bounds does
    /// not run away.
    fn into_split(self, store: &mut TermStore) -> Split {
        let toward_zero = !self.bound.is_negative();
        let mut linear = Linear::from_monomials(self.form, -self.bound);
        linear.scale(&linear.primitive_factor());
        Split { atom: store.le_zero(&linear), phase: Some(toward_zero) }
    }
}

/// What the integer search remembers between checks.
#[derive(Clone, Debug, Default)]
pub(super) struct IntegerState {
    /// Case distinctions asked for since the query began.
    pub(super) splits: u32,
    pub(super) planning: Planning,
    /// The atoms of all case distinctions so far.
    pub(super) asked: Set<Term>,
}

fn is_integral(value: &Delta) -> bool {
    value.is_real() && value.real.is_integer()
}

impl Arith {
    /// The final check, after the relaxation was found feasible.
    pub(super) fn check_integers(
        &mut self,
        store: &mut TermStore,
        budget: &Budget,
    ) -> Outcome<Check<Farkas>> {
        if self.round_nonbasic()
            && let Feasibility::Stuck(row, end) = self.simplex.solve(budget, &mut self.changed)?
        {
            return Ok(Check::Conflict(self.row_conflict(row, end)));
        }
        loop {
            let mut fractional = self.fractional();
            if !fractional.is_empty() && self.patch(&fractional) {
                fractional = self.fractional();
            }
            if fractional.is_empty() {
                self.integer.splits = 0;
                self.integer.planning.clear();
                return Ok(Check::Consistent);
            }
            if self.integer.splits >= self.options.split_limit {
                return Err(GaveUp::incomplete(SPLIT_LIMIT));
            }
            self.integer.splits = self.integer.splits.saturating_add(1);
            let cut = match self.flat_split(budget, &fractional)? {
                Flat::Nothing => self.choose_split(budget, &fractional)?,
                Flat::Split(cut) => {
                    self.stats.flat += 1;
                    cut
                }
                Flat::Solved => continue,
            };
            let split = cut.into_split(store);
            self.integer.asked.insert(store.strip_not(split.atom).0);
            return Ok(Check::Split(vec![split]));
        }
    }
    fn choose_split(&mut self, budget: &Budget, fractional: &[Column]) -> Outcome<Cut> {
        let found = match self.gcd_split(fractional) {
            Some(split) => Some(split),
            None => self.cut(budget, fractional, self.eagerness())?,
        };
        if let Some(split) = found {
            self.stats.cuts += 1;
            return Ok(split);
        }
        self.stats.branches += 1;
        Ok(self.branch(fractional))
    }
    fn eagerness(&self) -> Eagerness {
        match self.integer.splits % CUT_PERIOD {
            1 => Eagerness::Equations,
            0 => Eagerness::Vertex,
            _ => Eagerness::Row,
        }
    }
    /// Moves non-basic integer columns to integral values within their bounds; tells whether any
    /// moved.
    fn round_nonbasic(&mut self) -> bool {
        let mut suspects = self.simplex.fractional();
        suspects.retain(|&x| self.simplex.tableau.place(x) == Place::NonBasic);
        for &x in &suspects {
            // The bounds of integer columns are integral, so rounding does not leave them.
            let value = self.simplex.value(x);
            let step = &Delta::from(value.floor()) - value;
            self.simplex.shift(x, &step);
        }
        !suspects.is_empty()
    }
    /// The integer terms with fractional values; all of them are basic afterwards.
    fn fractional(&mut self) -> Vec<Column> {
        let fractional = self.simplex.fractional();
        let which = if fractional.is_empty() { Which::Inexact } else { Which::Integers };
        let mut found = self.simplex.refresh_dormant(which);
        found.retain(|&x| self.simplex.is_fractional(x) && self.simplex.is_opaque(x));
        for &x in &found {
            self.simplex.wake(x);
        }
        found.extend(fractional.into_iter().filter(|&x| self.simplex.is_opaque(x)));
        found.sort_unstable();
        found
    }

    /// The split of a form of columns at `value`, over opaque terms with coprime coefficients;
    /// `None` if it mixes sides.
    fn split_at(&self, columns: &[(Rational, Column)], value: &Delta) -> Option<Cut> {
        let mut parts: Vec<(Rational, Column)> = Vec::new();
        for (c, x) in columns {
            if self.simplex.is_opaque(*x) {
                parts.push((c.clone(), *x));
            } else {
                parts.extend(self.simplex.definition(*x).iter().map(|(d, y)| (c * d, *y)));
            }
        }
        parts.sort_by_key(|(_, x)| *x);
        let mut form: Vec<(Rational, Term)> = Vec::new();
        let mut common = Rational::ZERO;
        for group in parts.chunk_by(|a, b| a.1 == b.1) {
            let sum: Rational = group.iter().map(|(c, _)| c.clone()).sum();
            if !sum.is_zero() {
                common = shofar_num::gcd(&common, &sum);
                form.push((sum, self.forms[group[0].1].term));
            }
        }
        for (c, _) in &mut form {
            *c /= &common;
        }
        let pure = !form.is_empty() && self.is_pure(form.iter().map(|(_, t)| *t));
        pure.then(|| Cut { bound: value.scale(&common.recip()).floor(), form })
    }
    fn is_pure(&self, terms: impl Iterator<Item = Term>) -> bool {
        let mut only: Option<Side> = None;
        for side in terms.filter_map(|t| self.side.get(&t).copied()) {
            if *only.get_or_insert(side) != side {
                return false;
            }
        }
        true
    }
}
