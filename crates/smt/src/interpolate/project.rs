//! Interpolants by projection, for contradictions whose proof cannot be split.
//!
//! Models of A are projected onto the shared symbols, one cube at a time, until the cubes cover A.
//! Each cube contradicts B; only the literals that B's contradiction needs are kept, which makes a
//! cube cover more of A. The disjunction is an interpolant. It ends because A has finitely many
//! projections.
//!
//! Source: [KGC16] (model-based projection); the idea of covering A is that of quantifier
//! elimination by models.

use shofar_base::Outcome;
use shofar_term::{Cx, Term};
use shofar_theory::implicant::implicant;
use shofar_theory::{Theories, Theory};

use super::color::Coloring;
use crate::answer::Answer;
use crate::{Options, Solver};

/// An interpolant of `left` and `right`, which contradict each other.
pub(super) fn interpolate(
    cx: &mut Cx<'_>,
    left: &[Term],
    right: &[Term],
    coloring: &Coloring,
) -> Outcome<Term> {
    let a = cx.store.and(left);
    let locals = coloring.a_symbols();
    let mut uncovered = Solver::new(Options::default());
    uncovered.add(cx.store, a);
    let mut other = Solver::new(Options::default());
    for &t in right {
        other.add(cx.store, t);
    }
    let mut cubes = Vec::new();
    loop {
        let model = match uncovered.check(cx)? {
            Answer::Unsat(_) => return Ok(cx.store.or(&cubes)),
            Answer::Sat(view) => view.assignment(cx.store),
        };
        let literals = implicant(cx.store, a, &model);
        let cube = Theories::project(cx.store, &literals, &locals, &model)?;
        let needed = match other.check_assuming(cx, &cube)? {
            Answer::Unsat(view) => view.failed(),
            Answer::Sat(_) => unreachable!("a projection of A contradicts B"),
        };
        let needed = cx.store.and(&needed);
        cubes.push(needed);
        let rest = cx.store.not(needed);
        uncovered.add(cx.store, rest);
    }
}
