//! Several instances at work on one problem.
//!
//! Each has a thread and a copy of the store. The first verdict counts and comes home as a
//! serialised term; the others are stopped, which they notice within milliseconds. Copies of a
//! large store take time, so the budget is looked at between them, and an instance that cannot be
//! started is left out.
//!
//! Source: [Bli22] §6.2.3.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use shofar_base::{Budget, GaveUp, Outcome, StopHandle};
use shofar_chc::{Run, TransitionSystem, Verdict};
use shofar_smt::{BoolAlgorithm, Interpolation, LinearAlgorithm};
use shofar_term::serial::{export, import};
use shofar_term::{Cx, TermStore};

use super::{Depth, Order, PdKind, PdKindOptions};
use crate::Pool;

/// How often the waiting thread looks whether it has to stop.
const PERIOD: Duration = Duration::from_millis(5);

/// A verdict between stores.
enum Parcel {
    Safe(Vec<u8>),
    Unsafe(Run),
}

/// How instances interpolate inequalities: σ, as [Bli22] §6.4 varies it, beside what the user
/// chose.
const INTERPOLATIONS: [(BoolAlgorithm, LinearAlgorithm); 4] = [
    (BoolAlgorithm::McMillan, LinearAlgorithm::Decomposed),
    (BoolAlgorithm::McMillan, LinearAlgorithm::Farkas),
    (BoolAlgorithm::Clausal, LinearAlgorithm::Decomposed),
    (BoolAlgorithm::Clausal, LinearAlgorithm::DualFarkas),
];

/// The strategies of instance number `index`. The first has those that the user chose; σ differs
/// first, then ω, then κ, and after all of these the seed.
fn strategies(options: &PdKindOptions, index: usize) -> PdKindOptions {
    let mut interpolations = vec![options.interpolation.clone()];
    for (boolean, linear) in INTERPOLATIONS {
        let other = Interpolation { boolean, linear, ..options.interpolation.clone() };
        if other != options.interpolation {
            interpolations.push(other);
        }
    }
    let mut orders = vec![options.order];
    orders.extend([Order::Oldest, Order::Nearest].into_iter().filter(|&o| o != options.order));
    let mut depths = vec![options.depth];
    depths.extend([Depth::AtMost(1), Depth::Level].into_iter().filter(|&d| d != options.depth));
    let (round, sigma) = (index / interpolations.len(), index % interpolations.len());
    let (omega, kappa) = (round % orders.len(), round / orders.len());
    let seeds = u64::try_from(round / orders.len() / depths.len()).unwrap_or(u64::MAX);
    PdKindOptions {
        instances: 1,
        interpolation: interpolations[sigma].clone(),
        order: orders[omega],
        depth: depths[kappa % depths.len()],
        seed: options.seed.wrapping_add(seeds),
        ..options.clone()
    }
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
        let pool = Pool::new(options.sharing);
        for index in 0..options.instances {
            let line = pool.line(index);
            let (home, mut store) = (home.clone(), cx.store.clone());
            let (handle, outer) = (handle.clone(), outer.clone());
            let engine = PdKind::new(strategies(options, index));
            let instance = move || {
                let budget = Budget::nested(&handle, &outer, None);
                let cx = Cx::new(&mut store, &budget);
                let outcome = engine.work(&mut cx.exchanging(&line), ts);
                // Nobody listens any more if another instance was faster.
                let _ = home.send(outcome.map(|verdict| pack(&store, verdict)));
            };
            let started = std::thread::Builder::new().spawn_scoped(scope, instance);
            // Fewer instances are as right as many: where the system has no thread left, those that
            // run go on.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_instances_have_the_same_strategies() {
        let options = PdKindOptions::default();
        let chosen = |index| {
            let PdKindOptions { seed, depth, order, interpolation, .. } =
                strategies(&options, index);
            (seed, depth, order, interpolation)
        };
        assert_eq!(chosen(0), (0, options.depth, options.order, options.interpolation.clone()));
        for index in 0..64 {
            assert!((0..index).all(|other| chosen(other) != chosen(index)), "{index}");
        }
    }
}
