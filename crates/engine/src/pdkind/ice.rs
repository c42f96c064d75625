//! The induction-checking engine: the rules of property-directed k-induction.
//!
//! At level `n`, every lemma of the base frame holds within `n` steps. An obligation is a lemma
//! that is to be shown inductive after `k ≤ n + 1` steps, relative to the base frame; it then goes
//! to the successor frame. A lemma that is not may be saved by a further lemma or by strengthening;
//! one that is violated within the next `k` steps is given up for the negation of its
//! counterexample. When no lemma was given up, the base frame is inductive.
//!
//! Invariants: the property is in the base frame. A lemma implies the negation of its
//! counterexample, all of whose states reach a bad one. `paths` knows the lemmas of the base frame
//! at the first `k` moments, and the steps between.
//!
//! Source: [Bli22] §6.3.1 and Algorithm 6.1, [Hen24] Algorithm 4.3.
//! DIVERGENCE [Bli22] *Strengthen-Lemma*: the strengthened lemma replaces the weaker one, which it
//! implies, in the base frame as in [Hen24], so that `F = G` is seen by the absence of *Bad-Lemma*.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::rc::Rc;

use shofar_base::{GaveUp, Idx, Outcome};
use shofar_chc::{Run, Timeline, TransitionSystem, Verdict};
use shofar_smt::{Answer, Options, Solver, implies};
use shofar_term::eval::Model;
use shofar_term::{Bound, Cx, Level, Stage, Term, TermStore};

use super::fire::{Fire, Reach};
use super::{Order, PdKindOptions};
use crate::ts;

/// Why a verdict is not one: what led to it does not hold, so a lemma of another instance was
/// wrong.
const WRONG_LEMMA: GaveUp =
    GaveUp::Wrong(Cow::Borrowed("another instance published a wrong lemma"));

/// States that reach a bad one.
pub(super) struct Cex {
    pub(super) states: Term,
    /// Where they get to, and in how many steps; nowhere if they are bad, or if somebody else
    /// knows.
    pub(super) onwards: Option<(usize, Rc<Cex>)>,
    /// The number of steps to a bad state.
    pub(super) distance: usize,
}

/// A candidate for the strengthening of the property.
#[derive(Clone)]
pub(super) struct Lemma {
    pub(super) formula: Term,
    pub(super) cex: Rc<Cex>,
}

/// The engine; see the module documentation.
pub(super) struct Ice<'t> {
    pub(super) ts: &'t TransitionSystem,
    options: &'t PdKindOptions,
    pub(super) fire: Fire<'t>,
    pub(super) paths: Paths<'t>,
    pub(super) base: Vec<Lemma>,
    pub(super) successor: Vec<Lemma>,
    queue: VecDeque<Lemma>,
    pub(super) level: Level,
    /// Some lemma of the base frame is violated after so many steps.
    violated: Option<Level>,
    /// How many bounded invariants the others have been told.
    pub(super) told: usize,
    /// Whether the others told anything.
    pub(super) has_heard: bool,
}

