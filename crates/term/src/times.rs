//! Products of unknowns.
//!
//! Terms are linear; a product of two terms of which neither is a number is an application of the
//! function `*`, which no script can declare. To everybody who knows linear arithmetic only, it is
//! some function of its arguments; evaluation, and whoever asks [`TermStore::as_times`], know which
//! one. As soon as one factor becomes a number, the product is linear.

use shofar_num::Rational;

use crate::{Kind, Symbol, Term, TermStore};

/// The name of the function.
const TIMES: &str = "*";

impl TermStore {
    /// `a · b` for terms of one arithmetic sort.
    pub fn times(&mut self, a: Term, b: Term) -> Term {
        let sort = self.sort(a);
        debug_assert!(sort.is_arithmetic() && sort == self.sort(b), "factors of one sort");
        for (factor, other) in [(a, b), (b, a)] {
            if let Some(factor) = self.as_number(factor).cloned() {
                return self.scaled(&factor, other);
            }
        }
        let symbol = self.declare(TIMES, &[sort, sort], sort);
        self.app(symbol, &[a.min(b), a.max(b)])
    }
    /// A number times a term, in the sort of the term.
    pub fn scaled(&mut self, factor: &Rational, term: Term) -> Term {
        let sort = self.sort(term);
        let mut linear = self.linear(term);
        linear.scale(factor);
        self.sum(&linear, sort)
    }
    /// The factors, if `term` is a product of unknowns.
    pub fn as_times(&self, term: Term) -> Option<(Term, Term)> {
        let Kind::App(symbol, &[a, b]) = self.kind(term) else { return None };
        self.is_times(symbol).then_some((a, b))
    }
    /// Clauses that hold for every product `p = a · b`: when it is zero, which sign it has, and
    /// that it is no smaller than one factor if the other is at least one.
    pub fn product_facts(&mut self, product: Term) -> Vec<Vec<Term>> {
        let (a, b) = self.as_times(product).expect("a product of unknowns");
        let sort = self.sort(product);
        let (zero, one) = (self.number(Rational::ZERO, sort), self.number(Rational::ONE, sort));
        let signs = |store: &mut Self, term: Term| {
            [store.lt(term, zero), store.eq(term, zero), store.lt(zero, term)]
        };
        let ([a_negative, a_zero, a_positive], [b_negative, b_zero, b_positive]) =
            (signs(self, a), signs(self, b));
        let [negative, is_zero, positive] = signs(self, product);
        let not = [a_negative, a_zero, a_positive, b_negative, b_zero, b_positive, is_zero]
            .map(|literal| self.not(literal));
        let [
            a_not_negative,
            a_not_zero,
            a_not_positive,
            b_not_negative,
            b_not_zero,
            b_not_positive,
            not_zero,
        ] = not;
        let mut facts = vec![
            vec![a_not_zero, is_zero],
            vec![b_not_zero, is_zero],
            vec![not_zero, a_zero, b_zero],
            vec![a_not_positive, b_not_positive, positive],
            vec![a_not_negative, b_not_negative, positive],
            vec![a_not_positive, b_not_negative, negative],
            vec![a_not_negative, b_not_positive, negative],
        ];
        for (one_factor, other, other_negative) in [(a, b, b_negative), (b, a, a_negative)] {
            let (small, large) = (self.lt(one_factor, one), self.le(other, product));
            facts.push(vec![small, other_negative, large]);
        }
        facts
    }
    /// A clause that holds for every product: where the first factor has this value, the product is
    /// linear.
    pub fn product_at(&mut self, product: Term, value: &Rational) -> Vec<Term> {
        let (a, b) = self.as_times(product).expect("a product of unknowns");
        let number = self.number(value.clone(), self.sort(a));
        let (is_value, linear) = (self.eq(a, number), self.scaled(value, b));
        let (differs, equal) = (self.not(is_value), self.eq(product, linear));
        vec![differs, equal]
    }
    /// A clause that holds for every two products of one sort: `a·b = c·d` if `a = d` and `b = c`.
    /// That they are equal if `a = c` and `b = d` is congruence.
    pub fn product_exchange(&mut self, one: Term, other: Term) -> Option<Vec<Term>> {
        let ((a, b), (c, d)) = (self.as_times(one)?, self.as_times(other)?);
        if self.sort(one) != self.sort(other) {
            return None;
        }
        let (first, second) = (self.eq(a, d), self.eq(b, c));
        Some(vec![self.not(first), self.not(second), self.eq(one, other)])
    }
    /// Whether `symbol` is the function that multiplies.
    pub fn is_times(&self, symbol: Symbol) -> bool {
        let sort = self.result(symbol);
        sort.is_arithmetic() && self.name(symbol) == TIMES && *self.params(symbol) == [sort, sort]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sort;
    use crate::eval::{Model, Value, evaluate};
    use crate::substitute::substitute;

    #[test]
    fn a_product_is_linear_once_a_factor_is_a_number() {
        let mut s = TermStore::new();
        let [x, y] = ["x", "y"].map(|name| s.var(name, Sort::INT));
        let product = s.times(x, y);
        assert_eq!(s.times(y, x), product);
        assert_eq!(s.as_times(product), Some((x, y)));
        let three = s.int(3);
        let map = [(x, three)].into_iter().collect();
        let linear = substitute(&mut s, &map, &[product])[0];
        assert_eq!(linear, s.add(&[y, y, y]));
        assert_eq!(crate::print::print(&s, product), "(* x y)");
        assert_eq!(crate::symbols::free_symbols(&s, &[product]).len(), 2);
        let bytes = crate::serial::export(&s, &[product]);
        assert_eq!(crate::serial::import(&mut s, &bytes), Ok(vec![product]));
        let mut other = TermStore::new();
        let copy = crate::serial::import(&mut other, &bytes).expect("an export")[0];
        assert!(other.as_times(copy).is_some());
    }

    #[test]
    fn facts_hold_for_all_factors() {
        let mut s = TermStore::new();
        let [x, y] = ["x", "y"].map(|name| s.declare(name, &[], Sort::INT));
        let (a, b) = (s.constant(x), s.constant(y));
        let product = s.times(a, b);
        let mut clauses = s.product_facts(product);
        clauses.extend((-3..=3).map(|n| s.product_at(product, &Rational::from(n))));
        let facts: Vec<Term> = clauses.iter().map(|clause| s.or(clause)).collect();
        for (m, n) in (-4..=4i64).flat_map(|m| (-4..=4i64).map(move |n| (m, n))) {
            let mut model = Model::new();
            model.set(x, Value::Number(m.into()));
            model.set(y, Value::Number(n.into()));
            for &fact in &facts {
                assert_eq!(evaluate(&s, fact, &model), Ok(Value::Bool(true)), "{m} · {n}");
            }
        }
    }

    #[test]
    fn products_are_evaluated() {
        let mut s = TermStore::new();
        let [x, y] = ["x", "y"].map(|name| s.declare(name, &[], Sort::INT));
        let (a, b) = (s.constant(x), s.constant(y));
        let product = s.times(a, b);
        let mut model = Model::new();
        model.set(x, Value::Number(6.into()));
        model.set(y, Value::Number((-7).into()));
        assert_eq!(evaluate(&s, product, &model), Ok(Value::Number((-42).into())));
    }
}
