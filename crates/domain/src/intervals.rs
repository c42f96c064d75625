//! Bounds of single dimensions.
//!
//! A bound is a rational with an infinitesimal part: `x < 3` is `x ≤ 3 − δ`. So strict bounds take
//! part in sums like others. The image of a conjunction is found by propagation: every constraint
//! tightens the bounds of its dimensions by those of the others, [`SWEEPS`] times over all
//! constraints at most. A bound that moves is widened to the next threshold, then to infinity.
//!
//! Invariant: a bound of an integral dimension is an integer, other bounds have an infinitesimal
//! part of 0 or ±1.
//!
//! Source: [CC77] for intervals, [HPR97] for thresholds.

use shofar_base::{Idx, IndexVec};
use shofar_num::{Delta, Rational};

use crate::{Constraint, Dim, Domain, Form, Leaf, Numbers, Premise, Relation, Space, is_handy};

/// How often all constraints are looked at; contradictions may need infinitely many rounds.
const SWEEPS: usize = 8;

/// The numbers between two bounds; a missing one is infinite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interval {
    /// The lower bound.
    pub lower: Option<Delta>,
    /// The upper bound.
    pub upper: Option<Delta>,
}

impl Interval {
    /// The only number in it, if there is only one.
    pub fn point(&self) -> Option<&Rational> {
        match (&self.lower, &self.upper) {
            (Some(lower), Some(upper)) if lower == upper && lower.is_real() => Some(&lower.real),
            (Some(_) | None, Some(_) | None) => None,
        }
    }
    fn is_empty(&self) -> bool {
        matches!((&self.lower, &self.upper), (Some(lower), Some(upper)) if lower > upper)
    }
    /// The least value of `coefficient·x`.
    fn least(&self, coefficient: &Rational) -> Option<Delta> {
        let bound = if coefficient.is_positive() { &self.lower } else { &self.upper };
        bound.as_ref().map(|bound| bound.scale(coefficient))
    }
    /// Makes the upper bound at most `bound`; whether that changed something.
    fn cut_above(&mut self, numbers: Numbers, bound: &Delta) -> bool {
        let bound = if numbers.are_integral() {
            Delta::from(bound.floor())
        } else {
            Delta::new(bound.real.clone(), Rational::from(bound.delta.signum().min(0)))
        };
        if !is_handy(&bound.real) || self.upper.as_ref().is_some_and(|upper| *upper <= bound) {
            return false;
        }
        self.upper = Some(bound);
        true
    }
    /// Makes the lower bound at least `bound`; whether that changed something.
    fn cut_below(&mut self, numbers: Numbers, bound: &Delta) -> bool {
        let mut mirrored = self.mirrored();
        let changed = mirrored.cut_above(numbers, &-bound.clone());
        *self = mirrored.mirrored();
        changed
    }
    /// All numbers with the opposite sign.
    fn mirrored(&self) -> Self {
        let negated = |bound: &Option<Delta>| bound.as_ref().map(|bound| -bound.clone());
        Self { lower: negated(&self.upper), upper: negated(&self.lower) }
    }
    fn join(&mut self, other: &Self) {
        self.lower = both(self.lower.take(), other.lower.as_ref(), |a, b| a > b);
        self.upper = both(self.upper.take(), other.upper.as_ref(), |a, b| a < b);
    }
    fn includes(&self, other: &Self) -> bool {
        let below =
            self.lower.as_ref().is_none_or(|a| other.lower.as_ref().is_some_and(|b| a <= b));
        let above =
            self.upper.as_ref().is_none_or(|a| other.upper.as_ref().is_some_and(|b| b <= a));
        below && above
    }
    fn widen(&mut self, other: &Self, thresholds: &[Rational]) {
        if self.upper.is_some() && !covers(self.upper.as_ref(), other.upper.as_ref()) {
            let above = other.upper.as_ref().and_then(|upper| {
                let at = thresholds.partition_point(|t| Delta::from(t.clone()) < *upper);
                thresholds.get(at)
            });
            self.upper = above.cloned().map(Delta::from);
        }
        let (mine, theirs) = (self.mirrored(), other.mirrored());
        if mine.upper.is_some() && !covers(mine.upper.as_ref(), theirs.upper.as_ref()) {
            let below = other.lower.as_ref().and_then(|lower| {
                let at = thresholds.partition_point(|t| Delta::from(t.clone()) <= *lower);
                thresholds[..at].last()
            });
            self.lower = below.cloned().map(Delta::from);
        }
    }
}

