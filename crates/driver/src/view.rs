//! Ways to see the clauses.
//!
//! Clauses that all engines understand have one view. Where arrays (or other data that engines have
//! no theory for) are left after the first passes, there are several: levels of abstraction,
//! prepared when their turn comes. A model of any view is a model of the clauses; a refutation of
//! an abstract view is a candidate that its way back replays on the clauses before abstraction. A
//! view whose refutation is spurious ends and says which cells of arrays would have shown that it
//! is: a further view ([`ClauseView::Watched`]) has them. Whatever else is learned from an ending
//! (the lemmas of an engine that gave up, say) may become a view in the same way.
//!
//! Source: [MIGPB21] §4 for abstraction levels of arrays, refined by spurious counterexamples.
//! DIVERGENCE [MIGPB21]: besides the refined ones there is a fixed list of levels that share the
//! time, because which one decides a problem is seldom known before.

use std::sync::Arc;
use std::time::Duration;

use shofar_base::Outcome;
use shofar_chc::{BackTranslation, ChcSystem, Exactness, NormalSystem};
use shofar_engine::{EngineInfo, engine};
use shofar_term::{Cx, TermStore};
use shofar_transform::{
    Cells, IntBlast, Mode, Normalize, PassReport, Pipeline, Wanted, Watches, default_pipeline,
    fixed_indices, is_arithmetic, passes_before_abstraction,
};

use crate::settings::Preprocessing;

/// How many integers at which queries read are watched beside the one index.
const MOST_FIXED: usize = 4;

/// How many sorts a store has that knows Bool, Int and Real only.
const NUMBERS_ONLY: usize = 3;

/// Turns of the only view have no end.
const NO_END: Duration = Duration::from_secs(1 << 20);

/// How the clauses are seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ClauseView {
    /// As the passes left them, exactly, for all engines.
    Clauses,
    /// As the user wrote them if passes have over-approximated them, else as these left them; for
    /// engines that need no interpolants.
    Exact,
    /// As the passes left them, which is about numbers only, but not exactly.
    Numbers,
    /// Without arrays.
    Forget,
    /// Through one cell, at an index that all arrays share.
    Shared,
    /// Through one cell of each array.
    Own,
    /// Through pairs of cells.
    Pair,
    /// Through the cells that spurious refutations of other views have asked for.
    Watched(Watches),
}

/// The levels for clauses with arrays, in the order in which they begin.
const ARRAYS: &[ClauseView] =
    &[ClauseView::Forget, ClauseView::Exact, ClauseView::Shared, ClauseView::Own, ClauseView::Pair];
/// The levels for clauses that passes have made numbers of, but not exactly.
const NUMBERS: &[ClauseView] = &[ClauseView::Numbers, ClauseView::Exact];

impl ClauseView {
    /// What a user hears.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            ClauseView::Clauses => "clauses",
            ClauseView::Exact => "exact",
            ClauseView::Numbers => "numbers",
            ClauseView::Forget => "forget",
            ClauseView::Shared => "cells",
            ClauseView::Own => "own cells",
            ClauseView::Pair => "pairs of cells",
            ClauseView::Watched(_) => "watched cells",
        }
    }
    /// Its name as a level of abstraction, if it is one.
    pub(crate) fn level(&self) -> Option<&'static str> {
        (*self != ClauseView::Clauses).then(|| self.name())
    }
    /// How much of the time it gets in its first turn.
    pub(crate) fn first_turn(&self) -> Duration {
        Duration::from_millis(match self {
            ClauseView::Clauses => return NO_END,
            ClauseView::Exact => 150,
            ClauseView::Shared | ClauseView::Watched(_) | ClauseView::Numbers => 600,
            ClauseView::Forget | ClauseView::Own | ClauseView::Pair => 300,
        })
    }
    /// The engines that work on it if these are asked for; none in the list means those of the
    /// strategy, and none at all that the view is of no use.
    pub(crate) fn engines(
        &self,
        asked: &[&'static EngineInfo],
    ) -> Option<Vec<&'static EngineInfo>> {
        match self {
            ClauseView::Exact => {
                let bmc = engine("bmc")?;
                let is_asked = |info: &&EngineInfo| info.name == bmc.name;
                (asked.is_empty() || asked.iter().any(is_asked)).then(|| vec![bmc])
            }
            ClauseView::Clauses
            | ClauseView::Numbers
            | ClauseView::Forget
            | ClauseView::Shared
            | ClauseView::Own
            | ClauseView::Pair
            | ClauseView::Watched(_) => Some(asked.to_vec()),
        }
    }
    fn abstraction(&self, store: &TermStore, system: &ChcSystem, wanted: &Wanted) -> Option<Cells> {
        let (mode, watched) = match self {
            ClauseView::Clauses | ClauseView::Exact | ClauseView::Numbers => return None,
            ClauseView::Forget => (Mode::Forget, Watches::new()),
            ClauseView::Watched(watched) => (Mode::Forget, watched.clone()),
            ClauseView::Shared => {
                (Mode::Shared(fixed_indices(store, system, MOST_FIXED)), Watches::new())
            }
            ClauseView::Own => (Mode::Own, Watches::new()),
            ClauseView::Pair => (Mode::Pair, Watches::new()),
        };
        Some(Cells { mode, watched, wanted: wanted.clone() })
    }
}

