//! Affine functions of the indices of repeats, and the sets of indices that they are looked at on.
//!
//! Indices `k₁ … k_d` belong to the repeats around a step, from the outside to the inside. An index
//! goes from 0 to a count, which is affine in the indices before it. A set of indices is given by
//! its corners: each index at one of its two ends, given the ones before it.
//!
//! Invariant (corners): every element is a convex combination of corners. By induction on the
//! number of indices: for fixed indices before it, `k_d` lies between its ends, and each end is
//! affine in the indices before it. So an affine function that is `≤ c`, `> c` or `= c` at all
//! corners is so everywhere. Corners of a part may lie outside of the set; they are looked at all
//! the same.

use shofar_num::Rational;
use shofar_term::eval::Value;

/// `base + Σ slopes[i]·kᵢ`; missing slopes are 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Form {
    pub(super) base: Rational,
    /// Without zeros at the end.
    slopes: Vec<Rational>,
}

impl Form {
    pub(super) fn new(base: Rational, mut slopes: Vec<Rational>) -> Self {
        while slopes.last().is_some_and(Rational::is_zero) {
            slopes.pop();
        }
        Self { base, slopes }
    }
    pub(super) fn constant(base: Rational) -> Self {
        Self { base, slopes: Vec::new() }
    }
    /// `k_i + offset`.
    pub(super) fn index(i: usize, offset: i64) -> Self {
        let mut slopes = vec![Rational::from(0); i];
        slopes.push(Rational::from(1));
        Self { base: Rational::from(offset), slopes }
    }
    pub(super) fn slopes(&self) -> &[Rational] {
        &self.slopes
    }
    pub(super) fn is_constant(&self) -> bool {
        self.slopes.is_empty()
    }
    pub(super) fn is_integral(&self) -> bool {
        self.base.is_integer() && self.slopes.iter().all(Rational::is_integer)
    }
    /// `self + factor·other`.
    pub(super) fn plus(mut self, factor: &Rational, other: &Form) -> Self {
        self.base.add_mul(factor, &other.base);
        if self.slopes.len() < other.slopes.len() {
            self.slopes.resize(other.slopes.len(), Rational::from(0));
        }
        for (slope, more) in self.slopes.iter_mut().zip(&other.slopes) {
            slope.add_mul(factor, more);
        }
        Self::new(self.base, self.slopes)
    }
    /// The value for these indices.
    pub(super) fn at(&self, indices: &[Rational]) -> Rational {
        let mut value = self.base.clone();
        for (slope, index) in self.slopes.iter().zip(indices) {
            value.add_mul(slope, index);
        }
        value
    }
    /// The form with forms over other indices in the place of its own.
    pub(super) fn of(&self, indices: &[Form]) -> Form {
        let start = Form::constant(self.base.clone());
        self.slopes.iter().zip(indices).fold(start, |sum, (slope, index)| sum.plus(slope, index))
    }
}

/// What a term is for all indices: an affine number, or a value of another sort that is always the
/// same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Quantity {
    Number(Form),
    Fixed(Value),
}

impl Quantity {
    /// The quantity that has this value always.
    pub(super) fn constant(value: Value) -> Self {
        match value {
            Value::Number(number) => Self::Number(Form::constant(number)),
            Value::Bool(_)
            | Value::Element(..)
            | Value::Bits(_)
            | Value::Data(_)
            | Value::Array(_) => Self::Fixed(value),
        }
    }
    pub(super) fn is_constant(&self) -> bool {
        match self {
            Self::Number(form) => form.is_constant(),
            Self::Fixed(_) => true,
        }
    }
    pub(super) fn truth(&self) -> Option<bool> {
        match self {
            Self::Number(_) => None,
            Self::Fixed(value) => value.as_bool(),
        }
    }
    pub(super) fn form(&self) -> Option<&Form> {
        match self {
            Self::Number(form) => Some(form),
            Self::Fixed(_) => None,
        }
    }
    pub(super) fn at(&self, indices: &[Rational]) -> Value {
        match self {
            Self::Number(form) => Value::Number(form.at(indices)),
            Self::Fixed(value) => value.clone(),
        }
    }
    pub(super) fn of(&self, indices: &[Form]) -> Quantity {
        match self {
            Self::Number(form) => Self::Number(form.of(indices)),
            Self::Fixed(_) => self.clone(),
        }
    }
}

/// Which values of an index are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Span {
    /// 0.
    First,
    /// From 1 to the last one.
    Later,
}

