//! From a witness for the simplified clauses to a certified one for the input.

use std::sync::Arc;

use shofar_base::{Budget, GaveUp, Outcome};
use shofar_chc::{BackTranslation, ChcSystem, NormalSystem, Verdict};
use shofar_check::{Certified, HornInput, Rigour, validate_with};
use shofar_term::{Cx, Observer, TermStore};

/// The way back from the simplified clauses.
pub(crate) type Back = Box<dyn BackTranslation<ChcSystem, NormalSystem>>;

/// Translates witnesses back and validates them; workers share it.
pub(crate) struct Certifier {
    pub(crate) input: HornInput<'static>,
    pub(crate) back: Back,
    pub(crate) rigour: Rigour,
    pub(crate) observer: Option<Arc<dyn Observer>>,
}

impl Certifier {
    /// The witness for the clauses as they were given.
    pub(crate) fn translate(
        &self,
        store: &mut TermStore,
        budget: &Budget,
        verdict: Verdict<NormalSystem>,
    ) -> Outcome<Verdict<ChcSystem>> {
        let mut cx = Cx::new(store, budget).watched_by(self.observer.as_deref(), "translation");
        Ok(match verdict {
            Verdict::Safe(model) => Verdict::Safe(self.back.model(&mut cx, model)?),
            Verdict::Unsafe(refutation) => {
                Verdict::Unsafe(self.back.refutation(&mut cx, refutation)?)
            }
        })
    }
    /// The certified verdict, or what is wrong with it; a refutation that is neither right nor wrong is given up.
    pub(crate) fn validate(
        &self,
        store: &mut TermStore,
        budget: &Budget,
        verdict: Verdict<ChcSystem>,
    ) -> Outcome<Result<Certified, String>> {
        let mut cx = Cx::new(store, budget).watched_by(self.observer.as_deref(), "validation");
        let checked = validate_with(&mut cx, &self.input, verdict, self.rigour)?;
        match checked {
            Err(objection) if objection.is_open() => {
                Err(GaveUp::incomplete("a step of the refutation depends on an unspecified value"))
            }
            checked => Ok(checked.map_err(|objection| objection.describe(cx.store, &self.input))),
        }
    }
}
