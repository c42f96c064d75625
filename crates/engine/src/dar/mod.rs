//! Dual approximated reachability: forward and backward over-approximations that strengthen each other.
//!
//! `forward[i]` contains all states `i` steps after an initial one, `backward[i]` all states `i` steps before a bad one. As
//! long as some `forward[i]` has no step into `backward[n - i]`, both sequences can be made longer by interpolants of single
//! steps (*local strengthening*). Otherwise, steps from the initial states are unrolled until `backward` is out of reach
//! (*global strengthening*); only if that needs all of them, there is a run. A sequence that reaches nothing new is an
//! inductive invariant, or the complement of one.
//!
//! Invariants, for sequences `0..=n`: a step from `forward[i]` leads into `forward[i + 1]`, a step into `backward[i]` comes
//! from `backward[i + 1]`; the first elements are the initial and the bad states; no `forward[i]` contains a bad state
//! and no `backward[i]` an initial one.
//!
//! Source: [VGS13] §3 and §4, with `F_i` → `forward`, `B_i` → `backward`. DIVERGENCE [VGS13]: on transition systems only.

mod sequences;

use shofar_base::Outcome;
use shofar_chc::{Engine, TransitionSystem, Verdict};
use shofar_smt::Interpolation;
use shofar_term::Cx;

use crate::ts;
use sequences::{Global, Sequences};

/// How dual approximated reachability is set up.
#[derive(Clone, Debug)]
pub struct DarOptions {
    /// Perturbs ties in the search.
    pub seed: u64,
    /// How approximations are interpolated.
    pub interpolation: Interpolation,
}

impl Default for DarOptions {
    fn default() -> Self {
        let interpolation = Interpolation::weakest();
        Self { seed: 0, interpolation }
    }
}

/// The engine; see the [module](self) documentation.
#[derive(Clone, Debug, Default)]
pub struct Dar {
    options: DarOptions,
}

impl Dar {
    /// An engine set up like that.
    pub fn new(options: DarOptions) -> Self {
        Self { options }
    }
}

impl Engine<TransitionSystem> for Dar {
    fn solve(
        &mut self,
        cx: &mut Cx<'_>,
        ts: &TransitionSystem,
    ) -> Outcome<Verdict<TransitionSystem>> {
        let ts = &ts::prepared(cx, ts)?;
        if let Some(run) = ts::run_through(cx, ts, 0, &[])? {
            return Ok(Verdict::Unsafe(run));
        }
        let ts = &TransitionSystem { init: ts::init_without_locals(cx, ts)?, ..ts.clone() };
        let mut sequences = Sequences::new(cx.store, ts, &self.options);
        loop {
            cx.budget.check()?;
            let place = match sequences.local(cx)? {
                Some(place) => place,
                None => match sequences.global(cx)? {
                    Global::Strengthened(place) => place,
                    Global::Reachable(run) => return Ok(Verdict::Unsafe(run)),
                },
            };
            sequences.extend(cx, place)?;
            if let Some(invariant) = sequences.fixpoint(cx)? {
                return Ok(Verdict::Safe(invariant));
            }
        }
    }
}
