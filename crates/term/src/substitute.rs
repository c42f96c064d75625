//! Simultaneous replacement of terms by terms.
//!
//! Every occurrence of a key is replaced, outermost first; replacements are not looked at again.
//! Each node of the graph is rebuilt at most once, through the canonical constructors, and stays as
//! it is when nothing below it changes.
//!
//! Only nodes of the graph are found: `x + y` is replaced where it stands as a term or as the form
//! of an atom, but not inside `x + y + z`, which is a flat sum.

use shofar_base::Map;
use smallvec::SmallVec;

use crate::{Symbol, Term, TermStore};

/// `roots` with every key of `map` replaced by its value, all at once. A value has the sort of its
/// key.
pub fn substitute(store: &mut TermStore, map: &Map<Term, Term>, roots: &[Term]) -> Vec<Term> {
    let mut substitution = Substitution::new(map.clone());
    roots.iter().map(|&root| substitution.apply(store, root)).collect()
}

/// The substitution that replaces constants by constants.
pub fn renaming(
    store: &mut TermStore,
    names: impl IntoIterator<Item = (Symbol, Symbol)>,
) -> Substitution {
    let pairs = names.into_iter().map(|(from, to)| (store.constant(from), store.constant(to)));
    Substitution::new(pairs.collect())
}

/// `formula` over the constants `from`, said of `to`.
pub fn rename(store: &mut TermStore, formula: Term, from: &[Symbol], to: &[Symbol]) -> Term {
    debug_assert_eq!(from.len(), to.len(), "every constant has a new name");
    renaming(store, from.iter().copied().zip(to.iter().copied())).apply(store, formula)
}

/// A substitution that remembers what it has rebuilt; for one map applied to many terms of one
/// store.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    /// The map, and every result so far.
    done: Map<Term, Term>,
}

impl Substitution {
    /// The substitution of `map`. A value has the sort of its key.
    pub fn new(map: Map<Term, Term>) -> Self {
        Self { done: map }
    }
    /// Replaces a further key, which no term had in it that was replaced so far.
    pub fn bind(&mut self, key: Term, value: Term) {
        self.done.insert(key, value);
    }
    /// `term` with the keys replaced, if that has been computed.
    pub fn get(&self, term: Term) -> Option<Term> {
        self.done.get(&term).copied()
    }
    /// `root` with the keys replaced.
    pub fn apply(&mut self, store: &mut TermStore, root: Term) -> Term {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.done.contains_key(&term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(
                store.children(term).iter().filter(|child| !self.done.contains_key(*child)),
            );
            if stack.len() == before {
                let children: SmallVec<[Term; 8]> =
                    store.children(term).iter().map(|child| self.done[child]).collect();
                let result = store.rebuild(term, &children);
                self.done.insert(term, result);
                stack.pop();
            }
        }
        self.done[&root]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sort;

    #[test]
    fn replacement_is_simultaneous() {
        let mut s = TermStore::new();
        let (x, y) = (s.var("x", Sort::INT), s.var("y", Sort::INT));
        let (less, greater) = (s.lt(x, y), s.lt(y, x));
        let swap: Map<Term, Term> = [(x, y), (y, x)].into_iter().collect();
        assert_eq!(substitute(&mut s, &swap, &[less, greater, x]), [greater, less, y]);
    }

    #[test]
    fn results_are_canonical() {
        let mut s = TermStore::new();
        let (x, y, three) = (s.var("x", Sort::INT), s.var("y", Sort::INT), s.int(3));
        let difference = s.sub(x, y);
        let atom = s.lt(difference, three);
        let map: Map<Term, Term> = [(x, y)].into_iter().collect();
        assert_eq!(substitute(&mut s, &map, &[atom, difference]), [s.top(), s.int(0)]);
    }

    #[test]
    fn a_million_levels() {
        let mut s = TermStore::new();
        let f = s.declare("f", &[Sort::INT], Sort::INT);
        let (x, y) = (s.var("x", Sort::INT), s.var("y", Sort::INT));
        let (mut over_x, mut over_y) = (x, y);
        for _ in 0..1_000_000 {
            (over_x, over_y) = (s.app(f, &[over_x]), s.app(f, &[over_y]));
        }
        let map: Map<Term, Term> = [(x, y)].into_iter().collect();
        assert_eq!(substitute(&mut s, &map, &[over_x]), [over_y]);
    }
}
