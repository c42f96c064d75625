//! What lazy abstraction tells other engines, and what it hears from them.
//!
//! Sent: the new labels on a refuted path, as hints. Taken: what holds always. It is inductive
//! together, so all labels of a predicate may have it as a conjunct, those of vertices to come as
//! well: a label and the clause of an edge imply the label below as before, and covers stay.

use shofar_base::Outcome;
use shofar_chc::{NormalSystem, formal_params};
use shofar_term::size::tree_size;
use shofar_term::substitute::rename;
use shofar_term::{Bound, Cx, Message, Says, Subject};

use super::Unwind;
use super::unwinding::VertexId;
use crate::layers::Place;

/// The name under which messages are published.
const SENDER: &str = "lawi";
/// Larger labels are not told.
const SMALL: u64 = 24;

impl Unwind<'_> {
    /// Tells others of the labels on the path to `goal`.
    pub(super) fn tell(&self, cx: &mut Cx<'_>, system: &NormalSystem, goal: VertexId) {
        let Some(exchange) = cx.exchange else { return };
        for vertex in self.tree.path(goal) {
            let Place::Pred(pred) = self.tree.place(vertex) else { continue };
            let formula = self.tree.label(vertex);
            if tree_size(cx.store, &[formula]) > SMALL {
                continue;
            }
            let message = Message {
                subject: Subject::Predicate(system.symbol(pred)),
                params: formal_params(cx.store, system, pred),
                formula,
                says: Says::Hint,
                sender: SENDER.into(),
            };
            exchange.publish(cx.store, &message);
        }
    }
    /// Makes what others have proved to hold always a part of all labels.
    pub(super) fn hear(&mut self, cx: &mut Cx<'_>, system: &NormalSystem) -> Outcome<()> {
        let Some(exchange) = cx.exchange else { return Ok(()) };
        for message in exchange.receive(cx)? {
            let Says::Holds { bound: Bound::Always, .. } = message.says else { continue };
            let Subject::Predicate(symbol) = message.subject else { continue };
            let Some(pred) = system.pred(symbol) else { continue };
            let params = formal_params(cx.store, system, pred);
            let formula = rename(cx.store, message.formula, &message.params, &params);
            exchange.took(&message);
            let known = self.known.get(&pred).copied().unwrap_or(cx.store.top());
            self.known.insert(pred, cx.store.and(&[known, formula]));
            self.tree.assume(cx.store, pred, formula);
        }
        Ok(())
    }
}
