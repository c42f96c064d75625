//! Unrolling of linear systems, layer by layer.
//!
//! Layer `d` has a state for each predicate that derivations of exactly `d + 1` steps may reach:
//! the predicate's arguments as terms, and a literal `reach` that implies that they are derivable.
//! Each clause into the layer gives an edge with a literal of its own: `reach → ⋁ edges`, and
//! `edge → reach of the body ∧ guard ∧ arguments = head`.
//!
//! A predicate that only one edge enters needs no new variables: its arguments are the terms of the
//! edge's head. So constants travel along, guards fold to true or false, and a system that runs
//! deterministically from known values is executed without asking the solver anything. Larger terms
//! get a name, so that formulas do not grow with the depth.
//!
//! Invariant: when layer `d` is extended, some state of layer `d` is asserted to be reached,
//! because every longer derivation passes through it. If that is contradictory, the system has no
//! longer derivations at all.
//!
//! Source: [BCCZ99] §3, for systems of clauses. DIVERGENCE [BCCZ99]: locations are not encoded in
//! the state; each predicate has its own states, and only edges that lead to a query are unrolled.

use std::iter::once;

use shofar_base::{IndexVec, Map, Outcome};
use shofar_chc::{
    ChcGraph, ChcSystem, Derivation, DerivationStep, Interpretation, LinearSystem, Moments, PredId,
    TransitionSystem,
};
use shofar_smt::{Answer, Options, Solver};
use shofar_term::eval::{Evaluator, Model, NoValue, Value};
use shofar_term::{Cx, Sort, Term, TermStore};

use super::points::Points;
use crate::hull;
use crate::layers::arguments_in_time;
use crate::rule::{Instance, LinearRule, RuleIndex};

/// A sum of more monomials is given a name rather than carried along.
const CARRIED_MONOMIALS: usize = 2;

/// A way into a state.
struct Edge {
    rule: usize,
    /// Implies the rule's guard, and that its body is reached.
    taken: Term,
    locals: Vec<Term>,
}

/// A predicate at a depth.
struct State {
    args: Vec<Term>,
    reach: Term,
    edges: Vec<Edge>,
}

/// The predicates at one depth.
#[derive(Default)]
struct Layer {
    order: Vec<PredId>,
    states: Map<PredId, State>,
}

/// What the last layer says about queries.
pub(crate) enum Found {
    /// A derivation of `false` through the last layer, with the arguments of the predicates on its
    /// way.
    Refutation(Derivation, Path),
    /// None of this length.
    Nothing,
    /// None of this length, and none that is longer.
    Exhausted,
    /// None of this length, and nothing that was not derived before: all that can be derived are
    /// known points.
    Closed,
}

/// The arguments of the predicates on a derivation, in its order.
pub(crate) type Path = Vec<Vec<Value>>;

/// An unrolled system; see the module documentation.
pub(crate) struct Unrolling {
    rules: Vec<LinearRule>,
    index: RuleIndex,
    useful: IndexVec<PredId, bool>,
    /// The names of arguments at each depth, for those that need one.
    moments: IndexVec<PredId, Moments>,
    outgoing: Map<PredId, Vec<usize>>,
    layers: Vec<Layer>,
    points: Points,
    /// Some points that are reached, where there are others than known ones.
    samples: hull::Points,
    solver: Solver,
}

