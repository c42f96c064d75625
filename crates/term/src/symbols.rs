//! Which declared names a formula speaks about.

use shofar_base::Set;

use crate::{Symbol, Term, TermStore};

/// The symbols of `terms`, constants as well as functions and predicates, each once, sorted by handle.
pub fn free_symbols(store: &TermStore, terms: &[Term]) -> Vec<Symbol> {
    let (mut seen, mut symbols) = (Set::default(), Vec::new());
    let mut stack = terms.to_vec();
    while let Some(term) = stack.pop() {
        let children = store.children(term);
        // Leaves are looked at as often as they occur, which is cheaper than to remember them.
        if children.is_empty() || seen.insert(term) {
            symbols.extend(store.head_symbol(term));
            stack.extend_from_slice(children);
        }
    }
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
