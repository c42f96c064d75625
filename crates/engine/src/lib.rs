//! Engines: they decide Horn clauses or transition systems, and always say why.
//!
//! | engine | systems | answers |
//! |---|---|---|
//! | [`spacer`] | any | both; lemmas block what leads to the goal, and many lemmas together suggest better ones |
//! | [`bmc`] | any | derivations, shortest first; safe when there are no longer ones |
//! | [`kind`] | transition systems | runs, shortest first; safe when the property is inductive after `k` steps |
//! | [`tpa`] | transition systems, acyclic graphs of loops | deep runs; safe when a relation is a transition invariant |
//! | [`pdkind`] | transition systems | both; the property is strengthened until it is inductive after `k` steps |
//! | [`ic3ia`] | transition systems | both; clauses over predicates, which come from interpolants of spurious counterexamples |
//! | [`trl`] | transition systems | both; unrolling with learned relations that stand for any number of iterations |
//! | [`imc`] | transition systems | both; images are over-approximated by interpolants |
//! | [`lawi`] | linear | both; an unwinding is labelled with interpolants until its leaves are covered |
//! | [`dar`] | linear | both; forward and backward over-approximations strengthen each other |
//! | [`rf`] | recursion-free | both; the clauses are expanded as far as it takes |
//! | [`pa`] | any | both; sets of predicates from interpolants abstract what is derivable |
//! | [`houdini`] | any | models of what is suggested by executions, clauses and other engines; shallow derivations |
//!
//! [`ENGINES`] lists them; an engine joins by a row in that table. A verdict is a full witness. An
//! engine looks at its budget every few milliseconds, and the same seed gives the same run.
//!
//! Engines say what they found, however large; [`smaller_invariant`] is for those who are going to
//! read it.

mod atoms;
pub mod bmc;
pub mod dar;
mod definitions;
mod fixpoint_options;
pub mod houdini;
mod hull;
pub mod ic3ia;
pub mod imc;
pub mod kind;
pub mod lawi;
mod layers;
mod link;
mod options;
mod orthogonal;
pub mod pa;
mod papers;
pub mod pdkind;
mod pool;
mod registry;
pub mod rf;
mod rule;
pub mod spacer;
pub mod tpa;
pub mod trl;
mod ts;

pub use fixpoint_options::FixpointOptions;
pub use options::{
    Choice, DefaultValue, EngineOption, EngineOptions, OptionGroup, OptionScope, OptionValue,
    OwnOptions, StateHints,
};
pub use papers::paper;
pub use pool::{Line, Pool};
pub use registry::{ENGINES, EngineInfo, Fragment, Make, engine, option_groups, option_owners};
pub use ts::smaller_invariant;
