//! What every layer of Shofar stands on: typed indices, literals, hash maps with reproducible
//! hashing, budgets, and places in texts.
//!
//! | need | use |
//! |---|---|
//! | a typed `u32` handle | [`index_type!`] |
//! | a vector indexed by such a handle | [`IndexVec`] |
//! | a propositional variable or literal | [`Var`], [`Lit`] |
//! | a hash map or set | [`Map`], [`Set`] (without iteration but in the order of keys) |
//! | "stop when told to" | [`Budget`], [`Outcome`], [`GaveUp`] |
//! | a reproducible random number | [`Rng`] |
//! | strongly connected components | [`components`](components()) |
//! | counts with names | [`Statistics`] |
//! | bytes for another process | [`wire`] |
//! | a place in a text | [`Span`], [`Source`], [`Position`] |
//! | what is wrong with a text | [`Diagnostic`], [`Read`] |
//!
//! Architecture invariant: nothing here knows about terms, clauses or theories.

mod budget;
mod clock;
mod components;
mod diagnostic;
mod index;
mod lit;
mod map;
mod rng;
mod span;
mod statistics;
mod table;
pub mod wire;

pub use budget::{Budget, GaveUp, Outcome, StopHandle};
pub use clock::Instant;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use clock::set_clock;
pub use components::components;
pub use diagnostic::{Diagnostic, Read};
pub use index::{Idx, IndexVec};
pub use lit::{Lit, Var};
pub use map::{Map, Set, fixed_hash};
pub use rng::Rng;
pub use span::{Position, Source, Span};
pub use statistics::Statistics;
pub use table::{HandleTable, WordHash};
