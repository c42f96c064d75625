//! Invariants of other engines, for engines that look at one transition system again and again.
//!
//! What is received as holding always is inductive together. So a system whose steps stay within it
//! has the same runs, and an invariant of the stronger system is one of the system itself, once it
//! is said together with what was assumed.

use shofar_base::Outcome;
use shofar_chc::TransitionSystem;
use shofar_term::size::tree_size;
use shofar_term::{Bound, Cx, Message, Says, Subject, Term, TermStore};

/// Larger formulas are not told.
const SMALL: u64 = 60;

/// What others have proved to hold always.
#[derive(Debug, Default)]
pub(crate) struct Invariants {
    all: Vec<Term>,
}

impl Invariants {
    /// Takes in what has been proved since the last time; whether there is something new. Other
    /// messages are left alone.
    pub(crate) fn hear(&mut self, cx: &mut Cx<'_>, ts: &TransitionSystem) -> Outcome<bool> {
        let Some(exchange) = cx.exchange else { return Ok(false) };
        let before = self.all.len();
        for message in exchange.receive(cx)? {
            let is_ours = message.subject == Subject::State && message.params == ts.state;
            match message.says {
                Says::Holds { bound: Bound::Always, .. } if is_ours => {
                    exchange.took(&message);
                    self.all.push(message.formula);
                }
                Says::Holds { .. } | Says::Reached | Says::Hint => (),
            }
        }
        Ok(self.all.len() > before)
    }
    /// `ts` without the states that these exclude.
    pub(crate) fn strengthened(
        &self,
        store: &mut TermStore,
        ts: &TransitionSystem,
    ) -> TransitionSystem {
        if self.all.is_empty() {
            return ts.clone();
        }
        let here = store.and(&self.all);
        let there = ts.primed(store, here);
        let step = store.and(&[ts.step, here, there]);
        let bad = store.and(&[ts.bad, here]);
        TransitionSystem { step, bad, ..ts.clone() }
    }
    /// An invariant of the stronger system as one of the system itself.
    pub(crate) fn with(&self, store: &mut TermStore, invariant: Term) -> Term {
        let mut conjuncts = vec![invariant];
        conjuncts.extend(&self.all);
        store.and(&conjuncts)
    }
}

/// Tells others something about the states of `ts`, if it is small.
pub(crate) fn tell(
    cx: &mut Cx<'_>,
    sender: &'static str,
    ts: &TransitionSystem,
    formula: Term,
    says: Says,
) {
    let Some(exchange) = cx.exchange else { return };
    if tree_size(cx.store, &[formula]) > SMALL {
        return;
    }
    let (subject, params) = (Subject::State, ts.state.clone());
    let message = Message { subject, params, formula, says, sender: sender.into() };
    exchange.publish(cx.store, &message);
}