impl Unrolling {
    /// The unrolling of a linear system, with its first layer: what facts derive.
    pub(crate) fn new(cx: &mut Cx<'_>, system: LinearSystem<'_>, seed: u64) -> Self {
        let rules = LinearRule::of_system(cx.store, system);
        let in_time = |pred| arguments_in_time(cx.store, &system, pred);
        let moments = system.preds().map(in_time).collect();
        Self::of_rules(cx.store, rules, moments, ChcGraph::new(&system).useful(), seed)
    }
    /// The unrolling of a transition system, with its first layer: the initial states.
    pub(crate) fn of_loop(cx: &mut Cx<'_>, ts: &TransitionSystem, seed: u64) -> Self {
        let rules = LinearRule::of_loop(cx.store, ts).into();
        let moments = Moments::new(cx.store, &ts.state, &ts.next);
        let (moments, useful) = (once(moments).collect(), once(true).collect());
        Self::of_rules(cx.store, rules, moments, useful, seed)
    }
    fn of_rules(
        store: &mut TermStore,
        rules: Vec<LinearRule>,
        moments: IndexVec<PredId, Moments>,
        useful: IndexVec<PredId, bool>,
        seed: u64,
    ) -> Self {
        let mut outgoing: Map<PredId, Vec<usize>> = Map::default();
        for (position, rule) in rules.iter().enumerate() {
            if let (Some(premise), Some(_)) = (rule.premise(), &rule.head) {
                outgoing.entry(premise.pred).or_default().push(position);
            }
        }
        let mut this = Self {
            index: RuleIndex::new(rules.iter().map(|rule| &**rule)),
            useful,
            moments,
            outgoing,
            layers: Vec::new(),
            points: Points::default(),
            samples: hull::Points::default(),
            solver: Solver::new(Options { seed, ..Options::default() }),
            rules,
        };
        let facts: Vec<usize> = (0..this.rules.len())
            .filter(|&r| this.rules[r].premise().is_none() && this.rules[r].head.is_some())
            .collect();
        this.push_layer(store, &facts);
        this
    }
    /// How many layers there are.
    pub(crate) fn depth(&self) -> usize {
        self.layers.len()
    }
    /// The predicates that derivations of `depth + 1` steps may reach.
    pub(crate) fn reached(&self, depth: usize) -> &[PredId] {
        self.layers.get(depth).map_or(&[], |layer| &layer.order)
    }
    /// Whether no predicate can be reached by derivations of this length.
    fn is_exhausted(&self) -> bool {
        self.layers.last().is_none_or(|layer| layer.order.is_empty())
    }
    /// Adds a layer.
    pub(crate) fn extend(&mut self, cx: &mut Cx<'_>) -> Outcome<()> {
        cx.budget.check()?;
        let last = self.layers.last().expect("there is a first layer");
        let reached: Vec<Term> = last.order.iter().map(|p| last.states[p].reach).collect();
        let rules: Vec<usize> =
            last.order.iter().filter_map(|p| self.outgoing.get(p)).flatten().copied().collect();
        let passed = cx.store.or(&reached);
        if passed != cx.store.top() {
            self.solver.add(cx.store, passed);
        }
        self.push_layer(cx.store, &rules);
        Ok(())
    }
    /// Looks for a query that fires from the last layer; to be asked once for each layer.
    pub(crate) fn query(&mut self, cx: &mut Cx<'_>) -> Outcome<Found> {
        let found = self.query_last(cx)?;
        let layer = self.layers.last().expect("there is a first layer");
        let states = layer.order.iter().map(|&p| {
            let state = &layer.states[&p];
            (p, state.args.as_slice(), state.reach)
        });
        let is_closed = self.points.visit(cx.store, states);
        Ok(match found {
            Found::Nothing | Found::Exhausted if is_closed => Found::Closed,
            Found::Nothing | Found::Exhausted | Found::Closed | Found::Refutation(..) => found,
        })
    }
    /// A model, once the unrolling is closed: a small one around the points, or just them.
    pub(crate) fn model_of_points(
        &self,
        cx: &mut Cx<'_>,
        system: &ChcSystem,
    ) -> Outcome<Interpretation> {
        let points = self.points.values(cx.store);
        let small = hull::model(cx, system, points)?;
        Ok(small.unwrap_or_else(|| self.points.model(cx.store, system)))
    }
    /// Some points that are reached.
    pub(crate) fn samples(&self) -> &hull::Points {
        &self.samples
    }
    fn query_last(&mut self, cx: &mut Cx<'_>) -> Outcome<Found> {
        let edges = self.query_edges(cx.store);
        if edges.is_empty() {
            return Ok(if self.is_exhausted() { Found::Exhausted } else { Found::Nothing });
        }
        let any: Vec<Term> = edges.iter().map(|e| e.taken).collect();
        let any = name_disjunction(cx.store, &mut self.solver, &any);
        let assignment = match self.solver.check_assuming(cx, &[any])? {
            Answer::Sat(model) => Some(model.assignment(cx.store)),
            Answer::Unsat(why) if why.failed().is_empty() || any == cx.store.top() => {
                return Ok(Found::Exhausted);
            }
            Answer::Unsat(_) => None,
        };
        let Some(model) = assignment else {
            let none = cx.store.not(any);
            self.solver.add(cx.store, none);
            return Ok(Found::Nothing);
        };
        let (derivation, path) = self.derivation(cx.store, &edges, &model)?;
        Ok(Found::Refutation(derivation, path))
    }
    /// Whether the last layer cannot be reached, as far as the solver knows at once.
    pub(crate) fn is_unreachable(&mut self, cx: &mut Cx<'_>) -> Outcome<bool> {
        let Some(layer) = self.layers.last() else { return Ok(true) };
        let reached: Vec<Term> = layer.order.iter().map(|p| layer.states[p].reach).collect();
        let any = cx.store.or(&reached);
        if any == cx.store.top() {
            return Ok(false);
        }
        let model = match self.solver.check_assuming(cx, &[any])? {
            Answer::Unsat(_) => return Ok(true),
            Answer::Sat(model) => model.assignment(cx.store),
        };
        self.sample(cx.store, &model)?;
        Ok(false)
    }
    /// Remembers the points on the way to the last layer that `model` describes.
    fn sample(&mut self, store: &TermStore, model: &Model) -> Result<(), NoValue> {
        let mut evaluator = Evaluator::with_defaults(model);
        let last = self.layers.last().expect("there is a first layer");
        let mut at = last.order.iter().copied().find(|p| {
            let reach = last.states[p].reach;
            evaluator.holds(store, reach) == Ok(true)
        });
        for layer in self.layers.iter().rev() {
            let Some(pred) = at else { break };
            let state = &layer.states[&pred];
            let value = |&t: &Term| evaluator.evaluate(store, t);
            let point = state.args.iter().map(value).collect::<Result<_, _>>()?;
            self.samples.entry(pred).or_default().push(point);
            let edge = taken_edge(store, &mut evaluator, &state.edges);
            at = self.rules[edge.rule].premise().map(|premise| premise.pred);
        }
        Ok(())
    }
    /// Asserts that no query fires from the last layer; the queries must have no locals.
    pub(crate) fn exclude(&mut self, store: &mut TermStore) {
        let layer = self.layers.last().expect("there is a first layer");
        for &position in &self.index.queries {
            let rule = &self.rules[position];
            let Some(premise) = rule.premise() else { continue };
            let Some(state) = layer.states.get(&premise.pred) else { continue };
            assert!(rule.locals.is_empty(), "its negation would be about all values of locals");
            let guard = rule.instantiate(store, &[&state.args]).guard;
            let harmless = store.not(guard);
            let harmless = store.implies(state.reach, harmless);
            self.solver.add(store, harmless);
        }
    }

