//! Solutions from closed graphs.
//!
//! A relation symbol means the disjunction over its nodes of the conjunction of their predicates. Nodes that are covered say
//! nothing new.
//!
//! Source: [Hoj13] §5.7, Lemma on closed graphs.

use shofar_base::Outcome;
use shofar_chc::{Definition, Interpretation, NormalSystem};
use shofar_term::{Cx, Term};

use super::arg::Arg;
use super::predicates::Predicates;

/// The solution that a closed graph is.
pub(super) fn solution(
    cx: &mut Cx<'_>,
    system: &NormalSystem,
    predicates: &Predicates,
    arg: &Arg,
) -> Outcome<Interpretation> {
    let mut model = Interpretation::new();
    for pred in system.preds() {
        let nodes = arg.live(pred).to_vec();
        let cubes: Vec<Term> = nodes
            .into_iter()
            .map(|node| predicates.conjunction(cx.store, pred, &arg.nodes[node].predicates))
            .collect();
        let body = cx.store.or(&cubes);
        model.define(pred, Definition { params: predicates.params(pred).to_vec(), body });
    }
    Ok(model)
}
