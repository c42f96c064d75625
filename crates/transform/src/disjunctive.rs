//! Clauses with a disjunction become several.
//!
//! `φ ∧ (ψ₁ ∨ … ∨ ψₙ)` as the constraint of a clause is the same as a clause for each of `φ ∧ ψᵢ`:
//! the opposite of merging, for engines and domains that look at one conjunction at a time.
//! Predicates keep their meaning, and a step of a new clause is a step of the old one with the same
//! values. The pass stops where there would be more than [`MOST_OF_ONE`] clauses for one, or more
//! than [`MOST`] further ones in all.
//!
//! Source: [HR18], the splitting of clauses with disjunctive constraints.

use shofar_base::{IndexVec, Outcome};
use shofar_chc::{ChcSystem, Clause, ClauseId, Translated};
use shofar_term::{Cx, Term, TermStore};

use crate::Pass;
use crate::back::{Origin, WayBack, unchanged};

/// A clause becomes so many at most.
const MOST_OF_ONE: usize = 16;
/// So many clauses are added at most.
const MOST: usize = 500;

/// Splits clauses at disjunctions; see the module documentation.
#[derive(Clone, Copy, Debug, Default)]
pub struct SplitDisjunctions;

impl Pass for SplitDisjunctions {
    fn name(&self) -> &'static str {
        "split"
    }
    fn apply(
        &self,
        cx: &mut Cx<'_>,
        source: ChcSystem,
    ) -> Outcome<Translated<ChcSystem, ChcSystem>> {
        let mut clauses: Vec<Clause> = Vec::with_capacity(source.clause_count());
        let mut origins: IndexVec<ClauseId, Origin> = IndexVec::new();
        let mut left = MOST;
        for (id, clause) in source.clauses() {
            cx.budget.check()?;
            let constraints = split(cx.store, clause.constraint, MOST_OF_ONE.min(left + 1));
            left = (left + 1).saturating_sub(constraints.len());
            for constraint in constraints {
                clauses.push(Clause { constraint, ..clause.clone() });
                origins.push(Origin::Same(id));
            }
        }
        if clauses.len() == source.clause_count() {
            return Ok(unchanged(source));
        }
        let target = source.with_clauses(clauses);
        Ok((target, Box::new(WayBack::of_clauses(cx.store, source, origins))))
    }
}

/// Formulas whose disjunction is `formula`, at most so many. The smallest disjunctions are split
/// first.
pub(crate) fn split(store: &mut TermStore, formula: Term, most: usize) -> Vec<Term> {
    let (mut done, mut work) = (Vec::new(), vec![formula]);
    while let Some(formula) = work.pop() {
        let conjuncts = store.conjuncts(&[formula]);
        let sides = |&at: &usize| store.disjunction(conjuncts[at]).map(<[Term]>::len);
        let smallest =
            (0..conjuncts.len()).filter(|at| sides(at).is_some()).min_by_key(|at| sides(at));
        let room = most.saturating_sub(done.len() + work.len());
        match smallest.filter(|at| sides(at).is_some_and(|count| count <= room)) {
            None => done.push(formula),
            Some(at) => {
                let sides = store.disjuncts(&[conjuncts[at]]);
                for side in sides.into_iter().rev() {
                    let mut parts = conjuncts.clone();
                    parts[at] = side;
                    work.push(store.and(&parts));
                }
            }
        }
    }
    done
}
