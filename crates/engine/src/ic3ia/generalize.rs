//! Inductive generalisation with counterexamples to generalisation.
//!
//! A cube that is inductive relative to a frame is made larger by leaving out literals, one at a
//! time. If what is left is not inductive, the state from which it is entered, a *counterexample to
//! generalisation*, may itself be unreachable for a simple reason; then that state is excluded
//! first, and generalisation goes on. If it is not, the cube is joined with it: the literals on
//! which both agree are tried instead. Literals that occur in few clauses are left out first.
//!
//! Source: [HBS13] (`MIC`, `ctgDown`); [Bra11] (`down`). Symbols: `s` → the state of the model.

use shofar_base::{Map, Outcome};
use shofar_term::eval::{Evaluator, Model};
use shofar_term::{Bound, Cx, Level, Term};

use super::frames::{Entry, Hypothesis};
use super::predicates::Cube;
use super::search::Search;

/// How often literals were in clauses lately.
#[derive(Default)]
pub(super) struct Activity {
    of: Map<Term, f64>,
}

/// Activities shrink by this factor with each clause.
const DECAY: f64 = 0.99;

impl Activity {
    /// Notes a new clause.
    pub(super) fn bump(&mut self, cube: &[Term]) {
        self.of.update(|activity| *activity *= DECAY);
        for &literal in cube {
            *self.of.entry(literal).or_insert(0.0) += 1.0;
        }
    }
    fn get(&self, literal: Term) -> f64 {
        self.of.get(&literal).copied().unwrap_or(0.0)
    }
}

impl Search<'_> {
    /// `MIC`: a larger cube than `cube`, which is inductive relative to `F_frame` and contains no
    /// initial state, and how long it is known to be excluded.
    pub(super) fn generalize(
        &mut self,
        cx: &mut Cx<'_>,
        (mut cube, mut bound): (Cube, Bound),
        frame: Level,
        depth: usize,
    ) -> Outcome<(Cube, Bound)> {
        let mut order = cube.clone();
        order.sort_by(|&a, &b| self.activity.get(a).total_cmp(&self.activity.get(b)));
        let mut failures = 0;
        for literal in order {
            if cube.len() == 1 || self.options.attempts.is_some_and(|most| failures >= most) {
                break;
            }
            let Ok(position) = cube.binary_search(&literal) else { continue };
            let mut smaller = cube.clone();
            smaller.remove(position);
            match self.down(cx, smaller, frame, depth)? {
                Some(found) => {
                    (cube, bound) = found;
                    failures = 0;
                }
                None => failures += 1,
            }
        }
        Ok((cube, bound))
    }
    /// `ctgDown`: a part of `cube` that is inductive relative to `F_frame` and contains no initial
    /// state.
    fn down(
        &mut self,
        cx: &mut Cx<'_>,
        mut cube: Cube,
        frame: Level,
        depth: usize,
    ) -> Outcome<Option<(Cube, Bound)>> {
        let mut excluded = 0;
        loop {
            if !self.start.avoids(cx, &cube)? {
                return Ok(None);
            }
            self.stats.generalizing += 1;
            let model = match self.frames.enter(cx, &cube, frame, Hypothesis::Outside)? {
                Entry::Blocked { core, bound } => {
                    let core = self.start.avoided(cx, &cube, core)?;
                    return Ok(core.map(|core| (core, bound)));
                }
                Entry::From(model) => model,
            };
            if depth >= self.options.ctg_depth {
                return Ok(None);
            }
            if excluded < self.options.ctgs && self.exclude(cx, &cube, &model, frame, depth)? {
                excluded += 1;
                continue;
            }
            excluded = 0;
            let mut evaluator = Evaluator::with_defaults(&model);
            let before = cube.len();
            cube.retain(|&literal| evaluator.holds(cx.store, literal) == Ok(true));
            if cube.is_empty() || cube.len() == before {
                return Ok(None);
            }
        }
    }
    /// Excludes the state of `model`, from which a step leads into `cube`, if it is unreachable for
    /// a simple reason.
    fn exclude(
        &mut self,
        cx: &mut Cx<'_>,
        cube: &[Term],
        model: &Model,
        frame: Level,
        depth: usize,
    ) -> Outcome<bool> {
        let Some(below) = frame.previous() else { return Ok(false) };
        let target = cx.store.and(cube);
        let state = self.predecessor(cx, target, model)?;
        if !self.start.avoids(cx, &state)? {
            return Ok(false);
        }
        self.stats.ctgs += 1;
        let entry = self.frames.enter(cx, &state, below, Hypothesis::Outside)?;
        let Entry::Blocked { core, bound } = entry else { return Ok(false) };
        let Some(core) = self.start.avoided(cx, &state, core)? else { return Ok(false) };
        let found = self.generalize(cx, (core, bound), below, depth + 1)?;
        self.learn(cx, found)?;
        Ok(true)
    }
}
