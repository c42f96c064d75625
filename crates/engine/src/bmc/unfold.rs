//! Unfolding of derivation trees, on demand.
//!
//! A node says: this predicate is derived, with these arguments. An expanded node has an edge for
//! every clause that derives its predicate, `node → ⋁ edges`, and
//! `edge → children ∧ guard ∧ arguments = head`. The root stands for `false`. The edges of a node
//! exclude each other, so they share their children: a node has as many children for a predicate as
//! its greediest clause asks for.
//!
//! Leaves that are not expanded are assumed to be false. If that contradicts the rest, the
//! assumptions that fail say which leaves stand in the way of a derivation; the topmost of them are
//! expanded. If none of them fails, no derivation exists whatever the leaves mean: the system is
//! safe, and [`model`](super::model) finds out why.
//!
//! Every tree of height `h` is found before a leaf below height `h` is the topmost to fail, so the
//! search is fair. Systems without cycles are decided.
//!
//! Source: [BCCZ99] for bounds, [KGC16] for derivations of nonlinear clauses. DIVERGENCE: the bound
//! is not a number; it is the set of open leaves, which grows where a core points.

use shofar_base::{Idx, IndexVec, Map, Outcome, Set, index_type};
use shofar_chc::{ChcGraph, Derivation, DerivationStep, NormalSystem, PredId};
use shofar_smt::{Answer, Options, Solver};
use shofar_term::eval::{Evaluator, Model, NoValue};
use shofar_term::{Cx, Sort, Stage, Term, TermStore};

use crate::rule::{Rule, RuleIndex};

index_type!(
    /// A node of an unfolding.
    pub(crate) struct NodeId
);

/// A clause that may derive a node.
pub(crate) struct Edge {
    pub(crate) rule: usize,
    pub(crate) taken: Term,
    pub(crate) children: Vec<NodeId>,
    pub(crate) locals: Vec<Term>,
    /// Implies, from `taken`, everything the edge says.
    pub(crate) meaning: Term,
}

/// What is known about how a node is derived.
pub(crate) enum Growth {
    /// Nothing yet.
    Open,
    /// By one of these.
    Expanded(Vec<Edge>),
}

/// A predicate with arguments; the root has none.
pub(crate) struct Node {
    pub(crate) pred: Option<PredId>,
    pub(crate) args: Vec<Term>,
    /// Implies that the node is derived.
    pub(crate) lit: Term,
    pub(crate) growth: Growth,
    /// The distance from the root.
    depth: usize,
}

/// An unfolding of a system; see the module documentation.
pub(crate) struct Unfolding {
    pub(crate) rules: Vec<Rule>,
    pub(crate) index: RuleIndex,
    pub(crate) derivable: IndexVec<PredId, bool>,
    pub(crate) nodes: IndexVec<NodeId, Node>,
    /// The one node of each predicate, for linear systems without cycles, where a derivation uses
    /// each at most once.
    shared: Option<Map<PredId, NodeId>>,
    solver: Solver,
}

/// What an unfolding found out.
pub(crate) enum Unfolded {
    /// A derivation of `false`.
    Refutation(Derivation),
    /// None exists, whatever the open leaves mean.
    Safe,
}

