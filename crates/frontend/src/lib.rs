//! Languages that Horn problems are written in, besides SMT-LIB.
//!
//! | language | row | files |
//! |---|---|---|
//! | Prolog-style Horn clauses | [`PROLOG`] | `.horn`, `.pl` |
//! | NTS, programs of procedures over integers | [`NTS`] | `.nts` |
//! | VMT, transition systems with properties | [`VMT`] | `.vmt` |
//! | UPPAAL, networks of timed automata | [`UPPAAL`] | `.xml`, `.xta`, `.ta` |
//! | C, programs of integers and arrays | [`C`] | `.c`, `.i` |
//! | ARI, integer transition systems whose termination is the question | [`ARI`] | `.ari` |
//!
//! [`print_prolog`] writes clauses of any language in Prolog style.
//!
//! Prolog, NTS and UPPAAL share `lexer`, whose tables say what comments and signs look like, and
//! `expression`, whose tables say which operators there are and how tightly they bind; `operation`
//! says what they do. `execution` and `infix` tell witnesses in the words of programs.
//!
//! Architecture invariant: no bytes make this crate panic, and nothing here recurses on the depth
//! of the input; only the reader of C does, whose parser is not ours, on a depth that is bounded
//! beforehand.

mod ari;
mod c;
mod execution;
mod expression;
mod infix;
mod lexer;
mod names;
mod nts;
mod operation;
mod prolog;
#[cfg(test)]
mod trial;
mod uppaal;
mod vmt;

pub use ari::ARI;
pub use c::C;
pub use c::run;
pub use nts::NTS;
pub use prolog::{PROLOG, print_prolog};
pub use uppaal::UPPAAL;
pub use vmt::VMT;
