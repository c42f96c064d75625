//! Bounds of sums and differences of two dimensions.
//!
//! A dimension `x` is two variables, `V₂ₓ = x` and `V₂ₓ₊₁ = −x`, and a matrix bounds their
//! differences: `V_b − V_a ≤ m[a][b]`. So `±x ± y ≤ c` is one entry (and its mirror image), and
//! `±x ≤ c` is an entry with the bound `2c`. The image of a conjunction is computed in a
//! [matrix](matrix) over few dimensions: those that are equal up to sign and a constant, as the old
//! and the new value of a counter are, share one ([`alias`]).
//!
//! Invariant: the matrix of a value is closed (no entry follows from others with a smaller bound),
//! so joins and comparisons are entry by entry. The matrix that was widened last is kept as it was,
//! since closing it between widenings would undo them. Dimensions that are truth values are not
//! bounded; if a value has more than [`MOST_IN_OCTAGON`] others, nothing is known.
//!
//! Source: [Min06], §2 to §4; the integer closure is [BHZ08]'s. Symbols: `m` → `bounds`, `ī` →
//! `i ^ 1`. DIVERGENCE [Min06]: strict bounds of reals are read as weak ones, and packs are whole
//! predicates.

mod alias;
mod matrix;

use shofar_base::Idx;
use shofar_num::Rational;

use crate::octagon::alias::Aliases;
use crate::octagon::matrix::Matrix;
use crate::{Constraint, Dim, Domain, Form, Leaf, Numbers, Premise, Relation};

/// Octagons of more dimensions say nothing.
pub const MOST_IN_OCTAGON: usize = 12;
/// An image is computed over so many dimensions at most.
const MOST_IN_IMAGE: usize = 20;
/// Constraints with more dimensions are used through the bounds of single ones only.
const LONGEST: usize = 5;

/// One dimension or its opposite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Signed {
    at: usize,
    negative: bool,
}

impl Signed {
    fn opposite(self) -> Self {
        Self { negative: !self.negative, ..self }
    }
    /// The index of the variable.
    fn variable(self) -> usize {
        2 * self.at + usize::from(self.negative)
    }
}

/// The points within bounds of sums and differences; see the module documentation.
#[derive(Clone, Debug)]
pub struct Octagon {
    /// Closed.
    bounds: Matrix,
    /// What the last widening made, if the value comes from one; it describes the same points.
    widened: Option<Matrix>,
}

impl PartialEq for Octagon {
    fn eq(&self, other: &Self) -> bool {
        self.bounds == other.bounds
    }
}

impl Domain for Octagon {
    const WIDENS: bool = true;
    const COST: usize = 50;
    fn top(dims: usize) -> Self {
        Self { bounds: Matrix::new(dims), widened: None }
    }
    fn image(leaf: Leaf<'_>, premises: &[Premise<'_, Self>], to: &[Dim]) -> Option<Self> {
        let is_number = |dim: &&Dim| leaf.space[**dim] != Numbers::Boolean;
        if to.iter().filter(is_number).count() > MOST_IN_OCTAGON {
            return Some(Self::top(to.len()));
        }
        let aliases = Aliases::of(&leaf)?;
        let mut image = Image::new(leaf, aliases, premises, to);
        for (known, dims) in premises {
            image.assume_value(known, dims)?;
        }
        image.assume_ranges()?;
        for constraint in leaf.cube {
            image.assume(constraint)?;
        }
        let dims = image.places.dims.iter();
        let integral: Vec<bool> = dims.map(|&dim| leaf.space[dim].are_integral()).collect();
        if !image.matrix.close(&integral) || image.avoid()? && !image.matrix.close(&integral) {
            return None;
        }
        let Image { matrix, aliases, places, .. } = image;
        Some(projected(&matrix, &aliases, &places, leaf, to))
    }
    fn join(&mut self, other: &Self) {
        self.bounds.join(&other.bounds);
        self.widened = None;
    }
    fn widen(&mut self, other: &Self, thresholds: &[Rational]) {
        let mut raw = self.widened.take().unwrap_or_else(|| self.bounds.clone());
        raw.widen(&other.bounds, thresholds);
        self.bounds = raw.clone();
        // The bounds of integers are integral already, so nothing is to be rounded.
        let integral = vec![false; self.bounds.dims()];
        let is_inhabited = self.bounds.close(&integral);
        debug_assert!(is_inhabited, "what is widened keeps its points");
        self.widened = Some(raw);
    }
    fn includes(&self, other: &Self) -> bool {
        self.bounds.includes(&other.bounds)
    }
    fn constraints(&self) -> Vec<Constraint> {
        self.bounds.constraints()
    }
}

