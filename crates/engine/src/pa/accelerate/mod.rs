//! Counterexamples with loops, refined at once for any number of repetitions.
//!
//! A counterexample is a path from a fact to a query. Its repetitions are folded into a [scheme],
//! and every loop is replaced by a step that does it any number of times: a [meta-trace](meta),
//! which is recursion-free again. If it has no model, what
//! [`NormalForm::solve`](shofar_rf::NormalForm::solve) finds becomes [inductive]; with that among
//! the predicates no trace of the scheme is left. If it has one, its path is [executed](execute)
//! step by step, and what that derives refutes the clauses.
//!
//! Closures are exact if each loop has one cycle of a known class. Otherwise they over-approximate
//! all cycles of a loop, which excludes traces or says nothing; and if that says nothing, or what
//! is exact cannot be executed, an under-approximation that contains the path either finds a
//! counterexample or excludes some traces.
//!
//! Invariant: an error is reported only if every step of it was evaluated, from a fact to a query.
//!
//! Source: [HIKKR12] §4 and §5. Symbols: `L_i↻` → [`Cycle`](trace::Cycle), `δ` → `delay`.
//! DIVERGENCE [HIKKR12] §4: a scheme always begins with a fact, so that what is feasible needs no
//! second check of a composition.

mod execute;
mod inductive;
mod meta;
mod scheme;
mod trace;

use shofar_base::Outcome;
use shofar_chc::{Derivation, PredId};
use shofar_smt::Interpolation;
use shofar_term::{Cx, Term};

use super::predicates::Predicates;
use super::statistics::Statistics;
use super::tree::Tree;
use crate::rule::Rule;
use meta::{Guide, Precision, Tried};
use scheme::{Item, Path, Step, is_bounded};
use trace::{Beside, Trace};

/// What a scheme is good for.
pub(super) enum Folded {
    /// One of its traces derives `false`.
    Counterexample(Derivation),
    /// Predicates that exclude its traces.
    Excluded(Vec<(PredId, Term)>),
}

/// Refines counterexamples by acceleration.
pub(super) struct Accelerator<'r> {
    pub(super) rules: &'r [Rule],
    pub(super) predicates: &'r Predicates,
    pub(super) interpolation: &'r Interpolation,
    pub(super) seed: u64,
    pub(super) delay: usize,
}

impl Accelerator<'_> {
    /// Finds out about the scheme of the path of `tree`; nothing if it has no loops, or none that
    /// can be accelerated.
    pub(super) fn refine(
        &self,
        cx: &mut Cx<'_>,
        stats: &mut Statistics,
        tree: &Tree,
    ) -> Outcome<Option<Folded>> {
        let Some((path, sides)) = spine(tree, self.rules) else { return Ok(None) };
        let scheme = path.fold(self.delay);
        if scheme.iter().all(|item| matches!(item, Item::Step(_))) {
            return Ok(None);
        }
        let trace = |beside| Trace {
            accelerator: self,
            tree,
            path: &path,
            sides: &sides,
            beside,
            cycles: Vec::new(),
        };
        let mut known = trace(Beside::Known);
        let Some(places) = known.close_cycles(cx, &scheme)? else { return Ok(None) };
        let is_exact = known.cycles.iter().all(|cycle| cycle.exact.is_some());
        let (precision, counter) = if is_exact && is_bounded(&scheme) {
            (Precision::Exact, &mut stats.exact)
        } else {
            (Precision::Over, &mut stats.over)
        };
        let guide = match known.solve(cx, &scheme, &places, precision, &Guide::new())? {
            Tried::Found(found) => {
                *counter += 1;
                return Ok(Some(found));
            }
            Tried::Feasible(guide) => guide,
            Tried::Nothing => Guide::new(),
        };
        let is_linear = path.steps.iter().all(|step| self.rules[step.clause].body.len() <= 1);
        let found = if is_linear {
            known.solve(cx, &scheme, &places, Precision::Under, &guide)?
        } else {
            let mut derived = trace(Beside::Derived);
            let Some(places) = derived.close_cycles(cx, &scheme)? else { return Ok(None) };
            match derived.solve(cx, &scheme, &places, Precision::Under, &guide)? {
                Tried::Found(Folded::Excluded(mut formulas)) => {
                    formulas.extend(derived.beside(cx)?);
                    Tried::Found(Folded::Excluded(formulas))
                }
                tried @ (Tried::Found(Folded::Counterexample(_))
                | Tried::Feasible(_)
                | Tried::Nothing) => tried,
            }
        };
        match found {
            Tried::Found(found) => {
                stats.under += 1;
                Ok(Some(found))
            }
            Tried::Feasible(_) | Tried::Nothing => Ok(None),
        }
    }
}

/// The path of a tree through the premises with the largest derivations, and the copies beside it,
/// for each step; nothing if copies have several ways.
fn spine(tree: &Tree, rules: &[Rule]) -> Option<(Path, Vec<Vec<usize>>)> {
    if tree.copies.iter().any(|copy| copy.ways.len() != 1) {
        return None;
    }
    let mut sizes = vec![1; tree.copies.len()];
    for at in (0..sizes.len()).rev() {
        let below: usize = tree.copies[at].ways[0].kids.iter().map(|&kid| sizes[kid]).sum();
        sizes[at] += below;
    }
    let (mut path, mut sides, mut at) = (Path::default(), Vec::new(), 0);
    loop {
        let way = &tree.copies[at].ways[0];
        let premise = (0..way.kids.len()).max_by_key(|&premise| sizes[way.kids[premise]]);
        path.symbols.extend(tree.copies[at].pred);
        path.steps.push(Step { clause: way.clause, premise: premise.unwrap_or(0) });
        sides.push(way.kids.clone());
        debug_assert_eq!(rules[way.clause].body.len(), way.kids.len());
        match premise {
            Some(premise) => at = way.kids[premise],
            None => break,
        }
    }
    path.steps.reverse();
    path.symbols.reverse();
    sides.reverse();
    Some((path, sides))
}
