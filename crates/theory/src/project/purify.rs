//! Purification: `div`, `mod` and `to_int` terms over eliminated symbols become variables.
//!
//! The term itself is the name of its variable. With `q` for `t div n`, the constraints
//! `0 ≤ t - n·q ≤ n - 1` define it, and `t mod n` is `t - n·q`; a `div` and a `mod` of the same
//! term thus share one variable. With `v` for `to_int(t)`, the definition is `v ≤ t < v + 1`. Both
//! definitions have exactly one solution, so nothing is gained or lost.

use shofar_base::{Map, Set};
use shofar_num::Rational;
use shofar_term::visit::postorder;
use shofar_term::{ArithKind, Linear, Symbol, Term, TermStore};

use super::Projection;
use super::constraint::{Constraint, Relation};

/// All subterms of `roots` in which one of `symbols` occurs.
pub(super) fn touched(store: &TermStore, roots: &[Term], symbols: &Set<Symbol>) -> Set<Term> {
    let mut touched = Set::default();
    for term in postorder(store, roots) {
        let here = store.symbol(term).is_some_and(|symbol| symbols.contains(&symbol));
        if here || store.children(term).iter().any(|child| touched.contains(child)) {
            touched.insert(term);
        }
    }
    touched
}

impl Projection<'_> {
    /// Adds `raw` to the constraints, rewritten so that no term of `touched` occurs other than as a
    /// variable.
    pub(super) fn purify(&mut self, raw: Vec<Constraint>, touched: &Set<Term>) {
        let roots: Vec<Term> = raw
            .iter()
            .flat_map(|c| c.linear.monomials().iter().map(|&(_, t)| t))
            .filter(|t| touched.contains(t))
            .collect();
        let mut pure = Map::default();
        for term in postorder(self.store, &roots) {
            if touched.contains(&term) {
                self.purify_term(term, &mut pure);
            }
        }
        for Constraint { relation, linear } in raw {
            let linear = rewrite(&linear, &pure);
            self.push(Constraint { relation, linear });
        }
    }
    /// Defines the variable of a `div`, `mod` or `to_int` term, whose subterms are pure already.
    fn purify_term(&mut self, term: Term, pure: &mut Map<Term, Linear>) {
        if let Some(ArithKind::ToInt(inner)) = self.store.arith(term) {
            let inner = rewrite(&self.store.linear(inner), pure);
            self.define_floor(term, &inner);
        } else if let Some(ArithKind::Div(inner, divisor)) = self.store.arith(term) {
            let divisor = divisor.clone();
            let inner = rewrite(&self.store.linear(inner), pure);
            self.define_quotient(term, &inner, &divisor);
        } else if let Some(ArithKind::Mod(inner, divisor)) = self.store.arith(term) {
            let divisor = divisor.clone();
            let quotient = self.store.div(inner, &divisor);
            let mut inner = rewrite(&self.store.linear(inner), pure);
            self.define_quotient(quotient, &inner, &divisor);
            inner.add_term(&-divisor, quotient);
            pure.insert(term, inner);
        }
    }
    fn define_floor(&mut self, floor: Term, inner: &Linear) {
        if !self.declare(floor) {
            return;
        }
        let mut above = inner.negated();
        above.add_term(&Rational::ONE, floor);
        let mut below = above.negated();
        below.constant -= Rational::ONE;
        self.push(Constraint::le(above));
        self.push(Constraint { relation: Relation::Lt, linear: below });
    }
    fn define_quotient(&mut self, quotient: Term, inner: &Linear, divisor: &Rational) {
        if !self.declare(quotient) {
            return;
        }
        let mut above = inner.negated();
        above.add_term(divisor, quotient);
        let mut below = above.negated();
        below.constant -= divisor - Rational::ONE;
        self.push(Constraint::le(above));
        self.push(Constraint::le(below));
    }
    /// Makes `term` a variable; false if it is one already.
    fn declare(&mut self, term: Term) -> bool {
        let new = !self.variables.contains(&term);
        if new {
            self.variables.push(term);
        }
        new
    }
}

/// `linear` with the terms of `pure` replaced.
fn rewrite(linear: &Linear, pure: &Map<Term, Linear>) -> Linear {
    if linear.monomials().iter().all(|(_, t)| !pure.contains_key(t)) {
        return linear.clone();
    }
    let mut result = Linear::of_constant(linear.constant.clone());
    for (coefficient, term) in linear.monomials() {
        match pure.get(term) {
            Some(inner) => result.add_scaled(coefficient, inner),
            None => result.add_term(coefficient, *term),
        }
    }
    result
}
