//! Arithmetic literals as comparisons of a form with a number.
//!
//! The atoms of the store are `form ≤ bound`, `form < bound` and `form = bound`; what a negated one
//! says depends on the sort. Invariant: over the integers no comparison is strict, since `¬(t ≤ c)`
//! is `t ≥ c + 1`.

use shofar_num::Rational;

use crate::{Linear, Relation, Term, TermStore};

/// How a form compares to its bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Comparison {
    /// `form ≤ bound`
    AtMost,
    /// `form < bound`
    Below,
    /// `form ≥ bound`
    AtLeast,
    /// `form > bound`
    Above,
    /// `form = bound`
    Equal,
}

impl Comparison {
    /// Whether it bounds the form from above.
    pub fn is_upper(self) -> bool {
        matches!(self, Self::AtMost | Self::Below | Self::Equal)
    }
    /// Whether it bounds the form from below.
    pub fn is_lower(self) -> bool {
        matches!(self, Self::AtLeast | Self::Above | Self::Equal)
    }
    /// Whether the bound itself is excluded.
    pub fn is_strict(self) -> bool {
        matches!(self, Self::Below | Self::Above)
    }
    /// Whether both bound from the same side.
    pub fn agrees(self, other: Self) -> bool {
        (self.is_upper() && other.is_upper()) || (self.is_lower() && other.is_lower())
    }
}

/// A literal that compares a form with a number; see the module documentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinearLiteral {
    /// What is compared.
    pub form: Term,
    /// How.
    pub relation: Comparison,
    /// With what.
    pub bound: Rational,
}

impl LinearLiteral {
    /// What `literal` says, if it is an inequality or an equation; nothing for a negated equation
    /// and for other formulas.
    pub fn of(store: &TermStore, literal: Term) -> Option<Self> {
        let (atom, negated) = store.strip_not(literal);
        Self::of_atom(store, atom, !negated)
    }
    /// What `atom`, taken positively or negated, says.
    pub fn of_atom(store: &TermStore, atom: Term, positive: bool) -> Option<Self> {
        let (relation, form, bound) = store.comparison(atom)?;
        let (relation, bound) = match (relation, positive) {
            (Relation::Le, true) => (Comparison::AtMost, bound.clone()),
            (Relation::Le, false) if store.sort(form).is_int() => {
                (Comparison::AtLeast, bound + &Rational::ONE)
            }
            (Relation::Le, false) => (Comparison::Above, bound.clone()),
            (Relation::Lt, true) => (Comparison::Below, bound.clone()),
            (Relation::Lt, false) => (Comparison::AtLeast, bound.clone()),
            (Relation::Eq, true) => (Comparison::Equal, bound.clone()),
            (Relation::Eq, false) => return None,
        };
        Some(Self { form, relation, bound })
    }
    /// The literal.
    pub fn literal(&self, store: &mut TermStore) -> Term {
        let mut linear = store.linear(self.form);
        linear.constant -= &self.bound;
        match self.relation {
            Comparison::AtMost => store.le_zero(&linear),
            Comparison::Below => store.lt_zero(&linear),
            Comparison::AtLeast => store.le_zero(&linear.negated()),
            Comparison::Above => store.lt_zero(&linear.negated()),
            Comparison::Equal => store.eq_zero(&linear),
        }
    }
    /// The same as `linear ≤ 0`, or as `linear < 0` if the flag is set; nothing for an equation.
    pub fn inequality(&self, store: &TermStore) -> Option<(Linear, bool)> {
        let mut linear = store.linear(self.form);
        linear.constant -= &self.bound;
        match self.relation {
            Comparison::AtMost | Comparison::Below => Some((linear, self.relation.is_strict())),
            Comparison::AtLeast | Comparison::Above => {
                Some((linear.negated(), self.relation.is_strict()))
            }
            Comparison::Equal => None,
        }
    }
}

impl TermStore {
    /// `form ≤ bound` and `form ≥ bound` for the atom `form = bound`.
    pub fn equation_bounds(&mut self, atom: Term) -> Option<[Term; 2]> {
        let (form, bound) = self.equation(atom)?;
        let mut linear = self.linear(form);
        linear.constant -= bound;
        Some([self.le_zero(&linear), self.le_zero(&linear.negated())])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sort;

    #[test]
    fn literals_are_what_they_are_read_as() {
        let mut s = TermStore::new();
        let (x, y, r) = (s.var("x", Sort::INT), s.var("y", Sort::INT), s.var("r", Sort::REAL));
        let (difference, mixed) = (s.sub(x, y), s.add(&[x, r]));
        for term in [x, difference, r, mixed] {
            let two = s.int(2);
            for atom in [s.le(term, two), s.lt(term, two), s.eq(term, two)] {
                for literal in [atom, s.not(atom)] {
                    let Some(read) = LinearLiteral::of(&s, literal) else {
                        assert!(s.equation(s.strip_not(literal).0).is_some() && literal != atom);
                        continue;
                    };
                    assert_eq!(read.literal(&mut s), literal);
                    assert!(!(read.relation.is_strict() && s.sort(read.form).is_int()));
                    let Some((linear, strict)) = read.inequality(&s) else {
                        assert_eq!(read.relation, Comparison::Equal);
                        continue;
                    };
                    let again = if strict { s.lt_zero(&linear) } else { s.le_zero(&linear) };
                    assert_eq!(again, literal);
                }
            }
        }
    }

    #[test]
    fn an_equation_is_its_two_bounds() {
        let mut s = TermStore::new();
        let (x, five) = (s.var("x", Sort::INT), s.int(5));
        let equation = s.eq(x, five);
        assert_eq!(s.equation_bounds(equation), Some([s.le(x, five), s.ge(x, five)]));
        let bound = s.le(x, five);
        assert_eq!(s.equation_bounds(bound), None);
    }
}
