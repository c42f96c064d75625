//! IC3 with implicit predicate abstraction.
//!
//! IC3 finds an inductive invariant by many small queries about single steps, never by unrolling.
//! Here its states are abstract: a state says which *predicates* hold, and its clauses are over
//! predicates. The abstract system is never computed; queries about its steps are queries about
//! concrete ones ([`frames`]). A path of the abstract system to a bad state is either a run, or its
//! interpolants have new predicates ([`refine`]), and the search goes on with all clauses found so
//! far.
//!
//! | file | concept |
//! |---|---|
//! | `search` | blocking, propagation, levels |
//! | `frames`, `start` | clauses by level, relative induction; initial states |
//! | `step`, `predicates` | what must hold before a step; abstract states and how they are lifted |
//! | `generalize` | inductive generalisation |
//! | `refine` | counterexamples, runs, new predicates |
//! | `sharing` | what other engines hear and say |
//!
//! Source: [CGMT14]; IC3 itself after [Bra11], [EMB11] and [HBS13]. Symbols: `F_i` → [`frames`],
//! `P` → `predicates`, `⟨s, i⟩` → `obligation`.

mod frames;
mod generalize;
mod obligation;
mod options;
mod predicates;
mod refine;
mod search;
mod sharing;
mod start;
mod statistics;
mod step;

use shofar_base::{Idx as _, Outcome};
use shofar_chc::{Engine, TransitionSystem, Verdict};
use shofar_term::{Cx, Phase, PhaseTimes, Stage};

use crate::ts::{self, Beginning};
pub(crate) use options::OPTIONS;
pub use options::{Adopted, Ic3iaOptions, Signals};
use refine::Refinement;
use search::Search;
use statistics::Statistics;

/// The engine; see the [module](self) documentation.
#[derive(Clone, Debug, Default)]
pub struct Ic3ia {
    options: Ic3iaOptions,
    statistics: Statistics,
    times: PhaseTimes,
}

impl Ic3ia {
    /// An engine set up like that.
    pub fn new(options: Ic3iaOptions) -> Self {
        Self { options, ..Self::default() }
    }
}

impl Engine<TransitionSystem> for Ic3ia {
    fn solve(
        &mut self,
        cx: &mut Cx<'_>,
        ts: &TransitionSystem,
    ) -> Outcome<Verdict<TransitionSystem>> {
        let ts = match ts::begin(cx, ts)? {
            Beginning::Bad(run) => return Ok(Verdict::Unsafe(run)),
            Beginning::System(ts) => ts,
        };
        self.times = PhaseTimes::default();
        let cx = &mut cx.measured(&self.times);
        let mut search = Search::new(cx, &ts, &self.options)?;
        let verdict = decide(cx, &mut search);
        search.stats.predicates = search.predicates.len() as u64;
        self.statistics = search.stats;
        verdict
    }
    fn statistics(&self) -> shofar_base::Statistics {
        self.statistics.rows(&self.times).into_iter().collect()
    }
}

/// `IC3ia`: level by level, until there is a run or an invariant.
fn decide(cx: &mut Cx<'_>, search: &mut Search<'_>) -> Outcome<Verdict<TransitionSystem>> {
    loop {
        search.hear(cx)?;
        if let Some(path) = search.block_all(cx)? {
            match search.refine(cx, &path)? {
                Refinement::Real(run) => return Ok(Verdict::Unsafe(run)),
                Refinement::Spurious => continue,
            }
        }
        if let Some(invariant) = cx.phase(Phase::Pushing, |cx| search.propagate(cx))? {
            return search.trusted(cx, invariant).map(Verdict::Safe);
        }
        search.level = search.level.next();
        search.stats.levels += 1;
        tracing::debug!("level {}, {} clauses", search.level, search.frames.clauses.len());
        let level = Stage::at("level", search.level.index());
        cx.reached(level.with(search.frames.clauses.len(), "clauses"));
    }
}
