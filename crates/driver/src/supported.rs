//! Which clauses engines understand: those over truth values, integers and real numbers.

use shofar_base::{GaveUp, Outcome};
use shofar_chc::ChcSystem;
use shofar_term::visit::postorder;
use shofar_term::{Sort, SortKind, TermStore};

/// How many sorts a store has that knows no others.
const NUMBERS_ONLY: usize = 3;

/// Gives up if a predicate or a term of the clauses has a sort that engines do not understand.
pub(crate) fn check(store: &TermStore, system: &ChcSystem) -> Outcome<()> {
    if store.sort_count() == NUMBERS_ONLY {
        return Ok(());
    }
    for pred in system.preds() {
        system.sorts(store, pred).iter().try_for_each(|&sort| check_sort(store, sort))?;
    }
    for (_, clause) in system.clauses() {
        let terms = postorder(store, &clause.terms());
        terms.into_iter().try_for_each(|term| check_sort(store, store.sort(term)))?;
    }
    Ok(())
}

fn check_sort(store: &TermStore, sort: Sort) -> Outcome<()> {
    let what = match store.sort_kind(sort) {
        SortKind::Bool | SortKind::Int | SortKind::Real => return Ok(()),
        SortKind::Uninterpreted(_) => "uninterpreted sorts",
        SortKind::Bits(_) => "bit-vectors",
        SortKind::Array(..) => "arrays",
        SortKind::Data(..) => "data types",
    };
    Err(GaveUp::unsupported(format!("{what} are not supported by the engines")))
}
