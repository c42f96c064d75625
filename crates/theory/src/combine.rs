//! Agreement of arithmetic and equality on the terms that both speak about.
//!
//! At the final check arithmetic has values for all its terms. They are compared with the classes
//! of the closure:
//!
//! 1. Two numbers of one class with different values: arithmetic has to hear that they are equal.
//!    An atom `s = t` is asked for; the closure implies it at once and can say why.
//! 2. Two applications of one function whose arguments have the same values but whose results
//!    differ: some arguments are in different classes, and for these a case distinction `s = t` is
//!    asked for, true first. If they are equal, the applications become congruent; if not,
//!    arithmetic has to choose different values.
//!
//! If neither occurs, the values and the classes together are a model: functions are read off the
//! values of their applications. It ends because there are finitely many pairs of terms. Everything
//! that one theory tells the other is an atom that both know, so a proof has nothing but lemmas of
//! one theory as leaves, with the clauses that define the atoms.
//!
//! Source: [DMB08]. Why this, and not an exchange of all equalities that follow: over the integers
//! a set of equalities may follow of which no single one does, so case distinctions are needed in
//! any case; and looking for implied equalities costs arithmetic more than looking at the values it
//! has. Most pairs of terms never become equal, and are never mentioned. DIVERGENCE [DMB08] §3: the
//! values of arithmetic are taken as they are, and not moved apart before they are compared.

use shofar_base::{Budget, GaveUp, Map, Outcome, Set};
use shofar_num::Rational;
use shofar_term::{Term, TermStore};

use crate::arith::{Arith, Between};
use crate::euf::{Congruence, Disagreement, Euf};
use crate::theory::{Check, Effort, Lemma, Split, Theory};

/// How many case distinctions are asked for at once.
const MOST_SPLITS: usize = 32;

/// Why the search may give up where case distinctions must not mix sides.
pub(crate) const MIXED: &str = "equalities between terms of different sides";

/// The numbers of arithmetic terms.
pub(crate) type Numbers = Map<Term, Rational>;

/// The value of a number term, given those of the terms that it adds up.
pub(crate) fn evaluate(store: &TermStore, numbers: &Numbers, term: Term) -> Rational {
    let linear = store.linear(term);
    let mut value = linear.constant.clone();
    for (coefficient, t) in linear.monomials() {
        if let Some(number) = numbers.get(t) {
            value.add_mul(coefficient, number);
        }
    }
    value
}

/// Compares the values of arithmetic with the classes of the closure.
pub(crate) fn agree(
    store: &mut TermStore,
    budget: &Budget,
    arith: &Arith,
    euf: &mut Euf,
) -> Outcome<Check<Congruence>> {
    let mut numbers = numbers_of(arith);
    // Where sides must not mix, values are moved in a copy of the solver.
    let mut copy = euf.is_restricted().then(|| arith.clone());
    loop {
        let found = euf.disagreements(store, &numbers);
        if found.is_empty() {
            return Ok(Check::Consistent);
        }
        let pure = match &mut copy {
            None => found,
            Some(copy) => {
                let Some(pure) = unmixed(store, budget, copy, euf, found)? else {
                    numbers = numbers_of(copy);
                    continue;
                };
                pure
            }
        };
        let mut splits: Vec<Split> = Vec::new();
        let mut atoms: Set<Term> = Set::default();
        for disagreement in pure {
            match ask(store, euf, disagreement) {
                Ok(Some(split)) if atoms.insert(split.atom) => splits.push(split),
                Ok(_) => {}
                Err(lemma) => return Ok(Check::Conflict(lemma)),
            }
            if splits.len() >= MOST_SPLITS {
                break;
            }
        }
        if !splits.is_empty() {
            return Ok(Check::Split(splits));
        }
    }
}

pub(crate) fn numbers_of(arith: &Arith) -> Numbers {
    arith.concrete_values().into_iter().collect()
}

/// Disagreements with terms of one side only, in the place of those that mix sides; nothing if
/// values have moved instead.
///
/// Arguments of different sides get different values if they can, and are otherwise compared with a
/// shared term, or with the number that both are. If results of different sides have to be equal,
/// the search gives up and says which terms would have helped.
fn unmixed(
    store: &mut TermStore,
    budget: &Budget,
    copy: &mut Arith,
    euf: &mut Euf,
    found: Vec<Disagreement>,
) -> Outcome<Option<Vec<Disagreement>>> {
    let (mixed, mut pure): (Vec<_>, Vec<_>) = found.into_iter().partition(|d| euf.is_mixed(*d));
    if !pure.is_empty() {
        return Ok(Some(pure));
    }
    let mut moved = false;
    for disagreement in mixed {
        let (a, b) = match disagreement {
            Disagreement::Values(a, b) => {
                euf.want_middles(store, a, b);
                continue;
            }
            Disagreement::Functions(a, b) => (a, b),
        };
        let middle = match copy.look_between(store, budget, euf.by_side(a, b), euf.sides())? {
            Between::Apart => {
                moved = true;
                continue;
            }
            Between::Equal(Some(term)) => term,
            Between::Equal(None) => {
                let value = evaluate(store, &numbers_of(copy), a);
                store.number(value, store.sort(a))
            }
        };
        euf.detour(store, middle)?;
        let ways = [a, b].into_iter().filter(|&t| !euf.are_equal(t, middle));
        pure.extend(ways.map(|t| Disagreement::Functions(t, middle)));
    }
    if moved && pure.is_empty() {
        let is_whole = matches!(copy.check(store, budget, Effort::Final)?, Check::Consistent);
        return if is_whole { Ok(None) } else { Err(GaveUp::incomplete(MIXED)) };
    }
    if pure.is_empty() { Err(GaveUp::incomplete(MIXED)) } else { Ok(Some(pure)) }
}

/// Asks for the atom of an equality, unless the closure has found in the meantime that it holds.
fn ask(
    store: &mut TermStore,
    euf: &mut Euf,
    disagreement: Disagreement,
) -> Result<Option<Split>, Lemma<Congruence>> {
    let (left, right, is_known) = match disagreement {
        Disagreement::Values(left, right) => (left, right, true),
        Disagreement::Functions(left, right) => (left, right, false),
    };
    let atom = euf.equate(store, left, right)?;
    let settled = !is_known && euf.are_equal(left, right);
    Ok((!settled).then_some(Split { atom, phase: Some(true) }))
}
