//! A formula as those see it who care for its propositional structure only.
//!
//! [`View`] tells connectives, quantified formulas, predicates and atoms of theories apart, and
//! nothing more. Whoever walks over connectives matches on it instead of on [`Kind`], and thus need
//! not know which atoms and terms there are.

use crate::store::Op;
use crate::{Kind, Quantifier, Symbol, Term, TermStore};

/// What a formula is: a connective, an atom or a leaf.
#[derive(Clone, Copy, Debug)]
pub enum View<'a> {
    /// Truth or falsity.
    Constant(bool),
    /// Negation.
    Not(Term),
    /// Conjunction.
    And(&'a [Term]),
    /// Disjunction.
    Or(&'a [Term]),
    /// Equivalence.
    Iff(Term, Term),
    /// Choice between two formulas.
    Ite(Term, Term, Term),
    /// A quantified formula: its body and the bound variables.
    Quantified(Quantifier, Term, &'a [Term]),
    /// A declared predicate applied to its arguments, or without any: a propositional constant.
    Predicate(Symbol, &'a [Term]),
    /// An atom of a theory; its arguments are the children of the term.
    Atom,
    /// No formula at all, but a term of another sort.
    Term,
}

impl TermStore {
    /// What `formula` is to those who care for its propositional structure.
    pub fn view(&self, formula: Term) -> View<'_> {
        match self.kind(formula) {
            Kind::True => View::Constant(true),
            Kind::False => View::Constant(false),
            Kind::Not(p) => View::Not(p),
            Kind::And(parts) => View::And(parts),
            Kind::Or(parts) => View::Or(parts),
            Kind::Iff(p, q) => View::Iff(p, q),
            Kind::Quantified(quantifier, body, bound) => View::Quantified(quantifier, body, bound),
            Kind::Ite(..)
            | Kind::Symbol(_)
            | Kind::App(..)
            | Kind::Arith(_)
            | Kind::Array(_)
            | Kind::Data(_)
            | Kind::Bits(_)
                if !self.sort(formula).is_bool() =>
            {
                View::Term
            }
            Kind::Ite(condition, a, b) => View::Ite(condition, a, b),
            Kind::Symbol(symbol) => View::Predicate(symbol, &[]),
            Kind::App(symbol, arguments) => View::Predicate(symbol, arguments),
            Kind::Same(..) | Kind::Arith(_) | Kind::Array(_) | Kind::Data(_) | Kind::Bits(_) => {
                View::Atom
            }
        }
    }
    /// The connective `formula` with the `image` of each of its parts in its place; nothing if it
    /// is none.
    pub fn map_connective(
        &mut self,
        formula: Term,
        image: impl FnMut(&Term) -> Term,
    ) -> Option<Term> {
        match self.view(formula) {
            View::Constant(_)
            | View::Not(_)
            | View::And(_)
            | View::Or(_)
            | View::Iff(..)
            | View::Ite(..) => {
                let parts: Vec<Term> = self.children(formula).iter().map(image).collect();
                Some(self.rebuild(formula, &parts))
            }
            View::Quantified(..) | View::Predicate(..) | View::Atom | View::Term => None,
        }
    }
    /// The declared constant, function or predicate that `term` applies, and to what; constants
    /// have no arguments.
    #[inline]
    pub fn application(&self, term: Term) -> Option<(Symbol, &[Term])> {
        self.head_symbol(term).map(|symbol| (symbol, self.children(term)))
    }
    /// The declared constant that `term` is.
    #[inline]
    pub fn symbol(&self, term: Term) -> Option<Symbol> {
        if self.op(term) == Op::Symbol { self.head_symbol(term) } else { None }
    }
    /// Whether `term` is a literal: truth, falsity, a number or a bit-vector. Different literals of
    /// one sort differ.
    #[inline]
    pub fn is_value(&self, term: Term) -> bool {
        matches!(self.op(term), Op::True | Op::False | Op::Number | Op::BitsValue)
    }
    /// The condition and the branches of a choice, of any sort.
    #[inline]
    pub fn choice(&self, term: Term) -> Option<[Term; 3]> {
        if self.op(term) == Op::Ite { self.children(term).try_into().ok() } else { None }
    }
    /// Whether `term` is a truth value, or a connective other than a choice.
    #[inline]
    pub fn is_connective(&self, term: Term) -> bool {
        matches!(self.op(term), Op::True | Op::False | Op::Not | Op::And | Op::Or | Op::Iff)
    }
    /// The parts of a conjunction.
    #[inline]
    pub fn conjunction(&self, term: Term) -> Option<&[Term]> {
        (self.op(term) == Op::And).then(|| self.children(term))
    }
    /// The parts of a disjunction.
    #[inline]
    pub fn disjunction(&self, term: Term) -> Option<&[Term]> {
        (self.op(term) == Op::Or).then(|| self.children(term))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sort;

    #[test]
    fn choices_and_applications_are_seen_by_their_sort() {
        let mut s = TermStore::new();
        let f = s.declare("f", &[Sort::INT], Sort::INT);
        let p = s.declare("p", &[Sort::INT], Sort::BOOL);
        let (x, b, c) = (s.var("x", Sort::INT), s.var("b", Sort::BOOL), s.var("c", Sort::BOOL));
        let (fx, px) = (s.app(f, &[x]), s.app(p, &[x]));
        let (number, formula) = (s.ite(b, x, fx), s.ite(b, c, px));
        let atom = s.eq(fx, x);
        assert!([x, fx, number].iter().all(|&t| matches!(s.view(t), View::Term)));
        assert!(matches!(s.view(formula), View::Ite(..)));
        assert!(matches!(s.view(px), View::Predicate(symbol, [only]) if symbol == p && *only == x));
        assert!(matches!(s.view(b), View::Predicate(_, [])));
        assert!(matches!(s.view(atom), View::Atom));
    }

    #[test]
    fn an_equality_without_arithmetic_is_an_atom() {
        let mut s = TermStore::new();
        let sort = s.declare_sort("S");
        let (a, b) = (s.var("a", sort), s.var("b", sort));
        let same = s.eq(a, b);
        assert!(matches!(s.view(same), View::Atom));
        assert_eq!(s.eq(b, a), same);
        assert_eq!(s.eq(a, a), s.top());
    }
}
