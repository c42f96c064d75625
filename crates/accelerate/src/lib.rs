//! Loops in closed form: what a relation does if it is repeated.
//!
//! | need | use |
//! |---|---|
//! | a relation to accelerate | [`Relation`] |
//! | `Rⁿ` as a formula with the count `n` | [`exact`] |
//! | what all sequences of steps of some relations satisfy | [`over`] |
//! | some powers of a relation, a given step among them | [`under`] |
//!
//! A relation is a conjunction over pairs of constants, `x` before and `x'` after a step. Its
//! closure is a formula over `x`, `x'` and a count `n ≥ 1`, which holds if `x` and `x'` are related
//! by exactly `n` steps; results that are more or less than that have types of their own
//! ([`Exact`], [`Over`], [`Under`]). Formulas are linear, with divisibilities.
//!
//! ```
//! use shofar_accelerate::{Relation, exact};
//! use shofar_base::Budget;
//! use shofar_term::{Cx, Sort, TermStore};
//! let mut store = TermStore::new();
//! let [x, y, n] = ["x", "x'", "n"].map(|name| store.var(name, Sort::INT));
//! // x < 10 and x' = x + 2
//! let (ten, two) = (store.int(10), store.int(2));
//! let (guard, next) = (store.lt(x, ten), store.add(&[x, two]));
//! let step = store.eq(y, next);
//! let [before, after] = ["x", "x'"].map(|name| store.declare(name, &[], Sort::INT));
//! let relation = Relation::new(&store, &[(before, after)], &[guard, step]).expect("only x and x'");
//! let budget = Budget::unlimited();
//! let closure = exact(&mut Cx::new(&mut store, &budget), &relation).expect("there is no limit");
//! let closure = closure.expect("a translation");
//! // n ≥ 1, x + 2(n − 1) < 10, x' = x + 2n
//! let formula = closure.formula(&mut store, n);
//! assert_eq!(store.conjuncts(&[formula]).len(), 3);
//! ```
//!
//! Source: [HIKKR12] §2 for the classes of relations; see the modules for each.

mod closure;
mod constraint;
mod normal;
mod octagon;
mod over;
mod progression;
mod relation;
mod under;

pub use closure::{Exact, Over, Progress, Under};
pub use over::over;
pub use relation::Relation;
pub use under::under;

use shofar_base::Outcome;
use shofar_term::Cx;

use crate::closure::{Closure, Part};
use crate::normal::Loop;

/// `Rⁿ` for every `n ≥ 1`, if the relation belongs to a class whose closure is known; see the
/// modules.
pub fn exact(cx: &mut Cx<'_>, relation: &Relation) -> Outcome<Option<Exact>> {
    let variables = relation.variables().to_vec();
    let Some(whole) = Loop::new(cx.store, relation) else {
        return Ok(Some(Exact(Closure { variables, parts: vec![Part::empty()] })));
    };
    let mut parts = Vec::new();
    for part in whole.parts(cx.store) {
        cx.budget.check()?;
        let Some(closure) = exact_part(cx, &part)? else { return Ok(None) };
        parts.push(closure);
    }
    Ok(Some(Exact(Closure { variables, parts })))
}

/// The closure of a part, if it belongs to one of the classes.
fn exact_part(cx: &mut Cx<'_>, part: &Loop) -> Outcome<Option<Part>> {
    if part.is_free() {
        return Ok(Some(Part::free(cx.store)));
    }
    if part.is_deterministic(cx.store)
        && let Some(closure) = progression::accelerate(cx.store, part)
    {
        return Ok(Some(closure));
    }
    octagon::accelerate(cx, part)
}

#[cfg(test)]
mod tests;
