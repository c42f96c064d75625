//! The single-loop construction, made once for all engines that need it.
//!
//! The first worker that needs the loop makes it in its own copy of the store, and leaves a copy of
//! that behind, in which all older handles stay valid; later workers take over that store with the
//! loop in it, and the last one takes it away. Nobody waits for a worker that is just making the
//! loop, since it may be paused meanwhile; then the loop is made twice.

use std::sync::{Arc, Mutex, PoisonError};

use shofar_base::Outcome;
use shofar_chc::{NormalSystem, TransitionSystem};
use shofar_term::{Cx, TermStore};
use shofar_transform::{Locations, SingleLoop};

/// A system as one loop.
pub(crate) struct Loop {
    pub(crate) ts: TransitionSystem,
    /// The way back, which knows where predicates are.
    pub(crate) places: Locations,
}

/// The loop of one problem, as soon as somebody has made it, with the store its terms live in.
#[derive(Default)]
pub(crate) struct SharedLoop {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    known: Option<(Arc<Loop>, TermStore)>,
    /// How many engines may still ask for it.
    waiting: usize,
}

impl SharedLoop {
    /// The loop that so many engines are going to need.
    pub(crate) fn new(users: usize) -> Self {
        Self { state: Mutex::new(State { known: None, waiting: users }) }
    }
    /// The loop of `system`, whose terms are older than those that are in the store of `cx` only;
    /// these are forgotten.
    pub(crate) fn get(&self, cx: &mut Cx<'_>, system: &NormalSystem) -> Outcome<Arc<Loop>> {
        let lock = || self.state.lock().unwrap_or_else(PoisonError::into_inner);
        {
            let mut state = lock();
            state.waiting = state.waiting.saturating_sub(1);
            if state.waiting == 0
                && let Some((known, store)) = state.known.take()
            {
                *cx.store = store;
                return Ok(known);
            }
            if let Some((known, store)) = &state.known {
                cx.store.clone_from(store);
                return Ok(Arc::clone(known));
            }
        }
        let made = Arc::new(make(cx, system)?);
        let mut state = lock();
        if state.waiting > 0 {
            state.known.get_or_insert_with(|| (Arc::clone(&made), cx.store.clone()));
        }
        Ok(made)
    }
}

/// `system` as one loop.
pub(crate) fn make(cx: &mut Cx<'_>, system: &NormalSystem) -> Outcome<Loop> {
    let (ts, places) = SingleLoop::of(cx, system.clone())?;
    Ok(Loop { ts, places })
}

#[cfg(test)]
mod tests {
    use shofar_base::Budget;
    use shofar_chc::read::read_horn;

    use super::*;

    const STEPS: &[u8] = b"(declare-fun p (Int) Bool) (declare-fun q (Int) Bool)
(assert (p 0)) (assert (forall ((x Int)) (=> (p x) (q (+ x 1)))))
(assert (forall ((x Int)) (=> (q x) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (q x) (> x 0))))
(check-sat)";

    /// The same loop, or another one.
    fn check(users: usize, is_same: bool) {
        let mut store = TermStore::new();
        let script = read_horn(STEPS, &mut store).expect("it is well written");
        let system = NormalSystem::of(&mut store, script.problems[0].system.clone());
        let (shared, budget) = (SharedLoop::new(users), Budget::unlimited());
        let (mut first, mut second) = (store.clone(), store.clone());
        // What the second worker made before is not a part of the problem.
        second.fresh("x", shofar_term::Sort::INT);
        let one = shared.get(&mut Cx::new(&mut first, &budget), &system);
        let other = shared.get(&mut Cx::new(&mut second, &budget), &system);
        let (one, other) = (one.expect("it is linear"), other.expect("it is linear"));
        assert_eq!(Arc::ptr_eq(&one, &other), is_same);
        let is_kept = shared.state.lock().expect("nobody panics").known.is_some();
        assert_eq!(is_kept, users > 2, "the last one takes it away");
        let print = |store: &TermStore, ts: &TransitionSystem| {
            [ts.init, ts.step, ts.bad].map(|formula| shofar_term::print::print(store, formula))
        };
        if is_same {
            assert_eq!(print(&first, &one.ts), print(&second, &other.ts));
        }
    }

    #[test]
    fn the_loop_is_made_once_for_several_engines() {
        check(3, true);
        check(2, true);
        check(1, false);
    }
}
