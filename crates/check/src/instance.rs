//! Formulas with predicates, and what definitions make of them.

use shofar_base::{Map, Outcome};
use shofar_chc::{ChcSystem, Interpretation, PredId};
use shofar_term::substitute::substitute;
use shofar_term::visit::postorder;
use shofar_term::{Cx, Term, TermStore};

/// The predicate that `term` applies, if it does, and the arguments.
pub(crate) fn application<'s>(
    store: &'s TermStore,
    system: &ChcSystem,
    term: Term,
) -> Option<(PredId, &'s [Term])> {
    let (symbol, args) = store.application(term)?;
    system.pred(symbol).map(|pred| (pred, args))
}

/// `formula` with the definitions of `model`, which has all of them, in place of the predicates.
pub(crate) fn instance(
    cx: &mut Cx<'_>,
    system: &ChcSystem,
    model: &Interpretation,
    formula: Term,
) -> Outcome<Term> {
    let mut map: Map<Term, Term> = Map::default();
    for term in postorder(cx.store, &[formula]) {
        let Some((pred, args)) = application(cx.store, system, term) else { continue };
        cx.budget.check()?;
        let args = args.to_vec();
        let definition = model.get(pred).expect("every predicate is defined");
        map.insert(term, definition.apply(cx.store, &args));
    }
    Ok(substitute(cx.store, &map, &[formula])[0])
}
