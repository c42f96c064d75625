//! The validator: decides whether a model or a refutation really is one, against the assertions as they were written.
//!
//! | need | use |
//! |---|---|
//! | what the user wrote | [`HornInput`], [`Assertion`] |
//! | the decision | [`validate`], [`validate_with`] |
//! | what may be printed | [`Certified`] |
//! | what is wrong | [`Objection`] |
//! | a witness from a text, ours or another solver's | [`parse_witness`] |
//! | the answers of a text, and whether they are right | [`given_answers`], [`judge`] |
//!
//! A model is checked by one fresh SMT query per assertion: the definitions are put in place of the predicates, and the
//! negation must be unsatisfiable. Quantifiers in definitions are eliminated before. A refutation is checked by evaluation
//! alone, step by step.
//!
//! Architecture invariant: this crate knows neither engines nor transformations, and a [`Certified`] is made here only.

#![expect(
    clippy::unnecessary_box_returns,
    reason = "functions that only make errors return what `Read` carries"
)]

mod input;
mod instance;
mod judge;
mod model;
mod objection;
mod parse;
mod quantifiers;
mod refutation;
mod skeleton;
mod validate;

pub use input::{Assertion, HornInput};
pub use judge::{Blame, Doubt, Judgement, judge};
pub use objection::{Fact, Fault, Objection, Values};
pub use parse::{Evidence, GivenAnswer, Unread, Witness, given_answers, parse_witness};
pub use validate::{Certified, Rigour, validate, validate_with};