/// Which passes run behind an abstraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Behind {
    /// The usual ones.
    Usual,
    /// What engines need.
    Nothing,
}

impl Behind {
    /// The passes behind an abstraction, or behind none.
    fn passes(self, is_abstract: bool) -> Pipeline {
        match self {
            Behind::Usual => default_pipeline(),
            // Cells of arrays may be bit-vectors.
            Behind::Nothing if is_abstract => {
                Pipeline::new(vec![Box::new(IntBlast::default()), Box::new(Normalize)])
            }
            Behind::Nothing => normalize(),
        }
    }
}

fn normalize() -> Pipeline {
    Pipeline::new(vec![Box::new(Normalize)])
}

/// The way back from the clauses that engines get.
pub(crate) type Back = Box<dyn BackTranslation<ChcSystem, NormalSystem>>;

/// A view as engines get it, and the way back from it.
pub(crate) type Seen = (NormalSystem, Back);

/// What views are made of: the clauses after the first passes.
pub(crate) struct Source {
    /// As the user wrote them.
    input: ChcSystem,
    store: TermStore,
    system: ChcSystem,
    way: Arc<dyn BackTranslation<ChcSystem, ChcSystem>>,
    behind: Behind,
}

/// The clauses after the first passes.
pub(crate) enum Simplified {
    /// All engines understand them: there is one view.
    Whole(Seen),
    /// They do not.
    InViews(Box<Source>),
}

impl Simplified {
    /// Simplifies `input` as far as all views have it in common.
    pub(crate) fn of(
        cx: &mut Cx<'_>,
        input: &ChcSystem,
        preprocessing: &Preprocessing,
        tell: &mut dyn FnMut(&PassReport),
    ) -> Outcome<Self> {
        let was_arithmetic =
            cx.store.sort_count() == NUMBERS_ONLY || is_arithmetic(cx.store, input);
        let default;
        let (pipeline, behind) = match preprocessing {
            Preprocessing::Default if was_arithmetic => {
                default = default_pipeline();
                (&default, Behind::Usual)
            }
            Preprocessing::Default => {
                default = passes_before_abstraction();
                (&default, Behind::Usual)
            }
            Preprocessing::Nothing => {
                default = normalize();
                (&default, Behind::Nothing)
            }
            Preprocessing::Passes(pipeline) => (pipeline, Behind::Nothing),
        };
        if was_arithmetic {
            return pipeline.run_to_normal(cx, input.clone(), tell).map(Simplified::Whole);
        }
        let (system, way) = pipeline.run(cx, input.clone(), tell)?;
        if is_arithmetic(cx.store, &system) && way.exactness() == Exactness::Exact {
            let (system, last) = behind.passes(false).run_to_normal(cx, system, tell)?;
            return Ok(Simplified::Whole((system, Box::new(way.then(last)))));
        }
        let (store, input, way) = (cx.store.clone(), input.clone(), way.into());
        Ok(Simplified::InViews(Box::new(Source { input, store, system, way, behind })))
    }
    /// The clauses.
    pub(crate) fn system(&self) -> &ChcSystem {
        match self {
            Simplified::Whole((system, _)) => system,
            Simplified::InViews(source) => &source.system,
        }
    }
}

impl Source {
    /// A store for a view to be made in.
    pub(crate) fn store(&self) -> TermStore {
        self.store.clone()
    }
    /// The views that share the time from the beginning.
    pub(crate) fn views(&self) -> &'static [ClauseView] {
        if is_arithmetic(&self.store, &self.system) { NUMBERS } else { ARRAYS }
    }
    /// The clauses in this view.
    pub(crate) fn seen(
        &self,
        cx: &mut Cx<'_>,
        view: &ClauseView,
        wanted: &Wanted,
        tell: &mut dyn FnMut(&PassReport),
    ) -> Outcome<Seen> {
        if *view == ClauseView::Exact {
            return match self.way.exactness() {
                Exactness::Over => normalize().run_to_normal(cx, self.input.clone(), tell),
                Exactness::Exact => self.behind(cx, &normalize(), self.system.clone(), tell),
            };
        }
        let Some(abstraction) = view.abstraction(cx.store, &self.system, wanted) else {
            return self.behind(cx, &self.behind.passes(false), self.system.clone(), tell);
        };
        let pipeline = Pipeline::new(vec![Box::new(abstraction)]);
        let (system, way) = pipeline.run(cx, self.system.clone(), tell)?;
        let (system, last) = self.behind.passes(true).run_to_normal(cx, system, tell)?;
        Ok((system, Box::new(Arc::clone(&self.way).then(way).then(last))))
    }
    /// `system`, which the first passes have made, after further ones.
    fn behind(
        &self,
        cx: &mut Cx<'_>,
        passes: &Pipeline,
        system: ChcSystem,
        tell: &mut dyn FnMut(&PassReport),
    ) -> Outcome<Seen> {
        let (system, last) = passes.run_to_normal(cx, system, tell)?;
        Ok((system, Box::new(Arc::clone(&self.way).then(last))))
    }
}
