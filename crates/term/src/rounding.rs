//! Constructors between the integers and the reals: quotients, remainders, whole parts.
//!
//! Like sums, `div`, `mod` and `to_int` have a canonical form: the part that comes out whole is
//! given away.

use shofar_num::{Rational, div_euclid, mod_euclid};

use crate::store::Op;
use crate::{Linear, Sort, Term, TermStore};

impl TermStore {
    /// Euclidean quotient of integers as SMT-LIB defines it; `divisor` is an integer other than 0.
    pub fn div(&mut self, a: Term, divisor: &Rational) -> Term {
        if divisor.is_negative() {
            let positive = self.div(a, &-divisor);
            return self.neg(positive);
        }
        let (mut quotient, rest) = self.split_multiples(a, divisor);
        if !rest.is_constant() {
            let rest = self.sum(&rest, Sort::INT);
            let id = self.intern_number(divisor);
            let term = self.intern(Op::Div, Sort::INT, &[rest], id);
            quotient.add_term(&Rational::ONE, term);
        }
        self.sum(&quotient, Sort::INT)
    }
    /// Euclidean remainder of integers as SMT-LIB defines it; `divisor` is an integer other than 0.
    pub fn modulo(&mut self, a: Term, divisor: &Rational) -> Term {
        let divisor = divisor.abs();
        let (_, rest) = self.split_multiples(a, &divisor);
        let constant = rest.is_constant();
        let rest = self.sum(&rest, Sort::INT);
        if constant {
            return rest;
        }
        let id = self.intern_number(&divisor);
        self.intern(Op::Mod, Sort::INT, &[rest], id)
    }
    /// `a = divisor·first + second`, the numbers of `second` in `0..divisor`.
    fn split_multiples(&self, a: Term, divisor: &Rational) -> (Linear, Linear) {
        let linear = self.linear(a);
        let whole = |n: &Rational| div_euclid(n, divisor).expect("the divisor is not zero");
        let part = |n: &Rational| mod_euclid(n, divisor).expect("the divisor is not zero");
        let split = |f: &dyn Fn(&Rational) -> Rational| {
            Linear::from_monomials(
                linear.monomials().iter().map(|(c, t)| (f(c), *t)).collect(),
                f(&linear.constant),
            )
        };
        (split(&whole), split(&part))
    }
    /// `|a|`.
    pub fn abs(&mut self, a: Term) -> Term {
        let zero = self.number(Rational::ZERO, self.sort(a));
        let (non_negative, negated) = (self.ge(a, zero), self.neg(a));
        self.ite(non_negative, a, negated)
    }
    /// `a` as a real.
    pub fn to_real(&mut self, a: Term) -> Term {
        let linear = self.linear(a);
        self.sum(&linear, Sort::REAL)
    }
    /// The largest integer not above `a`.
    pub fn to_int(&mut self, a: Term) -> Term {
        if self.sort(a).is_int() {
            return a;
        }
        let linear = self.linear(a);
        let comes_out = |c: &Rational, t: Term| c.is_integer() && self.sort(t).is_int();
        let (whole, rest): (Vec<_>, Vec<_>) =
            linear.monomials().iter().cloned().partition(|(c, t)| comes_out(c, *t));
        let mut whole = Linear::from_monomials(whole, linear.constant.floor());
        if !rest.is_empty() {
            let rest = Linear::from_monomials(rest, linear.constant.fract());
            let rest = self.sum(&rest, Sort::REAL);
            let term = self.intern(Op::ToInt, Sort::INT, &[rest], 0);
            whole.add_term(&Rational::ONE, term);
        }
        self.sum(&whole, Sort::INT)
    }
    /// Whether `a` has an integral value.
    pub fn is_int(&mut self, a: Term) -> Term {
        let floor = self.to_int(a);
        self.eq(a, floor)
    }
    /// Whether the integer `a` is a multiple of `divisor`, an integer other than 0.
    pub fn divisible(&mut self, divisor: &Rational, a: Term) -> Term {
        let rest = self.modulo(a, divisor);
        let zero = self.int(0);
        self.eq(rest, zero)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_gives_whole_parts_away() {
        let mut s = TermStore::new();
        let (x, y, r) = (s.var("x", Sort::INT), s.var("y", Sort::INT), s.var("r", Sort::REAL));
        let three = Rational::from(3);
        let t = s.scale(&three, x);
        let seven = s.int(7);
        let t = s.add(&[t, y, seven]);
        let (q, m) = (s.div(t, &three), s.modulo(t, &three));
        let one = s.int(1);
        let rest = s.add(&[y, one]);
        assert_eq!(m, s.modulo(rest, &three));
        let (two, inner) = (s.int(2), s.div(rest, &three));
        assert_eq!(q, s.add(&[x, two, inner]));
        let mixed = s.add(&[x, r]);
        let floor = s.to_int(r);
        assert_eq!(s.to_int(mixed), s.add(&[x, floor]));
    }
}
