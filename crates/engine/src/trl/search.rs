//! The search in one direction: unrolling, learning, blocking.
//!
//! The loop extends a path of relations from an initial state frame by frame. If a part of the path
//! that a model shows can be repeated, a transitive relation is learned from it, and paths that
//! this relation shortens are blocked. If no path is longer than the frames, all reachable states
//! are ends of the paths that there are.
//!
//! Invariants, which make *safe* sound: learned relations are transitive (O1, [`super::relation`]);
//! what is blocked implies the relation for some count (O2: it is the relation with a count, or a
//! projection of it); frames from the beginning of a blocked part on are made anew, so that they
//! offer the relation (O3, [`super::frames`]).
//!
//! Source: [FG25]. Symbols: `b` → [`Frames::depth`], `T` → [`Trace`], `dep` → `follows`, `π` →
//! [`Replaced::pairs`].

use shofar_base::{Idx, Map, Outcome, Set};
use shofar_chc::TransitionSystem;
use shofar_smt::{Answer, Options, Solver};
use shofar_term::eval::{Evaluator, Model};
use shofar_term::substitute::substitute;
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Phase, Term, TermStore};

use super::frames::{Frames, Replaced};
use super::options::{Refinement, TrlOptions};
use super::projection::transitive;
use super::refinement::split;
use super::relation::{Closed, Kind, Letter, RelId, Relation, Relations, is_transitive, originals};
use super::space::Space;
use super::statistics::Statistics;

/// A path: a model of the frames, with the relation and the implicant of each step.
pub(super) struct Trace {
    pub(super) model: Model,
    pub(super) letters: Vec<Letter>,
}

/// What one iteration of the loop found.
pub(super) enum Progress {
    /// No path is longer than the frames, and none leads to a bad state.
    Exhausted,
    /// A path to a bad state, through relations.
    Reached(Trace),
    /// Nothing yet.
    Open,
}

/// What a further frame brings.
pub(super) enum Extended {
    /// A path through it.
    By(Trace),
    /// There is no path through it, or a bad state before it.
    Known(Progress),
}

/// The search; see the module documentation.
pub(super) struct Search {
    pub(super) space: Space,
    pub(super) relations: Relations,
    pub(super) frames: Frames,
    pub(super) stats: Statistics,
    pub(super) solver: Solver,
    refinement: Refinement,
    /// Which implicants have been seen behind which.
    pub(super) follows: Set<(Term, Term)>,
    /// Whether loops can be iterated twice.
    repeatable: Map<Term, bool>,
    /// For questions about single relations.
    scratch: Solver,
    /// Bad states at smaller depths were looked for.
    checked: usize,
    /// Loops whose relations led to bad states that no run reaches.
    refused: Set<Term>,
}

