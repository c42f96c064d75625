//! From a transition invariant to a state invariant without quantifiers.
//!
//! A left-grounded transition invariant `T` says that all reachable states are in
//! `S = ∃x. Init(x) ∧ T(x, x′)`. If it is inductive, so is `S`, and elimination of `x` is all there
//! is to do. If it is `k`-inductive, then `S` is, as a property of states, and [`inductive`] makes
//! an inductive invariant of it. A right-grounded one says the same of the reversed system, where
//! bad states are initial: the complement of the result is an invariant of the system itself.
//!
//! Elimination may take for ever, and so may the way from a k-inductive to an inductive invariant.
//! So both have a limit, which doubles with every level, and the search goes on where it is
//! reached.
//!
//! Invariant: what is returned was checked to be an invariant.
//!
//! Source: [Bli22] §5.5.5 (a quantified invariant, then elimination), Definition 4.16 for what
//! k-inductive means.

use shofar_base::{GaveUp, Idx, Outcome};
use shofar_chc::TransitionSystem;
use shofar_term::{Cx, Term};

use super::fixpoint::{Lemma, Side, TransitionInvariant};
use super::names::Place;
use super::reach::Powers;
use super::sequence::{Power, Relation};
use crate::ts::invariant::{inductive, is_invariant};

/// How often the budget may be asked for one certificate at level 0; generous, so that only
/// certificates without end are given up.
const EFFORT: u32 = 1 << 18;
/// How often that doubles.
const DOUBLINGS: Power = Power::new(8);
/// How large `k` may be.
const LARGEST_EXPONENT: Power = Power::new(16);

impl Powers {
    /// The state invariant that the conjuncts `kept` of a transition invariant give, if one is
    /// found soon enough.
    pub(super) fn state_invariant(
        &mut self,
        cx: &mut Cx<'_>,
        found: &TransitionInvariant,
        kept: &[Term],
    ) -> Outcome<Option<Term>> {
        let budget = cx.budget.part(EFFORT << found.level.min(DOUBLINGS).index());
        let mut part = cx.limited(&budget);
        match self.certificate(&mut part, found, kept) {
            Err(GaveUp::Incomplete(why)) => {
                tracing::debug!("{found}, but without a state invariant: {why}");
                Ok(None)
            }
            outcome => outcome,
        }
    }
    fn certificate(
        &mut self,
        cx: &mut Cx<'_>,
        found: &TransitionInvariant,
        kept: &[Term],
    ) -> Outcome<Option<Term>> {
        if found.exponent > LARGEST_EXPONENT {
            return Ok(None);
        }
        let states = self.related_states(cx, found, kept)?;
        let (reversed, system) = match found.side {
            Side::Left => (false, self.names.ts.clone()),
            Side::Right => (true, self.reversed(cx)),
        };
        let mut invariant = states;
        if found.exponent > Power::ZERO {
            let bad = cx.store.not(states);
            let k = 1 << found.exponent.index();
            invariant = inductive(cx, &TransitionSystem { bad, ..system }, k)?;
        }
        if reversed {
            invariant = cx.store.not(invariant);
        }
        Ok(is_invariant(cx, &self.names.ts, invariant)?.then_some(invariant))
    }
    /// The states that the transition invariant connects with initial (or bad) ones.
    fn related_states(
        &mut self,
        cx: &mut Cx<'_>,
        found: &TransitionInvariant,
        kept: &[Term],
    ) -> Outcome<Term> {
        let names = &mut self.names;
        let relation = cx.store.and(kept);
        let paths = match (found.lemma, found.side) {
            (Lemma::Whole | Lemma::Below, _) => vec![relation],
            (Lemma::Exactly, side) => {
                let below = self.sequences.formula(cx.store, Relation::Below, found.level);
                let (first, second) = match side {
                    Side::Left => (below, relation),
                    Side::Right => (relation, below),
                };
                let first = names.at(cx.store, first, Place::First);
                let second = names.at(cx.store, second, Place::Second);
                vec![below, cx.store.and(&[first, second])]
            }
        };
        let (anchor, kept) = match found.side {
            Side::Left => (names.init, names.ts.next.clone()),
            Side::Right => (names.primed(cx.store, names.bad), names.ts.state.clone()),
        };
        let others = names.all_but(&kept);
        let mut cases = Vec::new();
        for path in paths {
            let path = cx.store.and(&[anchor, path]);
            cases.push(shofar_mbp::eliminate(cx, path, &others)?);
        }
        let states = cx.store.or(&cases);
        Ok(match found.side {
            Side::Left => self.names.unprimed(cx.store, states),
            Side::Right => states,
        })
    }
    /// The system that runs backward.
    fn reversed(&mut self, cx: &mut Cx<'_>) -> TransitionSystem {
        let ts = self.names.ts.clone();
        let step = self.names.at(cx.store, ts.step, Place::Reversed);
        TransitionSystem { init: ts.bad, step, bad: ts.init, ..ts }
    }
}
