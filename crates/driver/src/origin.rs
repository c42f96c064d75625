//! The store of the simplified clauses, of which every worker needs one of its own.
//!
//! A worker gets its store when it begins, not before; the last one gets the original, so that
//! there are never more stores than workers, and an engine that works alone costs no copy.

use std::sync::{Arc, Mutex, PoisonError};

use shofar_term::TermStore;

/// A store, and how many workers have not begun.
pub(crate) struct Origin {
    state: Mutex<State>,
}

struct State {
    store: Arc<TermStore>,
    waiting: usize,
}

impl Origin {
    /// The origin of the stores of so many workers.
    pub(crate) fn new(store: TermStore, workers: usize) -> Self {
        Self { state: Mutex::new(State { store: Arc::new(store), waiting: workers }) }
    }
    /// The store of a worker that begins. Each worker takes one.
    pub(crate) fn take(&self) -> TermStore {
        let store = {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.waiting = state.waiting.saturating_sub(1);
            if state.waiting == 0 { std::mem::take(&mut state.store) } else { state.store.clone() }
        };
        Arc::unwrap_or_clone(store)
    }
    /// A copy for a worker that begins without having taken one, and may begin again.
    pub(crate) fn copy(&self) -> TermStore {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        (*state.store).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_worker_gets_the_original() {
        let mut store = TermStore::new();
        let one = store.int(1);
        let origin = Origin::new(store, 2);
        let kept = origin.state.lock().expect("nobody panics").store.clone();
        assert_eq!(Arc::strong_count(&kept), 2);
        assert_eq!(origin.take().int(1), one);
        assert_eq!(origin.copy().int(1), one);
        assert_eq!(origin.take().int(1), one);
        assert_eq!(Arc::strong_count(&kept), 1, "the origin keeps nothing");
    }
}
