//! The integral points of a region, in coordinates of which the first ones are bounded.
//!
//! A sum of integer terms is *bounded* if the region limits it on both sides. All bounded sums are
//! combinations of bounds that are limited on both sides themselves; real terms are eliminated from
//! these. Those with one value only are equations, solved by the Hermite normal form; the others
//! span the coordinates `z = forms·x` that are bounded. Any values of these for which the region
//! has points extend to an integral point: what is not bounded has room in every direction. So a
//! region is decided by branches on finitely many values.
//!
//! The bounded coordinates are chosen as a reduced basis (`reduce`), in which few values are left
//! to try.
//!
//! Source: [Bro18] for the reduction to bounded sums; [Len83] for coordinates in which a region is
//! round. DIVERGENCE [Bro18]: sums are recognised as bounded by optimising them, and the
//! coordinates are reduced.

use shofar_base::{Budget, Outcome};
use shofar_num::{Delta, Rational, gcd, lcm};

use super::hermite::{Forms, decompose, saturate};
use super::reduce::reduce;
use super::region::{Form, Region};

/// Bounded coordinates up to which a basis is reduced.
const WIDEST: usize = 40;

/// What the bounds of a region say about integral points.
pub(super) enum Integral {
    /// There is none, since this sum, over the terms of the region, is strictly between two
    /// integers.
    Refuted { form: Form, value: Delta },
    /// They are the integral values of these coordinates that fit.
    Points(Lattice),
}

/// Coordinates of the integral points; see the module documentation.
pub(super) struct Lattice {
    /// The coordinates, as sums of the terms of the region.
    pub(super) forms: Vec<Form>,
    /// How many of them are bounded; these come first.
    pub(super) bounded: usize,
    /// The point where all coordinates are 0, and the points where one of them is 1, less the
    /// former; for integer terms.
    pub(super) origin: Vec<Rational>,
    pub(super) directions: Vec<Vec<Rational>>,
    /// Sums that generate the same as the bounded coordinates, those with the fewest values first.
    pub(super) branches: Vec<Form>,
}

/// A sum of integer terms, and its values.
struct Ranged {
    form: Form,
    low: Delta,
    high: Delta,
}

impl Ranged {
    /// How many integers are between the least and the greatest value.
    fn count(&self) -> Rational {
        self.high.floor() - self.low.ceil() + Rational::ONE
    }
}

impl Region {
    /// The integral points; nothing if numbers grow too large.
    pub(super) fn integral_points(&mut self, budget: &Budget) -> Outcome<Option<Integral>> {
        let rows = self.bounded_rows(budget)?;
        let rows = self.without_reals(rows);
        let mut ranged = Vec::with_capacity(rows.len());
        for form in rows {
            let Some(row) = self.ranged(budget, form)? else { return Ok(None) };
            if !row.count().is_positive() {
                let value = row.low;
                return Ok(Some(Integral::Refuted { form: row.form, value }));
            }
            ranged.push(row);
        }
        let integers: Vec<usize> = (0..self.terms.len()).filter(|&i| self.integer[i]).collect();
        let Some(found) = points(&ranged, &integers, self.terms.len()) else { return Ok(None) };
        match found {
            Integral::Points(lattice) => self.sort_branches(budget, lattice).map(Some),
            Integral::Refuted { .. } => Ok(Some(found)),
        }
    }
    /// The sums with bounds that are limited on both sides.
    fn bounded_rows(&mut self, budget: &Budget) -> Outcome<Vec<Form>> {
        let mut rows = Vec::new();
        for (column, form) in self.limited.clone() {
            if self.is_bounded(budget, column)? {
                rows.push(form);
            }
        }
        Ok(rows)
    }
    fn ranged(&mut self, budget: &Budget, form: Form) -> Outcome<Option<Ranged>> {
        let column = self.column(form.clone());
        Ok(self.range(budget, column)?.map(|(low, high)| Ranged { form, low, high }))
    }
    /// Combinations of the rows that have no real terms and generate all such, with coprime
    /// integral coefficients.
    fn without_reals(&self, mut rows: Vec<Form>) -> Vec<Form> {
        for at in (0..self.terms.len()).filter(|&at| !self.integer[at]) {
            let Some(i) = rows.iter().position(|row| !row[at].is_zero()) else { continue };
            let pivot = rows.swap_remove(i);
            for row in rows.iter_mut().filter(|row| !row[at].is_zero()) {
                let factor = &row[at] / &pivot[at];
                for (c, p) in row.iter_mut().zip(&pivot) {
                    c.sub_mul(&factor, p);
                }
            }
        }
        rows.retain(|row| row.iter().any(|c| !c.is_zero()));
        for row in &mut rows {
            let scale = row.iter().fold(Rational::ONE, |d, c| lcm(&d, &c.denominator()));
            let common = row.iter().fold(Rational::ZERO, |g, c| gcd(&g, &(c * &scale)));
            for c in row {
                *c = &(&*c * &scale) / &common;
            }
        }
        rows.sort();
        rows.dedup();
        rows
    }
    /// Puts the branches with the fewest values first; one without a value refutes the region.
    fn sort_branches(&mut self, budget: &Budget, mut lattice: Lattice) -> Outcome<Integral> {
        let mut ranged = Vec::new();
        for form in lattice.branches.drain(..).rev() {
            let Some(row) = self.ranged(budget, form)? else { continue };
            let count = row.count();
            if !count.is_positive() {
                return Ok(Integral::Refuted { form: row.form, value: row.low });
            }
            ranged.push((count, row.form));
        }
        ranged.sort_by(|a, b| a.0.cmp(&b.0));
        lattice.branches = ranged.into_iter().map(|(_, form)| form).collect();
        Ok(Integral::Points(lattice))
    }
}

