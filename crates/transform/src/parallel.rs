//! Clauses that run between the same predicates.

use shofar_base::Map;
use shofar_chc::{ChcSystem, Clause, ClauseId, PredId};
use shofar_term::{Symbol, Term, TermStore};

/// The groups of clauses with the same predicate in the head and the same ones in the body, in order of their first clause.
pub(crate) fn groups(system: &ChcSystem) -> Vec<Vec<ClauseId>> {
    let mut number: Map<(Option<PredId>, Vec<PredId>), usize> = Map::default();
    let mut groups: Vec<Vec<ClauseId>> = Vec::new();
    for (id, clause) in system.clauses() {
        let head = clause.head.as_ref().map(|head| head.pred);
        let body = clause.body.iter().map(|atom| atom.pred).collect();
        let at = *number.entry((head, body)).or_insert(groups.len());
        if at == groups.len() {
            groups.push(Vec::new());
        }
        groups[at].push(id);
    }
    groups
}

/// The variables that stand as arguments of a normal clause, body first.
pub(crate) fn arguments(store: &TermStore, clause: &Clause) -> Vec<Symbol> {
    let args = clause.body.iter().chain(&clause.head).flat_map(|atom| &atom.args);
    args.map(|&arg: &Term| {
        let Some(symbol) = store.symbol(arg) else {
            unreachable!("arguments of normal clauses are variables")
        };
        symbol
    })
    .collect()
}
