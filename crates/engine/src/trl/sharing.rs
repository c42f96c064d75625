//! What transitive relation learning tells other engines.
//!
//! Sent: literals of learned relations that are about one state only, before or after the
//! iterations, as hints. Taken: nothing, since learned relations and blocked paths are about the
//! steps as they are, and further literals in the steps hide closed forms.

use shofar_chc::TransitionSystem;
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Says, Symbol, Term};

use crate::ts::sharing::tell;

/// The name under which messages are published.
const SENDER: &str = "trl";

/// Tells others what the literals of a relation say about single states.
pub(super) fn tell_literals(cx: &mut Cx<'_>, ts: &TransitionSystem, literals: &[Term]) {
    if cx.exchange.is_none() {
        return;
    }
    for &literal in literals {
        let symbols = free_symbols(cx.store, &[literal]);
        let are_among = |known: &[Symbol]| symbols.iter().all(|symbol| known.contains(symbol));
        let formula = if are_among(&ts.state) {
            literal
        } else if are_among(&ts.next) {
            ts.unprimed(cx.store, literal)
        } else {
            continue;
        };
        tell(cx, SENDER, ts, formula, Says::Hint);
    }
}
