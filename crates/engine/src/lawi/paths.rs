//! Paths of clauses as formulas in time.
//!
//! The arguments of a predicate at a depth have names; the edge of a clause at a depth says how those below follow from
//! those above. Edges are made once for each clause and depth, whatever path they are on. All paths are asked of one solver.

use shofar_base::{Map, Outcome};
use shofar_chc::{ChcSystem, Derivation, DerivationStep, PredId, formal_params};
use shofar_smt::{Answer, Options, PartId, Solver};
use shofar_term::eval::{Assignment, Evaluator};
use shofar_term::substitute::substitute;
use shofar_term::{Cx, Sort, Symbol, Term, TermStore};

use super::LawiOptions;
use super::unwinding::Place;
use crate::rule::Rule;

/// What a path to the goal is good for.
pub(super) enum Found {
    /// It refutes the clauses.
    Refutation(Derivation),
    /// A label for each vertex but the first.
    Labels(Vec<Term>),
}

/// A clause at a depth.
#[derive(Clone)]
struct Edge {
    formula: Term,
    locals: Vec<Term>,
}

/// See the module documentation.
pub(super) struct Paths {
    rules: Vec<Rule>,
    params: Map<PredId, Vec<Symbol>>,
    sorts: Map<PredId, Vec<Sort>>,
    names: Map<(PredId, usize), Vec<Term>>,
    edges: Map<(usize, usize), Edge>,
    solver: Solver,
}

impl Paths {
    pub(super) fn new(store: &mut TermStore, system: &ChcSystem, options: &LawiOptions) -> Self {
        let params = system.preds().map(|p| (p, formal_params(store, system, p))).collect();
        let sorts = system.preds().map(|p| (p, system.sorts(store, p).to_vec())).collect();
        Self {
            rules: Rule::of_system(store, system),
            params,
            sorts,
            names: Map::default(),
            edges: Map::default(),
            solver: Solver::new(Options { seed: options.seed, ..Options::with_proofs() }),
        }
    }
    /// The rules that lead on from `place` at `depth`, goals first.
    pub(super) fn leaving(
        &mut self,
        store: &mut TermStore,
        place: Place,
        depth: usize,
    ) -> Vec<(usize, Place)> {
        let mut leaving = Vec::new();
        for position in 0..self.rules.len() {
            let rule = &self.rules[position];
            let from = rule.body.first().map_or(Place::Start, |p| Place::Pred(p.pred));
            let to = rule.head.as_ref().map_or(Place::Goal, |(pred, _)| Place::Pred(*pred));
            if from == place && self.edge(store, position, depth).formula != store.bottom() {
                leaving.push((position, to));
            }
        }
        leaving.sort_by_key(|&(position, to)| (to != Place::Goal, position));
        leaving
    }
    /// The arguments of `pred` at `depth`.
    fn args(&mut self, store: &mut TermStore, pred: PredId, depth: usize) -> Vec<Term> {
        let sorts = &self.sorts[&pred];
        let names = self.names.entry((pred, depth)).or_insert_with(|| {
            let name = |&sort: &Sort| {
                let symbol = store.fresh("at", sort);
                store.constant(symbol)
            };
            sorts.iter().map(name).collect()
        });
        names.clone()
    }
    /// The arguments of the body of a rule at `depth`.
    fn body_args(&mut self, store: &mut TermStore, rule: usize, depth: usize) -> Vec<Vec<Term>> {
        let pred = self.rules[rule].body.first().map(|premise| premise.pred);
        pred.map(|pred| self.args(store, pred, depth)).into_iter().collect()
    }
    /// The edge of a rule from `depth` to the next.
    fn edge(&mut self, store: &mut TermStore, rule: usize, depth: usize) -> Edge {
        if let Some(edge) = self.edges.get(&(rule, depth)) {
            return edge.clone();
        }
        let above = self.body_args(store, rule, depth);
        let above: Vec<&[Term]> = above.iter().map(Vec::as_slice).collect();
        let head = self.rules[rule].head.as_ref().map(|(pred, _)| *pred);
        let instance = self.rules[rule].instantiate(store, &above);
        let mut facts = vec![instance.guard];
        if let Some(pred) = head {
            let below = self.args(store, pred, depth + 1);
            facts.extend(below.iter().zip(&instance.head).map(|(&a, &h)| store.eq(a, h)));
        }
        let edge = Edge { formula: store.and(&facts), locals: instance.locals };
        self.edges.insert((rule, depth), edge.clone());
        edge
    }
    /// A formula about arguments at `depth`, said of the parameters of `pred`.
    fn untimed(
        &mut self,
        store: &mut TermStore,
        formula: Term,
        pred: PredId,
        depth: usize,
    ) -> Term {
        let args = self.args(store, pred, depth);
        let params = &self.params[&pred];
        let map = args.into_iter().zip(params.iter().map(|&p| store.constant(p))).collect();
        substitute(store, &map, &[formula])[0]
    }
    /// A formula about the parameters of `pred`, said of its arguments at `depth`.
    fn timed(&mut self, store: &mut TermStore, formula: Term, pred: PredId, depth: usize) -> Term {
        let args = self.args(store, pred, depth);
        let params = &self.params[&pred];
        let map = params.iter().map(|&p| store.constant(p)).zip(args).collect();
        substitute(store, &map, &[formula])[0]
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
            Answer::Sat(model) => Err(model.assignment().clone()),
            Answer::Unsat(proof) => {
                Ok(proof.sequence_interpolants(cx, &groups, &options.interpolation)?)
            }
        };
        self.solver.pop(1);
        Ok(match found {
            Err(model) => Found::Refutation(self.derivation(cx.store, path, &model)),
            Ok(mut labels) => {
                labels.push(cx.store.bottom());
                Found::Labels(self.said_of_params(cx.store, 0, path, labels))
            }
        })
    }
    /// Labels below `depth` along `path` which make its last vertex, of predicate `wanted.0`, imply `wanted.1`; the label
    /// of the first vertex is `above`.
    pub(super) fn enforce(
        &mut self,
        cx: &mut Cx<'_>,
        depth: usize,
        above: Term,
        path: &[usize],
        wanted: (PredId, Term),
        options: &LawiOptions,
    ) -> Outcome<Option<Vec<Term>>> {
        let first = self.rules[path[0]].body.first().map(|premise| premise.pred);
        let above = first.map_or(cx.store.top(), |pred| self.timed(cx.store, above, pred, depth));
        let end = self.timed(cx.store, wanted.1, wanted.0, depth + path.len());
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
            let edge = self.edge(store, rule, depth + i);
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
            let head = self.rules[rule].head.as_ref().map(|(pred, _)| *pred);
            result.push(match head {
                Some(pred) => self.untimed(store, label, pred, depth + i + 1),
                None => label,
            });
        }
        result
    }
    /// The refutation that `model` shows along `path`.
    fn derivation(
        &mut self,
        store: &mut TermStore,
        path: &[usize],
        model: &Assignment,
    ) -> Derivation {
        let mut evaluator = Evaluator::new(model);
        let mut steps = Vec::new();
        for (depth, &rule) in path.iter().enumerate() {
            let above = self.body_args(store, rule, depth);
            let above: Vec<&[Term]> = above.iter().map(Vec::as_slice).collect();
            let locals = self.edge(store, rule, depth).locals;
            let rule = &self.rules[rule];
            let assignment = rule.values(store, &mut evaluator, &above, &locals);
            let premises = depth.checked_sub(1).into_iter().collect();
            steps.push(DerivationStep { clause: rule.clause, assignment, premises });
        }
        Derivation { steps }
    }
}
