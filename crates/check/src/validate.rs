//! The decision, and the token that proves it was made.

use shofar_base::Outcome;
use shofar_chc::{ChcSystem, Verdict};
use shofar_term::Cx;

use crate::passage::Passage;
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rigour {
    /// That the SMT solver is right when it calls the negation of an assertion unsatisfiable.
    Solver,
    /// Only the checker of proofs, which knows no solver.
    Proofs,
}

impl Default for Rigour {
    /// Debug builds believe nobody.
    fn default() -> Self {
        if cfg!(debug_assertions) { Rigour::Proofs } else { Rigour::Solver }
    }
}

/// Whether the witness in `verdict`, whose terms live in the store of `cx`, is one for `input`.
pub fn validate(
    cx: &mut Cx<'_>,
    input: &HornInput,
    verdict: Verdict<ChcSystem>,
) -> Outcome<Result<Certified, Objection>> {
    validate_with(cx, input, verdict, Rigour::default())
}

/// The same, with a choice of rigour.
pub fn validate_with(
    cx: &mut Cx<'_>,
    input: &HornInput,
    verdict: Verdict<ChcSystem>,
    rigour: Rigour,
) -> Outcome<Result<Certified, Objection>> {
    let mut passage = Passage::new(cx, input)?;
    let found = match &verdict {
        Verdict::Safe(model) => {
            let model = passage.model(cx.store, model)?;
            let Passage { store, input, .. } = &mut passage;
            model::check(&mut fresh(cx, store), input, &model, rigour)?
        }
        Verdict::Unsafe(derivation) => {
            let derivation = passage.refutation(cx.store, derivation);
            let Passage { store, input, origins } = &mut passage;
            let names = |symbol| origins.get(&symbol).copied();
            refutation::check(&mut fresh(cx, store), input, &derivation, &names)?
        }
    };
    let Passage { store, origins, .. } = &passage;
    let home = |symbol| match origins.get(&symbol) {
        Some(&origin) => origin,
        None => cx.store.declare(store.name(symbol), &[], store.result(symbol)),
    };
    Ok(found.map(|()| Certified { verdict }).map_err(|objection| objection.renamed(home)))
}

/// The context for a part of the work in another store.
fn fresh<'f>(cx: &'f Cx<'_>, store: &'f mut shofar_term::TermStore) -> Cx<'f> {
    Cx { watched: cx.watched, ..Cx::new(store, cx.budget) }
}

/// The same in the store of `cx`, to which nobody but the readers of the problem and of the witness
/// has written.
pub(crate) fn validate_in_place(
    cx: &mut Cx<'_>,
    input: &HornInput,
    verdict: Verdict<ChcSystem>,
    rigour: Rigour,
) -> Outcome<Result<Certified, Objection>> {
    let found = match &verdict {
        Verdict::Safe(model) => model::check(cx, input, model, rigour)?,
        Verdict::Unsafe(derivation) => refutation::check(cx, input, derivation, &Some)?,
    };
    Ok(found.map(|()| Certified { verdict }))
}
