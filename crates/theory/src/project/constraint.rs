//! Linear constraints `t ≤ 0`, `t < 0`, `t = 0` and `n | t`, between literals and the elimination
//! steps.

use shofar_num::{Rational, gcd, lcm, mod_euclid};
use shofar_term::eval::Evaluator;
use shofar_term::{ArithKind, Comparison, Linear, LinearLiteral, Sort, Term, TermStore};

use crate::implicant::VALUED;

/// How the linear term of a constraint relates to 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    /// `t ≤ 0`.
    Le,
    /// `t < 0`.
    Lt,
    /// `t = 0`.
    Eq,
    /// `n | t`, with `n` at least 1 and `t` an integer.
    Divides(Rational),
}

/// A constraint on a linear term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Constraint {
    pub(super) relation: Relation,
    pub(super) linear: Linear,
}

impl Constraint {
    pub(super) fn le(linear: Linear) -> Self {
        Self { relation: Relation::Le, linear }
    }
    pub(super) fn divides(divisor: Rational, linear: Linear) -> Self {
        Self { relation: Relation::Divides(divisor), linear }
    }
    /// The constraint of an arithmetic literal. A false equality becomes the strict inequality that
    /// the model satisfies, and a literal that fixes the value of a single `mod` term becomes a
    /// divisibility.
    pub(super) fn of_literal(
        store: &TermStore,
        evaluator: &mut Evaluator<'_>,
        literal: Term,
    ) -> Self {
        let Some(read) = LinearLiteral::of(store, literal) else {
            return Self::of_disequality(store, evaluator, literal);
        };
        if let Some(ArithKind::Mod(inner, divisor)) = store.arith(read.form)
            && let Some(rest) = fixed_rest(&read, divisor)
        {
            return Self::remainder(store, inner, divisor, &rest);
        }
        match read.inequality(store) {
            Some((linear, true)) => Self { relation: Relation::Lt, linear },
            Some((linear, false)) => Self::le(linear),
            None => {
                Self { relation: Relation::Eq, linear: difference(store, read.form, &read.bound) }
            }
        }
    }
    /// The constraint of a false equality: the strict inequality that the model satisfies. Of a
    /// remainder by 2 it leaves one value only.
    fn of_disequality(store: &TermStore, evaluator: &mut Evaluator<'_>, literal: Term) -> Self {
        let (atom, _) = store.strip_not(literal);
        let (form, bound) = store
            .equation(atom)
            .expect("a literal of a cube is a symbol or an arithmetic atom, maybe negated");
        if let Some(ArithKind::Mod(inner, divisor)) = store.arith(form)
            && *divisor == Rational::from(2)
            && (bound.is_zero() || bound.is_one())
        {
            return Self::remainder(store, inner, divisor, &(Rational::ONE - bound));
        }
        let linear = difference(store, form, bound);
        let below = evaluator.number(store, form).expect(VALUED) < *bound;
        let linear = if below { linear } else { linear.negated() };
        Self { relation: Relation::Lt, linear }
    }
    /// `divisor | term - rest`.
    fn remainder(store: &TermStore, term: Term, divisor: &Rational, rest: &Rational) -> Self {
        Self::divides(divisor.clone(), difference(store, term, rest))
    }
    /// The literal that says the same.
    pub(super) fn to_literal(&self, store: &mut TermStore) -> Term {
        match &self.relation {
            Relation::Le => store.le_zero(&self.linear),
            Relation::Lt => store.lt_zero(&self.linear),
            Relation::Eq => store.eq_zero(&self.linear),
            Relation::Divides(divisor) => {
                let term = store.sum(&self.linear, Sort::INT);
                store.divisible(divisor, term)
            }
        }
    }
    /// This constraint, true in some model, in a simpler form; `None` if it holds everywhere.
    pub(super) fn normalized(mut self) -> Option<Self> {
        if let Relation::Divides(divisor) = &mut self.relation {
            reduce_divisibility(divisor, &mut self.linear);
            return (!divisor.is_one() && !self.linear.is_constant()).then_some(self);
        }
        if self.linear.is_constant() {
            return None;
        }
        let factor = self.linear.primitive_factor();
        if !factor.is_one() {
            self.linear.scale(&factor);
        }
        Some(self)
    }
    /// Rounds the constant of an inequality between integers; the coefficients are coprime integers
    /// already.
    pub(super) fn rounded(mut self) -> Self {
        if self.relation == Relation::Le {
            self.linear.constant = self.linear.constant.ceil();
        }
        self
    }
    /// This constraint with `a·x` replaced by `t`, for `a > 0`; for a divisibility everything is an
    /// integer.
    pub(super) fn resolve(&self, x: Term, a: &Rational, t: &Linear) -> Self {
        let mut rest = self.linear.clone();
        let Some(b) = rest.remove(x) else { return self.clone() };
        let common = if a.is_integer() && b.is_integer() { gcd(a, &b) } else { Rational::ONE };
        let (scale, share) = (a / &common, &b / &common);
        rest.scale(&scale);
        rest.add_scaled(&share, t);
        let relation = match &self.relation {
            Relation::Divides(divisor) => Relation::Divides(divisor * &scale),
            other @ (Relation::Le | Relation::Lt | Relation::Eq) => other.clone(),
        };
        Self { relation, linear: rest }
    }
}

/// `form - bound`.
fn difference(store: &TermStore, form: Term, bound: &Rational) -> Linear {
    let mut linear = store.linear(form);
    linear.constant -= bound;
    linear
}

/// The one value that a bound leaves for a remainder of division by `divisor`, if there is only
/// one.
fn fixed_rest(read: &LinearLiteral, divisor: &Rational) -> Option<Rational> {
    let greatest = divisor - Rational::ONE;
    match read.relation {
        Comparison::Equal => Some(read.bound.clone()),
        Comparison::AtMost if read.bound.is_zero() => Some(Rational::ZERO),
        Comparison::AtLeast if read.bound == greatest => Some(greatest),
        Comparison::AtMost | Comparison::AtLeast | Comparison::Below | Comparison::Above => None,
    }
}

/// Numbers are reduced modulo the divisor, and a common factor of it and all numbers is cancelled.
fn reduce_divisibility(divisor: &mut Rational, linear: &mut Linear) {
    let rest = |n: &Rational| mod_euclid(n, divisor).expect("a divisor is not zero");
    let monomials = linear.monomials().iter().map(|(c, t)| (rest(c), *t)).collect();
    *linear = Linear::from_monomials(monomials, rest(&linear.constant));
    let mut common = divisor.clone();
    for (c, _) in linear.monomials() {
        common = gcd(&common, c);
    }
    // True somewhere, so the constant is a multiple of whatever divides everything else.
    if !common.is_one() {
        linear.scale(&common.recip());
        *divisor /= &common;
    }
}

/// The least common multiple of the denominators of `numbers`.
pub(super) fn common_denominator<'n>(numbers: impl Iterator<Item = &'n Rational>) -> Rational {
    numbers.fold(Rational::ONE, |all, n| lcm(&all, &n.denominator()))
}