impl<'t> Ice<'t> {
    pub(super) fn new(
        store: &mut TermStore,
        ts: &'t TransitionSystem,
        options: &'t PdKindOptions,
    ) -> Self {
        let bad = Rc::new(Cex { states: ts.bad, onwards: None, distance: 0 });
        let property = Lemma { formula: store.not(ts.bad), cex: bad };
        let mut this = Self {
            ts,
            options,
            fire: Fire::new(ts, options.interpolation.clone(), options.seed),
            paths: Paths::new(store, ts, options.seed),
            base: Vec::new(),
            successor: vec![property],
            queue: VecDeque::new(),
            level: Level::ZERO,
            violated: None,
            told: 0,
            has_heard: false,
        };
        this.next_level(store, Level::ZERO);
        this
    }
    /// Algorithm 6.1.
    pub(super) fn run(mut self, cx: &mut Cx<'_>) -> Outcome<Verdict<TransitionSystem>> {
        if let Some(run) = ts::run_through(cx, self.ts, 0, &[])? {
            return Ok(Verdict::Unsafe(run));
        }
        loop {
            cx.budget.check()?;
            let Some(lemma) = self.pick() else {
                let Some(violated) = self.violated else { return self.safe(cx) };
                self.next_level(cx.store, violated);
                cx.reached(Stage::at("level", violated.index()).with(self.base.len(), "lemmas"));
                continue;
            };
            self.send_and_receive(cx)?;
            if let Some(run) = self.process(cx, lemma)? {
                return Ok(Verdict::Unsafe(run));
            }
        }
    }
    /// ω.
    fn pick(&mut self) -> Option<Lemma> {
        match self.options.order {
            Order::Newest => self.queue.pop_back(),
            Order::Oldest => self.queue.pop_front(),
            Order::Nearest => {
                let nearest = (0..self.queue.len()).min_by_key(|&i| self.queue[i].cex.distance)?;
                self.queue.remove(nearest)
            }
        }
    }
    /// Applies the one rule that fits `lemma`; a run if it is *Unsafe*.
    fn process(&mut self, cx: &mut Cx<'_>, lemma: Lemma) -> Outcome<Option<Run>> {
        let violation = cx.store.not(lemma.formula);
        let Some(failure) = self.paths.to(cx, violation)? else {
            self.push_lemma(cx, lemma);
            return Ok(None);
        };
        if let Some(model) = self.paths.to(cx, lemma.cex.states)? {
            let states = self.paths.start(cx.store, lemma.cex.states, &model);
            let depth = self.paths.depth;
            let onwards = Some((depth, Rc::clone(&lemma.cex)));
            let cex = Rc::new(Cex { states, onwards, distance: depth + lemma.cex.distance });
            return match self.fire.reach(cx, states, self.level)? {
                Reach::Through(way) => self.counterexample(cx, &way, &cex).map(Some),
                Reach::Excluded(formula) => {
                    self.queue.push_back(lemma);
                    self.add_lemma(cx.store, Lemma { formula, cex });
                    Ok(None)
                }
            };
        }
        let states = self.paths.start(cx.store, violation, &failure);
        match self.fire.reach(cx, states, self.level)? {
            Reach::Through(way) => {
                let latest = Level::from_index(way.len() - 1 + self.paths.depth);
                self.bad_lemma(cx, &lemma, violation, latest)?;
            }
            Reach::Excluded(why) => self.strengthen_lemma(cx.store, &lemma, why),
        }
        Ok(None)
    }
    /// *Safe*: the base frame is inductive after `k` steps.
    fn safe(&mut self, cx: &mut Cx<'_>) -> Outcome<Verdict<TransitionSystem>> {
        tracing::debug!(
            "{} lemmas are inductive after {} steps",
            self.base.len(),
            self.paths.depth
        );
        let lemmas: Vec<Term> = self.base.iter().map(|l| l.formula).collect();
        let frame = cx.store.and(&lemmas);
        let next = self.ts.primed(cx.store, frame);
        let is_inductive = implies(cx, Options::default(), &[frame, self.ts.step], next)?;
        let depth = if is_inductive { 1 } else { self.paths.depth };
        let stronger = TransitionSystem { bad: cx.store.not(frame), ..self.ts.clone() };
        // Lemmas found here hold in the first states by construction; those of others are believed
        // only now.
        let doubtful = if self.has_heard { depth } else { 0 };
        for length in 0..doubtful {
            if ts::run_through(cx, &stronger, length, &[])?.is_some() {
                return Err(WRONG_LEMMA);
            }
        }
        ts::inductive(cx, &stronger, depth).map(Verdict::Safe)
    }
    /// *Next-Level* with κ.
    fn next_level(&mut self, store: &mut TermStore, level: Level) {
        tracing::debug!("level {level}, {} lemmas", self.successor.len());
        self.level = level;
        self.violated = None;
        self.base = std::mem::take(&mut self.successor);
        self.queue = self.base.iter().rev().cloned().collect();
        self.paths.restart(store, self.options.depth.at(level));
        for lemma in &self.base {
            self.paths.assume(store, lemma.formula);
        }
    }
    /// *Push-Lemma*.
    fn push_lemma(&mut self, cx: &mut Cx<'_>, lemma: Lemma) {
        let bound = Bound::Within(self.level.next());
        self.send_pushed(cx, &lemma, bound);
        self.successor.push(lemma);
    }
    /// *Add-Lemma*.
    fn add_lemma(&mut self, store: &mut TermStore, lemma: Lemma) {
        self.paths.assume(store, lemma.formula);
        self.base.push(lemma.clone());
        self.queue.push_back(lemma);
    }
    /// *Bad-Lemma*: `lemma` is violated after at most `latest` steps; how soon is what the next
    /// level may be.
    fn bad_lemma(
        &mut self,
        cx: &mut Cx<'_>,
        lemma: &Lemma,
        violation: Term,
        latest: Level,
    ) -> Outcome<()> {
        let latest = self.violated.map_or(latest, |v| v.min(latest));
        let mut soonest = self.level.next();
        while soonest < latest
            && matches!(self.fire.reach(cx, violation, soonest)?, Reach::Excluded(_))
        {
            soonest = soonest.next();
        }
        self.violated = Some(soonest);
        let formula = cx.store.not(lemma.cex.states);
        let weaker = Lemma { formula, cex: Rc::clone(&lemma.cex) };
        self.paths.assume(cx.store, formula);
        self.base.push(weaker.clone());
        self.push_lemma(cx, weaker);
        Ok(())
    }
    /// *Strengthen-Lemma*.
    fn strengthen_lemma(&mut self, store: &mut TermStore, lemma: &Lemma, why: Term) {
        let stronger =
            Lemma { formula: store.and(&[lemma.formula, why]), cex: Rc::clone(&lemma.cex) };
        self.base.retain(|l| l.formula != lemma.formula);
        self.add_lemma(store, stronger);
    }
    /// *Unsafe*: a run along `way`, and on from `cex`, where it ends.
    fn counterexample(&self, cx: &mut Cx<'_>, way: &[Term], cex: &Rc<Cex>) -> Outcome<Run> {
        let mut waypoints: Vec<(usize, Term)> = way.iter().copied().enumerate().collect();
        let mut time = way.len() - 1;
        let length = time + cex.distance;
        let mut here = cex;
        while let Some((steps, next)) = &here.onwards {
            time += steps;
            waypoints.push((time, next.states));
            here = next;
        }
        ts::run_through(cx, self.ts, length, &waypoints)?.ok_or(WRONG_LEMMA)
    }
}

