//! Remainders of single integral dimensions.
//!
//! `x ≡ r (mod m)` with `0 ≤ r < m`; the modulus 0 says that `x` is `r`, the modulus 1 says
//! nothing. Equations between integers carry remainders from all dimensions but one to that one. A
//! proper join replaces a modulus by a divisor, so nothing needs to be widened.
//!
//! Source: [Gra89].

use shofar_base::{Idx, IndexVec};
use shofar_num::{Rational, extended_gcd, gcd, mod_euclid};

use crate::{Constraint, Dim, Domain, Form, Leaf, Premise, Relation, is_handy};

/// How often all equations are looked at.
const SWEEPS: usize = 4;

/// The numbers `remainder + k·modulus` for all integers `k`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Class {
    modulus: Rational,
    remainder: Rational,
}

impl Class {
    /// All integers.
    fn all() -> Self {
        Self { modulus: Rational::ONE, remainder: Rational::ZERO }
    }
    fn new(modulus: Rational, remainder: Rational) -> Self {
        if !is_handy(&modulus) || !is_handy(&remainder) {
            return Self::all();
        }
        let remainder = mod_euclid(&remainder, &modulus).unwrap_or(remainder);
        Self { modulus, remainder }
    }
    fn join(&self, other: &Self) -> Self {
        let difference = &self.remainder - &other.remainder;
        let modulus = gcd(&gcd(&self.modulus, &other.modulus), &difference);
        Self::new(modulus, self.remainder.clone())
    }
    fn includes(&self, other: &Self) -> bool {
        divides(&self.modulus, &other.modulus)
            && divides(&self.modulus, &(&self.remainder - &other.remainder))
    }
    /// The numbers in both; nothing if there are none. By the Chinese remainder theorem.
    fn meet(&self, other: &Self) -> Option<Self> {
        let difference = &other.remainder - &self.remainder;
        if self.modulus.is_zero() {
            return divides(&other.modulus, &difference).then(|| self.clone());
        }
        if other.modulus.is_zero() {
            return divides(&self.modulus, &difference).then(|| other.clone());
        }
        let (divisor, factor, _) = extended_gcd(&self.modulus, &other.modulus);
        if !divides(&divisor, &difference) {
            return None;
        }
        let remainder = &self.remainder + &self.modulus * factor * (difference / &divisor);
        let modulus = &self.modulus / divisor * &other.modulus;
        if !is_handy(&modulus) {
            return Some(self.clone());
        }
        Some(Self::new(modulus, remainder))
    }
    /// The integers `x` with `coefficient·x` in this class; nothing if there are none.
    fn divided(&self, coefficient: &Rational) -> Option<Self> {
        let (divisor, factor, _) = extended_gcd(coefficient, &self.modulus);
        if !divides(&divisor, &self.remainder) {
            return None;
        }
        let modulus = &self.modulus / &divisor;
        Some(Self::new(modulus, &self.remainder / divisor * factor))
    }
}

/// Whether the integer `a` divides the integer `b`.
fn divides(a: &Rational, b: &Rational) -> bool {
    if a.is_zero() { b.is_zero() } else { (b / a).is_integer() }
}

/// A class of remainders for each dimension; real ones have none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Congruences(IndexVec<Dim, Class>);

impl Congruences {
    /// Uses `form ≡ bound` for all dimensions of the form, with the modulus 0 for an equation;
    /// whether that changed something, nothing if no point is left. All dimensions and
    /// coefficients are integral.
    fn tighten(&mut self, form: &Form, bound: &Rational, modulus: &Rational) -> Option<bool> {
        let mut changed = false;
        for (at, (dim, c)) in form.monomials().iter().enumerate() {
            let mut rest = Class { modulus: modulus.clone(), remainder: bound.clone() };
            for (other, (dim, c)) in form.monomials().iter().enumerate() {
                if other != at {
                    rest.modulus = gcd(&rest.modulus, &(c * &self.0[*dim].modulus));
                    rest.remainder.sub_mul(c, &self.0[*dim].remainder);
                }
            }
            let met = self.0[*dim].meet(&rest.divided(c)?)?;
            changed |= met != self.0[*dim];
            self.0[*dim] = met;
        }
        Some(changed)
    }
}

impl Domain for Congruences {
    const WIDENS: bool = false;
    const COST: usize = 2;
    fn top(dims: usize) -> Self {
        Self((0..dims).map(|_| Class::all()).collect())
    }
    fn image(leaf: Leaf<'_>, premises: &[Premise<'_, Self>], to: &[Dim]) -> Option<Self> {
        let mut known = Self::top(leaf.space.len());
        for (premise, dims) in premises {
            for (&dim, class) in dims.iter().zip(&premise.0) {
                known.0[dim] = class.clone();
            }
        }
        for dim in leaf.space.handles() {
            if let Some(value) = leaf.ranges.range(dim).point().filter(|v| v.is_integer()) {
                let only = Class { modulus: Rational::ZERO, remainder: value.clone() };
                known.0[dim] = known.0[dim].meet(&only)?;
            }
        }
        let is_integral = |form: &Form| {
            form.monomials()
                .iter()
                .all(|(dim, c)| c.is_integer() && leaf.space[*dim].are_integral())
        };
        for _ in 0..SWEEPS {
            let mut changed = false;
            for Constraint { form, relation, bound } in leaf.cube {
                let modulus = match relation {
                    Relation::Equal => &Rational::ZERO,
                    Relation::Congruent(modulus) => modulus,
                    Relation::AtMost | Relation::Below | Relation::Differs => continue,
                };
                if is_integral(form) && bound.is_integer() {
                    changed |= known.tighten(form, bound, modulus)?;
                }
            }
            if !changed {
                break;
            }
        }
        let class = |&dim: &Dim| {
            if leaf.space[dim].are_integral() { known.0[dim].clone() } else { Class::all() }
        };
        Some(Self(to.iter().map(class).collect()))
    }
    fn join(&mut self, other: &Self) {
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = mine.join(theirs);
        }
    }
    fn widen(&mut self, other: &Self, _: &[Rational]) {
        self.join(other);
    }
    fn includes(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(mine, theirs)| mine.includes(theirs))
    }
    fn constraints(&self) -> Vec<Constraint> {
        let mut found = Vec::new();
        for (at, Class { modulus, remainder }) in self.0.iter().enumerate() {
            let (form, bound) = (Form::of(Dim::from_index(at)), remainder.clone());
            if modulus.is_zero() {
                found.push(Constraint::equal(form, bound));
            } else if !modulus.is_one() {
                let relation = Relation::Congruent(modulus.clone());
                found.push(Constraint { form, relation, bound });
            }
        }
        found
    }
}
