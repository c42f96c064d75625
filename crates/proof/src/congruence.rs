//! Congruence lemmas: literals that contradict each other because equals may be replaced by equals.
//!
//! The negations of the literals of a clause give equations and disequations between terms, and truth values of predicates,
//! which count as equations with `true` and `false`. Their congruence closure is computed anew, in the plainest way: merge,
//! and merge applications of one function to equal arguments, until nothing changes. It is contradictory if it joins `true`
//! and `false`, two numbers, or the two sides of a disequation.
//!
//! An arithmetic equation is an atom `form = bound`. It equates two terms if their difference is a multiple of
//! `form - bound`: `x - y = 0` equates `x` and `y`, but also `x + 1` and `y + 1`.
//!
//! Source: [DST80] §2, with the fixpoint iteration in place of its worklist.

use shofar_base::Map;
use shofar_num::Rational;
use shofar_term::visit::postorder;
use shofar_term::{Kind, Linear, Relation, Symbol, Term, TermStore};

use crate::Literal;

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
    /// Sums and numbers among the terms.
    compounds: Vec<Term>,
    /// A class for each number that an equation mentions.
    numbers: Map<Rational, usize>,
}

impl<'s> Closure<'s> {
    fn new(store: &'s TermStore, atoms: &[Term]) -> Self {
        let mut terms = postorder(store, atoms);
        terms.extend([store.top(), store.bottom()]);
        terms.sort_unstable();
        terms.dedup();
        let places = terms.iter().enumerate().map(|(at, &term)| (term, at)).collect();
        let is_compound = |t: &Term| store.as_sum(*t).is_some() || store.as_number(*t).is_some();
        let compounds = terms.iter().copied().filter(is_compound).collect();
        let parents = (0..terms.len()).collect();
        let mut this = Self { store, terms, places, parents, compounds, numbers: Map::default() };
        for term in this.compounds.clone() {
            if let Some(number) = store.as_number(term) {
                let class = this.number(number);
                this.merge(this.places[&term], class);
            }
        }
        this
    }
    /// The class of a number.
    fn number(&mut self, number: &Rational) -> usize {
        let parents = &mut self.parents;
        *self.numbers.entry(number.clone()).or_insert_with(|| {
            parents.push(parents.len());
            parents.len() - 1
        })
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
        if literal.positive {
            for (a, b) in self.sides(literal.atom) {
                self.merge(a, b);
            }
        }
    }
    /// The places that an equation equates.
    fn sides(&mut self, atom: Term) -> Vec<(usize, usize)> {
        if let Kind::Same(a, b) | Kind::Iff(a, b) = self.store.kind(atom) {
            return vec![(self.places[&a], self.places[&b])];
        }
        let Some((Relation::Eq, form, bound)) = self.store.comparison(atom) else {
            return Vec::new();
        };
        let mut equation = self.store.linear(form);
        equation.constant -= bound;
        let mut sides = Vec::new();
        match equation.monomials() {
            [(a, x), (b, y)] if equation.constant.is_zero() && (a + b).is_zero() => {
                sides.push((self.places[x], self.places[y]));
            }
            [(a, x)] => {
                let value = -&equation.constant / a;
                let place = self.places[x];
                sides.push((place, self.number(&value)));
            }
            _ => (),
        }
        for &s in &self.compounds {
            for &t in &self.terms {
                if s != t && self.store.sort(t).is_arithmetic() && self.equates(&equation, s, t) {
                    sides.push((self.places[&s], self.places[&t]));
                }
            }
        }
        sides
    }
    /// Whether `s - t` is a multiple of what is zero.
    fn equates(&self, zero: &Linear, s: Term, t: Term) -> bool {
        let mut difference = self.store.linear(s);
        difference.add_scaled(&Rational::MINUS_ONE, &self.store.linear(t));
        let ([(a, x), ..], [(b, y), ..]) = (difference.monomials(), zero.monomials()) else {
            return false;
        };
        if x != y {
            return false;
        }
        let factor = -(a / b);
        difference.add_scaled(&factor, zero);
        difference.is_constant() && difference.constant.is_zero()
    }
    /// Joins applications of one function to equal arguments, until there are none.
    fn close(&mut self) {
        let mut changed = true;
        while std::mem::take(&mut changed) {
            let mut known: Map<(Symbol, Vec<usize>), usize> = Map::default();
            for at in 0..self.terms.len() {
                let Kind::App(symbol, args) = self.store.kind(self.terms[at]) else { continue };
                let args = args.iter().map(|&arg| self.class_of(arg)).collect();
                let first = *known.entry((symbol, args)).or_insert(at);
                changed |= self.merge(first, at);
            }
        }
    }
    /// Whether `true` equals `false`, or a number equals another one, or a term the same term plus a number.
    fn is_contradictory(&self) -> bool {
        let mut classes: Vec<usize> =
            self.numbers.sorted().into_iter().map(|(_, &place)| self.class(place)).collect();
        classes.sort_unstable();
        let is_clash = classes.windows(2).any(|pair| pair[0] == pair[1]);
        is_clash
            || self.class_of(self.store.top()) == self.class_of(self.store.bottom())
            || self.compounds.iter().any(|&s| self.equals_shifted(s))
    }
    /// Whether the class of `s` has a term that differs from it by a number.
    fn equals_shifted(&self, s: Term) -> bool {
        let differs = |t: Term| {
            let mut difference = self.store.linear(s);
            difference.add_scaled(&Rational::MINUS_ONE, &self.store.linear(t));
            difference.is_constant() && !difference.constant.is_zero()
        };
        let is_equal = |t: Term| self.class_of(t) == self.class_of(s);
        let numbers = self.terms.iter().filter(|&&t| self.store.sort(t).is_arithmetic());
        numbers.copied().any(|t| is_equal(t) && differs(t))
    }
    /// Whether the literal denies an equation between terms of one class.
    fn refutes(&mut self, literal: Literal) -> bool {
        !literal.positive
            && self.sides(literal.atom).into_iter().any(|(a, b)| self.class(a) == self.class(b))
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
