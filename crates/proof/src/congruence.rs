//! Congruence lemmas: literals that contradict each other because equals may be replaced by equals.
//!
//! The negations of the literals of a clause give equations and disequations between terms, and
//! truth values of predicates, which count as equations with `true` and `false`. Their congruence
//! closure is computed anew, in the plainest way: merge, and merge applications of one function to
//! equal arguments, until nothing changes. Numbers are equal if the linear equations among the
//! literals, and those between terms of one class, make them equal. A negation among the arguments
//! has the opposite truth value of its formula. It is contradictory if it joins
//! `true` and `false`, or the two sides of a disequation, or if the linear equations have no
//! solution.
//!
//! Source: [DST80] §2, with the fixpoint iteration in place of its worklist.

use shofar_base::Map;
use shofar_num::Rational;
use shofar_term::visit::postorder;
use shofar_term::{
    ArrayKind, Constructor, DataKind, Field, Kind, Linear, Relation, Sort, Symbol, Term, TermStore,
};

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
pub(crate) struct Closure<'s> {
    pub(crate) store: &'s TermStore,
    /// All terms, sorted.
    pub(crate) terms: Vec<Term>,
    places: Map<Term, usize>,
    /// The way to the representative of each class.
    parents: Vec<usize>,
    equations: Equations,
}