impl Search {
    pub(super) fn new(cx: &mut Cx<'_>, ts: TransitionSystem, options: &TrlOptions) -> Self {
        let refinement = options.refinement;
        let options = Options { seed: options.seed, ..Options::default() };
        let mut space = Space::new(cx.store, ts);
        let relations = originals(cx.store, &space);
        let mut solver = Solver::new(options.clone());
        let init = space.timed(cx.store, space.ts.init, 0, 1);
        solver.add(cx.store, init);
        Self {
            space,
            relations,
            frames: Frames::default(),
            stats: Statistics::default(),
            solver,
            refinement,
            follows: Set::default(),
            repeatable: Map::default(),
            scratch: Solver::new(options),
            checked: 0,
            refused: Set::default(),
        }
    }
    /// One iteration of the loop.
    pub(super) fn iterate(&mut self, cx: &mut Cx<'_>) -> Outcome<Progress> {
        let trace = match self.extend(cx)? {
            Extended::By(trace) => trace,
            Extended::Known(progress) => return Ok(progress),
        };
        let Some(trace) = self.tightened(cx, trace, None)? else { return Ok(Progress::Open) };
        if let Some((start, lambda, length)) = self.infix(cx, &trace)? {
            self.frames.pop_to(&mut self.solver, start);
            self.checked = self.checked.min(start + 1);
            self.learn(cx, &trace, start, length, lambda)?;
        }
        Ok(Progress::Open)
    }
    /// A further frame, with a path through all of them.
    pub(super) fn extend(&mut self, cx: &mut Cx<'_>) -> Outcome<Extended> {
        cx.budget.check()?;
        if let Some((trace, bad)) = self.bad_path(cx)? {
            let trace = self.tightened(cx, trace, Some(bad))?;
            return Ok(Extended::Known(trace.map_or(Progress::Open, Progress::Reached)));
        }
        self.frames.push(cx.store, &mut self.solver, &mut self.space, &self.relations);
        self.stats.deepest = self.stats.deepest.max(self.frames.depth() as u64);
        let Some(model) = self.model(cx, &[])? else {
            self.frames.pop_to(&mut self.solver, self.frames.depth() - 1);
            return Ok(Extended::Known(Progress::Exhausted));
        };
        let trace = cx.phase(Phase::Projection, |cx| self.trace(cx.store, model));
        for pair in trace.letters.windows(2) {
            self.follows.insert((pair[0].implicant, pair[1].implicant));
        }
        Ok(Extended::By(trace))
    }
    /// A path through all frames to a bad state, and what says that it is bad, unless that was
    /// asked before.
    fn bad_path(&mut self, cx: &mut Cx<'_>) -> Outcome<Option<(Trace, Term)>> {
        let depth = self.frames.depth();
        if depth < self.checked {
            return Ok(None);
        }
        let bad = self.space.timed(cx.store, self.space.ts.bad, depth, depth + 1);
        let model = self.model(cx, &[bad])?;
        self.checked = depth + 1;
        Ok(model.map(|model| (self.trace(cx.store, model), bad)))
    }
    /// A path through all frames.
    fn model(&mut self, cx: &mut Cx<'_>, assumptions: &[Term]) -> Outcome<Option<Model>> {
        let answer = cx.phase(Phase::Solving, |cx| self.solver.check_assuming(cx, assumptions))?;
        Ok(match answer {
            Answer::Unsat(_) => None,
            Answer::Sat(model) => Some(model.assignment(cx.store)),
        })
    }
    pub(super) fn trace(&mut self, store: &mut TermStore, model: Model) -> Trace {
        let mut letters = Vec::new();
        for (time, frame) in self.frames.stack.iter().enumerate() {
            let id = frame.selected(store, &model);
            let relation = &self.relations[id];
            let implicant =
                self.space.implicant(store, (relation.formula, &relation.locals), &model, time);
            letters.push(Letter { relation: id, implicant });
        }
        Trace { model, letters }
    }
    /// A part of the trace that can be repeated, the shortest first: where it starts, the loop, and
    /// how long it is.
    fn infix(&mut self, cx: &mut Cx<'_>, trace: &Trace) -> Outcome<Option<(usize, Term, usize)>> {
        let letters = &trace.letters;
        for length in 1..=letters.len() {
            for start in 0..=letters.len() - length {
                let (first, last) = (letters[start], letters[start + length - 1]);
                let is_step = self.relations[first.relation].kind == Kind::Original;
                if !self.follows.contains(&(last.implicant, first.implicant))
                    || length == 1 && !is_step
                {
                    continue;
                }
                let part: Vec<Term> =
                    letters[start..start + length].iter().map(|l| l.implicant).collect();
                let lambda = self.space.chain(cx.store, &part, &trace.model, start);
                if !self.refused.contains(&lambda) && self.is_repeatable(cx, lambda)? {
                    return Ok(Some((start, lambda, length)));
                }
            }
        }
        Ok(None)
    }
    pub(super) fn is_repeatable(&mut self, cx: &mut Cx<'_>, lambda: Term) -> Outcome<bool> {
        if let Some(&known) = self.repeatable.get(&lambda) {
            return Ok(known);
        }
        let twice = self.space.twice(cx.store, lambda);
        let is_repeatable = matches!(self.scratch.check_assuming(cx, &twice)?, Answer::Sat(_));
        self.repeatable.insert(lambda, is_repeatable);
        Ok(is_repeatable)
    }
    /// Blocks the part of the trace because of a relation that is known, or of a new one.
    fn learn(
        &mut self,
        cx: &mut Cx<'_>,
        trace: &Trace,
        start: usize,
        length: usize,
        lambda: Term,
    ) -> Outcome<()> {
        let end = start + length;
        let pair = self.space.pair(cx.store, &trace.model, start, end);
        let replaced = if let Some(replaced) = self.known(cx, &pair, length)? {
            replaced
        } else {
            let word = trace.letters[start..end].to_vec();
            self.new_relation(cx, &pair, word, lambda)?
        };
        debug_assert_eq!(
            Evaluator::with_defaults(&pair).holds(cx.store, replaced.pairs),
            Ok(true),
            "the path is blocked"
        );
        self.stats.blocked += 1;
        if length == 1 {
            self.frames.covers.push(replaced);
        } else {
            self.frames.block(start, end, replaced);
        }
        Ok(())
    }
    /// A relation that holds for the pair of states, and what else it holds for.
    fn known(&mut self, cx: &mut Cx<'_>, pair: &Model, length: usize) -> Outcome<Option<Replaced>> {
        let ids: Vec<RelId> = (0..self.relations.len()).map(RelId::from_index).collect();
        for id in ids {
            let relation = &self.relations[id];
            let is_step = relation.kind == Kind::Original;
            if is_step && length == 1 || !relation.is_offered {
                continue;
            }
            let formula = at_pair(cx.store, &self.space, relation.formula, pair);
            if formula == cx.store.bottom() {
                continue;
            }
            let mut full = pair.clone();
            match self.scratch.check_assuming(cx, &[formula])? {
                Answer::Unsat(_) => continue,
                Answer::Sat(model) => {
                    let model = model.assignment(cx.store);
                    for &local in &relation.locals {
                        full.set(local, model.get_or_default(cx.store, local));
                    }
                }
            }
            let pairs = shofar_mbp::project(cx.store, relation.formula, &relation.locals, &full);
            self.stats.covered += 1;
            return Ok(Some(Replaced { relation: id, pairs }));
        }
        Ok(None)
    }
    /// Learns a relation from a loop.
    fn new_relation(
        &mut self,
        cx: &mut Cx<'_>,
        pair: &Model,
        word: Vec<Letter>,
        lambda: Term,
    ) -> Outcome<Replaced> {
        let is_real = |letter: &Letter| self.relations[letter.relation].kind != Kind::Over;
        let is_real = word.iter().all(is_real);
        let (kind, literals, closed) = self.closure(cx, pair, lambda, is_real)?;
        let (literals, left_out) = match (self.refinement, kind) {
            (Refinement::On, Kind::Over) => {
                let literals = transitive(cx.store, &mut self.space, lambda, pair);
                split(cx.store, &self.space, literals)
            }
            (Refinement::On | Refinement::Off, Kind::Original | Kind::Over | Kind::Exact) => {
                (without_redundant(cx, literals)?, Vec::new())
            }
        };
        super::sharing::tell_literals(cx, &self.space.ts, &literals);
        let formula = cx.store.and(&literals);
        debug_assert!(is_transitive(cx, &mut self.space, formula)?, "learned relations are (O1)");
        let count = self.space.count;
        let locals = if free_symbols(cx.store, &[formula]).contains(&count) {
            vec![count]
        } else {
            Vec::new()
        };
        let (n, one) = (self.space.n(cx.store), cx.store.number(1.into(), cx.store.result(count)));
        let pairs = substitute(cx.store, &[(n, one)].into_iter().collect(), &[formula])[0];
        self.stats.learned += 1;
        match kind {
            Kind::Exact => self.stats.exact += 1,
            Kind::Over | Kind::Original => self.stats.over += 1,
        }
        let (once, is_offered) = (lambda, true);
        let relation = Relation { kind, formula, locals, word, once, closed, left_out, is_offered };
        let id = self.relations.push(relation);
        tracing::debug!(
            "relation {}, {:?}: {}",
            id.index(),
            kind,
            shofar_term::print::print(cx.store, formula)
        );
        Ok(Replaced { relation: id, pairs })
    }
    /// A transitive relation that contains the iteration of `lambda` in `pair`, and the closed form
    /// of `lambda`. If the loop is not real, neither of them says anything about runs.
    fn closure(
        &mut self,
        cx: &mut Cx<'_>,
        pair: &Model,
        lambda: Term,
        is_real: bool,
    ) -> Outcome<(Kind, Vec<Term>, Option<Closed>)> {
        let kind = if is_real { Kind::Exact } else { Kind::Over };
        if is_transitive(cx, &mut self.space, lambda)? {
            return Ok((kind, cx.store.conjuncts(&[lambda]), None));
        }
        let closed = Closed::of(cx, &self.space, lambda)?;
        if let Some(closed) = &closed
            && closed.count == self.space.count
        {
            let literals = cx.store.conjuncts(&[closed.formula]);
            return Ok((kind, literals, Some(closed.clone()).filter(|_| is_real)));
        }
        let literals = transitive(cx.store, &mut self.space, lambda, pair);
        let literals = literals.into_iter().map(|literal| literal.term).collect();
        Ok((Kind::Over, literals, closed.filter(|_| is_real)))
    }
    /// The blocking clauses of the frame at `depth`.
    pub(super) fn blocking(&mut self, store: &mut TermStore, depth: usize) -> Vec<Term> {
        let frame = &self.frames.stack[depth];
        self.frames.blocking(store, &mut self.space, &self.relations, frame, depth)
    }
    /// Forgets a learned relation and all clauses that rest on it, and starts anew.
    pub(super) fn withdraw(&mut self, relation: RelId) {
        self.relations[relation].is_offered = false;
        self.refused.insert(self.relations[relation].once);
        self.frames.forget(relation);
        self.start_anew();
    }
    /// Closes all frames.
    pub(super) fn start_anew(&mut self) {
        self.frames.pop_to(&mut self.solver, 0);
        self.checked = self.checked.min(1);
    }
}

/// `relation` with the values of `pair` for state and next state.
fn at_pair(store: &mut TermStore, space: &Space, relation: Term, pair: &Model) -> Term {
    let mut map: Map<Term, Term> = Map::default();
    for &symbol in space.ts.state.iter().chain(&space.ts.next) {
        let value = pair.get_or_default(store, symbol);
        let value = store.value_term(&value, store.result(symbol));
        map.insert(store.constant(symbol), value);
    }
    substitute(store, &map, &[relation])[0]
}

/// `literals` without those that the others imply; those about many variables go first.
fn without_redundant(cx: &mut Cx<'_>, mut literals: Vec<Term>) -> Outcome<Vec<Term>> {
    let mut solver = Solver::new(Options::default());
    literals.sort_by_key(|&literal| std::cmp::Reverse(free_symbols(cx.store, &[literal]).len()));
    let mut position = 0;
    while position < literals.len() {
        let mut others = literals.clone();
        let contrary = cx.store.not(others[position]);
        others[position] = contrary;
        match solver.check_assuming(cx, &others)? {
            Answer::Unsat(_) => {
                literals.remove(position);
            }
            Answer::Sat(_) => position += 1,
        }
    }
    Ok(literals)
}