    /// Edges from the last layer to queries; from nowhere in the first layer, for queries without
    /// body.
    fn query_edges(&mut self, store: &mut TermStore) -> Vec<Edge> {
        let mut edges = Vec::new();
        for &position in &self.index.queries {
            let rule = &self.rules[position];
            let layer = self.layers.last().expect("there is a first layer");
            let (instance, reach) = match rule.premise() {
                None if self.layers.len() > 1 => continue,
                None => (rule.instantiate(store, &[]), store.top()),
                Some(premise) => match layer.states.get(&premise.pred) {
                    Some(state) => (rule.instantiate(store, &[&state.args]), state.reach),
                    None => continue,
                },
            };
            if instance.guard == store.bottom() {
                continue;
            }
            let taken = guarded(store, &mut self.solver, reach, &[instance.guard]);
            edges.push(Edge { rule: position, taken, locals: instance.locals });
        }
        edges
    }
    /// Makes the layer that `rules` lead to from the last one.
    fn push_layer(&mut self, store: &mut TermStore, rules: &[usize]) {
        let mut layer = Layer::default();
        let mut entering: Map<PredId, Vec<(usize, Term, Instance)>> = Map::default();
        for &position in rules {
            let rule = &self.rules[position];
            let (head, _) = rule.head.as_ref().expect("queries lead to no layer");
            if !self.useful[*head] {
                continue;
            }
            let (instance, reach) = match rule.premise() {
                None => (rule.instantiate(store, &[]), store.top()),
                Some(premise) => {
                    let state =
                        &self.layers.last().expect("a body has a layer").states[&premise.pred];
                    (rule.instantiate(store, &[&state.args]), state.reach)
                }
            };
            if instance.guard == store.bottom() {
                continue;
            }
            let entering = entering.entry(*head).or_default();
            if entering.is_empty() {
                layer.order.push(*head);
            }
            entering.push((position, reach, instance));
        }
        for &pred in &layer.order {
            let edges = entering.remove(&pred).expect("every predicate of the layer is entered");
            layer.states.insert(pred, self.state(store, pred, edges));
        }
        self.layers.push(layer);
    }
    /// The state of `pred` that `edges` lead to, in a new layer.
    fn state(
        &mut self,
        store: &mut TermStore,
        pred: PredId,
        mut edges: Vec<(usize, Term, Instance)>,
    ) -> State {
        let (solver, moments, depth) = (&mut self.solver, &self.moments[pred], self.layers.len());
        let name = |store: &mut TermStore, index: usize| {
            let symbol = moments.variable(store, index, depth);
            store.constant(symbol)
        };
        if edges.len() == 1 {
            let (rule, reach, instance) = edges.pop().expect("there is one");
            let reach = guarded(store, solver, reach, &[instance.guard]);
            let mut args = instance.head;
            for (index, arg) in args.iter_mut().enumerate() {
                if !is_simple(store, *arg) {
                    let name = name(store, index);
                    let definition = store.eq(name, *arg);
                    solver.add(store, definition);
                    *arg = name;
                }
            }
            let edge = Edge { rule, taken: reach, locals: instance.locals };
            return State { args, reach, edges: vec![edge] };
        }
        let args: Vec<Term> = (0..edges[0].2.head.len())
            .map(|i| {
                let first = edges[0].2.head[i];
                if is_simple(store, first) && edges.iter().all(|(_, _, e)| e.head[i] == first) {
                    first
                } else {
                    name(store, i)
                }
            })
            .collect();
        let mut ways = Vec::new();
        for (rule, reach, instance) in edges {
            let mut facts = vec![instance.guard];
            facts.extend(args.iter().zip(&instance.head).map(|(&a, &h)| store.eq(a, h)));
            let taken = guarded(store, solver, reach, &facts);
            ways.push(Edge { rule, taken, locals: instance.locals });
        }
        let taken: Vec<Term> = ways.iter().map(|e| e.taken).collect();
        let reach = name_disjunction(store, solver, &taken);
        State { args, reach, edges: ways }
    }
    /// Walks back from the query that `model` fires.
    fn derivation(
        &self,
        store: &TermStore,
        queries: &[Edge],
        model: &Model,
    ) -> Result<(Derivation, Path), NoValue> {
        let mut evaluator = Evaluator::with_defaults(model);
        let mut steps = Vec::new();
        let mut path: Path = Vec::new();
        let mut edge = taken_edge(store, &mut evaluator, queries);
        let mut depth = self.layers.len();
        loop {
            let rule = &self.rules[edge.rule];
            let state = rule.premise().map(|p| &self.layers[depth - 1].states[&p.pred]);
            let args: Vec<&[Term]> = state.iter().map(|s| s.args.as_slice()).collect();
            let assignment = rule.values(store, &mut evaluator, &args, &edge.locals)?;
            steps.push(DerivationStep { clause: rule.clause, assignment, premises: Vec::new() });
            let Some(state) = state else { break };
            let value = |&t: &Term| evaluator.evaluate(store, t);
            path.push(state.args.iter().map(value).collect::<Result<_, _>>()?);
            edge = taken_edge(store, &mut evaluator, &state.edges);
            depth -= 1;
        }
        steps.reverse();
        path.reverse();
        for (i, step) in steps.iter_mut().enumerate().skip(1) {
            step.premises = vec![i - 1];
        }
        Ok((Derivation::ground(steps), path))
    }
}

