//! Constraints that depend on how often a loop was repeated.
//!
//! A case of a closure holds for the iteration counts `n = first + stride·k`, and its constraints
//! are linear in the *index* `k`. They are written down once the index is known as a linear
//! combination, of whatever stands for `n`: coefficients may be fractions then, which canonical
//! literals get rid of, so no quotient is ever needed.

use shofar_num::{Rational, lcm};
use shofar_term::{Linear, Relation, Sort, Term, TermStore};

/// A constraint with the index `k` as a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Constraint {
    /// `linear + slope·k ⋈ 0`.
    Linear {
        /// The part without the index.
        linear: Linear,
        /// How much is added by each repetition.
        slope: Rational,
        /// How the sum compares with 0.
        relation: Relation,
    },
    /// `linear + slope·l ≠ 0` for all `0 ≤ l ≤ k + shift`; the slope is not 0.
    Never {
        /// The part without the index.
        linear: Linear,
        /// How much is added by each repetition.
        slope: Rational,
        /// What is added to the index, at least 0.
        shift: Rational,
    },
    /// A formula without the index.
    Fixed(Term),
}

impl Constraint {
    /// Whether it depends on the index.
    pub(crate) fn is_fixed(&self) -> bool {
        match self {
            Constraint::Linear { slope, .. } => slope.is_zero(),
            Constraint::Never { .. } => false,
            Constraint::Fixed(_) => true,
        }
    }
    /// The index, if the constraint is an equation between integers that determines it.
    pub(crate) fn pinned_index(&self, store: &TermStore) -> Option<Linear> {
        let Constraint::Linear { linear, slope, relation: Relation::Eq } = self else {
            return None;
        };
        let is_integral = linear.monomials().iter().all(|&(_, t)| store.sort(t).is_int());
        if slope.is_zero() || !is_integral {
            return None;
        }
        let mut index = linear.clone();
        index.scale(&-slope.recip());
        Some(index)
    }
    /// What it says, with this index.
    pub(crate) fn formula(&self, store: &mut TermStore, index: &Linear) -> Term {
        match self {
            Constraint::Linear { linear, slope, relation } => {
                let mut sum = linear.clone();
                sum.add_scaled(slope, index);
                store.compare_zero(&sum, *relation)
            }
            Constraint::Never { linear, slope, shift } => {
                let mut last = linear.clone();
                last.add_scaled(slope, index);
                last.constant += slope * shift;
                never(store, linear, &last, slope)
            }
            Constraint::Fixed(formula) => *formula,
        }
    }
}

/// That a progression from `first` to `last` in steps of `slope` never meets 0: it stays on one
/// side, or jumps over it.
fn never(store: &mut TermStore, first: &Linear, last: &Linear, slope: &Rational) -> Term {
    let below = [store.lt_zero(first), store.lt_zero(last)];
    let above = [first, last].map(|end| store.lt_zero(&end.negated()));
    let mut quotient = first.clone();
    quotient.scale(&slope.recip());
    let meets = is_integral(store, &quotient);
    let parts = [store.and(&below), store.and(&above), store.not(meets)];
    store.or(&parts)
}

/// That `linear` has an integral value.
pub(crate) fn is_integral(store: &mut TermStore, linear: &Linear) -> Term {
    if linear.monomials().iter().any(|&(_, t)| store.sort(t).is_real()) {
        let sum = store.sum(linear, Sort::REAL);
        return store.is_int(sum);
    }
    let coefficients = linear.monomials().iter().map(|(c, _)| c);
    let denominator = coefficients
        .chain([&linear.constant])
        .fold(Rational::ONE, |all, number| lcm(&all, &number.denominator()));
    if denominator.is_one() {
        return store.top();
    }
    let mut whole = linear.clone();
    whole.scale(&denominator);
    let whole = store.sum(&whole, Sort::INT);
    store.divisible(&denominator, whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_jumped_over_is_never_met() {
        let mut s = TermStore::new();
        let x = s.var("x", Sort::INT);
        let (linear, slope) = (s.linear(x), Rational::from(3));
        let never = Constraint::Never { linear, slope, shift: Rational::ONE };
        let symbol = s.declare("x", &[], Sort::INT);
        for (value, repetitions, expected) in
            [(-6, 1, false), (-6, 0, true), (-5, 9, true), (1, 9, true), (0, 0, false)]
        {
            let formula = never.formula(&mut s, &Linear::of_constant(Rational::from(repetitions)));
            let mut model = shofar_term::eval::Model::new();
            model.set(symbol, shofar_term::Value::Number(Rational::from(value)));
            let holds = shofar_term::eval::evaluate(&s, formula, &model);
            assert_eq!(holds, Ok(shofar_term::Value::Bool(expected)), "{value} {repetitions}");
        }
    }

    #[test]
    fn fractions_are_integral_where_the_denominator_divides() {
        let mut s = TermStore::new();
        let (x, r) = (s.var("x", Sort::INT), s.var("r", Sort::REAL));
        let mut half = s.linear(x);
        half.scale(&Rational::new(1, 2));
        assert_eq!(is_integral(&mut s, &half), s.divisible(&2.into(), x));
        let (whole, real) = (s.linear(x), s.linear(r));
        assert_eq!(is_integral(&mut s, &whole), s.top());
        assert_eq!(is_integral(&mut s, &real), s.is_int(r));
    }
}
