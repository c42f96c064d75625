//! Formulas that are easy to read, and mean the same.
//!
//! Beyond what [`compact`](crate::compact) does, everything that a junction says of one term is
//! said once: by an equation instead of two bounds, by an interval instead of a list of values, and
//! by nothing where a comparison is always true, as of a remainder that is not negative. The laws
//! for junctions inside junctions are those of [`cubes`].
//!
//! The result is never longer as text; there is nothing to gain from a formula that only looks
//! different.

mod cubes;
mod range;

use crate::compact::{Junction, compact_by};
use crate::print::print;
use crate::{Term, TermStore};

/// How often the laws are applied to the whole formula, since one may make room for another.
const ROUNDS: usize = 3;

/// A formula that is equivalent to `root` and no longer.
///
/// ```
/// use shofar_term::print::print;
/// use shofar_term::tidy::tidy;
/// use shofar_term::{Sort, TermStore};
/// let mut store = TermStore::new();
/// let x = store.var("x", Sort::INT);
/// let cases: Vec<_> = (0..10).map(|i| { let i = store.int(i); store.eq(x, i) }).collect();
/// let list = store.or(&cases);
/// let range = tidy(&mut store, list);
/// assert_eq!(print(&store, range), "(and (>= x 0) (<= x 9))");
/// ```
pub fn tidy(store: &mut TermStore, root: Term) -> Term {
    let mut term = root;
    for _ in 0..ROUNDS {
        let next = compact_by(store, term, cubes::junction);
        // A formula that is no junction has no parts to be looked at.
        let next = if next == term { cubes::junction(store, Junction::And, &[term]) } else { next };
        if next == term {
            break;
        }
        term = next;
    }
    if term == root || print(store, term).len() > print(store, root).len() { root } else { term }
}

#[cfg(test)]
mod tests;
