//! Cuts from proofs: splits on forms that the tight constraints force to fractional values.
//!
//! A fractional basic term is determined by the non-basic columns of its row. Those that sit on a bound are the tight
//! constraints: equations between integer terms which, if they determine the term, have no common integral solution. The
//! Hermite normal form finds an integral form that they force to a fractional value, and the search splits on that form. If
//! some columns of the row sit on no bound and the tight constraints alone are solvable, the split is on a form that
//! they leave open; once all of these are integral, so is every term.
//!
//! The constraints of fixed columns, equations that is, are tried first. If they suffice for the proof, both cases of the
//! split close at once. If they are solvable, the forms that they leave open are better to branch on than the terms
//! themselves, whose values are tied to each other: such a branch cannot walk along the solutions of the equations.
//!
//! Source: [DDA09]. DIVERGENCE: the paper takes all constraints tight at the vertex; we take those of one row of the
//! tableau, which keeps the matrix small and still always contains a proof, and we branch on open forms.

use shofar_base::{Budget, Outcome, Set};
use shofar_num::Rational;

use super::super::Arith;
use super::super::tableau::{Column, Place, Row};
use super::hermite::{Forms, decompose};
use crate::theory::Split;

/// Systems with more constraints or terms than this are left to branching.
const LARGEST: usize = 60;
/// Forms with a coefficient of more bits than this are left to branching.
const WIDEST_COEFFICIENT: usize = 40;
/// How many rows are tried in one check.
const TRIES: usize = 8;

/// Equations between opaque integer terms.
struct System {
    matrix: Vec<Vec<Rational>>,
    right: Vec<Rational>,
    terms: Vec<Column>,
}

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

/// Which of the tight constraints take part.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Those of the fixed columns of the row.
    Fixed,
    /// Those of all fixed columns that are connected with the row by common terms.
    Connected,
    /// All tight ones of the row.
    Tight,
    /// All tight ones that are connected with the row by common terms.
    Vertex,
}

