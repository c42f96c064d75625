//! Solutions from closed graphs.
//!
//! A relation symbol means the disjunction over its nodes of the conjunction of their predicates. Nodes that are covered say
//! nothing new.
//!
//! Source: [RHK13], the lemma on closed graphs.

use shofar_chc::{Definition, Interpretation, NormalSystem};
use shofar_term::{Term, TermStore};

use super::arg::Arg;
use super::predicates::Predicates;

/// The solution that a closed graph is.
pub(super) fn solution(
    store: &mut TermStore,
    system: &NormalSystem,
    predicates: &Predicates,
    arg: &Arg,
) -> Interpretation {
    let mut model = Interpretation::new();
    for pred in system.preds() {
        let nodes = arg.live(pred).to_vec();
        let cubes: Vec<Term> = nodes
            .into_iter()
            .map(|node| predicates.conjunction(store, pred, &arg.nodes[node].predicates))
            .collect();
        let body = store.or(&cubes);
        model.define(pred, Definition { params: predicates.params(pred).to_vec(), body });
    }
    model
}
