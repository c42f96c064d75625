//! Linear recursion-free clauses as a graph, and back.
//!
//! Clauses `C ∧ p(x̄) → q(ȳ)` are the edges from `p` to `q` of a graph, those without a body edges
//! from the entry, and those for `false` edges to the exit. Parallel clauses are one edge, whose
//! label is their disjunction. Restricted DAG interpolants of the graph are a solution of the
//! clauses, without any copy of a symbol that is used more than once.
//!
//! The other way, a graph with labels `L_V` and `L_E` has the clauses
//!
//! - `true → p_entry` and `p_exit → false`,
//! - `L_V(v) ∧ L_E(v, w) ∧ p_v → p_w` for each edge, and
//! - `L_V(v) ∧ ¬L_V(w) ∧ L_E(v, w) ∧ p_v → false` for each edge to a vertex with a label.
//!
//! Source: [RHK13] (linear clauses and restricted DAG interpolation). DIVERGENCE [RHK13]: vertices
//! say what their parameters are, so no trivial equation has to be added to a label.

use std::collections::BTreeMap;

use shofar_base::{Idx as _, IndexVec, Map, Outcome};
use shofar_chc::{
    ChcSystem, Clause, ClauseId, Definition, Derivation, Interpretation, LinearSystem,
    NormalSystem, PredAtom, PredId, Verdict,
};
use shofar_smt::{Dag, DagAnswer, DagEdge, DagVertex};
use shofar_term::substitute::Substitution;
use shofar_term::{Cx, Sort, Symbol, Term, TermStore};

use crate::copies::Copies;
use crate::normal_form::Solved;
use crate::{Class, Options};

/// Linear clauses as a graph; see the module documentation.
#[derive(Clone, Debug)]
pub struct LinearGraph {
    /// A vertex for each predicate, in their order, then the entry and the exit.
    pub dag: Dag,
    /// The clauses that each edge stands for.
    pub clauses: Vec<Vec<ClauseId>>,
}

impl LinearGraph {
    /// The graph of clauses; nothing if they are recursive, or some is not linear.
    pub fn of(store: &mut TermStore, system: &NormalSystem) -> Option<Self> {
        let linear = LinearSystem::of(system).filter(|_| Class::of(system).recursion_free)?;
        let mut params: IndexVec<PredId, Vec<Symbol>> = IndexVec::new();
        for pred in system.preds() {
            let sorts = system.sorts(store, pred).to_vec();
            params.push(sorts.iter().map(|&sort| store.fresh("at", sort)).collect());
        }
        let (entry, exit) = (system.pred_count(), system.pred_count() + 1);
        let mut clauses: BTreeMap<(usize, usize), Vec<ClauseId>> = BTreeMap::new();
        for (id, clause) in system.clauses() {
            let from = linear.premise(id).map_or(entry, |atom| atom.pred.index());
            let to = clause.head.as_ref().map_or(exit, |atom| atom.pred.index());
            clauses.entry((from, to)).or_default().push(id);
        }
        let mut edges = Vec::with_capacity(clauses.len());
        for (&(from, to), parallel) in &clauses {
            let labels: Vec<Term> =
                parallel.iter().map(|&id| label(store, system.clause(id), &params)).collect();
            edges.push(DagEdge { from, to, label: store.or(&labels) });
        }
        let top = store.top();
        let mut vertices: Vec<DagVertex> =
            params.iter().map(|own| DagVertex { label: top, params: own.clone() }).collect();
        vertices.extend([(); 2].map(|()| DagVertex { label: top, params: Vec::new() }));
        let dag = Dag { vertices, edges, entry, exit };
        Some(Self { dag, clauses: clauses.into_values().collect() })
    }
    /// A solution of the clauses, or a derivation of `false`.
    pub fn solve(
        &self,
        cx: &mut Cx<'_>,
        system: &NormalSystem,
        options: &Options,
    ) -> Outcome<Verdict<NormalSystem>> {
        let solver = shofar_smt::Options { seed: options.seed, ..shofar_smt::Options::default() };
        let found = match self.dag.solve(cx, &solver, &options.interpolation)? {
            DagAnswer::Interpolants(found) => found,
            DagAnswer::Path(path) => {
                return Ok(Verdict::Unsafe(self.derivation(cx, system, &path, options)?));
            }
        };
        let mut model = Interpretation::new();
        for pred in system.preds() {
            let params = self.dag.vertices[pred.index()].params.clone();
            model.define(pred, Definition { params, body: found[pred.index()] });
        }
        Ok(Verdict::Safe(model))
    }
    /// A derivation along a path that can be taken.
    fn derivation(
        &self,
        cx: &mut Cx<'_>,
        system: &NormalSystem,
        path: &[usize],
        options: &Options,
    ) -> Outcome<Derivation> {
        let mut copies = Copies::default();
        let mut before: Vec<PredId> = Vec::new();
        for &edge in path {
            let to = self.dag.edges[edge].to;
            let is_pred = to < system.pred_count();
            let pred = || PredId::from_index(to);
            let head = is_pred.then(|| copies.symbol(cx.store, system, pred()));
            for &id in &self.clauses[edge] {
                copies.clause(cx.store, system, id, head, before.clone());
            }
            before = head.into_iter().collect();
        }
        match copies.form.solve(cx, options)? {
            Solved::Counterexample(derivation) => Ok(copies.derivation(&derivation)),
            Solved::Solution(_) => unreachable!("the path can be taken"),
        }
    }
}

/// What a clause says of the parameters of its predicates.
fn label(store: &mut TermStore, clause: &Clause, params: &IndexVec<PredId, Vec<Symbol>>) -> Term {
    let mut map: Map<Term, Term> = Map::default();
    for atom in clause.body.iter().chain(&clause.head) {
        for (&arg, &param) in atom.args.iter().zip(&params[atom.pred]) {
            map.insert(arg, store.constant(param));
        }
    }
    Substitution::new(map).apply(store, clause.constraint)
}

/// The clauses of a graph; the predicates are its vertices, in their order.
pub fn clauses_of_dag(store: &mut TermStore, dag: &Dag) -> ChcSystem {
    let mut system = ChcSystem::new();
    for (at, vertex) in dag.vertices.iter().enumerate() {
        let sorts: Vec<Sort> = vertex.params.iter().map(|&param| store.result(param)).collect();
        system.add_pred(store.declare(&format!("v{at}"), &sorts, Sort::BOOL));
    }
    let atom = |store: &mut TermStore, at: usize| {
        let params = &dag.vertices[at].params;
        let args = params.iter().map(|&param| store.constant(param)).collect();
        PredAtom { pred: PredId::from_index(at), args }
    };
    let mut add = |head: Option<PredAtom>, body: Vec<PredAtom>, constraint: Term| {
        system.add_clause(Clause { head, body, constraint, span: None });
    };
    add(Some(atom(store, dag.entry)), Vec::new(), store.top());
    for edge in &dag.edges {
        let (from, to) = (dag.vertices[edge.from].label, dag.vertices[edge.to].label);
        let taken = store.and(&[from, edge.label]);
        add(Some(atom(store, edge.to)), vec![atom(store, edge.from)], taken);
        if to != store.top() {
            let fails = store.not(to);
            let fails = store.and(&[taken, fails]);
            add(None, vec![atom(store, edge.from)], fails);
        }
    }
    add(None, vec![atom(store, dag.exit)], store.top());
    system
}
