//! Loops that follow each other: the predicates of a linear system without other cycles than
//! clauses from a predicate to itself.
//!
//! Every predicate is a node with a transition system of its own: its steps are the clauses from
//! the predicate to itself. All other clauses are edges, from the state variables of one node to
//! those of another. A fact comes from nowhere, a query leads nowhere.
//!
//! A node keeps what was learned about its steps ([`Powers`]), and its *safe* states.
//!
//! Invariant: safe states are closed under steps, no query holds of them, and edges lead from them
//! to safe states only. So as soon as every fact is about safe states, these are a model.
//!
//! Source: [Bli22] §5.5.5 for chains of loops.

use shofar_base::{IndexVec, Map};
use shofar_chc::{
    ChcSystem, Definition, Interpretation, LinearSystem, PredId, TransitionSystem, formal_params,
};
use shofar_term::substitute::substitute;
use shofar_term::{Symbol, Term, TermStore};

use super::TpaOptions;
use super::fixpoint::Side;
use super::reach::Powers;
use crate::link::Link;
use crate::rule::LinearRule;

/// A clause between different nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// The number of its link.
    pub(super) link: usize,
    /// The node it leads to, unless it is a query.
    pub(super) to: Option<PredId>,
    /// What it says about the state variables of both nodes.
    pub(super) formula: Term,
}

/// A loop.
pub(super) struct Node {
    pub(super) powers: Powers,
    /// The state variables.
    pub(super) state: Vec<Symbol>,
    /// The links of its steps.
    pub(super) steps: Vec<usize>,
    /// The edges that leave it.
    pub(super) edges: Vec<Edge>,
    /// The cases of its safe states.
    safe: Vec<Term>,
}

/// All loops of a system.
pub(super) struct Network {
    pub(super) links: Vec<Link>,
    pub(super) nodes: IndexVec<PredId, Node>,
    /// The edges from nowhere.
    pub(super) entries: Vec<Edge>,
}

impl Network {
    /// The loops of `system`, which has no other cycles.
    pub(super) fn new(
        store: &mut TermStore,
        system: LinearSystem<'_>,
        options: &TpaOptions,
    ) -> Self {
        let rules = LinearRule::of_system(store, system);
        let mut copies = |name: &str| -> IndexVec<PredId, Vec<Symbol>> {
            let copy = |pred| {
                let sorts = system.sorts(store, pred).to_vec();
                sorts.into_iter().map(|sort| store.fresh(name, sort)).collect()
            };
            system.preds().map(copy).collect()
        };
        let (state, next) = (copies("at"), copies("at'"));
        let mut steps: IndexVec<PredId, (Vec<usize>, Vec<Term>)> =
            system.preds().map(|_| Default::default()).collect();
        let mut edges: IndexVec<PredId, Vec<Edge>> = system.preds().map(|_| Vec::new()).collect();
        let mut entries = Vec::new();
        for (link, rule) in rules.iter().enumerate() {
            let from = rule.premise().map(|premise| premise.pred);
            let to = rule.head.as_ref().map(|(pred, _)| *pred);
            let is_step = from.is_some() && from == to;
            let target = to.map(|pred| if is_step { &next[pred] } else { &state[pred] });
            let source = from.map(|pred| state[pred].as_slice());
            let formula = formula(store, rule, source, target.map(Vec::as_slice));
            match from {
                Some(pred) if is_step => {
                    steps[pred].0.push(link);
                    steps[pred].1.push(formula);
                }
                Some(pred) => edges[pred].push(Edge { link, to, formula }),
                None => entries.push(Edge { link, to, formula }),
            }
        }
        let links = rules.into_iter().map(|rule| Link::new(store, rule)).collect();
        let mut nodes = IndexVec::new();
        for pred in system.preds() {
            let (steps, formulas) = std::mem::take(&mut steps[pred]);
            let (state, next) = (state[pred].clone(), next[pred].clone());
            let (step, none) = (store.or(&formulas), store.bottom());
            let ts = TransitionSystem { state: state.clone(), next, init: none, step, bad: none };
            let mut powers = Powers::new(store, ts, options.clone());
            // An invariant made from the bad states is as large as it can be, so it is of use for
            // other initial states, too.
            powers.prefers = Side::Right;
            let edges = std::mem::take(&mut edges[pred]);
            nodes.push(Node { powers, state, steps, edges, safe: Vec::new() });
        }
        Self { links, nodes, entries }
    }
    /// Adds to the safe states of `pred`.
    pub(super) fn add_safe(&mut self, pred: PredId, states: Term) {
        self.nodes[pred].safe.push(states);
    }
    /// That an edge leads to a state which is not known to be safe; true of queries.
    pub(super) fn not_safe(&self, store: &mut TermStore, edge: &Edge) -> Term {
        let safe = edge.to.map_or(&[][..], |pred| &self.nodes[pred].safe);
        let safe = store.or(safe);
        store.not(safe)
    }
    /// The states of `pred` that an edge connects with a state not known to be safe; the variables
    /// of that are locals.
    pub(super) fn leaving(&self, store: &mut TermStore, pred: PredId) -> Term {
        let mut cases = Vec::new();
        for edge in &self.nodes[pred].edges {
            let not_safe = self.not_safe(store, edge);
            cases.push(store.and(&[edge.formula, not_safe]));
        }
        store.or(&cases)
    }
    /// The model in which exactly the safe states hold.
    pub(super) fn model(&self, store: &mut TermStore, system: &ChcSystem) -> Interpretation {
        let mut model = Interpretation::new();
        for pred in system.preds() {
            let params = formal_params(store, system, pred);
            let node = &self.nodes[pred];
            let map: Map<Term, Term> = node
                .state
                .iter()
                .zip(&params)
                .map(|(&x, &param)| (store.constant(x), store.constant(param)))
                .collect();
            let safe = store.or(&node.safe);
            let body = substitute(store, &map, &[safe])[0];
            model.define(pred, Definition { params, body });
        }
        model
    }
}

/// What a rule says about source and target variables; the rest of its variables are locals of
/// their own.
fn formula(
    store: &mut TermStore,
    rule: &LinearRule,
    source: Option<&[Symbol]>,
    target: Option<&[Symbol]>,
) -> Term {
    let source: Vec<Term> = source.unwrap_or_default().iter().map(|&x| store.constant(x)).collect();
    let premises: Vec<&[Term]> = rule.premise().map(|_| source.as_slice()).into_iter().collect();
    let instance = rule.instantiate(store, &premises);
    let mut parts = vec![instance.guard];
    for (&x, &arg) in target.unwrap_or_default().iter().zip(&instance.head) {
        let x = store.constant(x);
        parts.push(store.eq(x, arg));
    }
    store.and(&parts)
}
