//! From a problem to a certified verdict: preprocessing, engines in threads, the way back, validation.
//!
//! | need | use |
//! |---|---|
//! | decide a problem | [`solve`] |
//! | say how | [`Settings`] |
//! | the default order of engines | [`STRATEGY`] |
//!
//! The problem is simplified once. Contenders then work on it in threads, each with a copy of the term store, which
//! keeps all handles valid. The first verdict is translated back and validated against the clauses as the user wrote them;
//! only then the others are stopped. A contender whose witness does not pass is out, and said to be wrong.
//!
//! Architecture invariant: this is the only place where engines, passes and the validator meet, and the only one that
//! catches a panic.

mod contest;
mod relay;
mod schedule;
mod settings;
mod small;
mod solve;

pub use schedule::{Contender, STRATEGY};
pub use settings::{Preprocessing, Settings};
pub use solve::{Event, Failure, Solved, Times, solve};
