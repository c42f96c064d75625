//! Quantifier elimination: `∃x̄. φ` without `x̄`.
//!
//! The scope of the quantifier is made small first: definitions are substituted, conjuncts without
//! eliminated variables step outside and become the context, independent groups are treated apart,
//! and `∃` goes through a disjunction that stands alone. A group with few eliminated variables, all
//! of them Boolean, is expanded into its cases by substitution. For the rest,
//! [`cases`](crate::cases) enumerates projections.
//!
//! Source: [KGC16] §5 for the enumeration; the rest are the textbook laws of `∃`.

use shofar_base::{Map, Outcome};
use shofar_term::size::dag_size;
use shofar_term::substitute::substitute;
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Symbol, Term, TermStore};

use crate::cases::enumerate;
use crate::scope::{Group, groups, use_definitions};

/// How often `∃` goes through a disjunction before projections are enumerated.
const DEPTH: u32 = 8;
/// A disjunction with more parts is not taken apart.
const WIDTH: usize = 64;
/// How large the expansion of a group over its Boolean variables may be.
const EXPANSION: usize = 2_000;

/// A formula without `variables` that is equivalent to `∃ variables. formula`.
///
/// Uninterpreted functions are not supported.
///
/// ```
/// use shofar_base::Budget;
/// use shofar_term::{Cx, Sort, TermStore};
/// let mut store = TermStore::new();
/// let (x, y) = (store.var("x", Sort::INT), store.var("y", Sort::INT));
/// let twice = store.add(&[x, x]);
/// let even = store.eq(y, twice);
/// let x = store.declare("x", &[], Sort::INT);
/// let budget = Budget::unlimited();
/// let result = shofar_mbp::eliminate(&mut Cx::new(&mut store, &budget), even, &[x]);
/// assert_eq!(result, Ok(store.divisible(&2.into(), y)));
/// ```
pub fn eliminate(cx: &mut Cx<'_>, formula: Term, variables: &[Symbol]) -> Outcome<Term> {
    let context = cx.store.top();
    within(cx, formula, variables, context, DEPTH)
}

/// As [`eliminate`], but only where `context` holds, and through at most `depth` disjunctions.
fn within(
    cx: &mut Cx<'_>,
    formula: Term,
    variables: &[Symbol],
    context: Term,
    depth: u32,
) -> Outcome<Term> {
    cx.budget.check()?;
    let conjuncts = use_definitions(cx.store, formula, variables);
    let (mut result, groups) = groups(cx.store, &conjuncts, variables);
    for group in groups {
        let context = cx.store.and(&[&[context], result.as_slice()].concat());
        let part = eliminate_group(cx, &group, context, depth)?;
        if part == cx.store.bottom() {
            return Ok(part);
        }
        result.push(part);
    }
    Ok(cx.store.and(&result))
}

fn eliminate_group(cx: &mut Cx<'_>, group: &Group, context: Term, depth: u32) -> Outcome<Term> {
    let formula = cx.store.and(&group.conjuncts);
    if let Some(parts) = disjuncts(cx.store, group)
        && depth > 0
    {
        let mut cases = Vec::new();
        for part in parts {
            cases.push(within(cx, part, &group.variables, context, depth - 1)?);
        }
        return Ok(cx.store.or(&cases));
    }
    if is_expandable(cx.store, formula, &group.variables) {
        return Ok(expand(cx.store, formula, &group.variables));
    }
    enumerate(cx, formula, &group.variables, context)
}

/// The parts of a group that is a single disjunction, also one written as a negated conjunction.
fn disjuncts(store: &mut TermStore, group: &Group) -> Option<Vec<Term>> {
    let [only] = group.conjuncts.as_slice() else { return None };
    let (inner, negated) = store.strip_not(*only);
    let parts = if let Some(parts) = store.disjunction(inner)
        && !negated
    {
        parts.to_vec()
    } else if let Some(parts) = store.conjunction(inner)
        && negated
    {
        let parts = parts.to_vec();
        parts.into_iter().map(|part| store.not(part)).collect()
    } else {
        return None;
    };
    (parts.len() <= WIDTH).then_some(parts)
}

fn is_expandable(store: &TermStore, formula: Term, variables: &[Symbol]) -> bool {
    variables.len() < 8
        && variables.iter().all(|&symbol| store.result(symbol).is_bool())
        && dag_size(store, &[formula]) << variables.len() <= EXPANSION
}

/// `∃p. φ` is `φ[true] ∨ φ[false]`.
fn expand(store: &mut TermStore, formula: Term, variables: &[Symbol]) -> Term {
    let mut result = formula;
    for &symbol in variables {
        let name = store.constant(symbol);
        let cases = [store.top(), store.bottom()].map(|value| {
            let map: Map<Term, Term> = [(name, value)].into_iter().collect();
            substitute(store, &map, &[result])[0]
        });
        result = store.or(&cases);
    }
    debug_assert!(free_symbols(store, &[result]).iter().all(|s| !variables.contains(s)));
    result
}
