//! What Houdini tells other engines, and what it hears from them.
//!
//! Sent: what is inductive together, as holding always, without what follows from the rest, and only as long as there is not too
//! much of it: more makes the queries of others slower. What is told later may rest on what was told before, so there are no gaps. Taken: what holds always is known, since all of it is
//! inductive together; conjuncts of all that is said to hold for a while, and of hints, are candidates like others.

use shofar_base::{IndexVec, Outcome};
use shofar_chc::{NormalSystem, PredId};
use shofar_term::substitute::rename;
use shofar_term::{Bound, Cx, Message, Says, Subject, Symbol};

use super::Formulas;
use super::candidates::Candidates;
use super::filter::Filter;

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

/// Tells others what is inductive, as long as that is not too much; whether more may be told.
pub(super) fn tell(
    cx: &mut Cx<'_>,
    system: &NormalSystem,
    params: &IndexVec<PredId, Vec<Symbol>>,
    inductive: &Formulas,
) -> bool {
    let Some(exchange) = cx.exchange else { return false };
    let mut messages = Vec::new();
    for pred in system.preds() {
        for &formula in &inductive[pred] {
            messages.push(Message {
                subject: Subject::Predicate(system.symbol(pred)),
                params: params[pred].clone(),
                formula,
                says: Says::holds(Bound::Always),
                sender: SENDER.into(),
            });
        }
    }
    exchange.publish_inductive(cx.store, &messages)
}
