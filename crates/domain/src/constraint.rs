//! Linear constraints over the dimensions of a space.

use shofar_base::{IndexVec, index_type};
use shofar_num::{Rational, mod_euclid};

index_type!(
    /// A dimension of a space: a variable.
    pub struct Dim
);

/// What numbers a dimension ranges over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// The truth values, as 0 and 1.
    Boolean,
    /// The integers.
    Integer,
    /// The reals.
    Real,
}

impl Numbers {
    /// Whether all of them are integers.
    pub fn are_integral(self) -> bool {
        match self {
            Numbers::Boolean | Numbers::Integer => true,
            Numbers::Real => false,
        }
    }
}

/// The dimensions and what they range over.
pub type Space = IndexVec<Dim, Numbers>;

/// `c₁·x₁ + … + cₙ·xₙ`. Invariant: sorted by dimension, each occurs once, no coefficient is 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Form(Vec<(Dim, Rational)>);

impl Form {
    /// The sum of these monomials, in any order and with repetitions.
    pub fn new(mut monomials: Vec<(Dim, Rational)>) -> Self {
        monomials.sort_unstable_by_key(|&(dim, _)| dim);
        monomials.dedup_by(|later, first| {
            let same = later.0 == first.0;
            if same {
                first.1 += &later.1;
            }
            same
        });
        monomials.retain(|(_, c)| !c.is_zero());
        Self(monomials)
    }
    /// A single dimension.
    pub fn of(dim: Dim) -> Self {
        Self(vec![(dim, Rational::ONE)])
    }
    /// The monomials, sorted by dimension.
    pub fn monomials(&self) -> &[(Dim, Rational)] {
        &self.0
    }
    /// `-self`.
    pub fn negated(&self) -> Self {
        Self(self.0.iter().map(|(dim, c)| (*dim, -c)).collect())
    }
    /// Its value at a point.
    pub fn value(&self, point: &IndexVec<Dim, Rational>) -> Rational {
        let mut value = Rational::ZERO;
        for (dim, c) in &self.0 {
            value.add_mul(c, &point[*dim]);
        }
        value
    }
}

/// How a form compares to a bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Relation {
    /// `form ≤ bound`
    AtMost,
    /// `form < bound`
    Below,
    /// `form = bound`
    Equal,
    /// `form ≠ bound`
    Differs,
    /// The difference is a multiple of this positive integer; all dimensions are integral.
    Congruent(Rational),
}

/// A form compared with a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// What is compared.
    pub form: Form,
    /// How.
    pub relation: Relation,
    /// With what.
    pub bound: Rational,
}

impl Constraint {
    /// `form ≤ bound`
    pub fn at_most(form: Form, bound: Rational) -> Self {
        Self { form, relation: Relation::AtMost, bound }
    }
    /// `form ≥ bound`
    pub fn at_least(form: &Form, bound: &Rational) -> Self {
        Self::at_most(form.negated(), -bound)
    }
    /// `form = bound`
    pub fn equal(form: Form, bound: Rational) -> Self {
        Self { form, relation: Relation::Equal, bound }
    }
    /// The same about other dimensions.
    #[must_use]
    pub fn renamed(&self, name: impl Fn(Dim) -> Dim) -> Self {
        let monomials = self.form.0.iter().map(|(dim, c)| (name(*dim), c.clone())).collect();
        Self {
            form: Form::new(monomials),
            relation: self.relation.clone(),
            bound: self.bound.clone(),
        }
    }
    /// Whether it holds at a point.
    pub fn holds(&self, point: &IndexVec<Dim, Rational>) -> bool {
        let value = self.form.value(point);
        match &self.relation {
            Relation::AtMost => value <= self.bound,
            Relation::Below => value < self.bound,
            Relation::Equal => value == self.bound,
            Relation::Differs => value != self.bound,
            Relation::Congruent(modulus) => {
                let difference = value - &self.bound;
                difference.is_integer()
                    && mod_euclid(&difference, modulus).is_none_or(|rest| rest.is_zero())
            }
        }
    }
}
