//! The contract between the propositional search and a theory.
//!
//! A theory owns some of the atoms. The search registers these, asserts literals, and opens and
//! closes scopes; the theory answers with contradictions, implied literals and wishes for case
//! distinctions. A contradiction is a [`Lemma`], a set of literals with a certificate of the
//! theory's own kind; from the certificate alone the lemma can be checked, and interpolated for any
//! division of its literals. A case distinction is an atom, so whoever owns the atom hears about
//! it. Where values are found, the theory gives them to the model; where variables are to be
//! eliminated, it projects.
//!
//! Invariant (scopes): what `assert` and `check` derive belongs to the innermost open scope and
//! disappears with it; what `register` does is permanent. Invariant (ownership): an atom has one
//! owner. Theories that speak about the same terms agree on them by atoms, never behind the back of
//! the search; so every leaf of a proof is a lemma of one theory.
//!
//! Source: the interface follows the solver of [DdM06]: *assert*, *check*, *backtrack*,
//! *propagate*, *explain*.

use shofar_base::{Budget, Lit, Map, Outcome, Var};
use shofar_num::Rational;
use shofar_term::eval::{Model, Value};
use shofar_term::{Symbol, Term, TermStore};

/// A contradictory set of literals, with a certificate of why they cannot hold together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lemma<C> {
    /// The literals, none of them twice.
    pub lits: Vec<Lit>,
    /// Says why.
    pub certificate: C,
}

impl<C> Lemma<C> {
    /// The same literals with the certificate as one of another type.
    pub fn map<D>(self, wrap: impl FnOnce(C) -> D) -> Lemma<D> {
        Lemma { lits: self.lits, certificate: wrap(self.certificate) }
    }
}

/// How hard a check should try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Find what is cheap to find; for arithmetic, decide the relaxation over the reals.
    Quick,
    /// The assignment is complete: decide, or ask for a case distinction.
    Final,
}

/// What a check found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Check<C> {
    /// The asserted literals can hold together (at `Effort::Quick`: as far as was looked).
    Consistent,
    /// They cannot.
    Conflict(Lemma<C>),
    /// The theory needs these case distinctions to go on.
    Split(Vec<Split>),
    /// These members of groups of different terms agree, and nothing but a clause will keep them
    /// apart.
    Collision(Vec<Collision>),
}

impl<C> Check<C> {
    /// The same with the certificate as one of another type.
    pub fn map<D>(self, wrap: impl FnOnce(C) -> D) -> Check<D> {
        match self {
            Check::Consistent => Check::Consistent,
            Check::Conflict(lemma) => Check::Conflict(lemma.map(wrap)),
            Check::Split(splits) => Check::Split(splits),
            Check::Collision(collisions) => Check::Collision(collisions),
        }
    }
}

/// A wish for a case distinction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    /// An atom or its negation, true in one case and false in the other.
    pub atom: Term,
    /// The case to try first, if it matters.
    pub phase: Option<bool>,
}

/// Two members of a group of different terms have the same value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Collision {
    /// The number of the group.
    pub group: usize,
    /// Atoms of which one holds, because the members differ.
    pub cases: [Term; 2],
}

/// The part that a term or a literal belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The first part.
    A,
    /// The second part.
    B,
}

/// The side or sides whose symbols suffice for a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Color {
    /// Only A has all its symbols.
    A,
    /// Only B has all its symbols.
    B,
    /// Both have.
    Shared,
    /// Neither has.
    Mixed,
}

/// Says of every term whose symbols suffice for it.
pub trait Coloring {
    /// The colour of `term`, which may have been made just now.
    fn color(&mut self, store: &TermStore, term: Term) -> Color;
}

/// A literal of a lemma that is to be interpolated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Labelled {
    /// Its atom.
    pub atom: Term,
    /// Whether the lemma has the atom itself, not its negation.
    pub positive: bool,
    /// The side it counts for; that side has all symbols of the atom.
    pub side: Side,
}

/// The values of terms that several theories speak about.
pub type SharedValues = Map<Term, Value>;

/// A solver for conjunctions of literals in one theory.
pub trait Theory {
    /// What a lemma of this theory comes with.
    type Certificate;
    /// Choices in interpolation.
    type Algorithm;

    /// Whether literals of `atom` are to be given to this theory.
    fn owns(&self, store: &TermStore, atom: Term) -> bool;
    /// Makes `var` stand for `atom`, which the theory owns. Allowed at any time; a repeated
    /// registration changes nothing.
    fn register(&mut self, store: &TermStore, atom: Term, var: Var);
    /// Says that another theory speaks about `term`, so that it must have a value. Only while no
    /// scope is open.
    fn share(&mut self, store: &TermStore, term: Term);
    /// Takes a literal as true. An `Err` is a contradiction among the asserted literals, this one
    /// included.
    fn assert(&mut self, lit: Lit) -> Result<(), Lemma<Self::Certificate>>;
    /// Decides whether the asserted literals can hold together.
    fn check(
        &mut self,
        store: &mut TermStore,
        budget: &Budget,
        effort: Effort,
    ) -> Outcome<Check<Self::Certificate>>;
    /// Appends the literals that were found to be implied since the last call.
    fn implied(&mut self, out: &mut Vec<Lit>);
    /// Why `lit`, which `implied` has delivered, holds: literals asserted before it, and its
    /// negation.
    fn explain(&mut self, lit: Lit) -> Lemma<Self::Certificate>;
    /// Opens a scope.
    fn push(&mut self);
    /// Closes the innermost `levels` scopes.
    fn pop(&mut self, levels: u32);
    /// The sign of `var` that fits best to the current state.
    fn phase(&self, var: Var) -> Option<bool>;
    /// Says that a new question begins, so that limits on effort count from here.
    fn begin_query(&mut self) {}
    /// From now on no case distinction mixes terms of different sides; terms without a side go with
    /// both.
    fn restrict_splits(&mut self, side: &Map<Term, Side>);
    /// Gives values to the symbols that this theory knows, after a `Final` check that was
    /// consistent, and to `shared` the values of the shared terms; those of theories that were
    /// asked before are there.
    fn complete(&self, store: &TermStore, shared: &mut SharedValues, model: &mut Model);

    /// Whether `certificate` proves that `literals` (atoms with their signs) contradict each other.
    fn certifies(
        store: &TermStore,
        literals: &[(Term, bool)],
        certificate: &Self::Certificate,
    ) -> bool;
    /// An interpolant of a lemma: implied by the literals of A, contradicting those of B, over
    /// symbols that both have.
    fn interpolate(
        store: &mut TermStore,
        literals: &[Labelled],
        certificate: &Self::Certificate,
        coloring: &mut dyn Coloring,
        algorithm: &Self::Algorithm,
    ) -> Term;
    /// Literals without the symbols `eliminate` that are true in `model` and imply
    /// `∃ eliminate. ∧ cube`.
    fn project(
        store: &mut TermStore,
        cube: &[Term],
        eliminate: &[Symbol],
        model: &Model,
    ) -> Outcome<Vec<Term>>;
}

/// The multipliers of a lemma's literals in arithmetic.
///
/// Literal `i` denotes `e_i <= 0` or `e_i < 0`; the sum of `farkas[i] · e_i` is a constant that is
/// positive, or zero with some strict `e_i`. Every coefficient is positive.
pub type Farkas = Vec<Rational>;
