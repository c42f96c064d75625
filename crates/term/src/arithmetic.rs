//! Constructors of numbers, sums and atoms in canonical form.
//!
//! Every comparison is brought to `form ⋈ bound`: the constant goes right, coefficients become coprime integers with a
//! positive leading one, `≥` and `>` become negations, and over the integers bounds are rounded and `<` disappears. So
//! `2x ≤ 5`, `x < 3` and `¬(x ≥ 3)` are one handle.

use std::cmp::Ordering;

use shofar_num::Rational;

use crate::store::Op;
use crate::{Difference, Kind, Linear, Sort, Term, TermStore};

/// How an atom compares something with zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Not above.
    Le,
    /// Below.
    Lt,
    /// Equal.
    Eq,
}

impl Relation {
    /// Whether a number that compares with zero in this way satisfies the relation.
    pub(crate) fn holds(self, with_zero: Ordering) -> bool {
        match self {
            Relation::Le => with_zero.is_le(),
            Relation::Lt => with_zero.is_lt(),
            Relation::Eq => with_zero.is_eq(),
        }
    }
}

impl TermStore {
    /// A number; integral if `sort` is `Int`.
    #[expect(clippy::needless_pass_by_value, reason = "callers have just made the number")]
    pub fn number(&mut self, value: Rational, sort: Sort) -> Term {
        debug_assert!(sort == Sort::Real || value.is_integer());
        let id = self.intern_number(&value);
        self.intern(Op::Number, sort, &[], id)
    }
    /// An integer.
    pub fn int(&mut self, value: i64) -> Term {
        self.number(Rational::from(value), Sort::Int)
    }
    /// `term` as a linear combination of terms that are neither sums nor numbers.
    pub fn linear(&self, term: Term) -> Linear {
        let mut linear = Linear::new();
        self.gather(term, &mut linear);
        linear
    }
    /// Appends `term` to `linear` without restoring its order.
    fn gather(&self, term: Term, linear: &mut Linear) {
        if let Kind::Number(value) = self.kind(term) {
            linear.constant += value;
        } else if let Kind::Sum(sum) = self.kind(term) {
            linear.append(sum.iter().map(|(c, t)| (c.clone(), t)));
            linear.constant += sum.constant();
        } else {
            linear.append([(Rational::ONE, term)]);
        }
    }
    /// The term for `linear`; if `sort` is `Int`, all its terms and numbers are integers.
    pub fn sum(&mut self, linear: &Linear, sort: Sort) -> Term {
        match linear.monomials() {
            [] => self.number(linear.constant.clone(), sort),
            [(c, t)] if linear.constant.is_zero() && c.is_one() && self.sort(*t) == sort => *t,
            monomials => {
                let mut numbers: smallvec::SmallVec<[u32; 8]> =
                    smallvec::SmallVec::with_capacity(monomials.len() + 1);
                numbers.push(self.intern_number(&linear.constant));
                for (c, _) in monomials {
                    numbers.push(self.intern_number(c));
                }
                let terms: smallvec::SmallVec<[Term; 8]> =
                    monomials.iter().map(|&(_, t)| t).collect();
                self.intern_sum(sort, &terms, &numbers)
            }
        }
    }
    /// `Real` if one of `terms` is real, else `Int`.
    fn join_sorts(&self, terms: &[Term]) -> Sort {
        if terms.iter().any(|&t| self.sort(t) == Sort::Real) { Sort::Real } else { Sort::Int }
    }
    pub(crate) fn same_sort(&mut self, a: Term, b: Term) -> (Term, Term) {
        match (self.sort(a), self.sort(b)) {
            (Sort::Int, Sort::Real) => (self.to_real(a), b),
            (Sort::Real, Sort::Int) => (a, self.to_real(b)),
            _ => (a, b),
        }
    }
    /// Sum of `terms`; an integer if all of them are.
    pub fn add(&mut self, terms: &[Term]) -> Term {
        let sort = self.join_sorts(terms);
        let mut linear = Linear::new();
        for &term in terms {
            self.gather(term, &mut linear);
        }
        linear.normalize();
        self.sum(&linear, sort)
    }
    /// `a - b`.
    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        let sort = self.join_sorts(&[a, b]);
        let difference = self.difference(a, b);
        self.sum(&difference, sort)
    }
    fn difference(&self, a: Term, b: Term) -> Linear {
        let mut linear = self.linear(a);
        linear.add_scaled(&Rational::MINUS_ONE, &self.linear(b));
        linear
    }
    /// `-a`.
    pub fn neg(&mut self, a: Term) -> Term {
        self.scale(&Rational::MINUS_ONE, a)
    }
    /// `factor·a`; an integer if both are.
    pub fn scale(&mut self, factor: &Rational, a: Term) -> Term {
        let sort = if factor.is_integer() { self.sort(a) } else { Sort::Real };
        let mut linear = self.linear(a);
        linear.scale(factor);
        self.sum(&linear, sort)
    }
    /// `a·b`, unless neither is a number.
    pub fn mul(&mut self, a: Term, b: Term) -> Option<Term> {
        let sort = self.join_sorts(&[a, b]);
        let (factor, mut linear) = match (self.kind(a), self.kind(b)) {
            (Kind::Number(factor), _) => (factor, self.linear(b)),
            (_, Kind::Number(factor)) => (factor, self.linear(a)),
            _ => return None,
        };
        linear.scale(factor);
        Some(self.sum(&linear, sort))
    }
    /// `a ≤ b`.
    pub fn le(&mut self, a: Term, b: Term) -> Term {
        self.compare(a, b, Relation::Le)
    }
    /// `a < b`.
    pub fn lt(&mut self, a: Term, b: Term) -> Term {
        self.compare(a, b, Relation::Lt)
    }
    /// `a ≥ b`.
    pub fn ge(&mut self, a: Term, b: Term) -> Term {
        self.le(b, a)
    }
    /// `a > b`.
    pub fn gt(&mut self, a: Term, b: Term) -> Term {
        self.lt(b, a)
    }
    pub(crate) fn arithmetic_eq(&mut self, a: Term, b: Term) -> Term {
        self.compare(a, b, Relation::Eq)
    }
    fn compare(&mut self, a: Term, b: Term, relation: Relation) -> Term {
        if self.is_plain(a) && self.is_plain(b) {
            let difference = Difference { plus: Some(a), minus: Some(b), constant: 0 };
            if let Some(atom) = self.compare_difference(difference, relation) {
                return atom;
            }
        }
        let difference = self.difference(a, b);
        self.compare_zero(&difference, relation)
    }
    /// `linear ≤ 0`.
    pub fn le_zero(&mut self, linear: &Linear) -> Term {
        self.compare_zero(linear, Relation::Le)
    }
    /// `linear < 0`.
    pub fn lt_zero(&mut self, linear: &Linear) -> Term {
        self.compare_zero(linear, Relation::Lt)
    }
    /// `linear = 0`.
    pub fn eq_zero(&mut self, linear: &Linear) -> Term {
        self.compare_zero(linear, Relation::Eq)
    }
    /// `linear ⋈ 0`.
    pub fn compare_zero(&mut self, linear: &Linear, relation: Relation) -> Term {
        let Some((leading, _)) = linear.monomials().first() else {
            return self.bool(relation.holds(linear.constant.signum().cmp(&0)));
        };
        let downward = leading.is_negative();
        let mut factor = linear.primitive_factor();
        if downward {
            factor = -factor;
        }
        let bound = if factor.is_one() { -&linear.constant } else { -(&linear.constant * &factor) };
        let all_int = linear.monomials().iter().all(|&(_, t)| self.sort(t) == Sort::Int);
        if relation == Relation::Eq && all_int && !bound.is_integer() {
            return self.bottom();
        }
        let form = self.form(linear, &factor, if all_int { Sort::Int } else { Sort::Real });
        match relation {
            Relation::Eq => self.bounded(Op::Eq, form, &bound),
            Relation::Le | Relation::Lt => {
                self.inequality(form, &bound, downward, relation == Relation::Lt, all_int)
            }
        }
    }
    /// The terms of `linear` times `factor`, without the constant.
    fn form(&mut self, linear: &Linear, factor: &Rational, sort: Sort) -> Term {
        if let [(_, term)] = linear.monomials() {
            // The factor makes the only coefficient 1.
            return *term;
        }
        let monomials = linear.monomials();
        let mut numbers: smallvec::SmallVec<[u32; 8]> =
            smallvec::SmallVec::with_capacity(monomials.len() + 1);
        numbers.push(self.intern_number(&Rational::ZERO));
        for (c, _) in monomials {
            let number = if factor.is_one() {
                self.intern_number(c)
            } else {
                self.intern_number(&(c * factor))
            };
            numbers.push(number);
        }
        let terms: smallvec::SmallVec<[Term; 8]> = monomials.iter().map(|&(_, t)| t).collect();
        self.intern_sum(sort, &terms, &numbers)
    }
    /// `form ≤ bound` (`<` if `strict`), or with the sides exchanged if `downward`.
    fn inequality(
        &mut self,
        form: Term,
        bound: &Rational,
        downward: bool,
        strict: bool,
        all_int: bool,
    ) -> Term {
        // Downward, the atom is what must *not* hold: form ≥ b is ¬(form < b).
        let strict_atom = strict != downward;
        let atom = if all_int {
            let bound = if strict_atom { bound.ceil() - Rational::ONE } else { bound.floor() };
            self.bounded(Op::Le, form, &bound)
        } else {
            self.bounded(if strict_atom { Op::Lt } else { Op::Le }, form, bound)
        };
        if downward { self.not(atom) } else { atom }
    }
    fn bounded(&mut self, op: Op, form: Term, bound: &Rational) -> Term {
        let id = self.intern_number(bound);
        self.intern_atom(op, form, id)
    }
    pub(crate) fn rebuild_arithmetic(&mut self, term: Term, children: &[Term]) -> Term {
        let atom = |store: &Self, bound: &Rational| {
            let mut linear = store.linear(children[0]);
            linear.constant -= bound;
            linear
        };
        match self.kind(term) {
            Kind::Sum(sum) => {
                let mut linear = Linear::of_constant(sum.constant().clone());
                for ((c, _), &child) in sum.iter().zip(children) {
                    linear.add_scaled(c, &self.linear(child));
                }
                self.sum(&linear, self.sort(term))
            }
            Kind::Le(_, bound) => self.le_zero(&atom(self, bound)),
            Kind::Lt(_, bound) => self.lt_zero(&atom(self, bound)),
            Kind::Eq(_, bound) => self.eq_zero(&atom(self, bound)),
            Kind::Div(_, divisor) => self.div(children[0], &divisor.clone()),
            Kind::Mod(_, divisor) => self.modulo(children[0], &divisor.clone()),
            Kind::ToInt(_) => self.to_int(children[0]),
            Kind::True
            | Kind::False
            | Kind::Symbol(_)
            | Kind::App(..)
            | Kind::Not(_)
            | Kind::And(_)
            | Kind::Or(_)
            | Kind::Iff(..)
            | Kind::Ite(..)
            | Kind::Number(_) => unreachable!("only arithmetic nodes are rebuilt here"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store() -> (TermStore, Term, Term, Term) {
        let mut s = TermStore::new();
        let (x, y, r) = (s.var("x", Sort::Int), s.var("y", Sort::Int), s.var("r", Sort::Real));
        (s, x, y, r)
    }

    #[test]
    fn one_handle_per_constraint() {
        let (mut s, x, y, r) = store();
        let (three, two) = (s.int(3), s.int(2));
        let below = s.lt(x, three);
        assert_eq!(below, s.le(x, two));
        let at_least = s.ge(x, three);
        assert_eq!(s.not(at_least), below);
        let (a, b) = (s.sub(x, y), s.sub(y, x));
        assert_eq!(s.le(a, three), {
            let m = s.int(-3);
            s.ge(b, m)
        });
        let strict = s.lt(r, three);
        assert!(matches!(s.kind(strict), Kind::Lt(..)));
        let upward = s.ge(r, three);
        assert_eq!(s.not(upward), strict);
    }

    #[test]
    fn equalities_of_terms_and_of_sums_are_alike() {
        let (mut s, x, y, r) = store();
        let one = s.int(1);
        for (a, b) in [(x, y), (y, x), (x, r), (r, x)] {
            let (next, other) = (s.add(&[a, one]), s.add(&[b, one]));
            assert_eq!(s.eq(a, b), s.eq(next, other));
        }
    }

    #[test]
    fn parity_is_seen_in_an_equality() {
        let (mut s, x, y, _) = store();
        let left = s.scale(&Rational::from(2), x);
        let right = s.scale(&Rational::from(4), y);
        let one = s.int(1);
        let right = s.add(&[right, one]);
        assert_eq!(s.eq(left, right), s.bottom());
    }
}
