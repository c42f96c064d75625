//! Translations: loops that add the same numbers in every iteration.
//!
//! If a conjunction `λ` implies `x' = x + d` for constants `d`, then `n` iterations of it are `x' = x + n·d`, with the guard of `λ` true
//! before the first and before the last of them: a convex guard is then true in between as well. A divisibility `m ∣ t` is
//! no convex guard; it is preserved if `m ∣ t(d)`, else there is no such relation.

use shofar_base::{Map, Outcome};
use shofar_num::{Rational, mod_euclid};
use shofar_smt::{Options, implies};
use shofar_term::eval::{Model, Value};
use shofar_term::substitute::substitute;
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Term, TermStore};

use super::projection::{Shape, shape};
use super::space::Space;

/// A state variable, its next value, and what one iteration adds to it.
struct Change {
    now: Term,
    then: Term,
    by: Rational,
}

/// Literals of the relation that repeats `lambda` as often as the count says, if it is a translation; `model` satisfies `lambda`.
pub(super) fn repeated(
    cx: &mut Cx<'_>,
    space: &Space,
    lambda: Term,
    model: &Model,
) -> Outcome<Option<Vec<Term>>> {
    let changes = changes(cx.store, space, lambda, model);
    let equations: Vec<Term> = changes
        .iter()
        .map(|change| {
            let by = cx.store.number(change.by.clone(), cx.store.sort(change.now));
            let sum = cx.store.add(&[change.now, by]);
            cx.store.eq(change.then, sum)
        })
        .collect();
    let pinned = cx.store.and(&equations);
    if !implies(cx, Options::default(), &[lambda], pinned)? {
        return Ok(None);
    }
    let Some(mut literals) = guards(cx.store, lambda, &changes) else { return Ok(None) };
    let n = space.n(cx.store);
    let one = cx.store.int(1);
    literals.push(cx.store.ge(n, one));
    for change in &changes {
        let by = cx.store.scale(&change.by, n);
        let sum = cx.store.add(&[change.now, by]);
        literals.push(cx.store.eq(change.then, sum));
    }
    Ok(Some(literals))
}

/// What `model` says about the changes of the numbers that `lambda` mentions.
fn changes(store: &mut TermStore, space: &Space, lambda: Term, model: &Model) -> Vec<Change> {
    let symbols = free_symbols(store, &[lambda]);
    let mut changes = Vec::new();
    for (&now, &then) in space.ts.state.iter().zip(&space.ts.next) {
        let values = [now, then].map(|s| model.get_or_default(store, s));
        let [Value::Number(before), Value::Number(after)] = values else { continue };
        if symbols.contains(&now) || symbols.contains(&then) {
            let [now, then] = [now, then].map(|s| store.constant(s));
            changes.push(Change { now, then, by: after - &before });
        }
    }
    changes
}

/// What `lambda` says besides the changes: before the first iteration, and before the last.
fn guards(store: &mut TermStore, lambda: Term, changes: &[Change]) -> Option<Vec<Term>> {
    let (mut forward, mut backward): (Map<Term, Term>, Map<Term, Term>) = Default::default();
    for change in changes {
        let by = store.number(change.by.clone(), store.sort(change.now));
        forward.insert(change.then, store.add(&[change.now, by]));
        backward.insert(change.now, store.sub(change.then, by));
    }
    let guard = substitute(store, &forward, &[lambda])[0];
    let mut literals = Vec::new();
    for literal in store.conjuncts(&[guard]) {
        literals.push(literal);
        let (atom, _) = store.strip_not(literal);
        if store.symbol(atom).is_some() {
            continue;
        }
        match shape(store, literal)? {
            Shape::NotNegative(_) | Shape::Positive(_) | Shape::Zero(_) => {
                literals.push(substitute(store, &backward, &[literal])[0]);
            }
            Shape::Multiple(m, linear) => {
                let mut change = Rational::ZERO;
                for (coefficient, term) in linear.monomials() {
                    let by = changes.iter().find(|change| change.now == *term)?;
                    change.add_mul(coefficient, &by.by);
                }
                if !mod_euclid(&change, &m)?.is_zero() {
                    return None;
                }
            }
        }
    }
    Some(literals)
}
