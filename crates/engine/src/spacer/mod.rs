//! Spacer: property-directed reachability for Horn clauses of any shape.
//!
//! Each predicate has *lemmas*, formulas that hold of everything derivable within a number of levels, and *facts*, formulas
//! all of whose points are derivable. A *proof obligation* asks for points of a predicate that must not be derivable within
//! its level. If a rule can reach one from the lemmas of its premises, either the facts suffice (then there is a new
//! fact), or a premise becomes an obligation one level below; if no rule can, the obligation is blocked by a new lemma. After
//! each round lemmas are pushed up; if a level becomes empty, the lemmas above it are a solution.
//!
//! Source: [KGC16]; the organisation into levels, obligations and facts follows [KGC14]. Symbols: `O_i(p)` → the lemmas of `p`
//! at level `i` or higher, `U(p)` → `facts`.
//! DIVERGENCE [KGC16]: facts carry no level, since they are true derivations; lemmas are interpolants, generalised by
//! relative induction before they are computed.

mod frames;
mod guide;
mod learn;
mod literal;
mod obligation;
mod push;
mod reach;
mod rules;
mod search;
mod solution;
mod statistics;

use std::time::Instant;

use shofar_base::Outcome;
use shofar_chc::{ChcSystem, Engine, Verdict};
use shofar_smt::{BoolAlgorithm, Interpolation, LinearAlgorithm};
use shofar_term::Cx;

use search::Search;
use statistics::{Statistics, Work};

/// How Spacer goes about it.
#[derive(Clone, Debug)]
pub struct SpacerOptions {
    /// Perturbs ties.
    pub seed: u64,
    /// How lemmas are interpolated.
    pub interpolation: Interpolation,
    /// Which rules of global guidance are used.
    pub guidance: Guidance,
    /// How often a blocked obligation is asked again one level higher within one round.
    pub lifts: u32,
}

/// The rules of global guidance; see [VCSG20].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guidance {
    /// Guess a cube around those of many lemmas.
    pub subsume: bool,
    /// Guess that a drifting bound does not matter.
    pub conjecture: bool,
    /// Bound variables one by one where coefficients grow.
    pub concretize: bool,
}

impl Guidance {
    /// Every rule.
    pub const ALL: Self = Self { subsume: true, conjecture: true, concretize: true };
    /// No rule.
    pub const NONE: Self = Self { subsume: false, conjecture: false, concretize: false };
}

impl Default for SpacerOptions {
    fn default() -> Self {
        let interpolation = Interpolation {
            boolean: BoolAlgorithm::Clausal,
            linear: LinearAlgorithm::Decomposed,
            certify: false,
        };
        Self { seed: 0, interpolation, guidance: Guidance::ALL, lifts: 0 }
    }
}

/// The engine; see the module documentation.
#[derive(Clone, Debug, Default)]
pub struct Spacer {
    options: SpacerOptions,
    statistics: Statistics,
}

impl Spacer {
    /// An engine with these options.
    pub fn new(options: SpacerOptions) -> Self {
        Self { options, statistics: Statistics::default() }
    }
}

impl Engine<ChcSystem> for Spacer {
    fn solve(&mut self, cx: &mut Cx<'_>, system: &ChcSystem) -> Outcome<Verdict<ChcSystem>> {
        let mut search = Search::new(cx, system, &self.options);
        let verdict = run(cx, &mut search);
        self.statistics = search.stats;
        verdict
    }
    fn figures(&self) -> Vec<(&'static str, u64)> {
        self.statistics.rows()
    }
}

/// Blocks the goal level by level until it is reached or the lemmas of a level are inductive.
fn run(cx: &mut Cx<'_>, search: &mut Search<'_>) -> Outcome<Verdict<ChcSystem>> {
    for level in 0.. {
        search.stats.levels += 1;
        if let Some(fact) = search.block_goal(cx, level)? {
            return Ok(Verdict::Unsafe(search.derivation(cx, fact)?));
        }
        let start = Instant::now();
        let fixpoint = search.push_lemmas(cx, level)?;
        search.stats.took(Work::Pushing, start);
        if let Some(fixpoint) = fixpoint {
            return Ok(Verdict::Safe(search.model(cx.store, fixpoint)));
        }
        tracing::debug!("level {} of spacer: {:?}", level + 1, search.stats);
        search.log_frames(cx.store);
    }
    unreachable!("there are more levels than time")
}

#[cfg(test)]
mod tests;
