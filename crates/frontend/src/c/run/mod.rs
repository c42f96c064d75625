//! An interpreter of programs in C: the oracle of the encoder.
//!
//! What the encoder makes clauses of is run here, so that no fault of the encoder becomes a wrong
//! answer: a refutation, turned into a run, has to arrive at its violation with the values that it
//! tells, and the verdict about a program that needs no inputs has to be that of its run. The
//! interpreter shares with the encoder the parser and the text that is parsed, and nothing behind
//! them: types, conversions, scopes, jumps and calls are its own.
//!
//! | step | file |
//! |---|---|
//! | integer types and numbers of them, operators | `kind`, `compute` |
//! | code for a machine with a stack of operands | `compile`, `declare`, `statement`, `expression`, `call`, with `scope` and `code` |
//! | runs | `machine`, `memory` |
//! | answers confirmed by runs | `confirm`, `replay` |
//! | runs for tests | `alone` |
//!
//! Invariant: compiling recurses on the depth of the tree, which is bounded and for which the
//! reader's stack is large enough; runs do not recurse, and are bounded in instructions and memory.
//!
//! What is not modelled ends a compilation or a run with its place: it says nothing about the
//! answer.

mod alone;
mod call;
mod code;
mod compile;
mod compute;
mod confirm;
mod declare;
mod expression;
mod kind;
mod machine;
mod memory;
mod replay;
mod scope;
mod statement;

pub use alone::{Alone, AloneEnd, run_alone};
pub use compute::Fault;
pub(super) use confirm::Oracle;
pub use kind::{DataModel, Signed};
