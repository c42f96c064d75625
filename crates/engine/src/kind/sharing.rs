//! What k-induction tells other engines.
//!
//! Sent: that no bad state is within so many steps, each time that number has doubled. Taken: what
//! holds always; the path of the step is made anew within it
//! ([`Invariants`](crate::ts::sharing::Invariants)).

use shofar_base::Idx;
use shofar_chc::TransitionSystem;
use shofar_term::{Bound, Cx, Level, Says};

use crate::ts::sharing::tell;

/// The name under which messages are published.
const SENDER: &str = "kind";

/// Tells others that no bad state is within `k` steps.
pub(super) fn tell_safe(cx: &mut Cx<'_>, ts: &TransitionSystem, k: usize) {
    if cx.exchange.is_some() && k.is_power_of_two() {
        let harmless = cx.store.not(ts.bad);
        tell(cx, SENDER, ts, harmless, Says::holds(Bound::Within(Level::from_index(k))));
    }
}
