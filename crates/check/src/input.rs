//! What witnesses are checked against: the assertions, and the clauses that were read from them.
//!
//! Models are checked against the assertions. Refutations name clauses; each step is checked against its clause, and
//! against the assertion that the clause came from. So the translation from assertions to clauses need not be trusted.

use std::borrow::Cow;

use shofar_base::{Idx, Span};
use shofar_chc::read::HornProblem;
use shofar_chc::{ChcSystem, ClauseId};
use shofar_term::{Term, TermStore};

/// A formula that the user asserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assertion {
    /// Without quantifiers; predicates are applications, all other symbols are universal.
    pub formula: Term,
    /// Where it stands.
    pub span: Option<Span>,
}

/// A problem as it was given.
#[derive(Clone, Debug)]
pub struct HornInput<'a> {
    system: Cow<'a, ChcSystem>,
    assertions: Vec<Assertion>,
    origins: Vec<usize>,
}

impl<'a> HornInput<'a> {
    /// The problem of `assertions`, of which `system` was made; `origins` has the place of each clause's assertion.
    pub fn new(
        system: Cow<'a, ChcSystem>,
        assertions: Vec<Assertion>,
        origins: Vec<usize>,
    ) -> Self {
        assert_eq!(origins.len(), system.clause_count(), "every clause has an origin");
        assert!(origins.iter().all(|&at| at < assertions.len()), "origins are assertions");
        Self { system, assertions, origins }
    }
    /// A problem that was read from a text.
    pub fn of_problem(problem: &'a HornProblem) -> Self {
        let assertions = problem.assertions.iter();
        let assertions =
            assertions.map(|a| Assertion { formula: a.formula, span: Some(a.span) }).collect();
        let origins = problem.origin.iter().copied().collect();
        Self::new(Cow::Borrowed(&problem.system), assertions, origins)
    }
    /// The problem whose assertions are the clauses of `system` themselves.
    pub fn of_system(store: &mut TermStore, system: Cow<'a, ChcSystem>) -> Self {
        let assertions: Vec<Assertion> = system
            .clauses()
            .map(|(id, c)| Assertion { formula: system.formula(store, id), span: c.span })
            .collect();
        let origins = (0..assertions.len()).collect();
        Self::new(system, assertions, origins)
    }
    /// The same problem, which borrows nothing.
    pub fn into_owned(self) -> HornInput<'static> {
        let Self { system, assertions, origins } = self;
        HornInput { system: Cow::Owned(system.into_owned()), assertions, origins }
    }
    /// The clauses.
    pub fn system(&self) -> &ChcSystem {
        &self.system
    }
    /// The assertions.
    pub fn assertions(&self) -> &[Assertion] {
        &self.assertions
    }
    /// The place of the assertion that a clause came from.
    pub fn origin(&self, clause: ClauseId) -> usize {
        self.origins[clause.index()]
    }
}
