//! Linear combinations as values, for building and rearranging sums.
//!
//! Invariant: monomials are sorted by term handle, each term occurs once, no coefficient is zero.

use shofar_num::Rational;

use crate::Term;

/// `c₁·t₁ + … + cₙ·tₙ + constant`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Linear {
    monomials: Vec<(Rational, Term)>,
    /// The constant summand.
    pub constant: Rational,
}

impl Linear {
    /// Zero.
    pub fn new() -> Self {
        Self::default()
    }
    /// A constant.
    pub fn of_constant(constant: Rational) -> Self {
        Self { monomials: Vec::new(), constant }
    }
    /// A linear combination from monomials in any order, with repetitions.
    pub fn from_monomials(monomials: Vec<(Rational, Term)>, constant: Rational) -> Self {
        let mut linear = Self { monomials, constant };
        linear.normalize();
        linear
    }
    /// Becomes the sum of these, in any order and with repetitions; without a term, a number.
    pub fn assign(&mut self, summands: impl IntoIterator<Item = (Rational, Option<Term>)>) {
        self.monomials.clear();
        self.constant = Rational::ZERO;
        for (coefficient, term) in summands {
            match term {
                Some(term) => self.monomials.push((coefficient, term)),
                None => self.constant += coefficient,
            }
        }
        self.normalize();
    }
    /// Appends monomials; the invariant is restored by [`Self::normalize`] unless they come in
    /// order.
    pub(crate) fn append(&mut self, monomials: impl IntoIterator<Item = (Rational, Term)>) {
        self.monomials.extend(monomials);
    }
    /// Sorts, joins equal terms and drops zeros.
    pub(crate) fn normalize(&mut self) {
        let monomials = &mut self.monomials;
        if monomials.is_sorted_by(|a, b| a.1 < b.1) && monomials.iter().all(|(c, _)| !c.is_zero()) {
            return;
        }
        if let [first, second] = monomials.as_mut_slice() {
            if first.1 > second.1 {
                std::mem::swap(first, second);
            }
        } else {
            monomials.sort_unstable_by_key(|&(_, t)| t);
        }
        monomials.dedup_by(|later, first| {
            let same = later.1 == first.1;
            if same {
                first.0 += &later.0;
            }
            same
        });
        monomials.retain(|(c, _)| !c.is_zero());
    }
    /// The monomials, sorted by term.
    pub fn monomials(&self) -> &[(Rational, Term)] {
        &self.monomials
    }
    /// The monomials, given away.
    pub fn into_monomials(self) -> Vec<(Rational, Term)> {
        self.monomials
    }
    /// Whether no term occurs.
    pub fn is_constant(&self) -> bool {
        self.monomials.is_empty()
    }
    /// The coefficient of `term`, if it is not zero.
    pub fn coefficient(&self, term: Term) -> Option<&Rational> {
        let at = self.monomials.binary_search_by_key(&term, |&(_, t)| t).ok()?;
        Some(&self.monomials[at].0)
    }
    /// Takes the monomial of `term` out and returns its coefficient.
    pub fn remove(&mut self, term: Term) -> Option<Rational> {
        let at = self.monomials.binary_search_by_key(&term, |&(_, t)| t).ok()?;
        Some(self.monomials.remove(at).0)
    }
    /// Adds `coefficient·term`; `term` must be neither a number nor a sum.
    pub fn add_term(&mut self, coefficient: &Rational, term: Term) {
        if coefficient.is_zero() {
            return;
        }
        match self.monomials.binary_search_by_key(&term, |&(_, t)| t) {
            Ok(at) => {
                self.monomials[at].0 += coefficient;
                if self.monomials[at].0.is_zero() {
                    self.monomials.remove(at);
                }
            }
            Err(at) => self.monomials.insert(at, (coefficient.clone(), term)),
        }
    }
    /// Adds `coefficient·other`.
    pub fn add_scaled(&mut self, coefficient: &Rational, other: &Linear) {
        self.constant.add_mul(coefficient, &other.constant);
        if let [(c, t)] = other.monomials.as_slice() {
            self.add_term(&(c * coefficient), *t);
            return;
        }
        let old = std::mem::take(&mut self.monomials);
        self.monomials = merge(old, &other.monomials, coefficient);
    }
    /// Multiplies everything by `factor`.
    pub fn scale(&mut self, factor: &Rational) {
        if factor.is_zero() {
            self.monomials.clear();
        }
        for (c, _) in &mut self.monomials {
            *c *= factor;
        }
        self.constant *= factor;
    }
    /// `-self`.
    pub fn negated(&self) -> Self {
        let mut result = self.clone();
        result.scale(&Rational::MINUS_ONE);
        result
    }
    /// The positive factor that makes the coefficients coprime integers; 1 for a constant.
    pub fn primitive_factor(&self) -> Rational {
        let is_unit = |c: &Rational| c.is_one() || *c == Rational::MINUS_ONE;
        if self.monomials.iter().any(|(c, _)| is_unit(c))
            && self.monomials.iter().all(|(c, _)| c.is_integer())
        {
            return Rational::ONE;
        }
        let (mut numerators, mut denominators) = (Rational::ZERO, Rational::ONE);
        for (c, _) in &self.monomials {
            numerators = shofar_num::gcd(&numerators, &c.numerator());
            if !c.is_integer() {
                denominators = shofar_num::lcm(&denominators, &c.denominator());
            }
        }
        if numerators.is_zero() { Rational::ONE } else { denominators / numerators }
    }
}

/// `left + factor·right`, both sorted.
fn merge(
    left: Vec<(Rational, Term)>,
    right: &[(Rational, Term)],
    factor: &Rational,
) -> Vec<(Rational, Term)> {
    let mut result = Vec::with_capacity(left.len() + right.len());
    let mut right = right.iter().peekable();
    for (mut c, t) in left {
        while let Some((d, u)) = right.next_if(|(_, u)| *u < t) {
            result.push((d * factor, *u));
        }
        if let Some((d, _)) = right.next_if(|(_, u)| *u == t) {
            c.add_mul(d, factor);
        }
        if !c.is_zero() {
            result.push((c, t));
        }
    }
    result.extend(right.map(|(d, u)| (d * factor, *u)));
    result.retain(|(c, _)| !c.is_zero());
    result
}
