//! Clauses as bytes.

use shofar_base::wire::{Reader, Wire, Writer};
use shofar_base::{Idx, Span};
use shofar_term::symbols::free_symbols;
use shofar_term::{Sort, Symbol, Term, TermStore};

use super::{Roots, is_quantifier_free, read_terms, write_terms};
use crate::{ChcSystem, Clause, PredAtom, PredId, formal_params};

const MAGIC: &[u8] = b"shofar clauses 1\n";

/// The clauses of `system` as bytes.
pub fn export_system(store: &mut TermStore, system: &ChcSystem) -> Vec<u8> {
    let mut out = Writer::new(MAGIC);
    write_system(&mut out, store, system);
    out.finish()
}

/// The system in `bytes`, with terms of `store`.
pub fn import_system(store: &mut TermStore, bytes: &[u8]) -> Wire<ChcSystem> {
    let mut bytes = Reader::new(bytes, MAGIC)?;
    let system = read_system(&mut bytes, store)?;
    bytes.end()?;
    Ok(system)
}

/// Predicates as applications, then the terms of each clause; then how clauses are made of them.
pub(super) fn write_system(out: &mut Writer, store: &mut TermStore, system: &ChcSystem) {
    let mut roots = Vec::new();
    for pred in system.preds() {
        let params = formal_params(store, system, pred);
        let params: Vec<Term> = params.into_iter().map(|param| store.constant(param)).collect();
        roots.push(store.app(system.symbol(pred), &params));
    }
    roots.extend(system.clauses().flat_map(|(_, clause)| clause.terms()));
    write_terms(out, store, &roots);
    out.length(system.pred_count());
    out.length(system.clause_count());
    for (_, clause) in system.clauses() {
        out.length(clause.body.len());
        for atom in &clause.body {
            out.length(atom.pred.index());
        }
        out.length(clause.head.as_ref().map_or(0, |head| head.pred.index() + 1));
        out.length(clause.span.map_or(0, |span| span.start + 1));
        out.length(clause.span.map_or(0, |span| span.end - span.start));
    }
}

pub(super) fn read_system(bytes: &mut Reader<'_>, store: &mut TermStore) -> Wire<ChcSystem> {
    let mut roots = read_terms(bytes, store)?;
    let mut system = ChcSystem::new();
    for _ in 0..bytes.index(roots.len() + 1, "there are too few terms")? {
        let symbol = roots.predicate(bytes, store)?;
        bytes.require(system.pred(symbol).is_none(), "a predicate occurs twice")?;
        system.add_pred(symbol);
    }
    let mut terms = Vec::new();
    for _ in 0..bytes.length()? {
        let clause = read_clause(bytes, store, &system, &mut roots)?;
        terms.extend(clause.terms());
        system.add_clause(clause);
    }
    roots.end(bytes)?;
    bytes.require(is_quantifier_free(store, &terms), "a clause with a quantifier")?;
    let is_variable =
        |&symbol: &Symbol| store.params(symbol).is_empty() && system.pred(symbol).is_none();
    let well_formed = free_symbols(store, &terms).iter().all(is_variable);
    bytes.require(well_formed, "a predicate or function inside a constraint or an argument")?;
    Ok(system)
}

fn read_clause(
    bytes: &mut Reader<'_>,
    store: &TermStore,
    system: &ChcSystem,
    roots: &mut Roots,
) -> Wire<Clause> {
    let constraint = roots.formula(bytes, store)?;
    let count = bytes.length()?;
    let mut body = Vec::new();
    for _ in 0..count {
        let pred = bytes.index(system.pred_count(), "there is no such predicate")?;
        body.push(read_atom(bytes, store, system, PredId::from_index(pred), roots)?);
    }
    let head = bytes.index(system.pred_count() + 1, "there is no such predicate")?;
    let head = match head.checked_sub(1) {
        Some(pred) => Some(read_atom(bytes, store, system, PredId::from_index(pred), roots)?),
        None => None,
    };
    let span = read_span(bytes)?;
    Ok(Clause { head, body, constraint, span })
}

fn read_atom(
    bytes: &Reader<'_>,
    store: &TermStore,
    system: &ChcSystem,
    pred: PredId,
    roots: &mut Roots,
) -> Wire<PredAtom> {
    let argument = |sort: &Sort| {
        let term = roots.next(bytes)?;
        bytes.require(store.sort(term) == *sort, "an argument has the wrong sort")?;
        Ok(term)
    };
    let args = system.sorts(store, pred).iter().map(argument).collect::<Wire<Vec<Term>>>()?;
    Ok(PredAtom { pred, args })
}

/// A place in the text that the clauses come from, if they come from one.
pub(super) fn read_span(bytes: &mut Reader<'_>) -> Wire<Option<Span>> {
    let too_large = "a place is beyond every text";
    let start = bytes.index(usize::MAX, too_large)?;
    let length = bytes.index(usize::MAX, too_large)?;
    let Some(start) = start.checked_sub(1) else { return Ok(None) };
    let end = start.checked_add(length).ok_or_else(|| bytes.error(too_large))?;
    Ok(Some(Span::new(start, end)))
}
