//! A graph as a formula: a path from a vertex on can be taken.
//!
//! A symbol means something else at every vertex that has it as a parameter, so parameters get
//! names of their own there, and all other constants of an edge names that occur nowhere else. A
//! parameter of both ends of an edge keeps its value along it. Literals say that a vertex is
//! reached, that an edge is taken, or that the label of its end fails behind it; each implies
//! what it says, so a model shows a path, going backwards from its end.
//!
//! Source: [AGC12] (the formula of all paths of a graph). DIVERGENCE [AGC12]: names are per vertex
//! and edge, not per program variable in static single assignment.

use shofar_base::{GaveUp, Map, Outcome};
use shofar_term::eval::Evaluator;
use shofar_term::substitute::Substitution;
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Sort, Symbol, Term, TermStore};

use super::{Dag, DagEdge};
use crate::answer::Answer;
use crate::{Evidence, Interpolation, Options, Solver};

/// An edge under names of its own.
struct Edge {
    /// Implies that it is taken.
    taken: Term,
    /// That it can be taken.
    condition: Term,
    /// Implies that it can be taken though the label of its end does not hold then.
    failed: Term,
    /// That label, negated.
    failure: Term,
}

/// The graph as a formula.
pub(super) struct Encoding {
    /// The own names of the parameters of each vertex.
    names: Vec<Vec<(Symbol, Symbol)>>,
    reached: Vec<Term>,
    edges: Vec<Edge>,
    incoming: Vec<Vec<usize>>,
    outgoing: Vec<Vec<usize>>,
}

fn proposition(store: &mut TermStore, prefix: &str) -> Term {
    let symbol = store.fresh(prefix, Sort::BOOL);
    store.constant(symbol)
}

/// A fresh constant like `symbol`.
fn copy_of(store: &mut TermStore, symbol: Symbol) -> Symbol {
    let prefix = store.name(symbol).to_owned();
    store.fresh(&prefix, store.result(symbol))
}

