//! Predicates without arguments that are derivable.
//!
//! The beginning of a long program matters to what follows only in that it comes to an end: once
//! nobody needs its values, the predicates between its pieces have no arguments. Such a predicate
//! that is derivable is true in every model, so it is dropped from bodies, and with it whatever was
//! only needed to derive it. A refutation gets its derivation back.
//!
//! Predicates are looked at in the order in which chains of clauses derive them if constraints are
//! left out of account. For each, the first such chain that begins with facts known to be derivable
//! is tried, by one query; chains that go through a loop first are not looked at, so some derivable
//! predicates stay. Where chains become long, one fact of a predicate with arguments is kept to
//! begin others with.
//!
//! Invariant: the derivation of a fact rests only on those that were found before it.
//!
//! Source: forward chaining for propositional Horn clauses, [DG84].

use std::collections::VecDeque;

use shofar_base::{GaveUp, IndexVec, Outcome};
use shofar_chc::{
    BackTranslation, ChcGraph, ChcSystem, ClauseId, Derivation, DerivationStep, Hint,
    Interpretation, PredAtom, PredId, Translated,
};
use shofar_smt::Options;
use shofar_term::eval::{Evaluator, Model, Value};
use shofar_term::size::dag_size;
use shofar_term::{Cx, Term, TermStore};

use crate::Pass;
use crate::back::{Meaning, WayBack, emit, kept, unchanged};
use crate::complete::free_values;
use crate::drop::{mapped, predicates};
use crate::stepwise::LONGEST;
use crate::template::{Instance, Premise, Template};

/// Chains of more clauses are not tried.
const MOST_INSTANCES: usize = 24;
/// From so many clauses one after the other, a fact is looked for to begin other chains with.
const LONG: usize = 6;
/// So many clauses of a predicate are tried.
const MOST_CLAUSES: usize = 4;
/// Chains whose constraints have more subterms are not tried.
const MOST_TERMS: usize = 400;
/// So many case distinctions between integers are made for a chain.
const SPLITS: u32 = 20;

/// Drops predicates without arguments that are derivable; see the module documentation.
#[derive(Clone, Copy, Debug, Default)]
pub struct DropCertain;

impl Pass for DropCertain {
    fn name(&self) -> &'static str {
        "certain"
    }
    fn apply(
        &self,
        cx: &mut Cx<'_>,
        source: ChcSystem,
    ) -> Outcome<Translated<ChcSystem, ChcSystem>> {
        let has_candidate = |pred| source.sorts(cx.store, pred).is_empty();
        if !source.preds().any(has_candidate) {
            return Ok(unchanged(source));
        }
        let found = Search::new(&source).run(cx)?;
        if !found.order.iter().any(|&pred| found.is_certain(pred)) {
            return Ok(unchanged(source));
        }
        Ok(without(cx.store, source, found))
    }
}

/// How a fact is derived.
struct Chain {
    template: Template,
    /// Values for the variables of each clause of the chain.
    values: Vec<Model>,
    /// The predicates whose facts it rests on.
    given: Vec<PredId>,
    /// The arguments of the fact.
    fact: Vec<Value>,
}

/// Facts that are derivable, at most one of each predicate.
struct Found {
    chains: IndexVec<PredId, Option<Chain>>,
    /// In the order in which they were found.
    order: Vec<PredId>,
}

impl Found {
    /// Whether a predicate has no arguments and is derivable.
    fn is_certain(&self, pred: PredId) -> bool {
        self.chains[pred].as_ref().is_some_and(|chain| chain.fact.is_empty())
    }
}

struct Search<'s> {
    source: &'s ChcSystem,
    graph: ChcGraph<'s>,
    /// The clause that derives a predicate first.
    first: IndexVec<PredId, Option<ClauseId>>,
    found: Found,
}

