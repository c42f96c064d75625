//! Restricted DAG interpolants: what holds at the vertices of an acyclic graph none of whose paths
//! can be taken.
//!
//! A graph has an entry, an exit, labels of vertices `L_V` and of edges `L_E`. Interpolants give
//! each vertex `v` a formula over its parameters such that `I(entry) = true`, `I(exit) = false`,
//! and `I(v) ∧ L_V(v) ∧ L_E(v, w)` implies `I(w) ∧ L_V(w)` for every edge. They exist exactly if no
//! path from the entry reaches the exit, or a vertex whose label does not hold there. Usually
//! the parameters of a vertex are the symbols that its incoming and its outgoing edges have in
//! common ([`Dag::share_symbols`]).
//!
//! The paths are not enumerated. Each vertex has names of its own for its parameters and a literal
//! that says that it is reached; then the graph is one formula of its size ([`encoding`]). If that
//! is unsatisfiable, the vertices are interpolated from the entry on: `A` says that some edge leads
//! to the vertex from what its predecessors' interpolants say, under names that occur nowhere else,
//! and `B` that a path leads on from the vertex, so that only the vertex' own names are shared.
//!
//! Invariant: from where the interpolant of a vertex holds, no path can be taken. So `A` and `B` of
//! the next one contradict each other.
//!
//! Functions mean the same everywhere, so every interpolant may use them.
//!
//! Source: [AGC12] (DAG interpolants), [RHK13] (restricted DAG interpolants are solutions of linear
//! clauses). DIVERGENCE [AGC12]: vertices are interpolated one after the other, so no symbol has to
//! be eliminated from a cut through the graph.

mod encoding;

use shofar_base::{GaveUp, Outcome};
use shofar_term::eval::Evaluator;
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Symbol, Term, TermStore};

use super::Interpolation;
use crate::answer::Answer;
use crate::certify::{self, Objection};
use crate::{Options, Solver, implies};
use encoding::Encoding;

/// A vertex.
#[derive(Clone, Debug)]
pub struct DagVertex {
    /// What holds there by claim: it is assumed on leaving, and to be shown on entering.
    pub label: Term,
    /// What its interpolant may speak about.
    pub params: Vec<Symbol>,
}

/// An edge.
#[derive(Clone, Copy, Debug)]
pub struct DagEdge {
    /// Where it starts.
    pub from: usize,
    /// Where it leads to.
    pub to: usize,
    /// When it can be taken; a symbol that is a parameter of both ends keeps its value.
    pub label: Term,
}

/// An acyclic graph; see the module documentation.
#[derive(Clone, Debug)]
pub struct Dag {
    /// The vertices.
    pub vertices: Vec<DagVertex>,
    /// The edges.
    pub edges: Vec<DagEdge>,
    /// Where paths start; nothing leads there, and it has no parameters.
    pub entry: usize,
    /// Where paths end; nothing leads on from there.
    pub exit: usize,
}

/// What is known of a graph.
#[derive(Clone, Debug)]
pub enum DagAnswer {
    /// Edges from the entry on that can be taken, to the exit or to a vertex whose label does not
    /// hold then.
    Path(Vec<usize>),
    /// A formula for each vertex.
    Interpolants(Vec<Term>),
}

