//! What predicate abstraction tells other engines, and what it hears from them.
//!
//! Sent: the predicates that refinements bring, as hints. Taken: whatever is said about a relation
//! symbol and is small, when the construction begins and before each refinement, as a predicate. A
//! predicate is no claim, so nothing has to be believed: images say where it holds. Nodes that were
//! made without a predicate stay as they are until a refinement deletes them.

use shofar_base::{Idx, Outcome};
use shofar_chc::PredId;
use shofar_term::size::tree_size;
use shofar_term::substitute::rename;
use shofar_term::{Cx, Message, Says, Subject, Term};

use super::{Run, Split};

/// The name under which messages are published.
const SENDER: &str = "pa";
/// Larger formulas are neither told nor taken in.
const SMALL: u64 = 24;
/// So many predicates are taken in at a time, the newest ones.
const AT_ONCE: usize = 8;
/// So many are taken in at all; each makes images more expensive.
const MOST: u64 = 64;

impl Run<'_> {
    /// Tells others of a predicate.
    pub(super) fn tell(&self, cx: &mut Cx<'_>, pred: PredId, formula: Term) {
        let Some(exchange) = cx.exchange else { return };
        if tree_size(cx.store, &[formula]) > SMALL {
            return;
        }
        let message = Message {
            subject: Subject::Predicate(self.symbols[pred.index()]),
            params: self.predicates.params(pred).to_vec(),
            formula,
            says: Says::Hint,
            sender: SENDER.into(),
        };
        exchange.publish(cx.store, &message);
    }
    /// Takes in what others have said as predicates.
    pub(super) fn hear(&mut self, cx: &mut Cx<'_>) -> Outcome<()> {
        let Some(exchange) = cx.exchange else { return Ok(()) };
        let mut messages = exchange.receive(cx)?;
        messages.retain(|message| match message.says {
            Says::Holds { .. } | Says::Hint => tree_size(cx.store, &[message.formula]) <= SMALL,
            Says::Reached => false,
        });
        let old = messages.len().saturating_sub(AT_ONCE);
        for message in messages.drain(old..) {
            let Subject::Predicate(symbol) = message.subject else { continue };
            let Some(at) = self.symbols.iter().position(|&known| known == symbol) else { continue };
            if self.stats.heard >= MOST {
                return Ok(());
            }
            let (pred, now) = (PredId::from_index(at), self.stats.refinements);
            let params = self.predicates.params(pred);
            let formula = rename(cx.store, message.formula, &message.params, params);
            if self.predicates.add(cx.store, pred, formula, Split::Whole, now) {
                self.stats.heard += 1;
                exchange.took(&message);
            }
        }
        Ok(())
    }
}
