//! Which piece of a transition can follow which.
//!
//! A piece follows another one if a state exists that the one leads to and the other begins in.
//! Only pieces on a common cycle of locations are asked about; where there are very many, or the
//! solver gives up, locations decide alone. That only adds edges, so cycles of runs are cycles of
//! edges.

use shofar_base::Outcome;
use shofar_chc::{Clause, PredId};
use shofar_smt::{Answer, Options, Solver};
use shofar_term::{Cx, Term};

use crate::program::{Program, components};
use crate::prover::settled;
use crate::synthesis::Live;

/// Beyond so many pieces only locations are looked at.
const MOST_PIECES: usize = 60;

/// The pairs of pieces that can follow each other on a cycle of locations.
pub(crate) fn edges(
    cx: &mut Cx<'_>,
    program: &Program,
    pieces: &[Live],
) -> Outcome<Vec<(usize, usize)>> {
    let by_location: Vec<(PredId, PredId)> =
        pieces.iter().map(|one| (one.transition.from, one.transition.to)).collect();
    let components = components(&by_location);
    let on_cycle = |one: &&Live| {
        let ends = [one.transition.from, one.transition.to];
        components.iter().any(|component| ends.iter().all(|end| component.contains(end)))
    };
    let pieces: Vec<&Live> = pieces.iter().filter(on_cycle).collect();
    let mut result = Vec::new();
    for first in &pieces {
        for second in &pieces {
            if first.transition.to != second.transition.from {
                continue;
            }
            cx.budget.check()?;
            if pieces.len() > MOST_PIECES || can_follow(cx, program, first, second)? {
                result.push((first.piece, second.piece));
            }
        }
    }
    Ok(result)
}

fn can_follow(cx: &mut Cx<'_>, program: &Program, first: &Live, second: &Live) -> Outcome<bool> {
    let both = in_a_row(cx, program, first, second);
    let mut solver = Solver::new(Options::default());
    solver.add(cx.store, both);
    let is_possible = settled(solver.check(cx).map(|answer| matches!(answer, Answer::Sat(_))))?;
    Ok(is_possible.unwrap_or(true))
}

/// That two pieces follow each other, over the variables of the first one and others.
pub(crate) fn in_a_row(cx: &mut Cx<'_>, program: &Program, first: &Live, second: &Live) -> Term {
    let (_, _, head) = program.rule(first.transition);
    let (clause, _) = program.fresh_clause(cx.store, second.transition.clause, second.relation);
    let Clause { body, constraint, .. } = clause;
    let mut parts = vec![first.relation, constraint];
    let next = body.iter().flat_map(|atom| &atom.args);
    parts.extend(head.args.iter().zip(next).map(|(&arg, &value)| cx.store.eq(arg, value)));
    cx.store.and(&parts)
}