/// The dimensions that an image is computed over.
struct Places {
    /// Where each dimension of the space is, for those that have a place.
    of: Vec<Option<usize>>,
    dims: Vec<Dim>,
}

impl Places {
    fn enter(&mut self, dim: Dim) {
        if self.of[dim.index()].is_none() && self.dims.len() < MOST_IN_IMAGE {
            self.of[dim.index()] = Some(self.dims.len());
            self.dims.push(dim);
        }
    }
}

/// An image that is being computed.
struct Image<'l> {
    leaf: Leaf<'l>,
    aliases: Aliases,
    places: Places,
    matrix: Matrix,
}

impl<'l> Image<'l> {
    /// What is asked for and what is known comes first, then what constraints with few dimensions
    /// mention.
    fn new(
        leaf: Leaf<'l>,
        aliases: Aliases,
        premises: &[Premise<'_, Octagon>],
        to: &[Dim],
    ) -> Self {
        let mut places = Places { of: vec![None; leaf.space.len()], dims: Vec::new() };
        let known = premises.iter().flat_map(|(_, dims)| dims.iter());
        let short = leaf.cube.iter().filter(|c| c.form.monomials().len() <= LONGEST);
        let mentioned = short.flat_map(|c| c.form.monomials().iter().map(|(dim, _)| dim));
        for &dim in to.iter().chain(known).chain(mentioned) {
            if leaf.space[dim] != Numbers::Boolean {
                places.enter(aliases.of_dim(dim).root);
            }
        }
        let matrix = Matrix::new(places.dims.len());
        Self { leaf, aliases, places, matrix }
    }
    /// Assumes `±x ± y ≤ bound`, or `±x ≤ bound` without a second one; nothing if that cannot be.
    fn bound(
        &mut self,
        first: (Dim, bool),
        second: Option<(Dim, bool)>,
        bound: &Rational,
    ) -> Option<()> {
        let mut bound = bound.clone();
        let Some(first) = self.signed(first, &mut bound) else { return Some(()) };
        match second {
            None => self.matrix.bound_one(first, &bound),
            Some(second) => {
                let Some(second) = self.signed(second, &mut bound) else { return Some(()) };
                if first.at != second.at {
                    self.matrix.bound_two(first, second, &bound);
                } else if first.negative == second.negative {
                    self.matrix.bound_one(first, &(bound / Rational::from(2)));
                } else if bound.is_negative() {
                    return None;
                }
            }
        }
        Some(())
    }
    /// The place of `±x`, whose constant goes to the bound.
    fn signed(&self, (dim, negative): (Dim, bool), bound: &mut Rational) -> Option<Signed> {
        let alias = self.aliases.of_dim(dim);
        let at = self.places.of[alias.root.index()]?;
        if negative {
            *bound += &alias.constant;
        } else {
            *bound -= &alias.constant;
        }
        Some(Signed { at, negative: negative != alias.negative })
    }
    fn assume_value(&mut self, known: &Octagon, dims: &[Dim]) -> Option<()> {
        let count = known.bounds.dims();
        for (i, j) in (0..count).flat_map(|i| (i..count).map(move |j| (i, j))) {
            for (first, second) in [(false, false), (false, true), (true, false), (true, true)] {
                let (a, b) =
                    (Signed { at: i, negative: first }, Signed { at: j, negative: second });
                let bound = if i == j {
                    if first != second {
                        continue;
                    }
                    known.bounds.one(a)
                } else {
                    known.bounds.two(a, b).cloned()
                };
                let Some(bound) = bound else { continue };
                let second = (i != j).then(|| (dims[j], second));
                self.bound((dims[i], first), second, &bound)?;
            }
        }
        Some(())
    }
    fn assume_ranges(&mut self) -> Option<()> {
        for dim in self.leaf.space.handles() {
            let range = self.leaf.ranges.range(dim);
            if let Some(upper) = &range.upper {
                self.bound((dim, false), None, &upper.real)?;
            }
            if let Some(lower) = &range.lower {
                self.bound((dim, true), None, &-&lower.real)?;
            }
        }
        Some(())
    }
    fn assume(&mut self, constraint: &Constraint) -> Option<()> {
        let Constraint { form, relation, bound } = constraint;
        match relation {
            Relation::AtMost | Relation::Below => self.at_most(form, bound),
            Relation::Equal => {
                self.at_most(form, bound)?;
                self.at_most(&form.negated(), &-bound)
            }
            Relation::Differs | Relation::Congruent(_) => Some(()),
        }
    }
    /// Uses that sums and differences of two dimensions are not what the closed matrix has as their
    /// bounds: a bound of integers is the next one then. Whether a bound has changed; nothing
    /// if no point is left.
    fn avoid(&mut self) -> Option<bool> {
        let mut changed = false;
        for Constraint { form, relation, bound } in self.leaf.cube {
            let ([(x, c), (y, d)], Relation::Differs) = (form.monomials(), relation) else {
                continue;
            };
            if c.abs() != d.abs() {
                continue;
            }
            let mut value = bound / &c.abs();
            let first = self.signed((*x, c.is_negative()), &mut value);
            let second = self.signed((*y, d.is_negative()), &mut value);
            let (Some(first), Some(second)) = (first, second) else { continue };
            if first.at == second.at {
                continue;
            }
            let (minus_first, minus_second) = (first.opposite(), second.opposite());
            let is_upper = self.matrix.two(first, second) == Some(&value);
            let is_lower = self.matrix.two(minus_first, minus_second) == Some(&-&value);
            let is_integral = |dim: &Dim| self.leaf.space[*dim].are_integral();
            match (is_upper, is_lower) {
                (true, true) => return None,
                (false, false) => continue,
                (true, false) | (false, true) if !is_integral(x) || !is_integral(y) => continue,
                (true, false) => self.matrix.bound_two(first, second, &(value - Rational::ONE)),
                (false, true) => {
                    let bound = -&(value + Rational::ONE);
                    self.matrix.bound_two(minus_first, minus_second, &bound);
                }
            }
            changed = true;
        }
        Some(changed)
    }
    /// Assumes `form ≤ bound` for all pairs of dimensions with coefficients of the same size; the
    /// others are bounded by their ranges.
    fn at_most(&mut self, form: &Form, bound: &Rational) -> Option<()> {
        let monomials = form.monomials();
        if monomials.len() > LONGEST {
            return Some(());
        }
        for (i, (first, c)) in monomials.iter().enumerate() {
            for (second, d) in &monomials[i + 1..] {
                if c.abs() != d.abs() {
                    continue;
                }
                let others = monomials.iter().filter(|(dim, _)| dim != first && dim != second);
                let others = Form::new(others.cloned().collect());
                let Some(least) = self.leaf.ranges.least(&others) else { continue };
                let mut limit = (bound - least.real) / c.abs();
                let is_integral = |dim: &Dim| self.leaf.space[*dim].are_integral();
                if is_integral(first) && is_integral(second) {
                    limit = limit.floor();
                }
                let pair = ((*first, c.is_negative()), (*second, d.is_negative()));
                self.bound(pair.0, Some(pair.1), &limit)?;
            }
        }
        Some(())
    }
}

/// What a closed matrix says about the dimensions `to`.
fn projected(
    matrix: &Matrix,
    aliases: &Aliases,
    places: &Places,
    leaf: Leaf<'_>,
    to: &[Dim],
) -> Octagon {
    let mut result = Matrix::new(to.len());
    let signed = |dim: Dim, negative: bool| -> Option<(Signed, Rational)> {
        if leaf.space[dim] == Numbers::Boolean {
            return None;
        }
        let alias = aliases.of_dim(dim);
        let at = places.of[alias.root.index()]?;
        let constant = if negative { -&alias.constant } else { alias.constant.clone() };
        Some((Signed { at, negative: negative != alias.negative }, constant))
    };
    for (i, &first) in to.iter().enumerate() {
        for (j, &second) in to.iter().enumerate().skip(i) {
            for (n, m) in [(false, false), (false, true), (true, false), (true, true)] {
                let (Some((a, k)), Some((b, l))) = (signed(first, n), signed(second, m)) else {
                    continue;
                };
                let (here, there) = (Signed { at: i, negative: n }, Signed { at: j, negative: m });
                if i == j {
                    if let (true, Some(bound)) = (n == m, matrix.one(a)) {
                        result.bound_one(here, &(bound + k));
                    }
                    continue;
                }
                let bound = if a.at != b.at {
                    matrix.two(a, b).cloned()
                } else if a.negative == b.negative {
                    matrix.one(a).map(|bound| bound * Rational::from(2))
                } else {
                    Some(Rational::ZERO)
                };
                if let Some(bound) = bound {
                    result.bound_two(here, there, &(bound + k + l));
                }
            }
        }
    }
    Octagon { bounds: result, widened: None }
}
