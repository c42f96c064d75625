//! The pass that makes arguments distinct variables; the form itself is [`NormalSystem`].

use std::iter;

use shofar_base::{IndexVec, Outcome};
use shofar_chc::{
    BackTranslation, ChcSystem, ClauseId, Derivation, Exactness, Hint, Interpretation,
    NormalSystem, Translated,
};
use shofar_term::{Cx, TermStore};

use crate::Pass;
use crate::back::{Composed, Origin, WayBack, exactness, hints, unchanged};
use crate::template::Template;

type Back = Box<dyn BackTranslation<ChcSystem, ChcSystem>>;

/// Makes arguments distinct variables.
#[derive(Clone, Copy, Debug, Default)]
pub struct Normalize;

impl Pass for Normalize {
    fn name(&self) -> &'static str {
        "normalize"
    }
    fn apply(
        &self,
        cx: &mut Cx<'_>,
        source: ChcSystem,
    ) -> Outcome<Translated<ChcSystem, ChcSystem>> {
        let (normal, back) = normalize(cx, source)?;
        let target = normal.into_clauses();
        Ok(match back {
            Some(back) => (target, back),
            None => unchanged(target),
        })
    }
}

/// The normal form of `source`, and the way back if it is another.
fn normalize(cx: &mut Cx<'_>, source: ChcSystem) -> Outcome<(NormalSystem, Option<Back>)> {
    let source = match NormalSystem::already(cx.store, source) {
        Ok(normal) => return Ok((normal, None)),
        Err(source) => source,
    };
    let target = NormalSystem::of(cx.store, source.clone());
    let mut origins: IndexVec<ClauseId, Origin> = IndexVec::new();
    for (id, clause) in target.clauses() {
        cx.budget.check()?;
        if clause == source.clause(id) {
            origins.push(Origin::Same(id));
            continue;
        }
        let head = clause.head.as_ref().map_or_else(Vec::new, |head| head.args.clone());
        let templates = vec![Template::of(cx.store, &source, id)];
        origins.push(Origin::Made { head, templates });
    }
    Ok((target, Some(Box::new(WayBack::of_clauses(cx.store, source, origins)))))
}

/// Applies `pass` to the normal form of `source`.
pub(crate) fn on_normal(
    cx: &mut Cx<'_>,
    source: ChcSystem,
    pass: impl FnOnce(&mut Cx<'_>, NormalSystem) -> Outcome<Translated<ChcSystem, ChcSystem>>,
) -> Outcome<Translated<ChcSystem, ChcSystem>> {
    let (normal, first) = normalize(cx, source)?;
    let (target, second) = pass(cx, normal)?;
    Ok(match first {
        Some(first) => (target, Box::new(Composed(vec![first, second]))),
        None => (target, second),
    })
}

/// What a pipeline made, in normal form.
pub(crate) fn to_normal(
    cx: &mut Cx<'_>,
    (system, back): Translated<ChcSystem, ChcSystem>,
) -> Outcome<Translated<ChcSystem, NormalSystem>> {
    let (normal, last) = normalize(cx, system)?;
    Ok((normal, Box::new(FromNormal(iter::once(back).chain(last).collect()))))
}

/// The way back through passes the last of which made a normal system.
struct FromNormal(Vec<Back>);

impl BackTranslation<ChcSystem, NormalSystem> for FromNormal {
    fn exactness(&self) -> Exactness {
        exactness(&self.0)
    }
    fn hints(&self, store: &mut TermStore, given: Vec<Hint>) -> Vec<Hint> {
        hints(&self.0, store, given)
    }
    fn model(&self, cx: &mut Cx<'_>, model: Interpretation) -> Outcome<Interpretation> {
        self.0.iter().rev().try_fold(model, |model, back| back.model(cx, model))
    }
    fn refutation(&self, cx: &mut Cx<'_>, refutation: Derivation) -> Outcome<Derivation> {
        self.0.iter().rev().try_fold(refutation, |refutation, back| back.refutation(cx, refutation))
    }
}
