//! Problems: clauses with the store their terms live in, and the text they come from.

use std::sync::Arc;

use shofar_base::{Diagnostic, Position, Source, Span};
use shofar_chc::read::{FrontEnd, HornProblem, ReadOptions};
use shofar_chc::{ChcSystem, ClauseId, IllFormed};
use shofar_check::{HornInput, InputText};
use shofar_term::TermStore;

use crate::InputError;
use crate::front_end::front_end_for;

/// A set of Horn clauses, and the question whether it has a model.
#[derive(Clone, Debug)]
pub struct Problem {
    pub(crate) store: TermStore,
    pub(crate) horn: Arc<HornProblem>,
    pub(crate) text: Arc<[u8]>,
    /// Where the validator reads it again.
    pub(crate) origin: Option<InputText>,
}

impl Problem {
    /// The problem in a text that asks one question, in the language that is recognised.
    pub fn from_text(text: &[u8]) -> Result<Self, InputError> {
        let mut problems = Self::all_from_text(text)?;
        let message = match problems.len() {
            1 => return Ok(problems.swap_remove(0)),
            0 => "the text asks no question".to_owned(),
            count => format!("the text asks {count} questions"),
        };
        let whole = Span::new(0, text.len());
        Err(InputError::new(Diagnostic::new(whole, message), text.into()))
    }
    /// The problems of all questions in a text, in their order.
    pub fn all_from_text(text: &[u8]) -> Result<Vec<Self>, InputError> {
        Self::read(front_end_for(None, text), text)
    }
    /// The problems of all questions in a text of this language, with its options as usual.
    pub fn read(front_end: &FrontEnd, text: &[u8]) -> Result<Vec<Self>, InputError> {
        Self::read_with(front_end, &front_end.defaults(), text)
    }
    /// The problems of all questions in a text of this language; the options are those of the
    /// language.
    pub fn read_with(
        front_end: &FrontEnd,
        options: &ReadOptions,
        text: &[u8],
    ) -> Result<Vec<Self>, InputError> {
        let mut store = TermStore::new();
        let text: Arc<[u8]> = text.into();
        let problems = (front_end.read)(&text, options, &mut store)
            .map_err(|diagnostic| InputError::new(diagnostic, text.clone()))?;
        // The last problem gets the store itself, the others copies.
        let stores = std::iter::repeat_n(store, problems.len());
        let new = |(question, (horn, store))| {
            let origin = Some(InputText::of(front_end, options, &text, question));
            Self { store, horn: Arc::new(horn), text: text.clone(), origin }
        };
        Ok(problems.into_iter().zip(stores).enumerate().map(new).collect())
    }
    /// The problem of clauses that a program has made; their terms are those of `store`. Clauses
    /// without a meaning are refused.
    ///
    /// ```
    /// use shofar::chc::{ChcSystem, Clause, PredAtom};
    /// use shofar::term::{Sort, TermStore};
    /// use shofar::{Answer, Problem, Solver};
    ///
    /// let (mut store, mut system) = (TermStore::new(), ChcSystem::new());
    /// let reached = system.add_pred(store.declare("reached", &[Sort::INT], Sort::BOOL));
    /// let (x, zero, ten) = (store.var("x", Sort::INT), store.int(0), store.int(10));
    /// let one = store.int(1);
    /// let next = store.add(&[x, one]);
    /// let state = |arg| PredAtom { pred: reached, args: vec![arg] };
    /// // reached(0); reached(x) ∧ x < 10 → reached(x + 1); reached(x) ∧ x ≥ 10 → false.
    /// let (yes, below, above) = (store.top(), store.lt(x, ten), store.ge(x, ten));
    /// for (body, constraint, head) in [
    ///     (vec![], yes, Some(state(zero))),
    ///     (vec![state(x)], below, Some(state(next))),
    ///     (vec![state(x)], above, None),
    /// ] {
    ///     system.add_clause(Clause { head, body, constraint, span: None });
    /// }
    /// let outcome = Solver::new().solve(Problem::from_clauses(store, system)?);
    /// let Answer::Unsafe(refutation) = outcome.answer else { panic!("10 is reached") };
    /// assert_eq!(refutation.len(), 12);
    /// # Ok::<(), shofar::IllFormed>(())
    /// ```
    pub fn from_clauses(mut store: TermStore, system: ChcSystem) -> Result<Self, IllFormed> {
        system.check_well_formed(&store)?;
        let horn = HornProblem::of_system(&mut store, system);
        Ok(Self { store, horn: horn.into(), text: Arc::default(), origin: None })
    }
    /// A problem that was read with `store`, from `text`.
    pub fn from_parts(store: TermStore, horn: HornProblem, text: Arc<[u8]>) -> Self {
        Self { store, horn: horn.into(), text, origin: None }
    }
    /// The problem, which the validator reads again from there.
    pub fn read_again_from(self, origin: InputText) -> Self {
        Self { origin: Some(origin), ..self }
    }
    /// The clauses.
    pub fn system(&self) -> &ChcSystem {
        &self.horn.system
    }
    /// Where terms of the clauses live.
    pub fn store(&self) -> &TermStore {
        &self.store
    }
    /// The problem as the validator gets it.
    pub(crate) fn input(&self) -> HornInput {
        let input = HornInput::new(Arc::clone(&self.horn));
        match &self.origin {
            Some(origin) => input.with_text(origin.clone()),
            None => input,
        }
    }
    /// The clauses with the assertions they come from.
    pub fn horn(&self) -> &HornProblem {
        &self.horn
    }
    /// Where in the text a clause was written, if it comes from a text.
    pub fn position(&self, clause: ClauseId) -> Option<Position> {
        let span = self.horn.system.clause(clause).span?;
        Some(Source::new(&self.text).position(span.start))
    }
}
