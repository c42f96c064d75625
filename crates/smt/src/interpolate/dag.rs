//! Restricted DAG interpolants: what holds at the vertices of an acyclic graph none of whose paths can be taken.
//!
//! A graph has an entry, an exit, labels of vertices `L_V` and of edges `L_E`. Interpolants give each vertex `v` a formula over its
//! parameters such that `I(entry) = true`, `I(exit) = false`, and `I(v) ∧ L_V(v) ∧ L_E(v, w)` implies `I(w) ∧ L_V(w)` for every edge.
//! They exist exactly if no path from the entry reaches the exit, or a vertex whose label does not hold there. Usually
//! the parameters of a vertex are the symbols that its incoming and its outgoing edges have in common
//! ([`Dag::share_symbols`]).
//!
//! The paths are not enumerated. Each vertex has names of its own for its parameters and a literal that says that it is reached;
//! then the graph is one formula of its size. If that is unsatisfiable, the vertices are interpolated from the
//! entry on: `A` says that some edge leads to the vertex from what its predecessors' interpolants say, under names that
//! occur nowhere else, so that only the vertex' own are shared with the rest of the graph, in which every vertex that is
//! done is reached only where its interpolant holds.
//!
//! Source: [AGC12] §4 (DAG interpolants), [RHK13b] §3 (restricted DAG interpolants are solutions of linear clauses).
//! DIVERGENCE [AGC12]: vertices are interpolated one after the other, so no symbol has to be eliminated from a cut through the graph.

use shofar_base::{GaveUp, Map, Outcome};
use shofar_term::eval::Evaluator;
use shofar_term::substitute::Substitution;
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Sort, Symbol, Term, TermStore};

use super::Interpolation;
use crate::answer::Answer;
use crate::certify::{self, Objection};
use crate::{Options, Solver, implies};

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
    /// Edges from the entry on that can be taken, to the exit or to a vertex whose label does not hold then.
    Path(Vec<usize>),
    /// A formula for each vertex.
    Interpolants(Vec<Term>),
}

