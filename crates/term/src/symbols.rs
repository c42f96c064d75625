//! Which declared names and sorts a formula speaks about.

use shofar_base::Set;

use crate::{Sort, Symbol, Term, TermStore};

/// The symbols that occur in `terms`, constants as well as functions and predicates, each once, sorted by handle; bound
/// variables are constants and count as well.
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

/// The sorts in the signatures of `symbols` that are not built in, sorted by handle; every other term has
/// the sort of one of these.
pub fn declared_sorts(store: &TermStore, symbols: &[Symbol]) -> Vec<Sort> {
    let all = symbols
        .iter()
        .flat_map(|&symbol| store.params(symbol).iter().copied().chain([store.result(symbol)]));
    let mut sorts: Vec<Sort> = all.filter(|sort| !sort.is_built_in()).collect();
    sorts.sort_unstable();
    sorts.dedup();
    sorts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_and_functions_are_found_once() {
        let mut s = TermStore::new();
        let f = s.declare("f", &[Sort::INT], Sort::INT);
        let (x, y) = (s.var("x", Sort::INT), s.var("y", Sort::INT));
        let fx = s.app(f, &[x]);
        let ffx = s.app(f, &[fx]);
        let atom = s.le(ffx, x);
        let (xs, ys) = (s.declare("x", &[], Sort::INT), s.declare("y", &[], Sort::INT));
        assert_eq!(free_symbols(&s, &[atom]), [f, xs]);
        assert_eq!(free_symbols(&s, &[y, atom, y]), [f, xs, ys]);
        assert_eq!(free_symbols(&s, &[s.top()]), []);
    }
}
