//! Large `distinct`s, recognised among the conjuncts of a formula.
//!
//! The disequalities between all pairs of many terms cost an atom, a column and a clause each if
//! they are written down, and all but a few hold anyway. What is recognised here is kept apart as a
//! group instead (`apart`).
//!
//! Source: ours; the terms and offsets are those of difference constraints.

use shofar_base::Map;
use shofar_num::Rational;
use shofar_term::{Term, TermStore};

use super::apart::Member;

/// Fewer pairs than this are cheap to write down.
const FEWEST_PAIRS: usize = 1_000;

/// The terms, with offsets, that all differ from each other, if this is what it means that the
/// equations `parts` are false (as they are if `positive`, and as negations otherwise), and there
/// are many.
pub(super) fn all_different(
    store: &TermStore,
    parts: &[Term],
    positive: bool,
) -> Option<Vec<Member>> {
    if parts.len() < FEWEST_PAIRS {
        return None;
    }
    let pair = |part: Term| {
        let (equation, negated) = store.strip_not(part);
        if negated == positive { None } else { difference(store, equation) }
    };
    let (base, ..) = pair(parts[0])?;
    // `x - base ≠ c` says that `x - c` and `base` differ.
    let mut offsets: Map<Term, Rational> = Map::default();
    offsets.insert(base, Rational::ZERO);
    let mut members = vec![(base, Rational::ZERO)];
    for &part in parts {
        let (x, y, c) = pair(part)?;
        let (other, offset) = match (x == base, y == base) {
            (true, _) => (y, c.clone()),
            (_, true) => (x, -c),
            (false, false) => continue,
        };
        if offsets.insert(other, offset.clone()).is_some() {
            return None;
        }
        members.push((other, offset));
    }
    // The parts are different, and so are the pairs if their constants fit; then, if the number is
    // right, none is missing.
    let fits = |&part: &Term| {
        pair(part).is_some_and(|(x, y, c)| {
            let found = offsets.get(&x).zip(offsets.get(&y));
            found.is_some_and(|(of_x, of_y)| of_y - of_x == *c)
        })
    };
    let complete = members.len() * (members.len() - 1) / 2 == parts.len();
    (complete && parts.iter().all(fits)).then_some(members)
}

/// The terms and the number of an equation `x - y = c`.
fn difference(store: &TermStore, equation: Term) -> Option<(Term, Term, &Rational)> {
    let (form, bound) = store.equation(equation)?;
    let sum = store.as_sum(form)?;
    let mut monomials = sum.iter();
    let (Some((a, x)), Some((b, y)), None) = (monomials.next(), monomials.next(), monomials.next())
    else {
        return None;
    };
    (a.is_one() && *b == Rational::MINUS_ONE).then_some((x, y, bound))
}

#[cfg(test)]
mod tests {
    use shofar_term::Sort;

    use super::*;

    /// The equations whose negations make up a `distinct`.
    fn equations(store: &TermStore, distinct: Term) -> Vec<Term> {
        let (some, _) = store.strip_not(distinct);
        store.children(some).to_vec()
    }

    #[test]
    fn a_distinct_is_recognised_with_its_offsets() {
        let mut s = TermStore::new();
        let terms: Vec<Term> = (0..60)
            .map(|k| {
                let (x, offset) = (s.var(&format!("x{k}"), Sort::INT), s.int(3 * k));
                s.add(&[x, offset])
            })
            .collect();
        let distinct = s.distinct(&terms);
        let mut parts = equations(&s, distinct);
        let mut members = all_different(&s, &parts, true).unwrap();
        members.sort_unstable();
        assert_eq!(members.len(), 60);
        let step = |pair: &[Member]| &pair[1].1 - &pair[0].1;
        assert!(members.windows(2).all(|pair| step(pair) == Rational::from(3)));
        assert!(all_different(&s, &parts, false).is_none());
        for part in &mut parts {
            *part = s.not(*part);
        }
        assert!(all_different(&s, &parts, false).is_some());
    }

    #[test]
    fn what_only_looks_like_a_distinct() {
        let mut s = TermStore::new();
        let terms: Vec<Term> = (0..60).map(|k| s.var(&format!("x{k}"), Sort::INT)).collect();
        let distinct = s.distinct(&terms);
        let parts = equations(&s, distinct);
        assert!(all_different(&s, &parts[1..], true).is_none());
        // One pair with another constant, and one pair twice instead of another one.
        let (one, next) = (s.int(1), s.add(&[terms[4], terms[5]]));
        let up = s.add(&[terms[4], one]);
        for other in [s.eq(up, terms[5]), s.eq(next, one)] {
            let mut parts = parts.clone();
            parts[700] = other;
            assert!(all_different(&s, &parts, true).is_none());
        }
        assert!(all_different(&s, &parts[..10], true).is_none());
    }
}
