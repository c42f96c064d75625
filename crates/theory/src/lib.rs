//! Theory solvers: what the propositional search asks about the meaning of its atoms.
//!
//! | need | use |
//! |---|---|
//! | what any theory offers to the search | [`Theory`] |
//! | all theories together | [`Theories`] |
//! | linear arithmetic over reals and integers | [`Arith`] |
//! | equality with uninterpreted functions | [`Euf`] |
//! | arrays and data types, by instances of axioms | [`Theories::refine`], [`Instance`] |
//! | a contradiction with its certificate | [`Lemma`], [`Certificate`] |
//!
//! Architecture invariant: a theory knows literals and the atoms they stand for, never clauses.

mod arith;
mod array;
mod candidate;
mod combine;
mod data;
pub mod euf;
mod fresh;
pub mod implicant;
pub mod inequality;
mod instance;
pub mod interpolate;
pub mod project;
mod theories;
mod theory;

pub use arith::{Arith, Options, SPLIT_LIMIT, Stats};
pub use candidate::Outside;
pub use euf::Euf;
pub use instance::{Axiom, Instance};
pub use theories::{Certificate, Theories};
pub use theory::{
    Check, Collision, Color, Coloring, Effort, Farkas, Labelled, Lemma, SharedValues, Side, Split,
    Theory,
};