impl Arith {
    /// A split on a form that tight constraints make fractional; where it looks depends on `eagerness`.
    pub(super) fn cut(
        &self,
        budget: &Budget,
        fractional: &[Column],
        eagerness: Eagerness,
    ) -> Outcome<Option<Split>> {
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
    /// A split on a form that tight inequalities make fractional, or at the highest eagerness leave open.
    fn tight_split(&self, row: Row, eagerness: Eagerness, first: bool) -> Option<Split> {
        let reaches = [Some(Reach::Tight), first.then_some(Reach::Vertex)];
        let mut found = reaches.into_iter().flatten().filter_map(|reach| self.form_of(row, reach));
        let wanted = |strength| strength == Strength::Refuted || eagerness == Eagerness::Vertex;
        found.find(|(strength, _)| wanted(*strength)).map(|(_, split)| split)
    }
    /// The split on the form found for one row.
    fn form_of(&self, row: Row, reach: Reach) -> Option<(Strength, Split)> {
        let system = self.tight_system(row, reach)?;
        match decompose(&system.matrix, &system.right, system.terms.len())? {
            Forms::Refuted { form, value } => {
                Some((Strength::Refuted, self.form_split(&system, form, &value)?))
            }
            Forms::Open(forms) => Some((Strength::Open, self.open_split(&system, forms)?)),
        }
    }
    /// The tight constraints of a row, with the terms that are themselves constrained replaced by their values.
    fn tight_system(&self, row: Row, reach: Reach) -> Option<System> {
        let basic = self.simplex.tableau.basic(row);
        let (mut sums, mut loose) = (Vec::new(), Vec::new());
        let mut constant: Set<Column> = Set::default();
        for entry in self.simplex.tableau.entries(row) {
            let x = entry.column;
            if !self.forms[x].integer {
                return None;
            }
            let takes_part = x != basic && self.takes_part(x, reach);
            match (takes_part, self.simplex.is_opaque(x)) {
                (true, true) => {
                    constant.insert(x);
                }
                (true, false) => sums.push(x),
                (false, _) => loose.push(x),
            }
        }
        if matches!(reach, Reach::Connected | Reach::Vertex) {
            self.connect(reach, &mut sums, &loose, &mut constant);
        }
        let terms = self.terms_of(sums.iter().chain(&loose), &constant);
        if sums.is_empty() || sums.len() > LARGEST || terms.len() > LARGEST {
            return None;
        }
        let (matrix, right) = sums.iter().map(|&x| self.equation(x, &terms, &constant)).unzip();
        Some(System { matrix, right, terms })
    }
    fn takes_part(&self, x: Column, reach: Reach) -> bool {
        let limits = self.simplex.bounds.of(x);
        match reach {
            Reach::Fixed | Reach::Connected => limits.is_fixed(),
            Reach::Tight | Reach::Vertex => limits.is_tight(self.simplex.value(x)),
        }
    }
    /// Adds the sums that take part and share a term, directly or through others, with those that are there.
    fn connect(
        &self,
        reach: Reach,
        sums: &mut Vec<Column>,
        loose: &[Column],
        constant: &mut Set<Column>,
    ) {
        let takes_part = |x: &Column| self.forms[*x].integer && self.takes_part(*x, reach);
        let (opaque, mut rest): (Vec<_>, Vec<_>) = self
            .simplex
            .tableau
            .columns()
            .filter(takes_part)
            .partition(|&x| self.simplex.is_opaque(x));
        constant.extend(opaque);
        rest.retain(|x| !sums.contains(x));
        let mut reached: Set<Column> =
            self.terms_of(sums.iter().chain(loose), constant).into_iter().collect();
        while sums.len() <= LARGEST {
            let touches = |x: &mut Column| {
                self.simplex.definition(*x).iter().any(|(_, y)| reached.contains(y))
            };
            let new: Vec<Column> = rest.extract_if(.., touches).collect();
            if new.is_empty() {
                return;
            }
            reached.extend(self.terms_of(new.iter(), constant));
            sums.extend(new);
        }
    }
    /// The opaque terms in the definitions of `columns`, without the constant ones.
    fn terms_of<'a>(
        &self,
        columns: impl Iterator<Item = &'a Column>,
        constant: &Set<Column>,
    ) -> Vec<Column> {
        let mut terms: Vec<Column> = Vec::new();
        for &x in columns {
            if self.simplex.is_opaque(x) {
                terms.push(x);
            }
            terms.extend(self.simplex.definition(x).iter().map(|(_, y)| *y));
        }
        terms.sort_unstable();
        terms.dedup();
        terms.retain(|x| !constant.contains(x));
        terms
    }
    /// The equation between a tight sum and its value.
    fn equation(
        &self,
        x: Column,
        terms: &[Column],
        constant: &Set<Column>,
    ) -> (Vec<Rational>, Rational) {
        let mut left = vec![Rational::ZERO; terms.len()];
        let mut right = self.simplex.value(x).real.clone();
        for (c, y) in self.simplex.definition(x) {
            if constant.contains(y) {
                right.sub_mul(c, &self.simplex.value(*y).real);
            } else {
                let at = terms.binary_search(y).expect("all terms of definitions are listed");
                left[at] = c.clone();
            }
        }
        (left, right)
    }
    fn form_split(&self, system: &System, form: Vec<Rational>, value: &Rational) -> Option<Split> {
        let narrow = form.iter().all(|c| c.bits() <= WIDEST_COEFFICIENT);
        let parts = form.into_iter().zip(system.terms.iter().copied());
        let parts: Vec<_> = parts.filter(|(c, _)| !c.is_zero()).collect();
        if narrow { self.split_at(&parts, value) } else { None }
    }
    /// A split on the smallest form that the present assignment makes fractional; single terms are left to branching.
    fn open_split(&self, system: &System, forms: Vec<Vec<Rational>>) -> Option<Split> {
        let mut best: Option<(usize, Vec<Rational>, Rational)> = None;
        for form in forms {
            let mut value = Rational::ZERO;
            for (c, x) in form.iter().zip(&system.terms) {
                value.add_mul(c, &self.simplex.value(*x).real);
            }
            let parts = form.iter().filter(|c| !c.is_zero());
            let size = parts.clone().map(Rational::bits).sum();
            if !value.is_integer()
                && parts.count() > 1
                && best.as_ref().is_none_or(|(least, ..)| size < *least)
            {
                best = Some((size, form, value));
            }
        }
        best.and_then(|(_, form, value)| self.form_split(system, form, &value))
    }
}
