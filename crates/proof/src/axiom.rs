//! Instances of the axioms of arrays and data: clauses that are valid by what reads, writes,
//! constructors, selectors and testers mean.
//!
//! The negations of the literals are closed under congruence, and then under rules that derive
//! equalities, until nothing changes; see [`arrays`] and [`data`]. The clause is valid if what was
//! derived is contradictory. No rule distinguishes cases, and no term is made that does not occur
//! in the clause, so this decides instances of single axioms, not the theories.
//!
//! Source: [CH15] for arrays, [BST07] for data, both as plain saturation.

mod arrays;
mod data;

use shofar_base::Set;
use shofar_num::Rational;
use shofar_term::{Kind, Linear, Relation, Term, TermStore};

use crate::Literal;
use crate::congruence::Closure;
use crate::equations::is_never_zero;

/// Whether one of the formulas holds whatever the symbols mean, by the axioms of arrays and data,
/// or what products and operations on vectors are.
pub fn is_axiom(store: &TermStore, clause: &[Term]) -> bool {
    let clause: Vec<Literal> = clause.iter().map(|&t| Literal::of(store, t)).collect();
    let is_true = |l: &Literal| l.atom == if l.positive { store.top() } else { store.bottom() };
    clause.iter().any(is_true)
        || crate::product::is_law(store, &clause)
        || crate::evaluation::is_evaluation(store, &clause)
        || is_instance(store, &clause)
}

/// Whether `clause` is valid by the axioms of arrays and data.
pub(crate) fn is_instance(store: &TermStore, clause: &[Literal]) -> bool {
    let atoms: Vec<Term> = clause.iter().map(|literal| literal.atom).collect();
    let mut saturation = Saturation::new(store, &atoms, clause);
    for &literal in clause {
        saturation.closure.assume(!literal);
    }
    loop {
        saturation.closure.close();
        if saturation.closure.is_contradictory()
            || clause.iter().any(|&literal| saturation.closure.refutes(!literal))
            || saturation.has_cycle()
            || saturation.is_exhausted()
            || saturation.denies_extensionality()
        {
            return true;
        }
        if !(saturation.negate() | saturation.derive_data() | saturation.derive_reads()) {
            return false;
        }
    }
}

/// What follows from the negation of a clause.
struct Saturation<'s> {
    closure: Closure<'s>,
    /// Pairs of terms that the clause makes different.
    different: Vec<(Term, Term)>,
    /// Conjunctions of which not all parts hold.
    conjunctions: Vec<&'s [Term]>,
    /// Differences of numbers that are not zero, with leading coefficient one.
    nonzero: Set<(Vec<(Rational, Term)>, Rational)>,
}

impl<'s> Saturation<'s> {
    fn new(store: &'s TermStore, atoms: &[Term], clause: &[Literal]) -> Self {
        let closure = Closure::new(store, atoms);
        let (mut different, mut conjunctions, mut nonzero) =
            (Vec::new(), Vec::new(), Set::default());
        for literal in clause.iter().filter(|literal| literal.positive) {
            if let Kind::Same(a, b) | Kind::Iff(a, b) = store.kind(literal.atom) {
                different.push((a, b));
            }
            if let Kind::And(parts) = store.kind(literal.atom) {
                conjunctions.push(parts);
            }
            if let Some((Relation::Eq, form, bound)) = store.comparison(literal.atom) {
                let mut zero = store.linear(form);
                zero.constant -= bound;
                nonzero.extend(scaled(zero));
            }
        }
        Self { closure, different, conjunctions, nonzero }
    }
    /// Whether two terms are known to be different.
    fn differ(&self, a: Term, b: Term) -> bool {
        let store = self.closure.store;
        if store.differ(a, b) {
            return true;
        }
        let classes = [a, b].map(|t| self.closure.class_of(t));
        let truths = [store.top(), store.bottom()].map(|t| self.closure.class_of(t));
        if classes == truths
            || classes == [truths[1], truths[0]]
            || self.closure.are_opposite(classes)
        {
            return true;
        }
        if store.sort(a).is_arithmetic() {
            let mut difference = store.linear(a);
            difference.add_scaled(&Rational::MINUS_ONE, &store.linear(b));
            let reduced = self.closure.reduced(difference.clone());
            let known = |linear| scaled(linear).is_some_and(|key| self.nonzero.contains(&key));
            // Equations may replace what has a common factor.
            return is_never_zero(store, &difference)
                || is_never_zero(store, &reduced)
                || known(difference);
        }
        self.different.iter().any(|&(x, y)| {
            let pair = [x, y].map(|t| self.closure.class_of(t));
            pair == classes || pair == [classes[1], classes[0]]
        }) || self.constructors_differ(classes)
            || self.arrays_differ(a, b)
            || self.parts_differ(a, b)
    }
    /// A formula differs from its negation, and what differs from a formula is its negation.
    fn negate(&mut self) -> bool {
        let (store, mut has_changed) = (self.closure.store, false);
        for term in self.closure.terms.clone() {
            let Kind::Not(formula) = store.kind(term) else { continue };
            let [own, negated] = [formula, term].map(|t| self.closure.class_of(t));
            if own == negated {
                has_changed |= self.closure.join(store.top(), store.bottom());
            }
            for at in 0..self.different.len() {
                let (a, b) = self.different[at];
                for (one, other) in [(a, b), (b, a)] {
                    if self.closure.class_of(one) == self.closure.class_of(formula) {
                        has_changed |= self.closure.join(other, term);
                    }
                }
            }
        }
        has_changed
    }
}

/// The same combination up to a factor; nothing if it is a number.
fn scaled(mut linear: Linear) -> Option<(Vec<(Rational, Term)>, Rational)> {
    let (leading, _) = linear.monomials().first()?;
    let factor = &Rational::ONE / leading;
    linear.scale(&factor);
    let constant = linear.constant.clone();
    Some((linear.into_monomials(), constant))
}

#[cfg(test)]
mod tests;