impl Encoding {
    pub(super) fn of(store: &mut TermStore, dag: &Dag) -> Self {
        let mut this = Self {
            names: Vec::new(),
            reached: Vec::new(),
            edges: Vec::new(),
            incoming: vec![Vec::new(); dag.vertices.len()],
            outgoing: dag.outgoing(),
        };
        for vertex in &dag.vertices {
            this.names.push(vertex.params.iter().map(|&p| (p, copy_of(store, p))).collect());
            this.reached.push(proposition(store, "reached"));
        }
        for (at, edge) in dag.edges.iter().enumerate() {
            let own = this.edge(store, dag, *edge);
            this.edges.push(own);
            this.incoming[edge.to].push(at);
        }
        this
    }
    fn edge(&self, store: &mut TermStore, dag: &Dag, edge: DagEdge) -> Edge {
        let (from, to) = (dag.vertices[edge.from].label, dag.vertices[edge.to].label);
        let mut map: Map<Term, Term> = Map::default();
        let mut parts = Vec::new();
        for &(param, name) in self.names[edge.from].iter().chain(&self.names[edge.to]) {
            let (param, name) = (store.constant(param), store.constant(name));
            if let Some(&before) = map.get(&param) {
                parts.push(store.eq(name, before));
            } else {
                map.insert(param, name);
            }
        }
        for symbol in free_symbols(store, &[from, edge.label, to]) {
            if !store.params(symbol).is_empty() {
                continue;
            }
            let constant = store.constant(symbol);
            if !map.contains_key(&constant) {
                let local = copy_of(store, symbol);
                map.insert(constant, store.constant(local));
            }
        }
        let mut by = Substitution::new(map);
        parts.extend([by.apply(store, from), by.apply(store, edge.label)]);
        let condition = store.and(&parts);
        let label = by.apply(store, to);
        let failure = store.not(label);
        let taken = proposition(store, "taken");
        let failed = if failure == store.bottom() { failure } else { proposition(store, "failed") };
        Edge { taken, condition, failed, failure }
    }
    /// That a path can be taken from `vertex` on, to the exit or to a vertex whose label does not
    /// hold then.
    pub(super) fn ahead(&self, store: &mut TermStore, dag: &Dag, vertex: usize) -> Vec<Term> {
        let mut ways: Vec<Option<Vec<Term>>> = vec![None; dag.vertices.len()];
        let mut parts = vec![self.reached[vertex]];
        let mut wrong = Vec::new();
        let mut open = vec![vertex];
        while let Some(from) = open.pop() {
            for &at in &self.outgoing[from] {
                let (own, to) = (&self.edges[at], dag.edges[at].to);
                let here = store.and(&[self.reached[from], own.condition]);
                let fails = store.and(&[here, own.failure]);
                parts.push(store.implies(own.failed, fails));
                parts.push(store.implies(own.taken, here));
                wrong.push(own.failed);
                let known = ways[to].get_or_insert_with(|| {
                    open.push(to);
                    Vec::new()
                });
                known.push(own.taken);
            }
        }
        for (to, ways) in ways.iter().enumerate() {
            if let Some(ways) = ways {
                let some = store.or(ways);
                parts.push(store.implies(self.reached[to], some));
            }
        }
        if vertex == dag.exit || ways[dag.exit].is_some() {
            wrong.push(self.reached[dag.exit]);
        }
        parts.push(store.or(&wrong));
        parts
    }
    /// The interpolant of a vertex, over its own names.
    pub(super) fn interpolate(
        &self,
        cx: &mut Cx<'_>,
        dag: &Dag,
        vertex: usize,
        done: &[Option<Term>],
        options: &Options,
        how: &Interpolation,
    ) -> Outcome<Term> {
        cx.budget.check()?;
        let mut ways = Vec::new();
        for &at in &self.incoming[vertex] {
            let from = dag.edges[at].from;
            let before = done[from].unwrap_or_else(|| cx.store.bool(from == dag.entry));
            let way = cx.store.and(&[before, self.edges[at].condition]);
            ways.push(self.apart(cx.store, vertex, way));
        }
        let below = cx.store.or(&ways);
        if below == cx.store.bottom() {
            return Ok(below);
        }
        let evidence = Evidence::Proofs;
        let mut solver = Solver::new(Options { evidence, ..options.clone() });
        let below = solver.add(cx.store, below);
        for part in self.ahead(cx.store, dag, vertex) {
            solver.add(cx.store, part);
        }
        match solver.check(cx)? {
            Answer::Unsat(proof) => proof.interpolant_with(cx, &[below], how),
            Answer::Sat(_) => Err(GaveUp::wrong("the paths of a graph cannot be taken, and can")),
        }
    }
    /// `formula` with names that occur nowhere else, but for those of `vertex`.
    fn apart(&self, store: &mut TermStore, vertex: usize, formula: Term) -> Term {
        let mut map: Map<Term, Term> = Map::default();
        for symbol in free_symbols(store, &[formula]) {
            let is_own = self.names[vertex].iter().any(|&(_, name)| name == symbol);
            if !is_own && store.params(symbol).is_empty() {
                let copy = copy_of(store, symbol);
                map.insert(store.constant(symbol), store.constant(copy));
            }
        }
        Substitution::new(map).apply(store, formula)
    }
    /// A formula over the own names of a vertex, said of its parameters.
    pub(super) fn original(&self, store: &mut TermStore, vertex: usize, formula: Term) -> Term {
        let mut map: Map<Term, Term> = Map::default();
        for &(param, name) in &self.names[vertex] {
            map.insert(store.constant(name), store.constant(param));
        }
        Substitution::new(map).apply(store, formula)
    }
    /// The path that a model describes.
    pub(super) fn path(
        &self,
        store: &TermStore,
        dag: &Dag,
        model: &mut Evaluator<'_>,
    ) -> Outcome<Vec<usize>> {
        let mut path = Vec::new();
        let mut at = dag.exit;
        if !model.holds(store, self.reached[at])? {
            for (edge, own) in self.edges.iter().enumerate() {
                if model.holds(store, own.failed)? {
                    path.push(edge);
                    at = dag.edges[edge].from;
                    break;
                }
            }
        }
        while at != dag.entry {
            let mut way = None;
            for &edge in &self.incoming[at] {
                if model.holds(store, self.edges[edge].taken)? {
                    way = Some(edge);
                    break;
                }
            }
            let edge = way.ok_or_else(|| GaveUp::wrong("a vertex is reached by no edge"))?;
            path.push(edge);
            at = dag.edges[edge].from;
        }
        path.reverse();
        Ok(path)
    }
}
