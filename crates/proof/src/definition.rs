//! Clauses that say a part of what a term means in terms of its subterms.
//!
//! A clause is valid if the negations of its literals contradict each other. For a connective that
//! is seen by evaluation: the literals that are denied give truth values to the subformulas, and
//! the connective must come out other than the clause says of it. For `ite`, `div`, `mod` and
//! `to_int` terms the definition gives equations and bounds:
//!
//! | term | meaning |
//! |---|---|
//! | `ite(c, a, b)` | equals `a` if `c`, else `b`; the clause must be right in each case that its literals leave open |
//! | `q = div(t, n)`, `r = mod(t, n)` | `t = n·q + r`, `0 ≤ r ≤ n - 1` |
//! | `z = to_int(t)` | `z ≤ t < z + 1` |
//!
//! A comparison of an `ite` term is a choice between comparisons of its branches, which the first
//! line covers.
//!
//! Source: [PG86] for definitions of connectives, [Kle52] §64 for the evaluation with unknown
//! values.

use shofar_num::Rational;
use shofar_term::{ArithKind, Kind, Linear, Term, TermStore, View};

use crate::Literal;
use crate::inequality::{Inequality, contradicts_equation, is_contradictory};

/// Whether `clause` is valid by the meaning of `term` alone.
pub(crate) fn is_part(store: &TermStore, clause: &[Literal], term: Term) -> bool {
    let denied = Denied { store, clause };
    if clause.iter().any(|&literal| denied.constant(literal.atom) == Some(literal.positive)) {
        return true;
    }
    match store.arith(term) {
        Some(ArithKind::Le(form, _) | ArithKind::Lt(form, _)) => {
            store.choice(form).is_some_and(|parts| denied.contradicts_choice(form, parts))
        }
        Some(ArithKind::Eq(form, bound)) => denied.contradicts_equation(term, form, bound),
        Some(ArithKind::Div(t, n) | ArithKind::Mod(t, n)) => denied.contradicts_division(t, n),
        Some(ArithKind::ToInt(t)) => denied.contradicts_floor(term, t),
        Some(ArithKind::Number(_) | ArithKind::Sum(_)) => false,
        None => match store.choice(term) {
            Some(parts) if !store.sort(term).is_bool() => denied.contradicts_choice(term, parts),
            Some(_) | None => denied.contradicts_connective(term),
        },
    }
}

/// What the negation of a clause says.
struct Denied<'a> {
    store: &'a TermStore,
    clause: &'a [Literal],
}

