//! Laws of the operations on terms, over random terms.

mod compound;
mod generator;
mod laws;
mod printed;