impl<'s> Search<'s> {
    fn new(source: &'s ChcSystem) -> Self {
        let first = source.preds().map(|_| None).collect();
        let chains = source.preds().map(|_| None).collect();
        let found = Found { chains, order: Vec::new() };
        Self { source, graph: ChcGraph::new(source), first, found }
    }
    fn run(mut self, cx: &mut Cx<'_>) -> Outcome<Found> {
        let mut length: IndexVec<PredId, usize> = self.source.preds().map(|_| 0).collect();
        for pred in self.order() {
            cx.budget.check()?;
            let body = self.first[pred].map_or(&[][..], |id| &self.source.clause(id).body);
            length[pred] = 1 + body.iter().map(|atom| length[atom.pred]).max().unwrap_or(0);
            let is_candidate = self.source.sorts(cx.store, pred).is_empty();
            if !is_candidate && !length[pred].is_multiple_of(LONG) {
                continue;
            }
            if let Some(chain) = self.derive(cx, pred)? {
                self.found.chains[pred] = Some(chain);
                self.found.order.push(pred);
                length[pred] = 0;
            }
        }
        Ok(self.found)
    }
    /// The predicates in the order in which chains of clauses derive them, and by which clause each
    /// is derived first.
    fn order(&mut self) -> Vec<PredId> {
        let source = self.source;
        let mut open: IndexVec<ClauseId, usize> =
            source.clauses().map(|(_, clause)| clause.body.len()).collect();
        let facts = source.clauses().filter(|(_, clause)| clause.body.is_empty());
        let mut ready: VecDeque<ClauseId> = facts.map(|(id, _)| id).collect();
        let mut order = Vec::new();
        while let Some(id) = ready.pop_front() {
            let Some(head) = &source.clause(id).head else { continue };
            if self.first[head.pred].is_some() {
                continue;
            }
            self.first[head.pred] = Some(id);
            order.push(head.pred);
            for &user in self.graph.outgoing(head.pred) {
                let body = &source.clause(user).body;
                open[user] -= body.iter().filter(|atom| atom.pred == head.pred).count();
                if open[user] == 0 {
                    ready.push_back(user);
                }
            }
        }
        order
    }
    /// A chain that derives a fact of a predicate.
    fn derive(&self, cx: &mut Cx<'_>, pred: PredId) -> Outcome<Option<Chain>> {
        let others = self.graph.incoming(pred).iter().copied();
        let others = others.filter(|&id| Some(id) != self.first[pred]);
        for id in self.first[pred].into_iter().chain(others).take(MOST_CLAUSES) {
            let Some((template, given)) = self.chain(cx.store, id) else { continue };
            let options = Options { integer_splits: Some(SPLITS), ..Options::default() };
            let facts = given.iter().filter_map(|&given| self.found.chains[given].as_ref());
            let premises = facts.map(|chain| chain.fact.clone()).collect();
            match free_values(cx, self.source, &template, premises, options) {
                Ok(Some(values)) => {
                    let fact = self.fact(cx.store, id, &values[template.root])?;
                    return Ok(Some(Chain { template, values, given, fact }));
                }
                Ok(None) | Err(GaveUp::Incomplete(_) | GaveUp::Unsupported(_)) => (),
                Err(why) => return Err(why),
            }
        }
        Ok(None)
    }
    /// The arguments of what a clause derives.
    fn fact(&self, store: &TermStore, id: ClauseId, values: &Model) -> Outcome<Vec<Value>> {
        let mut evaluator = Evaluator::with_defaults(values);
        let args = self.source.clause(id).head.iter().flat_map(|head| &head.args);
        let values = args.map(|&arg| evaluator.evaluate(store, arg));
        Ok(values.collect::<Result<_, _>>()?)
    }
    /// The chain that ends with a clause, and the predicates whose facts it rests on; nothing if
    /// there is none or it is too long.
    fn chain(&self, store: &mut TermStore, last: ClauseId) -> Option<(Template, Vec<PredId>)> {
        let (mut instances, mut given) = (vec![self.instance(store, last)], Vec::new());
        let (mut next, mut constraints): (usize, Vec<Term>) = (0, Vec::new());
        while next < instances.len() {
            let clause = self.source.clause(instances[next].clause);
            constraints.push(clause.constraint);
            for atom in &clause.body {
                let premise = if self.found.chains[atom.pred].is_some() {
                    given.push(atom.pred);
                    Premise::Given(given.len() - 1)
                } else {
                    instances.push(self.instance(store, self.first[atom.pred]?));
                    Premise::Inner(instances.len() - 1)
                };
                instances[next].premises.push(premise);
            }
            if instances.len() > MOST_INSTANCES {
                return None;
            }
            next += 1;
        }
        let sizes = constraints.iter().map(|&constraint| dag_size(store, &[constraint]));
        let template = Template { instances, root: 0, completion: Vec::new(), guard: None };
        (sizes.sum::<usize>() <= MOST_TERMS).then_some((template, given))
    }
    /// A clause with names of its own for its variables.
    fn instance(&self, store: &mut TermStore, clause: ClauseId) -> Instance {
        let own = self.source.clause(clause).variables(store).into_iter();
        let named = own.map(|symbol| {
            let (name, sort) = (store.name(symbol).to_owned(), store.result(symbol));
            (symbol, store.fresh(&name, sort))
        });
        Instance { clause, variables: named.collect(), premises: Vec::new() }
    }
}

