//! Shofar as a library: problems in, answers with evidence out.
//!
//! | need | use |
//! |---|---|
//! | a problem from a text | [`Problem::from_text`], [`Problem::all_from_text`] |
//! | a problem from clauses that a program makes | [`Problem::from_clauses`] |
//! | clauses one after the other, several queries about them | [`Session`], with [`Expr`] and [`Relation`] |
//! | an answer | [`Solver`], [`Outcome`], [`Answer`] |
//! | a model or a refutation | [`Model`], [`Refutation`], as data: [`Model::holds`], [`NamedStep`] |
//! | what was done, and how long it took | [`Report`] |
//! | what is wrong with a text | [`InputError`] |
//! | another language of problems, or another reading of one | [`FrontEnd`], [`FRONT_ENDS`], [`ReadOptions`] |
//! | what a language asks | [`Asks`], [`Property`] |
//!
//! ```
//! use shofar::{Answer, Problem, Solver};
//!
//! let problem = Problem::from_text(
//!     b"(set-logic HORN)
//!       (declare-fun even (Int) Bool)
//!       (assert (even 0))
//!       (assert (forall ((x Int)) (=> (even x) (even (+ x 2)))))
//!       (assert (forall ((x Int)) (=> (even x) (not (= x 7)))))
//!       (check-sat)",
//! )?;
//! match Solver::new().solve(problem).answer {
//!     Answer::Safe(model) => println!("an invariant:\n{model}"),
//!     Answer::Unsafe(refutation) => panic!("7 is not even:\n{refutation}"),
//!     Answer::Unknown(why) => panic!("this is easy: {why}"),
//! }
//! # Ok::<(), shofar::InputError>(())
//! ```
//!
//! [`Solver::solve`] blocks until there is an answer or a limit is reached; a [`StopHandle`] ends
//! it from another thread. When it returns, all its threads have ended. Clauses that a program
//! makes are checked before anything is done with them ([`IllFormed`]). Nothing is printed, no file
//! is read, and errors are values. An answer other than `Unknown` has been validated against the
//! clauses as they were given.
//!
//! The crates below are re-exported, so that one dependency is enough: [`base`], [`term`], [`chc`],
//! [`transform`], [`engine`], [`check`], and [`smt`], the SMT solver by itself.

mod core;
mod data;
mod expression;
mod front_end;
mod input_error;
mod outcome;
mod problem;
mod report;
mod session;
mod solver;

pub use shofar_base as base;
pub use shofar_chc as chc;
pub use shofar_check as check;
pub use shofar_engine as engine;
pub use shofar_smt as smt;
pub use shofar_term as term;
pub use shofar_transform as transform;

pub use shofar_base::{Diagnostic, GaveUp, Position, Span, Statistics, StopHandle};
pub use shofar_chc::IllFormed;
pub use shofar_chc::read::{
    Asks, FrontEnd, OptionError, OptionScope, Property, ReadOption, ReadOptions, Texts,
};
pub use shofar_driver::{ELSEWHERE, Event, Failure, Preprocessing, Relay, Times, Traffic};
pub use shofar_engine::EngineOptions;

pub use data::NamedStep;
pub use expression::{Expr, Relation, boolean, int, real, variable};
pub use front_end::{FRONT_ENDS, front_end_for};
pub use input_error::InputError;
pub use outcome::{Answer, Model, Outcome, Refutation};
pub use problem::Problem;
pub use report::Report;
pub use session::{ClausesError, QueryOutcome, Session};
pub use solver::{Solver, UnknownName};

/// The programs in the README compile, and do what is said there.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
#[doc = include_str!("../../../docs/library.md")]
struct Readme;
