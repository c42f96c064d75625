//! Terms that arithmetic defines: quotients, remainders and floors.
//!
//! Each is a variable of the solver under its own handle; the facts that tie it to its subterms are
//! valid formulas over the symbols of the term, so they may be counted for whichever side of an
//! interpolation has these symbols.
//!
//! Source: the axioms of `div`, `mod` and `to_int` in SMT-LIB's theories of integers and reals; see
//! [Coo72] for their use.

use shofar_num::Rational;
use shofar_term::{ArithKind, Term, TermStore};

/// Valid formulas that say what `term` is; none if it needs no definition.
pub(crate) fn facts(store: &mut TermStore, term: Term) -> Vec<Term> {
    match store.arith(term) {
        Some(ArithKind::Div(t, n) | ArithKind::Mod(t, n)) => {
            let n = n.clone();
            division_facts(store, t, &n)
        }
        Some(ArithKind::ToInt(t)) => floor_facts(store, term, t),
        Some(
            ArithKind::Number(_)
            | ArithKind::Sum(_)
            | ArithKind::Le(..)
            | ArithKind::Lt(..)
            | ArithKind::Eq(..),
        )
        | None => Vec::new(),
    }
}

/// `t = n·(div t n) + (mod t n)` and `0 ≤ (mod t n) < n`.
fn division_facts(store: &mut TermStore, t: Term, n: &Rational) -> Vec<Term> {
    let (quotient, remainder) = (store.div(t, n), store.modulo(t, n));
    let mut linear = store.linear(t);
    linear.add_term(&-n, quotient);
    linear.add_term(&Rational::MINUS_ONE, remainder);
    let zero = store.int(0);
    let limit = store.number(n.clone(), store.sort(quotient));
    vec![
        store.le_zero(&linear),
        store.le_zero(&linear.negated()),
        store.ge(remainder, zero),
        store.lt(remainder, limit),
    ]
}

/// `to_int(t) ≤ t < to_int(t) + 1`.
fn floor_facts(store: &mut TermStore, floor: Term, t: Term) -> Vec<Term> {
    let one = store.int(1);
    let next = store.add(&[floor, one]);
    vec![store.le(floor, t), store.lt(t, next)]
}

/// Inequalities whose conjunction is `a = b`, for numbers.
pub(crate) fn halves(store: &mut TermStore, a: Term, b: Term) -> [Term; 2] {
    [store.le(a, b), store.ge(a, b)]
}

/// Inequalities whose conjunction is `atom`, if that is an equation between numbers.
pub(crate) fn parts(store: &mut TermStore, atom: Term) -> Option<[Term; 2]> {
    let (form, bound) = store.equation(atom)?;
    let mut linear = store.linear(form);
    linear.constant -= bound;
    Some([store.le_zero(&linear), store.le_zero(&linear.negated())])
}

#[cfg(test)]
mod tests {
    use shofar_term::Sort;
    use shofar_term::eval::{Evaluator, Model, Value};

    use super::*;

    #[test]
    fn facts_are_valid_and_define_the_term() {
        let mut store = TermStore::new();
        let (x, r) = (store.var("x", Sort::INT), store.var("r", Sort::REAL));
        let terms = [store.div(x, &3.into()), store.modulo(x, &3.into()), store.to_int(r)];
        let (x, r) = (store.declare("x", &[], Sort::INT), store.declare("r", &[], Sort::REAL));
        for term in terms {
            let facts = facts(&mut store, term);
            assert!(facts.len() >= 2);
            for value in -7..8 {
                let mut model = Model::new();
                model.set(x, Value::Number(value.into()));
                model.set(r, Value::Number(Rational::new(value, 2)));
                let mut evaluator = Evaluator::new(&model);
                assert!(facts.iter().all(|&fact| evaluator.holds(&store, fact) == Ok(true)));
            }
        }
        assert!(super::facts(&mut store, terms[0]).len() == 4);
    }
}
