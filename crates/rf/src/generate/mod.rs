//! Recursion-free clauses that are hard on purpose.
//!
//! | what | how hard |
//! |---|---|
//! | [`qbf`]: a quantified Boolean formula is false | PSPACE, for any arguments with two different values |
//! | [`turing`]: a machine does not halt within `2ⁿ` steps | co-NEXPTIME, over the integers |
//!
//! The clauses are solvable exactly if what the table says is true, so they test solvers with
//! answers that are known otherwise.
//!
//! Source: [RHK13b] (lower bounds).

mod qbf;
mod turing;

pub use qbf::{Qbf, QbfError, qbf};
pub use turing::{Direction, Machine, MachineError, Rule, turing};
