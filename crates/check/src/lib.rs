//! The validator: decides whether a model or a refutation really is one, against the assertions as
//! they were written.
//!
//! | need | use |
//! |---|---|
//! | what the user wrote | [`HornInput`] |
//! | the decision | [`validate`], [`validate_with`] |
//! | what may be printed | [`Certified`] |
//! | what is wrong | [`Objection`] |
//! | a witness from a text, ours or another solver's | [`parse_witness`] |
//! | the answers of a text, and whether they are right | [`given_answers`], [`judge`], [`instance_for`] |
//!
//! The problem is read again from its text into a fresh store ([`Rereader`]), and the witness is
//! carried there. A model is checked by a fresh SMT solver for each assertion: the definitions are
//! put in place of the predicates, and the negation must be unsatisfiable; with [`Rigour::Proofs`]
//! every such answer is confirmed by a proof that [`shofar_proof`] checks. A refutation is checked
//! by evaluation alone, step by step.
//!
//! What is shared with the solver, and why it does no harm:
//! - [`shofar_smtlib`] and [`shofar_term`]: the meaning of the text, of terms and of values. This
//!   is what is trusted.
//! - [`shofar_chc::read`] follows the commands of a script and makes clauses. Clauses serve as
//!   names for assertions only: each step of a refutation is checked against the assertion as it
//!   was written, whose quantifiers are taken away by code of this crate. One exception: where an
//!   assertion multiplies unknowns, what the reader made of it by propagating values is believed.
//! - [`shofar_smt`] decides queries. It is believed with [`Rigour::Solver`], but not with
//!   [`Rigour::Proofs`].
//! - [`shofar_mbp`] eliminates quantifiers in the models of other solvers. If it were wrong, the
//!   wrong model would be judged: the definitions without quantifiers are a model themselves, or
//!   they do not pass.
//!
//! Architecture invariant: this crate knows neither engines nor transformations, and a
//! [`Certified`] is made here only.

#![expect(
    clippy::unnecessary_box_returns,
    reason = "functions that only make errors return what `Read` carries"
)]

mod input;
mod instance;
mod instantiate;
mod judge;
mod model;
mod objection;
mod occurrences;
mod parse;
mod passage;
mod quantifiers;
mod refutation;
mod reread;
mod skeleton;
mod units;
mod universal;
mod validate;
mod written;

pub use input::HornInput;
pub use judge::{Blame, Doubt, Judgement, instance_for, judge};
pub use objection::{Fact, Fault, Objection, Values};
pub use parse::{Evidence, GivenAnswer, Unread, Witness, given_answers, parse_witness};
pub use reread::{InputText, Rereader};
pub use validate::{Certified, Rigour, validate, validate_with};
pub use written::{Stored, as_written};
