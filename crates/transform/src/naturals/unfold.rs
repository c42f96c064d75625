//! Formulas over natural numbers as formulas over zero and successor.
//!
//! | over numbers | over data |
//! |---|---|
//! | `x ≥ c` | `x`, its predecessor, … (`c` of them) are successors |
//! | `x = c` | `x` is the numeral of `c` |
//! | `x = y + c` | `x` is the `c`-fold successor of `y` |
//!
//! Everything else needs recursion; the translation gives up.

use shofar_base::{GaveUp, Map, Outcome};
use shofar_num::Rational;
use shofar_term::substitute::Substitution;
use shofar_term::visit::postorder;
use shofar_term::{Linear, Relation, Symbol, Term, TermStore};

use super::Numerals;

/// So many successors are written out at most.
const MOST: i64 = 64;

/// A translation of formulas; see the module documentation.
pub(super) struct Unfolding {
    /// The data that numbers stand for.
    data: Map<Term, (Term, Numerals)>,
    formulas: Map<Term, Term>,
    others: Substitution,
}

impl Unfolding {
    /// Variables of the target and those of the source.
    pub(super) fn new(store: &mut TermStore, variables: &[(Symbol, Symbol)]) -> Self {
        let (mut data, mut others) = (Map::default(), Map::default());
        for &(from, to) in variables {
            let (from, to) = (store.constant(from), store.constant(to));
            match Numerals::of(store, store.sort(to)) {
                Some(numerals) if store.sort(from).is_int() => {
                    data.insert(from, (to, numerals));
                }
                Some(_) | None => {
                    others.insert(from, to);
                }
            }
        }
        Self { data, formulas: Map::default(), others: Substitution::new(others) }
    }
    /// `formula` over the variables of the source.
    pub(super) fn translate(&mut self, store: &mut TermStore, formula: Term) -> Outcome<Term> {
        for term in postorder(store, &[formula]) {
            if store.sort(term).is_bool() {
                let image = match store.map_connective(term, |part| self.formulas[part]) {
                    Some(image) => image,
                    None => self.atom(store, term)?,
                };
                self.formulas.insert(term, image);
            }
        }
        Ok(self.formulas[&formula])
    }
    fn atom(&mut self, store: &mut TermStore, term: Term) -> Outcome<Term> {
        let mentions = postorder(store, &[term]).iter().any(|part| self.data.contains_key(part));
        if !mentions {
            return Ok(self.others.apply(store, term));
        }
        let known = store
            .comparison(term)
            .map(|(relation, form, bound)| (relation, store.linear(form), bound.clone()));
        let image = known.and_then(|(relation, linear, bound)| match relation {
            Relation::Le => self.at_most(store, &linear, &bound),
            Relation::Eq => self.equal(store, &linear, &bound),
            Relation::Lt => None,
        });
        image.ok_or(GaveUp::incomplete(
            "the model compares natural numbers in a way that needs a recursive definition",
        ))
    }
    fn number(&self, term: Term) -> Option<(Term, Numerals)> {
        self.data.get(&term).copied()
    }
    /// `linear ≤ bound`.
    fn at_most(&self, store: &mut TermStore, linear: &Linear, bound: &Rational) -> Option<Term> {
        let [(factor, term)] = linear.monomials() else { return None };
        let (term, numerals) = self.number(*term)?;
        if !factor.is_one() {
            return None;
        }
        let beyond = at_least(store, term, numerals, &(bound + Rational::ONE))?;
        Some(store.not(beyond))
    }
    fn equal(&self, store: &mut TermStore, linear: &Linear, bound: &Rational) -> Option<Term> {
        match linear.monomials() {
            [(factor, term)] if factor.is_one() => {
                let (term, numerals) = self.number(*term)?;
                if bound.is_negative() {
                    return Some(store.bottom());
                }
                let zero = store.construct(numerals.zero, &[]);
                let numeral = successor(store, zero, numerals, bound)?;
                Some(store.eq(term, numeral))
            }
            [(one, x), (other, y)] if (one + other).is_zero() && one.abs().is_one() => {
                // `x = y + c` with `c ≥ 0` after a change of sides.
                let difference = if one.is_one() { bound.clone() } else { -bound };
                let (x, y, difference) = if difference.is_negative() {
                    (*y, *x, -difference)
                } else {
                    (*x, *y, difference)
                };
                let ((x, numerals), (y, _)) = (self.number(x)?, self.number(y)?);
                if store.sort(x) != store.sort(y) {
                    return None;
                }
                let successor = successor(store, y, numerals, &difference)?;
                Some(store.eq(x, successor))
            }
            _ => None,
        }
    }
}

/// So many successors of `term`.
fn successor(
    store: &mut TermStore,
    term: Term,
    numerals: Numerals,
    count: &Rational,
) -> Option<Term> {
    let count = count.to_i64().filter(|&count| count <= MOST)?;
    let next = |term, _| store.construct(numerals.successor, &[term]);
    Some((0..count).fold(term, next))
}

/// `term ≥ count`: it and its predecessors are successors.
fn at_least(
    store: &mut TermStore,
    term: Term,
    numerals: Numerals,
    count: &Rational,
) -> Option<Term> {
    let count = count.to_i64().filter(|&count| count <= MOST)?;
    let (mut parts, mut at) = (Vec::new(), term);
    for _ in 0..count {
        parts.push(store.is(numerals.successor, at));
        at = store.field(numerals.predecessor, at);
    }
    Some(store.and(&parts))
}
