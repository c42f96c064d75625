//! What engines and passes have in common.
//!
//! A problem knows the type of its evidence. A verdict is always a full witness: an engine that
//! cannot produce one gives up. A pass returns the new problem together with the way back for both
//! kinds of witness.

use shofar_base::{Outcome, Statistics};
use shofar_term::Cx;

use crate::{BackTranslation, ChcSystem, Derivation, Interpretation, Run, TransitionSystem};

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

impl<T: Problem> Verdict<T> {
    /// The verdict about the problem that a pass was given, by the way back of the pass.
    pub fn translate_back<S: Problem>(
        self,
        cx: &mut Cx<'_>,
        back: &(impl BackTranslation<S, T> + ?Sized),
    ) -> Outcome<Verdict<S>> {
        Ok(match self {
            Verdict::Safe(model) => Verdict::Safe(back.model(cx, model)?),
            Verdict::Unsafe(refutation) => Verdict::Unsafe(back.refutation(cx, refutation)?),
        })
    }
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
    /// Loops whose effect is known are replaced by clauses that stand for any number of iterations;
    /// so are cycles, beside the clauses on them.
    Shortcuts,
}

/// A problem made of another one, and the way back.
pub type Translated<S, T> = (T, Box<dyn BackTranslation<S, T>>);

/// A pass from problem to problem.
pub trait Transformation<S: Problem, T: Problem> {
    /// Makes the new problem.
    fn apply(&self, cx: &mut Cx<'_>, source: S) -> Outcome<Translated<S, T>>;
}
