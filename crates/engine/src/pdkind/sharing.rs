//! What instances tell each other, and others.
//!
//! - A *bounded invariant*: it holds in all states that are at most so many steps away from an
//!   initial one. Its receiver may add it to its own reachability frames as it is, because all
//!   instances work on the same system.
//! - A *pushed lemma* is a bounded invariant that names its counterexample: every state that it
//!   excludes reaches a bad one in exactly the given number of steps. Its receiver may add it to
//!   its base frame if the bound is at least its own level, which is the condition of the rule
//!   Add-Lemma; otherwise it must leave it.
//!
//! Not all of that is of use: large bounded invariants are not told, and a pushed lemma comes in
//! only if it excludes a counterexample that is still there, and is inductive for its receiver as
//! well. What is concluded from lemmas of others is safe either way: an invariant that rests on
//! them is checked from the initial states on, and a refutation is a run that was found by
//! evaluation.
//!
//! Source: [Bli22] §6.2.3 and §6.3.3.

use std::rc::Rc;

use shofar_base::{Idx, Outcome};
use shofar_term::size::tree_size;
use shofar_term::{Bound, Cx, Excluded, Level, Message, Says, Subject, Term};

use super::fire::Bounded;
use super::ice::{Cex, Ice, Lemma};

/// The name under which messages are published.
const SENDER: &str = "pdkind";

/// Larger bounded invariants are not told; they are a burden to others.
const SMALL: u64 = 60;

impl Ice<'_> {
    /// Tells the others what was found out about reachability, and hears what they say.
    pub(super) fn send_and_receive(&mut self, cx: &mut Cx<'_>) -> Outcome<()> {
        let Some(exchange) = cx.exchange else { return Ok(()) };
        for &Bounded { formula, bound } in &self.fire.known()[self.told..] {
            if tree_size(cx.store, &[formula]) <= SMALL {
                exchange.publish(cx.store, &self.said(formula, bound, None));
            }
        }
        for message in exchange.receive(cx)? {
            if self.receive(cx, &message)? {
                self.has_heard = true;
                exchange.took(&message);
            }
        }
        self.told = self.fire.known().len();
        Ok(())
    }
    /// Tells the others of a lemma that was pushed, so that it holds within `bound` steps.
    pub(super) fn send_pushed(&self, cx: &mut Cx<'_>, lemma: &Lemma, bound: Bound) {
        let Some(exchange) = cx.exchange else { return };
        let distance = Level::from_index(lemma.cex.distance);
        let excluded = Excluded { points: lemma.cex.states, distance };
        exchange.publish(cx.store, &self.said(lemma.formula, bound, Some(excluded)));
    }
    fn said(&self, formula: Term, bound: Bound, excludes: Option<Excluded>) -> Message {
        Message {
            subject: Subject::State,
            params: self.ts.state.clone(),
            formula,
            says: Says::Holds { bound, excludes },
            sender: SENDER.into(),
        }
    }
    /// Makes use of what somebody else has proved about the states of this system; whether it is of
    /// use.
    fn receive(&mut self, cx: &mut Cx<'_>, message: &Message) -> Outcome<bool> {
        if message.subject != Subject::State || message.params != self.ts.state {
            return Ok(false);
        }
        let formula = message.formula;
        match message.says {
            Says::Holds { bound, excludes: None } => {
                Ok(self.fire.learn(Bounded { formula, bound }))
            }
            Says::Holds { bound, excludes: Some(Excluded { points, distance }) } => {
                let cex = Cex { states: points, onwards: None, distance: distance.index() };
                self.hear(cx, Lemma { formula, cex: Rc::new(cex) }, bound)
            }
            // Neither says anything about what is not reachable.
            Says::Reached | Says::Hint => Ok(false),
        }
    }
    /// *Add-Lemma* and *Push-Lemma* for a lemma that somebody else pushed, if both apply, and if it
    /// is of use.
    fn hear(&mut self, cx: &mut Cx<'_>, lemma: Lemma, bound: Bound) -> Outcome<bool> {
        let is_known = self.base.iter().any(|l| l.formula == lemma.formula);
        let reaches = bound.reaches(self.level);
        if !reaches || is_known || self.paths.from(cx, lemma.cex.states)?.is_none() {
            return Ok(false);
        }
        let is_inductive = self.paths.preserve(cx, lemma.formula)?;
        if is_inductive {
            self.paths.assume(cx.store, lemma.formula);
            self.base.push(lemma.clone());
            self.successor.push(lemma);
        }
        Ok(is_inductive)
    }
}