/// The clauses without what was found, and the way back.
fn without(store: &TermStore, source: ChcSystem, found: Found) -> Translated<ChcSystem, ChcSystem> {
    let keep = source.preds().map(|pred| !found.is_certain(pred)).collect();
    let (mut target, ids) = predicates(&source, &keep);
    let meaning = |pred: PredId| match ids[pred] {
        Some(to) => kept(store, &source, pred, to),
        None => Meaning::Constant(true),
    };
    let meanings = source.preds().map(meaning).collect();
    let mut origins = IndexVec::new();
    for (id, clause) in source.clauses() {
        let mut clause = clause.clone();
        clause.body.retain(|atom| keep[atom.pred]);
        if let Some(clause) = mapped(&clause, &ids) {
            target.add_clause(clause);
            let _: ClauseId = origins.push(id);
        }
    }
    let way = WayBack { source, meanings, origins: IndexVec::new(), eliminated: Vec::new() };
    (target, Box::new(Back { way, origins, found }))
}

/// The way back.
struct Back {
    /// For all but refutations.
    way: WayBack,
    origins: IndexVec<ClauseId, ClauseId>,
    found: Found,
}

impl Back {
    /// The predicates that steps by these clauses rest on, those that others rest on first.
    fn needed(&self, steps: &[DerivationStep]) -> Vec<PredId> {
        let mut is_needed: IndexVec<PredId, bool> =
            self.found.chains.iter().map(|_| false).collect();
        for step in steps {
            for atom in &self.way.source.clause(self.origins[step.clause]).body {
                is_needed[atom.pred] |= self.found.is_certain(atom.pred);
            }
        }
        let mut needed = Vec::new();
        for &pred in self.found.order.iter().rev() {
            if is_needed[pred] {
                needed.push(pred);
                for &given in self.found.chains[pred].iter().flat_map(|chain| &chain.given) {
                    is_needed[given] = true;
                }
            }
        }
        needed.reverse();
        needed
    }
}

impl BackTranslation<ChcSystem, ChcSystem> for Back {
    fn hints(&self, store: &mut TermStore, hints: Vec<Hint>) -> Vec<Hint> {
        self.way.hints(store, hints)
    }
    fn model(&self, cx: &mut Cx<'_>, model: Interpretation) -> Outcome<Interpretation> {
        self.way.model(cx, model)
    }
    fn refutation(&self, cx: &mut Cx<'_>, refutation: Derivation) -> Outcome<Derivation> {
        let refutation = refutation.expanded(cx.store, LONGEST)?;
        let mut made = Derivation::default();
        let mut known: IndexVec<PredId, Option<usize>> =
            self.found.chains.iter().map(|_| None).collect();
        for pred in self.needed(&refutation.steps) {
            let Some(chain) = &self.found.chains[pred] else { continue };
            let given: Option<Vec<usize>> = chain.given.iter().map(|&given| known[given]).collect();
            let given = given.ok_or(GaveUp::wrong("a chain rests on what was found later"))?;
            emit(&mut made, &chain.template, chain.values.clone(), &given);
            known[pred] = made.steps.len().checked_sub(1);
        }
        let offset = made.steps.len();
        for DerivationStep { clause, assignment, premises } in refutation.steps {
            let clause = self.origins[clause];
            let mut others = premises.into_iter().map(|premise| premise + offset);
            let body = &self.way.source.clause(clause).body;
            let premise = |atom: &PredAtom| {
                let is_certain = self.found.is_certain(atom.pred);
                if is_certain { known[atom.pred] } else { others.next() }
            };
            let premises: Option<Vec<usize>> = body.iter().map(premise).collect();
            let premises = premises.ok_or(GaveUp::wrong("a step has too few premises"))?;
            made.steps.push(DerivationStep { clause, assignment, premises });
        }
        Ok(made)
    }
}
