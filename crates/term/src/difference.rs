//! Atoms about two terms and a number, such as `x ≤ y + 3`, `x = y` or `x ≥ 0`.
//!
//! Most atoms of most inputs are such. They are put together here by comparing handles and machine
//! integers; the general way, through linear combinations, would come to the same handle.

use shofar_num::Rational;

use crate::arithmetic::Relation;
use crate::store::Op;
use crate::{Sort, Term, TermStore};

/// `plus − minus + constant`, where both terms may be missing and neither is a number or a sum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    /// What is added.
    pub plus: Option<Term>,
    /// What is subtracted.
    pub minus: Option<Term>,
    /// The number.
    pub constant: i64,
}

impl TermStore {
    /// Whether the arithmetic term is neither a number nor a sum.
    #[inline]
    pub fn is_plain(&self, term: Term) -> bool {
        !matches!(self.op(term), Op::Number | Op::Sum)
    }
    /// `difference ⋈ 0`, unless a number on the way leaves the machine words.
    pub fn compare_difference(
        &mut self,
        difference: Difference,
        relation: Relation,
    ) -> Option<Term> {
        let Difference { plus, minus, constant } = difference;
        let (form, downward) = match (plus, minus) {
            (None, None) => return Some(self.bool(relation.holds(constant.cmp(&0)))),
            (Some(a), Some(b)) if a == b => {
                return Some(self.bool(relation.holds(constant.cmp(&0))));
            }
            (Some(a), None) => (a, false),
            (None, Some(b)) => (b, true),
            (Some(a), Some(b)) => (self.difference_form(a.min(b), a.max(b)), a > b),
        };
        let bound = if downward { constant } else { constant.checked_neg()? };
        let all_int = self.sort(form).is_int();
        // Downward, the atom is what must *not* hold, as in the general way.
        let strict = (relation == Relation::Lt) != downward;
        let (op, bound) = match relation {
            Relation::Eq => (Op::Eq, bound),
            Relation::Le | Relation::Lt if all_int => (Op::Le, bound.checked_sub(strict.into())?),
            Relation::Le | Relation::Lt => (if strict { Op::Lt } else { Op::Le }, bound),
        };
        let number = self.intern_number(&Rational::from(bound));
        let atom = self.intern_atom(op, form, number);
        Some(if downward && relation != Relation::Eq { self.not(atom) } else { atom })
    }
    /// `a − b`, where `a` is the older one.
    fn difference_form(&mut self, a: Term, b: Term) -> Term {
        let all_int = self.sort(a).is_int() && self.sort(b).is_int();
        self.intern_difference(if all_int { Sort::INT } else { Sort::REAL }, [a, b])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Linear;

    /// The same in the general way.
    fn general(store: &mut TermStore, difference: Difference, relation: Relation) -> Term {
        let terms = [(difference.plus, Rational::ONE), (difference.minus, Rational::MINUS_ONE)];
        let monomials = terms.into_iter().filter_map(|(term, c)| Some((c, term?))).collect();
        let linear = Linear::from_monomials(monomials, Rational::from(difference.constant));
        match relation {
            Relation::Le => store.le_zero(&linear),
            Relation::Lt => store.lt_zero(&linear),
            Relation::Eq => store.eq_zero(&linear),
        }
    }

    #[test]
    fn both_ways_lead_to_one_handle() {
        let mut store = TermStore::new();
        let sorts = [Sort::INT, Sort::INT, Sort::REAL, Sort::REAL];
        let terms: Vec<Option<Term>> = std::iter::once(None)
            .chain(["a", "b", "c", "d"].iter().zip(sorts).map(|(n, s)| Some(store.var(n, s))))
            .collect();
        let constants = [0, 1, -1, 5, -2000, 1 << 40, i64::MAX, i64::MIN];
        for relation in [Relation::Le, Relation::Lt, Relation::Eq] {
            for (&plus, &minus, constant) in terms.iter().flat_map(|plus| {
                let with = move |minus| constants.map(move |constant| (plus, minus, constant));
                terms.iter().flat_map(with).collect::<Vec<_>>()
            }) {
                let difference = Difference { plus, minus, constant };
                let fast = store.compare_difference(difference, relation);
                let slow = general(&mut store, difference, relation);
                assert!(fast.is_none_or(|fast| fast == slow), "{difference:?}");
                assert!(fast.is_some() || constant.abs_diff(0) > 1 << 62);
            }
        }
    }
}
