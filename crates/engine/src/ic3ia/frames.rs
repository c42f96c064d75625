//! Frames: clauses over predicates by level, and the queries of relative induction.
//!
//! `F_0` is `Init`; for `i > 0`, `F_i` is made of the clauses whose bound reaches `i`, so each
//! clause is kept once, at the highest level where it is known to hold (*delta* encoding); those
//! that hold always are the frame at infinity. A clause is the negation of a cube over predicates.
//! One solver knows the step and all clauses, each switched by its level; a query says
//! by assumptions which levels count. Steps from initial states have a solver of their own.
//!
//! The query of relative induction, `F_k ∧ ¬c ∧ T ∧ c'`, is about concrete states. Since `F_k` and
//! `c` are formulas over predicates, it has a model if and only if the abstract system has such a
//! step: the abstract relation, *exists a concrete step between states with the same predicates*,
//! is never computed.
//!
//! Invariants: `F_0 ⇒ F_1 ⇒ … `; a step from `F_i` leads into `F_{i+1}`; no state of the frames
//! below the newest is bad.
//!
//! Source: [Bra11], [EMB11] (delta encoding), [CGMT14] §3 (`AbsRelInd`). DIVERGENCE [CGMT14] §3:
//! there the frames are about a copy of the state that agrees with it on the predicates; both say
//! the same, because frames and cubes have no other atoms.

use shofar_base::{Idx, IndexVec, Map, Outcome, Set};
use shofar_chc::TransitionSystem;
use shofar_smt::{Answer, Options, Solver};
use shofar_term::eval::Model;
use shofar_term::{Bound, Cx, Level, Sort, Term, TermStore};

use super::predicates::Cube;
use super::step::Step;

/// A clause, as the cube that it excludes.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    pub(super) cube: Cube,
    signature: u64,
    pub(super) bound: Bound,
}

/// What a query of relative induction finds.
pub(super) enum Entry {
    /// A step into the cube; the model has the values before it.
    From(Model),
    /// There is none: these literals are enough, and for frames up to this bound.
    Blocked { core: Cube, bound: Bound },
}

/// Whether the cube itself counts as excluded before the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hypothesis {
    /// The step starts outside the cube.
    Outside,
    /// It starts anywhere in the frame.
    Anywhere,
}

/// All clauses and the solvers that know them; see the module documentation.
pub(super) struct Frames {
    pub(super) step: Step,
    pub(super) clauses: Vec<Clause>,
    /// Steps from initial states.
    start: Solver,
    /// Steps from all other frames.
    steps: Solver,
    /// How many clauses `steps` was told.
    told: usize,
    harmless: Term,
    /// For each level, the truth value that switches its clauses off, and its negation.
    switches: IndexVec<Level, (Term, Term)>,
    level_of: Map<Term, Level>,
    seed: u64,
}