impl Unfolding {
    /// The root, expanded by the queries.
    pub(crate) fn new(cx: &mut Cx<'_>, system: &NormalSystem, seed: u64) -> Self {
        let rules = Rule::of_system(cx.store, system);
        let graph = ChcGraph::new(system);
        let is_acyclic = graph.components().iter().all(|c| c.len() == 1 && !graph.has_loop(c[0]));
        let mut this = Self {
            index: RuleIndex::new(&rules),
            derivable: graph.derivable(),
            nodes: IndexVec::new(),
            shared: (is_acyclic && system.is_linear()).then(Map::default),
            solver: Solver::new(Options { seed, ..Options::default() }),
            rules,
        };
        let lit = cx.store.top();
        let growth = Growth::Open;
        let root = this.nodes.push(Node { pred: None, args: Vec::new(), lit, growth, depth: 0 });
        this.expand(cx.store, root);
        this
    }
    /// Whether each predicate has only one node.
    pub(crate) fn is_shared(&self) -> bool {
        self.shared.is_some()
    }
    /// Expands leaves until the system is decided.
    pub(crate) fn decide(&mut self, cx: &mut Cx<'_>) -> Outcome<Unfolded> {
        loop {
            let closed = self.closed_leaves(cx.store);
            let failed: Set<Term> = match self.solver.check_assuming(cx, &closed)? {
                Answer::Sat(model) => {
                    let model = model.assignment(cx.store);
                    return Ok(Unfolded::Refutation(self.derivation(cx.store, &model)?));
                }
                Answer::Unsat(why) => why.failed().into_iter().collect(),
            };
            let guilty = self.topmost(cx.store, &failed);
            if guilty.is_empty() {
                return Ok(Unfolded::Safe);
            }
            tracing::debug!("{} nodes, {} of them to be expanded", self.nodes.len(), guilty.len());
            cx.reached(Stage::of(self.nodes.len(), "nodes"));
            for node in guilty {
                cx.budget.check()?;
                self.expand(cx.store, node);
            }
        }
    }
    /// The assumptions that no open leaf is derived.
    fn closed_leaves(&self, store: &mut TermStore) -> Vec<Term> {
        let open = self.nodes.iter().filter(|n| matches!(n.growth, Growth::Open));
        open.map(|n| store.not(n.lit)).collect()
    }
    /// The open leaves whose assumptions failed, those closest to the root.
    fn topmost(&self, store: &mut TermStore, failed: &Set<Term>) -> Vec<NodeId> {
        let mut guilty: Vec<NodeId> = Vec::new();
        for id in self.nodes.handles() {
            let node = &self.nodes[id];
            if matches!(node.growth, Growth::Open) && failed.contains(&store.not(node.lit)) {
                guilty.push(id);
            }
        }
        let top = guilty.iter().map(|&n| self.nodes[n].depth).min();
        guilty.retain(|&n| Some(self.nodes[n].depth) == top);
        guilty
    }
    /// Says how `id` can be derived.
    fn expand(&mut self, store: &mut TermStore, id: NodeId) {
        let positions = match self.nodes[id].pred {
            Some(pred) => self.index.deriving(pred).to_vec(),
            None => self.index.queries.clone(),
        };
        let mut children: Map<(PredId, usize), NodeId> = Map::default();
        let mut edges = Vec::new();
        for position in positions {
            if self.rules[position].body.iter().all(|p| self.derivable[p.pred]) {
                edges.push(self.edge(store, id, position, &mut children));
            }
        }
        let taken: Vec<Term> = edges.iter().map(|e| e.taken).collect();
        let any = store.or(&taken);
        let derived = store.implies(self.nodes[id].lit, any);
        self.solver.add(store, derived);
        self.nodes[id].growth = Growth::Expanded(edges);
    }
    fn edge(
        &mut self,
        store: &mut TermStore,
        id: NodeId,
        position: usize,
        known: &mut Map<(PredId, usize), NodeId>,
    ) -> Edge {
        let depth = self.nodes[id].depth + 1;
        let premises: Vec<PredId> = self.rules[position].body.iter().map(|p| p.pred).collect();
        let mut children = Vec::new();
        for (i, &pred) in premises.iter().enumerate() {
            let occurrence = premises[..i].iter().filter(|&&p| p == pred).count();
            let child = match known.get(&(pred, occurrence)) {
                Some(&child) => child,
                None => self.leaf(store, position, i, depth),
            };
            known.insert((pred, occurrence), child);
            children.push(child);
        }
        let args: Vec<&[Term]> = children.iter().map(|&c| self.nodes[c].args.as_slice()).collect();
        let instance = self.rules[position].instantiate(store, &args);
        let mut facts = vec![instance.guard];
        facts.extend(children.iter().map(|&c| self.nodes[c].lit));
        let head = self.nodes[id].args.iter().zip(&instance.head);
        facts.extend(head.map(|(&arg, &value)| store.eq(arg, value)));
        let taken = store.fresh("edge", Sort::BOOL);
        let taken = store.constant(taken);
        let facts = store.and(&facts);
        let meaning = store.implies(taken, facts);
        self.solver.add(store, meaning);
        Edge { rule: position, taken, children, locals: instance.locals, meaning }
    }
    /// A leaf for premise number `premise` of the rule at `position`.
    fn leaf(
        &mut self,
        store: &mut TermStore,
        position: usize,
        premise: usize,
        depth: usize,
    ) -> NodeId {
        let premise = &self.rules[position].body[premise];
        let pred = premise.pred;
        if let Some(&node) = self.shared.as_ref().and_then(|shared| shared.get(&pred)) {
            return node;
        }
        let mut args = Vec::new();
        for &formal in &premise.formals {
            let sort = store.result(formal);
            let symbol = store.fresh("at", sort);
            args.push(store.constant(symbol));
        }
        let lit = store.fresh("node", Sort::BOOL);
        let lit = store.constant(lit);
        let growth = Growth::Open;
        let node = self.nodes.push(Node { pred: Some(pred), args, lit, growth, depth });
        if let Some(shared) = &mut self.shared {
            shared.insert(pred, node);
        }
        node
    }
    /// The derivation that `model` describes, premises first.
    fn derivation(&self, store: &TermStore, model: &Model) -> Result<Derivation, NoValue> {
        let mut evaluator = Evaluator::with_defaults(model);
        let mut derivation = Derivation::default();
        let mut step_of: Map<NodeId, usize> = Map::default();
        let mut stack = vec![NodeId::from_index(0)];
        while let Some(&id) = stack.last() {
            let edge = self.taken_edge(store, &mut evaluator, id);
            let missing: Vec<NodeId> =
                edge.children.iter().copied().filter(|c| !step_of.contains_key(c)).collect();
            if !missing.is_empty() {
                stack.extend(missing);
                continue;
            }
            stack.pop();
            let rule = &self.rules[edge.rule];
            let args: Vec<&[Term]> =
                edge.children.iter().map(|&c| self.nodes[c].args.as_slice()).collect();
            let assignment = rule.values(store, &mut evaluator, &args, &edge.locals)?;
            let premises = edge.children.iter().map(|c| step_of[c]).collect();
            step_of.insert(id, derivation.steps.len());
            derivation.steps.push(DerivationStep { clause: rule.clause, assignment, premises });
        }
        Ok(derivation)
    }
    fn taken_edge(&self, store: &TermStore, model: &mut Evaluator<'_>, id: NodeId) -> &Edge {
        let Growth::Expanded(edges) = &self.nodes[id].growth else {
            unreachable!("open leaves are assumed not to be derived")
        };
        edges
            .iter()
            .find(|e| model.holds(store, e.taken) == Ok(true))
            .expect("a node that is derived is derived by some edge")
    }
}
