//! Linear clauses in time: what engines that follow paths of clauses share.
//!
//! A path starts at [`Place::Start`], goes through predicates, and may end at [`Place::Goal`]; each
//! of its edges is a clause. The arguments of a predicate at a depth have names; the edge of a
//! clause at a depth says how the arguments one deeper follow from those at that depth. Names
//! ([`Moments`]) and edges are made once, whatever path they are on.
//!
//! Formulas over the parameters of a predicate are said of a depth by [`Layers::timed`] and taken
//! back by [`Layers::untimed`]; nothing else renames variables.

use shofar_base::{Idx, IndexVec, Map};
use shofar_chc::{
    ChcSystem, Derivation, DerivationStep, LinearSystem, Moment, Moments, PredId, formal_params,
};
use shofar_term::eval::{Evaluator, Model};
use shofar_term::{Term, TermStore};

use crate::rule::LinearRule;

/// Where a path is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Where facts start from.
    Start,
    /// At a predicate.
    Pred(PredId),
    /// Where queries lead to.
    Goal,
}

/// A clause at a depth.
#[derive(Clone)]
pub(crate) struct Edge {
    pub(crate) formula: Term,
    /// What stands for the variables of the clause that are no function of the arguments.
    pub(crate) locals: Vec<Term>,
}

/// See the module documentation.
pub(crate) struct Layers {
    rules: Vec<LinearRule>,
    /// The arguments of each predicate in time; the present ones are its parameters.
    moments: IndexVec<PredId, Moments>,
    edges: Map<(usize, usize), Edge>,
}

impl Layers {
    /// The layers of a linear system.
    pub(crate) fn new(store: &mut TermStore, system: LinearSystem<'_>) -> Self {
        let moments = system.preds().map(|pred| arguments_in_time(store, &system, pred)).collect();
        Self { rules: LinearRule::of_system(store, system), moments, edges: Map::default() }
    }
    /// The positions of the rules between two places.
    pub(crate) fn between(&self, from: Place, to: Place) -> Vec<usize> {
        let connects = |&rule: &usize| self.source(rule) == from && self.target(rule) == to;
        (0..self.rules.len()).filter(connects).collect()
    }
    /// The positions of the rules that lead on from a place.
    pub(crate) fn leaving(&self, from: Place) -> Vec<usize> {
        (0..self.rules.len()).filter(|&rule| self.source(rule) == from).collect()
    }
    /// The positions of the rules that lead from a predicate to a predicate, with these.
    pub(crate) fn steps(&self) -> Vec<(usize, PredId, PredId)> {
        let ends = |rule: usize| match (self.source(rule), self.target(rule)) {
            (Place::Pred(from), Place::Pred(to)) => Some((rule, from, to)),
            _ => None,
        };
        (0..self.rules.len()).filter_map(ends).collect()
    }
    /// Where a rule starts.
    pub(crate) fn source(&self, rule: usize) -> Place {
        self.rules[rule].premise().map_or(Place::Start, |premise| Place::Pred(premise.pred))
    }
    /// Where a rule leads to.
    pub(crate) fn target(&self, rule: usize) -> Place {
        self.rules[rule].head.as_ref().map_or(Place::Goal, |(pred, _)| Place::Pred(*pred))
    }
    /// The arguments of `pred` at `depth`.
    pub(crate) fn args(&mut self, store: &mut TermStore, pred: PredId, depth: usize) -> Vec<Term> {
        let symbols = self.moments[pred].state(store, Moment::At(depth));
        symbols.iter().map(|&symbol| store.constant(symbol)).collect()
    }
    /// The arguments of the body of a rule at `depth`.
    fn body_args(&mut self, store: &mut TermStore, rule: usize, depth: usize) -> Vec<Vec<Term>> {
        let pred = self.rules[rule].premise().map(|premise| premise.pred);
        pred.map(|pred| self.args(store, pred, depth)).into_iter().collect()
    }
    /// The edge of a rule from `depth` to the next.
    pub(crate) fn edge(&mut self, store: &mut TermStore, rule: usize, depth: usize) -> Edge {
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
    /// One of the edges of `rules` from `depth` to the next.
    pub(crate) fn any_edge(
        &mut self,
        store: &mut TermStore,
        rules: &[usize],
        depth: usize,
    ) -> Term {
        let edges: Vec<Term> =
            rules.iter().map(|&rule| self.edge(store, rule, depth).formula).collect();
        store.or(&edges)
    }
    /// A formula about arguments at `depth`, said of the parameters of `pred`.
    pub(crate) fn untimed(
        &mut self,
        store: &mut TermStore,
        formula: Term,
        pred: PredId,
        depth: usize,
    ) -> Term {
        self.moments[pred].moved(store, formula, Moment::At(depth), Moment::Present)
    }
    /// A formula about the parameters of `pred`, said of its arguments at `depth`.
    pub(crate) fn timed(
        &mut self,
        store: &mut TermStore,
        formula: Term,
        pred: PredId,
        depth: usize,
    ) -> Term {
        self.moments[pred].moved(store, formula, Moment::Present, Moment::At(depth))
    }
    /// The refutation that `model` shows along `path`, which leads from the start to the goal.
    pub(crate) fn derivation(
        &mut self,
        store: &mut TermStore,
        path: &[usize],
        model: &Model,
    ) -> Derivation {
        let mut evaluator = Evaluator::with_defaults(model);
        let mut steps = Vec::new();
        for (depth, &rule) in path.iter().enumerate() {
            let above = self.body_args(store, rule, depth);
            let above: Vec<&[Term]> = above.iter().map(Vec::as_slice).collect();
            let locals = self.edge(store, rule, depth).locals;
            let rule = &self.rules[rule];
            let assignment = rule.values(store, &mut evaluator, &above, &locals);
            let assignment = assignment.expect("arithmetic has values in every model");
            let premises = depth.checked_sub(1).into_iter().collect();
            steps.push(DerivationStep { clause: rule.clause, assignment, premises });
        }
        Derivation::ground(steps)
    }
}

/// The arguments of a predicate in time; the present ones are its parameters.
pub(crate) fn arguments_in_time(
    store: &mut TermStore,
    system: &ChcSystem,
    pred: PredId,
) -> Moments {
    let params = formal_params(store, system, pred);
    let name = format!("{}#{}", store.name(system.symbol(pred)), pred.index());
    Moments::of_predicate(store, &name, &params)
}
