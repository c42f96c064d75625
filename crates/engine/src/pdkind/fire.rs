//! The finite-reachability engine: can these states be reached in so many steps?
//!
//! It knows *bounded invariants*. The frame `R_i` is made of those with bound `i` or more, so it
//! contains all states that are at most `i` steps away from an initial one. Target states are
//! looked for among the initial states and one step after `R_{i-1}`; if there are none, an
//! interpolant excludes them from `R_i`. Otherwise those that can make the step become the
//! next target, for `i - 1`. Steps are never unrolled.
//!
//! Invariant: each frame has a solver of its own that only grows. It knows a prefix of the bounded
//! invariants, and is told the rest when it is asked next.
//!
//! Source: [Bli22] §6.3.2, [Hen24] Algorithm 4.2.

use shofar_base::{Idx, IndexVec, Outcome};
use shofar_chc::TransitionSystem;
use shofar_smt::{Answer, Interpolation, Options, Solver};
use shofar_term::eval::Evaluator;
use shofar_term::{Bound, Cx, Level, Sort, Term, TermStore};

use crate::ts;

/// Whether states can be reached.
pub(super) enum Reach {
    /// Yes: a way from an initial state, one cube of states for each moment, the target last.
    Through(Vec<Term>),
    /// No, because they violate this bounded invariant.
    Excluded(Term),
}

/// What one look at a frame finds.
enum Entry {
    /// The target contains an initial state.
    Initial,
    /// These states of the frame below make a step into the target.
    From(Term),
    /// Neither.
    Excluded(Term),
}

/// A formula that holds within so many steps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounded {
    pub(super) formula: Term,
    pub(super) bound: Bound,
}

/// The states one step after a frame, or initial, named by the next variables.
struct Frame {
    solver: Solver,
    /// Implies that the state is an initial one.
    start: Term,
    /// Implies that the state is reached by a step from the frame below.
    go: Term,
    /// How many bounded invariants have been looked at.
    told: usize,
}

/// The engine; see the module documentation.
pub(super) struct Fire<'t> {
    ts: &'t TransitionSystem,
    interpolation: Interpolation,
    seed: u64,
    frames: IndexVec<Level, Frame>,
    known: Vec<Bounded>,
}

impl<'t> Fire<'t> {
    pub(super) fn new(ts: &'t TransitionSystem, interpolation: Interpolation, seed: u64) -> Self {
        Self { ts, interpolation, seed, frames: IndexVec::new(), known: Vec::new() }
    }
    /// All bounded invariants, in the order in which they were found.
    pub(super) fn known(&self) -> &[Bounded] {
        &self.known
    }
    /// Adds a bounded invariant, found here or told by somebody else; whether it is new.
    pub(super) fn learn(&mut self, lemma: Bounded) -> bool {
        let is_known =
            self.known.iter().any(|l| l.formula == lemma.formula && l.bound >= lemma.bound);
        if !is_known {
            self.known.push(lemma);
        }
        !is_known
    }
    /// Whether some state of `target` is at most `steps` steps away from an initial one.
    pub(super) fn reach(&mut self, cx: &mut Cx<'_>, target: Term, steps: Level) -> Outcome<Reach> {
        let mut way = vec![target];
        let mut bound = steps;
        loop {
            cx.budget.check()?;
            let target = way[way.len() - 1];
            match self.enter(cx, target, bound)? {
                Entry::Initial => {
                    way.reverse();
                    return Ok(Reach::Through(way));
                }
                Entry::From(cube) => {
                    way.push(cube);
                    bound = bound.previous().expect("the frame of initial states has none below");
                }
                Entry::Excluded(formula) => {
                    self.learn(Bounded { formula, bound: Bound::Within(bound) });
                    way.pop();
                    bound = bound.next();
                    if way.is_empty() {
                        return Ok(Reach::Excluded(formula));
                    }
                }
            }
        }
    }
    /// Looks for states of `target` in the frame `bound`.
    fn enter(&mut self, cx: &mut Cx<'_>, target: Term, bound: Level) -> Outcome<Entry> {
        self.update(cx.store, bound);
        let frame = &mut self.frames[bound];
        let next = self.ts.primed(cx.store, target);
        let wanted = cx.store.conjuncts(&[next]);
        match frame.solver.check_assuming(cx, &wanted)? {
            Answer::Sat(model) => {
                let model = model.assignment(cx.store);
                if Evaluator::with_defaults(&model).holds(cx.store, frame.start)? {
                    return Ok(Entry::Initial);
                }
                Ok(Entry::From(ts::before(cx.store, self.ts, target, &model)))
            }
            Answer::Unsat(proof) => {
                let why = proof.interpolant_of_assumptions(cx, &wanted, &self.interpolation)?;
                Ok(Entry::Excluded(self.ts.unprimed(cx.store, why)))
            }
        }
    }
    /// Makes the frame `bound` and tells it what has been found since it was asked last.
    fn update(&mut self, store: &mut TermStore, bound: Level) {
        while self.frames.len() <= bound.index() {
            let frame = self.frame(store, Level::from_index(self.frames.len()));
            self.frames.push(frame);
        }
        let frame = &mut self.frames[bound];
        for lemma in &self.known[frame.told..] {
            if bound > Level::ZERO && lemma.bound.next().reaches(bound) {
                let said = store.implies(frame.go, lemma.formula);
                frame.solver.add(store, said);
            }
        }
        frame.told = self.known.len();
    }
    fn frame(&self, store: &mut TermStore, bound: Level) -> Frame {
        let mut solver = Solver::new(Options { seed: self.seed, ..Options::with_proofs() });
        let mut switch = |name: &str| {
            let symbol = store.fresh(name, Sort::BOOL);
            store.constant(symbol)
        };
        let (start, go) = (switch("start"), switch("go"));
        let init = self.ts.primed(store, self.ts.init);
        let mut facts = vec![store.implies(start, init)];
        if bound == Level::ZERO {
            facts.push(start);
        } else {
            facts.push(store.implies(go, self.ts.step));
            facts.push(store.or(&[start, go]));
        }
        for fact in facts {
            solver.add(store, fact);
        }
        Frame { solver, start, go, told: 0 }
    }
}
