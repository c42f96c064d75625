//! What is told to other engines that work on the same system, and what is heard from them.
//!
//! A short clause is a lemma about the states within its bound; it is told when it is learnt. A lemma of others joins
//! the frames up to its bound as it is: its negation stands for a literal of a cube, which need not be a predicate. It is pushed
//! like any other clause, so an invariant may rest on it.
//! Nothing is taken on trust: an invariant that was found after something was heard is checked from the initial states on, and a
//! refutation is a run that was found by the step alone.

use shofar_base::{GaveUp, Outcome};
use shofar_term::size::tree_size;
use shofar_term::{Bound, Cx, Lemma, Level, Subject, Term};

use super::search::Search;
use crate::ts::invariant::is_invariant;

/// The name under which lemmas are published.
const PROVER: &str = "ic3ia";
/// Longer clauses are not told.
const SHORT: usize = 8;
/// Larger lemmas of others are not taken in; they would make every query slower.
const SMALL: u64 = 60;

impl Search<'_> {
    /// Tells others of a new clause.
    pub(super) fn tell(&self, cx: &mut Cx<'_>, cube: &[Term], bound: Bound) {
        let Some(exchange) = cx.exchange else { return };
        if cube.len() > SHORT {
            return;
        }
        let inside = cx.store.and(cube);
        let lemma = Lemma {
            subject: Subject::State,
            params: self.ts.state.clone(),
            formula: cx.store.not(inside),
            bound,
            prover: PROVER.into(),
            excludes: None,
        };
        exchange.publish(cx.store, &lemma);
    }
    /// Adds what others have proved to the frames.
    pub(super) fn hear(&mut self, cx: &mut Cx<'_>) {
        let Some(exchange) = cx.exchange else { return };
        for Lemma { subject, params, formula, bound, .. } in exchange.receive(cx.store) {
            let is_ours = subject == Subject::State && params == self.ts.state;
            let is_small = tree_size(cx.store, &[formula]) <= SMALL;
            if is_ours && is_small && bound > Bound::Within(Level::ZERO) {
                self.has_heard = true;
                let violation = cx.store.not(formula);
                self.frames.add(cx.store, vec![violation], bound);
            }
        }
    }
    /// `invariant`, if it need not be doubted or stands the test.
    pub(super) fn trusted(&self, cx: &mut Cx<'_>, invariant: Term) -> Outcome<Term> {
        if self.has_heard && !is_invariant(cx, self.ts, invariant)? {
            return Err(GaveUp::wrong("another engine published a wrong lemma"));
        }
        Ok(invariant)
    }
}
