//! Numerical abstract domains: sets of points that are described by few constraints of one kind.
//!
//! | constraints | domain |
//! |---|---|
//! | `l ≤ x ≤ u` | [`Intervals`] |
//! | `±x ± y ≤ c` | [`Octagon`] |
//! | `c₁·x₁ + … + cₙ·xₙ = k` | [`Equalities`] |
//! | `x ≡ r (mod m)` | [`Congruences`] |
//!
//! A value of a [`Domain`] describes points of a space whose [dimensions](Dim) are integers, reals,
//! or truth values (0 and 1). It is never empty: the empty set is the absence of a value. What a
//! step makes of such values is one operation, [`Domain::image`]: the points of some dimensions for
//! which all constraints of a [`Leaf`] hold, over-approximated. Values of a fixpoint iteration are
//! joined and widened.
//!
//! All numbers are exact. Bounds and coefficients of more than [`MOST_BITS`] bits are forgotten,
//! which is an over-approximation, so that no sequence of values grows without limit.
//!
//! Invariant: operations only ever over-approximate; [`Domain::includes`] may say no where the
//! answer is yes, never the other way round.
//!
//! Source: [CC77] for the framework.
//!
//! Architecture invariant: nothing here knows about terms or clauses.

mod congruences;
mod constraint;
mod echelon;
mod equalities;
mod intervals;
mod octagon;

pub use congruences::Congruences;
pub use constraint::{Constraint, Dim, Form, Numbers, Relation, Space};
pub use equalities::Equalities;
pub use intervals::{Interval, Intervals};
pub use octagon::{MOST_IN_OCTAGON, Octagon};

use shofar_num::Rational;

/// Numbers with more bits than this are forgotten.
pub const MOST_BITS: usize = 128;

/// A value that is known to hold of some dimensions, in this order.
pub type Premise<'a, D> = (&'a D, &'a [Dim]);

/// A conjunction over a space, and what intervals say about it.
#[derive(Clone, Copy, Debug)]
pub struct Leaf<'a> {
    /// What numbers the dimensions are.
    pub space: &'a Space,
    /// What holds.
    pub cube: &'a [Constraint],
    /// What follows for single dimensions.
    pub ranges: &'a Intervals,
}

/// Sets of points; see the module documentation.
pub trait Domain: Clone + PartialEq + std::fmt::Debug {
    /// Whether widening may lose what narrowing finds again.
    const WIDENS: bool;
    /// How much work an image is, compared with intervals.
    const COST: usize;
    /// All points of a space with so many dimensions.
    fn top(dims: usize) -> Self;
    /// The points of the dimensions `to`, in this order, of which all premises and all constraints
    /// hold; nothing if there are none. Premises are about dimensions that differ.
    fn image(leaf: Leaf<'_>, premises: &[Premise<'_, Self>], to: &[Dim]) -> Option<Self>;
    /// Tightens bounds of single dimensions by a premise, if that is what the domain is about;
    /// false if no point is left.
    fn tighten(_: &mut Intervals, _: &Space, _: Premise<'_, Self>) -> bool {
        true
    }
    /// The points of both.
    fn join(&mut self, other: &Self);
    /// The points of both, and more, so that every sequence of widenings ends. Thresholds are
    /// sorted.
    fn widen(&mut self, other: &Self, thresholds: &[Rational]);
    /// Whether all points of `other` are in this one.
    fn includes(&self, other: &Self) -> bool;
    /// Constraints that describe exactly these points.
    fn constraints(&self) -> Vec<Constraint>;
}

/// Whether a number is small enough to be remembered.
fn is_handy(number: &Rational) -> bool {
    number.bits() <= MOST_BITS
}
