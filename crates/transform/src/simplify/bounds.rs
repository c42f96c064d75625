//! Bounds of a variable are replaced by what they say about each other.
//!
//! Fourier-Motzkin elimination of variables that are not arguments and occur in inequalities only,
//! where it does not make more of them. It is exact over the reals; over the integers if all upper
//! or all lower bounds have coefficient one, or if all bounds point the same way.

use shofar_base::Outcome;
use shofar_num::Rational;
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Linear, Sort, Symbol, Term, TermStore};

use super::Draft;
use crate::solve::{inequality, is_linear_in};

/// With more variables times conjuncts than this, nothing is done.
const EFFORT: usize = 400_000;
/// With more bounds on one side, no value is suggested for the variable.
const SUGGEST: usize = 8;

/// One bound of a variable: `linear ≤ 0`, or `< 0`.
struct Bound {
    linear: Linear,
    strict: bool,
    /// The variable's coefficient.
    coefficient: Rational,
}

/// Eliminates what can be; false if the conjuncts contradict each other.
pub(super) fn eliminate(cx: &mut Cx<'_>, draft: &mut Draft) -> Outcome<bool> {
    let mut symbols: Vec<Vec<Symbol>> =
        draft.parts.iter().map(|&part| free_symbols(cx.store, &[part])).collect();
    let mut locals: Vec<Symbol> = symbols.iter().flatten().copied().collect();
    locals.sort_unstable();
    locals.dedup();
    locals.retain(|symbol| !draft.arguments.contains(symbol));
    if locals.len().saturating_mul(draft.parts.len()) > EFFORT {
        return Ok(true);
    }
    for local in locals {
        cx.budget.check()?;
        if cx.store.result(local).is_bool() {
            continue;
        }
        let holds = |at: &usize| symbols[*at].binary_search(&local).is_ok();
        let places: Vec<usize> = (0..draft.parts.len()).filter(holds).collect();
        let Some(bounds) = bounds(cx.store, draft, &places, local) else { continue };
        let Some((result, value)) = combined(cx.store, &bounds, local) else { continue };
        for &at in places.iter().rev() {
            draft.parts.swap_remove(at);
            symbols.swap_remove(at);
        }
        symbols.extend(result.iter().map(|&part| free_symbols(cx.store, &[part])));
        draft.parts.extend(result);
        draft.eliminated.extend(value.map(|value| (local, value)));
    }
    let parts = std::mem::take(&mut draft.parts);
    Ok(draft.set(cx.store, &parts))
}

/// The bounds at `places`; nothing if one of them is something else.
fn bounds(
    store: &mut TermStore,
    draft: &Draft,
    places: &[usize],
    local: Symbol,
) -> Option<Vec<Bound>> {
    let variable = store.constant(local);
    let mut bounds = Vec::with_capacity(places.len());
    for &at in places {
        let (linear, strict) = inequality(store, draft.parts[at])?;
        if !is_linear_in(store, &linear, local) {
            return None;
        }
        let coefficient = linear.coefficient(variable)?.clone();
        bounds.push(Bound { linear, strict, coefficient });
    }
    (!bounds.is_empty()).then_some(bounds)
}

/// What `bounds` say without `local`, and a value for it; nothing if that is not exact or too much.
fn combined(
    store: &mut TermStore,
    bounds: &[Bound],
    local: Symbol,
) -> Option<(Vec<Term>, Option<Term>)> {
    let (upper, lower): (Vec<&Bound>, Vec<&Bound>) =
        bounds.iter().partition(|bound| bound.coefficient.is_positive());
    let two_sided = !upper.is_empty() && !lower.is_empty();
    if two_sided
        && (upper.len() * lower.len() > bounds.len() || !is_exact(store, &upper, &lower, local))
    {
        return None;
    }
    let mut result = Vec::new();
    for above in &upper {
        for below in &lower {
            let mut linear = below.linear.clone();
            linear.scale(&above.coefficient);
            linear.add_scaled(&-&below.coefficient, &above.linear);
            let strict = above.strict || below.strict;
            result.push(if strict { store.lt_zero(&linear) } else { store.le_zero(&linear) });
        }
    }
    let value = suggestion(store, &upper, &lower, local);
    Some((result, value))
}

fn is_exact(store: &TermStore, upper: &[&Bound], lower: &[&Bound], local: Symbol) -> bool {
    if store.result(local).is_real() {
        return true;
    }
    let unit = |bounds: &[&Bound]| bounds.iter().all(|b| b.coefficient.abs().is_one());
    let integral = |b: &&&Bound| is_integral(store, &b.linear);
    upper.iter().chain(lower).all(|b| integral(&b)) && (unit(upper) || unit(lower))
}

fn is_integral(store: &TermStore, linear: &Linear) -> bool {
    let integer = |(c, t): &(Rational, Term)| c.is_integer() && store.sort(*t).is_int();
    linear.constant.is_integer() && linear.monomials().iter().all(integer)
}

/// A value that satisfies all bounds if there is one.
fn suggestion(
    store: &mut TermStore,
    upper: &[&Bound],
    lower: &[&Bound],
    local: Symbol,
) -> Option<Term> {
    let sort = store.result(local);
    if upper.len() > SUGGEST || lower.len() > SUGGEST {
        return None;
    }
    let tight = |bounds: &[&Bound]| {
        bounds.iter().all(|b| b.coefficient.abs().is_one() && is_integral(store, &b.linear))
    };
    let (by_upper, by_lower) = (tight(upper), tight(lower));
    let least = extreme(store, upper, local, by_upper || sort.is_real(), TermStore::le);
    let greatest = extreme(store, lower, local, by_lower || sort.is_real(), TermStore::ge);
    if sort.is_int() {
        return least.or(greatest);
    }
    let one = store.number(Rational::ONE, Sort::REAL);
    match (least, greatest) {
        (Some(least), Some(greatest)) => {
            let both = store.add(&[least, greatest]);
            Some(store.scale(&Rational::new(1, 2), both))
        }
        (Some(least), None) => Some(store.sub(least, one)),
        (None, Some(greatest)) => Some(store.add(&[greatest, one])),
        (None, None) => None,
    }
}

/// The first of the bounds' values in the order `before`.
fn extreme(
    store: &mut TermStore,
    bounds: &[&Bound],
    local: Symbol,
    usable: bool,
    before: fn(&mut TermStore, Term, Term) -> Term,
) -> Option<Term> {
    if !usable {
        return None;
    }
    let (variable, sort) = (store.constant(local), store.result(local));
    let mut best: Option<Term> = None;
    for bound in bounds {
        let mut linear = bound.linear.clone();
        linear.remove(variable);
        linear.scale(&-bound.coefficient.recip());
        let value = store.sum(&linear, sort);
        best = Some(match best {
            None => value,
            Some(other) => {
                let first = before(store, value, other);
                store.ite(first, value, other)
            }
        });
    }
    best
}
