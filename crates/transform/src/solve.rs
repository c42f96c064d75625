//! What a conjunct says about one variable.

use shofar_term::symbols::free_symbols;
use shofar_term::{Linear, LinearLiteral, Symbol, Term, TermStore, solve};

/// The term without `symbol` that `conjunct` says `symbol` equals, if it is equivalent to such an
/// equation.
pub(crate) fn definition_of(store: &mut TermStore, conjunct: Term, symbol: Symbol) -> Option<Term> {
    let term = solve::solve_for(store, conjunct, symbol)?;
    free_symbols(store, &[term]).binary_search(&symbol).is_err().then_some(term)
}

/// What `conjunct` says as `linear ≤ 0`, or `linear < 0` if the flag is set.
pub(crate) fn inequality(store: &TermStore, conjunct: Term) -> Option<(Linear, bool)> {
    LinearLiteral::of(store, conjunct)?.inequality(store)
}

/// Whether `symbol` occurs in `linear` as a monomial and nowhere else.
pub(crate) fn is_linear_in(store: &mut TermStore, linear: &Linear, symbol: Symbol) -> bool {
    let variable = store.constant(symbol);
    let others: Vec<Term> =
        linear.monomials().iter().map(|&(_, part)| part).filter(|&part| part != variable).collect();
    linear.coefficient(variable).is_some()
        && free_symbols(store, &others).binary_search(&symbol).is_err()
}
