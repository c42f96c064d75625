//! An incremental SMT solver for linear arithmetic and uninterpreted functions that can say why
//! not: models, cores, proofs and interpolants.
//!
//! Formulas are added as *parts*; interpolation speaks of parts. Scopes and assumptions make it
//! incremental. Every answer carries its evidence and borrows the solver, so it cannot go stale.
//!
//! | need | use |
//! |---|---|
//! | decide formulas | [`Solver::add`], [`Solver::check`], [`Solver::check_assuming`] |
//! | take formulas back | [`Solver::push`], [`Solver::pop`] |
//! | a model | [`Answer::Sat`], [`ModelView`] |
//! | a core, a proof, interpolants | [`Answer::Unsat`], [`UnsatView`] |
//! | interpolants in a DAG, disjunctive interpolants | [`Dag`], [`Marked`] |
//!
//! ```
//! use shofar_base::Budget;
//! use shofar_smt::{Answer, Options, Solver};
//! use shofar_term::{Cx, Sort, TermStore};
//!
//! let mut store = TermStore::new();
//! let (x, y, z) = (store.var("x", Sort::INT), store.var("y", Sort::INT), store.var("z", Sort::INT));
//! let mut solver = Solver::new(Options::with_proofs());
//! let first = store.lt(x, y);
//! let first = solver.add(&mut store, first);
//! let second = store.lt(y, z);
//! let second = solver.add(&mut store, second);
//! let third = store.lt(z, x);
//! solver.add(&mut store, third);
//! let budget = Budget::unlimited();
//! let mut cx = Cx::new(&mut store, &budget);
//! let Answer::Unsat(proof) = solver.check(&mut cx).expect("there is no limit") else { panic!("x < y < z < x") };
//! let interpolant = proof.interpolant(&mut cx, &[first, second]).expect("there is no limit");
//! assert_eq!(interpolant, { let two = store.int(2); let up = store.add(&[x, two]); store.le(up, z) });
//! ```
//!
//! Architecture invariant: every SAT variable stands for a term (or guards a scope), and every
//! clause is either a piece of a part or valid by itself. That is what makes interpolation after
//! the fact possible for any split of the parts.

mod answer;
mod bits;
mod certify;
mod core;
mod encode;
mod hook;
mod implication;
mod interpolate;
mod leaf;
mod model;
mod options;
mod script;
mod solver;

pub use answer::{Answer, ModelView, UnsatView};
pub use certify::Objection;
pub use implication::implies;
pub use interpolate::{
    BoolAlgorithm, Dag, DagAnswer, DagEdge, DagVertex, Disjunctive, Interpolation, Marked, Position,
};
pub use options::{Evidence, Options};
pub use script::script;
pub use shofar_theory::interpolate::LinearAlgorithm;
pub use solver::{PartId, Solver, Stats};
