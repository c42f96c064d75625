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

use shofar_base::Outcome;
use shofar_chc::{ChcSystem, Engine, Verdict};
use shofar_smt::{BoolAlgorithm, Interpolation, LinearAlgorithm};
use shofar_term::Cx;

use search::Search;

/// How Spacer goes about it.
#[derive(Clone, Debug)]
pub struct SpacerOptions {
    /// Perturbs ties.
    pub seed: u64,
    /// How lemmas are interpolated.
    pub interpolation: Interpolation,
    /// Whether lemmas of one shape suggest guesses.
    pub guidance: bool,
}

impl Default for SpacerOptions {
    fn default() -> Self {
        let interpolation = Interpolation {
            boolean: BoolAlgorithm::Clausal,
            linear: LinearAlgorithm::Decomposed,
            certify: false,
        };
        Self { seed: 0, interpolation, guidance: true }
    }
}

/// The engine; see the module documentation.
#[derive(Clone, Debug, Default)]
pub struct Spacer {
    options: SpacerOptions,
}

impl Spacer {
    /// An engine with these options.
    pub fn new(options: SpacerOptions) -> Self {
        Self { options }
    }
}

impl Engine<ChcSystem> for Spacer {
    fn solve(&mut self, cx: &mut Cx<'_>, system: &ChcSystem) -> Outcome<Verdict<ChcSystem>> {
        let mut search = Search::new(cx, system, &self.options);
        let mut level = 0;
        loop {
            if let Some(fact) = search.block_goal(cx, level)? {
                return Ok(Verdict::Unsafe(search.derivation(cx, fact)?));
            }
            if let Some(fixpoint) = search.push_lemmas(cx, level)? {
                return Ok(Verdict::Safe(search.model(cx.store, fixpoint)));
            }
            level += 1;
        }
    }
}

#[cfg(test)]
mod tests;
