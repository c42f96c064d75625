//! Minimal unsatisfiable cores by deletion.
//!
//! Each part of a core is left out in turn; if the rest is still contradictory, the part goes, and
//! with it everything the new, smaller core does not need.

use shofar_base::{GaveUp, Outcome};
use shofar_term::{Cx, Term};

use crate::answer::{Answer, UnsatView};
use crate::{Options, PartId, Solver};

/// A core of which no part can be left out.
pub(crate) fn minimize(cx: &mut Cx<'_>, view: UnsatView<'_>) -> Outcome<Vec<PartId>> {
    let mut core = view.core();
    let formulas: Vec<(PartId, Term)> =
        view.solver.formulas().filter(|(id, _)| core.contains(id)).collect();
    let mut solver = Solver::new(Options::default());
    for formula in view.failed() {
        solver.add(cx.store, formula);
    }
    // Each part is assumed, so that one solver serves all subsets.
    let mut needed: Vec<(PartId, Term)> = Vec::new();
    let mut open = formulas;
    while let Some((id, formula)) = open.pop() {
        let rest: Vec<Term> = open.iter().chain(&needed).map(|&(_, t)| t).collect();
        match solver.check_assuming(cx, &rest) {
            // A part that cannot be shown to be superfluous stays.
            Ok(Answer::Sat(_)) | Err(GaveUp::Incomplete(_)) => needed.push((id, formula)),
            Ok(Answer::Unsat(smaller)) => {
                let failed = smaller.failed();
                open.retain(|(_, t)| failed.contains(t));
            }
            Err(why) => return Err(why),
        }
    }
    core.retain(|id| needed.iter().any(|(n, _)| n == id));
    Ok(core)
}
