//! Questions about paths of clauses, all put to one solver.

use shofar_base::Outcome;
use shofar_chc::{Derivation, LinearSystem, PredId};
use shofar_smt::{Answer, Options, PartId, Solver};
use shofar_term::{Cx, Term, TermStore};

use super::LawiOptions;
use crate::layers::{Layers, Place};

/// What a path to the goal is good for.
pub(super) enum Found {
    /// It refutes the clauses.
    Refutation(Derivation),
    /// A label for each vertex but the first.
    Labels(Vec<Term>),
}

/// See the module documentation.
pub(super) struct Paths {
    layers: Layers,
    solver: Solver,
}

impl Paths {
    pub(super) fn new(
        store: &mut TermStore,
        system: LinearSystem<'_>,
        options: &LawiOptions,
    ) -> Self {
        let layers = Layers::new(store, system);
        let solver = Solver::new(Options { seed: options.seed, ..Options::with_proofs() });
        Self { layers, solver }
    }
    /// The rules that lead on from `place` at `depth`, goals first.
    pub(super) fn leaving(
        &mut self,
        store: &mut TermStore,
        place: Place,
        depth: usize,
    ) -> Vec<(usize, Place)> {
        let mut leaving = Vec::new();
        for rule in self.layers.leaving(place) {
            if self.layers.edge(store, rule, depth).formula != store.bottom() {
                leaving.push((rule, self.layers.target(rule)));
            }
        }
        leaving.sort_by_key(|&(rule, to)| (to != Place::Goal, rule));
        leaving
    }
    /// A refutation along the rules `path`, which lead from the start to the goal, or labels.
    pub(super) fn refute(
        &mut self,
        cx: &mut Cx<'_>,
        path: &[usize],
        options: &LawiOptions,
    ) -> Outcome<Found> {
        self.solver.push();
        let parts = self.add_edges(cx.store, 0, path);
        let groups: Vec<Vec<PartId>> = parts.iter().map(|&part| vec![part]).collect();
        let found = match self.solver.check(cx)? {
            Answer::Sat(model) => Err(model.assignment(cx.store)),
            Answer::Unsat(proof) => {
                Ok(proof.sequence_interpolants(cx, &groups, &options.interpolation)?)
            }
        };
        self.solver.pop(1);
        Ok(match found {
            Err(model) => Found::Refutation(self.layers.derivation(cx.store, path, &model)),
            Ok(mut labels) => {
                labels.push(cx.store.bottom());
                Found::Labels(self.said_of_params(cx.store, 0, path, labels))
            }
        })
    }
    /// Labels below `depth` along `path` which make its last vertex, of predicate `wanted.0`, imply
    /// `wanted.1`; the label of the first vertex is `above`.
    pub(super) fn enforce(
        &mut self,
        cx: &mut Cx<'_>,
        depth: usize,
        above: Term,
        path: &[usize],
        wanted: (PredId, Term),
        options: &LawiOptions,
    ) -> Outcome<Option<Vec<Term>>> {
        let above = match self.layers.source(path[0]) {
            Place::Pred(pred) => self.layers.timed(cx.store, above, pred, depth),
            Place::Start | Place::Goal => cx.store.top(),
        };
        let end = self.layers.timed(cx.store, wanted.1, wanted.0, depth + path.len());
        let end = cx.store.not(end);
        self.solver.push();
        let start = self.solver.add(cx.store, above);
        let parts = self.add_edges(cx.store, depth, path);
        let mut groups: Vec<Vec<PartId>> = parts.iter().map(|&part| vec![part]).collect();
        groups[0].push(start);
        groups.push(vec![self.solver.add(cx.store, end)]);
        let found = match self.solver.check(cx)? {
            Answer::Sat(_) => None,
            Answer::Unsat(proof) => {
                Some(proof.sequence_interpolants(cx, &groups, &options.interpolation)?)
            }
        };
        self.solver.pop(1);
        Ok(found.map(|labels| self.said_of_params(cx.store, depth, path, labels)))
    }
    fn add_edges(&mut self, store: &mut TermStore, depth: usize, path: &[usize]) -> Vec<PartId> {
        let mut parts = Vec::new();
        for (i, &rule) in path.iter().enumerate() {
            let edge = self.layers.edge(store, rule, depth + i);
            parts.push(self.solver.add(store, edge.formula));
        }
        parts
    }
    /// Labels of the vertices below the edges of `path`, said of parameters.
    fn said_of_params(
        &mut self,
        store: &mut TermStore,
        depth: usize,
        path: &[usize],
        labels: Vec<Term>,
    ) -> Vec<Term> {
        let mut result = Vec::new();
        for (i, (&rule, label)) in path.iter().zip(labels).enumerate() {
            result.push(match self.layers.target(rule) {
                Place::Pred(pred) => self.layers.untimed(store, label, pred, depth + i + 1),
                Place::Start | Place::Goal => label,
            });
        }
        result
    }
}
