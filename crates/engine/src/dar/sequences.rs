//! The two sequences of dual approximated reachability, and how they strengthen each other.
//!
//! Source: [VGS13] §4: *local* and *global strengthening* and the fixpoint checks; the invariants are those of the
//! [parent](super).

use shofar_base::Outcome;
use shofar_chc::{Run, TransitionSystem};
use shofar_smt::{Answer, Interpolation, Options, PartId, Solver};
use shofar_term::{Cx, Term, TermStore};

use super::DarOptions;
use crate::ts;

/// What unrolling finds.
pub(super) enum Global {
    /// The forward sequence is strong enough: the element at this position has no step into its counterpart.
    Strengthened(usize),
    /// A run to a bad state.
    Reachable(Run),
}

/// From which side a step is interpolated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// What is implied by the states before the step, about those after.
    Forward,
    /// What is implied by the states after the step, about those before.
    Backward,
}

/// The sequences; see the module documentation.
pub(super) struct Sequences<'t> {
    ts: &'t TransitionSystem,
    interpolation: &'t Interpolation,
    forward: Vec<Term>,
    backward: Vec<Term>,
    /// Knows one step.
    steps: Solver,
    step: PartId,
    /// Knows the initial states.
    paths: Solver,
    init: PartId,
}

impl<'t> Sequences<'t> {
    pub(super) fn new(
        store: &mut TermStore,
        ts: &'t TransitionSystem,
        options: &'t DarOptions,
    ) -> Self {
        let solver = || Solver::new(Options { seed: options.seed, ..Options::with_proofs() });
        let (mut steps, mut paths) = (solver(), solver());
        let step = steps.add(store, ts.step);
        let init = ts.timed(store, ts.init, 0);
        let init = paths.add(store, init);
        Self {
            ts,
            interpolation: &options.interpolation,
            forward: vec![ts.init],
            backward: vec![ts.bad],
            steps,
            step,
            paths,
            init,
        }
    }
    /// The last position of both sequences.
    fn last(&self) -> usize {
        self.forward.len() - 1
    }
    /// An interpolant of the step from `forward[position]` into its counterpart, if there is no such step.
    fn separate(&mut self, cx: &mut Cx<'_>, position: usize, side: Side) -> Outcome<Option<Term>> {
        let (from, to) = (self.forward[position], self.backward[self.last() - position]);
        let to = self.ts.primed(cx.store, to);
        self.steps.push();
        let from = self.steps.add(cx.store, from);
        let to = self.steps.add(cx.store, to);
        let parts = match side {
            Side::Forward => [from, self.step],
            Side::Backward => [self.step, to],
        };
        let interpolant = match self.steps.check(cx)? {
            Answer::Sat(_) => None,
            Answer::Unsat(proof) => Some(proof.interpolant_with(cx, &parts, self.interpolation)?),
        };
        self.steps.pop(1);
        Ok(match side {
            Side::Forward => interpolant.map(|i| self.ts.unprimed(cx.store, i)),
            Side::Backward => interpolant,
        })
    }
    /// The last position from which no step leads to the counterpart.
    pub(super) fn local(&mut self, cx: &mut Cx<'_>) -> Outcome<Option<usize>> {
        for position in (0..=self.last()).rev() {
            if self.separate(cx, position, Side::Forward)?.is_some() {
                return Ok(Some(position));
            }
        }
        Ok(None)
    }
    /// Strengthens the forward sequence by unrolling as few steps as necessary.
    pub(super) fn global(&mut self, cx: &mut Cx<'_>) -> Outcome<Global> {
        let last = self.last();
        for length in 1..=last + 1 {
            self.paths.push();
            let mut groups = vec![vec![self.init]];
            for time in 0..length {
                let step = self.ts.timed(cx.store, self.ts.step, time);
                let step = self.paths.add(cx.store, step);
                if time == 0 {
                    groups[0].push(step);
                } else {
                    groups.push(vec![step]);
                }
            }
            let end = self.ts.timed(cx.store, self.backward[last + 1 - length], length);
            groups.push(vec![self.paths.add(cx.store, end)]);
            let interpolants = match self.paths.check(cx)? {
                Answer::Unsat(proof) => {
                    Some(proof.sequence_interpolants(cx, &groups, self.interpolation)?)
                }
                Answer::Sat(model) if length == last + 1 => {
                    let model = model.assignment().clone();
                    let states = (0..=length)
                        .map(|time| ts::state_at(cx.store, self.ts, time, &model))
                        .collect();
                    return Ok(Global::Reachable(Run { states }));
                }
                Answer::Sat(_) => None,
            };
            self.paths.pop(1);
            if let Some(interpolants) = interpolants {
                for (i, interpolant) in interpolants.into_iter().enumerate().take(last) {
                    let why = self.ts.untimed(cx.store, interpolant, i + 1);
                    self.forward[i + 1] = cx.store.and(&[self.forward[i + 1], why]);
                }
                return Ok(Global::Strengthened(length - 1));
            }
        }
        unreachable!("the longest path ends in a bad state or nowhere")
    }
    /// Makes both sequences longer by one, from `position`, where no step leads to the counterpart.
    pub(super) fn extend(&mut self, cx: &mut Cx<'_>, position: usize) -> Outcome<()> {
        let last = self.last();
        let (mut image, mut preimage) = (cx.store.top(), cx.store.top());
        for i in position..=last {
            image = self.separate(cx, i, Side::Forward)?.expect("no step leads to the counterpart");
            if i < last {
                self.forward[i + 1] = cx.store.and(&[self.forward[i + 1], image]);
            }
        }
        for i in (0..=position).rev() {
            preimage =
                self.separate(cx, i, Side::Backward)?.expect("no step leads to the counterpart");
            if i > 0 {
                let place = last - i + 1;
                self.backward[place] = cx.store.and(&[self.backward[place], preimage]);
            }
        }
        self.forward.push(image);
        self.backward.push(preimage);
        Ok(())
    }
    /// An inductive invariant, if one of the sequences reaches nothing new.
    pub(super) fn fixpoint(&self, cx: &mut Cx<'_>) -> Outcome<Option<Term>> {
        if let Some(reached) = closed(cx, &self.forward)? {
            return Ok(Some(reached));
        }
        Ok(closed(cx, &self.backward)?.map(|doomed| cx.store.not(doomed)))
    }
}

/// The union of the elements before one that is contained in it.
fn closed(cx: &mut Cx<'_>, sequence: &[Term]) -> Outcome<Option<Term>> {
    let mut outside = Solver::new(Options::default());
    for (i, pair) in sequence.windows(2).enumerate() {
        let not_before = cx.store.not(pair[0]);
        outside.add(cx.store, not_before);
        if let Answer::Unsat(_) = outside.check_assuming(cx, &[pair[1]])? {
            return Ok(Some(cx.store.or(&sequence[..=i])));
        }
    }
    Ok(None)
}
