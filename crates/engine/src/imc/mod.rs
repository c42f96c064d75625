//! Interpolation-based model checking.
//!
//! For a bound `k`: if no bad state can be reached within `k` steps from the states reached so far,
//! an interpolant of the first step and the rest over-approximates the states one step further, and
//! none of these reaches a bad state within `k - 1` steps. When nothing new comes in, what was
//! reached is an inductive invariant. When the over-approximation turns out to be too coarse, `k`
//! grows.
//!
//! Invariant: all states of `reached` but the initial ones are more than `k - 1` steps away from a
//! bad state; the image of all of them but the newest is among them.
//!
//! Source: [McM03] Fig. 2 and 3, lifted to SMT. Symbols: `R` → `reached`, `P` → `image`; `PREF` and
//! `SUFF` are the parts `[start, step]` and `suffix`.
//! DIVERGENCE [McM03] Fig. 2: the images of one round start from the newest image, not from the
//! union of all. Bounds take turns with weak and strong interpolants.

mod sharing;

use shofar_base::Outcome;
use shofar_chc::{Engine, Run, Timeline, TransitionSystem, Verdict};
use shofar_smt::{Answer, BoolAlgorithm, Interpolation, LinearAlgorithm, Options, Solver};
use shofar_term::eval::{Model, Value, evaluate_with_defaults};
use shofar_term::{Cx, Stage, Term, TermStore};

use crate::FixpointOptions;
use crate::ts::sharing::Invariants;
use crate::ts::{self, Beginning};

/// The engine; see the [module](self) documentation.
#[derive(Clone, Debug, Default)]
pub struct Imc {
    options: FixpointOptions,
}

/// How many images a bound with strong interpolants may take; these may follow single states for
/// ever.
const IMAGES: usize = 20;

/// What one bound tells.
enum Round {
    /// A run to a bad state.
    Reachable(Run),
    /// An inductive invariant.
    Invariant(Term),
    /// An over-approximation reaches a bad state, perhaps wrongly, or there is no fixpoint in
    /// sight.
    Nothing,
}

impl Imc {
    /// An engine set up like that.
    pub fn new(options: FixpointOptions) -> Self {
        Self { options }
    }
    /// How images are interpolated at a bound: as chosen at odd ones, strongly at even ones. Some
    /// systems reach a fixpoint soon with weak interpolants, some with strong ones (lra-ts,
    /// 2026-11).
    fn interpolation(&self, k: usize) -> Interpolation {
        let chosen = self.options.interpolation.clone();
        if is_strong(k) {
            let (boolean, linear) = (BoolAlgorithm::McMillan, LinearAlgorithm::Farkas);
            Interpolation { boolean, linear, ..chosen }
        } else {
            chosen
        }
    }
    /// `FiniteRun(M, k)`.
    fn finite_run(&self, cx: &mut Cx<'_>, timeline: &mut Timeline<'_>, k: usize) -> Outcome<Round> {
        let ts = timeline.system();
        let mut solver = Solver::new(Options { seed: self.options.seed, ..Options::with_proofs() });
        let suffix = ts::soon_bad(cx.store, timeline, 1, k);
        solver.add(cx.store, suffix);
        let step = timeline.timed(cx.store, ts.step, 0);
        let step = solver.add(cx.store, step);
        let interpolation = self.interpolation(k);
        let mut reached = vec![ts.init];
        let mut outside = Solver::new(Options::default());
        loop {
            cx.budget.check()?;
            let newest = reached[reached.len() - 1];
            solver.push();
            let start = timeline.timed(cx.store, newest, 0);
            let start = solver.add(cx.store, start);
            let image = match solver.check(cx)? {
                Answer::Sat(model) if reached.len() == 1 => {
                    let model = model.assignment(cx.store);
                    return Ok(Round::Reachable(run(cx.store, timeline, k, &model)));
                }
                Answer::Sat(_) => return Ok(Round::Nothing),
                Answer::Unsat(proof) => {
                    proof.interpolant_with(cx, &[start, step], &interpolation)?
                }
            };
            solver.pop(1);
            let image = timeline.untimed(cx.store, image, 1);
            let not_newest = cx.store.not(newest);
            outside.add(cx.store, not_newest);
            if let Answer::Unsat(_) = outside.check_assuming(cx, &[image])? {
                return Ok(Round::Invariant(cx.store.or(&reached)));
            }
            reached.push(image);
            cx.reached(Stage::at("bound", k).with(reached.len(), "images"));
            sharing::tell_image(cx, ts, &reached);
            if is_strong(k) && reached.len() > IMAGES {
                return Ok(Round::Nothing);
            }
        }
    }
}

impl Engine<TransitionSystem> for Imc {
    fn solve(
        &mut self,
        cx: &mut Cx<'_>,
        ts: &TransitionSystem,
    ) -> Outcome<Verdict<TransitionSystem>> {
        let ts = match ts::begin(cx, ts)? {
            Beginning::Bad(run) => return Ok(Verdict::Unsafe(run)),
            Beginning::System(ts) => ts,
        };
        let (mut known, mut k) = (Invariants::default(), 1);
        loop {
            let stronger = known.strengthened(cx.store, &ts);
            let mut timeline = Timeline::new(cx.store, &stronger);
            while !known.hear(cx, &ts)? {
                match self.finite_run(cx, &mut timeline, k)? {
                    Round::Reachable(run) => return Ok(Verdict::Unsafe(run)),
                    Round::Invariant(invariant) => {
                        return Ok(Verdict::Safe(known.with(cx.store, invariant)));
                    }
                    Round::Nothing => k += 1,
                }
            }
        }
    }
}

/// Whether interpolants at the bound `k` are strong.
fn is_strong(k: usize) -> bool {
    k.is_multiple_of(2)
}

/// The run of a model of the first step and the suffix: up to the first bad state.
fn run(store: &mut TermStore, timeline: &mut Timeline<'_>, k: usize, model: &Model) -> Run {
    let mut states = vec![ts::state_at(store, timeline, 0, model)];
    for time in 1..=k {
        states.push(ts::state_at(store, timeline, time, model));
        let bad = timeline.timed(store, timeline.system().bad, time);
        if evaluate_with_defaults(store, bad, model) == Ok(Value::Bool(true)) {
            break;
        }
    }
    Run::ground(states)
}
