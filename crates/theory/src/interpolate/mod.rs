//! Interpolants of contradictory linear inequalities, from their Farkas coefficients.
//!
//! Given inequalities of two sides whose weighted sum is a contradiction, the weighted sum of the
//! A-side is an interpolant: terms that only A knows cancel, because B cannot cancel them. From the
//! same weights come a family of interpolants of different strength,
//! `decomposed ⇒ farkas ⇒ factor ⇒ dual-farkas ⇒ dual-decomposed`.
//!
//! Source: [Bli22] chapter 3 (decomposed interpolants, Algorithm 3.1, and §3.3.2 for the order by
//! strength); [AHS17] for the strength factor. Symbols: `k_A` → the weights of `a`, `C_A x ≤ c_A` →
//! the inequalities of `a`. Invariant: a monomial of an A-side inequality that `is_shared` denies
//! is local to A, and likewise for B.

mod decompose;

use shofar_num::Rational;
use shofar_term::{Term, TermStore};

use crate::inequality::Inequality;
pub use decompose::decompose;

/// Which interpolant is made of a Farkas proof.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum LinearAlgorithm {
    /// The weighted sum of the A-side.
    Farkas,
    /// The negated weighted sum of the B-side: weaker.
    DualFarkas,
    /// Between the two: 0 is Farkas, 1 its dual.
    Factor(Rational),
    /// A conjunction, stronger than Farkas.
    #[default]
    Decomposed,
    /// A disjunction, weaker than dual Farkas.
    DualDecomposed,
}

/// An inequality with its Farkas coefficient.
pub type Weighted = (Rational, Inequality);

/// An interpolant of the conjunctions `a` and `b`, over shared terms only.
pub fn interpolate(
    store: &mut TermStore,
    a: &[Weighted],
    b: &[Weighted],
    is_shared: &dyn Fn(Term) -> bool,
    algorithm: &LinearAlgorithm,
) -> Term {
    if a.is_empty() {
        return store.top();
    }
    if b.is_empty() {
        return store.bottom();
    }
    match algorithm {
        LinearAlgorithm::Farkas => sum(a).to_term(store),
        LinearAlgorithm::DualFarkas => {
            let other = sum(b).to_term(store);
            store.not(other)
        }
        LinearAlgorithm::Factor(strength) => between(store, a, b, strength),
        LinearAlgorithm::Decomposed => conjunction(store, a, is_shared),
        LinearAlgorithm::DualDecomposed => {
            let other = conjunction(store, b, is_shared);
            store.not(other)
        }
    }
}

fn sum(side: &[Weighted]) -> Inequality {
    Inequality::combination(side.iter().map(|(k, inequality)| (k, inequality)))
}

/// `t ≤ -c_A + strength·(c_B + c_A)`, which lies between Farkas `t ≤ -c_A` and its dual `t < c_B`.
fn between(store: &mut TermStore, a: &[Weighted], b: &[Weighted], strength: &Rational) -> Term {
    let (mut low, high) = (sum(a), sum(b));
    let gap = &low.linear.constant + &high.linear.constant;
    if gap.is_positive() && strength.is_positive() {
        // Away from both ends the gap makes the inequality safe without being strict.
        low.strict = false;
        low.linear.constant.sub_mul(strength, &gap);
    }
    low.to_term(store)
}

fn conjunction(store: &mut TermStore, side: &[Weighted], is_shared: &dyn Fn(Term) -> bool) -> Term {
    let conjuncts: Vec<Term> = decompose(side, is_shared)
        .iter()
        .map(|weights| {
            let part = weights.iter().zip(side).map(|(k, (_, inequality))| (k, inequality));
            Inequality::combination(part).to_term(store)
        })
        .collect();
    store.and(&conjuncts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shofar_term::Sort;

    /// `coefficients·x ≤ bound` over real variables `x1, x2, …`.
    fn inequality(store: &mut TermStore, coefficients: &[i64], bound: i64) -> Inequality {
        let mut linear = shofar_term::Linear::of_constant(Rational::from(-bound));
        for (i, &c) in coefficients.iter().enumerate() {
            let x = store.var(&format!("x{}", i + 1), Sort::REAL);
            linear.add_term(&Rational::from(c), x);
        }
        Inequality { linear, strict: false }
    }

    fn side(store: &mut TermStore, rows: &[(i64, &[i64], i64)]) -> Vec<Weighted> {
        rows.iter().map(|&(k, c, b)| (Rational::from(k), inequality(store, c, b))).collect()
    }

    fn conjunction_of(store: &mut TermStore, rows: &[(&[i64], i64)]) -> Term {
        let parts: Vec<Term> =
            rows.iter().map(|&(c, b)| inequality(store, c, b).to_term(store)).collect();
        store.and(&parts)
    }

    #[test]
    fn example_3_3() {
        let mut store = TermStore::new();
        let a = side(&mut store, &[(1, &[1, 1], 0), (1, &[1, 0, 1], 0), (2, &[-1], 0)]);
        let b = side(&mut store, &[(1, &[0, -1, -1], -1)]);
        let x1 = store.var("x1", Sort::REAL);
        let shared = move |t| t != x1;
        let farkas = interpolate(&mut store, &a, &b, &shared, &LinearAlgorithm::Farkas);
        assert_eq!(farkas, conjunction_of(&mut store, &[(&[0, 1, 1], 0)]));
        let decomposed = interpolate(&mut store, &a, &b, &shared, &LinearAlgorithm::Decomposed);
        assert_eq!(decomposed, conjunction_of(&mut store, &[(&[0, 1], 0), (&[0, 0, 1], 0)]));
    }

    #[test]
    fn example_3_11() {
        let mut store = TermStore::new();
        let a = side(
            &mut store,
            &[
                (1, &[1, 1], 0),
                (1, &[-1, 0, 1], 0),
                (1, &[1, 0, 0, 1], 0),
                (1, &[-1, 0, 0, 0, 1], 0),
            ],
        );
        let b = side(&mut store, &[(1, &[0, -1, -1, -1, -1], -1)]);
        let x1 = store.var("x1", Sort::REAL);
        let decomposed =
            interpolate(&mut store, &a, &b, &move |t| t != x1, &LinearAlgorithm::Decomposed);
        let expected: &[(&[i64], i64)] =
            &[(&[0, 1, 1], 0), (&[0, 0, 1, 2, 1], 0), (&[0, 1, 0, 0, 1], 0)];
        assert_eq!(decomposed, conjunction_of(&mut store, expected));
    }

    #[test]
    fn motivating_example_is_a_conjunction() {
        // A: x ≥ 0, y ≥ 0 (from x = 0, y = 0); B: x + y < 0.
        let mut store = TermStore::new();
        let a = side(&mut store, &[(1, &[-1], 0), (1, &[0, -1], 0)]);
        let mut b = side(&mut store, &[(1, &[1, 1], 0)]);
        b[0].1.strict = true;
        let decomposed = interpolate(&mut store, &a, &b, &|_| true, &LinearAlgorithm::Decomposed);
        assert_eq!(decomposed, conjunction_of(&mut store, &[(&[-1], 0), (&[0, -1], 0)]));
        let farkas = interpolate(&mut store, &a, &b, &|_| true, &LinearAlgorithm::Farkas);
        assert_eq!(farkas, conjunction_of(&mut store, &[(&[-1, -1], 0)]));
    }
}
