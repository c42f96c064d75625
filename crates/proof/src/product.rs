//! Laws of products of unknowns.
//!
//! The negation of a clause compares linear combinations with zero. If one of them is `p - k·b + e`
//! for a product `p = a·b` and numbers `k` and `e`, then it is `(a - k)·b + e`, and the other
//! comparisons may tell the signs of `a - k` and of `b`. The clause is valid if no sign that this
//! leaves for `(a - k)·b` fits. This covers: when a product is zero, which sign it has, how it
//! compares with a factor, and what it is where a factor has a value. Further, products are the
//! same if each factor of one is equal to a factor of the other.

use shofar_num::Rational;
use shofar_term::{Linear, Relation, Term, TermStore};

use crate::Literal;
use crate::inequality::Inequality;

/// How a combination compares with zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    AtMost,
    Below,
    AtLeast,
    Above,
    Equal,
    Different,
}

impl Sign {
    /// The comparison of the negated combination.
    fn flipped(self) -> Self {
        match self {
            Sign::AtMost => Sign::AtLeast,
            Sign::Below => Sign::Above,
            Sign::AtLeast => Sign::AtMost,
            Sign::Above => Sign::Below,
            Sign::Equal | Sign::Different => self,
        }
    }
    /// Whether some number with the sign of `sample` (-1, 0 or 1), and no other, may satisfy
    /// `number ? bound`.
    fn allows(self, sample: i32, bound: &Rational) -> bool {
        let towards = bound.signum();
        match self {
            Sign::AtMost => sample < 0 || (sample == 0 && towards >= 0) || towards > 0,
            Sign::Below => sample < 0 || towards > 0,
            Sign::AtLeast => sample > 0 || (sample == 0 && towards <= 0) || towards < 0,
            Sign::Above => sample > 0 || towards < 0,
            Sign::Equal => sample == towards,
            Sign::Different => sample != 0 || towards != 0,
        }
    }
}

/// `linear ? 0`.
struct Fact {
    linear: Linear,
    sign: Sign,
}

fn fact(store: &TermStore, literal: Literal) -> Option<Fact> {
    if let Some(Inequality { linear, strict }) = Inequality::of(store, literal) {
        return Some(Fact { linear, sign: if strict { Sign::Below } else { Sign::AtMost } });
    }
    let (Relation::Eq, form, bound) = store.comparison(literal.atom)? else { return None };
    let mut linear = store.linear(form);
    linear.constant -= bound;
    Some(Fact { linear, sign: if literal.positive { Sign::Equal } else { Sign::Different } })
}

/// Whether `clause` is a law of some product in it.
pub(crate) fn is_law(store: &TermStore, clause: &[Literal]) -> bool {
    let facts: Vec<Fact> = clause.iter().filter_map(|&literal| fact(store, !literal)).collect();
    if facts.iter().any(|fact| is_same_product(store, &facts, fact)) {
        return true;
    }
    facts.iter().any(|fact| {
        fact.linear.monomials().iter().any(|(coefficient, term)| {
            let Some((a, b)) = store.as_times(*term) else { return false };
            let mut rest = fact.linear.clone();
            rest.remove(*term);
            rest.scale(&coefficient.recip());
            let sign = if coefficient.is_negative() { fact.sign.flipped() } else { fact.sign };
            is_impossible(store, &facts, (a, b), &rest, sign)
                || is_impossible(store, &facts, (b, a), &rest, sign)
        })
    })
}

/// Whether `fact` says of two products that they differ, while the other facts say that their
/// factors are the same.
fn is_same_product(store: &TermStore, facts: &[Fact], fact: &Fact) -> bool {
    let [(k, p), (l, q)] = fact.linear.monomials() else { return false };
    let cancels = (k + l).is_zero() && fact.linear.constant.is_zero();
    let (Some((a, b)), Some((c, d))) = (store.as_times(*p), store.as_times(*q)) else {
        return false;
    };
    let same = |x: Term, y: Term| is_equal(store, facts, x, y);
    cancels
        && fact.sign == Sign::Different
        && (same(a, c) && same(b, d) || same(a, d) && same(b, c))
}

