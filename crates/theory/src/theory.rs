//! The contract between the propositional search and a theory.
//!
//! The search registers atoms, asserts literals, and opens and closes scopes; the theory answers with contradictions,
//! implied literals and wishes for case distinctions. A contradiction is always a [`Lemma`], a set of literals with a
//! certificate that checks by adding up inequalities, so that interpolation meets one kind of leaf only.
//!
//! Invariant (scopes): what `assert` and `check` derive belongs to the innermost open scope and disappears with it;
//! what `register` does is permanent.
//!
//! Source: the interface follows the solver of [DdM06]: *assert*, *check*, *backtrack*, *propagate*, *explain*.

use shofar_base::{Budget, Lit, Outcome, Var};
use shofar_num::Rational;
use shofar_term::{Term, TermStore};

/// A contradictory set of literals with its Farkas certificate.
///
/// Literal `i` denotes `e_i <= 0` or `e_i < 0`; the sum of `farkas[i] · e_i` is a constant that is positive, or zero with
/// some strict `e_i`. Every coefficient is positive and no literal occurs twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lemma {
    /// The literals, which cannot hold together.
    pub lits: Vec<Lit>,
    /// The multiplier of each literal.
    pub farkas: Vec<Rational>,
}

/// How hard a check should try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Decide the relaxation over the reals.
    Quick,
    /// The assignment is complete: decide, or ask for a case distinction.
    Final,
}

/// What a check found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Check {
    /// The asserted literals can hold together (at `Effort::Quick`: over the reals).
    Consistent,
    /// They cannot.
    Conflict(Lemma),
    /// The theory needs this case distinction to go on.
    Split(Split),
}

/// A wish for the atom `form <= bound`; its negation is `form >= bound + 1`.
///
/// The coefficients are coprime integers, the terms are integer terms other than sums, and the bound is an integer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// The left side, a sum of multiples of terms.
    pub form: Vec<(Rational, Term)>,
    /// The right side.
    pub bound: Rational,
}

/// A solver for conjunctions of literals in one theory.
pub trait Theory {
    /// Makes `var` stand for `atom`. Allowed at any time; a repeated registration changes nothing.
    fn register(&mut self, store: &TermStore, atom: Term, var: Var);
    /// Takes a literal as true. An `Err` is a contradiction among the asserted literals, this one included.
    fn assert(&mut self, lit: Lit) -> Result<(), Lemma>;
    /// Decides whether the asserted literals can hold together.
    fn check(&mut self, budget: &Budget, effort: Effort) -> Outcome<Check>;
    /// Appends the literals that were found to be implied since the last call.
    fn implied(&mut self, out: &mut Vec<Lit>);
    /// Why `lit`, which `implied` has delivered, holds: literals asserted before it, and its negation.
    fn explain(&mut self, lit: Lit) -> Lemma;
    /// Opens a scope.
    fn push(&mut self);
    /// Closes the innermost `levels` scopes.
    fn pop(&mut self, levels: u32);
    /// Whether the current assignment satisfies the atom of `var`.
    fn phase(&self, var: Var) -> Option<bool>;
    /// Values for all terms, after a `Final` check that was consistent.
    fn values(&self) -> Vec<(Term, Rational)>;
    /// Says that a new question begins, so that limits on effort count from here.
    fn begin_query(&mut self) {}
}
