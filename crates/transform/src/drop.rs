//! Predicates that cannot matter.
//!
//! A predicate that no chain of clauses derives from facts is empty in the least model: clauses
//! that use it hold trivially if it is defined as `false`. A predicate that no query depends on may
//! be `true`: clauses that derive it hold trivially.

use shofar_base::{IndexVec, Outcome};
use shofar_chc::{ChcGraph, ChcSystem, Clause, ClauseId, PredAtom, PredId, Translated};
use shofar_term::Cx;

use crate::Pass;
use crate::back::{Meaning, Origin, WayBack, kept, unchanged};

/// Drops predicates that cannot be derived, and the clauses that use them.
#[derive(Clone, Copy, Debug, Default)]
pub struct DropUnderivable;

/// Drops predicates that no query depends on, and the clauses that derive them.
#[derive(Clone, Copy, Debug, Default)]
pub struct DropUseless;

impl Pass for DropUnderivable {
    fn name(&self) -> &'static str {
        "underivable"
    }
    fn apply(
        &self,
        cx: &mut Cx<'_>,
        source: ChcSystem,
    ) -> Outcome<Translated<ChcSystem, ChcSystem>> {
        let keep = ChcGraph::new(&source).derivable();
        Ok(restrict(cx, source, &keep, false))
    }
}

impl Pass for DropUseless {
    fn name(&self) -> &'static str {
        "useless"
    }
    fn apply(
        &self,
        cx: &mut Cx<'_>,
        source: ChcSystem,
    ) -> Outcome<Translated<ChcSystem, ChcSystem>> {
        let keep = ChcGraph::new(&source).useful();
        Ok(restrict(cx, source, &keep, true))
    }
}

/// The clauses of `source` over the predicates to keep; the other ones mean `value`.
fn restrict(
    cx: &mut Cx<'_>,
    source: ChcSystem,
    keep: &IndexVec<PredId, bool>,
    value: bool,
) -> Translated<ChcSystem, ChcSystem> {
    if keep.iter().all(|&kept| kept) {
        return unchanged(source);
    }
    let (mut target, ids) = predicates(&source, keep);
    let meanings = source
        .preds()
        .map(|pred| match ids[pred] {
            Some(to) => kept(cx.store, &source, pred, to),
            None => Meaning::Constant(value),
        })
        .collect();
    let mut origins = IndexVec::new();
    for (id, clause) in source.clauses() {
        if let Some(clause) = mapped(clause, &ids) {
            target.add_clause(clause);
            let _: ClauseId = origins.push(Origin::Same(id));
        }
    }
    (target, Box::new(WayBack { source, meanings, origins, eliminated: Vec::new() }))
}

/// A system without clauses over some predicates of `source`, and their new ids.
pub(crate) fn predicates(
    source: &ChcSystem,
    keep: &IndexVec<PredId, bool>,
) -> (ChcSystem, IndexVec<PredId, Option<PredId>>) {
    let mut target = ChcSystem::new();
    let enter = |pred: PredId| keep[pred].then(|| target.add_pred(source.symbol(pred)));
    let ids = source.preds().map(enter).collect();
    (target, ids)
}

/// `clause` with the new ids of its predicates; nothing if one of them is gone.
pub(crate) fn mapped(clause: &Clause, ids: &IndexVec<PredId, Option<PredId>>) -> Option<Clause> {
    let atom = |atom: &PredAtom| Some(PredAtom { pred: ids[atom.pred]?, args: atom.args.clone() });
    let head = match &clause.head {
        Some(head) => Some(atom(head)?),
        None => None,
    };
    let body = clause.body.iter().map(atom).collect::<Option<Vec<_>>>()?;
    Some(Clause { head, body, constraint: clause.constraint, span: clause.span })
}
