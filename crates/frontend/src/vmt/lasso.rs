//! Liveness as safety: is there a lasso on which the property fails again and again?
//!
//! `F G p` fails on an infinite run on which `p` is false infinitely often. With finitely many
//! states such a run exists exactly if some reachable state is reached again and `p` is false on
//! the way. The state is guessed and saved:
//! ```text
//! reachable(x, saved, seen, s): x is reachable; if saved, then s was visited before, and seen says whether p was
//! false in a state since then, s included and x excluded
//! false ← reachable(x, true, true, x)
//! ```
//! Inputs do not belong to the state, since a step can choose them again.
//!
//! Source: [BAS02] §3, for finitely many states.

use shofar_base::{Diagnostic, Span};
use shofar_chc::{ChcSystem, Clause, PredAtom};
use shofar_term::{Sort, Term, TermStore};

use super::system::{Model, Property, reachable};

/// The clauses for a property that has to hold from some moment on.
pub(super) fn clauses(
    store: &mut TermStore,
    model: &Model,
    (init, at_init): (Term, Span),
    (trans, at_trans): (Term, Span),
    property: Property,
) -> Result<ChcSystem, Diagnostic> {
    let is_infinite = |&&(now, _): &&(_, _)| !store.is_finite(store.result(now));
    if let Some(&(now, _)) = model.variables.iter().find(is_infinite) {
        let message = format!(
            "liveness is not supported for infinitely many states: `{}` has infinitely many values",
            store.name(now)
        );
        return Err(Diagnostic::new(property.span, message));
    }
    let mut system = ChcSystem::new();
    let own: Vec<(String, Sort)> = model
        .variables
        .iter()
        .map(|&(now, _)| (store.name(now).to_owned(), store.result(now)))
        .collect();
    let copies = own.iter().map(|(name, sort)| (format!("{name}@saved"), *sort));
    let flags = ["@saved", "@seen"].map(|flag| (flag.to_owned(), Sort::BOOL));
    let arguments = own.iter().cloned().chain(flags).chain(copies).collect();
    let pred = reachable(store, &mut system, arguments);
    let saved_names = own.iter().map(|(name, sort)| store.var(&format!("{name}@saved"), *sort));
    let copies: Vec<Term> = saved_names.collect();
    let (now, next) = model.values(store);
    let (saved, seen) = (store.var("@saved", Sort::BOOL), store.var("@seen", Sort::BOOL));
    let state = |values: &[Term], saved, seen, copies: &[Term]| PredAtom {
        pred,
        args: values.iter().copied().chain([saved, seen]).chain(copies.iter().copied()).collect(),
    };
    let (yes, no) = (store.top(), store.bottom());
    let fails = store.not(property.formula);
    let fails_now = store.and(&[saved, fails]);
    let goes_on = store.or(&[seen, fails_now]);
    let not_saved = store.not(saved);
    let guess = store.and(&[trans, not_saved]);
    let here = state(&now, saved, seen, &copies);
    let again = state(&now, yes, yes, &now);
    for (head, body, constraint, span) in [
        (Some(state(&now, no, no, &now)), vec![], init, at_init),
        (Some(state(&next, saved, goes_on, &copies)), vec![here.clone()], trans, at_trans),
        (Some(state(&next, yes, fails, &now)), vec![here], guess, at_trans),
        (None, vec![again], yes, property.span),
    ] {
        system.add_clause(Clause { head, body, constraint, span: Some(span) });
    }
    Ok(system)
}