/// Paths of `depth` steps through states of the base frame.
pub(super) struct Paths<'t> {
    timeline: Timeline<'t>,
    depth: usize,
    solver: Solver,
}

impl<'t> Paths<'t> {
    fn new(store: &TermStore, ts: &'t TransitionSystem, seed: u64) -> Self {
        let mut solver = Solver::new(Options { seed, ..Options::default() });
        solver.push();
        Self { timeline: Timeline::new(store, ts), depth: 0, solver }
    }
    /// Forgets the frame; paths never get shorter.
    fn restart(&mut self, store: &mut TermStore, depth: usize) {
        self.solver.pop(1);
        for time in self.depth..depth {
            let step = self.timeline.timed(store, self.timeline.system().step, time);
            self.solver.add(store, step);
        }
        self.depth = depth;
        self.solver.push();
    }
    /// All states of the paths but the last satisfy `lemma`.
    pub(super) fn assume(&mut self, store: &mut TermStore, lemma: Term) {
        for time in 0..self.depth {
            let lemma = self.timeline.timed(store, lemma, time);
            self.solver.add(store, lemma);
        }
    }
    /// Whether `lemma` would be inductive if the frame had it.
    pub(super) fn preserve(&mut self, cx: &mut Cx<'_>, lemma: Term) -> Outcome<bool> {
        self.solver.push();
        self.assume(cx.store, lemma);
        let violation = cx.store.not(lemma);
        let violated = self.to(cx, violation)?;
        self.solver.pop(1);
        Ok(violated.is_none())
    }
    /// A path that starts in `source`.
    pub(super) fn from(&mut self, cx: &mut Cx<'_>, source: Term) -> Outcome<Option<Model>> {
        self.through(cx, source, 0)
    }
    /// A path that ends in `target`.
    fn to(&mut self, cx: &mut Cx<'_>, target: Term) -> Outcome<Option<Model>> {
        self.through(cx, target, self.depth)
    }
    fn through(&mut self, cx: &mut Cx<'_>, states: Term, time: usize) -> Outcome<Option<Model>> {
        let states = self.timeline.timed(cx.store, states, time);
        Ok(match self.solver.check_assuming(cx, &[states])? {
            Answer::Sat(model) => Some(model.assignment(cx.store)),
            Answer::Unsat(_) => None,
        })
    }
    /// States from which steps lead to `target`, as `model` shows for one of them.
    fn start(&mut self, store: &mut TermStore, target: Term, model: &Model) -> Term {
        let timeline = &mut self.timeline;
        (0..self.depth)
            .rev()
            .fold(target, |target, time| ts::before_at(store, timeline, time, target, model))
    }
}