impl Denied<'_> {
    /// The truth value of a constant.
    fn constant(&self, formula: Term) -> Option<bool> {
        if formula == self.store.top() {
            Some(true)
        } else if formula == self.store.bottom() {
            Some(false)
        } else {
            None
        }
    }
    /// The truth value of a formula, if it or its negation is in the clause.
    fn value(&self, formula: Term) -> Option<bool> {
        let literal = Literal::of(self.store, formula);
        let found = self.clause.iter().find(|l| l.atom == literal.atom);
        let atom = found.map(|l| !l.positive).or_else(|| self.constant(literal.atom))?;
        Some(atom == literal.positive)
    }
    /// What the literals say about numbers.
    fn inequalities(&self) -> Vec<Inequality> {
        self.clause.iter().filter_map(|&literal| Inequality::of(self.store, !literal)).collect()
    }

    /// Whether `term` is a connective that has another value than its arguments give it.
    fn contradicts_connective(&self, term: Term) -> bool {
        let computed = match self.store.view(term) {
            View::And(parts) => self.junction(parts, false),
            View::Or(parts) => self.junction(parts, true),
            View::Iff(a, b) => self.value(a).zip(self.value(b)).map(|(a, b)| a == b),
            View::Ite(c, a, b) => match (self.value(c), self.value(a), self.value(b)) {
                (Some(true), value, _) | (Some(false), _, value) => value,
                (None, a, b) if a == b => a,
                (None, ..) => None,
            },
            View::Constant(_)
            | View::Not(_)
            | View::Quantified(..)
            | View::Predicate(..)
            | View::Atom
            | View::Term => None,
        };
        let claimed = self.value(term);
        computed.zip(claimed).is_some_and(|(computed, claimed)| computed != claimed)
    }
    /// The value of a conjunction (`zero` is false) or a disjunction (`zero` is true).
    fn junction(&self, parts: &[Term], zero: bool) -> Option<bool> {
        let mut all_known = true;
        for &part in parts {
            match self.value(part) {
                Some(value) if value == zero => return Some(zero),
                Some(_) => (),
                None => all_known = false,
            }
        }
        all_known.then_some(!zero)
    }
    /// Whether the negated clause is contradictory whichever branch the choice takes.
    fn contradicts_choice(&self, choice: Term, [c, yes, no]: [Term; 3]) -> bool {
        let condition = self.value(c);
        let inequalities = self.inequalities();
        [(yes, true), (no, false)].into_iter().all(|(branch, holds)| {
            let is_excluded = condition == Some(!holds);
            is_excluded || self.denies_equality(choice, branch) || {
                let value = self.store.linear(branch);
                let mut here = inequalities.clone();
                for inequality in &mut here {
                    inequality.substitute(choice, &value);
                }
                is_contradictory(&here)
            }
        })
    }
    /// Whether the literals say that two terms of a sort without arithmetic differ.
    fn denies_equality(&self, a: Term, b: Term) -> bool {
        self.clause.iter().filter(|literal| literal.positive).any(|literal| {
            if let Kind::Same(x, y) = self.store.kind(literal.atom) {
                (x, y) == (a, b) || (x, y) == (b, a)
            } else {
                false
            }
        })
    }
    fn contradicts_equation(&self, term: Term, form: Term, bound: &Rational) -> bool {
        self.value(term).is_some_and(|holds| {
            contradicts_equation(self.store, &self.inequalities(), (form, bound), !holds)
        })
    }
    /// Whether the negated clause contradicts the meaning of the quotient and the remainder of `t`
    /// by `n`.
    fn contradicts_division(&self, t: Term, n: &Rational) -> bool {
        if !n.is_integer() || !n.is_positive() {
            return false;
        }
        let mut all = self.inequalities();
        let monomials = || all.iter().flat_map(|i| i.linear.monomials()).map(|&(_, term)| term);
        let same = |(u, m): (Term, &Rational)| u == t && m == n;
        let quotient = monomials().find(
            |&term| matches!(self.store.arith(term), Some(ArithKind::Div(u, m)) if same((u, m))),
        );
        let remainder = monomials().find(
            |&term| matches!(self.store.arith(term), Some(ArithKind::Mod(u, m)) if same((u, m))),
        );
        let Some(remainder) = remainder else { return false };
        all.push(Inequality::above(self.store, remainder, &Rational::ZERO, false));
        all.push(Inequality::below(self.store, remainder, &(n - &Rational::ONE), false));
        if let Some(quotient) = quotient {
            let mut linear = self.store.linear(t);
            linear.add_term(&-n, quotient);
            linear.add_term(&Rational::MINUS_ONE, remainder);
            all.push(Inequality { linear: linear.negated(), strict: false });
            all.push(Inequality { linear, strict: false });
        }
        is_contradictory(&all)
    }
    /// Whether the negated clause contradicts `floor ≤ t < floor + 1`.
    fn contradicts_floor(&self, floor: Term, t: Term) -> bool {
        let mut above = self.store.linear(t);
        above.add_term(&Rational::MINUS_ONE, floor);
        let below: Linear = above.negated();
        above.constant -= &Rational::ONE;
        let mut all = self.inequalities();
        all.push(Inequality { linear: above, strict: true });
        all.push(Inequality { linear: below, strict: false });
        is_contradictory(&all)
    }
}

#[cfg(test)]
mod tests {
    use shofar_term::Sort;

    use super::*;

    /// The clauses of `formulas` over the meaning of `term`; each but the first `right` ones must
    /// be refused.
    fn check(store: &TermStore, term: Term, right: &[&[Term]], wrong: &[&[Term]]) {
        let clause = |formulas: &[Term]| -> Vec<Literal> {
            formulas.iter().map(|&formula| Literal::of(store, formula)).collect()
        };
        for formulas in right {
            assert!(is_part(store, &clause(formulas), term), "{formulas:?}");
        }
        for formulas in wrong {
            assert!(!is_part(store, &clause(formulas), term), "{formulas:?}");
        }
    }

