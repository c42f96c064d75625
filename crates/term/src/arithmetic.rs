//! Constructors of numbers, sums and atoms in canonical form.
//!
//! Every comparison is brought to `form ⋈ bound`: the constant goes right, coefficients become
//! coprime integers with a positive leading one, `≥` and `>` become negations, and over the
//! integers bounds are rounded and `<` disappears. So `2x ≤ 5`, `x < 3` and `¬(x ≥ 3)` are one
//! handle.

use std::cmp::Ordering;

use shofar_num::Rational;

use crate::store::Op;
use crate::{ArithKind, Difference, Kind, Linear, Sort, Sum, Term, TermStore};

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
        debug_assert!(sort.is_real() || value.is_integer());
        let id = self.intern_number(&value);
        self.intern(Op::Number, sort, &[], id)
    }
    /// The zero of an arithmetic sort.
    pub fn zero_of(&mut self, sort: Sort) -> Term {
        self.number(Rational::ZERO, sort)
    }
    /// The number that `term` is.
    pub fn as_number(&self, term: Term) -> Option<&Rational> {
        if let Kind::Arith(ArithKind::Number(value)) = self.kind(term) { Some(value) } else { None }
    }
    /// `term` as arithmetic sees it, if it is a number, an arithmetic term or a comparison of one.
    pub fn arith(&self, term: Term) -> Option<ArithKind<'_>> {
        if let Kind::Arith(kind) = self.kind(term) { Some(kind) } else { None }
    }
    /// The relation, the form and the bound of an atom that compares.
    pub fn comparison(&self, atom: Term) -> Option<(Relation, Term, &Rational)> {
        match self.arith(atom)? {
            ArithKind::Le(form, bound) => Some((Relation::Le, form, bound)),
            ArithKind::Lt(form, bound) => Some((Relation::Lt, form, bound)),
            ArithKind::Eq(form, bound) => Some((Relation::Eq, form, bound)),
            ArithKind::Number(_)
            | ArithKind::Sum(_)
            | ArithKind::Div(..)
            | ArithKind::Mod(..)
            | ArithKind::ToInt(_) => None,
        }
    }
    /// The form and the bound of `form = bound`.
    pub fn equation(&self, atom: Term) -> Option<(Term, &Rational)> {
        if let ArithKind::Eq(form, bound) = self.arith(atom)? { Some((form, bound)) } else { None }
    }
    /// The monomials and the constant of a sum.
    pub fn as_sum(&self, term: Term) -> Option<Sum<'_>> {
        if let ArithKind::Sum(sum) = self.arith(term)? { Some(sum) } else { None }
    }
    /// An integer.
    pub fn int(&mut self, value: i64) -> Term {
        self.number(Rational::from(value), Sort::INT)
    }
    /// `term` as a linear combination of terms that are neither sums nor numbers.
    pub fn linear(&self, term: Term) -> Linear {
        let mut linear = Linear::new();
        self.gather(term, &mut linear);
        linear
    }
    /// Appends `term` to `linear` without restoring its order.
    fn gather(&self, term: Term, linear: &mut Linear) {
        if let Some(value) = self.as_number(term) {
            linear.constant += value;
        } else if let Some(sum) = self.as_sum(term) {
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
        if terms.iter().any(|&t| self.sort(t).is_real()) { Sort::REAL } else { Sort::INT }
    }
    pub(crate) fn same_sort(&mut self, a: Term, b: Term) -> (Term, Term) {
        match (self.sort(a), self.sort(b)) {
            (Sort::INT, Sort::REAL) => (self.to_real(a), b),
            (Sort::REAL, Sort::INT) => (a, self.to_real(b)),
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
        let sort = if factor.is_integer() { self.sort(a) } else { Sort::REAL };
        let mut linear = self.linear(a);
        linear.scale(factor);
        self.sum(&linear, sort)
    }
    /// `a·b`, unless neither is a number.
    pub fn mul(&mut self, a: Term, b: Term) -> Option<Term> {
        let sort = self.join_sorts(&[a, b]);
        let (factor, mut linear) = match (self.as_number(a), self.as_number(b)) {
            (Some(factor), _) => (factor, self.linear(b)),
            (None, Some(factor)) => (factor, self.linear(a)),
            (None, None) => return None,
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
        let all_int = linear.monomials().iter().all(|&(_, t)| self.sort(t).is_int());
        if relation == Relation::Eq && all_int && !bound.is_integer() {
            return self.bottom();
        }
        let form = self.form(linear, &factor, if all_int { Sort::INT } else { Sort::REAL });
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
        let Kind::Arith(kind) = self.kind(term) else {
            unreachable!("only arithmetic nodes are rebuilt here")
        };
        match kind {
            ArithKind::Number(_) => term,
            ArithKind::Sum(sum) => {
                let mut linear = Linear::of_constant(sum.constant().clone());
                for ((c, _), &child) in sum.iter().zip(children) {
                    linear.add_scaled(c, &self.linear(child));
                }
                self.sum(&linear, self.sort(term))
            }
            ArithKind::Le(_, bound) => self.le_zero(&atom(self, bound)),
            ArithKind::Lt(_, bound) => self.lt_zero(&atom(self, bound)),
            ArithKind::Eq(_, bound) => self.eq_zero(&atom(self, bound)),
            ArithKind::Div(_, divisor) => self.div(children[0], &divisor.clone()),
            ArithKind::Mod(_, divisor) => self.modulo(children[0], &divisor.clone()),
            ArithKind::ToInt(_) => self.to_int(children[0]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store() -> (TermStore, Term, Term, Term) {
        let mut s = TermStore::new();
        let (x, y, r) = (s.var("x", Sort::INT), s.var("y", Sort::INT), s.var("r", Sort::REAL));
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
        assert!(matches!(s.kind(strict), Kind::Arith(ArithKind::Lt(..))));
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
