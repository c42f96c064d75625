//! What witnesses are checked against: the problem as it was given.
//!
//! Models are checked against the assertions. Refutations name clauses; each step is checked
//! against its clause, and against the assertion that the clause came from. So the translation from
//! assertions to clauses need not be trusted. Assertions are kept as they were written, with their
//! quantifiers; see [`crate::universal`].

use std::sync::Arc;

use shofar_chc::read::{Assertion, HornProblem};
use shofar_chc::{ChcSystem, ClauseId, Exactness};
use shofar_term::{Symbol, TermStore};

use crate::InputText;

/// A problem as it was given, and where it can be read again. Copies share the problem.
#[derive(Clone, Debug)]
pub struct HornInput {
    problem: Arc<HornProblem>,
    text: Option<InputText>,
}

impl HornInput {
    /// This problem.
    pub fn new(problem: Arc<HornProblem>) -> Self {
        assert_eq!(
            problem.origin.len(),
            problem.system.clause_count(),
            "every clause comes from an assertion"
        );
        let are_assertions = problem.origin.iter().all(|&at| at < problem.assertions.len());
        assert!(are_assertions, "clauses come from assertions");
        Self { problem, text: None }
    }
    /// A copy of this problem.
    pub fn of_problem(problem: &HornProblem) -> Self {
        Self::new(Arc::new(problem.clone()))
    }
    /// The problem whose assertions are the clauses of `system` themselves.
    pub fn of_system(store: &mut TermStore, system: ChcSystem) -> Self {
        Self::new(Arc::new(HornProblem::of_system(store, system)))
    }
    /// The problem, which can be read again.
    pub fn with_text(self, text: InputText) -> Self {
        Self { text: Some(text), ..self }
    }
    /// Where the problem can be read again.
    pub(crate) fn text(&self) -> Option<&InputText> {
        self.text.as_ref()
    }
    /// The problem.
    pub fn problem(&self) -> &HornProblem {
        &self.problem
    }
    /// The clauses.
    pub fn system(&self) -> &ChcSystem {
        &self.problem.system
    }
    /// The assertions.
    pub fn assertions(&self) -> &[Assertion] {
        &self.problem.assertions
    }
    /// Variables that a step by this clause may give values to, although the clause need not
    /// mention them.
    pub(crate) fn variables(&self, clause: ClauseId) -> &[Symbol] {
        &self.problem.assertions[self.origin(clause)].variables
    }
    /// Whether a refutation of the clauses says something about what they were made of.
    pub(crate) fn exactness(&self) -> Exactness {
        self.problem.exactness
    }
    /// The place of the assertion that a clause came from.
    pub fn origin(&self, clause: ClauseId) -> usize {
        self.problem.origin[clause]
    }
}
