//! Clauses that have nothing to do with each other.
//!
//! Two predicates are connected if a clause has both. A derivation stays within a connected
//! component, so the clauses of each can be solved by themselves: together their solutions are one
//! of all clauses, and one derivation of `false` is enough.
//!
//! Source: [RHK13] (interpolation problems of connected components).

use shofar_base::{Idx as _, Map};
use shofar_chc::{ChcGraph, ChcSystem, ClauseId};

/// The clauses for `false` of each connected component, in the order of their first ones;
/// components without such clauses have nothing to show. Clauses without any predicate are one
/// component.
pub(crate) fn queries_by_component(system: &ChcSystem, graph: &ChcGraph<'_>) -> Vec<Vec<ClauseId>> {
    let mut above: Vec<usize> = (0..system.pred_count()).collect();
    for (_, clause) in system.clauses() {
        let mut atoms = clause.body.iter().chain(&clause.head);
        let Some(first) = atoms.next() else { continue };
        let first = representative(&mut above, first.pred.index());
        for atom in atoms {
            let other = representative(&mut above, atom.pred.index());
            above[other] = first;
        }
    }
    let mut place_of: Map<Option<usize>, usize> = Map::default();
    let mut components: Vec<Vec<ClauseId>> = Vec::new();
    for &id in graph.queries() {
        let first = system.clause(id).body.first();
        let component = first.map(|atom| representative(&mut above, atom.pred.index()));
        let place = *place_of.entry(component).or_insert_with(|| {
            components.push(Vec::new());
            components.len() - 1
        });
        components[place].push(id);
    }
    components
}

/// What stands for the component of `at`; paths are halved on the way.
fn representative(above: &mut [usize], mut at: usize) -> usize {
    while above[at] != at {
        above[at] = above[above[at]];
        at = above[at];
    }
    at
}

#[cfg(test)]
mod tests {
    use shofar_chc::read::read_horn;
    use shofar_term::TermStore;

    use super::*;

    #[test]
    fn components_have_their_queries() {
        let declarations = ["p", "q", "r", "s"].map(|p| format!("(declare-fun {p} (Int) Bool)"));
        let clauses = ["(=> (p x) (q x))", "(=> (r x) false)", "(=> (q x) false)"];
        let more = ["(=> (> x 0) (s x))", "(=> (and (p x) (> x 1)) false)", "(< x 3)"];
        let clauses =
            clauses.iter().chain(&more).map(|c| format!("(assert (forall ((x Int)) {c}))"));
        let script: Vec<String> = declarations.into_iter().chain(clauses).collect();
        let script = format!("(set-logic HORN){}(check-sat)", script.join("\n"));
        let mut store = TermStore::new();
        let system = read_horn(script.as_bytes(), &mut store).expect("it is well-formed");
        let system = system.problems.into_iter().next().expect("there is one").system;
        let found = queries_by_component(&system, &ChcGraph::new(&system));
        let found: Vec<Vec<usize>> =
            found.iter().map(|ids| ids.iter().map(|id| id.index()).collect()).collect();
        assert_eq!(found, [vec![1], vec![2, 4], vec![5]]);
    }
}
