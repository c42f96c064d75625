//! What engines and passes have in common.
//!
//! A problem knows the type of its evidence. A verdict is always a full witness: an engine that cannot produce one gives
//! up. A pass returns the new problem together with the way back for both kinds of witness.

use shofar_base::{Outcome, Statistics};
use shofar_term::{Cx, TermStore};

use crate::{ChcSystem, Derivation, Hint, Interpretation, Run, TransitionSystem};

/// A question with two kinds of evidence.
pub trait Problem {
    /// Evidence for safety.
    type Model;
    /// Evidence for the contrary.
    type Refutation;
}

impl Problem for ChcSystem {
    type Model = Interpretation;
    type Refutation = Derivation;
}

impl Problem for TransitionSystem {
    type Model = shofar_term::Term;
    type Refutation = Run;
}

/// An answer with its witness.
#[derive(Clone, Debug)]
pub enum Verdict<P: Problem> {
    /// The clauses can be satisfied; no bad state is reachable.
    Safe(P::Model),
    /// They cannot; a bad state is reachable.
    Unsafe(P::Refutation),
}

/// A decision procedure for one kind of problem.
pub trait Engine<P: Problem> {
    /// Decides `problem`, or says why not.
    fn solve(&mut self, cx: &mut Cx<'_>, problem: &P) -> Outcome<Verdict<P>>;
    /// What the last call of `solve` counted, for those who want to know where the time went.
    fn statistics(&self) -> Statistics {
        Statistics::new()
    }
    /// What is to be done to a problem before `solve` gets it.
    fn preparation(&self) -> Preparation {
        Preparation::Nothing
    }
}

/// What an engine wants done to its problem, which only those can do who know passes.
///
/// The problem keeps its predicates, and they keep their meaning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Preparation {
    /// Nothing.
    #[default]
    Nothing,
    /// Loops whose effect is known are replaced by clauses that stand for any number of iterations; so are cycles, beside
    /// the clauses on them.
    Shortcuts,
}

/// A problem made of another one, and the way back.
pub type Translated<S, T> = (T, Box<dyn BackTranslation<S, T>>);

/// A pass from problem to problem.
pub trait Transformation<S: Problem, T: Problem> {
    /// Makes the new problem.
    fn apply(&self, cx: &mut Cx<'_>, source: S) -> Outcome<Translated<S, T>>;
}

/// How the problem that a pass made is related to the one it was given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exactness {
    /// Either both can be satisfied, or neither.
    #[default]
    Exact,
    /// A model of the new one is a model of the old one; a refutation of the new one may have no counterpart.
    Over,
}

/// Turns witnesses for the problem a pass made into witnesses for the problem it was given.
///
/// Threads share it, so that each translates the witness it has found.
pub trait BackTranslation<S: Problem, T: Problem>: Send + Sync {
    /// Whether every refutation has a counterpart. Where it need not have one, [`refutation`](Self::refutation) looks for one,
    /// and gives up with [`GaveUp::Incomplete`](shofar_base::GaveUp::Incomplete) if there is none.
    fn exactness(&self) -> Exactness {
        Exactness::Exact
    }
    /// The other way: what is guessed about predicates of the problem that the pass was given, said of the one it made. What cannot be
    /// said there is left out; a pass that knows nothing about it leaves out all. The parameters of a hint about a transition system
    /// are its state variables.
    fn hints(&self, _store: &mut TermStore, _hints: Vec<Hint>) -> Vec<Hint> {
        Vec::new()
    }
    /// From a model to a model.
    fn model(&self, cx: &mut Cx<'_>, model: T::Model) -> Outcome<S::Model>;
    /// From a refutation to a refutation.
    fn refutation(&self, cx: &mut Cx<'_>, refutation: T::Refutation) -> Outcome<S::Refutation>;
}
