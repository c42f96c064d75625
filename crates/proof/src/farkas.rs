//! Farkas lemmas: literals that add up to a contradiction.
//!
//! If `Σ kᵢ·linearᵢ` with `kᵢ ≥ 0` has no term left and a constant that is positive (or zero, and
//! some strict inequality takes part), then `linearᵢ ≤ 0` cannot all hold, and the clause of the
//! negated literals is valid.
//!
//! Source: [Sch86] §7.8 (Farkas' lemma).

use shofar_num::Rational;
use shofar_term::{Linear, TermStore};

use crate::Literal;
use crate::inequality::Inequality;

/// Whether the negations of the literals of `clause`, times `coefficients`, are contradictory.
pub(crate) fn is_lemma(store: &TermStore, clause: &[Literal], coefficients: &[Rational]) -> bool {
    if clause.len() != coefficients.len() || coefficients.iter().any(Rational::is_negative) {
        return false;
    }
    let mut sum = Inequality { linear: Linear::new(), strict: false };
    for (&literal, coefficient) in clause.iter().zip(coefficients) {
        if coefficient.is_zero() {
            continue;
        }
        let Some(inequality) = Inequality::of(store, !literal) else { return false };
        sum.linear.add_scaled(coefficient, &inequality.linear);
        sum.strict |= inequality.strict;
    }
    sum.is_contradiction()
}

#[cfg(test)]
mod tests {
    use shofar_term::Sort;

    use super::*;

    #[test]
    fn wrong_coefficients_are_refused() {
        let mut s = TermStore::new();
        let (x, y) = (s.var("x", Sort::REAL), s.var("y", Sort::REAL));
        let (sum, zero, one) = (s.add(&[x, y]), s.int(0), s.int(1));
        // x + y ≤ 0, x ≥ 1 and y ≥ 0 contradict each other.
        let formulas = [s.le(sum, zero), s.ge(x, one), s.ge(y, zero)];
        let clause = formulas.map(|formula| !Literal::of(&s, formula));
        let check = |numbers: &[i64]| {
            let coefficients: Vec<Rational> = numbers.iter().map(|&n| n.into()).collect();
            is_lemma(&s, &clause, &coefficients)
        };
        assert!(check(&[1, 1, 1]));
        assert!(check(&[3, 3, 3]));
        for wrong in [&[1, 1, 2][..], &[1, 1, 0], &[-1, -1, -1], &[0, 0, 0], &[1, 1], &[1, 1, 1, 1]]
        {
            assert!(!check(wrong), "{wrong:?}");
        }
    }
}
