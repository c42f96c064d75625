//! The decision, and the token that proves it was made.

use shofar_base::Outcome;
use shofar_chc::{ChcSystem, Verdict};
use shofar_term::Cx;

use crate::{HornInput, Objection, model, refutation};

/// A verdict whose witness was found to be valid. Only [`validate`] makes one.
#[derive(Clone, Debug)]
pub struct Certified {
    verdict: Verdict<ChcSystem>,
}

impl Certified {
    /// The verdict.
    pub fn verdict(&self) -> &Verdict<ChcSystem> {
        &self.verdict
    }
    /// The verdict, no longer certified.
    pub fn into_verdict(self) -> Verdict<ChcSystem> {
        self.verdict
    }
}

/// How much the validator takes on trust.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rigour {
    /// That the SMT solver is right when it calls the negation of an assertion unsatisfiable.
    #[default]
    Solver,
    /// Only that replaying the solver's proofs finds mistakes.
    Proofs,
}

/// Whether the witness in `verdict` is one for `input`.
pub fn validate(
    cx: &mut Cx<'_>,
    input: &HornInput<'_>,
    verdict: Verdict<ChcSystem>,
) -> Outcome<Result<Certified, Objection>> {
    validate_with(cx, input, verdict, Rigour::default())
}

/// The same, with a choice of rigour.
pub fn validate_with(
    cx: &mut Cx<'_>,
    input: &HornInput<'_>,
    verdict: Verdict<ChcSystem>,
    rigour: Rigour,
) -> Outcome<Result<Certified, Objection>> {
    let found = match &verdict {
        Verdict::Safe(model) => model::check(cx, input, model, rigour)?,
        Verdict::Unsafe(derivation) => refutation::check(cx, input, derivation)?,
    };
    Ok(found.map(|()| Certified { verdict }))
}
