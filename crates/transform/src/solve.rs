//! What a conjunct says about one variable.

use shofar_num::Rational;
use shofar_term::symbols::free_symbols;
use shofar_term::{Kind, Linear, Relation, Symbol, Term, TermStore};

/// The variables that `conjunct` might be an equation for; see [`solve_for`].
pub(crate) fn solvable(store: &TermStore, conjunct: Term) -> Vec<Symbol> {
    let symbol = |term: Term| store.symbol(store.strip_not(term).0);
    let (atom, negated) = store.strip_not(conjunct);
    if let Kind::Iff(a, b) = store.kind(atom) {
        [a, b].into_iter().filter_map(symbol).collect()
    } else if let (Some((form, _)), false) = (store.equation(atom), negated) {
        let linear = store.linear(form);
        linear.monomials().iter().filter_map(|&(_, part)| symbol(part)).collect()
    } else {
        symbol(atom).into_iter().collect()
    }
}

/// The term that `conjunct` says `symbol` equals, if it is equivalent to such an equation.
///
/// The term does not contain `symbol` and has its sort, so the equation has a solution whatever the other values are.
pub(crate) fn solve_for(store: &mut TermStore, conjunct: Term, symbol: Symbol) -> Option<Term> {
    let variable = store.constant(symbol);
    let (atom, negated) = store.strip_not(conjunct);
    let term = if atom == variable {
        store.bool(!negated)
    } else if let Kind::Iff(a, b) = store.kind(atom) {
        let ((a, a_flipped), (b, b_flipped)) = (store.strip_not(a), store.strip_not(b));
        if a != variable && b != variable {
            return None;
        }
        let other = if a == variable { b } else { a };
        if (a_flipped != b_flipped) == negated { other } else { store.not(other) }
    } else if let (Some((form, bound)), false) = (store.equation(atom), negated) {
        let (bound, form_sort, sort) = (bound.clone(), store.sort(form), store.sort(variable));
        let mut linear = store.linear(form);
        let coefficient = linear.remove(variable)?;
        let unit = coefficient.abs().is_one() && form_sort.is_int();
        if !sort.is_real() && !unit {
            return None;
        }
        // coefficient·x + rest = bound
        linear.add_scaled(&Rational::MINUS_ONE, &Linear::of_constant(bound));
        linear.scale(&-coefficient.recip());
        store.sum(&linear, sort)
    } else {
        return None;
    };
    free_symbols(store, &[term]).binary_search(&symbol).is_err().then_some(term)
}

/// What `conjunct` says as `linear ≤ 0`, or `linear < 0` if the flag is set.
pub(crate) fn inequality(store: &TermStore, conjunct: Term) -> Option<(Linear, bool)> {
    let (atom, negated) = store.strip_not(conjunct);
    let (form, bound, strict) = match store.comparison(atom)? {
        (Relation::Le, form, bound) => (form, bound, false),
        (Relation::Lt, form, bound) => (form, bound, true),
        (Relation::Eq, ..) => return None,
    };
    let mut linear = store.linear(form);
    linear.add_scaled(&Rational::MINUS_ONE, &Linear::of_constant(bound.clone()));
    if !negated {
        return Some((linear, strict));
    }
    let mut linear = linear.negated();
    if store.sort(form).is_int() {
        // Not f ≤ b is f ≥ b + 1 over the integers.
        linear.add_scaled(&Rational::ONE, &Linear::of_constant(Rational::ONE));
        return Some((linear, false));
    }
    Some((linear, !strict))
}

/// Whether `symbol` occurs in `linear` as a monomial and nowhere else.
pub(crate) fn is_linear_in(store: &mut TermStore, linear: &Linear, symbol: Symbol) -> bool {
    let variable = store.constant(symbol);
    let others: Vec<Term> =
        linear.monomials().iter().map(|&(_, part)| part).filter(|&part| part != variable).collect();
    linear.coefficient(variable).is_some()
        && free_symbols(store, &others).binary_search(&symbol).is_err()
}
