//! Transition power abstraction: relations that over-approximate exponentially many steps.
//!
//! Engines usually look one step further at a time. Here the `n`-th element of a sequence of
//! *relations* between states over-approximates about `2ⁿ` steps, and a bounded question about
//! `2ⁿ⁺¹` steps is one query: two steps of the `n`-th relation. No answer there refines the next
//! element of the sequence by an interpolant; a satisfying one yields states in the middle, and the
//! two halves are asked recursively. So deep counterexamples take few questions per step, and a
//! relation that is closed under further steps is a *transition invariant*, which proves safety.
//!
//! | part | what it does |
//! |---|---|
//! | [`sequence`] | the relations, by level |
//! | [`compose`] | two steps of relations as one incremental query with interpolants |
//! | [`reach`] | the recursive question (Algorithms 4.2, 4.4 and 4.5) |
//! | [`execute`], [`program`] | running the system from a single state |
//! | [`path`] | how states were reached, and the run made of that |
//! | [`fixpoint`] | when a relation is a transition invariant (Lemmas 4.13, 4.20 and 4.22) |
//! | [`certificate`] | from a transition invariant to a state invariant without quantifiers |
//! | [`sharing`] | what other engines hear |
//! | [`network`], [`flow`], [`trace`] | several loops that follow each other: their graph, the search, derivations |
//!
//! `tpa` keeps one sequence, `ATr≤n` for at most `2ⁿ` steps; `split-tpa` keeps two, `ATr<n` for
//! fewer than `2ⁿ` and `ATr=n` for exactly `2ⁿ` steps. [`Relation`] says which; everything else is
//! shared.
//!
//! Source: [Bli22] chapter 4; [BFHS22] for `tpa`, [BFHS22b] for `split-tpa`. Symbols: `ATr` →
//! [`sequence::Sequence`], `X, X′, X″` → `state`, `middle`, `next`, `Source, Target` → `source`,
//! `target`.

mod certificate;
mod compose;
mod execute;
mod fixpoint;
mod flow;
mod names;
mod network;
mod options;
mod path;
mod program;
mod reach;
mod sequence;
mod sharing;
mod trace;

use shofar_base::{GaveUp, Idx as _, Outcome};
use shofar_chc::{
    ChcGraph, ChcSystem, Engine, LinearSystem, NormalSystem, TransitionSystem, Verdict,
};
use shofar_term::{Cx, Stage, Term};

pub use fixpoint::{Lemma, Scope, Side, TransitionInvariant};
use flow::Flow;
pub(crate) use options::OPTIONS;
pub use options::{Direction, Elimination, Order, TpaOptions, Variant};
use reach::{Powers, Reached};
pub use sequence::Power;
use sequence::Relation;

/// The engine; see the [module](self) documentation.
#[derive(Clone, Debug, Default)]
pub struct Tpa {
    options: TpaOptions,
    found: Option<TransitionInvariant>,
}

impl Tpa {
    /// An engine set up like that.
    pub fn new(options: TpaOptions) -> Self {
        Self { options, found: None }
    }
    /// The transition invariant behind the last proof of safety.
    pub fn transition_invariant(&self) -> Option<&TransitionInvariant> {
        self.found.as_ref()
    }
}

impl Engine<TransitionSystem> for Tpa {
    /// One loop.
    fn solve(
        &mut self,
        cx: &mut Cx<'_>,
        ts: &TransitionSystem,
    ) -> Outcome<Verdict<TransitionSystem>> {
        let mut powers = Powers::new(cx.store, ts.clone(), self.options.clone());
        match powers.check_safety(cx)? {
            Safety::Unsafe(reached) => powers.folded_run(cx, &reached).map(Verdict::Unsafe),
            Safety::Safe(found, invariant) => {
                tracing::info!("{found}");
                self.found = Some(found);
                Ok(Verdict::Safe(invariant))
            }
        }
    }
}

impl Engine<NormalSystem> for Tpa {
    /// Loops that follow each other, each with sequences of its own.
    fn solve(&mut self, cx: &mut Cx<'_>, system: &NormalSystem) -> Outcome<Verdict<NormalSystem>> {
        let system = LinearSystem::of(system)
            .filter(|system| is_native(system))
            .ok_or(GaveUp::unsupported("cycles through several predicates"))?;
        let mut flow = Flow::new(cx, system, self.options.clone());
        let verdict = flow.decide(cx);
        self.found = flow.found.pop();
        verdict
    }
}

/// Whether all cycles of a linear system are clauses from a predicate to itself.
pub fn is_native(system: &ChcSystem) -> bool {
    let graph = ChcGraph::new(system);
    system.is_linear() && graph.components().iter().all(|component| component.len() == 1)
}

/// What a loop is, between its initial and its bad states.
enum Safety {
    /// Safe, because of this transition invariant, which gives this state invariant.
    Safe(TransitionInvariant, Term),
    /// Unsafe; these bad states are reached.
    Unsafe(Reached),
}

impl Powers {
    /// `CheckSafetyTPA` and `IsSafeSplitTPA`, Algorithms 4.1 and 4.3.
    fn check_safety(&mut self, cx: &mut Cx<'_>) -> Outcome<Safety> {
        let (init, bad) = (self.names.init, self.names.bad);
        let mut n = Power::ZERO;
        loop {
            cx.reached(Stage::at("power", n.index()));
            for &relation in asked(self.options.variant) {
                if let Some(reached) = self.is_reachable(cx, relation, n, init, bad)? {
                    return Ok(Safety::Unsafe(reached));
                }
            }
            self.push(cx, n)?;
            self.tell(cx, n)?;
            if let Some((found, invariant)) = self.has_invariant(cx, n)? {
                return Ok(Safety::Safe(found, invariant));
            }
            n = n.next();
        }
    }
}

/// The questions that together ask about at most `2ⁿ⁺¹` steps.
fn asked(variant: Variant) -> &'static [Relation] {
    match variant {
        Variant::Whole => &[Relation::AtMost],
        Variant::Split => &[Relation::Below, Relation::Exactly],
    }
}