impl Frames {
    pub(super) fn new(store: &mut TermStore, ts: &TransitionSystem, seed: u64) -> Self {
        let step = Step::new(store, ts);
        let options = Options { seed, ..Options::default() };
        let mut start = Solver::new(options.clone());
        start.add(store, step.guard);
        start.add(store, ts.init);
        let harmless = store.not(ts.bad);
        let mut this = Self {
            step,
            clauses: Vec::new(),
            start,
            steps: Solver::new(options),
            told: 0,
            harmless,
            switches: IndexVec::new(),
            level_of: Map::default(),
            seed,
        };
        this.renew(store);
        this
    }
    /// Begins with a new solver, which knows the clauses as they are now and nothing else.
    fn renew(&mut self, store: &mut TermStore) {
        self.steps = Solver::new(Options { seed: self.seed, ..Options::default() });
        self.steps.add(store, self.step.guard);
        self.steps.add(store, self.harmless);
        self.told = 0;
        for index in 0..self.clauses.len() {
            self.tell(store, index);
        }
    }
    /// Whether states of `cube` are one step after `F_frame`.
    pub(super) fn enter(
        &mut self,
        cx: &mut Cx<'_>,
        cube: &[Term],
        frame: Level,
        hypothesis: Hypothesis,
    ) -> Outcome<Entry> {
        cx.budget.check()?;
        let mut assumptions = self.switched_on(frame);
        let after: Vec<Term> = cube.iter().map(|&l| self.step.after(cx.store, l)).collect();
        assumptions.extend(&after);
        let solver = if frame == Level::ZERO { &mut self.start } else { &mut self.steps };
        // An initial state is outside of every cube that is asked about.
        let needs_scope = hypothesis == Hypothesis::Outside && frame > Level::ZERO;
        if needs_scope {
            solver.push();
            let inside = cx.store.and(cube);
            let outside = cx.store.not(inside);
            solver.add(cx.store, outside);
        }
        let found = match solver.check_assuming(cx, &assumptions)? {
            Answer::Sat(model) => Err(model.assignment(cx.store)),
            Answer::Unsat(why) => Ok(why.failed()),
        };
        if needs_scope {
            solver.pop(1);
        }
        Ok(match found {
            Err(model) => Entry::From(model),
            Ok(failed) => {
                let bound = self.holds_until(frame, &failed);
                let failed: Set<Term> = failed.into_iter().collect();
                let needed = cube.iter().zip(&after).filter(|(_, after)| failed.contains(*after));
                Entry::Blocked { core: needed.map(|(&literal, _)| literal).collect(), bound }
            }
        })
    }
    /// Up to which level a cube is excluded that no step from `F_frame` enters, given the
    /// assumptions that this needed.
    fn holds_until(&self, frame: Level, failed: &[Term]) -> Bound {
        if frame == Level::ZERO {
            return Bound::Within(frame.next());
        }
        let needed = failed.iter().filter_map(|t| self.level_of.get(t)).copied().min();
        needed.map_or(Bound::Always, |level| Bound::Within(level.next()))
    }
    /// The assumptions that make the solver speak of `F_frame`.
    fn switched_on(&self, frame: Level) -> Vec<Term> {
        if frame == Level::ZERO {
            return Vec::new();
        }
        let levels = self.switches.handles();
        levels.map(|l| if l >= frame { self.switches[l].1 } else { self.switches[l].0 }).collect()
    }
    /// Adds a clause, unless one that is as strong is known, and forgets those that are weaker.
    pub(super) fn add(&mut self, store: &mut TermStore, cube: Cube, bound: Bound) {
        if self.excluded(&cube).is_some_and(|known| known >= bound) {
            return;
        }
        let signature = signature(&cube);
        self.clauses.retain(|clause| {
            clause.bound > bound
                || signature & !clause.signature != 0
                || !is_subset(&cube, &clause.cube)
        });
        self.clauses.push(Clause { cube, signature, bound });
        self.tell(store, self.clauses.len() - 1);
        if self.told > RENEWAL + 3 * self.clauses.len() {
            self.renew(store);
        }
    }
    /// Up to which bound a single clause excludes `cube`.
    pub(super) fn excluded(&self, cube: &[Term]) -> Option<Bound> {
        let signature = signature(cube);
        let excluding = self
            .clauses
            .iter()
            .filter(|c| c.signature & !signature == 0 && is_subset(&c.cube, cube));
        excluding.map(|clause| clause.bound).max()
    }
    /// The clauses that hold beyond `level`.
    pub(super) fn beyond(&self, level: Level) -> impl Iterator<Item = &Clause> {
        self.clauses.iter().filter(move |clause| clause.bound > Bound::Within(level))
    }
    /// The cubes of the clauses that hold up to exactly this level.
    pub(super) fn exactly(&self, level: Level) -> Vec<Cube> {
        let here = self.clauses.iter().filter(|clause| clause.bound == Bound::Within(level));
        here.map(|clause| clause.cube.clone()).collect()
    }
    fn tell(&mut self, store: &mut TermStore, index: usize) {
        self.told += 1;
        let Clause { cube, bound, .. } = &self.clauses[index];
        let mut literals: Vec<Term> = cube.iter().map(|&literal| store.not(literal)).collect();
        if let Bound::Within(level) = *bound {
            literals.push(self.off(store, level));
        }
        let clause = store.or(&literals);
        self.steps.add(store, clause);
    }
    /// The truth value that switches off what is known up to `level` only.
    fn off(&mut self, store: &mut TermStore, level: Level) -> Term {
        while self.switches.len() <= level.index() {
            let off = store.fresh("off", Sort::BOOL);
            let off = store.constant(off);
            let on = store.not(off);
            let new = self.switches.push((off, on));
            self.level_of.insert(on, new);
        }
        self.switches[level].0
    }
}

