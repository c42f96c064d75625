//! What a literal over a linear atom says, as an inequality.
//!
//! The literals of arithmetic are `form ≤ bound` and `form < bound`, and their negations. Each says
//! `linear ≤ 0` or `linear < 0`; over all-integer forms the negation of `form ≤ bound` is
//! `form ≥ bound + 1`.

use shofar_num::Rational;
use shofar_term::{Linear, LinearLiteral, Term, TermStore};

/// `linear ≤ 0`, or `linear < 0` if `strict`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inequality {
    /// The left-hand side.
    pub linear: Linear,
    /// Whether equality is excluded.
    pub strict: bool,
}

impl Inequality {
    /// What the atom `Le` or `Lt`, taken positively or negated, says; nothing for other terms.
    pub fn of_literal(store: &TermStore, atom: Term, positive: bool) -> Option<Self> {
        let (linear, strict) = LinearLiteral::of_atom(store, atom, positive)?.inequality(store)?;
        Some(Self { linear, strict })
    }
    /// The inequality as a formula.
    pub fn to_term(&self, store: &mut TermStore) -> Term {
        if self.strict { store.lt_zero(&self.linear) } else { store.le_zero(&self.linear) }
    }
    /// `Σ kᵢ·inequalityᵢ`; strict if a strict one takes part.
    pub fn combination<'a>(
        weighted: impl IntoIterator<Item = (&'a Rational, &'a Inequality)>,
    ) -> Self {
        let mut sum = Self { linear: Linear::new(), strict: false };
        for (k, inequality) in weighted {
            if !k.is_zero() {
                sum.linear.add_scaled(k, &inequality.linear);
                sum.strict |= inequality.strict;
            }
        }
        sum
    }
    /// Whether it can hold for no values because no term is left and the constant is too big.
    pub fn is_contradiction(&self) -> bool {
        self.linear.is_constant()
            && (self.linear.constant.is_positive()
                || (self.strict && self.linear.constant.is_zero()))
    }
}

/// Whether `farkas` proves that `literals` contradict each other.
pub fn is_farkas_refutation(
    store: &TermStore,
    literals: &[(Term, bool)],
    farkas: &[Rational],
) -> bool {
    let inequalities: Option<Vec<Inequality>> = literals
        .iter()
        .map(|&(atom, positive)| Inequality::of_literal(store, atom, positive))
        .collect();
    inequalities.is_some_and(|inequalities| {
        farkas.len() == inequalities.len()
            && farkas.iter().all(Rational::is_positive)
            && Inequality::combination(farkas.iter().zip(&inequalities)).is_contradiction()
    })
}
