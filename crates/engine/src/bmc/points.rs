//! Systems whose derivations go through finitely many known points.
//!
//! As long as every state of an unrolling is a tuple of values that is reached for sure, the
//! unrolling is a plain execution. If a layer has no point that was not there before, all points
//! are known, and they are a model.

use shofar_base::{Map, Set};
use shofar_chc::{ChcGraph, ChcSystem, Definition, Interpretation, PredId, formal_params};
use shofar_term::eval::{Model, Value, evaluate};
use shofar_term::{Term, TermStore};

use crate::hull;

/// The points that an execution has visited.
#[derive(Default)]
pub(crate) struct Points {
    seen: Set<(PredId, Vec<Term>)>,
    of: Map<PredId, Vec<Vec<Term>>>,
    /// Whether something else than points was met.
    blurred: bool,
}

impl Points {
    /// Visits the states of a layer, given as predicates with arguments and the literals that say
    /// that they are reached; whether there were only points, none of them new.
    pub(crate) fn visit<'s>(
        &mut self,
        store: &TermStore,
        states: impl Iterator<Item = (PredId, &'s [Term], Term)>,
    ) -> bool {
        let mut new = false;
        for (pred, args, reach) in states {
            self.blurred |= reach != store.top() || !args.iter().all(|&t| is_value(store, t));
            if self.blurred {
                // Points are of no use any more.
                *self = Self { blurred: true, ..Self::default() };
                return false;
            }
            if self.seen.insert((pred, args.to_vec())) {
                self.of.entry(pred).or_default().push(args.to_vec());
                new = true;
            }
        }
        !new && !self.blurred
    }
    /// The points as values.
    pub(crate) fn values(&self, store: &TermStore) -> hull::Points {
        let nothing = Model::new();
        let value =
            |&term: &Term| evaluate(store, term, &nothing).expect("points are made of values");
        let points = |points: &[Vec<Term>]| -> Vec<Vec<Value>> {
            points.iter().map(|point| point.iter().map(value).collect()).collect()
        };
        self.of.sorted().into_iter().map(|(&pred, terms)| (pred, points(terms))).collect()
    }
    /// The model in which exactly the visited points hold.
    pub(crate) fn model(&self, store: &mut TermStore, system: &ChcSystem) -> Interpretation {
        let useful = ChcGraph::new(system).useful();
        let mut model = Interpretation::new();
        for pred in system.preds() {
            let params = formal_params(store, system, pred);
            let mut cases = Vec::new();
            for point in self.of.get(&pred).map_or(&[][..], Vec::as_slice) {
                let mut equations = Vec::new();
                for (&param, &value) in params.iter().zip(point) {
                    let param = store.constant(param);
                    equations.push(store.eq(param, value));
                }
                cases.push(store.and(&equations));
            }
            let body = if useful[pred] { store.or(&cases) } else { store.top() };
            model.define(pred, Definition { params, body });
        }
        model
    }
}

fn is_value(store: &TermStore, term: Term) -> bool {
    store.is_value(term)
}
