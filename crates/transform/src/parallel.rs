//! Clauses that run between the same predicates.

use shofar_base::Map;
use shofar_chc::{ChcSystem, ClauseId, PredId};

/// The groups of clauses with the same predicate in the head and the same ones in the body, in
/// order of their first clause.
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
