//! Constructors of formulas, with the laws they apply.
//!
//! The laws are cheap and local: `¬¬p ⇒ p`, units and zeros of `∧` and `∨`, idempotence,
//! complements, and the choice of one form for `↔` (no negation inside). Nested conjunctions are
//! not flattened, which would make the construction of a long chain quadratic.
//!
//! A store that keeps connectives ([`TermStore::keep_connectives`]) applies none of these laws but
//! those of negation.

use shofar_base::Set;

use crate::store::Op;
use crate::{Cardinality, Kind, Sort, SortKind, Term, TermStore};

/// Of more pairs than this, `distinct` does not negate each.
const MOST_DIFFERENCES: usize = 1000;

impl TermStore {
    /// Truth or falsity.
    pub fn bool(&self, value: bool) -> Term {
        if value { self.top() } else { self.bottom() }
    }
    /// `¬p`.
    pub fn not(&mut self, p: Term) -> Term {
        if let (inner, true) = self.strip_not(p) {
            inner
        } else if p == self.top() || p == self.bottom() {
            self.bool(p == self.bottom())
        } else {
            self.intern_not(p)
        }
    }
    /// `p` without its negation, and whether there was one.
    #[inline]
    pub fn strip_not(&self, p: Term) -> (Term, bool) {
        if self.op(p) == Op::Not { (self.children(p)[0], true) } else { (p, false) }
    }
    /// Conjunction; truth if there is nothing.
    pub fn and(&mut self, parts: &[Term]) -> Term {
        self.junction(Op::And, parts, self.top(), self.bottom())
    }
    /// Disjunction; falsity if there is nothing.
    pub fn or(&mut self, parts: &[Term]) -> Term {
        self.junction(Op::Or, parts, self.bottom(), self.top())
    }
    /// The conjuncts of `formulas`, down to what is no conjunction, each once, in order; truth has
    /// none.
    pub fn conjuncts(&self, formulas: &[Term]) -> Vec<Term> {
        self.flatten(formulas, self.top(), |kind| {
            if let Kind::And(parts) = kind { Some(parts) } else { None }
        })
    }
    /// The disjuncts of `formulas`, down to what is no disjunction, each once, in order; falsity
    /// has none.
    pub fn disjuncts(&self, formulas: &[Term]) -> Vec<Term> {
        self.flatten(formulas, self.bottom(), |kind| {
            if let Kind::Or(parts) = kind { Some(parts) } else { None }
        })
    }
    fn flatten<'a>(
        &'a self,
        formulas: &[Term],
        unit: Term,
        inside: impl Fn(Kind<'a>) -> Option<&'a [Term]>,
    ) -> Vec<Term> {
        let mut seen = Set::default();
        let mut parts = Vec::new();
        let mut stack: Vec<Term> = formulas.iter().rev().copied().collect();
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            if let Some(inner) = inside(self.kind(term)) {
                stack.extend(inner.iter().rev());
            } else if term != unit {
                parts.push(term);
            }
        }
        parts
    }
    fn junction(&mut self, op: Op, parts: &[Term], unit: Term, zero: Term) -> Term {
        if self.is_literal {
            return match parts {
                [] => unit,
                [only] => *only,
                several => self.intern(op, Sort::BOOL, several, 0),
            };
        }
        let mut args: smallvec::SmallVec<[Term; 16]> =
            parts.iter().copied().filter(|&p| p != unit).collect();
        args.sort_unstable();
        args.dedup();
        // Truth and falsity are the oldest terms. Where all parts are negations, no two of them
        // clash.
        let is_mixed = args.iter().any(|&p| self.op(p) != Op::Not);
        let clash = |&p: &Term| {
            let (inner, negated) = self.strip_not(p);
            negated && args.binary_search(&inner).is_ok()
        };
        if args.first() == Some(&zero) || (is_mixed && args.iter().any(clash)) {
            return zero;
        }
        match args.as_slice() {
            [] => unit,
            [only] => *only,
            several => self.intern(op, Sort::BOOL, several, 0),
        }
    }
    /// `p → q`.
    pub fn implies(&mut self, p: Term, q: Term) -> Term {
        let not_p = self.not(p);
        self.or(&[not_p, q])
    }
    /// `p ↔ q`.
    pub fn iff(&mut self, p: Term, q: Term) -> Term {
        if self.is_literal {
            return self.intern(Op::Iff, Sort::BOOL, &[p, q], 0);
        }
        let ((p, p_negated), (q, q_negated)) = (self.strip_not(p), self.strip_not(q));
        let (p, q) = if p <= q { (p, q) } else { (q, p) };
        // Truth and falsity are the oldest terms, so a constant is `p`.
        let positive = if p == q {
            self.top()
        } else if p == self.top() {
            q
        } else if p == self.bottom() {
            self.not(q)
        } else {
            self.intern(Op::Iff, Sort::BOOL, &[p, q], 0)
        };
        if p_negated == q_negated { positive } else { self.not(positive) }
    }
    /// `p ⊕ q`.
    pub fn xor(&mut self, p: Term, q: Term) -> Term {
        let same = self.iff(p, q);
        self.not(same)
    }
    /// `a` if `condition` holds, else `b`; numbers of different sorts become real.
    pub fn ite(&mut self, condition: Term, a: Term, b: Term) -> Term {
        let (a, b) = self.same_sort(a, b);
        if self.is_literal && self.sort(a).is_bool() {
            return self.intern(Op::Ite, Sort::BOOL, &[condition, a, b], 0);
        }
        let (condition, negated) = self.strip_not(condition);
        let (a, b) = if negated { (b, a) } else { (a, b) };
        if condition == self.top() || a == b {
            a
        } else if condition == self.bottom() {
            b
        } else if let Some((a, b)) = self.without_same_condition(condition, a, b) {
            self.ite(condition, a, b)
        } else if self.sort(a).is_bool() {
            self.ite_bool(condition, a, b)
        } else {
            let sort = self.sort(a);
            self.intern(Op::Ite, sort, &[condition, a, b], 0)
        }
    }
    /// The branches of a conditional, if one of them is a conditional with the same condition, of
    /// which one branch is never taken. Those that are taken were made by the same rule, so that it
    /// applies once to each branch.
    fn without_same_condition(&self, condition: Term, a: Term, b: Term) -> Option<(Term, Term)> {
        let inner = |branch: Term| {
            let is_same = self.op(branch) == Op::Ite && self.children(branch)[0] == condition;
            is_same.then(|| self.children(branch))
        };
        match (inner(a), inner(b)) {
            _ if self.is_literal => None,
            (None, None) => None,
            (of_a, of_b) => Some((of_a.map_or(a, |it| it[1]), of_b.map_or(b, |it| it[2]))),
        }
    }
    fn ite_bool(&mut self, c: Term, a: Term, b: Term) -> Term {
        let not_c = self.not(c);
        if a == self.top() || a == c {
            return self.or(&[c, b]);
        }
        if a == self.bottom() || a == not_c {
            return self.and(&[not_c, b]);
        }
        if b == self.top() || b == not_c {
            return self.or(&[not_c, a]);
        }
        if b == self.bottom() || b == c {
            return self.and(&[c, a]);
        }
        if self.not(a) == b {
            return self.iff(c, a);
        }
        self.intern(Op::Ite, Sort::BOOL, &[c, a, b], 0)
    }
    /// `a = b` for terms of one sort, or numbers of two.
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        if self.is_literal && self.sort(a).is_bool() {
            self.iff(a, b)
        } else if a == b {
            self.top()
        } else if self.sort(a).is_bool() {
            self.iff(a, b)
        } else if self.sort(a).is_arithmetic() {
            self.arithmetic_eq(a, b)
        } else {
            debug_assert_eq!(self.sort(a), self.sort(b), "what is compared has one sort");
            match self.sort_kind(self.sort(a)) {
                _ if self.cardinality(self.sort(a)) == Cardinality::Few(1) => self.top(),
                SortKind::Array(..) => self.array_eq(a, b),
                SortKind::Data(..) => self.data_eq(a, b),
                SortKind::Bits(_) if self.is_value(a) && self.is_value(b) => self.bottom(),
                SortKind::Bits(_) => self.bits_eq(a, b),
                SortKind::Bool | SortKind::Int | SortKind::Real | SortKind::Uninterpreted(_) => {
                    self.intern_same(a, b)
                }
            }
        }
    }
    /// The equality of two terms that no law of their sort takes apart.
    pub(crate) fn intern_same(&mut self, a: Term, b: Term) -> Term {
        self.intern(Op::Same, Sort::BOOL, &[a.min(b), a.max(b)], 0)
    }
    /// All of `terms` differ pairwise: each pair does, or of many terms it is not so that some pair
    /// agrees, which takes fewer nodes.
    pub fn distinct(&mut self, terms: &[Term]) -> Term {
        let mut same = Vec::with_capacity(terms.len() * terms.len().saturating_sub(1) / 2);
        for (i, &a) in terms.iter().enumerate() {
            same.extend(terms[..i].iter().map(|&b| self.eq(a, b)));
        }
        if same.len() > MOST_DIFFERENCES {
            let some = self.or(&same);
            return self.not(some);
        }
        for pair in &mut same {
            *pair = self.not(*pair);
        }
        self.and(&same)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn laws_of_the_connectives() {
        let mut s = TermStore::new();
        let (p, q) = (s.var("p", Sort::BOOL), s.var("q", Sort::BOOL));
        let not_p = s.not(p);
        assert_eq!(s.not(not_p), p);
        assert_eq!(s.and(&[p, not_p]), s.bottom());
        assert_eq!(s.or(&[p, not_p, q]), s.top());
        assert_eq!(s.and(&[p, p]), p);
        let (one, other) = (s.iff(not_p, q), s.xor(p, q));
        assert_eq!(one, other);
        let both = s.and(&[p, q]);
        assert_eq!(s.ite(not_p, p, q), both);
        let not_q = s.not(q);
        let neither = s.and(&[not_p, not_q]);
        assert!(matches!(s.kind(neither), Kind::And([_, _])));
        assert_eq!(s.and(&[not_p, not_q, s.bottom()]), s.bottom());
    }

    #[test]
    fn what_is_written_may_be_kept() {
        let mut s = TermStore::new();
        s.keep_connectives();
        let (p, q) = (s.var("p", Sort::BOOL), s.var("q", Sort::BOOL));
        let not_p = s.not(p);
        let (top, parts) = (s.top(), [q, p, q, s.top(), not_p]);
        let (all, some) = (s.and(&parts), s.or(&parts));
        assert!(matches!(s.kind(all), Kind::And(kept) if kept == parts));
        assert!(matches!(s.kind(some), Kind::Or(kept) if kept == parts));
        let (same, choice) = (s.eq(q, q), s.ite(not_p, top, p));
        assert!(matches!(s.kind(same), Kind::Iff(a, b) if (a, b) == (q, q)));
        assert!(matches!(s.kind(choice), Kind::Ite(c, a, b) if (c, a, b) == (not_p, top, p)));
        assert_eq!((s.and(&[]), s.or(&[q]), s.not(not_p)), (top, q, p));
    }

    #[test]
    fn a_condition_is_asked_once() {
        let mut s = TermStore::new();
        let (p, q) = (s.var("p", Sort::BOOL), s.var("q", Sort::BOOL));
        let [x, y, z] = ["x", "y", "z"].map(|name| s.var(name, Sort::INT));
        let expected = s.ite(p, x, z);
        let inner = [s.ite(p, x, y), s.ite(p, y, z)];
        assert_eq!(s.ite(p, inner[0], inner[1]), expected);
        assert_eq!(s.ite(p, inner[0], z), expected);
        assert_eq!(s.ite(p, x, inner[1]), expected);
        let not_p = s.not(p);
        assert_eq!(s.ite(not_p, z, inner[0]), expected);
        assert_ne!(s.ite(q, inner[0], z), expected);
        let other = s.ite(q, inner[0], z);
        assert!(matches!(s.kind(other), Kind::Ite(_, a, _) if a == inner[0]));
    }

    #[test]
    fn many_different_terms_are_one_negation() {
        let mut s = TermStore::new();
        let mut terms: Vec<Term> = (0..50).map(|k| s.var(&format!("x{k}"), Sort::INT)).collect();
        let few = s.distinct(&terms[..3]);
        assert!(matches!(s.kind(few), Kind::And([_, _, _])));
        let many = s.distinct(&terms);
        let (some, negated) = s.strip_not(many);
        assert!(negated && s.children(some).len() == 50 * 49 / 2);
        terms.push(terms[7]);
        assert_eq!(s.distinct(&terms), s.bottom());
    }
}
