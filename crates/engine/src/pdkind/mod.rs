//! Property-directed k-induction, as an instance of IcE/FiRE.
//!
//! The *induction-checking engine* ([`ice`]) looks for a strengthening of the property that is inductive after `k` steps. It
//! asks the *finite-reachability engine* ([`fire`]) whether a counterexample to induction can be reached at all; what
//! comes back is a way from an initial state, or a *bounded invariant* that excludes it, and that strengthens the candidate.
//!
//! | strategy | question | option |
//! |---|---|---|
//! | κ | how deep is the next induction? | [`Depth`] |
//! | ω | which obligation is next? | [`Order`] |
//! | σ | which interpolant becomes a bounded invariant? | [`PdKindOptions::interpolation`] |
//!
//! Several instances with different strategies may work on the same problem and learn from each other; [`exchange`] says
//! exactly what may be told, and why it may be believed.
//!
//! Source: [Bli22] chapter 6 (rules in §6.3.1, Algorithm 6.1), seed 003 Algorithms 4.1–4.3, after [JD16].
//! Symbols: `F` → `base`, `G` → `successor`, `Q` → `queue`, `CEX(l)` → `Lemma::cex`, `n` → `level`, `k` → `depth`,
//! `R_i` → what `Fire` knows at `i` or above.
//! DIVERGENCE [Bli22] §6.3.2: reachability is asked for *at most* instead of *exactly* `i` steps, so that the frames are
//! monotone and a bounded invariant serves all frames below its own.

mod exchange;
mod fire;
mod ice;
mod instances;

use shofar_base::Outcome;
use shofar_chc::{Engine, TransitionSystem, Verdict};
use shofar_smt::{BoolAlgorithm, Interpolation, LinearAlgorithm};
use shofar_term::Cx;

use crate::ts;
pub use exchange::{Exchange, InProcess, Isolated, Message};
use ice::Ice;

/// κ: how deep the induction at level `n` is; never deeper than `n + 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// As deep as possible.
    Level,
    /// At most so deep; 1 is ordinary induction.
    AtMost(usize),
}

impl Depth {
    fn at(self, level: usize) -> usize {
        match self {
            Depth::Level => level + 1,
            Depth::AtMost(limit) => (level + 1).min(limit.max(1)),
        }
    }
}

/// ω: which obligation is looked at next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The one that was added last.
    Newest,
    /// The one that has waited longest.
    Oldest,
    /// One whose counterexample is closest to a bad state.
    Nearest,
}

/// What instances tell each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sharing {
    /// All that [`Message`] allows.
    #[default]
    Lemmas,
    /// Nothing: a race, which is what sharing has to beat.
    Nothing,
}

/// How property-directed k-induction is set up.
#[derive(Clone, Debug)]
pub struct PdKindOptions {
    /// Perturbs ties in the search.
    pub seed: u64,
    /// κ.
    pub depth: Depth,
    /// ω.
    pub order: Order,
    /// σ.
    pub interpolation: Interpolation,
    /// How many instances work together, each in a thread of its own and with strategies of its own.
    pub instances: usize,
    /// Whether they learn from each other.
    pub sharing: Sharing,
}

impl Default for PdKindOptions {
    fn default() -> Self {
        // Clausal labelling is as good on transition systems over reals, and worse on small loops over integers
        // (lra-ts and extra-small-lia, 2026-11).
        let interpolation = Interpolation {
            boolean: BoolAlgorithm::McMillan,
            linear: LinearAlgorithm::Decomposed,
            certify: false,
        };
        Self {
            seed: 0,
            depth: Depth::Level,
            order: Order::Newest,
            interpolation,
            instances: 1,
            sharing: Sharing::Lemmas,
        }
    }
}

/// The engine; see the [module](self) documentation.
#[derive(Clone, Debug, Default)]
pub struct PdKind {
    options: PdKindOptions,
}

impl PdKind {
    /// An engine set up like that.
    pub fn new(options: PdKindOptions) -> Self {
        Self { options }
    }
    /// One instance that tells what it finds out to others, and listens to them.
    pub fn solve_with(
        &self,
        cx: &mut Cx<'_>,
        ts: &TransitionSystem,
        exchange: &mut dyn Exchange,
    ) -> Outcome<Verdict<TransitionSystem>> {
        let ts = ts::prepared(cx, ts)?;
        Ice::new(cx.store, &ts, &self.options, exchange).run(cx)
    }
}

impl Engine<TransitionSystem> for PdKind {
    fn solve(
        &mut self,
        cx: &mut Cx<'_>,
        ts: &TransitionSystem,
    ) -> Outcome<Verdict<TransitionSystem>> {
        if self.options.instances > 1 {
            return instances::cooperate(cx, ts, &self.options);
        }
        self.solve_with(cx, ts, &mut Isolated)
    }
}
