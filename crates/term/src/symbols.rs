//! Which declared names a formula speaks about.

use crate::visit::postorder;
use crate::{Kind, Symbol, Term, TermStore};

/// The symbols of `terms`, constants as well as functions and predicates, each once, sorted by handle.
pub fn free_symbols(store: &TermStore, terms: &[Term]) -> Vec<Symbol> {
    let symbol = |term: Term| match store.kind(term) {
        Kind::Symbol(symbol) | Kind::App(symbol, _) => Some(symbol),
        Kind::True
        | Kind::False
        | Kind::Not(_)
        | Kind::And(_)
        | Kind::Or(_)
        | Kind::Iff(..)
        | Kind::Ite(..)
        | Kind::Number(_)
        | Kind::Sum(_)
        | Kind::Le(..)
        | Kind::Lt(..)
        | Kind::Eq(..)
        | Kind::Div(..)
        | Kind::Mod(..)
        | Kind::ToInt(_) => None,
    };
    let mut symbols: Vec<Symbol> = postorder(store, terms).into_iter().filter_map(symbol).collect();
    symbols.sort_unstable();
    symbols.dedup();
    symbols
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sort;

    #[test]
    fn constants_and_functions_are_found_once() {
        let mut s = TermStore::new();
        let f = s.declare("f", &[Sort::Int], Sort::Int);
        let (x, y) = (s.var("x", Sort::Int), s.var("y", Sort::Int));
        let fx = s.app(f, &[x]);
        let ffx = s.app(f, &[fx]);
        let atom = s.le(ffx, x);
        let (xs, ys) = (s.declare("x", &[], Sort::Int), s.declare("y", &[], Sort::Int));
        assert_eq!(free_symbols(&s, &[atom]), [f, xs]);
        assert_eq!(free_symbols(&s, &[y, atom, y]), [f, xs, ys]);
        assert_eq!(free_symbols(&s, &[s.top()]), []);
    }
}
