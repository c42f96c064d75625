//! Formulas as sets of cubes.

use shofar_term::{Term, TermStore, View};

fn is_literal(store: &TermStore, term: Term) -> bool {
    let (atom, _) = store.strip_not(term);
    matches!(store.view(atom), View::Constant(_) | View::Predicate(..) | View::Atom)
}

/// The cubes whose negations are the clauses of `formula`; `None` if it is not close to a
/// conjunction of clauses.
pub(super) fn refuted_cubes(store: &mut TermStore, formula: Term) -> Option<Vec<Vec<Term>>> {
    let mut cubes = Vec::new();
    for clause in store.conjuncts(&[formula]) {
        let parts = if clause == store.bottom() {
            Vec::new()
        } else if let Some(parts) = store.disjunction(clause) {
            parts.to_vec()
        } else {
            vec![clause]
        };
        for part in distribute(store, &parts)? {
            cubes.push(part.into_iter().map(|t| store.not(t)).collect());
        }
    }
    Some(cubes)
}

/// How many clauses one disjunction may become.
const MOST_CLAUSES: usize = 8;

/// A disjunction of literals and conjunctions of literals as a conjunction of clauses.
fn distribute(store: &TermStore, parts: &[Term]) -> Option<Vec<Vec<Term>>> {
    let mut clauses: Vec<Vec<Term>> = vec![Vec::new()];
    for &part in parts {
        let alternatives = store.conjuncts(&[part]);
        if clauses.len() * alternatives.len() > MOST_CLAUSES
            || alternatives.iter().any(|&t| !is_literal(store, t))
        {
            return None;
        }
        clauses = clauses
            .iter()
            .flat_map(|clause| {
                alternatives.iter().map(move |&t| {
                    let mut clause = clause.clone();
                    clause.push(t);
                    clause
                })
            })
            .collect();
    }
    Some(clauses)
}
