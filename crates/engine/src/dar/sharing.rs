//! What dual approximated reachability tells other engines, and what it hears from them.
//!
//! Sent: the union of the forward sequence, which contains all states that are at most so many
//! steps away, and its last element as a hint. Taken: what holds always. It is inductive together,
//! so the elements of the forward sequence without the states that it excludes are a forward
//! sequence as well; the backward sequence stays as it is.

use shofar_base::{Idx, Outcome};
use shofar_chc::formal_params;
use shofar_term::size::tree_size;
use shofar_term::substitute::rename;
use shofar_term::{Bound, Cx, Level, Message, Says, Subject, Term};

use super::sequences::Sequences;

/// The name under which messages are published.
const SENDER: &str = "dar";
/// Larger formulas are not told.
const SMALL: u64 = 60;

impl Sequences<'_> {
    /// Tells others of the forward sequence.
    pub(super) fn tell(&self, cx: &mut Cx<'_>) {
        let Some(exchange) = cx.exchange else { return };
        let bound = Bound::Within(Level::from_index(self.forward.len() - 1));
        for pred in self.system.preds() {
            let states: Vec<Term> = self.forward.iter().map(|region| region[pred]).collect();
            let union = cx.store.or(&states);
            let last = states[states.len() - 1];
            for (formula, says) in [(union, Says::holds(bound)), (last, Says::Hint)] {
                if tree_size(cx.store, &[formula]) > SMALL {
                    continue;
                }
                let message = Message {
                    subject: Subject::Predicate(self.system.symbol(pred)),
                    params: formal_params(cx.store, &self.system, pred),
                    formula,
                    says,
                    sender: SENDER.into(),
                };
                exchange.publish(cx.store, &message);
            }
        }
    }
    /// Takes what others have proved impossible out of the forward sequence.
    pub(super) fn hear(&mut self, cx: &mut Cx<'_>) -> Outcome<()> {
        let Some(exchange) = cx.exchange else { return Ok(()) };
        for message in exchange.receive(cx)? {
            let Says::Holds { bound: Bound::Always, .. } = message.says else { continue };
            let Subject::Predicate(symbol) = message.subject else { continue };
            let Some(pred) = self.system.pred(symbol) else { continue };
            let params = formal_params(cx.store, &self.system, pred);
            let formula = rename(cx.store, message.formula, &message.params, &params);
            exchange.took(&message);
            self.known.push((pred, formula));
        }
        for region in self.forward.iter_mut().skip(1) {
            for &(pred, formula) in &self.known {
                region[pred] = cx.store.and(&[region[pred], formula]);
            }
        }
        Ok(())
    }
}
