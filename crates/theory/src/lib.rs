//! Theory solvers: what the propositional search asks about the meaning of its atoms.
//!
//! | need | use |
//! |---|---|
//! | what any theory offers to the search | [`Theory`] |
//! | linear arithmetic over reals and integers | [`Arith`] |
//! | a contradiction with its certificate | [`Lemma`] |
//!
//! Architecture invariant: a theory knows literals and the atoms they stand for, never clauses.

mod arith;
pub mod implicant;
pub mod inequality;
pub mod interpolate;
pub mod project;
mod theory;

pub use arith::{Arith, Member, Options, Side, Stats};
pub use theory::{Check, Effort, Lemma, Split, Theory};