/// Whether the facts say that two terms are equal.
fn is_equal(store: &TermStore, facts: &[Fact], x: Term, y: Term) -> bool {
    let mut difference = store.linear(x);
    difference.add_scaled(&-Rational::ONE, &store.linear(y));
    let [(leading, variable), ..] = difference.monomials() else {
        return difference.constant.is_zero();
    };
    facts.iter().any(|fact| {
        let Some(own) = fact.linear.coefficient(*variable) else { return false };
        let mut rest = difference.clone();
        rest.add_scaled(&-(leading / own), &fact.linear);
        fact.sign == Sign::Equal && rest.is_constant() && rest.constant.is_zero()
    })
}

/// Whether `a·b + rest ? 0` contradicts the facts about the factors.
fn is_impossible(
    store: &TermStore,
    facts: &[Fact],
    (a, b): (Term, Term),
    rest: &Linear,
    sign: Sign,
) -> bool {
    let (mut first, second) = (store.linear(a), store.linear(b));
    let Some((leading, variable)) = second.monomials().first() else { return false };
    let share = rest.coefficient(*variable).cloned().unwrap_or(Rational::ZERO);
    let times = -(share / leading);
    let mut constant = rest.clone();
    constant.add_scaled(&times, &second);
    if !constant.is_constant() {
        return false;
    }
    first.constant -= &times;
    let bound = -&constant.constant;
    let (one, other) = (signs(facts, &first), signs(facts, &second));
    let possible = |s: i32, t: i32| sign.allows(s * t, &bound);
    !one.iter().any(|&s| other.iter().any(|&t| possible(s, t)))
}

/// The signs that the facts leave for a combination.
fn signs(facts: &[Fact], target: &Linear) -> Vec<i32> {
    let mut left = vec![-1, 0, 1];
    for fact in facts {
        let ([(c, x), ..], [(d, y), ..]) = (target.monomials(), fact.linear.monomials()) else {
            continue;
        };
        if x != y {
            continue;
        }
        // The fact is about `factor · target + rest`.
        let factor = d / c;
        let mut rest = fact.linear.clone();
        rest.add_scaled(&-&factor, target);
        if !rest.is_constant() {
            continue;
        }
        let bound = -(rest.constant / &factor);
        let sign = if factor.is_negative() { fact.sign.flipped() } else { fact.sign };
        left.retain(|&sample| sign.allows(sample, &bound));
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;
    use shofar_term::Sort;

    #[test]
    fn factors_may_be_exchanged_if_all_are_equal() {
        let mut s = TermStore::new();
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| s.var(name, Sort::INT));
        let (p, q) = (s.times(a, b), s.times(c, d));
        let crossed = s.product_exchange(p, q).expect("two products");
        assert!(law(&s, &crossed));
        for missing in 0..crossed.len() {
            let mut less = crossed.clone();
            less.remove(missing);
            assert!(!law(&s, &less));
        }
        let one = s.int(1);
        let (differ, more) = (s.eq(a, d), s.add(&[c, one]));
        let (differ, other) = (s.not(differ), s.eq(b, more));
        let other = s.not(other);
        let same = s.eq(p, q);
        assert!(!law(&s, &[differ, other, same]), "b is no factor of the other one");
    }

    fn law(store: &TermStore, clause: &[Term]) -> bool {
        let clause: Vec<Literal> = clause.iter().map(|&t| Literal::of(store, t)).collect();
        is_law(store, &clause)
    }

    #[test]
    fn facts_are_laws_and_weaker_clauses_are_not() {
        for sort in [Sort::INT, Sort::REAL] {
            let mut s = TermStore::new();
            let [x, y, z] = ["x", "y", "z"].map(|name| s.var(name, sort));
            let sum = s.add(&[y, z]);
            for (a, b) in [(x, y), (x, sum), (x, x)] {
                let product = s.times(a, b);
                let mut clauses = s.product_facts(product);
                clauses.extend([-2, 0, 3].map(|n| s.product_at(product, &Rational::from(n))));
                for clause in clauses {
                    assert!(law(&s, &clause), "{clause:?}");
                    for at in 0..clause.len() {
                        let mut less = clause.clone();
                        less.remove(at);
                        // A square is never negative, so some of its laws have a literal to spare.
                        assert!(a == b || !law(&s, &less), "{clause:?} without {at}");
                        let mut other = clause.clone();
                        other[at] = s.not(other[at]);
                        assert!(a == b || !law(&s, &other), "{clause:?} with {at} negated");
                    }
                }
            }
        }
    }
}
