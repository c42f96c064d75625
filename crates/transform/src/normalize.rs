//! The pass that makes arguments distinct variables; the form itself is [`NormalSystem`].

use shofar_base::{IndexVec, Outcome};
use shofar_chc::{BackTranslation, ChcSystem, ClauseId, NormalSystem, Translated, Unchanged};
use shofar_term::Cx;

use crate::Pass;
use crate::back::{Origin, WayBack, unchanged};
use crate::template::Template;

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
        Ok((normal.into_clauses(), back))
    }
}

/// The normal form of `source`, and the way back.
fn normalize(
    cx: &mut Cx<'_>,
    source: ChcSystem,
) -> Outcome<(NormalSystem, Box<dyn BackTranslation<ChcSystem, ChcSystem>>)> {
    if NormalSystem::is_normal(cx.store, &source) {
        let (same, back) = unchanged(source);
        return Ok((NormalSystem::of(cx.store, same), back));
    }
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
    Ok((target, Box::new(WayBack::of_clauses(cx.store, source, origins))))
}

/// Applies `pass` to the normal form of `source`.
pub(crate) fn on_normal(
    cx: &mut Cx<'_>,
    source: ChcSystem,
    pass: impl FnOnce(&mut Cx<'_>, NormalSystem) -> Outcome<Translated<ChcSystem, ChcSystem>>,
) -> Outcome<Translated<ChcSystem, ChcSystem>> {
    let was_normal = NormalSystem::is_normal(cx.store, &source);
    let (normal, first) = normalize(cx, source)?;
    let (target, second) = pass(cx, normal)?;
    if was_normal {
        return Ok((target, second));
    }
    Ok((target, Box::new(first.then(second))))
}

/// What a pipeline made, in normal form.
pub(crate) fn to_normal(
    cx: &mut Cx<'_>,
    (system, back): Translated<ChcSystem, ChcSystem>,
) -> Outcome<Translated<ChcSystem, NormalSystem>> {
    if NormalSystem::is_normal(cx.store, &system) {
        return Ok((
            NormalSystem::of(cx.store, system),
            Box::new(back.then::<NormalSystem, _>(Unchanged)),
        ));
    }
    let (normal, last) = normalize(cx, system)?;
    Ok((normal, Box::new(back.then(last).then::<NormalSystem, _>(Unchanged))))
}
