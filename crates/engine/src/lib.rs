//! Engines: they decide Horn clauses or transition systems, and always say why.
//!
//! | engine | systems | answers |
//! |---|---|---|
//! | [`bmc`] | any | derivations, shortest first; safe when there are no longer ones |
//! | [`kind`] | transition systems | runs, shortest first; safe when the property is inductive after `k` steps |
//! | [`tpa`] | transition systems | deep runs; safe when a relation is a transition invariant |
//!
//! [`ENGINES`] lists them; an engine joins by a row in that table. A verdict is a full witness. An engine looks at its budget every few
//! milliseconds, and the same seed gives the same run.

pub mod bmc;
mod definitions;
pub mod imc;
pub mod kind;
pub mod lawi;
pub mod pdkind;
mod registry;
mod rule;
pub mod spacer;
pub mod tpa;
mod ts;

pub use registry::{ENGINES, EngineInfo, EngineOptions, Make, engine};
