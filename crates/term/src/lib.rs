//! Hash-consed terms over Booleans, integers, reals, bit-vectors, arrays, data types and
//! uninterpreted sorts, with linear arithmetic in canonical form.
//!
//! A [`TermStore`] owns all terms; a [`Term`] is a four-byte handle into it, and two handles are
//! equal exactly if the terms are. Terms are made by the store's constructors, which simplify by a
//! few cheap laws and bring every linear constraint into one form, so that constraints that mean
//! the same become one handle.
//!
//! | need | use |
//! |---|---|
//! | make terms | the constructors of [`TermStore`] |
//! | look at a term | [`TermStore::kind`], [`TermStore::children`]; at the connectives of a formula only, [`TermStore::view`] |
//! | walk over a formula without recursion | [`visit::postorder`] |
//! | a smaller formula that means the same | [`compact::compact`], or [`tidy::tidy`] if somebody is to read it |
//! | linear combinations | [`Linear`] |
//! | what an arithmetic literal says | [`LinearLiteral`] |
//! | what a conjunct defines | [`solve::solve_for`] |
//! | values and models | [`value`], [`eval`] |
//! | what a computation gets of the outside world | [`Cx`] |
//! | what engines tell each other | [`Lemma`], [`Exchange`] |
//!
//! ```
//! use shofar_term::{Sort, TermStore};
//! let mut store = TermStore::new();
//! let x = store.var("x", Sort::INT);
//! let twice = store.add(&[x, x]);
//! let five = store.int(5);
//! let two = store.int(2);
//! // 2x ≤ 5 and x ≤ 2 are the same constraint over the integers.
//! assert_eq!(store.le(twice, five), store.le(x, two));
//! ```
//!
//! Architecture invariant: no traversal recurses on the depth of a term.

mod arithmetic;
mod array;
mod bitvector;
mod boolean;
pub mod compact;
mod construct;
mod cx;
mod data;
mod difference;
pub mod eval;
mod exchange;
mod kind;
mod linear;
mod literal;
mod model;
mod modular;
mod phase;
pub mod print;
mod quantifier;
mod rounding;
pub mod serial;
pub mod size;
pub mod solve;
mod sort;
mod stage;
mod store;
pub mod substitute;
pub mod symbols;
pub mod tidy;
mod times;
pub mod value;
mod view;
pub mod visit;

pub use arithmetic::Relation;
pub use bitvector::{WIDEST, wrap};
pub use cx::{Cx, Observer, Question, Watched};
pub use data::{BadData, Constructor, ConstructorDeclaration, DataDeclaration, Field, FieldSort};
pub use difference::Difference;
pub use exchange::{Bound, Exchange, Excluded, Level, Message, Parcel, Says, Sharing, Subject};
pub use kind::{ArithKind, ArrayKind, BitsKind, BitsOp, DataKind, Kind, Sum};
pub use linear::Linear;
pub use literal::{Comparison, LinearLiteral};
pub use phase::{Phase, PhaseTimes};
pub use quantifier::Quantifier;
pub use sort::{Cardinality, DEEPEST_SORT, Sort, SortKind};
pub use stage::Stage;
pub use store::{Symbol, Term, TermStore};
pub use value::Value;
pub use view::View;
