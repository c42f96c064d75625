//! What the declared ranges say about the value of an expression.
//!
//! Used where UPPAAL aborts: for an index outside its array, and a value outside the range of the
//! variable that it is assigned to. Intervals are computed bottom-up; `None` says that nothing is
//! known.

use shofar_base::Map;
use shofar_num::Rational;
use shofar_term::visit::postorder;
use shofar_term::{Kind, Term, TermStore};

use super::state::Range;

/// The values that an integer expression may have while symbols have values of their ranges.
pub(super) fn bounds(
    store: &TermStore,
    ranges: &Map<Term, Range>,
    expression: Term,
) -> Option<Range> {
    let mut known: Map<Term, Range> = Map::default();
    for term in postorder(store, &[expression]) {
        if !store.sort(term).is_int() {
            continue;
        }
        let own = match (ranges.get(&term), store.kind(term)) {
            (Some(&range), _) => Some(range),
            (None, Kind::Ite(_, a, b)) => match (known.get(&a), known.get(&b)) {
                (Some(a), Some(b)) => {
                    Some(Range { low: a.low.min(b.low), high: a.high.max(b.high) })
                }
                _ => None,
            },
            (None, _) => sum(store, &known, term),
        };
        if let Some(range) = own {
            known.insert(term, range);
        }
    }
    known.get(&expression).copied()
}

/// The bounds of a linear combination of terms whose bounds are known.
fn sum(store: &TermStore, known: &Map<Term, Range>, term: Term) -> Option<Range> {
    let linear = store.linear(term);
    let (mut low, mut high) = (linear.constant.clone(), linear.constant.clone());
    for (coefficient, part) in linear.monomials() {
        // A term that is its own only part is a symbol or an operation about which nothing is
        // known.
        let range = known.get(part).filter(|_| *part != term)?;
        let (mut least, mut most) = (Rational::from(range.low), Rational::from(range.high));
        if coefficient.is_negative() {
            std::mem::swap(&mut least, &mut most);
        }
        low.add_mul(coefficient, &least);
        high.add_mul(coefficient, &most);
    }
    Some(Range { low: low.to_i64()?, high: high.to_i64()? })
}

#[cfg(test)]
mod tests {
    use shofar_term::Sort;

    use super::*;

    #[test]
    fn intervals_of_expressions() {
        let mut store = TermStore::new();
        let (x, y) = (store.var("x", Sort::INT), store.var("y", Sort::INT));
        let mut ranges = Map::default();
        ranges.insert(x, Range { low: -1, high: 5 });
        ranges.insert(y, Range { low: 2, high: 3 });
        let (two, z) = (store.int(2), store.var("z", Sort::INT));
        let double = store.mul(two, y).unwrap();
        let difference = store.sub(x, double);
        let condition = store.lt(z, two);
        let either = store.ite(condition, difference, two);
        let unknown = store.add(&[x, z]);
        let check = |term, low, high| {
            assert_eq!(bounds(&store, &ranges, term), Some(Range { low, high }));
        };
        check(x, -1, 5);
        check(two, 2, 2);
        check(difference, -7, 1);
        check(either, -7, 2);
        assert_eq!(bounds(&store, &ranges, unknown), None);
        assert_eq!(bounds(&store, &ranges, z), None);
    }
}
