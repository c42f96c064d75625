//! Constrained Horn clauses: problems, their views, their witnesses, and what engines and passes
//! have in common.
//!
//! | need | use |
//! |---|---|
//! | the clauses a user wrote, or a pass made | [`ChcSystem`], [`Clause`], [`PredAtom`] |
//! | clauses whose arguments are distinct variables | [`NormalSystem`], [`NormalAtom`] |
//! | such clauses with at most one predicate in their body | [`LinearSystem`] |
//! | who derives whom | [`ChcGraph`] |
//! | one loop: initial states, steps, bad states | [`TransitionSystem`], in time: [`Timeline`] |
//! | copies of variables in time | [`Moments`] |
//! | evidence that clauses can be satisfied, or not | [`Interpretation`], [`Derivation`], [`Run`] |
//! | a cycle in it that is gone through very often | [`Repeat`] |
//! | witnesses as text | [`print`] |
//! | whether clauses that a program made have a meaning | [`ChcSystem::check_well_formed`], [`IllFormed`] |
//! | clauses from a text | [`read::read_horn`], [`read::FrontEnd`] |
//! | problems and witnesses as bytes | [`serial`] |
//! | guesses about predicates | [`Hint`] |
//! | the interface of engines and passes | [`Engine`], [`Transformation`], [`BackTranslation`] |
//!
//! A clause `p₁(t̄₁) ∧ … ∧ pₙ(t̄ₙ) ∧ φ → q(t̄)` is implicitly universal in all its symbols; they may
//! occur in other clauses without any relation. A system is satisfiable (safe) if some
//! interpretation of the predicates makes all clauses valid.

mod folded;
mod graph;
mod hint;
mod linear;
mod moments;
mod normal;
pub mod print;
mod problem;
pub mod read;
pub mod serial;
mod sharing;
mod system;
mod timeline;
mod transition;
mod way_back;
mod well_formed;
mod witness;

pub use folded::{Arrivals, Iteration, Repeat, interpolate};
pub use graph::{ChcGraph, Shape};
pub use hint::{Hint, HintKind};
pub use linear::LinearSystem;
pub use moments::{Moment, Moments};
pub use normal::{NormalAtom, NormalSystem};
pub use problem::{Engine, Preparation, Problem, Transformation, Translated, Verdict};
pub use system::{ChcSystem, Clause, ClauseId, PredAtom, PredId};
pub use timeline::Timeline;
pub use transition::{Run, TransitionSystem};
pub use way_back::{BackTranslation, Exactness, Then, Unchanged};
pub use well_formed::IllFormed;
pub use witness::{Definition, Derivation, DerivationStep, Interpretation, formal_params};