    #[test]
    fn connectives() {
        let mut s = TermStore::new();
        let [p, q, r] = ["p", "q", "r"].map(|name| s.var(name, Sort::BOOL));
        let [not_p, not_q, not_r] = [p, q, r].map(|t| s.not(t));
        let (and, or) = (s.and(&[p, not_q]), s.or(&[p, not_q]));
        let (not_and, not_or) = (s.not(and), s.not(or));
        let right: &[&[Term]] = &[&[not_and, p], &[not_and, not_q], &[and, not_p, q]];
        check(
            &s,
            and,
            right,
            &[&[not_and, q], &[and, not_p], &[and, p], &[not_and, r], &[not_and]],
        );
        check(&s, or, &[&[or, not_p], &[or, q], &[not_or, p, not_q]], &[&[or, p], &[not_or, p]]);
        let iff = s.iff(p, q);
        let not_iff = s.not(iff);
        check(&s, iff, &[&[not_iff, not_p, q], &[iff, p, q]], &[&[not_iff, p, q], &[iff, p]]);
        let ite = s.ite(p, q, r);
        let not_ite = s.not(ite);
        let right: &[&[Term]] = &[&[not_ite, not_p, q], &[not_ite, q, r], &[ite, not_q, not_r]];
        check(&s, ite, right, &[&[not_ite, p, q], &[not_ite, q], &[ite, q, r]]);
    }

    #[test]
    fn choices_between_numbers() {
        let mut s = TermStore::new();
        let p = s.var("p", Sort::BOOL);
        let (x, five, seven) = (s.var("x", Sort::INT), s.int(5), s.int(7));
        let not_p = s.not(p);
        let ite = s.ite(p, five, seven);
        let (low, high, lower) = (s.ge(ite, five), s.le(ite, seven), s.le(ite, five));
        check(&s, ite, &[&[low], &[high], &[not_p, lower]], &[&[lower], &[p, lower]]);
        let ite = s.ite(p, x, five);
        let (below, above) = (s.le(ite, x), s.ge(ite, x));
        check(&s, ite, &[&[not_p, below], &[not_p, above]], &[&[p, below], &[below]]);
        let (atom, branch) = (s.le(ite, seven), s.le(x, seven));
        let (not_atom, not_branch) = (s.not(atom), s.not(branch));
        let right: &[&[Term]] =
            &[&[not_atom, not_p, branch], &[atom, not_p, not_branch], &[atom, p]];
        check(&s, atom, right, &[&[not_atom, p, not_branch], &[atom, branch]]);
    }

    #[test]
    fn choices_between_elements() {
        let mut s = TermStore::new();
        let sort = s.declare_sort("U");
        let (p, a, b) = (s.var("p", Sort::BOOL), s.var("a", sort), s.var("b", sort));
        let (not_p, ite) = (s.not(p), s.ite(p, a, b));
        let (is_a, is_b) = (s.eq(ite, a), s.eq(ite, b));
        let right: &[&[Term]] = &[&[not_p, is_a], &[p, is_b], &[is_a, is_b]];
        check(&s, ite, right, &[&[p, is_a], &[not_p, is_b], &[is_a]]);
    }

    #[test]
    fn equations_and_rounding() {
        let mut s = TermStore::new();
        let (x, zero, one, two) = (s.var("x", Sort::INT), s.int(0), s.int(1), s.int(2));
        let eq = s.eq(x, two);
        let (not_eq, below, above) = (s.not(eq), s.le(x, two), s.ge(x, two));
        let (not_below, not_above) = (s.not(below), s.not(above));
        let right: &[&[Term]] = &[&[not_eq, below], &[not_eq, above], &[eq, not_below, not_above]];
        let less = s.le(x, one);
        check(&s, eq, right, &[&[not_eq, less], &[eq, not_below], &[eq, below]]);
        let three = Rational::from(3);
        let (div, rem) = (s.div(x, &three), s.modulo(x, &three));
        let (at_least, at_most, less) = (s.ge(rem, zero), s.le(rem, two), s.le(rem, one));
        let whole = s.scale(&three, div);
        let whole = s.add(&[whole, rem]);
        let (upper, lower, off) = (s.le(x, whole), s.ge(x, whole), s.lt(x, whole));
        for term in [div, rem] {
            check(&s, term, &[&[at_least], &[at_most], &[upper], &[lower]], &[&[less], &[off]]);
        }
        let r = s.var("r", Sort::REAL);
        let floor = s.to_int(r);
        let next = s.add(&[floor, one]);
        let (low, high, wrong) = (s.le(floor, r), s.lt(r, next), s.lt(floor, r));
        check(&s, floor, &[&[low], &[high]], &[&[wrong]]);
    }
}
