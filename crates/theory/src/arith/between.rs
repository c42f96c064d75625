//! Terms between the two sides of an interpolation.
//!
//! If the bounds imply that a term `s` of A equals a term `t` of B, the sides agree on a term over
//! shared symbols that both are equal to. It comes from the refutation of `s < t`: the weighted sum
//! of A's bounds in it cancels what only A knows of `s` and leaves `s ≥ r`, that of B leaves
//! `t ≤ r`, and from the other direction `s` cannot be above `r`, nor `t` below. Over the reals
//! this always succeeds; over the integers `r` may have fractions, and then it is no term of that
//! sort.
//!
//! Source: Yorsh and Musuvathi's equality-interpolating theories as treated in [FGGKT12] §6; the
//! sums are those of [McM05].

use shofar_base::{Budget, Idx, Lit, Map, Outcome, Var};
use shofar_num::Rational;
use shofar_term::{Linear, Term, TermStore};

use super::Arith;
use super::bounds::End;
use crate::theory::{Check, Effort, Farkas, Lemma, Side, Theory};

/// What bounds say about two terms.
pub(crate) enum Between {
    /// They may differ; the solver now has values that do.
    Apart,
    /// They are equal, and both are equal to this, if it is a term of their sort.
    Equal(Option<Term>),
}

impl Arith {
    /// Makes `s`, a term of A, and `t`, a term of B, differ if they can; else says what is between
    /// them.
    ///
    /// Leaves a scope open, and registers variables that nobody else knows, so it is meant for a
    /// copy of the solver.
    pub(crate) fn look_between(
        &mut self,
        store: &mut TermStore,
        budget: &Budget,
        (s, t): (Term, Term),
        side: &Map<Term, Side>,
    ) -> Outcome<Between> {
        let mut refutation = None;
        for (low, high) in [(s, t), (t, s)] {
            let less = store.lt(low, high);
            let (atom, negated) = store.strip_not(less);
            let lit = Lit::new(Var::from_index(self.atom_of.len()), !negated);
            self.push();
            self.register(store, atom, lit.var());
            let conflict = match self.assert(lit) {
                Err(lemma) => Some(lemma),
                Ok(()) => match self.check(store, budget, Effort::Quick)? {
                    Check::Conflict(lemma) => Some(lemma),
                    Check::Consistent | Check::Split(_) | Check::Collision(_) => None,
                },
            };
            let Some(lemma) = conflict else { return Ok(Between::Apart) };
            refutation = refutation.or(Some((lemma, lit)));
            self.pop(1);
        }
        let (lemma, lit) = refutation.expect("there are two directions");
        Ok(Between::Equal(self.middle(store, s, &lemma, lit, side)))
    }
    /// `s` plus the weighted sum of A's bounds in the refutation of `less`.
    fn middle(
        &self,
        store: &mut TermStore,
        s: Term,
        lemma: &Lemma<Farkas>,
        less: Lit,
        side: &Map<Term, Side>,
    ) -> Option<Term> {
        let sort = store.sort(s);
        let own = lemma.lits.iter().position(|&lit| lit == less)?;
        let mut middle = store.linear(s);
        for (&lit, weight) in lemma.lits.iter().zip(&lemma.certificate) {
            let bound = self.bound_of(store, lit);
            let is_b = |(_, x): &(Rational, Term)| side.get(x) == Some(&Side::B);
            if lit != less && !bound.monomials().iter().any(is_b) {
                middle.add_scaled(&(weight / &lemma.certificate[own]), &bound);
            }
        }
        let is_shared = middle.monomials().iter().all(|(_, x)| !side.contains_key(x));
        let whole = |(c, x): &(Rational, Term)| c.is_integer() && store.sort(*x).is_int();
        let fits = !sort.is_int()
            || (middle.constant.is_integer() && middle.monomials().iter().all(whole));
        (is_shared && fits).then(|| store.sum(&middle, sort))
    }
    /// What a literal says is not positive.
    fn bound_of(&self, store: &TermStore, lit: Lit) -> Linear {
        let (column, end, value) = self.meaning(lit);
        let mut linear = store.linear(self.forms[column].term);
        linear.constant -= &value.real;
        match end {
            End::Upper => linear,
            End::Lower => linear.negated(),
        }
    }
}

#[cfg(test)]
mod tests {
    use shofar_term::Sort;

    use super::*;
    use crate::arith::Options;

    /// `2 ≤ x - c ≤ 2` on one side and `y = c + 2` on the other: `c + 2` is between `x` and `y`.
    #[test]
    fn an_implied_equality_has_a_shared_term() {
        for sort in [Sort::INT, Sort::REAL] {
            let mut store = TermStore::new();
            let [x, y, c, z] = ["x", "y", "c", "z"].map(|name| store.var(name, sort));
            let two = store.number(2.into(), sort);
            let middle = store.add(&[c, two]);
            let mut arith = Arith::new(Options::default());
            let bounds = [(x, middle), (middle, x), (y, middle), (middle, y), (z, middle)];
            for (count, (a, b)) in bounds.into_iter().enumerate() {
                let bound = store.le(a, b);
                let (atom, negated) = store.strip_not(bound);
                arith.register(&store, atom, Var::from_index(count));
                arith.assert(Lit::new(Var::from_index(count), !negated)).unwrap();
            }
            let side: Map<Term, Side> =
                [(x, Side::A), (y, Side::B), (z, Side::B)].into_iter().collect();
            let budget = Budget::unlimited();
            let found = arith.look_between(&mut store, &budget, (x, y), &side).unwrap();
            assert!(matches!(found, Between::Equal(Some(r)) if r == middle));
            let found = arith.look_between(&mut store, &budget, (x, z), &side).unwrap();
            assert!(matches!(found, Between::Apart));
        }
    }
}
