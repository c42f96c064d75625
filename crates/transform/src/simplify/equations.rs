//! Equations define variables away.
//!
//! A round chooses equations `x = t` for variables that are not arguments such that no chosen variable occurs in a chosen
//! term, and substitutes all of them at once. A chain of definitions is gone after logarithmically many rounds, where one
//! substitution per variable would take quadratic time.

use shofar_base::{Map, Set};
use shofar_term::size::dag_size;
use shofar_term::substitute::Substitution;
use shofar_term::symbols::free_symbols;
use shofar_term::{Symbol, Term, TermStore};

use super::Draft;
use crate::solve::{solvable, solve_for};

/// Substitutions may make constraints larger by this many subterms, or twice as large.
const GROWTH: usize = 100;

/// One round; false if the conjuncts contradict each other.
pub(super) fn eliminate(store: &mut TermStore, draft: &mut Draft) -> bool {
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
            let Some(term) = solve_for(store, part, symbol) else { continue };
            let inside = free_symbols(store, &[term]);
            if inside.iter().all(|symbol| !chosen.contains_key(symbol)) {
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
        return true;
    }
    let map = order.iter().map(|&(symbol, term)| (store.constant(symbol), term)).collect();
    let mut by = Substitution::new(map);
    let parts: Vec<Term> = rest.iter().map(|&part| by.apply(store, part)).collect();
    if dag_size(store, &parts) > 2 * dag_size(store, &draft.parts) + GROWTH {
        return true;
    }
    draft.eliminated.extend(order);
    draft.set(store, &parts)
}
