//! Pictures of clauses and of measurements.
//!
//! | what | how |
//! |---|---|
//! | who derives whom | [`graph_dot`], [`graph_svg`], with names and texts from [`Captions`] |
//! | how long solvers took | [`plot::Plot`]: frame, axes, marks, legend |
//! | text inside XML | [`xml_text`] |
//!
//! A clause graph is drawn in layers: [`diagram`] says what is shown, [`rows`] in which row,
//! [`crossings`] in which order within a row, [`layout`] at which coordinates, [`ports`] where
//! lines touch boxes; [`svg`] and [`dot`] write it down.

mod captions;
mod crossings;
mod diagram;
mod dot;
mod layout;
pub mod plot;
mod ports;
mod rows;
mod svg;
mod xml;

pub use captions::Captions;
pub use dot::graph_dot;
pub use svg::graph_svg;
pub use xml::xml_text;
