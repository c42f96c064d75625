//! Equations define variables away.
//!
//! A round chooses equations `x = t` for variables that are not arguments such that no chosen
//! variable occurs in a chosen term, and substitutes all of them at once. A chain of definitions is
//! gone after logarithmically many rounds, where one substitution per variable would take quadratic
//! time.

use shofar_base::{Map, Set};
use shofar_term::size::dag_size;
use shofar_term::solve::solvable;
use shofar_term::substitute::Substitution;
use shofar_term::symbols::free_symbols;
use shofar_term::{Symbol, Term, TermStore};

use super::Draft;
use crate::solve::definition_of;

/// A definition with at most so many subterms is substituted even if larger ones are too much.
const SMALL: usize = 3;

/// One round; false if the conjuncts contradict each other.
pub(super) fn eliminate(store: &mut TermStore, draft: &mut Draft) -> bool {
    round(store, draft, None).or_else(|| round(store, draft, Some(SMALL))).unwrap_or(true)
}

/// One round of definitions of at most the given size; nothing if the result gets too large.
fn round(store: &mut TermStore, draft: &mut Draft, size: Option<usize>) -> Option<bool> {
    let mut chosen: Map<Symbol, Term> = Map::default();
    let mut order: Vec<(Symbol, Term)> = Vec::new();
    let mut blocked: Set<Symbol> = Set::default();
    let mut rest = Vec::with_capacity(draft.parts.len());
    for &part in &draft.parts {
        let mut definition = None;
        for symbol in solvable(store, part) {
            if draft.arguments.contains(&symbol)
                || chosen.contains_key(&symbol)
                || blocked.contains(&symbol)
            {
                continue;
            }
            let Some(term) = definition_of(store, part, symbol) else { continue };
            let inside = free_symbols(store, &[term]);
            let fits = size.is_none_or(|size| dag_size(store, &[term]) <= size);
            if fits && inside.iter().all(|symbol| !chosen.contains_key(symbol)) {
                blocked.extend(inside);
                definition = Some((symbol, term));
                break;
            }
        }
        match definition {
            Some((symbol, term)) => {
                chosen.insert(symbol, term);
                order.push((symbol, term));
            }
            None => rest.push(part),
        }
    }
    if order.is_empty() {
        return Some(true);
    }
    let map = order.iter().map(|&(symbol, term)| (store.constant(symbol), term)).collect();
    let mut by = Substitution::new(map);
    let parts: Vec<Term> = rest.iter().map(|&part| by.apply(store, part)).collect();
    if dag_size(store, &parts) > draft.limit {
        return None;
    }
    draft.eliminated.extend(order);
    Some(draft.set(store, &parts))
}
