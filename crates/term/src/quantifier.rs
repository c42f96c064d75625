//! Quantified formulas.
//!
//! The store has no binders of its own: the bound variables are declared constants, and a
//! quantified formula names them beside its body. One constant may therefore be bound by several
//! formulas, and free in others; who removes a quantifier renames. The reader gives different
//! binders different constants where it can.

use crate::store::Op;
use crate::{Kind, Sort, Term, TermStore};

/// All or some.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// For all values.
    Forall,
    /// For some values.
    Exists,
}

impl Quantifier {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Quantifier::Forall => "forall",
            Quantifier::Exists => "exists",
        }
    }
}

impl TermStore {
    /// The quantified formula; just the body if no variable is bound. The variables are declared
    /// constants.
    pub fn quantify(&mut self, quantifier: Quantifier, body: Term, variables: &[Term]) -> Term {
        if variables.is_empty() {
            return body;
        }
        debug_assert!(variables.iter().all(|&variable| self.op(variable) == Op::Symbol));
        let children: Vec<Term> = std::iter::once(body).chain(variables.iter().copied()).collect();
        let op = match quantifier {
            Quantifier::Forall => Op::Forall,
            Quantifier::Exists => Op::Exists,
        };
        self.intern(op, Sort::BOOL, &children, 0)
    }
    /// The quantifier, the body and the bound variables of a quantified formula.
    pub fn quantified(&self, term: Term) -> Option<(Quantifier, Term, &[Term])> {
        if let Kind::Quantified(quantifier, body, variables) = self.kind(term) {
            Some((quantifier, body, variables))
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantified_formula_is_known_by_all_of_its_parts() {
        let mut s = TermStore::new();
        let (x, y) = (s.var("x", Sort::INT), s.var("y", Sort::INT));
        let body = s.le(x, y);
        let all = s.quantify(Quantifier::Forall, body, &[x]);
        let Some((Quantifier::Forall, inner, variables)) = s.quantified(all) else {
            panic!("it is universal")
        };
        assert_eq!((inner, variables), (body, [x].as_slice()));
        let others = [
            s.quantify(Quantifier::Exists, body, &[x]),
            s.quantify(Quantifier::Forall, body, &[y]),
            s.quantify(Quantifier::Forall, body, &[x, y]),
        ];
        assert!(!others.contains(&all));
        assert_eq!(s.quantify(Quantifier::Forall, body, &[]), body);
        assert!(s.quantified(body).is_none());
    }

    #[test]
    fn a_body_is_replaced_within_its_binder() {
        let mut s = TermStore::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| s.var(name, Sort::INT));
        let (before, after) = (s.le(x, y), s.le(x, z));
        let all = s.quantify(Quantifier::Forall, before, &[x]);
        let map = [(y, z)].into_iter().collect();
        let replaced = crate::substitute::substitute(&mut s, &map, &[all])[0];
        assert_eq!(replaced, s.quantify(Quantifier::Forall, after, &[x]));
    }
}
