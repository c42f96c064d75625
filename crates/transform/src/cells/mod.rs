//! Arrays seen through a few of their cells: `P(x, a)` becomes `P'(x, k, a[k])`.
//!
//! A model `P'` gives `P(x, a) := ∀k. P'(x, k, a[k])`. A clause `P(x, a) ∧ φ → Q(y, b)` then needs,
//! for an arbitrary index `k` of the head, instances of `∀` in its body at those indices where
//! cells of `a` matter: one body atom becomes several, and what is read from arrays in `φ` and in
//! the head is an expression over cells ([`read`]). Fewer instances make the new clause stronger,
//! so any choice of them is sound for models; refutations are candidates, which are replayed on the
//! old clauses ([`crate::replay`]). With no cell at all ([`Mode::Forget`]), arrays are forgotten
//! between clauses, and models are as they come. Further cells are at constants and at scalar
//! arguments ([`watch`]); they need no quantifier. A refutation whose replay fails tells which of
//! them would have shown that ([`Wanted`]).
//!
//! Bit-vectors are simple values as numbers are; `int_blast` makes numbers of them behind this
//! pass. Data of other sorts than Bool, Int, Real, bit-vectors and arrays of them are left out of
//! predicates, and arbitrary within a clause.
//!
//! Invariants: clauses keep their ids; a new clause has the scalar variables of the old one under
//! their names; equations between arrays are used to replace variables first, so that a cell
//! belongs to a variable that no equation defines.
//!
//! Source: [MG16] §4 and [BGM21] §3 (data abstraction by cells). Symbols: `k` → slots, `a[k]` →
//! cells. DIVERGENCE [MG16]: instances are made where a cell is needed rather than for all indices
//! of a clause; arrays share indices.

mod clause;
mod layout;
mod read;
mod watch;

use shofar_base::{GaveUp, IndexVec, Map, Outcome, Set};
use shofar_chc::{
    BackTranslation, ChcSystem, ClauseId, Definition, Derivation, Exactness, Interpretation,
    PredId, Translated, formal_params,
};
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Quantifier, Sort, Term, TermStore};

use crate::Pass;
use crate::back::unchanged;
use crate::foreign::is_arithmetic;
use crate::normalize::on_normal;
use crate::replay::{Candidate, Replayed, replay_or_conflict, spurious};
use crate::stepwise::LONGEST;
use layout::Layout;
use read::Names;
pub use watch::{Wanted, Watch, Watches};

/// Which cells of its arrays a predicate has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mode {
    /// None.
    Forget,
    /// One, at an index that all arrays share, and those at these fixed indices.
    Shared(Vec<Term>),
    /// One for each array, at an index of its own.
    Own,
    /// Two, at a pair of indices that all arrays share.
    Pair,
}

impl Mode {
    fn copies(&self) -> usize {
        match self {
            Mode::Forget => 0,
            Mode::Shared(_) | Mode::Own => 1,
            Mode::Pair => 2,
        }
    }
    fn fixed(&self) -> &[Term] {
        match self {
            Mode::Shared(fixed) => fixed,
            Mode::Forget | Mode::Own | Mode::Pair => &[],
        }
    }
    /// Cells with the same key have the same index.
    fn key(
        &self,
        arg: usize,
        depth: usize,
        copy: usize,
        sort: Sort,
    ) -> (usize, usize, usize, Sort) {
        match self {
            Mode::Forget | Mode::Shared(_) | Mode::Pair => (0, depth, copy, sort),
            Mode::Own => (arg, depth, copy, sort),
        }
    }
}

/// Replaces arrays by cells; see the module documentation.
#[derive(Clone, Debug)]
pub struct Cells {
    /// Which cells.
    pub mode: Mode,
    /// Cells that predicates have besides, and from which more follow.
    pub watched: Watches,
    /// What spurious refutations ask for.
    pub wanted: Wanted,
}

impl Cells {
    /// The cells that `mode` says, and no others.
    pub fn new(mode: Mode) -> Self {
        Self { mode, watched: Watches::new(), wanted: Wanted::default() }
    }
}

impl Pass for Cells {
    fn name(&self) -> &'static str {
        match self.mode {
            Mode::Forget if !self.watched.is_empty() => "watched cells",
            Mode::Forget => "forget",
            Mode::Shared(_) => "cells",
            Mode::Own => "own cells",
            Mode::Pair => "pairs of cells",
        }
    }
    fn apply(
        &self,
        cx: &mut Cx<'_>,
        source: ChcSystem,
    ) -> Outcome<Translated<ChcSystem, ChcSystem>> {
        if is_arithmetic(cx.store, &source) {
            return Ok(unchanged(source));
        }
        on_normal(cx, source, |cx, source| self.abstraction(cx, source.into_clauses()))
    }
}