/// The first of `edges` that is true.
fn taken_edge<'e>(store: &TermStore, model: &mut Evaluator<'_>, edges: &'e [Edge]) -> &'e Edge {
    edges
        .iter()
        .find(|e| model.holds(store, e.taken) == Ok(true))
        .expect("a state that is reached is reached by some edge")
}

/// A literal that implies `reach` and `facts`; `reach` itself if the facts are trivial.
fn guarded(store: &mut TermStore, solver: &mut Solver, reach: Term, facts: &[Term]) -> Term {
    let facts = store.and(facts);
    if facts == store.top() {
        return reach;
    }
    let lit = store.fresh("edge", Sort::BOOL);
    let lit = store.constant(lit);
    let both = store.and(&[reach, facts]);
    let implication = store.implies(lit, both);
    solver.add(store, implication);
    lit
}

/// A literal that implies one of `lits`.
fn name_disjunction(store: &mut TermStore, solver: &mut Solver, lits: &[Term]) -> Term {
    let any = store.or(lits);
    if lits.len() == 1 || any == store.top() {
        return any;
    }
    let lit = store.fresh("reach", Sort::BOOL);
    let lit = store.constant(lit);
    let implication = store.implies(lit, any);
    solver.add(store, implication);
    lit
}

/// Whether `term` is a value, a constant, or a short sum of constants.
fn is_simple(store: &TermStore, term: Term) -> bool {
    store.is_value(term)
        || store.symbol(store.strip_not(term).0).is_some()
        || store.as_sum(term).is_some_and(|sum| {
            sum.len() <= CARRIED_MONOMIALS && sum.iter().all(|(_, t)| store.symbol(t).is_some())
        })
}
