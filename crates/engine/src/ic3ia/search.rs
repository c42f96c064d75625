//! The search of IC3: blocking, propagation, and the levels in between.
//!
//! At the level `n`, no abstract path of fewer than `n` steps leads to a bad state. Steps from
//! `F_{n-1}` into bad states are looked for; where each comes from is an obligation. When all are
//! blocked, clauses are pushed to higher frames; if a frame has no clauses that the next one lacks,
//! it is an inductive invariant. An obligation that reaches the initial states is an abstract
//! counterexample.
//!
//! Source: [EMB11] (`recBlockCube`, `propagateBlockedCubes`), [CGMT14] §3.

use shofar_base::Outcome;
use shofar_chc::TransitionSystem;
use shofar_smt::{Answer, Options, Solver};
use shofar_term::eval::Model;
use shofar_term::{Bound, Cx, Level, Phase, Term};

use super::Ic3iaOptions;
use super::frames::{Entry, Frames, Hypothesis};
use super::generalize::Activity;
use super::obligation::{ObligationId, Obligations};
use super::predicates::{Cube, Predicates};
use super::start::Start;
use super::statistics::Statistics;

/// Everything that a search knows; see the module documentation.
pub(super) struct Search<'t> {
    pub(super) ts: &'t TransitionSystem,
    pub(super) options: &'t Ic3iaOptions,
    pub(super) predicates: Predicates,
    pub(super) frames: Frames,
    pub(super) start: Start,
    pub(super) activity: Activity,
    obligations: Obligations,
    /// What a cube implies.
    lifting: Solver,
    pub(super) level: Level,
    /// Whether others told anything.
    pub(super) has_heard: bool,
    pub(super) stats: Statistics,
}

