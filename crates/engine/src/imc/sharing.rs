//! What interpolation-based model checking tells other engines.
//!
//! Sent: the union of the images so far, which contains all states that are at most so many steps
//! away, and the newest image as a hint. Taken: what holds always, when a bound begins
//! ([`Invariants`](crate::ts::sharing::Invariants)).

use shofar_base::Idx;
use shofar_chc::TransitionSystem;
use shofar_term::{Bound, Cx, Level, Says, Term};

use crate::ts::sharing::tell;

/// The name under which messages are published.
const SENDER: &str = "imc";

/// Tells others of the newest of the images of the initial states, the first of which are these.
pub(super) fn tell_image(cx: &mut Cx<'_>, ts: &TransitionSystem, reached: &[Term]) {
    let (Some(&newest), Some(_)) = (reached.last(), cx.exchange) else { return };
    let union = cx.store.or(reached);
    let bound = Bound::Within(Level::from_index(reached.len() - 1));
    tell(cx, SENDER, ts, union, Says::holds(bound));
    tell(cx, SENDER, ts, newest, Says::Hint);
}
