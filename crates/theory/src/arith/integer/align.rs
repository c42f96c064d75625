//! Bounds that equations show to be loose.
//!
//! Under the equations of a system every integral point is given by integral values of the open
//! forms. A bounded sum, written in these forms, is `c + g·f` for an integral form `f` with coprime
//! coefficients. If a bound of the sum is not `c` plus a multiple of `g`, it can be tightened to
//! the next one that is. The split on `f` there closes one case at once, and the other case has the
//! tighter bound. Without this, a strip between two bounds that holds no integral point, but is
//! unbounded in other directions, keeps a branching search busy forever.
//!
//! Source: the tightening of inequalities after the elimination of equations in [Pug91].

use shofar_num::{Delta, Rational, gcd};

use super::super::Arith;
use super::Cut;
use super::hermite::Affine;
use super::system::{Bounded, System};

impl Arith {
    /// A split that tightens a bound beyond the present assignment. The bounded columns of the
    /// system are `sums`, up to scale and offset.
    pub(super) fn aligned_split(
        &self,
        system: &System,
        forms: &[Vec<Rational>],
        sums: &[Affine],
    ) -> Option<Cut> {
        system.bounded.iter().zip(sums).find_map(|(bounded, sum)| {
            let step = sum.coefficients.iter().fold(Rational::ZERO, |g, c| gcd(&g, c));
            if step.is_zero() {
                return None;
            }
            let last = self.last_below(bounded, sum, &step)?;
            let mut form = vec![Rational::ZERO; system.terms.len()];
            for (c, open) in sum.coefficients.iter().zip(forms) {
                for (f, o) in form.iter_mut().zip(open) {
                    f.add_mul(&(c / &step), o);
                }
            }
            self.form_split(system, &form, &last.into())
        })
    }
    /// The value at which to split the form `f` of a bounded column, if the present value is beyond
    /// a tightened bound.
    fn last_below(&self, bounded: &Bounded, sum: &Affine, step: &Rational) -> Option<Rational> {
        let offset = &bounded.offset + &sum.constant;
        let place = |value: &Delta| (&value.scale(&bounded.scale) - &offset).scale(&step.recip());
        let value = place(self.simplex.value(bounded.column));
        let limits = self.simplex.bounds.of(bounded.column);
        let upper = limits.upper.as_ref().map(|u| place(&u.value).floor());
        if let Some(upper) = upper
            && value > upper.clone().into()
        {
            return Some(upper);
        }
        let lower = place(&limits.lower.as_ref()?.value).ceil();
        (value < lower.clone().into()).then(|| lower - Rational::ONE)
    }
}
