//! Laws of the operations on terms, over random terms.

mod generator;
mod laws;
mod printed;
