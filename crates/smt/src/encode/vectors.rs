//! Bit-vectors on their way to clauses.
//!
//! A formula over vectors is defined by the formula over bits that it means ([`crate::bits`]). A
//! vector that a function, an array or a datum has is known to the theories as well, which compare
//! values: all its bits are made to matter, and its value is put together from theirs when a
//! candidate for a model is looked at.
//!
//! A product or a quotient that is too wide for a circuit is left open, and a candidate in which it
//! is not what its arguments make it is refuted by what it is for their values.
//!
//! Source: [BB09], lemmas on demand over the values of bits.

use shofar_base::Var;
use shofar_num::{Bits, Rational, power_of_two};
use shofar_sat as sat;
use shofar_term::{BitsKind, Term, TermStore, View};

use super::{BOTH, Encoder, Encoding, NEGATIVE, POSITIVE};
use crate::bits;

impl Encoding {
    /// The value of a vector that theories know, if all its bits have one.
    pub(crate) fn vector(
        &self,
        store: &TermStore,
        sat: &sat::Solver,
        vector: Term,
    ) -> Option<Bits> {
        let bits = self.vectors.get(&vector)?;
        let mut number = Rational::ZERO;
        for (&bit, at) in bits.iter().zip(0..) {
            let (formula, negated) = store.strip_not(bit);
            let truth = match store.view(formula) {
                View::Constant(truth) => truth,
                View::Not(_)
                | View::And(_)
                | View::Or(_)
                | View::Iff(..)
                | View::Ite(..)
                | View::Quantified(..)
                | View::Predicate(..)
                | View::Atom
                | View::Term => sat.value(self.var_of(formula)?.positive())?,
            };
            if truth != negated {
                number += power_of_two(at);
            }
        }
        Some(Bits::new(u32::try_from(bits.len()).ok()?, &number))
    }
}

impl Encoding {
    /// What the operations without circuits are for the values of their arguments, where they are
    /// not that. The equalities in these clauses are new, as the candidate has other values or had
    /// none like these.
    pub(crate) fn violated_wide(&self, store: &mut TermStore, sat: &sat::Solver) -> Vec<Vec<Term>> {
        let value = |store: &TermStore, vector: Term| match store.as_bits(vector) {
            Some(value) => Some(value.clone()),
            None => self.vector(store, sat, vector),
        };
        let mut clauses = Vec::new();
        for &operation in self.wide.iter().filter(|&&operation| self.is_live(operation)) {
            let args: Option<Vec<Bits>> =
                store.children(operation).iter().map(|&arg| value(store, arg)).collect();
            if let (Some(args), Some(own)) = (args, value(store, operation)) {
                let clause = store.bits_at(operation, &args);
                let result = *clause.last().expect("the last literal tells the result");
                let own = store.bits(&own);
                if !store.children(result).contains(&own) {
                    clauses.push(clause);
                }
            }
        }
        clauses
    }
}

impl Encoder<'_> {
    /// A comparison or a bit of vectors means a formula over bits; the number of a vector is the
    /// sum of its bits.
    pub(super) fn define_bits(&mut self, var: Var, term: Term, polarity: u8, new: u8) {
        if let Some(BitsKind::ToNat(vector)) = self.store.bits_kind(term) {
            for fact in bits::facts_of_number(self.store, term, vector) {
                self.fact(fact, term, new != 0);
            }
            return;
        }
        if !self.store.sort(term).is_bool() {
            // The bits of other vectors are defined where they matter.
            if bits::is_too_wide(self.store, term) {
                self.define_wide(term);
            }
            return;
        }
        self.known.has_bits = true;
        match self.known.circuits.meaning(self.store, term) {
            bits::Meaning::Free => (),
            bits::Meaning::Applied(vector) => self.activate_monomials(vector),
            bits::Meaning::Formula(formula) => {
                let lit = self.literal(formula, polarity);
                self.clause(&[var.negative(), lit], term, new & POSITIVE != 0);
                self.clause(&[var.positive(), !lit], term, new & NEGATIVE != 0);
            }
            bits::Meaning::Integer { vector, fact } => {
                let write = new != 0 && self.known.circuits.tie(vector);
                self.fact(fact, vector, write);
            }
        }
    }
    /// Makes all bits of an operation that has no circuit, and of its arguments, matter.
    fn define_wide(&mut self, operation: Term) {
        self.known.wide.insert(operation);
        for vector in [&[operation], self.store.children(operation)].concat() {
            self.define_vector(vector);
        }
    }
    /// Makes all bits of a vector that theories know matter, since its value does. The result is
    /// whether it is a vector.
    pub(super) fn define_vector(&mut self, vector: Term) -> bool {
        if self.store.bits_width(self.store.sort(vector)).is_none() {
            return false;
        }
        self.known.has_bits = true;
        let bits: Box<[Term]> = match self.known.vectors.get(&vector) {
            Some(bits) => bits.clone(),
            None => bits::bits(self.store, vector).into(),
        };
        for &bit in &bits {
            if !self.store.is_value(bit) {
                self.literal(bit, BOTH);
            }
        }
        self.known.vectors.insert(vector, bits);
        true
    }
}
