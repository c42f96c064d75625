//! Formulas that mean Horn clauses, for the readers of all languages.
//!
//! A front end whose language has formulas of its own enters its predicates and states its
//! formulas; what comes out is the problem whose assertions are these formulas, each with the
//! clauses that it stands for. Symbols other than predicates are variables that a formula is
//! universal in.

use shofar_base::{Diagnostic, IndexVec, Set, Span};
use shofar_term::{Symbol, Term, TermStore};

use super::clausify::Clausifier;
use super::contents::Contents;
use super::linearize::Linearizer;
use super::prenex::Prenex;
use super::{Assertion, HornProblem, Polarity, Trouble};
use crate::{ChcSystem, Clause, Exactness};

/// The formula without quantifiers and products that `term` stands for, and its clauses.
pub(super) fn translate(
    store: &mut TermStore,
    contents: &mut Contents,
    preds: &ChcSystem,
    variables: &Set<Symbol>,
    (term, span): (Term, Span),
) -> Result<(Term, Vec<Clause>), Trouble> {
    let formula = Prenex::new(store, contents, preds, variables).strip(term)?;
    let formula = Linearizer::new(store, contents, preds).linear(formula)?;
    let clauses = Clausifier { store, contents, system: preds }.clauses(formula, span)?;
    Ok((formula, clauses))
}

/// Makes a problem of formulas.
///
/// ```
/// use shofar_base::Span;
/// use shofar_chc::read::Statements;
/// use shofar_term::{Sort, TermStore};
///
/// let mut store = TermStore::new();
/// let even = store.declare("even", &[Sort::INT], Sort::BOOL);
/// let mut statements = Statements::new([even]);
/// let zero = store.int(0);
/// let fact = store.app(even, &[zero]);
/// statements.state(&mut store, fact, Span::new(0, 8)).unwrap();
/// assert_eq!(statements.problem(Span::new(0, 8)).system.clause_count(), 1);
/// ```
#[derive(Debug)]
pub struct Statements {
    contents: Contents,
    system: ChcSystem,
    assertions: Vec<Assertion>,
    clauses: Vec<(Clause, usize)>,
}

impl Statements {
    /// Nothing is stated about these predicates yet.
    pub fn new(preds: impl IntoIterator<Item = Symbol>) -> Self {
        let mut system = ChcSystem::new();
        for pred in preds {
            system.add_pred(pred);
        }
        let (assertions, clauses) = (Vec::new(), Vec::new());
        Self { contents: Contents::default(), system, assertions, clauses }
    }
    /// States a formula that was written at `span`; all predicates in it are known.
    pub fn state(
        &mut self,
        store: &mut TermStore,
        formula: Term,
        span: Span,
    ) -> Result<(), Diagnostic> {
        let (contents, free) = (&mut self.contents, Set::default());
        let (linear, clauses) = translate(store, contents, &self.system, &free, (formula, span))
            .map_err(|trouble| trouble.diagnostic(span))?;
        let index = self.assertions.len();
        let variables = Vec::new();
        self.assertions.push(Assertion {
            written: formula,
            formula: linear,
            span,
            name: None,
            variables,
        });
        self.clauses.extend(clauses.into_iter().map(|clause| (clause, index)));
        Ok(())
    }
    /// The problem; `span` is where its question stands.
    pub fn problem(self, span: Span) -> HornProblem {
        let (mut system, mut origin) = (self.system, IndexVec::new());
        for (clause, index) in self.clauses {
            system.add_clause(clause);
            origin.push(index);
        }
        HornProblem {
            system,
            origin,
            assertions: self.assertions,
            polarity: Polarity::Normal,
            status: None,
            span,
            requests: Vec::new(),
            exactness: Exactness::Exact,
            surplus: Vec::new(),
            instance: None,
            explain: None,
        }
    }
}
