//! From a witness for the simplified clauses to a certified one for the input.

use shofar_base::{Budget, GaveUp, Outcome};
use shofar_chc::{ChcSystem, NormalSystem, Verdict};
use shofar_check::{Certified, validate_with};
use shofar_term::{Cx, TermStore};

use crate::task::Task;

impl Task {
    /// The witness for the clauses as they were given.
    pub(crate) fn translate(
        &self,
        store: &mut TermStore,
        budget: &Budget,
        verdict: Verdict<NormalSystem>,
    ) -> Outcome<Verdict<ChcSystem>> {
        let observer = self.question.settings.observer.as_deref();
        let mut cx = Cx::new(store, budget).watched_by(observer, "translation");
        verdict.translate_back(&mut cx, &*self.clauses.back)
    }
    /// The certified verdict, or what is wrong with it; a refutation that is neither right nor
    /// wrong is given up.
    pub(crate) fn validate(
        &self,
        store: &mut TermStore,
        budget: &Budget,
        verdict: Verdict<ChcSystem>,
    ) -> Outcome<Result<Certified, String>> {
        let (input, settings) = (&self.question.input, &self.question.settings);
        let mut cx = Cx::new(store, budget).watched_by(settings.observer.as_deref(), "validation");
        match validate_with(&mut cx, input, verdict, settings.rigour)? {
            Err(objection) if objection.is_open() => {
                Err(GaveUp::incomplete("a step of the refutation depends on an unspecified value"))
            }
            checked => Ok(checked.map_err(|objection| objection.describe(cx.store, input))),
        }
    }
}
