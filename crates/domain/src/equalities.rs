//! Linear equations: affine spaces.
//!
//! An affine space that is not empty is described by the equations that hold in it, the row space
//! of a matrix whose last column stands for the constant. The equations of two spaces are the
//! equations of their affine hull, so the join is the intersection of two row spaces, which is
//! computed by the algorithm of Zassenhaus. Every proper join drops an equation, so nothing needs
//! to be widened.
//!
//! Invariant: no row is `1 = 0`. An equation over the integers whose coefficients have a divisor
//! that the constant lacks makes an image empty; other consequences of integrality are not drawn.
//!
//! Source: [Kar76].
//! DIVERGENCE [Kar76]: the join works on equations only, without generating points; the affine hull
//! is the same.

use shofar_base::{Idx, Map};
use shofar_num::{Rational, gcd, lcm};

use crate::echelon::Echelon;
use crate::{Constraint, Dim, Domain, Form, Leaf, Numbers, Premise, Relation, Space};

/// The points that satisfy equations; see the module documentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equalities {
    dims: usize,
    /// Over the dimensions and one further column for the constant: `Σ cᵢ·xᵢ + c = 0`.
    rows: Echelon,
}

impl Equalities {
    /// The equations `Σ cᵢ·xᵢ = bound`; the first dimension of each has the coefficient 1 and
    /// occurs in no other.
    pub fn equations(&self) -> Vec<(Form, Rational)> {
        let last = Dim::from_index(self.dims);
        let equation = |row: &Form| {
            let (mut bound, mut monomials) = (Rational::ZERO, Vec::new());
            for (dim, c) in row.monomials() {
                if *dim == last {
                    bound = -c;
                } else {
                    monomials.push((*dim, c.clone()));
                }
            }
            (Form::new(monomials), bound)
        };
        self.rows.rows().iter().map(equation).collect()
    }
}

/// `form = bound` as a row whose columns are chosen by `column`, with the constant in `last`.
fn row(form: &Form, bound: &Rational, column: impl Fn(Dim) -> Dim, last: Dim) -> Form {
    let monomials = form.monomials().iter().map(|(dim, c)| (column(*dim), c.clone()));
    Form::new(monomials.chain([(last, -bound)]).collect())
}

/// Whether the equation has no solution in the integers, by its divisors.
fn is_impossible(space: &Space, form: &Form, bound: &Rational) -> bool {
    if !form.monomials().iter().all(|(dim, _)| space[*dim].are_integral()) {
        return false;
    }
    let denominators =
        form.monomials().iter().fold(Rational::ONE, |d, (_, c)| lcm(&d, &c.denominator()));
    let divisor =
        form.monomials().iter().fold(Rational::ZERO, |g, (_, c)| gcd(&g, &(c * &denominators)));
    let bound = bound * &denominators;
    !divisor.is_zero() && !(bound / divisor).is_integer()
}

impl Domain for Equalities {
    const WIDENS: bool = false;
    const COST: usize = 4;
    fn top(dims: usize) -> Self {
        Self { dims, rows: Echelon::default() }
    }
    /// The dimensions that are left out come first, so that rows with other pivots do not mention
    /// them.
    fn image(leaf: Leaf<'_>, premises: &[Premise<'_, Self>], to: &[Dim]) -> Option<Self> {
        let mut place: Map<Dim, usize> = Map::default();
        for (at, &dim) in to.iter().enumerate() {
            // Equations about truth values would be sums of them.
            if leaf.space[dim] != Numbers::Boolean {
                place.insert(dim, at);
            }
        }
        let before = leaf.space.len();
        let column = |dim: Dim| place.get(&dim).map_or(dim, |at| Dim::from_index(before + at));
        let last = Dim::from_index(before + to.len());
        let mut rows = Echelon::default();
        for (known, dims) in premises {
            for (form, bound) in known.equations() {
                rows.add(&row(&form, &bound, |dim| column(dims[dim.index()]), last));
            }
        }
        for dim in leaf.space.handles() {
            if let Some(value) = leaf.ranges.range(dim).point() {
                rows.add(&row(&Form::of(dim), value, column, last));
            }
        }
        for Constraint { form, relation, bound } in leaf.cube {
            match relation {
                Relation::Equal if is_impossible(leaf.space, form, bound) => return None,
                Relation::Equal => rows.add(&row(form, bound, column, last)),
                Relation::Differs => {
                    if rows.reduced(&row(form, bound, column, last)) == Form::default() {
                        return None;
                    }
                }
                Relation::AtMost | Relation::Below | Relation::Congruent(_) => (),
            }
        }
        let mut result = Self::top(to.len());
        for row in rows.rows() {
            let monomials = row.monomials().iter().map(|(dim, c)| (dim.index(), c));
            if row.monomials()[0].0 == last {
                return None;
            }
            if row.monomials()[0].0.index() >= before {
                let moved = monomials.map(|(at, c)| (Dim::from_index(at - before), c.clone()));
                result.rows.add(&Form::new(moved.collect()));
            }
        }
        let target: Space = to.iter().map(|&dim| leaf.space[dim]).collect();
        let has_points =
            result.equations().iter().all(|(f, bound)| !is_impossible(&target, f, bound));
        has_points.then_some(result)
    }
    fn join(&mut self, other: &Self) {
        if self.rows.rows().iter().all(|row| other.rows.reduced(row) == Form::default()) {
            return;
        }
        let width = self.dims + 1;
        let moved = |row: &Form| -> Vec<(Dim, Rational)> {
            let move_one =
                |(dim, c): &(Dim, Rational)| (Dim::from_index(dim.index() + width), c.clone());
            row.monomials().iter().map(move_one).collect()
        };
        let mut doubled = Echelon::default();
        for row in self.rows.rows() {
            let both = row.monomials().iter().cloned().chain(moved(row)).collect();
            doubled.add(&Form::new(both));
        }
        for row in other.rows.rows() {
            doubled.add(row);
        }
        self.rows = Echelon::default();
        for row in doubled.rows() {
            if row.monomials()[0].0.index() >= width {
                let back =
                    |(dim, c): &(Dim, Rational)| (Dim::from_index(dim.index() - width), c.clone());
                self.rows.add(&Form::new(row.monomials().iter().map(back).collect()));
            }
        }
    }
    fn widen(&mut self, other: &Self, _: &[Rational]) {
        self.join(other);
    }
    fn includes(&self, other: &Self) -> bool {
        self.rows.rows().iter().all(|row| other.rows.reduced(row) == Form::default())
    }
    fn constraints(&self) -> Vec<Constraint> {
        self.equations().into_iter().map(|(form, bound)| Constraint::equal(form, bound)).collect()
    }
}