/// Whether an upper bound is not below another one.
fn covers(bound: Option<&Delta>, other: Option<&Delta>) -> bool {
    match (bound, other) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(bound), Some(other)) => other <= bound,
    }
}

/// The weaker one of two bounds.
fn both(
    mine: Option<Delta>,
    theirs: Option<&Delta>,
    is_stronger: impl Fn(&Delta, &Delta) -> bool,
) -> Option<Delta> {
    let (mine, theirs) = (mine?, theirs?);
    Some(if is_stronger(&mine, theirs) { theirs.clone() } else { mine })
}

/// An interval for each dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Intervals(IndexVec<Dim, Interval>);

impl Intervals {
    /// What holds of all dimensions of a space by the numbers they are.
    pub fn of_space(space: &Space) -> Self {
        let unit = Interval { lower: Some(Delta::ZERO), upper: Some(Delta::from(Rational::ONE)) };
        let range = |numbers: &Numbers| match numbers {
            Numbers::Boolean => unit.clone(),
            Numbers::Integer | Numbers::Real => Interval::default(),
        };
        Self(space.iter().map(range).collect())
    }
    /// The interval of a dimension.
    pub fn range(&self, dim: Dim) -> &Interval {
        &self.0[dim]
    }
    /// The least value of a form; nothing if there is none.
    pub fn least(&self, form: &Form) -> Option<Delta> {
        let mut sum = Delta::ZERO;
        for (dim, c) in form.monomials() {
            sum += self.0[*dim].least(c)?;
        }
        Some(sum)
    }
    /// Whether these bounds alone imply the constraint.
    pub fn imply(&self, constraint: &Constraint) -> bool {
        let Constraint { form, relation, bound } = constraint;
        let bound = Delta::from(bound.clone());
        let most = |form: &Form| self.least(&form.negated()).map(|least| -least);
        match relation {
            Relation::AtMost => most(form).is_some_and(|most| most <= bound),
            Relation::Below => most(form).is_some_and(|most| most < bound),
            Relation::Equal => {
                most(form).is_some_and(|most| most <= bound)
                    && self.least(form).is_some_and(|least| least >= bound)
            }
            Relation::Differs => {
                most(form).is_some_and(|most| most < bound)
                    || self.least(form).is_some_and(|least| least > bound)
            }
            Relation::Congruent(_) => false,
        }
    }
    /// Tightens all bounds by the constraints; false if no point is left.
    #[must_use]
    pub fn propagate(&mut self, space: &Space, cube: &[Constraint]) -> bool {
        for _ in 0..SWEEPS {
            let mut changed = false;
            for constraint in cube {
                match self.tighten(space, constraint) {
                    Some(news) => changed |= news,
                    None => return false,
                }
            }
            if !changed {
                break;
            }
        }
        true
    }
    /// Tightens the bounds by a constraint; whether that changed something, nothing if no point is
    /// left.
    fn tighten(&mut self, space: &Space, constraint: &Constraint) -> Option<bool> {
        let Constraint { form, relation, bound } = constraint;
        let real = || Delta::from(bound.clone());
        match relation {
            Relation::AtMost => self.cut(space, form, &real()),
            Relation::Below => self.cut(space, form, &Delta::new(bound.clone(), -Rational::ONE)),
            Relation::Equal => {
                let above = self.cut(space, form, &real())?;
                Some(self.cut(space, &form.negated(), &-real())? || above)
            }
            Relation::Differs => self.avoid(space, form, bound),
            Relation::Congruent(_) => Some(false),
        }
    }
    /// Tightens by `form ≤ bound`.
    fn cut(&mut self, space: &Space, form: &Form, bound: &Delta) -> Option<bool> {
        let (mut sum, mut unbounded) = (Delta::ZERO, None);
        for (at, (dim, c)) in form.monomials().iter().enumerate() {
            match (self.0[*dim].least(c), unbounded) {
                (Some(least), _) => sum += least,
                (None, None) => unbounded = Some(at),
                (None, Some(_)) => return Some(false),
            }
        }
        if unbounded.is_none() && sum > *bound {
            return None;
        }
        let mut changed = false;
        for (at, (dim, c)) in form.monomials().iter().enumerate() {
            let rest = match unbounded {
                Some(only) if only == at => sum.clone(),
                Some(_) => continue,
                None => &sum - self.0[*dim].least(c)?,
            };
            // What a dimension gets does not change the part of the others in `sum`, nor its own:
            // only the other bound moves.
            let limit = (bound - rest).scale(&c.recip());
            let range = &mut self.0[*dim];
            changed |= if c.is_positive() {
                range.cut_above(space[*dim], &limit)
            } else {
                range.cut_below(space[*dim], &limit)
            };
            if range.is_empty() {
                return None;
            }
        }
        Some(changed)
    }
    /// Tightens by `form ≠ bound`.
    fn avoid(&mut self, space: &Space, form: &Form, bound: &Rational) -> Option<bool> {
        let monomials = form.monomials();
        let (mut rest, mut free) = (bound.clone(), None);
        for (dim, c) in monomials {
            match (self.0[*dim].point(), free) {
                (Some(value), _) => rest.sub_mul(c, value),
                (None, None) => free = Some((*dim, c)),
                (None, Some(_)) => return Some(false),
            }
        }
        let Some((dim, c)) = free else { return (!rest.is_zero()).then_some(false) };
        let (excluded, numbers) = (Delta::from(rest / c), space[dim]);
        let range = &mut self.0[dim];
        let mut changed = false;
        if range.upper.as_ref() == Some(&excluded) {
            let below = Delta::new(excluded.real.clone(), -Rational::ONE);
            changed |= range.cut_above(numbers, &below);
        }
        if range.lower.as_ref() == Some(&excluded) {
            changed |= range.cut_below(numbers, &Delta::new(excluded.real, Rational::ONE));
        }
        (!range.is_empty()).then_some(changed)
    }
}

