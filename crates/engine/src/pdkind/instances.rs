//! Several instances at work on one problem.
//!
//! Each has a thread and a copy of the store. The first verdict counts and comes home as a serialised term; the others are
//! stopped, which they notice within milliseconds. Copies of a large store take time, so the budget is looked at between
//! them, and an instance that cannot be started is left out.
//!
//! Source: [Bli22] §6.2.3.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use shofar_base::{Budget, GaveUp, Outcome, StopHandle};
use shofar_chc::{Run, TransitionSystem, Verdict};
use shofar_smt::{BoolAlgorithm, Interpolation, LinearAlgorithm};
use shofar_term::serial::{export, import};
use shofar_term::{Cx, TermStore};

use super::{Order, PdKind, PdKindOptions, Sharing};
use crate::Line;

/// How often the waiting thread looks whether it has to stop.
const PERIOD: Duration = Duration::from_millis(5);

/// A verdict between stores.
enum Parcel {
    Safe(Vec<u8>),
    Unsafe(Run),
}

/// The strategies of instance number `index`: σ differs first, then ω.
fn strategies(options: &PdKindOptions, index: usize) -> PdKindOptions {
    let mut interpolations = vec![options.interpolation.clone()];
    for (boolean, linear) in [
        (BoolAlgorithm::McMillan, LinearAlgorithm::Decomposed),
        (BoolAlgorithm::Clausal, LinearAlgorithm::Decomposed),
        (BoolAlgorithm::McMillan, LinearAlgorithm::Farkas),
        (BoolAlgorithm::Clausal, LinearAlgorithm::DualFarkas),
    ] {
        let other = Interpolation { boolean, linear, ..options.interpolation.clone() };
        if other != options.interpolation {
            interpolations.push(other);
        }
    }
    let mut own = PdKindOptions { instances: 1, ..options.clone() };
    own.interpolation = interpolations[index % interpolations.len()].clone();
    if index >= interpolations.len() {
        own.order = Order::Oldest;
        own.seed = own.seed.wrapping_add(1);
    }
    own
}

/// The verdict of the fastest of several instances.
pub(super) fn cooperate(
    cx: &mut Cx<'_>,
    ts: &TransitionSystem,
    options: &PdKindOptions,
) -> Outcome<Verdict<TransitionSystem>> {
    let (handle, outer) = (StopHandle::default(), cx.budget.stop_handle());
    let (home, arrivals) = channel();
    let outcome = std::thread::scope(|scope| {
        for (index, line) in Line::to_new_pool(options.instances).into_iter().enumerate() {
            let (home, mut store) = (home.clone(), cx.store.clone());
            let (handle, outer) = (handle.clone(), outer.clone());
            let engine = PdKind::new(strategies(options, index));
            let sharing = options.sharing;
            let instance = move || {
                let budget = Budget::nested(&handle, &outer, None);
                let cx = Cx::new(&mut store, &budget);
                let outcome = match sharing {
                    Sharing::Lemmas => engine.work(&mut cx.exchanging(&line), ts),
                    Sharing::Nothing => engine.work(&mut { cx }, ts),
                };
                // Nobody listens any more if another instance was faster.
                let _ = home.send(outcome.map(|verdict| pack(&store, verdict)));
            };
            let started = std::thread::Builder::new().spawn_scoped(scope, instance);
            // Fewer instances are as right as many: where the system has no thread left, those that run go on.
            if started.is_err() || cx.budget.check().is_err() {
                break;
            }
        }
        drop(home);
        let mut last = GaveUp::incomplete("no instance could be started");
        let outcome = loop {
            match arrivals.recv_timeout(PERIOD) {
                Ok(Ok(parcel)) => break Ok(parcel),
                // That somebody was wrong is not hidden by others giving up.
                Ok(Err(why)) if !matches!(last, GaveUp::Wrong(_)) => last = why,
                Ok(Err(_)) | Err(RecvTimeoutError::Timeout) => (),
                Err(RecvTimeoutError::Disconnected) => break Err(last),
            }
            if let Err(why) = cx.budget.check() {
                break Err(why);
            }
        };
        handle.stop(GaveUp::Cancelled);
        outcome
    });
    Ok(unpack(cx.store, outcome?))
}

fn pack(store: &TermStore, verdict: Verdict<TransitionSystem>) -> Parcel {
    match verdict {
        Verdict::Safe(invariant) => Parcel::Safe(export(store, &[invariant])),
        Verdict::Unsafe(run) => Parcel::Unsafe(run),
    }
}

fn unpack(store: &mut TermStore, parcel: Parcel) -> Verdict<TransitionSystem> {
    match parcel {
        Parcel::Safe(bytes) => {
            Verdict::Safe(import(store, &bytes).expect("an instance exported it")[0])
        }
        Parcel::Unsafe(run) => Verdict::Unsafe(run),
    }
}
