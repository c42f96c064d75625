//! What Houdini tells other engines, and what it hears from them.
//!
//! Sent: what is inductive together of what points and clauses suggest, as holding always, without
//! what follows from the rest, and only as long as there is not too much of it: more makes the
//! queries of others slower. What is told may rest on what was told before, so nothing is told any
//! more once there is something that was kept. That is what was found behind guards and among the
//! lemmas of others: with it `spacer` lost as many problems as it gained (s_split_29 and _32,
//! 2026-11).
//!
//! Taken: what holds always is known, since all of it is inductive together; conjuncts of all that
//! is said to hold for a while, and of hints, are candidates like others.

use shofar_base::{IndexVec, Outcome};
use shofar_chc::{NormalSystem, PredId};
use shofar_term::substitute::rename;
use shofar_term::{Bound, Cx, Message, Says, Subject, Symbol};

use super::candidates::Candidates;
use super::filter::Filter;
use super::{Formulas, count};

/// The name under which messages are published.
const SENDER: &str = "houdini";

/// What came in.
pub(super) struct Heard {
    /// How many messages are worked with.
    pub(super) taken: u64,
    /// Whether something holds always that was not known.
    pub(super) is_news: bool,
}

/// Takes in what others have said since the last time.
pub(super) fn hear(
    cx: &mut Cx<'_>,
    system: &NormalSystem,
    params: &IndexVec<PredId, Vec<Symbol>>,
    candidates: &mut Candidates<'_>,
    filter: &mut Filter<'_>,
) -> Outcome<Heard> {
    let mut heard = Heard { taken: 0, is_news: false };
    let Some(exchange) = cx.exchange else { return Ok(heard) };
    for message in exchange.receive(cx)? {
        let Subject::Predicate(symbol) = message.subject else { continue };
        let Some(pred) = system.pred(symbol) else { continue };
        let formula = rename(cx.store, message.formula, &message.params, &params[pred]);
        let is_new = match message.says {
            Says::Holds { bound: Bound::Always, .. } => {
                let is_new = filter.believe(cx.store, pred, formula);
                heard.is_news |= is_new;
                is_new
            }
            Says::Holds { .. } | Says::Hint => {
                let parts = cx.store.conjuncts(&[formula]);
                parts.into_iter().filter(|&part| candidates.hear(pred, part)).count() > 0
            }
            Says::Reached => false,
        };
        if is_new {
            heard.taken += 1;
            exchange.took(&message);
        }
    }
    Ok(heard)
}

/// So many invariants of a predicate are told to others, on the average.
const MOST_TOLD: u64 = 40;

/// Tells others what is inductive.
pub(super) struct Teller<'s> {
    system: &'s NormalSystem,
    params: &'s IndexVec<PredId, Vec<Symbol>>,
    told: u64,
    /// Whether all that is known was told, or heard.
    is_whole: bool,
}

impl<'s> Teller<'s> {
    /// Nothing is told.
    pub(super) fn new(system: &'s NormalSystem, params: &'s IndexVec<PredId, Vec<Symbol>>) -> Self {
        Self { system, params, told: 0, is_whole: true }
    }
    /// Tells what is inductive together with what was told, if that is not too much.
    pub(super) fn tell(&mut self, cx: &mut Cx<'_>, inductive: &Formulas) {
        let Some(exchange) = cx.exchange else { return };
        let new = count(inductive);
        self.told += new;
        self.is_whole &= self.told <= MOST_TOLD * self.params.len() as u64;
        if self.is_whole && new > 0 {
            self.is_whole = exchange.publish_inductive(cx.store, &self.messages(inductive));
        }
    }
    /// Takes note of what is not told.
    pub(super) fn keep(&mut self, inductive: &Formulas) {
        self.is_whole &= count(inductive) == 0;
    }
    fn messages(&self, inductive: &Formulas) -> Vec<Message> {
        let mut messages = Vec::new();
        for pred in self.system.preds() {
            messages.extend(inductive[pred].iter().map(|&formula| Message {
                subject: Subject::Predicate(self.system.symbol(pred)),
                params: self.params[pred].clone(),
                formula,
                says: Says::holds(Bound::Always),
                sender: SENDER.into(),
            }));
        }
        messages
    }
}
