//! Clauses of any recursion-free system as copies in normal form.
//!
//! Each occurrence of a symbol in a body gets a copy of the symbol of its own, and with it copies
//! of the clauses that derive it, and so on. The variables of a copy of a clause are renamed apart,
//! with the parameters of the copies for the arguments; in a [`NormalSystem`] these are distinct
//! variables already, so no equation is needed. A formula for a symbol is the conjunction of
//! those for its copies, because solutions are closed under conjunction.
//!
//! The full normal form ([`Copies::all`]) may be exponentially larger than the clauses, which
//! nobody can help in general; [`lazy`](crate::lazy) makes only those copies that it needs.
//!
//! Source: [RHK13b] (normal form and expansion of recursion-free clauses). DIVERGENCE [RHK13b]:
//! clauses that nothing uses and that derive no `false` have one copy as well, so that the normal
//! form has all clauses.

use shofar_base::{GaveUp, IndexVec, Map, Outcome};
use shofar_chc::{
    ChcGraph, ClauseId, Definition, Derivation, DerivationStep, Interpretation, NormalSystem,
    PredId, formal_params,
};
use shofar_term::eval::Model;
use shofar_term::substitute::Substitution;
use shofar_term::{Cx, Symbol, Term, TermStore};

use crate::normal_form::NormalForm;

/// A clause of the system under new names.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    pub(crate) clause: ClauseId,
    /// The variables of the clause and what they are called here.
    names: Vec<(Symbol, Symbol)>,
}

impl Instance {
    /// The values of the clause's own variables.
    pub(crate) fn values(&self, assignment: &Model) -> Model {
        let mut values = Model::with_capacity(self.names.len());
        for &(symbol, name) in &self.names {
            if let Some(value) = assignment.get(name) {
                values.set(symbol, value.clone());
            }
        }
        values
    }
}

/// Copies of symbols and clauses; see the module documentation.
#[derive(Clone, Debug, Default)]
pub struct Copies {
    /// The copies.
    pub form: NormalForm,
    /// The predicate of which each symbol is a copy.
    pub(crate) pred_of: IndexVec<PredId, PredId>,
    /// The clause of which each clause is a copy; none if it is no copy.
    pub(crate) instance_of: IndexVec<ClauseId, Option<Instance>>,
}

impl Copies {
    /// The whole system in normal form; gives up beyond `most` copies of clauses.
    pub fn all(cx: &mut Cx<'_>, system: &NormalSystem, most: usize) -> Outcome<Self> {
        let graph = ChcGraph::new(system);
        let mut this = Self::default();
        let mut open: Vec<(ClauseId, Option<PredId>)> =
            graph.queries().iter().rev().map(|&id| (id, None)).collect();
        for pred in system.preds().filter(|&pred| graph.outgoing(pred).is_empty()) {
            let copy = this.symbol(cx.store, system, pred);
            open.extend(graph.incoming(pred).iter().rev().map(|&id| (id, Some(copy))));
        }
        while let Some((id, head)) = open.pop() {
            cx.budget.check()?;
            if this.instance_of.len() >= most {
                return Err(GaveUp::incomplete("the expansion is too large"));
            }
            let mut body = Vec::new();
            for atom in &system.clause(id).body {
                let copy = this.symbol(cx.store, system, atom.pred);
                open.extend(graph.incoming(atom.pred).iter().rev().map(|&id| (id, Some(copy))));
                body.push(copy);
            }
            this.clause(cx.store, system, id, head, body);
        }
        Ok(this)
    }
    /// The predicate of which `symbol` is a copy.
    pub fn pred(&self, symbol: PredId) -> PredId {
        self.pred_of[symbol]
    }
    /// The clause of which `id` is a copy, if it is one.
    pub fn original(&self, id: ClauseId) -> Option<ClauseId> {
        self.instance_of[id].as_ref().map(|instance| instance.clause)
    }
    /// A new copy of a predicate.
    pub(crate) fn symbol(
        &mut self,
        store: &mut TermStore,
        system: &NormalSystem,
        pred: PredId,
    ) -> PredId {
        let sorts = system.sorts(store, pred).to_vec();
        let params = sorts.iter().map(|&sort| store.fresh("at", sort)).collect();
        self.pred_of.push(pred);
        self.form.add_symbol(params)
    }
    /// A copy of a clause over copies of its symbols.
    pub(crate) fn clause(
        &mut self,
        store: &mut TermStore,
        system: &NormalSystem,
        id: ClauseId,
        head: Option<PredId>,
        body: Vec<PredId>,
    ) -> ClauseId {
        let clause = system.clause(id);
        let mut names: Map<Symbol, Symbol> = Map::default();
        let atoms = system.body(id).iter().zip(&body);
        for (atom, &copy) in atoms.chain(system.head(id).into_iter().zip(&head)) {
            names.extend(atom.args.iter().copied().zip(self.form.params(copy).iter().copied()));
        }
        let mut pairs = Vec::new();
        let mut map: Map<Term, Term> = Map::default();
        for symbol in clause.variables(store) {
            let sort = store.result(symbol);
            let name = *names.entry(symbol).or_insert_with(|| store.fresh("in", sort));
            map.insert(store.constant(symbol), store.constant(name));
            pairs.push((symbol, name));
        }
        let constraint = Substitution::new(map).apply(store, clause.constraint);
        self.instance_of.push(Some(Instance { clause: id, names: pairs }));
        self.form.add_clause(head, body, constraint)
    }
    /// A clause that is no copy.
    pub(crate) fn further(
        &mut self,
        head: Option<PredId>,
        body: Vec<PredId>,
        constraint: Term,
    ) -> ClauseId {
        self.instance_of.push(None);
        self.form.add_clause(head, body, constraint)
    }
    /// The solution for the system of one for the copies: a conjunction for each predicate.
    pub fn solution(
        &self,
        store: &mut TermStore,
        system: &NormalSystem,
        solution: &IndexVec<PredId, Term>,
    ) -> Interpretation {
        let mut conjuncts: IndexVec<PredId, Vec<Term>> =
            system.preds().map(|_| Vec::new()).collect();
        for copy in self.form.symbols() {
            let pred = self.pred_of[copy];
            let params = formal_params(store, system, pred);
            conjuncts[pred].push(self.form.said_of(store, copy, solution[copy], &params));
        }
        let mut model = Interpretation::new();
        for pred in system.preds() {
            let params = formal_params(store, system, pred);
            let body = store.and(&conjuncts[pred]);
            model.define(pred, Definition { params, body });
        }
        model
    }
    /// The derivation in the system of one whose clauses are all copies.
    pub fn derivation(&self, derivation: &Derivation) -> Derivation {
        let step = |step: &DerivationStep| {
            let instance = self.instance_of[step.clause].as_ref().expect("every clause is a copy");
            DerivationStep {
                clause: instance.clause,
                assignment: instance.values(&step.assignment),
                premises: step.premises.clone(),
            }
        };
        Derivation::ground(derivation.steps.iter().map(step).collect())
    }
}
