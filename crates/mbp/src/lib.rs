//! Model-based projection of formulas, and quantifier elimination by it.
//!
//! | need | use |
//! |---|---|
//! | a quantifier-free formula that is true in a model and implies `∃x̄. φ` | [`project`] |
//! | a quantifier-free formula equivalent to `∃x̄. φ` | [`eliminate`] |
//! | a formula equivalent to `φ` without superfluous parts | [`simplify`] |
//!
//! Projection is cheap and gives one case; elimination enumerates the cases and may be expensive.
//!
//! ```
//! use shofar_base::Budget;
//! use shofar_term::{Cx, Sort, TermStore};
//! let mut store = TermStore::new();
//! let [x, low, high] = ["x", "low", "high"].map(|name| store.var(name, Sort::REAL));
//! let (above, below) = (store.lt(low, x), store.lt(x, high));
//! let between = store.and(&[above, below]);
//! let x = store.declare("x", &[], Sort::REAL);
//! let budget = Budget::unlimited();
//! let mut cx = Cx::new(&mut store, &budget);
//! let result = shofar_mbp::eliminate(&mut cx, between, &[x]).expect("there is no limit");
//! assert_eq!(result, store.lt(low, high));
//! ```
//!
//! Source: [KGC16] for projection and the enumeration of its results.

mod cases;
mod eliminate;
mod scope;
mod simplify;

pub use eliminate::eliminate;
pub use simplify::simplify;

use shofar_term::eval::Model;
use shofar_term::{Symbol, Term, TermStore};
use shofar_theory::implicant::implicant;

/// A conjunction of literals over the symbols outside `eliminate`, true in `model`, that implies
/// `∃ eliminate. formula`.
///
/// `formula` must be true in `model`. Over all models of one formula there are finitely many
/// results.
///
/// ```
/// use shofar_term::eval::{Model, Value};
/// use shofar_term::{Sort, TermStore};
/// let mut store = TermStore::new();
/// let (x, y) = (store.var("x", Sort::INT), store.var("y", Sort::INT));
/// let one = store.int(1);
/// let next = store.add(&[x, one]);
/// let (step, zero) = (store.eq(y, next), store.int(0));
/// let start = store.ge(x, zero);
/// let formula = store.and(&[start, step]);
/// let [x, y_symbol] = ["x", "y"].map(|name| store.declare(name, &[], Sort::INT));
/// let mut model = Model::new();
/// model.set(y_symbol, Value::Number(1.into()));
/// assert_eq!(shofar_mbp::project(&mut store, formula, &[x], &model), store.ge(y, one));
/// ```
pub fn project(store: &mut TermStore, formula: Term, eliminate: &[Symbol], model: &Model) -> Term {
    let cube = implicant(store, formula, model);
    let literals = shofar_theory::project::project(store, &cube, eliminate, model);
    store.and(&literals)
}
