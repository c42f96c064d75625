//! Theory solvers: what the propositional search asks about the meaning of its atoms.
//!
//! | need | use |
//! |---|---|
//! | what any theory offers to the search | [`Theory`] |
//! | all theories together | [`Theories`] |
//! | linear arithmetic over reals and integers | [`Arith`] |
//! | equality with uninterpreted functions | [`Euf`] |
//! | a contradiction with its certificate | [`Lemma`], [`Certificate`] |
//!
//! Architecture invariant: a theory knows literals and the atoms they stand for, never clauses.

mod arith;
mod combine;
pub mod euf;
pub mod implicant;
pub mod inequality;
pub mod interpolate;
pub mod project;
mod theories;
mod theory;

pub use arith::{Arith, Options, Stats};
pub use euf::Euf;
pub use theories::{Certificate, Theories};
pub use theory::{
    Check, Collision, Color, Coloring, Effort, Farkas, Labelled, Lemma, SharedValues, Side, Split,
    Theory,
};
