//! Property-directed k-induction, as an instance of IcE/FiRE.
//!
//! The *induction-checking engine* ([`ice`]) looks for a strengthening of the property that is
//! inductive after `k` steps. It asks the *finite-reachability engine* ([`fire`]) whether a
//! counterexample to induction can be reached at all; what comes back is a way from an initial
//! state, or a *bounded invariant* that excludes it, and that strengthens the candidate.
//!
//! | strategy | question | option |
//! |---|---|---|
//! | κ | how deep is the next induction? | [`Depth`] |
//! | ω | which obligation is next? | [`Order`] |
//! | σ | which interpolant becomes a bounded invariant? | [`PdKindOptions::interpolation`] |
//!
//! Several instances with different strategies may work on the same problem and learn from each
//! other through the exchange of their context; [`sharing`] says exactly what is told, and why it
//! may be believed.
//!
//! Source: [Bli22] chapter 6 (rules in §6.3.1, Algorithm 6.1), [Hen24] Algorithms 4.1–4.3, after
//! [JD16]. Symbols: `F` → `base`, `G` → `successor`, `Q` → `queue`, `CEX(l)` → `Lemma::cex`, `n` →
//! `level`, `k` → `depth`, `R_i` → what `Fire` knows at `i` or above.
//! DIVERGENCE [Bli22] §6.3.2: reachability is asked for *at most* instead of *exactly* `i` steps,
//! so that the frames are monotone and a bounded invariant serves all frames below its own.

mod fire;
mod ice;
mod instances;
mod options;
mod sharing;

use shofar_base::Outcome;
use shofar_chc::{Engine, TransitionSystem, Verdict};
use shofar_term::Cx;

use crate::ts;
use ice::Ice;
pub(crate) use options::OPTIONS;
pub use options::{Depth, Order, PdKindOptions};

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
    /// One instance.
    fn work(&self, cx: &mut Cx<'_>, ts: &TransitionSystem) -> Outcome<Verdict<TransitionSystem>> {
        let ts = ts::prepared(cx, ts)?;
        Ice::new(cx.store, &ts, &self.options).run(cx)
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
        self.work(cx, ts)
    }
}