impl Dag {
    /// Makes the symbols that incoming and outgoing edges of a vertex have in common its parameters.
    pub fn share_symbols(&mut self, store: &TermStore) {
        for at in 0..self.vertices.len() {
            let labels = |is_own: &dyn Fn(&DagEdge) -> bool| -> Vec<Term> {
                self.edges.iter().filter(|e| is_own(e)).map(|e| e.label).collect()
            };
            let mut params = free_symbols(store, &labels(&|e| e.to == at));
            let outgoing = free_symbols(store, &labels(&|e| e.from == at));
            params.retain(|symbol| outgoing.binary_search(symbol).is_ok());
            self.vertices[at].params = params;
        }
    }
    /// A path, or an interpolant for every vertex.
    pub fn solve(
        &self,
        cx: &mut Cx<'_>,
        options: &Options,
        how: &Interpolation,
    ) -> Outcome<DagAnswer> {
        let encoding = Encoding::of(cx.store, self);
        let mut solver = Solver::new(options.clone());
        for part in encoding.rest(cx.store, self, &vec![None; self.vertices.len()], None) {
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
        for vertex in self.topological() {
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
            if symbols.iter().any(|symbol| !self.vertices[vertex].params.contains(symbol)) {
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
    /// The vertices, each after those that lead to it.
    fn topological(&self) -> Vec<usize> {
        let mut open: Vec<usize> = vec![0; self.vertices.len()];
        for edge in &self.edges {
            open[edge.to] += 1;
        }
        let mut order: Vec<usize> = (0..open.len()).filter(|&v| open[v] == 0).collect();
        let mut next = 0;
        while let Some(&vertex) = order.get(next) {
            next += 1;
            for edge in self.edges.iter().filter(|e| e.from == vertex) {
                open[edge.to] -= 1;
                if open[edge.to] == 0 {
                    order.push(edge.to);
                }
            }
        }
        assert_eq!(order.len(), self.vertices.len(), "the graph has no cycle");
        order
    }
}

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
struct Encoding {
    /// The own names of the parameters of each vertex.
    names: Vec<Vec<(Symbol, Symbol)>>,
    reached: Vec<Term>,
    edges: Vec<Edge>,
}

fn proposition(store: &mut TermStore, prefix: &str) -> Term {
    let symbol = store.fresh(prefix, Sort::BOOL);
    store.constant(symbol)
}

impl Encoding {
    fn of(store: &mut TermStore, dag: &Dag) -> Self {
        let (mut names, mut reached) = (Vec::new(), Vec::new());
        for (at, vertex) in dag.vertices.iter().enumerate() {
            let mut own = Vec::new();
            for &param in &vertex.params {
                let prefix = store.name(param).to_owned();
                own.push((param, store.fresh(&prefix, store.result(param))));
            }
            names.push(own);
            let is_entry = at == dag.entry;
            reached.push(if is_entry { store.top() } else { proposition(store, "reached") });
        }
        let mut this = Self { names, reached, edges: Vec::new() };
        for edge in &dag.edges {
            let own = this.edge(store, dag, *edge);
            this.edges.push(own);
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
            let constant = store.constant(symbol);
            if store.params(symbol).is_empty() && !map.contains_key(&constant) {
                let (prefix, sort) = (store.name(symbol).to_owned(), store.result(symbol));
                let local = store.fresh(&prefix, sort);
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
    /// What the graph says, with interpolants for vertices that are `done`, and nothing about how `but` is reached.
    fn rest(
        &self,
        store: &mut TermStore,
        dag: &Dag,
        done: &[Option<Term>],
        but: Option<usize>,
    ) -> Vec<Term> {
        let mut parts = Vec::new();
        let mut wrong = vec![self.reached[dag.exit]];
        for (edge, own) in dag.edges.iter().zip(&self.edges) {
            let here = store.and(&[self.reached[edge.from], own.condition]);
            let fails = store.and(&[here, own.failure]);
            parts.push(store.implies(own.failed, fails));
            parts.push(store.implies(own.taken, here));
            wrong.push(own.failed);
        }
        parts.push(store.or(&wrong));
        for vertex in (0..dag.vertices.len()).filter(|&v| v != dag.entry && Some(v) != but) {
            let meaning = done[vertex].unwrap_or_else(|| {
                let ways = dag.edges.iter().zip(&self.edges).filter(|(e, _)| e.to == vertex);
                let ways: Vec<Term> = ways.map(|(_, own)| own.taken).collect();
                store.or(&ways)
            });
            parts.push(store.implies(self.reached[vertex], meaning));
        }
        parts
    }
    /// The interpolant of a vertex, over its own names.
    fn interpolate(
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
        for (edge, own) in dag.edges.iter().zip(&self.edges).filter(|(e, _)| e.to == vertex) {
            let before = done[edge.from].unwrap_or_else(|| cx.store.bool(edge.from == dag.entry));
            let way = cx.store.and(&[before, own.condition]);
            ways.push(self.apart(cx.store, vertex, way));
        }
        let below = cx.store.or(&ways);
        if below == cx.store.bottom() {
            return Ok(below);
        }
        let evidence = crate::Evidence::Proofs;
        let mut solver = Solver::new(Options { evidence, ..options.clone() });
        let below = solver.add(cx.store, below);
        for part in self.rest(cx.store, dag, done, Some(vertex)) {
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
                let (prefix, sort) = (store.name(symbol).to_owned(), store.result(symbol));
                let copy = store.fresh(&prefix, sort);
                map.insert(store.constant(symbol), store.constant(copy));
            }
        }
        Substitution::new(map).apply(store, formula)
    }
    /// A formula over the own names of a vertex, said of its parameters.
    fn original(&self, store: &mut TermStore, vertex: usize, formula: Term) -> Term {
        let mut map: Map<Term, Term> = Map::default();
        for &(param, name) in &self.names[vertex] {
            map.insert(store.constant(name), store.constant(param));
        }
        Substitution::new(map).apply(store, formula)
    }
    /// The path that a model describes.
    fn path(&self, store: &TermStore, dag: &Dag, model: &mut Evaluator<'_>) -> Outcome<Vec<usize>> {
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
            for (edge, own) in self.edges.iter().enumerate() {
                if dag.edges[edge].to == at && model.holds(store, own.taken)? {
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

#[cfg(test)]
mod tests {
    use shofar_base::{Budget, Rng};

    use super::*;

    fn solve(store: &mut TermStore, dag: &Dag) -> DagAnswer {
        let budget = Budget::unlimited();
        let cx = &mut Cx::new(store, &budget);
        dag.solve(cx, &Options::default(), &Interpolation::default()).expect("no limit")
    }

    fn graph(store: &TermStore, count: usize, edges: &[(usize, usize, Term)]) -> Dag {
        let vertex = DagVertex { label: store.top(), params: Vec::new() };
        let edge = |&(from, to, label)| DagEdge { from, to, label };
        let edges = edges.iter().map(edge).collect();
        let mut dag = Dag { vertices: vec![vertex; count], edges, entry: 0, exit: count - 1 };
        dag.share_symbols(store);
        dag
    }

    /// From `x = 0` by one or two to `y`, by one or two to `z`; the label of the second vertex says more or less than that.
    #[test]
    fn a_diamond_with_labels() {
        let mut s = TermStore::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| s.var(name, Sort::INT));
        let numbers = [0, 1, 2, 3, 5].map(|n| s.int(n));
        let start = s.eq(x, numbers[0]);
        let by = |s: &mut TermStore, to, from, n| {
            let sum = s.add(&[from, numbers[n]]);
            s.eq(to, sum)
        };
        let (one, two) = (by(&mut s, y, x, 1), by(&mut s, y, x, 2));
        let (further, same) = (by(&mut s, z, y, 2), by(&mut s, z, y, 1));
        let end = s.ge(z, numbers[4]);
        let edges =
            [(0, 1, start), (1, 2, one), (1, 2, two), (2, 3, further), (2, 3, same), (3, 4, end)];
        let mut dag = graph(&s, 5, &edges);
        let DagAnswer::Interpolants(found) = solve(&mut s, &dag) else { panic!("z is 4 at most") };
        let budget = Budget::unlimited();
        let cx = &mut Cx::new(&mut s, &budget);
        assert_eq!(dag.check(cx, &found), Ok(Ok(())));
        let (top, bottom) = (cx.store.top(), cx.store.bottom());
        let wrong = vec![top, top, top, top, bottom];
        assert!(dag.check(cx, &wrong).expect("no limit").is_err(), "the last edge can be taken");
        dag.vertices[2].label = s.le(y, numbers[2]);
        assert!(matches!(solve(&mut s, &dag), DagAnswer::Interpolants(_)));
        dag.vertices[2].label = s.le(y, numbers[1]);
        let DagAnswer::Path(path) = solve(&mut s, &dag) else { panic!("y may be 2") };
        assert_eq!(path, [0, 2]);
        dag.vertices[2].label = s.top();
        dag.edges[5].label = s.ge(z, numbers[3]);
        let DagAnswer::Path(path) = solve(&mut s, &dag) else { panic!("z may be 3") };
        assert_eq!((path.len(), path[0], path[3]), (4, 0, 5));
    }

    /// Twenty diamonds have a million paths.
    #[test]
    fn paths_are_not_enumerated() {
        let mut s = TermStore::new();
        let mut edges = Vec::new();
        let mut before = s.int(0);
        for at in 0..20 {
            let x = s.var(&format!("x{at}"), Sort::INT);
            for n in [1, 2] {
                let n = s.int(n);
                let sum = s.add(&[before, n]);
                edges.push((at, at + 1, s.eq(x, sum)));
            }
            before = x;
        }
        let most = s.int(40);
        edges.push((20, 21, s.gt(before, most)));
        let dag = graph(&s, 22, &edges);
        assert!(matches!(solve(&mut s, &dag), DagAnswer::Interpolants(_)));
    }

    #[test]
    fn random_graphs() {
        let mut rng = Rng::new(17);
        let (mut paths, mut refuted) = (0, 0);
        for _ in 0..80 {
            let mut s = TermStore::new();
            let count = 3 + rng.below(4);
            let mut edges = Vec::new();
            for to in 1..count {
                for _ in 0..=rng.below(2) {
                    let from = rng.below(to);
                    let name = |at: usize| format!("v{at}");
                    let (x, y) = (s.var(&name(from), Sort::INT), s.var(&name(to), Sort::INT));
                    let n = s.int(rng.range(-2, 3));
                    let sum = s.add(&[x, n]);
                    let step = if rng.chance(60) { s.eq(y, sum) } else { s.lt(y, sum) };
                    let zero = s.int(0);
                    let start = if from == 0 { s.eq(x, zero) } else { s.top() };
                    let end = if to == count - 1 { s.gt(y, zero) } else { s.top() };
                    edges.push((from, to, s.and(&[start, step, end])));
                }
            }
            let dag = graph(&s, count, &edges);
            match solve(&mut s, &dag) {
                DagAnswer::Path(path) => {
                    let labels: Vec<Term> = path.iter().map(|&e| dag.edges[e].label).collect();
                    let budget = Budget::unlimited();
                    let cx = &mut Cx::new(&mut s, &budget);
                    let bottom = cx.store.bottom();
                    assert_eq!(implies(cx, Options::default(), &labels, bottom), Ok(false));
                    paths += 1;
                }
                DagAnswer::Interpolants(_) => refuted += 1,
            }
        }
        assert!(paths > 10 && refuted > 10, "both occur: {paths} and {refuted}");
    }
}
