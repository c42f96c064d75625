//! Instances of axioms: valid clauses that a candidate for a model violates.
//!
//! Arrays and data are decided by *lemmas on demand*: when the search has an assignment, a model is
//! built from it bottom up, and where that fails, the axiom that was violated is instantiated. An
//! instance speaks of terms that exist and of few new ones, and needs no certificate: it is valid
//! by itself, and a checker can see that from the clause alone.
//!
//! Source: [BB09], lemmas on demand.

use shofar_term::Term;

/// Which axiom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axiom {
    /// A read is the same before and after writes at other indices, and what was written is read at
    /// its index.
    Read,
    /// Arrays that writes connect are equal if they agree at the indices of the writes.
    Extensionality,
    /// Constant arrays that writes connect are equal.
    Constant,
    /// Equal arguments give equal results.
    Congruence,
    /// Constructors are injective, and their images are disjoint.
    Constructors,
    /// A selector yields the argument of its constructor.
    Selector,
    /// A tester says which constructor it was.
    Tester,
    /// Every value was made by one of the constructors.
    Exhaustion,
    /// No value contains itself.
    Acyclicity,
    /// Records are equal if their fields are.
    Record,
}

/// A valid clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// The axiom.
    pub axiom: Axiom,
    /// Formulas of which one holds.
    pub clause: Vec<Term>,
}
