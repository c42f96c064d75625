//! Candidates for the recurrent set of a path that leads back to its beginning.
//!
//! The path has a guard `G` and leads from `x` to `u(x)`. Three kinds of sets are tried, each for
//! every cube `K` of the guard:
//! - *fixpoints*: `K ∧ u(x) = x`;
//! - *iterates*: `K ∧ K(u(x)) ∧ K(u(u(x))) ∧ …`, a few of them;
//! - *monotone* ones: with every inequality `g(x) ≥ 0` of the cube also `Δg ≥ 0`, `ΔΔg ≥ 0` and so
//!   on, where `Δg(x) = g(u(x)) − g(x)`, until the difference is a number. If all of them hold,
//!   then also after the path, since `g(u(x)) = g(x) + Δg(x)`.
//!
//! Whether a candidate is recurrent is decided by [`crate::validate`].
//!
//! DIVERGENCE [GHMRX08]: sets come from differences of guards, not from templates by Farkas' lemma.

use shofar_base::Outcome;
use shofar_smt::{Answer, Options, Solver};
use shofar_term::{Cx, Linear, LinearLiteral, Symbol, Term, TermStore};
use shofar_theory::implicant::implicant;

use super::path::Path;

/// So many cubes of a guard are looked at.
const MOST_CUBES: usize = 6;
/// How often a path is gone for an iterate.
const ITERATES: usize = 3;
/// How often differences are taken.
const DIFFERENCES: usize = 5;

/// Sets for a path from a location with the formal parameters `params` that leads back there, on
/// which nothing is left open.
pub(crate) fn candidates(
    cx: &mut Cx<'_>,
    path: &Path,
    params: &[Symbol],
    known: Term,
) -> Outcome<Vec<Term>> {
    let mut result = Vec::new();
    for cube in cubes(cx, path, known)? {
        let store = &mut *cx.store;
        let args: Vec<Term> = params.iter().map(|&param| store.constant(param)).collect();
        let mut parts = cube.clone();
        for (&arg, &value) in args.iter().zip(&path.state) {
            parts.push(store.eq(arg, value));
        }
        result.push(store.and(&parts));
        result.extend(monotone(store, path, params, &cube));
        let whole = store.and(&cube);
        let (mut iterate, mut last) = (whole, whole);
        for _ in 0..ITERATES {
            result.push(iterate);
            last = path.after(store, params, last);
            iterate = store.and(&[iterate, last]);
        }
    }
    result.retain(|&set| set != cx.store.bottom());
    result.dedup();
    Ok(result)
}

/// Conjunctions of literals that imply the guard, where `known` holds.
fn cubes(cx: &mut Cx<'_>, path: &Path, known: Term) -> Outcome<Vec<Vec<Term>>> {
    let guard = path.condition(cx.store);
    let mut solver = Solver::new(Options::default());
    solver.add(cx.store, guard);
    solver.add(cx.store, known);
    let mut cubes = Vec::new();
    while cubes.len() < MOST_CUBES
        && let Answer::Sat(view) = solver.check(cx)?
    {
        let model = view.assignment(cx.store);
        let cube = implicant(cx.store, guard, &model);
        let whole = cx.store.and(&cube);
        let other = cx.store.not(whole);
        solver.add(cx.store, other);
        cubes.push(cube);
    }
    Ok(cubes)
}

/// The cube with the differences of its inequalities, unless one of them is negative.
fn monotone(store: &mut TermStore, path: &Path, params: &[Symbol], cube: &[Term]) -> Option<Term> {
    let mut parts = cube.to_vec();
    for &literal in cube {
        let inequality = LinearLiteral::of(store, literal).and_then(|read| read.inequality(store));
        let Some((linear, _)) = inequality else { continue };
        let mut value = linear.negated();
        for _ in 0..DIFFERENCES {
            value = difference(store, path, params, &value)?;
            if value.is_constant() {
                break;
            }
            let grows = store.le_zero(&value.negated());
            if parts.contains(&grows) {
                break;
            }
            parts.push(grows);
        }
        if value.is_constant() && value.constant.is_negative() {
            return None;
        }
    }
    Some(store.and(&parts))
}

/// `g(u(x)) − g(x)`, if `g` is linear in the variables.
fn difference(
    store: &mut TermStore,
    path: &Path,
    params: &[Symbol],
    value: &Linear,
) -> Option<Linear> {
    let mut result = Linear::new();
    for (coefficient, term) in value.monomials() {
        let symbol = store.symbol(*term)?;
        let at = params.iter().position(|&param| param == symbol)?;
        result.add_scaled(coefficient, &store.linear(path.state[at]));
        result.add_term(&-coefficient.clone(), *term);
    }
    Some(result)
}