impl<'s> Closure<'s> {
    pub(crate) fn new(store: &'s TermStore, atoms: &[Term]) -> Self {
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
    pub(crate) fn class_of(&self, term: Term) -> usize {
        self.class(self.places[&term])
    }
    /// Joins the classes of two terms; false if they are one.
    pub(crate) fn join(&mut self, a: Term, b: Term) -> bool {
        self.merge(self.places[&a], self.places[&b])
    }
    /// What `linear` is in terms that no equation determines.
    pub(crate) fn reduced(&self, linear: Linear) -> Linear {
        self.equations.reduced(linear)
    }
    /// Joins two classes; false if they are one.
    fn merge(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.class(a), self.class(b));
        self.parents[a] = b;
        a != b
    }
    /// Takes up what a literal says.
    pub(crate) fn assume(&mut self, literal: Literal) {
        let truth = if literal.positive { self.store.top() } else { self.store.bottom() };
        self.merge(self.places[&literal.atom], self.places[&truth]);
        if !literal.positive {
            return;
        }
        let kind = self.store.kind(literal.atom);
        if let Kind::Same(a, b) | Kind::Iff(a, b) = kind {
            self.merge(self.places[&a], self.places[&b]);
        } else if let Kind::And(parts) = kind {
            // The parts of a conjunction are no conjunctions, so this goes no deeper.
            for &part in parts {
                self.assume(Literal::of(self.store, part));
            }
        }
        if let Some(zero) = self.zero(literal.atom) {
            self.equations.assume(self.store, zero);
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
    pub(crate) fn close(&mut self) {
        while self.join_applications() | self.join_numbers() | self.join_negations() {}
    }
    /// Joins what is not true with `false`, and what is not false with `true`.
    fn join_negations(&mut self) -> bool {
        let (store, mut has_changed) = (self.store, false);
        let (top, bottom) = (store.top(), store.bottom());
        for at in 0..self.terms.len() {
            let Kind::Not(formula) = store.kind(self.terms[at]) else { continue };
            for (one, other) in [(formula, self.terms[at]), (self.terms[at], formula)] {
                for (truth, opposite) in [(top, bottom), (bottom, top)] {
                    if self.is_truth(one, truth) {
                        has_changed |= self.join(other, opposite);
                    }
                }
            }
        }
        has_changed
    }
    /// Joins applications of one function to equal arguments.
    fn join_applications(&mut self) -> bool {
        let mut known: Map<(Head, Vec<usize>), usize> = Map::default();
        let mut has_changed = false;
        for at in 0..self.terms.len() {
            let Some(head) = head(self.store, self.terms[at]) else { continue };
            let args = self.store.children(self.terms[at]).iter();
            let args = args.map(|&arg| self.class_of(arg)).collect();
            let first = *known.entry((head, args)).or_insert(at);
            has_changed |= self.merge(first, at);
        }
        has_changed
    }
    /// Takes up that numbers of one class are equal, and joins numbers that are equal by the
    /// equations.
    fn join_numbers(&mut self) -> bool {
        let is_number = |&at: &usize| self.store.sort(self.terms[at]).is_arithmetic();
        let numbers: Vec<usize> = (0..self.terms.len()).filter(is_number).collect();
        for &at in &numbers {
            let representative = self.terms[self.class(at)];
            let mut difference = self.store.linear(self.terms[at]);
            difference.add_scaled(&Rational::MINUS_ONE, &self.store.linear(representative));
            self.equations.assume(self.store, difference);
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
    pub(crate) fn is_contradictory(&self) -> bool {
        self.equations.has_contradiction()
            || self.class_of(self.store.top()) == self.class_of(self.store.bottom())
            || self.has_different_values()
    }
    /// Whether a class has constructor terms of different constructors, or different bit-vectors.
    fn has_different_values(&self) -> bool {
        let mut first: Map<usize, Term> = Map::default();
        self.terms.iter().any(|&term| {
            let is_value = matches!(self.store.data_kind(term), Some(DataKind::Construct(..)))
                || self.store.as_bits(term).is_some();
            is_value && {
                let other = *first.entry(self.class_of(term)).or_insert(term);
                self.store.differ(other, term)
            }
        })
    }
    /// Whether the literal denies an equation that holds.
    pub(crate) fn refutes(&self, literal: Literal) -> bool {
        !literal.positive && self.holds(literal.atom)
    }
    fn holds(&self, atom: Term) -> bool {
        let kind = self.store.kind(atom);
        if let Kind::Same(a, b) | Kind::Iff(a, b) = kind {
            return self.class_of(a) == self.class_of(b);
        }
        if let Kind::And(parts) = kind {
            return parts.iter().all(|&part| match self.store.strip_not(part) {
                (part, false) => self.holds(part) || self.is_truth(part, self.store.top()),
                (part, true) => self.is_truth(part, self.store.bottom()) || self.is_denied(part),
            });
        }
        let zero = self.zero(atom);
        zero.is_some_and(|zero| self.equations.reduced(zero) == Linear::new())
    }
    /// Whether `formula` says that one is equivalent to what is its negation.
    fn is_denied(&self, formula: Term) -> bool {
        let Kind::Iff(a, b) = self.store.kind(formula) else { return false };
        self.are_opposite([a, b].map(|t| self.class_of(t)))
    }
    /// Whether one class has the negation of a formula of the other.
    pub(crate) fn are_opposite(&self, classes: [usize; 2]) -> bool {
        self.terms.iter().any(|&term| {
            let Kind::Not(formula) = self.store.kind(term) else { return false };
            let pair = [formula, term].map(|t| self.class_of(t));
            pair == classes || pair == [classes[1], classes[0]]
        })
    }
    fn is_truth(&self, formula: Term, truth: Term) -> bool {
        self.class_of(formula) == self.class_of(truth)
    }
}

/// What an application applies, so far as equal arguments give equal results.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Head {
    Function(Symbol),
    Select,
    Store,
    Const(Sort),
    Construct(Constructor),
    Field(Field),
    Is(Constructor),
    Not,
}

fn head(store: &TermStore, term: Term) -> Option<Head> {
    let kind = store.kind(term);
    if let Kind::App(symbol, _) = kind {
        Some(Head::Function(symbol))
    } else if let Kind::Array(kind) = kind {
        Some(match kind {
            ArrayKind::Select(..) => Head::Select,
            ArrayKind::Store(..) => Head::Store,
            ArrayKind::Const(_) => Head::Const(store.sort(term)),
        })
    } else if let Kind::Data(kind) = kind {
        Some(match kind {
            DataKind::Construct(constructor, _) => Head::Construct(constructor),
            DataKind::Field(field, _) => Head::Field(field),
            DataKind::Is(constructor, _) => Head::Is(constructor),
        })
    } else {
        matches!(kind, Kind::Not(_)).then_some(Head::Not)
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
        let opposite = s.app(f, &[not_p]);
        let fs = s.eq(opposite, fq);
        check(&s, &[p, not_q, fs]);
        check(&s, &[not_p, q, fs]);
    }
}
