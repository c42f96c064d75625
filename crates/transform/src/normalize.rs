//! The pass that makes arguments distinct variables; the form itself is [`NormalSystem`].

use shofar_base::{IndexVec, Outcome};
use shofar_chc::{BackTranslation, ChcSystem, ClauseId, NormalSystem, Translated, Unchanged};
use shofar_term::Cx;

use crate::Pass;
use crate::back::{Origin, WayBack, unchanged};
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
        Some(first) => (target, Box::new(first.then(second))),
        None => (target, second),
    })
}

/// What a pipeline made, in normal form.
pub(crate) fn to_normal(
    cx: &mut Cx<'_>,
    (system, back): Translated<ChcSystem, ChcSystem>,
) -> Outcome<Translated<ChcSystem, NormalSystem>> {
    let (normal, last) = normalize(cx, system)?;
    Ok(match last {
        Some(last) => (normal, Box::new(back.then(last).then::<NormalSystem, _>(Unchanged))),
        None => (normal, Box::new(back.then::<NormalSystem, _>(Unchanged))),
    })
}
