//! Linear equations in echelon form.
//!
//! Every row is a linear combination that is zero, and is kept under its pivot, the youngest of its
//! terms. A combination is reduced by replacing pivots until none is left; two combinations are
//! equal in all solutions of the rows exactly if their reduced forms are the same.
//!
//! Invariant: no two rows have the same pivot. Replacing a pivot brings older terms only, so
//! reducing ends.
//!
//! Source: Gauss elimination.

use shofar_base::Map;
use shofar_num::Rational;
use shofar_term::{Linear, Term, TermStore};

/// Equations that hold together.
#[derive(Debug, Default)]
pub(crate) struct Equations {
    rows: Map<Term, Linear>,
    has_contradiction: bool,
}

impl Equations {
    /// Takes up that `zero` is zero.
    pub(crate) fn assume(&mut self, store: &TermStore, zero: Linear) {
        let rest = self.reduced(zero);
        self.has_contradiction |= is_never_zero(store, &rest);
        if let Some(&(_, pivot)) = rest.monomials().last() {
            self.rows.insert(pivot, rest);
        }
    }
    /// What `linear` is in terms that are no pivots.
    pub(crate) fn reduced(&self, mut linear: Linear) -> Linear {
        loop {
            let row = |(c, t): &(Rational, Term)| Some((c.clone(), self.rows.get(t)?));
            let Some((coefficient, row)) = linear.monomials().iter().rev().find_map(row) else {
                return linear;
            };
            let (pivot, _) = row.monomials().last().expect("a row has a pivot");
            linear.add_scaled(&-(&coefficient / pivot), row);
        }
    }
    /// Whether something would be zero that never is.
    pub(crate) fn has_contradiction(&self) -> bool {
        self.has_contradiction
    }
}

/// Whether it is another number than zero, or a sum of integers that is not zero because of their
/// common factor.
pub(crate) fn is_never_zero(store: &TermStore, linear: &Linear) -> bool {
    if linear.is_constant() {
        return !linear.constant.is_zero();
    }
    let all_int = linear.monomials().iter().all(|&(_, term)| store.sort(term).is_int());
    all_int && !(&linear.constant * linear.primitive_factor()).is_integer()
}

#[cfg(test)]
mod tests {
    use shofar_term::Sort;

    use super::*;

    #[test]
    fn what_follows_is_reduced_to_zero() {
        let mut s = TermStore::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| s.var(name, Sort::REAL));
        let linear = |monomials: &[(i64, Term)], constant: i64| {
            let monomials = monomials.iter().map(|&(c, t)| (Rational::from(c), t)).collect();
            Linear::from_monomials(monomials, Rational::from(constant))
        };
        let mut equations = Equations::default();
        equations.assume(&s, linear(&[(1, x), (-2, y)], 3));
        equations.assume(&s, linear(&[(1, y), (1, z)], -1));
        // x = 2y - 3 and z = 1 - y give x + 2z = -1.
        assert_eq!(equations.reduced(linear(&[(1, x), (2, z)], 1)), Linear::new());
        assert_ne!(equations.reduced(linear(&[(1, x), (1, z)], 1)), Linear::new());
        equations.assume(&s, linear(&[(2, x), (4, z)], 2));
        assert!(!equations.has_contradiction());
        equations.assume(&s, linear(&[(2, x), (4, z)], 3));
        assert!(equations.has_contradiction());
    }
    #[test]
    fn twice_an_integer_is_not_odd() {
        let mut s = TermStore::new();
        for (sort, is_contradictory) in [(Sort::INT, true), (Sort::REAL, false)] {
            let [x, y] = ["x", "y"].map(|name| s.fresh(name, sort)).map(|x| s.constant(x));
            let linear = |monomials: &[(i64, Term)], constant: i64| {
                let monomials = monomials.iter().map(|&(c, t)| (Rational::from(c), t)).collect();
                Linear::from_monomials(monomials, Rational::from(constant))
            };
            let mut equations = Equations::default();
            equations.assume(&s, linear(&[(1, x), (1, y)], -5));
            assert!(!equations.has_contradiction());
            equations.assume(&s, linear(&[(1, x), (-1, y)], 0));
            assert_eq!(equations.has_contradiction(), is_contradictory);
        }
    }
}
