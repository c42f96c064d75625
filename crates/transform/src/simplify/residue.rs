//! The last variables that are no arguments, if they are few and simple.
//!
//! What the other rules leave behind sits under disjunctions and disequalities. For small groups of
//! conjuncts the quantifier is eliminated in full, and the result is taken if it is hardly larger.
//! Only variables that occur with coefficient one and outside of division, rounding and conditional
//! terms are tried: for others, elimination may go through as many cases as the coefficients are
//! large.

use shofar_base::{GaveUp, Outcome, Set};
use shofar_term::size::dag_size;
use shofar_term::symbols::free_symbols;
use shofar_term::visit::postorder;
use shofar_term::{ArithKind, Cx, Symbol, Term, TermStore};

use super::Draft;

/// Conjuncts with more subterms together are left alone.
const SIZE: usize = 80;
/// More variables are left alone.
const VARIABLES: usize = 4;
/// By how many subterms the result may be larger.
const GROWTH: usize = 8;

/// Eliminates the remaining variables of `draft` if that is cheap; false if the conjuncts
/// contradict each other.
///
/// `quota` says how many subterms may be tried in all, and shrinks.
pub(super) fn eliminate(cx: &mut Cx<'_>, draft: &mut Draft, quota: &mut usize) -> Outcome<bool> {
    let is_local = |symbol: &Symbol| !draft.arguments.contains(symbol);
    let (inside, outside): (Vec<Term>, Vec<Term>) =
        draft.parts.iter().partition(|&&part| free_symbols(cx.store, &[part]).iter().any(is_local));
    let mut locals = free_symbols(cx.store, &inside);
    locals.retain(is_local);
    let size = dag_size(cx.store, &inside);
    if locals.is_empty() || locals.len() > VARIABLES || size > SIZE.min(*quota) {
        return Ok(true);
    }
    if !is_simple(cx.store, &inside, &locals) {
        return Ok(true);
    }
    *quota -= size;
    let formula = cx.store.and(&inside);
    let result = match shofar_mbp::eliminate(cx, formula, &locals) {
        Ok(result) => result,
        Err(GaveUp::Incomplete(_) | GaveUp::Unsupported(_)) => return Ok(true),
        Err(why) => return Err(why),
    };
    if dag_size(cx.store, &[result]) > size + GROWTH {
        return Ok(true);
    }
    let parts: Vec<Term> = outside.into_iter().chain([result]).collect();
    Ok(draft.set(cx.store, &parts))
}

/// Whether `locals` occur in `parts` as Booleans or with coefficient one in plain linear atoms
/// only.
fn is_simple(store: &mut TermStore, parts: &[Term], locals: &[Symbol]) -> bool {
    let variables: Set<Term> = locals.iter().map(|&local| store.constant(local)).collect();
    postorder(store, parts).into_iter().all(|term| {
        let unit = |form: Term| {
            let linear = store.linear(form);
            linear.monomials().iter().all(|(c, t)| {
                !variables.contains(t) || store.sort(*t).is_real() || c.abs().is_one()
            })
        };
        match store.arith(term) {
            Some(ArithKind::Le(form, _) | ArithKind::Lt(form, _) | ArithKind::Eq(form, _)) => {
                unit(form)
            }
            Some(ArithKind::Number(_) | ArithKind::Sum(_)) => true,
            Some(ArithKind::Div(..) | ArithKind::Mod(..) | ArithKind::ToInt(_)) => false,
            None => store.is_connective(term) || store.symbol(term).is_some(),
        }
    })
}
