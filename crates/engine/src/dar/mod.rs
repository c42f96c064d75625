//! Dual approximated reachability: forward and backward sequences that strengthen each other.
//!
//! A state is a predicate, its *location*, with arguments. `forward[i]` contains all states `i`
//! steps after an initial one, `backward[i]` all states `i` steps before a bad one. As long as some
//! `forward[i]` has no step into `backward[n - i]`, both sequences can be made longer by
//! interpolants of single steps (*local strengthening*). Otherwise, steps from the initial states
//! are unrolled until `backward` is out of reach (*global strengthening*); only if that needs all
//! of them, there is a refutation. A sequence that reaches nothing new is a model, or the
//! complement of one.
//!
//! Invariants, for sequences `0..=n`: a step from `forward[i]` leads into `forward[i + 1]`, a step
//! into `backward[i]` comes from `backward[i + 1]`; the first elements are the initial and the bad
//! states; no `forward[i]` contains a bad state and no `backward[i]` an initial one.
//!
//! Source: [VGS13] §3 and §4, with `F_i` → `forward`, `B_i` → `backward`. DIVERGENCE [VGS13]:
//! states have locations, and interpolants are about one location each; a transition system is the
//! case of one.

mod paths;
mod sequences;
mod sharing;
mod steps;

use shofar_base::{GaveUp, IndexVec, Outcome};
use shofar_chc::{Engine, LinearSystem, NormalSystem, PredId, Verdict};
use shofar_term::{Cx, Stage, Term};

use crate::FixpointOptions;
use sequences::{Global, Sequences};

/// A set of states: for each location a formula over its parameters.
type Region = IndexVec<PredId, Term>;

/// The engine; see the [module](self) documentation.
#[derive(Clone, Debug, Default)]
pub struct Dar {
    options: FixpointOptions,
}

impl Dar {
    /// An engine set up like that.
    pub fn new(options: FixpointOptions) -> Self {
        Self { options }
    }
}

impl Engine<NormalSystem> for Dar {
    fn solve(&mut self, cx: &mut Cx<'_>, system: &NormalSystem) -> Outcome<Verdict<NormalSystem>> {
        let Some(system) = LinearSystem::of(system) else {
            return Err(GaveUp::unsupported("a nonlinear system has no paths"));
        };
        let mut sequences = Sequences::new(cx, system, &self.options)?;
        if let Some(refutation) = sequences.at_once(cx)? {
            return Ok(Verdict::Unsafe(refutation));
        }
        loop {
            cx.budget.check()?;
            let place = match sequences.local(cx)? {
                Some(place) => place,
                None => match sequences.global(cx)? {
                    Global::Strengthened(place) => place,
                    Global::Reachable(refutation) => return Ok(Verdict::Unsafe(refutation)),
                },
            };
            sequences.extend(cx, place)?;
            cx.reached(Stage::at("depth", sequences.last()));
            sequences.hear(cx)?;
            sequences.tell(cx);
            if let Some(model) = sequences.fixpoint(cx)? {
                return Ok(Verdict::Safe(model));
            }
        }
    }
}