impl<'t> Search<'t> {
    pub(super) fn new(
        cx: &mut Cx<'_>,
        ts: &'t TransitionSystem,
        options: &'t Ic3iaOptions,
    ) -> Outcome<Self> {
        let mut this = Self {
            ts,
            options,
            predicates: Predicates::default(),
            frames: Frames::new(cx.store, ts, options.seed),
            start: Start::new(cx.store, ts, options.seed),
            activity: Activity::default(),
            obligations: Obligations::default(),
            lifting: Solver::new(Options { seed: options.seed, ..Options::default() }),
            level: Level::ZERO.next(),
            has_heard: false,
            stats: Statistics::default(),
        };
        this.first_predicates(cx)?;
        Ok(this)
    }
    /// Blocks all abstract paths of as many steps as the level says; an abstract counterexample if
    /// there is one.
    pub(super) fn block_all(&mut self, cx: &mut Cx<'_>) -> Outcome<Option<Vec<Cube>>> {
        let frame = self.level.previous().expect("levels begin with one step");
        loop {
            if let Some(path) = self.block(cx)? {
                self.obligations.clear();
                return Ok(Some(path));
            }
            self.obligations.clear();
            self.stats.queries += 1;
            let bad = [self.ts.bad];
            match self.frames.enter(cx, &bad, frame, Hypothesis::Anywhere)? {
                Entry::Blocked { .. } => return Ok(None),
                Entry::From(model) => {
                    let cube = self.predecessor(cx, self.ts.bad, &model)?;
                    if frame == Level::ZERO {
                        return Ok(Some(vec![cube]));
                    }
                    self.obligations.add(cube, None, frame);
                }
            }
        }
    }
    /// Handles obligations until there are none; an abstract counterexample if there is one.
    fn block(&mut self, cx: &mut Cx<'_>) -> Outcome<Option<Vec<Cube>>> {
        while let Some((id, level)) = self.obligations.next() {
            self.stats.obligations += 1;
            if let Some(path) = self.process(cx, id, level)? {
                return Ok(Some(path));
            }
        }
        Ok(None)
    }
    fn process(
        &mut self,
        cx: &mut Cx<'_>,
        id: ObligationId,
        level: Level,
    ) -> Outcome<Option<Vec<Cube>>> {
        let cube = self.obligations.cube(id).clone();
        if let Some(bound) = self.frames.excluded(&cube).filter(|bound| bound.reaches(level)) {
            self.ask_again(id, bound);
            return Ok(None);
        }
        if !self.start.avoids(cx, &cube)? {
            return Ok(Some(self.obligations.path(id)));
        }
        let below = level.previous().expect("initial states are not asked about");
        self.stats.queries += 1;
        let entry = cx
            .phase(Phase::Solving, |cx| self.frames.enter(cx, &cube, below, Hypothesis::Outside))?;
        match entry {
            Entry::From(model) => {
                let target = cx.store.and(&cube);
                let before = self.predecessor(cx, target, &model)?;
                if below == Level::ZERO {
                    let mut path = self.obligations.path(id);
                    path.insert(0, before);
                    return Ok(Some(path));
                }
                self.obligations.add(before, Some(id), below);
                self.obligations.wait(id, level);
            }
            Entry::Blocked { core, bound } => {
                let core = self.start.avoided(cx, &cube, core)?;
                let core = core.expect("the cube contains no initial state");
                let found = cx.phase(Phase::Generalization, |cx| {
                    let found = self.generalize(cx, (core, bound), below, 0)?;
                    self.learn(cx, found)
                })?;
                self.ask_again(id, found);
            }
        }
        Ok(None)
    }
    /// Asks for an obligation that is blocked up to `bound` at the next level, if that is of this
    /// round.
    fn ask_again(&mut self, id: ObligationId, bound: Bound) {
        if let Bound::Within(level) = bound
            && level.next() < self.level
        {
            self.obligations.wait(id, level.next());
        }
    }
    /// Adds a clause at the highest level where it is found to hold, and returns that.
    pub(super) fn learn(
        &mut self,
        cx: &mut Cx<'_>,
        (mut cube, mut bound): (Cube, Bound),
    ) -> Outcome<Bound> {
        while let Bound::Within(level) = bound
            && level < self.level
        {
            self.stats.pushes += 1;
            let entry = self.frames.enter(cx, &cube, level, Hypothesis::Outside)?;
            let Entry::Blocked { core, bound: higher } = entry else { break };
            if let Some(core) = self.start.avoided(cx, &cube, core)? {
                cube = core;
            }
            bound = higher;
        }
        self.stats.clauses += 1;
        self.activity.bump(&cube);
        self.tell(cx, &cube, bound);
        self.frames.add(cx.store, cube, bound);
        Ok(bound)
    }
    /// Pushes clauses to higher frames; an inductive invariant if a frame equals the next one.
    pub(super) fn propagate(&mut self, cx: &mut Cx<'_>) -> Outcome<Option<Term>> {
        let mut level = Level::ZERO.next();
        while level < self.level {
            for cube in self.frames.exactly(level) {
                self.stats.pushes += 1;
                let entry = self.frames.enter(cx, &cube, level, Hypothesis::Anywhere)?;
                if let Entry::Blocked { core, bound } = entry
                    && let Some(core) = self.start.avoided(cx, &cube, core)?
                {
                    self.frames.add(cx.store, core, bound);
                }
            }
            if self.frames.exactly(level).is_empty() {
                return Ok(Some(self.invariant(cx, level)));
            }
            level = level.next();
        }
        Ok(None)
    }
    /// The frame beyond `level`, without bad states.
    fn invariant(&self, cx: &mut Cx<'_>, level: Level) -> Term {
        let mut conjuncts = vec![cx.store.not(self.ts.bad)];
        for clause in self.frames.beyond(level) {
            let inside = cx.store.and(&clause.cube);
            conjuncts.push(cx.store.not(inside));
        }
        cx.store.and(&conjuncts)
    }
    /// Abstract states, around that of `model`, from each of which a step leads into `target`.
    pub(super) fn predecessor(
        &mut self,
        cx: &mut Cx<'_>,
        target: Term,
        model: &Model,
    ) -> Outcome<Cube> {
        cx.phase(Phase::Projection, |cx| {
            let enough = self.frames.step.before(cx.store, target, model);
            let cube = self.predicates.lifted(cx.store, &enough, model);
            if enough.iter().all(|&literal| self.predicates.contains(cx.store, literal)) {
                return Ok(cube);
            }
            // Where the abstract states imply what is enough, those literals will do that are
            // needed for that.
            let enough = cx.store.and(&enough);
            let missing = cx.store.not(enough);
            self.lifting.push();
            self.lifting.add(cx.store, missing);
            let core = match self.lifting.check_assuming(cx, &cube)? {
                Answer::Sat(_) => cube,
                Answer::Unsat(why) => why.failed(),
            };
            self.lifting.pop(1);
            Ok(sorted(core))
        })
    }
}

fn sorted(mut cube: Cube) -> Cube {
    cube.sort_unstable();
    cube
}