/// The indices of nested repeats: how many values each has, as a form over those before it.
#[derive(Clone, Debug, Default)]
pub(super) struct Domain {
    pub(super) counts: Vec<Form>,
}

impl Domain {
    /// The corners of the part where each index is in its span; none if the part is empty.
    pub(super) fn corners(&self, spans: impl Iterator<Item = Span>) -> Vec<Vec<Rational>> {
        let (zero, one) = (Rational::from(0), Rational::from(1));
        let mut corners: Vec<Vec<Rational>> = vec![Vec::new()];
        for (count, span) in self.counts.iter().zip(spans) {
            let mut longer = Vec::with_capacity(2 * corners.len());
            let mut is_empty = span == Span::Later;
            for corner in corners {
                let last = &count.at(&corner) - &one;
                let low = match span {
                    Span::First => zero.clone(),
                    Span::Later => one.clone(),
                };
                is_empty &= last < low;
                if span != Span::First {
                    let mut other = corner.clone();
                    other.push(last);
                    longer.push(other);
                }
                let mut corner = corner;
                corner.push(low);
                longer.push(corner);
            }
            if is_empty {
                // The last value is affine, and too small at all corners.
                return Vec::new();
            }
            corners = longer;
        }
        corners
    }
    /// All corners, in the order in which iterations are listed: the first index changes slowest, 0
    /// comes before the last value.
    pub(super) fn listed(&self) -> Vec<Vec<Rational>> {
        let mut corners: Vec<Vec<Rational>> = vec![Vec::new()];
        for count in &self.counts {
            let ends = |corner: &Vec<Rational>| {
                let last = &count.at(corner) - &Rational::from(1);
                [Rational::from(0), last].map(|end| {
                    let mut longer = corner.clone();
                    longer.push(end);
                    longer
                })
            };
            corners = corners.iter().flat_map(ends).collect();
        }
        corners
    }
    /// The form with these values at the listed corners.
    pub(super) fn fit(&self, values: &[Rational]) -> Option<Form> {
        let (corners, depth) = (self.listed(), self.counts.len());
        let mut slopes = Vec::with_capacity(depth);
        for level in 0..depth {
            // Corners that differ in this index only: those behind it are 0 in both.
            let stride = 1 << (depth - 1 - level);
            let pairs = (0..corners.len()).step_by(2 * stride);
            let slope = pairs.into_iter().find_map(|at| {
                let run = &corners[at + stride][level];
                (!run.is_zero()).then(|| &(&values[at + stride] - &values[at]) / run)
            });
            slopes.push(slope.unwrap_or_default());
        }
        let form = Form::new(values[0].clone(), slopes);
        corners.iter().zip(values).all(|(corner, value)| form.at(corner) == *value).then_some(form)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(values: &[i64]) -> Vec<Rational> {
        values.iter().map(|&value| value.into()).collect()
    }

    /// `k₁ < 5`, `k₂ < 1 + 2·k₁`: at the beginning there is one inner iteration only.
    fn triangle() -> Domain {
        let inner = Form::new(1.into(), numbers(&[2]));
        Domain { counts: vec![Form::constant(5.into()), inner] }
    }

    #[test]
    fn forms_are_found_from_corners() {
        let form = triangle().fit(&numbers(&[7, 7, 19, 3])).expect("7 + 3·k₁ − 2·k₂");
        assert_eq!(form, Form::new(7.into(), numbers(&[3, -2])));
        assert_eq!(form.at(&numbers(&[2, 1])), 11.into());
        assert_eq!(triangle().fit(&numbers(&[7, 8, 19, 3])), None);
    }

    #[test]
    fn every_element_lies_between_the_corners() {
        let domain = triangle();
        let form = Form::new(0.into(), numbers(&[-3, 2]));
        let later = domain.corners([Span::Later, Span::Later].into_iter());
        for (corners, low) in [(domain.listed(), 0), (later, 1)] {
            let values: Vec<Rational> = corners.iter().map(|corner| form.at(corner)).collect();
            for k in low..5 {
                for j in low..=2 * k {
                    let value = form.at(&numbers(&[k, j]));
                    assert!(values.iter().any(|corner| *corner <= value));
                    assert!(values.iter().any(|corner| *corner >= value));
                }
            }
        }
        assert!(domain.corners([Span::First, Span::Later].into_iter()).is_empty());
    }

    #[test]
    fn forms_are_put_into_forms() {
        let outer = Form::new(1.into(), numbers(&[2, 3]));
        let made = outer.of(&[Form::index(1, -1), Form::constant(4.into())]);
        assert_eq!(made, Form::new(11.into(), numbers(&[0, 2])));
    }
}
