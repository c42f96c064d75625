//! Recursion-free Horn clauses, solved by interpolation.
//!
//! Clauses none of whose relation symbols depends on itself can be expanded into one formula
//! without symbols. If it is unsatisfiable, interpolants of it solve the clauses; otherwise a model
//! of it is a derivation of `false`. So every set of recursion-free clauses is decided as far as
//! the solver below decides and interpolates.
//!
//! | need | use |
//! |---|---|
//! | solve clauses in which each symbol is used once | [`NormalForm::solve`] |
//! | solve any recursion-free clauses | [`solve`] |
//! | the graph of linear clauses, whose DAG interpolants solve them, and back | [`LinearGraph`], [`clauses_of_dag`] |
//! | the clauses of an interpolation problem of another form | [`NormalForm::of_marked`] |
//! | know which fragment clauses belong to, and what solves it | [`Class`] |
//! | the whole expansion | [`Copies::all`], [`NormalForm::formula`]; with quantifiers, in linear size: [`Succinct`] |
//! | the tree-like parts of body-disjoint clauses | [`tree_like_subsets`] |
//! | clauses that are Horn but for signs | [`renamable`] |
//! | hard clauses, for tests | [`generate`] |
//!
//! Engines make such clauses of what they unwind: a symbol for each node, a clause for each step.
//! The normal form is plain data, so that nothing but one call of the solver stands between them
//! and an answer.
//!
//! Source: [RHK13], [RHK13b].

mod body_disjoint;
mod class;
mod components;
mod copies;
mod decompose;
pub mod generate;
mod lazy;
mod linear;
mod marked;
mod normal_form;
mod observe;
pub mod renamable;
mod succinct;

use shofar_smt::Interpolation;

pub use class::{Class, Form};
pub use copies::Copies;
pub use decompose::tree_like_subsets;
pub use lazy::{Counts, solve, solve_counting};
pub use linear::{LinearGraph, clauses_of_dag};
pub use normal_form::{NormalClause, NormalForm, Solved};
pub use succinct::Succinct;

/// How clauses are solved.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Perturbs ties in the search.
    pub seed: u64,
    /// How interpolants are made.
    pub interpolation: Interpolation,
}
