//! The validator: decides whether a model or a refutation really is one, against the assertions as they were written.
//!
//! | need | use |
//! |---|---|
//! | what the user wrote | [`HornInput`], [`Assertion`] |
//! | the decision | [`validate`], [`validate_with`] |
//! | what may be printed | [`Certified`] |
//! | what is wrong | [`Objection`] |
//! | a witness from a text, ours or another solver's | [`parse_witness`] |
//!
//! A model is checked by one fresh SMT query per assertion: the definitions are put in place of the predicates, and the
//! negation must be unsatisfiable. A refutation is checked by evaluation alone, step by step.
//!
//! Architecture invariant: this crate knows neither engines nor transformations, and a [`Certified`] is made here only.

#![expect(
    clippy::unnecessary_box_returns,
    reason = "functions that only make errors return what `Read` carries"
)]

mod input;
mod instance;
mod model;
mod objection;
mod parse;
mod refutation;
mod skeleton;
mod validate;

pub use input::{Assertion, HornInput};
pub use objection::{Fact, Fault, Objection, Values};
pub use parse::{Witness, parse_witness};
pub use validate::{Certified, Rigour, validate, validate_with};