impl Domain for Intervals {
    const WIDENS: bool = true;
    const COST: usize = 1;
    fn top(dims: usize) -> Self {
        Self((0..dims).map(|_| Interval::default()).collect())
    }
    /// The premises are in the ranges of the leaf already.
    fn image(leaf: Leaf<'_>, _: &[Premise<'_, Self>], to: &[Dim]) -> Option<Self> {
        Some(Self(to.iter().map(|&dim| leaf.ranges.0[dim].clone()).collect()))
    }
    fn tighten(ranges: &mut Self, space: &Space, (known, dims): Premise<'_, Self>) -> bool {
        dims.iter().zip(&known.0).all(|(&dim, known)| {
            let range = &mut ranges.0[dim];
            if let Some(upper) = &known.upper {
                range.cut_above(space[dim], upper);
            }
            if let Some(lower) = &known.lower {
                range.cut_below(space[dim], lower);
            }
            !range.is_empty()
        })
    }
    fn join(&mut self, other: &Self) {
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            mine.join(theirs);
        }
    }
    fn widen(&mut self, other: &Self, thresholds: &[Rational]) {
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            mine.widen(theirs, thresholds);
        }
    }
    fn includes(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(mine, theirs)| mine.includes(theirs))
    }
    fn constraints(&self) -> Vec<Constraint> {
        let mut found = Vec::new();
        for (at, range) in self.0.iter().enumerate() {
            let form = Form::of(Dim::from_index(at));
            if let Some(value) = range.point() {
                found.push(Constraint::equal(form, value.clone()));
                continue;
            }
            let relation =
                |bound: &Delta| if bound.is_real() { Relation::AtMost } else { Relation::Below };
            if let Some(lower) = &range.lower {
                let (form, bound) = (form.negated(), -&lower.real);
                found.push(Constraint { form, relation: relation(lower), bound });
            }
            if let Some(upper) = &range.upper {
                let (relation, bound) = (relation(upper), upper.real.clone());
                found.push(Constraint { form, relation, bound });
            }
        }
        found
    }
}
