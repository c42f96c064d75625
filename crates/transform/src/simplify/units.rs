//! Unit facts are used in the other conjuncts.
//!
//! A conjunct that is a literal is true wherever else it occurs, and a variable that equals a
//! constant is that constant everywhere else. A literal may be used inside another one (in the
//! condition of a conditional term), never in itself.

use shofar_base::{Map, Set};
use shofar_term::substitute::Substitution;
use shofar_term::symbols::free_symbols;
use shofar_term::{Kind, Term, TermStore, View};

use super::Draft;

/// Uses the unit facts of `draft`; false if the conjuncts contradict each other.
pub(super) fn propagate(store: &mut TermStore, draft: &mut Draft) -> bool {
    constants(store, draft) && literals(store, draft)
}

fn constants(store: &mut TermStore, draft: &mut Draft) -> bool {
    let (mut values, mut definitions) = (Map::default(), Set::default());
    for &part in &draft.parts {
        let (atom, negated) = store.strip_not(part);
        let (variable, value) = if is_symbol(store, atom) {
            (atom, store.bool(!negated))
        } else if let (Some((form, bound)), false) = (store.equation(atom), negated) {
            if !is_symbol(store, form) {
                continue;
            }
            let (bound, sort) = (bound.clone(), store.sort(form));
            (form, store.number(bound, sort))
        } else if let (Kind::Same(a, b), false) = (store.kind(atom), negated) {
            let is_closed = |term: Term| free_symbols(store, &[term]).is_empty();
            match (is_symbol(store, a), is_symbol(store, b)) {
                (true, false) if is_closed(b) => (a, b),
                (false, true) if is_closed(a) => (b, a),
                (true | false, _) => continue,
            }
        } else {
            continue;
        };
        if !values.contains_key(&variable) {
            values.insert(variable, value);
            definitions.insert(part);
        }
    }
    if values.is_empty() {
        return true;
    }
    let mut by = Substitution::new(values);
    let parts: Vec<Term> = draft
        .parts
        .iter()
        .map(|&part| if definitions.contains(&part) { part } else { by.apply(store, part) })
        .collect();
    draft.set(store, &parts)
}

fn literals(store: &mut TermStore, draft: &mut Draft) -> bool {
    let units: Map<Term, Term> = draft
        .parts
        .iter()
        .map(|&part| store.strip_not(part))
        .filter(|&(atom, _)| is_atom(store, atom))
        .map(|(atom, negated)| (atom, store.bool(!negated)))
        .collect();
    if units.is_empty() {
        return true;
    }
    let mut by = Substitution::new(units);
    let mut parts = Vec::with_capacity(draft.parts.len());
    for &part in &draft.parts {
        let (atom, negated) = store.strip_not(part);
        if !is_atom(store, atom) {
            parts.push(by.apply(store, part));
            continue;
        }
        let children: Vec<Term> = store.children(atom).to_vec();
        let children: Vec<Term> = children.iter().map(|&child| by.apply(store, child)).collect();
        let atom = store.rebuild(atom, &children);
        parts.push(if negated { store.not(atom) } else { atom });
    }
    draft.set(store, &parts)
}

fn is_symbol(store: &TermStore, term: Term) -> bool {
    store.symbol(term).is_some()
}

fn is_atom(store: &TermStore, term: Term) -> bool {
    matches!(store.view(term), View::Predicate(..) | View::Atom)
}
