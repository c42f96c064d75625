//! What literals say about linear combinations, and when that is contradictory.
//!
//! A literal over `form ≤ bound` or `form < bound` says `linear ≤ 0` or `linear < 0`. If all terms
//! of the form are integers with integer coefficients, then `form > bound` says
//! `form ≥ ⌊bound⌋ + 1`.
//!
//! Source: [DdM06] §3.
//! DIVERGENCE: the theory solver has a reader of literals of its own; this one is written anew on
//! purpose and shares no code with it.

use shofar_num::Rational;
use shofar_term::{Linear, Relation, Sort, Term, TermStore};

use crate::Literal;

/// `linear ≤ 0`, or `linear < 0` if `strict`.
#[derive(Clone, Debug)]
pub(crate) struct Inequality {
    pub(crate) linear: Linear,
    pub(crate) strict: bool,
}

impl Inequality {
    /// What a literal says, if its atom is a comparison by `≤` or `<`.
    pub(crate) fn of(store: &TermStore, literal: Literal) -> Option<Self> {
        let (relation, form, bound) = store.comparison(literal.atom)?;
        let strict = match relation {
            Relation::Le => false,
            Relation::Lt => true,
            Relation::Eq => return None,
        };
        Some(match (literal.positive, strict) {
            (true, strict) => Self::below(store, form, bound, strict),
            (false, strict) => Self::above(store, form, bound, !strict),
        })
    }
    /// `form ≤ bound`, or `form < bound`.
    pub(crate) fn below(store: &TermStore, form: Term, bound: &Rational, strict: bool) -> Self {
        let mut linear = store.linear(form);
        linear.constant -= bound;
        Self { linear, strict }.rounded(store)
    }
    /// `form ≥ bound`, or `form > bound`.
    pub(crate) fn above(store: &TermStore, form: Term, bound: &Rational, strict: bool) -> Self {
        let mut linear = store.linear(form).negated();
        linear.constant += bound;
        Self { linear, strict }.rounded(store)
    }
    /// The same over the integers: a strict inequality between them leaves at least 1.
    fn rounded(mut self, store: &TermStore) -> Self {
        let is_whole = |(c, t): &(Rational, Term)| c.is_integer() && store.sort(*t) == Sort::INT;
        if self.strict && self.linear.monomials().iter().all(is_whole) {
            self.linear.constant = self.linear.constant.floor() + Rational::ONE;
            self.strict = false;
        }
        self
    }
    /// The inequality with `value` in place of `term`.
    pub(crate) fn substitute(&mut self, term: Term, value: &Linear) {
        if let Some(coefficient) = self.linear.remove(term) {
            self.linear.add_scaled(&coefficient, value);
        }
    }
    /// Whether no values satisfy it, because no term is left.
    pub(crate) fn is_contradiction(&self) -> bool {
        let constant = &self.linear.constant;
        self.linear.is_constant() && (constant.is_positive() || self.strict && constant.is_zero())
    }
    /// Whether this and `other` exclude each other because they bound the same combination from
    /// both sides.
    pub(crate) fn excludes(&self, other: &Self) -> bool {
        let (mine, others) = (self.linear.monomials(), other.linear.monomials());
        let ([(a, s), ..], [(b, t), ..]) = (mine, others) else { return false };
        if s != t || mine.len() != others.len() || a.is_negative() == b.is_negative() {
            return false;
        }
        let mut sum = self.linear.clone();
        sum.add_scaled(&-(a / b), &other.linear);
        Self { linear: sum, strict: self.strict || other.strict }.is_contradiction()
    }
}

/// Whether one of the inequalities, or two of them, are contradictory.
pub(crate) fn is_contradictory(inequalities: &[Inequality]) -> bool {
    inequalities.iter().enumerate().any(|(at, inequality)| {
        let mut later = inequalities[at + 1..].iter();
        inequality.is_contradiction() || later.any(|other| inequality.excludes(other))
    })
}

/// Whether the inequalities contradict `form = bound`, or, if it is `denied`, contradict
/// `form ≠ bound`.
pub(crate) fn contradicts_equation(
    store: &TermStore,
    inequalities: &[Inequality],
    (form, bound): (Term, &Rational),
    denied: bool,
) -> bool {
    let with = |added: &[Inequality]| {
        let all: Vec<Inequality> = inequalities.iter().chain(added).cloned().collect();
        is_contradictory(&all)
    };
    let below = Inequality::below(store, form, bound, denied);
    let above = Inequality::above(store, form, bound, denied);
    if denied { with(&[below]) && with(&[above]) } else { with(&[below, above]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_leave_a_gap_and_reals_do_not() {
        let mut store = TermStore::new();
        for (sort, gap) in [(Sort::INT, true), (Sort::REAL, false)] {
            let x = store.var("x", sort);
            let (two, three) = (Rational::from(2), Rational::from(3));
            let above = Inequality::above(&store, x, &two, true);
            let below = Inequality::below(&store, x, &three, true);
            assert_eq!(above.excludes(&below), gap, "{sort:?}");
            let equal = [Inequality::above(&store, x, &two, false)];
            assert!(!contradicts_equation(&store, &equal, (x, &two), false));
            assert!(!contradicts_equation(&store, &equal, (x, &two), true));
            let at_most = Inequality::below(&store, x, &two, false);
            let both = [equal[0].clone(), at_most];
            assert!(contradicts_equation(&store, &both, (x, &two), true));
            assert!(contradicts_equation(&store, &both, (x, &three), false));
        }
    }

    #[test]
    fn multiples_of_a_form_are_compared() {
        let mut store = TermStore::new();
        let x = store.var("x", Sort::REAL);
        let double = store.scale(&Rational::from(2), x);
        let low = Inequality::above(&store, double, &Rational::from(6), false);
        let high = |bound| Inequality::below(&store, x, &Rational::from(bound), false);
        assert!(low.excludes(&high(2)));
        assert!(!low.excludes(&high(3)));
        assert!(!high(2).excludes(&high(3)));
    }
}
