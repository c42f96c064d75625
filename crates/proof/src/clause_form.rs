//! The clauses that a formula stands for by itself, without a word about the meaning of its parts.
//!
//! The formula is a conjunction (or a negated disjunction), flattened; each conjunct is a
//! disjunction, flattened, whose disjuncts count as literals whatever they are. An equation or a
//! disequation among the conjuncts also stands for the clauses that its two inequalities make of
//! it.

use shofar_base::{Map, Set};
use shofar_num::Rational;
use shofar_term::{Kind, Relation, Term, TermStore};

use crate::Literal;
use crate::inequality::{Inequality, contradicts_equation};

/// The clauses of a formula.
#[derive(Debug, Default)]
pub(crate) struct ClauseForm {
    /// Each sorted.
    clauses: Set<Box<[Literal]>>,
    /// For each form, the numbers that it equals, or does not equal if `false`.
    equations: Map<Term, Vec<(Rational, bool)>>,
}

impl ClauseForm {
    /// The clauses of `formula`.
    pub(crate) fn new(store: &TermStore, formula: Term) -> Self {
        let mut form = Self::default();
        let mut conjuncts = vec![Literal { atom: formula, positive: true }];
        let mut seen: Set<Literal> = Set::default();
        while let Some(literal) = conjuncts.pop() {
            if seen.insert(literal) && !split(store, literal, true, &mut conjuncts) {
                form.add(store, literal);
            }
        }
        form
    }
    /// Adds a conjunct that is no conjunction.
    fn add(&mut self, store: &TermStore, conjunct: Literal) {
        if let Some((Relation::Eq, form, bound)) = store.comparison(conjunct.atom) {
            let equation = (bound.clone(), conjunct.positive);
            self.equations.entry(form).or_default().push(equation);
        }
        let mut clause = Vec::new();
        let mut disjuncts = vec![conjunct];
        let mut seen: Set<Literal> = Set::default();
        while let Some(literal) = disjuncts.pop() {
            if !seen.insert(literal) || split(store, literal, false, &mut disjuncts) {
                continue;
            }
            let is_true = if literal.positive { store.top() } else { store.bottom() };
            if literal.atom == is_true {
                return;
            }
            if literal.atom != store.top() && literal.atom != store.bottom() {
                clause.push(literal);
            }
        }
        clause.sort_unstable();
        self.clauses.insert(clause.into());
    }
    /// Whether `clause` is one of them.
    pub(crate) fn has(&self, store: &TermStore, clause: &[Literal]) -> bool {
        let mut sorted = clause.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        self.clauses.contains(&*sorted) || self.is_of_equation(store, clause)
    }
    /// Whether the clause follows from an equation or disequation, because its negation contradicts
    /// it.
    fn is_of_equation(&self, store: &TermStore, clause: &[Literal]) -> bool {
        let Some(first) = clause.first() else { return false };
        let Some((_, form, _)) = store.comparison(first.atom) else { return false };
        let negated: Vec<Inequality> =
            clause.iter().filter_map(|&literal| Inequality::of(store, !literal)).collect();
        let equations = self.equations.get(&form).map_or(&[][..], Vec::as_slice);
        equations
            .iter()
            .any(|(bound, holds)| contradicts_equation(store, &negated, (form, bound), !holds))
    }
}

/// Pushes the conjuncts (or disjuncts) of a literal that is a conjunction (or disjunction); false
/// if it is none.
fn split(store: &TermStore, literal: Literal, and: bool, into: &mut Vec<Literal>) -> bool {
    let positive = literal.positive;
    if let Kind::Not(inner) = store.kind(literal.atom) {
        into.push(Literal { atom: inner, positive: !positive });
        return true;
    }
    let parts = if positive == and {
        store.conjunction(literal.atom)
    } else {
        store.disjunction(literal.atom)
    };
    let Some(parts) = parts else { return false };
    into.extend(parts.iter().map(|&atom| Literal { atom, positive }));
    true
}
