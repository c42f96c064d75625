//! Congruence lemmas: literals that contradict each other because equals may be replaced by equals.
//!
//! The negations of the literals of a clause give equations and disequations between terms, and truth values of predicates,
//! which count as equations with `true` and `false`. Their congruence closure is computed anew, in the plainest way: merge,
//! and merge applications of one function to equal arguments, until nothing changes. Numbers are equal if the linear
//! equations among the literals, and those between terms of one class, make them equal. It is contradictory if it joins
//! `true` and `false`, or the two sides of a disequation, or if the linear equations have no solution.
//!
//! Source: [DST80] §2, with the fixpoint iteration in place of its worklist.

use shofar_base::Map;
use shofar_num::Rational;
use shofar_term::visit::postorder;
use shofar_term::{Kind, Linear, Relation, Symbol, Term, TermStore};

use crate::Literal;
use crate::equations::Equations;

/// Whether the negations of the literals of `clause` contradict each other by congruence.
pub(crate) fn is_lemma(store: &TermStore, clause: &[Literal]) -> bool {
    let atoms: Vec<Term> = clause.iter().map(|literal| literal.atom).collect();
    let mut closure = Closure::new(store, &atoms);
    for literal in clause {
        closure.assume(!*literal);
    }
    closure.close();
    closure.is_contradictory() || clause.iter().any(|literal| closure.refutes(!*literal))
}

/// Classes of equal terms.
struct Closure<'s> {
    store: &'s TermStore,
    terms: Vec<Term>,
    places: Map<Term, usize>,
    /// The way to the representative of each class.
    parents: Vec<usize>,
    equations: Equations,
}

impl<'s> Closure<'s> {
    fn new(store: &'s TermStore, atoms: &[Term]) -> Self {
        let mut terms = postorder(store, atoms);
        terms.extend([store.top(), store.bottom()]);
        terms.sort_unstable();
        terms.dedup();
        let places = terms.iter().enumerate().map(|(at, &term)| (term, at)).collect();
        let parents = (0..terms.len()).collect();
        Self { store, terms, places, parents, equations: Equations::default() }
    }
    fn class(&self, mut place: usize) -> usize {
        while self.parents[place] != place {
            place = self.parents[place];
        }
        place
    }
    fn class_of(&self, term: Term) -> usize {
        self.class(self.places[&term])
    }
    /// Joins two classes; false if they are one.
    fn merge(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.class(a), self.class(b));
        self.parents[a] = b;
        a != b
    }
    /// Takes up what a literal says.
    fn assume(&mut self, literal: Literal) {
        let truth = if literal.positive { self.store.top() } else { self.store.bottom() };
        self.merge(self.places[&literal.atom], self.places[&truth]);
        if !literal.positive {
            return;
        }
        if let Kind::Same(a, b) | Kind::Iff(a, b) = self.store.kind(literal.atom) {
            self.merge(self.places[&a], self.places[&b]);
        }
        if let Some(zero) = self.zero(literal.atom) {
            self.equations.assume(zero);
        }
    }
    /// What an arithmetic equation says to be zero.
    fn zero(&self, atom: Term) -> Option<Linear> {
        let (relation, form, bound) = self.store.comparison(atom)?;
        let mut zero = self.store.linear(form);
        zero.constant -= bound;
        (relation == Relation::Eq).then_some(zero)
    }
    /// Joins what is equal, until there is nothing to join.
    fn close(&mut self) {
        while self.join_applications() | self.join_numbers() {}
    }
    /// Joins applications of one function to equal arguments.
    fn join_applications(&mut self) -> bool {
        let mut known: Map<(Symbol, Vec<usize>), usize> = Map::default();
        let mut has_changed = false;
        for at in 0..self.terms.len() {
            let Kind::App(symbol, args) = self.store.kind(self.terms[at]) else { continue };
            let args = args.iter().map(|&arg| self.class_of(arg)).collect();
            let first = *known.entry((symbol, args)).or_insert(at);
            has_changed |= self.merge(first, at);
        }
        has_changed
    }
    /// Takes up that numbers of one class are equal, and joins numbers that are equal by the equations.
    fn join_numbers(&mut self) -> bool {
        let is_number = |&at: &usize| self.store.sort(self.terms[at]).is_arithmetic();
        let numbers: Vec<usize> = (0..self.terms.len()).filter(is_number).collect();
        for &at in &numbers {
            let representative = self.terms[self.class(at)];
            let mut difference = self.store.linear(self.terms[at]);
            difference.add_scaled(&Rational::MINUS_ONE, &self.store.linear(representative));
            self.equations.assume(difference);
        }
        let mut known: Map<(Vec<(Rational, Term)>, Rational), usize> = Map::default();
        let mut has_changed = false;
        for at in numbers {
            let reduced = self.equations.reduced(self.store.linear(self.terms[at]));
            let constant = reduced.constant.clone();
            let first = *known.entry((reduced.into_monomials(), constant)).or_insert(at);
            has_changed |= self.merge(first, at);
        }
        has_changed
    }
    /// Whether `true` equals `false`, or zero another number.
    fn is_contradictory(&self) -> bool {
        self.equations.has_contradiction()
            || self.class_of(self.store.top()) == self.class_of(self.store.bottom())
    }
    /// Whether the literal denies an equation that holds.
    fn refutes(&self, literal: Literal) -> bool {
        let holds = if let Kind::Same(a, b) | Kind::Iff(a, b) = self.store.kind(literal.atom) {
            self.class_of(a) == self.class_of(b)
        } else {
            let zero = self.zero(literal.atom);
            zero.is_some_and(|zero| self.equations.reduced(zero) == Linear::new())
        };
        !literal.positive && holds
    }
}

