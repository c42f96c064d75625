//! How large a formula is.

use shofar_base::Map;

use crate::visit::postorder;
use crate::{Term, TermStore};

/// How many different subterms `terms` have together.
pub fn dag_size(store: &TermStore, terms: &[Term]) -> usize {
    postorder(store, terms).len()
}

/// How many subterm occurrences `terms` have together, that is, their size if nothing were shared;
/// stops at `u64::MAX`.
pub fn tree_size(store: &TermStore, terms: &[Term]) -> u64 {
    let mut sizes: Map<Term, u64> = Map::default();
    let total = |sizes: &Map<Term, u64>, parts: &[Term]| {
        parts.iter().fold(0u64, |sum, t| sum.saturating_add(sizes[t]))
    };
    for term in postorder(store, terms) {
        let below = total(&sizes, store.children(term));
        sizes.insert(term, below.saturating_add(1));
    }
    total(&sizes, terms)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sort;

    #[test]
    fn sharing_counts_once_in_the_graph_and_always_in_the_tree() {
        let mut s = TermStore::new();
        let (f, x) = (s.declare("f", &[Sort::INT, Sort::INT], Sort::INT), s.var("x", Sort::INT));
        let mut t = x;
        for _ in 0..100 {
            t = s.app(f, &[t, t]);
        }
        assert_eq!(dag_size(&s, &[t, x]), 101);
        assert_eq!(tree_size(&s, &[t]), u64::MAX);
        let once = s.app(f, &[x, x]);
        assert_eq!(tree_size(&s, &[once, x]), 4);
    }
}
