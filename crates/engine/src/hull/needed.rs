//! The claims without which the others would be no model.
//!
//! A core of the claims about the body of each query, and of each clause into a predicate that is
//! empty, is needed, and for each needed claim a core of the claims because of which each clause
//! into its predicate preserves it. Claims that are easy to read are preferred.
//!
//! Source: [IGB14], the part on inductive subsets, for any clauses.

use shofar_base::{IndexVec, Map, Outcome};
use shofar_chc::{ChcSystem, Clause, ClauseId, PredAtom, PredId};
use shofar_term::{Cx, Term};

use super::Meaning;
use super::claim::TIERS;
use crate::ts::Choice;

/// The places of the claims about each predicate that are a model by themselves; all of them
/// together are one.
pub(super) fn needed(
    cx: &mut Cx<'_>,
    system: &ChcSystem,
    meanings: &IndexVec<PredId, Meaning>,
) -> Outcome<IndexVec<PredId, Vec<usize>>> {
    let mut selection = Selection { meanings, chosen: Vec::new(), premises: Map::default() };
    for (id, clause) in system.clauses() {
        // A predicate of which no point is known is false, so a clause that derives it is like a
        // query.
        let is_empty = |head: &PredAtom| matches!(meanings[head.pred], Meaning::Nothing);
        if clause.head.as_ref().is_none_or(is_empty) {
            selection.explain(cx, id, clause, None)?;
        }
    }
    let mut position = 0;
    while position < selection.chosen.len() {
        let (pred, index) = selection.chosen[position];
        for (id, clause) in system.clauses() {
            let Some(head) = clause.head.as_ref().filter(|head| head.pred == pred) else {
                continue;
            };
            let Meaning::All(claims) = &meanings[pred] else { continue };
            let claim = claims[index].term(cx.store, &head.args);
            let violated = cx.store.not(claim);
            selection.explain(cx, id, clause, Some(violated))?;
        }
        position += 1;
    }
    let mut kept: IndexVec<PredId, Vec<usize>> = system.preds().map(|_| Vec::new()).collect();
    selection.chosen.sort_unstable();
    for (pred, index) in selection.chosen {
        kept[pred].push(index);
    }
    Ok(kept)
}

struct Selection<'m> {
    meanings: &'m IndexVec<PredId, Meaning>,
    /// In the order in which they were found to be needed.
    chosen: Vec<(PredId, usize)>,
    premises: Map<ClauseId, Premises>,
}

/// What is claimed about the body of a clause.
struct Premises {
    choice: Choice,
    /// The claim of each conjunct.
    claims: Vec<(PredId, usize)>,
    /// The conjuncts up to each tier.
    tiers: Vec<Vec<usize>>,
}

impl Selection<'_> {
    /// Chooses what contradicts the constraint of `clause` together with `goal`.
    fn explain(
        &mut self,
        cx: &mut Cx<'_>,
        id: ClauseId,
        clause: &Clause,
        goal: Option<Term>,
    ) -> Outcome<()> {
        let is_dead =
            clause.body.iter().any(|atom| matches!(self.meanings[atom.pred], Meaning::Nothing));
        if is_dead {
            return Ok(());
        }
        let meanings = self.meanings;
        let premises =
            self.premises.entry(id).or_insert_with(|| Premises::new(cx, clause, meanings));
        let is_chosen = |&i: &usize| self.chosen.contains(&premises.claims[i]);
        let mut chosen: Vec<usize> = (0..premises.claims.len()).filter(is_chosen).collect();
        let before = chosen.len();
        premises.choice.extend(cx, &mut chosen, goal, &premises.tiers)?;
        for &new in &chosen[before..] {
            // A claim may be about several atoms.
            if !self.chosen.contains(&premises.claims[new]) {
                self.chosen.push(premises.claims[new]);
            }
        }
        Ok(())
    }
}

impl Premises {
    fn new(cx: &mut Cx<'_>, clause: &Clause, meanings: &IndexVec<PredId, Meaning>) -> Self {
        let (mut terms, mut claims) = (Vec::new(), Vec::new());
        let mut tiers: Vec<Vec<usize>> = vec![Vec::new(); TIERS];
        for atom in &clause.body {
            let Meaning::All(known) = &meanings[atom.pred] else { continue };
            for (index, claim) in known.iter().enumerate() {
                for tier in &mut tiers[claim.tier()..] {
                    tier.push(terms.len());
                }
                terms.push(claim.term(cx.store, &atom.args));
                claims.push((atom.pred, index));
            }
        }
        Self { choice: Choice::new(cx, clause.constraint, &terms), claims, tiers }
    }
}
