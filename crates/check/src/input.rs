//! What witnesses are checked against: the assertions, and the clauses that were read from them.
//!
//! Models are checked against the assertions. Refutations name clauses; each step is checked against its clause, and
//! against the assertion that the clause came from. So the translation from assertions to clauses need not be trusted.
//! Assertions are kept as they were written, with their quantifiers; see [`crate::universal`].

use std::borrow::Cow;

use shofar_base::{Idx, Span};
use shofar_chc::read::HornProblem;
use shofar_chc::{ChcSystem, ClauseId, Exactness};
use shofar_term::{Symbol, Term, TermStore};

use crate::InputText;

/// A formula that the user asserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assertion {
    /// Universal; predicates are applications, all other symbols that no quantifier binds are universal, too.
    pub formula: Term,
    /// Where it stands.
    pub span: Option<Span>,
}

/// A problem as it was given.
#[derive(Clone, Debug)]
pub struct HornInput<'a> {
    system: Cow<'a, ChcSystem>,
    assertions: Vec<Assertion>,
    /// What the reader made of each assertion: without quantifiers, and linear.
    translations: Vec<Term>,
    origins: Vec<usize>,
    /// Variables of each assertion that its clauses need not mention.
    variables: Vec<Vec<Symbol>>,
    text: Option<InputText>,
    exactness: Exactness,
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
        let translations = assertions.iter().map(|assertion| assertion.formula).collect();
        let (variables, exactness) = (vec![Vec::new(); assertions.len()], Exactness::Exact);
        Self { system, assertions, translations, origins, variables, text: None, exactness }
    }
    /// The problem, with what a reader made of each assertion.
    pub(crate) fn translated(self, translations: Vec<Term>) -> Self {
        assert_eq!(translations.len(), self.assertions.len(), "each assertion has a translation");
        Self { translations, ..self }
    }
    /// The problem, which can be read again.
    pub fn with_text(self, text: InputText) -> Self {
        Self { text: Some(text), ..self }
    }
    /// Where the problem can be read again.
    pub(crate) fn text(&self) -> Option<&InputText> {
        self.text.as_ref()
    }
    /// A problem that was read from a text.
    pub fn of_problem(problem: &'a HornProblem) -> Self {
        let assertions = problem.assertions.iter();
        let assertions =
            assertions.map(|a| Assertion { formula: a.written, span: Some(a.span) }).collect();
        let translations = problem.assertions.iter().map(|a| a.formula).collect();
        let origins = problem.origin.iter().copied().collect();
        let input = Self::new(Cow::Borrowed(&problem.system), assertions, origins);
        let variables = problem.assertions.iter().map(|a| a.variables.clone()).collect();
        Self { exactness: problem.exactness, variables, ..input.translated(translations) }
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
        let Self { system, assertions, translations, origins, variables, text, exactness } = self;
        let system = Cow::Owned(system.into_owned());
        HornInput { system, assertions, translations, origins, variables, text, exactness }
    }
    /// The clauses.
    pub fn system(&self) -> &ChcSystem {
        &self.system
    }
    /// Variables that a step by this clause may give values to, although the clause need not
    /// mention them.
    pub(crate) fn variables(&self, clause: ClauseId) -> &[Symbol] {
        &self.variables[self.origin(clause)]
    }
    /// Whether a refutation of the clauses says something about what they were made of.
    pub(crate) fn exactness(&self) -> Exactness {
        self.exactness
    }
    /// The assertions.
    pub fn assertions(&self) -> &[Assertion] {
        &self.assertions
    }
    /// What a reader made of the assertions.
    pub(crate) fn translations(&self) -> &[Term] {
        &self.translations
    }
    /// The place of the assertion that a clause came from.
    pub fn origin(&self, clause: ClauseId) -> usize {
        self.origins[clause.index()]
    }
}
