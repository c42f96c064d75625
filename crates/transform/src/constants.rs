//! Arguments that are always the same constant.
//!
//! A least fixpoint over the clauses: an argument is a constant if all clauses that derive the
//! predicate from facts found so far give it that value, by their equations and the constants among
//! their body's arguments. Such an argument is dropped, and its value is said in the constraints of
//! the clauses that use the predicate. Predicates that are not derivable at all must then be
//! `false`, since clauses that use them had no say; those clauses are dropped.
//!
//! Source: conditional constant propagation [WZ91], on Horn clauses.

use shofar_base::{IndexVec, Map, Outcome, Set};
use shofar_chc::{ChcGraph, ChcSystem, Clause, ClauseId, NormalSystem, PredId, Translated};
use shofar_term::eval::{Model, Value, evaluate};
use shofar_term::solve::solvable;
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Symbol, Term, TermStore};

use crate::Pass;
use crate::back::{Meaning, Origin, WayBack, unchanged};
use crate::normalize::on_normal;
use crate::reshape::{all, positions, reshape, reshaped};
use crate::solve::definition_of;
use crate::template::Template;

/// So many conjuncts are looked at in all; beyond, nothing is done.
const EFFORT: usize = 5_000_000;

/// Drops arguments that are always the same constant; see the module documentation.
#[derive(Clone, Copy, Debug, Default)]
pub struct FixConstants;

impl Pass for FixConstants {
    fn name(&self) -> &'static str {
        "constants"
    }
    fn apply(
        &self,
        cx: &mut Cx<'_>,
        source: ChcSystem,
    ) -> Outcome<Translated<ChcSystem, ChcSystem>> {
        on_normal(cx, source, |cx, source| {
            let found = match Propagation::run(cx, &source)? {
                Some(found) if found.iter().flatten().flatten().any(Option::is_some) => found,
                Some(_) | None => return Ok(unchanged(source.into_clauses())),
            };
            fixed(cx, source, &found)
        })
    }
}

/// For a derivable predicate, the arguments with their value if it is always the same.
type Constants = IndexVec<PredId, Option<Vec<Option<Value>>>>;

struct Propagation<'s> {
    source: &'s NormalSystem,
    found: Constants,
    /// For each clause, its equations with their variables.
    equations: IndexVec<ClauseId, Vec<(Term, Vec<Symbol>)>>,
}

impl<'s> Propagation<'s> {
    fn run(cx: &mut Cx<'_>, source: &'s NormalSystem) -> Outcome<Option<Constants>> {
        let equations = source.clauses().map(|(_, clause)| equations(cx.store, clause)).collect();
        let found = source.preds().map(|_| None).collect();
        let mut this = Self { source, found, equations };
        let graph = ChcGraph::new(source);
        let mut work: Vec<ClauseId> = source.clauses().map(|(id, _)| id).collect();
        work.reverse();
        let mut waiting: Set<ClauseId> = work.iter().copied().collect();
        let mut effort = EFFORT;
        while let Some(id) = work.pop() {
            cx.budget.check()?;
            waiting.remove(&id);
            effort = effort.saturating_sub(1 + this.equations[id].len());
            if effort == 0 {
                return Ok(None);
            }
            let Some(head) = &source.clause(id).head else { continue };
            if this.visit(cx.store, id) {
                for &user in graph.outgoing(head.pred) {
                    if waiting.insert(user) {
                        work.push(user);
                    }
                }
            }
        }
        Ok(Some(this.found))
    }
    /// Joins what clause `id` derives; true if that was news.
    fn visit(&mut self, store: &mut TermStore, id: ClauseId) -> bool {
        let mut known = Model::new();
        for atom in self.source.body(id) {
            let Some(constants) = &self.found[atom.pred] else { return false };
            for (&arg, value) in atom.args.iter().zip(constants) {
                if let Some(value) = value {
                    known.set(arg, value.clone());
                }
            }
        }
        propagate(store, &self.equations[id], &mut known);
        let head = self.source.head(id).expect("queries derive nothing");
        let derived: Vec<Option<Value>> =
            head.args.iter().map(|&arg| known.get(arg).cloned()).collect();
        let Some(constants) = &mut self.found[head.pred] else {
            self.found[head.pred] = Some(derived);
            return true;
        };
        let mut news = false;
        for (constant, value) in constants.iter_mut().zip(derived) {
            if constant.is_some() && *constant != value {
                *constant = None;
                news = true;
            }
        }
        news
    }
}

