//! Witnesses and clauses as text.
//!
//! | what | how |
//! |---|---|
//! | a model | [`print_model`]: `define-fun`s that any SMT-LIB tool can read |
//! | a refutation, to be checked | [`print_refutation`]: one ground step per line |
//! | clauses, by parts | [`declarations`], [`print_clauses`] |
//! | clauses | [`print_horn`]: a script in the logic HORN; [`competition_form`]: as the CHC competition wants them |
//! | a refutation, to be looked at | [`print_summary`]: repeated cycles folded |
//!
//! Witnesses go to an [`std::io::Write`] piece by piece, so that a million steps need no memory of
//! their own.

mod clauses;
mod competition;
mod fold;
mod model;
mod refutation;
mod summary;

pub use clauses::{declaration, declarations, print_clauses, print_horn, print_horn_with};
pub use competition::competition_form;
pub use model::print_model;
pub use refutation::{Lines, print_core, print_refutation};
pub use summary::print_summary;
