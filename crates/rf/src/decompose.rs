//! Body-disjoint clauses as sets of tree-like ones.
//!
//! Body-disjoint clauses are solvable exactly if each maximal tree-like subset is: all clauses for
//! `false`, and for every symbol that is reached from there one of the clauses that derive it. A
//! derivation uses the clauses of one such subset.
//!
//! Solutions of the subsets can be combined, but not in any way: with the published table for the
//! unwound function of McCarthy, a formula `true` for one symbol violates a clause. The flags of
//! disjunctive interpolation find a combination by themselves, so the subsets serve to look at
//! derivations one at a time, and as an oracle for tests.
//!
//! Source: [RHK13b] (decomposition into tree-like clauses).

use shofar_chc::{ChcGraph, ChcSystem, ClauseId, PredId};

use crate::Class;

/// The maximal tree-like subsets of body-disjoint, recursion-free clauses, at most so many; nothing
/// for other clauses.
pub fn tree_like_subsets(system: &ChcSystem, most: usize) -> Option<Vec<Vec<ClauseId>>> {
    let class = Class::of(system);
    if !class.body_disjoint || !class.recursion_free {
        return None;
    }
    let graph = ChcGraph::new(system);
    let mut subsets = Vec::new();
    // Clauses that are chosen, and the symbols that still need one.
    let mut open: Vec<(Vec<ClauseId>, Vec<PredId>)> = vec![begin(system, graph.queries())];
    while let Some((chosen, mut symbols)) = open.pop() {
        if subsets.len() >= most {
            break;
        }
        let Some(symbol) = symbols.pop() else {
            let mut chosen = chosen;
            chosen.sort_unstable();
            subsets.push(chosen);
            continue;
        };
        let ways = graph.incoming(symbol);
        if ways.is_empty() {
            open.push((chosen.clone(), symbols.clone()));
        }
        for &way in ways.iter().rev() {
            let (_, below) = begin(system, &[way]);
            open.push(([&chosen[..], &[way]].concat(), [&symbols[..], &below].concat()));
        }
    }
    Some(subsets)
}

fn begin(system: &ChcSystem, clauses: &[ClauseId]) -> (Vec<ClauseId>, Vec<PredId>) {
    let bodies = clauses.iter().flat_map(|&id| &system.clause(id).body);
    (clauses.to_vec(), bodies.map(|atom| atom.pred).collect())
}