/// The conjuncts of the constraint that might give a variable its value.
fn equations(store: &TermStore, clause: &Clause) -> Vec<(Term, Vec<Symbol>)> {
    store
        .conjuncts(&[clause.constraint])
        .into_iter()
        .filter(|&part| !solvable(store, part).is_empty())
        .map(|part| (part, free_symbols(store, &[part])))
        .collect()
}

/// Solves equations with one unknown until there are none.
fn propagate(store: &mut TermStore, equations: &[(Term, Vec<Symbol>)], known: &mut Model) {
    let mut using: Map<Symbol, Vec<usize>> = Map::default();
    for (at, (_, symbols)) in equations.iter().enumerate() {
        for &symbol in symbols {
            using.entry(symbol).or_default().push(at);
        }
    }
    let mut work: Vec<usize> = (0..equations.len()).rev().collect();
    while let Some(at) = work.pop() {
        let (part, symbols) = &equations[at];
        let mut unknown = symbols.iter().filter(|&&symbol| known.get(symbol).is_none());
        let (Some(&symbol), None) = (unknown.next(), unknown.next()) else { continue };
        if let Some(term) = definition_of(store, *part, symbol)
            && let Ok(value) = evaluate(store, term, known)
        {
            known.set(symbol, value);
            work.extend(&using[&symbol]);
        }
    }
}

/// The system without the arguments that are constant.
fn fixed(
    cx: &mut Cx<'_>,
    source: NormalSystem,
    found: &Constants,
) -> Outcome<Translated<ChcSystem, ChcSystem>> {
    let mut kept = all(cx.store, &source, true);
    for pred in source.preds() {
        for (at, value) in found[pred].iter().flatten().enumerate() {
            kept[pred][at] = value.is_none();
        }
    }
    let mut target = reshape(cx.store, &source, &kept);
    let mut origins: IndexVec<ClauseId, Origin> = IndexVec::new();
    for (id, clause) in source.clauses() {
        cx.budget.check()?;
        if clause.body.iter().any(|atom| found[atom.pred].is_none()) {
            continue;
        }
        let mut parts = vec![clause.constraint];
        for atom in &clause.body {
            for (&arg, value) in atom.args.iter().zip(found[atom.pred].iter().flatten()) {
                let Some(value) = value else { continue };
                let sort = cx.store.sort(arg);
                let value = cx.store.value_term(value, sort);
                parts.push(cx.store.eq(arg, value));
            }
        }
        let constraint = cx.store.and(&parts);
        let head = clause.head.as_ref().map(|head| reshaped(head, &kept));
        let body = clause.body.iter().map(|atom| reshaped(atom, &kept)).collect();
        let args = head.as_ref().map_or_else(Vec::new, |head| head.args.clone());
        let templates = vec![Template::of(cx.store, &source, id)];
        origins.push(Origin::Made { head: args, templates });
        target.add_clause(Clause { head, body, constraint, span: clause.span });
    }
    let meaning = |pred: PredId| {
        if found[pred].is_none() {
            return Meaning::Constant(false);
        }
        let values = found[pred].iter().flatten().enumerate();
        let fixed = values.filter_map(|(at, value)| Some((at, value.clone()?))).collect();
        Meaning::Kept { pred, args: positions(&kept[pred]), fixed }
    };
    let meanings = source.preds().map(meaning).collect();
    Ok((
        target,
        Box::new(WayBack {
            source: source.into_clauses(),
            meanings,
            origins,
            eliminated: Vec::new(),
        }),
    ))
}
