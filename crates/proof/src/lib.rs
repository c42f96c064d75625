//! Proofs of unsatisfiability as plain data, and a checker that knows no solver.
//!
//! | need | use |
//! |---|---|
//! | a proof | [`Proof`]: [`Step`]s over [`Literal`]s, which are terms with a sign |
//! | why a clause may stand at a leaf | [`Rule`] |
//! | the check | [`Checker`] |
//! | what is wrong | [`Flaw`] |
//!
//! A proof derives, from the formulas that were asserted, a clause that denies some of the
//! assumptions. Inner steps are resolutions; they are replayed. A leaf is a clause of a formula's
//! clause form, a clause that defines a connective, an arithmetic term or a formula over
//! bit-vectors, a Farkas lemma, a congruence lemma or an instance of an axiom of arrays or
//! data. Each kind of leaf has a rule of its own, which looks at the shape
//! of the terms and adds up linear combinations; nothing is searched for.
//!
//! Architecture invariant: this crate uses terms and numbers only, neither the SAT solver nor the
//! theories nor the SMT solver, so that a mistake there cannot hide itself here. What is trusted:
//! that the constructors of the store of terms keep the meaning of what they normalise, and exact
//! arithmetic.

mod axiom;
mod bits;
mod checker;
mod clause_form;
mod congruence;
mod definition;
mod equations;
mod evaluation;
mod farkas;
mod flaw;
mod inequality;
mod product;
mod resolvent;
mod step;

pub use axiom::is_axiom;
pub use checker::Checker;
pub use flaw::{Flaw, Reason};
pub use step::{Literal, Proof, Rule, Step, StepId};