impl Cells {
    fn abstraction(
        &self,
        cx: &mut Cx<'_>,
        source: ChcSystem,
    ) -> Outcome<Translated<ChcSystem, ChcSystem>> {
        let mut target = ChcSystem::new();
        let watched = watch::closure(cx, &source, &self.watched)?;
        let layout = |pred| Layout::new(cx.store, &source, &mut target, pred, &self.mode, &watched);
        let layouts: IndexVec<PredId, Layout> = source.preds().map(layout).collect();
        let (mut names, mut firsts) = (Names::default(), IndexVec::new());
        for (_, clause) in source.clauses() {
            cx.budget.check()?;
            let made = clause::abstraction(cx.store, clause, &layouts, &self.mode, &mut names);
            target.add_clause(made.clause);
            firsts.push(made.firsts);
        }
        let wanted = self.wanted.clone();
        Ok((target, Box::new(FromCells { source, layouts, firsts, wanted })))
    }
}

/// The integers and bit-vectors at which the queries of `system` read arrays; no more than `most`.
pub fn fixed_indices(store: &TermStore, system: &ChcSystem, most: usize) -> Vec<Term> {
    let queries = system.clauses().filter(|(_, clause)| clause.is_query());
    let terms: Vec<Term> = queries.flat_map(|(_, clause)| clause.terms()).collect();
    let (mut found, mut seen) = (Vec::new(), Set::default());
    for term in shofar_term::visit::postorder(store, &terms) {
        if let Some(shofar_term::ArrayKind::Select(_, index)) = store.array_kind(term)
            && store.is_value(index)
            && (store.sort(index).is_int() || store.bits_width(store.sort(index)).is_some())
            && found.len() < most
            && seen.insert(index)
        {
            found.push(index);
        }
    }
    found
}

/// The way back.
struct FromCells {
    source: ChcSystem,
    layouts: IndexVec<PredId, Layout>,
    /// For each clause, where in the new body the first instance of each old atom stands.
    firsts: IndexVec<ClauseId, Vec<usize>>,
    wanted: Wanted,
}

impl FromCells {
    /// What the new definition says about the old arguments.
    fn definition(
        &self,
        store: &mut TermStore,
        pred: PredId,
        definition: &Definition,
    ) -> Definition {
        let layout = &self.layouts[pred];
        let params = formal_params(store, &self.source, pred);
        let constants: Vec<Term> = params.iter().map(|&param| store.constant(param)).collect();
        let new = |&sort: &Sort| {
            let symbol = store.fresh("k", sort);
            store.constant(symbol)
        };
        let slots: Vec<Term> = layout.slots.iter().map(new).collect();
        let mut args: Vec<Term> = layout.kept.iter().map(|&at| constants[at]).collect();
        args.extend(&slots);
        for cell in &layout.cells {
            let path = Layout::path(cell, &slots, |at| constants[at]);
            args.push(path.iter().fold(constants[cell.arg], |a, &index| store.select(a, index)));
        }
        let body = definition.apply(store, &args);
        let occurring = free_symbols(store, &[body]);
        let occurs = |slot: &Term| {
            store.symbol(*slot).is_some_and(|symbol| occurring.binary_search(&symbol).is_ok())
        };
        let bound: Vec<Term> = slots.into_iter().filter(occurs).collect();
        Definition { params, body: store.quantify(Quantifier::Forall, body, &bound) }
    }
}

impl BackTranslation<ChcSystem, ChcSystem> for FromCells {
    fn exactness(&self) -> Exactness {
        Exactness::Over
    }
    fn model(&self, cx: &mut Cx<'_>, model: Interpretation) -> Outcome<Interpretation> {
        let mut result = Interpretation::new();
        for pred in self.source.preds() {
            cx.budget.check()?;
            let definition = model
                .get(self.layouts[pred].pred)
                .ok_or_else(|| GaveUp::wrong("the model lacks a predicate"))?;
            result.define(pred, self.definition(cx.store, pred, definition));
        }
        Ok(result)
    }
    fn refutation(&self, cx: &mut Cx<'_>, refutation: Derivation) -> Outcome<Derivation> {
        let refutation = refutation.expanded(cx.store, LONGEST)?;
        let mut needed = vec![false; refutation.steps.len()];
        let premises = |at: usize| -> Vec<usize> {
            let step = &refutation.steps[at];
            self.firsts[step.clause].iter().map(|&first| step.premises[first]).collect()
        };
        if let Some(last) = needed.last_mut() {
            *last = true;
        }
        for at in (0..needed.len()).rev() {
            if needed[at] {
                for premise in premises(at) {
                    needed[premise] = true;
                }
            }
        }
        let mut places: Map<usize, usize> = Map::default();
        let mut steps = Vec::new();
        for (at, step) in refutation.steps.iter().enumerate() {
            if needed[at] {
                let premises = premises(at).iter().map(|premise| places[premise]).collect();
                places.insert(at, steps.len());
                let (clause, values) = (step.clause, step.assignment.clone());
                steps.push(Candidate { clause, premises, values });
            }
        }
        match replay_or_conflict(cx, &self.source, &steps)? {
            Replayed::Derivation(derivation) => Ok(derivation),
            Replayed::Conflict(conflict) => {
                self.wanted.add(watch::wanted(cx, &self.source, &conflict)?);
                Err(spurious())
            }
        }
    }
}

#[cfg(test)]
mod tests;
