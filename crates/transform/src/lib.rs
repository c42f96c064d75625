//! Passes from problem to problem, each with its way back for models and refutations.
//!
//! | need | use |
//! |---|---|
//! | the usual preprocessing | [`default_pipeline`], [`Pipeline`] |
//! | what comes before arrays and the like are abstracted | [`passes_before_abstraction`] |
//! | passes a user asked for | `Pipeline::from_str`, [`PASSES`] |
//! | one pass | [`Pass`] and the types that implement it |
//! | a linear system as one loop | [`SingleLoop`] |
//! | invariants that are known already | [`Strengthen`] |
//! | arrays forgotten, or seen through some of their cells | [`Cells`], [`Mode`] |
//!
//! A pass says what became of each predicate and how each clause of its result was made of source
//! clauses. Two mechanisms turn that into witnesses: refutations come back by completing the ground
//! instances of the source clauses, models by interpolating between the clauses that derive a
//! resolved predicate and those that use it.
//!
//! Architecture invariant: a pass is trusted by nobody; the validator sees the user's clauses and
//! the final witness only.

mod accelerate;
mod back;
mod cells;
mod certain;
mod complete;
mod constants;
mod define;
mod disjunctive;
mod drop;
mod eliminate;
mod flatten;
mod foreign;
mod free;
mod int_blast;
mod invariants;
mod merge;
mod naturals;
mod normalize;
mod parallel;
mod pipeline;
mod products;
mod replay;
mod reshape;
mod resolve;
mod simplify;
mod single_loop;
mod slice;
mod solve;
mod stepwise;
mod strengthen;
mod subsume;
mod template;

pub use accelerate::{Accelerate, Loops};
pub use cells::{Cells, Mode, Wanted, Watch, Watches, fixed_indices};
pub use certain::DropCertain;
pub use constants::FixConstants;
pub use disjunctive::SplitDisjunctions;
pub use drop::{DropUnderivable, DropUseless};
pub use eliminate::Eliminate;
pub use flatten::Flatten;
pub use foreign::{are_arithmetic, is_arithmetic};
pub use free::FreeArguments;
pub use int_blast::IntBlast;
pub use invariants::{Domains, DropDetermined, Effect, Effort, Invariants};
pub use merge::MergeParallel;
pub use naturals::Naturals;
pub use normalize::Normalize;
pub use pipeline::{
    Choice, DEFAULT_PASSES, Measure, PASSES, PASSES_BEFORE_ABSTRACTION, Parameter, Pass, PassInfo,
    PassOptions, PassReport, Pipeline, PipelineError, PipelineProblem, default_pipeline,
    passes_before_abstraction,
};
pub use products::AbstractProducts;
pub use simplify::Simplify;
pub use single_loop::{Locations, SingleLoop};
pub use slice::SliceArguments;
pub use strengthen::Strengthen;
pub use subsume::Subsume;