/// The coordinates of the integral points for which equations hold, those spanned by the other rows
/// first; for a region with `size` terms, of which these are integers.
fn points(rows: &[Ranged], integers: &[usize], size: usize) -> Option<Integral> {
    let width = integers.len();
    let pick =
        |form: &Form| -> Vec<Rational> { integers.iter().map(|&i| form[i].clone()).collect() };
    let (equations, others): (Vec<&Ranged>, Vec<&Ranged>) =
        rows.iter().partition(|row| row.low == row.high);
    let right: Vec<Delta> = equations.iter().map(|row| row.low.clone()).collect();
    let mut matrix: Vec<Vec<Rational>> =
        equations.iter().chain(&others).map(|row| pick(&row.form)).collect();
    matrix.extend(unit(width));
    let back = |form: &[Rational]| {
        let mut whole = vec![Rational::ZERO; size];
        for (&i, c) in integers.iter().zip(form) {
            whole[i] = c.clone();
        }
        whole
    };
    let (open, sums) = match decompose(&matrix, &right, width)? {
        Forms::Refuted { form, value } => {
            return Some(Integral::Refuted { form: back(&form), value });
        }
        Forms::Open { forms, others } => (forms, others),
    };
    let origin = sums[others.len()..].iter().map(|sum| sum.constant.real.clone()).collect();
    let matrix: Vec<Vec<Rational>> = sums.iter().map(|sum| sum.coefficients.clone()).collect();
    let free = open.len();
    let span = saturate(&matrix, others.len(), free)?;
    let mut branches = span.forms[..span.rank].to_vec();
    if span.rank <= WIDEST {
        reduce(gram(&others, &span.columns[..span.rank]), &mut branches);
    }
    let over_terms = |form: &Vec<Rational>| back(&combine(form, &open, width));
    Some(Integral::Points(Lattice {
        forms: span.forms.iter().map(over_terms).collect(),
        bounded: span.rank,
        origin,
        directions: span.columns.iter().map(|column| column[others.len()..].to_vec()).collect(),
        branches: branches.iter().map(over_terms).collect(),
    }))
}

fn unit(size: usize) -> impl Iterator<Item = Vec<Rational>> {
    let entry = |i: usize, j: usize| if i == j { Rational::ONE } else { Rational::ZERO };
    (0..size).map(move |i| (0..size).map(|j| entry(i, j)).collect())
}

/// The sum of `forms`, each times its coefficient.
fn combine(coefficients: &[Rational], forms: &[Vec<Rational>], width: usize) -> Vec<Rational> {
    let mut sum = vec![Rational::ZERO; width];
    for (c, form) in coefficients.iter().zip(forms) {
        for (s, f) in sum.iter_mut().zip(form) {
            s.add_mul(c, f);
        }
    }
    sum
}

/// The inner products of the columns, in which each row is divided by its width, roughly.
fn gram(rows: &[&Ranged], columns: &[Vec<Rational>]) -> Vec<Vec<Rational>> {
    let weights: Vec<Rational> =
        rows.iter().map(|row| rough(&row.high.real, &row.low.real)).collect();
    let product = |a: &[Rational], b: &[Rational]| {
        let mut sum = Rational::ZERO;
        for (w, (x, y)) in weights.iter().zip(a.iter().zip(b)) {
            sum.add_mul(w, &(x * y));
        }
        sum
    };
    columns.iter().map(|a| columns.iter().map(|b| product(a, b)).collect()).collect()
}

/// The inverse of the square of the width, as a power of four.
fn rough(high: &Rational, low: &Rational) -> Rational {
    let (mut width, mut weight) = (high - low, Rational::ONE);
    let (two, quarter) = (Rational::from(2), Rational::new(1, 4));
    while width >= two {
        width = &width / &two;
        weight *= &quarter;
    }
    weight
}