#[cfg(test)]
mod tests {
    use shofar_term::Sort;

    use super::*;

    fn check(store: &TermStore, clause: &[Term]) {
        let clause: Vec<Literal> = clause.iter().map(|&t| Literal::of(store, t)).collect();
        assert!(is_lemma(store, &clause), "{clause:?}");
        // No literal is superfluous in the clauses of these tests.
        for at in 0..clause.len() {
            let mut shorter = clause.clone();
            shorter.remove(at);
            assert!(!is_lemma(store, &shorter), "{clause:?} without {at}");
            let mut flipped = clause.clone();
            flipped[at] = !flipped[at];
            assert!(!is_lemma(store, &flipped), "{clause:?} with {at} flipped");
        }
    }

    #[test]
    fn chains_through_functions_of_uninterpreted_sorts() {
        let mut s = TermStore::new();
        let sort = s.declare_sort("U");
        let f = s.declare("f", &[sort, sort], sort);
        let p = s.declare("p", &[sort], Sort::BOOL);
        let [a, b, c] = ["a", "b", "c"].map(|name| s.var(name, sort));
        let (fab, fcb) = (s.app(f, &[a, b]), s.app(f, &[c, b]));
        let (ab, bc, fs) = (s.eq(a, b), s.eq(b, c), s.eq(fab, fcb));
        let [not_ab, not_bc] = [ab, bc].map(|t| s.not(t));
        check(&s, &[not_ab, not_bc, fs]);
        let (pf, pg) = (s.app(p, &[fab]), s.app(p, &[fcb]));
        let not_pf = s.not(pf);
        check(&s, &[not_ab, not_bc, not_pf, pg]);
    }

    #[test]
    fn arithmetic_equations_equate_sums() {
        let mut s = TermStore::new();
        let f = s.declare("f", &[Sort::INT], Sort::INT);
        let [x, y] = ["x", "y"].map(|name| s.var(name, Sort::INT));
        let (one, two) = (s.int(1), s.int(2));
        let (x1, y1) = (s.add(&[x, one]), s.add(&[y, one]));
        let (fx, fy) = (s.app(f, &[x1]), s.app(f, &[y1]));
        let (xy, fs) = (s.eq(x, y), s.eq(fx, fy));
        let not_xy = s.not(xy);
        check(&s, &[not_xy, fs]);
        // Two numbers are different, and equal values are equal arguments.
        let (fx, fy) = (s.app(f, &[x]), s.app(f, &[y]));
        let facts = [s.eq(x, one), s.eq(y, one), s.eq(fx, one), s.eq(fy, two)];
        let denied = facts.map(|t| s.not(t));
        check(&s, &denied);
    }

    #[test]
    fn a_term_differs_from_its_successor() {
        let mut s = TermStore::new();
        let f = s.declare("f", &[Sort::INT], Sort::INT);
        let [x, a, b] = ["x", "a", "b"].map(|name| s.var(name, Sort::INT));
        let one = s.int(1);
        let x1 = s.add(&[x, one]);
        let (fa, fb) = (s.app(f, &[a]), s.app(f, &[b]));
        let facts = [s.eq(a, b), s.eq(fa, x), s.eq(fb, x1)];
        let denied = facts.map(|t| s.not(t));
        check(&s, &denied);
    }

    #[test]
    fn truth_values_are_arguments() {
        let mut s = TermStore::new();
        let f = s.declare("f", &[Sort::BOOL], Sort::INT);
        let [p, q] = ["p", "q"].map(|name| s.var(name, Sort::BOOL));
        let (fp, fq) = (s.app(f, &[p]), s.app(f, &[q]));
        let fs = s.eq(fp, fq);
        let [not_p, not_q] = [p, q].map(|t| s.not(t));
        check(&s, &[not_p, not_q, fs]);
        check(&s, &[p, q, fs]);
    }
}
