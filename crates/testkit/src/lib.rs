//! What the tests of Shofar are made with: random scripts, a judge of solver output, a shrinker and
//! the corpus runner.
//!
//! | need | use |
//! |---|---|
//! | a random script for a feature, with its answer where it is known by construction | [`case::Case`] |
//! | random terms with their values in a planted model | [`formula::Formulas`] |
//! | functions and sorts that scripts declare | [`function::Function`] |
//! | arrays, data types and bit-vectors | [`arrays`], [`data`], [`bits`], their values in [`value`] and [`word`] |
//! | a random system of Horn clauses | [`horn::HornCase`], over the newer theories [`horn_theory`] |
//! | a planted contradiction | [`planted::Contradiction`] |
//! | what is wrong with an output, or must be confirmed by another solver | [`judge::judge`] |
//! | a small script that still fails | [`shrink::shrink`], [`mutate::shrink_bytes`] |
//! | a random program in C | [`c_program::CProgram`] |
//! | damaged input | [`mutate::mutate`] |
//! | a folder of scripts with expected answers inside | [`corpus::run`] |
//!
//! Architecture invariant: everything here works on text and shares no code with the solver but the
//! random generator, so that no fault of the solver can hide itself in its own tests.
//!
//! ```
//! use shofar_testkit::case::{Answer, Case};
//! let case = Case::new(7, 5);
//! let script = case.finish(&[Answer::Unsat]);
//! assert!(script.iter().any(|command| command == "(check-sat)"));
//! ```

pub mod arrays;
pub mod axiom;
pub mod bits;
pub mod c_program;
pub mod case;
pub mod congruence;
pub mod context;
pub mod corpus;
pub mod data;
mod elements;
mod feature;
pub mod formula;
pub mod function;
pub mod horn;
mod horn_program;
pub mod horn_theory;
pub mod judge;
pub mod logic;
pub mod mutate;
pub mod partition;
pub mod planted;
pub mod ratio;
pub mod sexp;
mod shapes;
pub mod shrink;
pub mod split;
pub mod theory_terms;
pub mod value;
pub mod word;