impl Dag {
    /// Makes the constants that incoming and outgoing edges of a vertex have in common its
    /// parameters.
    pub fn share_symbols(&mut self, store: &TermStore) {
        let mut labels = vec![(Vec::new(), Vec::new()); self.vertices.len()];
        for edge in &self.edges {
            labels[edge.to].0.push(edge.label);
            labels[edge.from].1.push(edge.label);
        }
        for (vertex, (incoming, outgoing)) in self.vertices.iter_mut().zip(&labels) {
            let outgoing = free_symbols(store, outgoing);
            vertex.params = free_symbols(store, incoming);
            vertex.params.retain(|symbol| {
                store.params(*symbol).is_empty() && outgoing.binary_search(symbol).is_ok()
            });
        }
    }
    /// A path, or an interpolant for every vertex.
    pub fn solve(
        &self,
        cx: &mut Cx<'_>,
        options: &Options,
        how: &Interpolation,
    ) -> Outcome<DagAnswer> {
        let order = self.topological();
        let encoding = Encoding::of(cx.store, self);
        let mut solver = Solver::new(options.clone());
        for part in encoding.ahead(cx.store, self, self.entry) {
            solver.add(cx.store, part);
        }
        let model = match solver.check(cx)? {
            Answer::Sat(view) => Some(view.assignment(cx.store)),
            Answer::Unsat(_) => None,
        };
        if let Some(model) = model {
            let mut evaluator = Evaluator::with_defaults(&model);
            return encoding.path(cx.store, self, &mut evaluator).map(DagAnswer::Path);
        }
        let mut done: Vec<Option<Term>> = vec![None; self.vertices.len()];
        for vertex in order {
            if vertex != self.entry && vertex != self.exit {
                done[vertex] = Some(encoding.interpolate(cx, self, vertex, &done, options, how)?);
            }
        }
        let mut interpolants = Vec::with_capacity(done.len());
        for (vertex, own) in done.iter().enumerate() {
            interpolants.push(match own {
                Some(own) => encoding.original(cx.store, vertex, *own),
                None => cx.store.bool(vertex == self.entry),
            });
        }
        if how.certify || cfg!(debug_assertions) {
            self.certify(cx, &interpolants)?;
        }
        Ok(DagAnswer::Interpolants(interpolants))
    }
    fn certify(&self, cx: &mut Cx<'_>, interpolants: &[Term]) -> Outcome<()> {
        match self.check(cx, interpolants) {
            Ok(Err(objection)) => {
                debug_assert!(false, "a DAG interpolant is wrong: {objection}");
                Err(GaveUp::wrong(format!("a DAG interpolant: {objection}")))
            }
            // What cannot be decided within the limits of a check is no objection.
            Ok(Ok(())) | Err(GaveUp::Incomplete(_)) => Ok(()),
            Err(why) => Err(why),
        }
    }
    /// Whether `interpolants`, one for each vertex, meet all side conditions.
    pub fn check(&self, cx: &mut Cx<'_>, interpolants: &[Term]) -> Outcome<Result<(), Objection>> {
        let ends = [(self.entry, cx.store.top()), (self.exit, cx.store.bottom())];
        for (vertex, wanted) in ends {
            if interpolants[vertex] != wanted {
                return Ok(Err(Objection(format!("vertex {vertex} is an end"))));
            }
        }
        for (vertex, &interpolant) in interpolants.iter().enumerate() {
            let symbols = free_symbols(cx.store, &[interpolant]);
            let is_foreign = |symbol: &Symbol| {
                cx.store.params(*symbol).is_empty()
                    && !self.vertices[vertex].params.contains(symbol)
            };
            if symbols.iter().any(is_foreign) {
                return Ok(Err(Objection(format!("vertex {vertex} has a foreign symbol"))));
            }
        }
        for (at, &DagEdge { from, to, label }) in self.edges.iter().enumerate() {
            let premises = [interpolants[from], self.vertices[from].label, label];
            let conclusion = cx.store.and(&[interpolants[to], self.vertices[to].label]);
            if !implies(cx, certify::limited(), &premises, conclusion)? {
                return Ok(Err(Objection(format!("edge {at} does not preserve them"))));
            }
        }
        Ok(Ok(()))
    }
    /// The edges that leave each vertex.
    fn outgoing(&self) -> Vec<Vec<usize>> {
        let mut outgoing = vec![Vec::new(); self.vertices.len()];
        for (at, edge) in self.edges.iter().enumerate() {
            outgoing[edge.from].push(at);
        }
        outgoing
    }
    /// The vertices, each after those that lead to it.
    fn topological(&self) -> Vec<usize> {
        let outgoing = self.outgoing();
        let mut open: Vec<usize> = vec![0; self.vertices.len()];
        for edge in &self.edges {
            open[edge.to] += 1;
        }
        let mut order: Vec<usize> = (0..open.len()).filter(|&v| open[v] == 0).collect();
        let mut next = 0;
        while let Some(&vertex) = order.get(next) {
            next += 1;
            for to in outgoing[vertex].iter().map(|&edge| self.edges[edge].to) {
                open[to] -= 1;
                if open[to] == 0 {
                    order.push(to);
                }
            }
        }
        assert_eq!(order.len(), self.vertices.len(), "the graph has no cycle");
        order
    }
}

#[cfg(test)]
mod tests;
