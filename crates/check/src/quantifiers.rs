//! Quantifiers in definitions, which other solvers' models have.
//!
//! The reader keeps them ([`shofar_term::Kind::Quantified`]). They are removed from the inside out:
//! `∃x̄. φ` becomes an equivalent formula without `x̄` by quantifier elimination, and `∀x̄. φ` is
//! `¬∃x̄. ¬φ`. The result means the same, so what is found out about it holds for the definition as
//! it was written.
//!
//! Elimination decides linear arithmetic, but may take long; then the budget ends it. Quantified
//! formulas about arrays and other data stay as they are; the validator makes instances of them
//! ([`crate::instantiate`]).
//!
//! Source: [KGC16] §5, by way of [`shofar_mbp::eliminate`].

use shofar_base::{Map, Outcome, Set};
use shofar_mbp::eliminate;
use shofar_term::visit::postorder;
use shofar_term::{Cx, Quantifier, Symbol, Term};

/// A formula that is equivalent to `formula`, without quantifiers over formulas about numbers only.
pub(crate) fn without_quantifiers(cx: &mut Cx<'_>, formula: Term) -> Outcome<Term> {
    let order = postorder(cx.store, &[formula]);
    if !order.iter().any(|&term| cx.store.quantified(term).is_some()) {
        return Ok(formula);
    }
    let mut image: Map<Term, Term> = Map::default();
    // Terms with parts that are neither numbers nor truth values, from which nothing can be
    // eliminated.
    let mut others: Set<Term> = Set::default();
    for term in order {
        let (children, sort) = (cx.store.children(term), cx.store.sort(term));
        let is_number = sort.is_bool() || sort.is_arithmetic();
        let is_other = !is_number || children.iter().any(|child| others.contains(child));
        let changed: Vec<Term> =
            children.iter().map(|child| image.get(child).copied().unwrap_or(*child)).collect();
        let result = if let Some((quantifier, _, variables)) = cx.store.quantified(term)
            && !is_other
        {
            let symbol = |&variable: &Term| cx.store.symbol(variable);
            let variables: Vec<Symbol> = variables.iter().filter_map(symbol).collect();
            let body = changed.first().copied().expect("it has a body");
            remove(cx, quantifier, body, &variables)?
        } else {
            if is_other {
                others.insert(term);
            }
            if changed == cx.store.children(term) {
                continue;
            }
            cx.budget.check()?;
            cx.store.rebuild(term, &changed)
        };
        image.insert(term, result);
    }
    Ok(image.get(&formula).copied().unwrap_or(formula))
}

/// What the quantifier makes of a body without quantifiers.
fn remove(
    cx: &mut Cx<'_>,
    quantifier: Quantifier,
    body: Term,
    variables: &[Symbol],
) -> Outcome<Term> {
    match quantifier {
        Quantifier::Exists => eliminate(cx, body, variables),
        Quantifier::Forall => {
            let denied = cx.store.not(body);
            let counterexamples = eliminate(cx, denied, variables)?;
            Ok(cx.store.not(counterexamples))
        }
    }
}
