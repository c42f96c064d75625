//! Predicates with other arguments.

use shofar_base::IndexVec;
use shofar_chc::{ChcSystem, PredAtom, PredId};
use shofar_term::{Sort, Term, TermStore};

/// Which arguments each predicate keeps.
pub(crate) type Kept = IndexVec<PredId, Vec<bool>>;

/// All arguments of all predicates, kept or not.
pub(crate) fn all(store: &TermStore, source: &ChcSystem, keep: bool) -> Kept {
    source.preds().map(|pred| vec![keep; source.sorts(store, pred).len()]).collect()
}

/// A system without clauses, over the predicates of `source` in the same order with fewer
/// arguments.
pub(crate) fn reshape(store: &mut TermStore, source: &ChcSystem, kept: &Kept) -> ChcSystem {
    redeclared(store, source, |pred, sorts| chosen(sorts, &kept[pred]))
}

/// A system without clauses, over the predicates of `source` in the same order with arguments of
/// other sorts.
///
/// Predicates keep their names where that is possible; they differ from the old ones by their
/// signature.
pub(crate) fn redeclared(
    store: &mut TermStore,
    source: &ChcSystem,
    other: impl Fn(PredId, &[Sort]) -> Vec<Sort>,
) -> ChcSystem {
    let mut target = ChcSystem::new();
    for pred in source.preds() {
        let sorts = other(pred, source.sorts(store, pred));
        let name = store.name(source.symbol(pred)).to_owned();
        declared(store, &mut target, name, &sorts);
    }
    target
}

/// Enters a predicate of this name, or of a similar one if that is taken, as the last one of
/// `target`.
pub(crate) fn declared(
    store: &mut TermStore,
    target: &mut ChcSystem,
    mut name: String,
    sorts: &[Sort],
) {
    let mut symbol = store.declare(&name, sorts, Sort::BOOL);
    while target.pred(symbol).is_some() {
        name.push('!');
        symbol = store.declare(&name, sorts, Sort::BOOL);
    }
    target.add_pred(symbol);
}

/// `atom` without the arguments that its predicate lost; ids of predicates stay.
pub(crate) fn reshaped(atom: &PredAtom, kept: &Kept) -> PredAtom {
    let args: Vec<Term> = chosen(&atom.args, &kept[atom.pred]);
    PredAtom { pred: atom.pred, args }
}

fn chosen<T: Copy>(items: &[T], kept: &[bool]) -> Vec<T> {
    items.iter().zip(kept).filter(|&(_, &keep)| keep).map(|(&item, _)| item).collect()
}

/// The positions that are kept.
pub(crate) fn positions(kept: &[bool]) -> Vec<usize> {
    (0..kept.len()).filter(|&at| kept[at]).collect()
}