/// A solver is made anew when it knows so many clauses more than three times those that are left.
const RENEWAL: usize = 1_000;

/// A set that contains the signature of every subset.
fn signature(cube: &[Term]) -> u64 {
    cube.iter().fold(0, |set, literal| set | 1 << (shofar_base::fixed_hash(literal) % 64))
}

/// Whether the literals of `part`, which is sorted like `whole`, are all there.
fn is_subset(part: &[Term], whole: &[Term]) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|literal| rest.any(|other| other == literal))
}

#[cfg(test)]
mod tests {
    use shofar_base::Budget;
    use shofar_chc::TransitionSystem;

    use super::*;

    /// A counter from 0 with a step of 1, bad at `bad`; the frames of it.
    fn counter(store: &mut TermStore, bad: i64) -> (Term, Frames) {
        let [x, next] = ["x", "x'"].map(|name| store.declare(name, &[], Sort::INT));
        let (now, then) = (store.constant(x), store.constant(next));
        let (zero, one, bad) = (store.int(0), store.int(1), store.int(bad));
        let sum = store.add(&[now, one]);
        let ts = TransitionSystem {
            state: vec![x],
            next: vec![next],
            init: store.eq(now, zero),
            step: store.eq(then, sum),
            bad: store.eq(now, bad),
        };
        (now, Frames::new(store, &ts, 0))
    }

    #[test]
    fn cores_say_how_long_a_cube_is_excluded() {
        let (mut store, budget) = (TermStore::new(), Budget::unlimited());
        let (x, mut frames) = counter(&mut store, 9);
        let (two, below) = (store.int(2), store.int(-1));
        let (large, negative) = (store.ge(x, two), store.le(x, below));
        let mut cx = Cx::new(&mut store, &budget);
        let [zero, one] = [Level::ZERO, Level::ZERO.next()];
        let entry = frames.enter(&mut cx, &[large], zero, Hypothesis::Outside);
        let Ok(Entry::Blocked { core, bound }) = entry else { panic!("1 is the next one") };
        assert_eq!((core, bound), (vec![large], Bound::Within(one)));
        frames.add(cx.store, vec![large], bound);
        let entry = frames.enter(&mut cx, &[large], one, Hypothesis::Anywhere);
        assert!(matches!(entry, Ok(Entry::From(_))), "1 is in the first frame");
        let entry = frames.enter(&mut cx, &[negative], one, Hypothesis::Outside);
        let Ok(Entry::Blocked { bound, .. }) = entry else { panic!("steps go up") };
        assert_eq!(bound, Bound::Always, "no clause was needed");
    }

    #[test]
    fn weaker_clauses_are_forgotten() {
        let mut store = TermStore::new();
        let (x, mut frames) = counter(&mut store, 9);
        let [three, five] = [3, 5].map(|number| store.int(number));
        let mut both = vec![store.ge(x, three), store.le(x, five)];
        both.sort_unstable();
        let [one, two] = [1, 2].map(|n| Bound::Within(Level::new(n)));
        frames.add(&mut store, both.clone(), two);
        frames.add(&mut store, vec![both[0]], one);
        assert_eq!((frames.clauses.len(), frames.excluded(&both)), (2, Some(two)));
        frames.add(&mut store, vec![both[0]], two);
        assert_eq!(frames.clauses.len(), 1);
        frames.add(&mut store, both.clone(), two);
        assert_eq!((frames.clauses.len(), frames.excluded(&[both[1]])), (1, None));
        assert_eq!(frames.exactly(Level::new(2)), [vec![both[0]]]);
    }
}
