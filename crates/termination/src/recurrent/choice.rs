//! Choosing what a path leaves open.
//!
//! A value that becomes a variable of the next state may be the value that the variable has
//! (*keep*), or a bound that the guard gives to it (*least* and *most*), or a number that a model
//! of the guard gives to it (*value*). A strategy tries these in an order, one open symbol after
//! the other. What is chosen only makes fewer runs: every choice is sound.

use shofar_base::Outcome;
use shofar_chc::formal_params;
use shofar_smt::{Answer, Options, Solver};
use shofar_term::eval::Model;
use shofar_term::symbols::free_symbols;
use shofar_term::{Comparison, Cx, LinearLiteral, Symbol, Term, TermStore};

use super::path::Path;
use crate::program::Program;

/// How an open symbol is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    Keep,
    Least,
    Most,
    Value,
}

/// Orders in which choices are tried.
const STRATEGIES: [&[Choice]; 5] = [
    &[Choice::Keep, Choice::Least, Choice::Most, Choice::Value],
    &[Choice::Least, Choice::Most, Choice::Value],
    &[Choice::Most, Choice::Least, Choice::Value],
    &[Choice::Value],
    &[Choice::Keep, Choice::Value],
];

/// The path with everything chosen, in several ways.
pub(crate) fn chosen(cx: &mut Cx<'_>, program: &Program, path: &Path) -> Outcome<Vec<Path>> {
    if path.open.is_empty() {
        return Ok(vec![path.clone()]);
    }
    let mut result: Vec<Path> = Vec::new();
    for strategy in STRATEGIES {
        let mut path = path.clone();
        while let Some(&symbol) = path.open.first() {
            let Some(term) = choose(cx, program, &path, symbol, strategy)? else { break };
            path.choose(cx.store, symbol, term);
        }
        let is_new = result.iter().all(|other| other.steps != path.steps);
        if path.open.is_empty() && is_new && model(cx, &path)?.is_some() {
            result.push(path);
        }
    }
    Ok(result)
}

/// A term for an open symbol under which the guard can still hold.
fn choose(
    cx: &mut Cx<'_>,
    program: &Program,
    path: &Path,
    symbol: Symbol,
    strategy: &[Choice],
) -> Outcome<Option<Term>> {
    for choice in strategy {
        let term = match choice {
            Choice::Keep => keep(cx.store, program, path, symbol),
            Choice::Least | Choice::Most => bound(cx.store, path, symbol, *choice),
            Choice::Value => {
                let Some(model) = model(cx, path)? else { return Ok(None) };
                let value = model.get_or_default(cx.store, symbol);
                let sort = cx.store.result(symbol);
                Some(cx.store.value_term(&value, sort))
            }
        };
        let Some(term) = term else { continue };
        let mut tried = path.clone();
        tried.choose(cx.store, symbol, term);
        if model(cx, &tried)?.is_some() {
            return Ok(Some(term));
        }
    }
    Ok(None)
}

/// The variable whose next value the symbol is.
fn keep(store: &mut TermStore, program: &Program, path: &Path, symbol: Symbol) -> Option<Term> {
    if path.from != path.to {
        return None;
    }
    let open = store.constant(symbol);
    let at = path.state.iter().position(|&value| value == open)?;
    let params = formal_params(store, program.system(), path.from);
    Some(store.constant(params[at]))
}

/// A bound of the symbol in the guard that mentions nothing open.
fn bound(store: &mut TermStore, path: &Path, symbol: Symbol, which: Choice) -> Option<Term> {
    let open = store.constant(symbol);
    for literal in store.conjuncts(&path.guard) {
        let Some(read) = LinearLiteral::of(store, literal) else { continue };
        let mut rest = store.linear(read.form);
        rest.constant -= &read.bound;
        let Some(coefficient) = rest.remove(open).filter(|c| c.abs().is_one()) else { continue };
        let is_upper = match read.relation {
            Comparison::AtMost => coefficient.is_positive(),
            Comparison::AtLeast => coefficient.is_negative(),
            Comparison::Below | Comparison::Above | Comparison::Equal => continue,
        };
        if is_upper != (which == Choice::Most) {
            continue;
        }
        rest.scale(&-coefficient.recip());
        let sort = store.sort(open);
        let is_whole = rest.constant.is_integer()
            && rest.monomials().iter().all(|(c, t)| c.is_integer() && store.sort(*t).is_int());
        if sort.is_int() && !is_whole {
            continue;
        }
        let term = store.sum(&rest, sort);
        if free_symbols(store, &[term]).iter().all(|other| !path.open.contains(other)) {
            return Some(term);
        }
    }
    None
}

/// A model of the guard.
fn model(cx: &mut Cx<'_>, path: &Path) -> Outcome<Option<Model>> {
    let mut solver = Solver::new(Options::default());
    let guard = path.condition(cx.store);
    solver.add(cx.store, guard);
    Ok(match solver.check(cx)? {
        Answer::Sat(view) => Some(view.assignment(cx.store)),
        Answer::Unsat(_) => None,
    })
}
