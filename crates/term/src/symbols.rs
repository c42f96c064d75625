//! Which declared names and sorts a formula speaks about.

use shofar_base::{Idx, Set};

use crate::{Sort, SortKind, Symbol, Term, TermStore};

/// The symbols that occur in `terms`, constants as well as functions and predicates, each once,
/// sorted by handle; bound variables are constants and count as well.
pub fn free_symbols(store: &TermStore, terms: &[Term]) -> Vec<Symbol> {
    let mut symbols = applied_symbols(store, terms);
    symbols.retain(|&symbol| store.params(symbol).is_empty() || !store.is_times(symbol));
    symbols
}

/// The same with the function that multiplies unknowns, which nobody declares.
pub(crate) fn applied_symbols(store: &TermStore, terms: &[Term]) -> Vec<Symbol> {
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

/// The sorts in the signatures of `symbols`, sorted by handle, with those that they are made of;
/// built-in ones are left out.
pub fn declared_sorts(store: &TermStore, symbols: &[Symbol]) -> Vec<Sort> {
    let all = symbols
        .iter()
        .flat_map(|&symbol| store.params(symbol).iter().copied().chain([store.result(symbol)]));
    with_parts(store, all)
}

/// `sorts` and all that they are made of, sorted by handle; built-in ones are left out. Of a data
/// type, the whole group is there.
pub fn with_parts(store: &TermStore, sorts: impl IntoIterator<Item = Sort>) -> Vec<Sort> {
    let (mut seen, mut all) = (Set::default(), Vec::new());
    let mut open: Vec<Sort> = sorts.into_iter().collect();
    while let Some(sort) = open.pop() {
        if sort.is_built_in() || !seen.insert(sort) {
            continue;
        }
        all.push(sort);
        match store.sort_kind(sort) {
            SortKind::Array(index, element) => open.extend([index, element]),
            SortKind::Data(_, constructors) => {
                let fields = constructors.iter().flat_map(|&c| store.constructor_fields(c));
                open.extend(fields.map(|&field| store.field_sort(field)));
                let (group, place) = store.data_group(sort).expect("a data type has a group");
                let first = sort.index() - place;
                open.extend((first..first + group.len()).map(Sort::from_index));
            }
            SortKind::Bool
            | SortKind::Int
            | SortKind::Real
            | SortKind::Bits(_)
            | SortKind::Uninterpreted(_) => {}
        }
    }
    all.sort_unstable();
    all
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
