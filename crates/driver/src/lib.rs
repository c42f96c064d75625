//! From a problem to a certified verdict: preprocessing, a portfolio of engines, the way back,
//! validation.
//!
//! | need | use |
//! |---|---|
//! | decide a problem | [`solve`]; [`answer`] if the answer cannot wait for the other threads |
//! | say how | [`Settings`] |
//! | the default strategy | [`TABLE`], [`Features`] |
//!
//! Clauses about arrays, data types or bits that no pass makes arithmetic are seen in several ways,
//! their levels of abstraction. A work item is an engine on a view of the clauses; all items are in
//! one schedule.
//!
//! The problem is simplified once. Workers then let engines decide it in threads, each with a copy
//! of the term store, which keeps all handles valid. A worker translates the witness of its engine
//! back and validates it against the clauses as the user wrote them; with the first certified
//! verdict the others are stopped. An engine whose witness does not pass is out, and said to be
//! wrong.
//!
//! Architecture invariant: this is the only place where engines, passes and the validator meet, and
//! the only one that catches a panic.

mod cases;
mod certify;
mod event;
mod exchange;
mod failure;
mod features;
mod origin;
mod portfolio;
mod preparation;
mod schedule;
mod settings;
mod single_loop;
mod small;
mod solve;
mod strategy;
mod task;
mod view;
mod work_clock;
mod worker;
mod workers;

pub use event::Event;
pub use exchange::{ELSEWHERE, Relay, Traffic};
pub use failure::Failure;
pub use features::{Feature, Features};
pub use settings::{Preprocessing, Settings};
pub use solve::{Solved, Times, answer, solve};
pub use strategy::{Condition, Row, Slice, TABLE};
pub use workers::Workers;
