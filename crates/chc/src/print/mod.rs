//! Witnesses and systems as text and pictures.
//!
//! | what | how |
//! |---|---|
//! | a model | [`print_model`]: `define-fun`s that any SMT-LIB tool can read |
//! | a refutation, to be checked | [`print_refutation`]: one ground step per line |
//! | a refutation, to be looked at | [`print_summary`]: repeated cycles folded |
//! | who derives whom | [`graph_dot`], [`graph_svg`], with names and texts from [`Captions`] |
//!
//! Witnesses go to an [`std::io::Write`] piece by piece, so that a million steps need no memory of their own.

mod captions;
mod crossings;
mod diagram;
mod dot;
mod fold;
mod layout;
mod model;
mod ports;
mod refutation;
mod rows;
mod summary;
mod svg;
mod xml;

pub use captions::Captions;
pub use dot::graph_dot;
pub use model::print_model;
pub use refutation::{Lines, print_refutation, print_value};
pub use summary::print_summary;
pub use svg::graph_svg;
pub use xml::xml_text;
