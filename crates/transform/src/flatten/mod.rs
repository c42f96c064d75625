//! Clauses without non-recursive data types.
//!
//! Arguments and variables of such a type are replaced by their leaves ([`layout`]): records by
//! their fields, types with several constructors by a tag and the fields of all constructors,
//! arrays of records by several arrays, arrays indexed by records by arrays of arrays.
//! Constructors, selectors and testers are gone ([`terms`]). Recursive types stay, with what is
//! inside of them.
//!
//! Every value of the source is represented by leaves whose junk is default, and such leaves
//! represent one value; so a model `P'` of the new clauses gives the model `P(x) = P'(leaves of x)`
//! ([`paths`]). Leaves with other junk represent a value, too, so a derivation of the new clauses
//! becomes one of the old clauses ([`back`]), with two exceptions. A selector of a value that
//! another constructor made yields an arbitrary value, while the old clauses fix it by an unknown
//! function; and a disequality of arrays may be due to junk, of which no formula without
//! quantifiers says that it does not matter. If the clauses have one of them, the pass is an
//! over-approximation: a refutation may have no counterpart.

mod back;
mod layout;
mod paths;
mod terms;
#[cfg(test)]
mod tests;
mod values;
mod whole;

use shofar_base::Outcome;
use shofar_chc::{ChcSystem, Clause, Exactness, PredAtom, Translated};
use shofar_term::{Cx, Sort, Term, TermStore};

use crate::Pass;
use crate::back::unchanged;
use crate::reshape::redeclared;
use back::FromLeaves;
use layout::Layout;
use terms::Flattening;

/// Replaces non-recursive data types by what they are made of; see the module documentation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flatten;

impl Pass for Flatten {
    fn name(&self) -> &'static str {
        "flatten"
    }
    fn apply(
        &self,
        cx: &mut Cx<'_>,
        source: ChcSystem,
    ) -> Outcome<Translated<ChcSystem, ChcSystem>> {
        let Some(layout) = Layout::of(cx.store, &source) else { return Ok(unchanged(source)) };
        let mut target = predicates(cx.store, &source, &layout);
        let mut flattening = Flattening::new(&layout);
        for (_, clause) in source.clauses() {
            cx.budget.check()?;
            target.add_clause(flat(cx.store, &mut flattening, clause));
        }
        let exactness = if flattening.is_over { Exactness::Over } else { Exactness::Exact };
        let variables = flattening.variables;
        Ok((target, Box::new(FromLeaves { source, layout, variables, exactness })))
    }
}

/// The predicates of `source` in their order, with leaves as arguments.
fn predicates(store: &mut TermStore, source: &ChcSystem, layout: &Layout) -> ChcSystem {
    let leaves = |&sort: &Sort| layout.get(sort).leaves.iter().copied();
    redeclared(store, source, |_, sorts| sorts.iter().flat_map(leaves).collect())
}

/// `clause` over leaves.
fn flat(store: &mut TermStore, flattening: &mut Flattening<'_>, clause: &Clause) -> Clause {
    flattening.begin();
    let mut atom = |atom: &PredAtom| PredAtom {
        pred: atom.pred,
        args: flattening.arguments(store, &atom.args),
    };
    let body: Vec<PredAtom> = clause.body.iter().map(&mut atom).collect();
    let head = clause.head.as_ref().map(&mut atom);
    let mut parts: Vec<Term> = Vec::new();
    for part in store.conjuncts(&[clause.constraint]) {
        flattening.conjunct(store, part, &mut parts);
    }
    parts.extend_from_slice(flattening.ranges());
    let constraint = store.and(&parts);
    let made = Clause { head, body, constraint, span: clause.span };
    flattening.end(store, &made);
    made
}
