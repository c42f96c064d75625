//! Ways back: from witnesses for what a pass made to witnesses for what it was given.
//!
//! Ways compose by [`BackTranslation::then`], and only by it: a composition is exact if both parts
//! are, and hints take both. A verdict takes a way back by
//! [`Verdict::translate_back`](crate::Verdict::translate_back).

use std::marker::PhantomData;
use std::sync::Arc;

use shofar_base::Outcome;
use shofar_term::{Cx, TermStore};

use crate::{Hint, Problem};

/// How the problem that a pass made is related to the one it was given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exactness {
    /// Either both can be satisfied, or neither.
    #[default]
    Exact,
    /// A model of the new one is a model of the old one; a refutation of the new one may have no
    /// counterpart.
    Over,
}

/// Turns witnesses for the problem a pass made into witnesses for the problem it was given.
///
/// Threads share it, so that each translates the witness it has found.
pub trait BackTranslation<S: Problem, T: Problem>: Send + Sync {
    /// Whether every refutation has a counterpart. Where it need not have one,
    /// [`refutation`](Self::refutation) looks for one, and gives up with
    /// [`GaveUp::Incomplete`](shofar_base::GaveUp::Incomplete) if there is none.
    fn exactness(&self) -> Exactness {
        Exactness::Exact
    }
    /// The other way: what is guessed about predicates of the problem that the pass was given, said
    /// of the one it made. What cannot be said there is left out; a pass that knows nothing about
    /// it leaves out all. The parameters of a hint about a transition system are its state
    /// variables.
    fn hints(&self, _store: &mut TermStore, _hints: Vec<Hint>) -> Vec<Hint> {
        Vec::new()
    }
    /// From a model to a model.
    fn model(&self, cx: &mut Cx<'_>, model: T::Model) -> Outcome<S::Model>;
    /// From a refutation to a refutation.
    fn refutation(&self, cx: &mut Cx<'_>, refutation: T::Refutation) -> Outcome<S::Refutation>;
    /// The way back through this pass and the one after it.
    fn then<U: Problem, L: BackTranslation<T, U>>(self, next: L) -> Then<Self, L, T>
    where
        Self: Sized,
    {
        Then { first: self, next, between: PhantomData }
    }
}

/// The way back through two passes, see [`BackTranslation::then`].
pub struct Then<F, L, T> {
    first: F,
    next: L,
    /// The problem that the first pass made.
    between: PhantomData<fn() -> T>,
}

impl<S, T, U, F, L> BackTranslation<S, U> for Then<F, L, T>
where
    S: Problem,
    T: Problem,
    U: Problem,
    F: BackTranslation<S, T>,
    L: BackTranslation<T, U>,
{
    fn exactness(&self) -> Exactness {
        self.first.exactness().max(self.next.exactness())
    }
    fn hints(&self, store: &mut TermStore, hints: Vec<Hint>) -> Vec<Hint> {
        let hints = self.first.hints(store, hints);
        self.next.hints(store, hints)
    }
    fn model(&self, cx: &mut Cx<'_>, model: U::Model) -> Outcome<S::Model> {
        let model = self.next.model(cx, model)?;
        self.first.model(cx, model)
    }
    fn refutation(&self, cx: &mut Cx<'_>, refutation: U::Refutation) -> Outcome<S::Refutation> {
        let refutation = self.next.refutation(cx, refutation)?;
        self.first.refutation(cx, refutation)
    }
}

/// The way back from a problem to itself, or to the same one of another type.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unchanged;

impl<S, T> BackTranslation<S, T> for Unchanged
where
    S: Problem,
    T: Problem<Model = S::Model, Refutation = S::Refutation>,
{
    fn hints(&self, _: &mut TermStore, hints: Vec<Hint>) -> Vec<Hint> {
        hints
    }
    fn model(&self, _: &mut Cx<'_>, model: T::Model) -> Outcome<S::Model> {
        Ok(model)
    }
    fn refutation(&self, _: &mut Cx<'_>, refutation: T::Refutation) -> Outcome<S::Refutation> {
        Ok(refutation)
    }
}

/// A shared or boxed way back is one.
macro_rules! by_reference {
    ($($pointer:ident),*) => {$(
        impl<S: Problem, T: Problem, B: BackTranslation<S, T> + ?Sized> BackTranslation<S, T>
            for $pointer<B>
        {
            fn exactness(&self) -> Exactness {
                (**self).exactness()
            }
            fn hints(&self, store: &mut TermStore, hints: Vec<Hint>) -> Vec<Hint> {
                (**self).hints(store, hints)
            }
            fn model(&self, cx: &mut Cx<'_>, model: T::Model) -> Outcome<S::Model> {
                (**self).model(cx, model)
            }
            fn refutation(&self, cx: &mut Cx<'_>, found: T::Refutation) -> Outcome<S::Refutation> {
                (**self).refutation(cx, found)
            }
        }
    )*};
}

by_reference!(Arc, Box);
