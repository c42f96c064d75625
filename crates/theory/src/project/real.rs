//! Elimination of a real variable from linear constraints.
//!
//! An equality is solved for the variable. Without one, `x` lies between lower and upper bounds;
//! the model tells which lower bound is the greatest, and `x` is virtually replaced by it, or by it
//! plus an infinitesimal if it is strict. The other lower bounds then must be below it and the
//! upper bounds above it. The same works downward from the least upper bound; the side with fewer
//! bounds is taken, since a side with one bound gives the exact projection. If one side has no
//! bound at all, the far end of the line satisfies the other one.
//!
//! Both sides are kept in one shape: `u ≥ x` is `-x ≥ -u`, a lower bound of `-x`.
//!
//! Source: [LW93] §3 (test points `l` and `l + ε`), [KGC16] §5 (the model chooses the test point).
//! DIVERGENCE [KGC16]: either side may be resolved, and of equal bounds a strict one is chosen.

use shofar_num::Rational;
use shofar_term::{Linear, Term};

use super::Projection;
use super::constraint::{Constraint, Relation};

/// `±x ≥ term`, or `±x > term` if strict.
struct Bound {
    term: Linear,
    strict: bool,
}

impl Bound {
    /// `term + sign·other.term ≤ 0`, or `< 0`.
    fn against(&self, sign: &Rational, other: &Bound, strict: bool) -> Constraint {
        let mut linear = self.term.clone();
        linear.add_scaled(sign, &other.term);
        Constraint { relation: if strict { Relation::Lt } else { Relation::Le }, linear }
    }
}

impl Projection<'_> {
    /// Replaces the constraints `with` the real variable `x` by ones without it.
    pub(super) fn eliminate_real(&mut self, x: Term, with: Vec<Constraint>) {
        let equalities = with.iter().filter(|c| c.relation == Relation::Eq);
        if let Some(definition) = equalities.min_by_key(|c| c.linear.monomials().len()) {
            let mut solution = definition.linear.clone();
            let coefficient = solution.remove(x).expect("the constraint has the variable");
            solution.scale(&-coefficient.recip());
            for constraint in &with {
                self.push(constraint.resolve(x, &Rational::ONE, &solution));
            }
            return;
        }
        let (mut lower, mut upper) = (Vec::new(), Vec::new());
        for Constraint { relation, linear: mut term } in with {
            let coefficient = term.remove(x).expect("the constraint has the variable");
            // c·x + t ≤ 0 is -x ≥ t/c if c is positive, else x ≥ t/|c|.
            term.scale(&coefficient.abs().recip());
            let side = if coefficient.is_positive() { &mut upper } else { &mut lower };
            side.push(Bound { term, strict: relation == Relation::Lt });
        }
        if upper.len() < lower.len() {
            self.resolve_real(&upper, &lower);
        } else {
            self.resolve_real(&lower, &upper);
        }
    }
    /// With `near` the bounds of one side and `far` those of the other: the tightest near bound is
    /// implied by the others and does not cross a far one.
    fn resolve_real(&mut self, near: &[Bound], far: &[Bound]) {
        let values: Vec<Rational> = near.iter().map(|bound| self.value(&bound.term)).collect();
        let tightness = |i: &usize| (&values[*i], near[*i].strict);
        let Some(chosen) = (0..near.len()).max_by_key(tightness) else { return };
        let tightest = &near[chosen];
        for (i, bound) in near.iter().enumerate() {
            if i != chosen {
                let strict = bound.strict && !tightest.strict;
                self.push(bound.against(&Rational::MINUS_ONE, tightest, strict));
            }
        }
        for bound in far {
            let strict = bound.strict || tightest.strict;
            self.push(bound.against(&Rational::ONE, tightest, strict));
        }
    }
}
