//! From exhausted frames to an inductive invariant.
//!
//! All reachable states are ends of unblocked paths through the frames. That set is no formula
//! without quantifiers; what is needed of it is found lazily. Starting from nothing, as long as an
//! initial state or a successor is outside of the set, a path to that state is asked for, and the
//! ends of all paths like it are added as a cube, by projection. The set consists of ends of paths
//! only, so it contains no bad state; there are finitely many cubes, so it is closed some time.
//!
//! The blocking clauses are a part of the certificate: paths that ignore them may lead to bad
//! states, because relations are over-approximations, and so may paths that use a relation at a
//! depth that was left before the relation was learned. But paths without them mostly do not, and
//! have fewer and larger cubes. So [`Paths::Any`] is tried first; when a cube contains a bad state,
//! or a successor is not the end of a path, [`Paths::Unblocked`] follows.
//!
//! At the end, literals are dropped as long as the set is inductive, then cubes that the others
//! contain.
//!
//! Source: [FG25] proves that the ends are closed. DIVERGENCE [FG25]: there, an invariant is read
//! off the final relations, regardless of blocking clauses and depths, which need not be inductive.

use shofar_base::{GaveUp, Outcome};
use shofar_chc::Moment;
use shofar_smt::{Answer, Options, Solver};
use shofar_term::eval::{Evaluator, Model};
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Term};

use super::frames::Frame;
use super::search::Search;
use crate::ts::invariant::bounds;

/// Which paths through the frames count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Paths {
    /// All paths of relations that frames offer.
    Any,
    /// Those that blocking clauses allow.
    Unblocked,
}

/// An inductive invariant of the system of `search`, whose frames are exhausted.
pub(super) fn invariant(cx: &mut Cx<'_>, search: &mut Search) -> Outcome<Term> {
    for paths in [Paths::Any, Paths::Unblocked] {
        if let Some(invariant) = along(cx, search, paths)? {
            return Ok(invariant);
        }
        tracing::debug!("the ends of {paths:?} paths are no invariant");
    }
    Err(GaveUp::wrong("a reachable state is not the end of a path"))
}

/// An inductive invariant made of ends of such paths, if there is one.
pub(super) fn along(cx: &mut Cx<'_>, search: &mut Search, paths: Paths) -> Outcome<Option<Term>> {
    let Some(cubes) = Extraction::new(cx, search, paths).close(cx)? else { return Ok(None) };
    let cubes = shrunk(cx, search, cubes)?;
    let disjuncts: Vec<Term> = cubes.iter().map(|cube| cx.store.and(cube)).collect();
    Ok(Some(cx.store.or(&disjuncts)))
}

/// A set of states as it grows.
struct Extraction<'s> {
    search: &'s mut Search,
    paths: Paths,
    /// Initial states outside of the set.
    init: Solver,
    /// Steps that leave the set.
    steps: Solver,
    bad: Solver,
    /// Paths through the frames, each of which is switched on by a literal.
    through: Solver,
    frames: Vec<Term>,
    /// The cubes, with the depth of the paths that end in them.
    cubes: Vec<(Term, usize)>,
}

impl<'s> Extraction<'s> {
    fn new(cx: &mut Cx<'_>, search: &'s mut Search, paths: Paths) -> Self {
        let solver = |cx: &mut Cx<'_>, formula: Term| {
            let mut solver = Solver::new(Options::default());
            solver.add(cx.store, formula);
            solver
        };
        let ts = &search.space.ts;
        let (init, steps, bad) = (ts.init, ts.step, ts.bad);
        let [init, steps, bad] = [init, steps, bad].map(|formula| solver(cx, formula));
        let first = search.space.timed(cx.store, search.space.ts.init, 0, 1);
        let mut through = solver(cx, first);
        let mut frames = Vec::new();
        for depth in 0..search.frames.depth() {
            let mut parts = search.frames.stack[depth].steps.clone();
            if paths == Paths::Unblocked {
                parts.extend(search.blocking(cx.store, depth));
            }
            let frame = cx.store.and(&parts);
            frames.push(crate::ts::switch(cx.store, &mut through, frame));
        }
        Self { search, paths, init, steps, bad, through, frames, cubes: Vec::new() }
    }
    /// The cubes of a set that is closed under steps; none if it has bad states, or a successor is
    /// not the end of a path.
    fn close(&mut self, cx: &mut Cx<'_>) -> Outcome<Option<Vec<Vec<Term>>>> {
        loop {
            let model = match self.init.check(cx)? {
                Answer::Unsat(_) => break,
                Answer::Sat(model) => model.assignment(cx.store),
            };
            let cube = shofar_mbp::project(cx.store, self.search.space.ts.init, &[], &model);
            if !self.add(cx, cube, 0)? {
                return Ok(None);
            }
        }
        let mut position = 0;
        while position < self.cubes.len() {
            let (cube, depth) = self.cubes[position];
            let model = match self.steps.check_assuming(cx, &[cube])? {
                Answer::Unsat(_) => {
                    position += 1;
                    continue;
                }
                Answer::Sat(model) => model.assignment(cx.store),
            };
            let Some((cube, depth)) = self.ends_around(cx, &model, depth)? else {
                return Ok(None);
            };
            if !self.add(cx, cube, depth)? {
                return Ok(None);
            }
        }
        let cubes = self.cubes.iter().map(|&(cube, _)| bounds(cx.store, &[cube])).collect();
        Ok(Some(cubes))
    }
    /// Adds a cube; whether it has no bad states.
    fn add(&mut self, cx: &mut Cx<'_>, cube: Term, depth: usize) -> Outcome<bool> {
        if let Answer::Sat(_) = self.bad.check_assuming(cx, &[cube])? {
            return Ok(false);
        }
        let outside = cx.store.not(cube);
        self.init.add(cx.store, outside);
        let next = self.search.space.ts.primed(cx.store, outside);
        self.steps.add(cx.store, next);
        self.cubes.push((cube, depth));
        Ok(true)
    }
    /// Ends of paths, the next state of `model` among them, which follows a state that ends a path
    /// of length `depth`.
    fn ends_around(
        &mut self,
        cx: &mut Cx<'_>,
        model: &Model,
        depth: usize,
    ) -> Outcome<Option<(Term, usize)>> {
        let most = self.frames.len();
        let likely = [(depth + 1).min(most), depth];
        let others = (0..=most).filter(|depth| !likely.contains(depth));
        for depth in likely.into_iter().chain(others) {
            let here = self.search.space.moments.state(cx.store, Moment::At(depth)).to_vec();
            let mut there = Vec::new();
            for (symbol, &next) in here.iter().zip(&self.search.space.ts.next) {
                let value = model.get_or_default(cx.store, next);
                let value = cx.store.value_term(&value, cx.store.result(next));
                let variable = cx.store.constant(*symbol);
                there.push(cx.store.eq(variable, value));
            }
            there.extend(&self.frames[..depth]);
            let path = match self.through.check_assuming(cx, &there)? {
                Answer::Unsat(_) => continue,
                Answer::Sat(model) => model.assignment(cx.store),
            };
            return Ok(Some((self.ends(cx, &path, depth), depth)));
        }
        Ok(None)
    }
    /// Ends of paths that use the same relations as the one of `model`.
    fn ends(&mut self, cx: &mut Cx<'_>, model: &Model, depth: usize) -> Term {
        let search = &mut *self.search;
        let mut parts = vec![search.space.timed(cx.store, search.space.ts.init, 0, 1)];
        for time in 0..depth {
            let frame = &search.frames.stack[time];
            let id = frame.selected(cx.store, model);
            let formula = search.relations[id].formula;
            parts.push(search.space.timed(cx.store, formula, time, time + 1));
            if self.paths == Paths::Unblocked {
                let allowed = allowed(frame, id, time);
                for (pairs, from) in allowed {
                    let pairs = search.space.timed(cx.store, pairs, from, time + 1);
                    parts.push(cx.store.not(pairs));
                }
            }
        }
        let all = cx.store.and(&parts);
        let here = search.space.moments.state(cx.store, Moment::At(depth)).to_vec();
        let mut others = free_symbols(cx.store, &[all]);
        others.retain(|symbol| !here.contains(symbol));
        let cube = shofar_mbp::project(cx.store, all, &others, model);
        debug_assert_eq!(Evaluator::with_defaults(model).holds(cx.store, cube), Ok(true));
        search.space.moments.moved(cx.store, cube, Moment::At(depth), Moment::Present)
    }
}

/// What must not hold where the frame at `time` uses `relation`, and between which times.
fn allowed(frame: &Frame, relation: super::relation::RelId, time: usize) -> Vec<(Term, usize)> {
    let covers = frame.covers.iter().filter(|cover| !cover.allows(relation));
    let covers = covers.map(|cover| (cover.pairs, time));
    covers.chain(frame.blocks.iter().map(|(start, block)| (block.pairs, *start))).collect()
}

/// How many literals invariants may have in which superfluous ones are looked for.
const LITERALS: usize = 400;

/// `cubes`, whose union is inductive and without bad states, with fewer literals and without
/// superfluous cubes.
fn shrunk(cx: &mut Cx<'_>, search: &Search, mut cubes: Vec<Vec<Term>>) -> Outcome<Vec<Vec<Term>>> {
    if cubes.iter().map(Vec::len).sum::<usize>() > LITERALS {
        return Ok(cubes);
    }
    let ts = &search.space.ts;
    let mut bad = Solver::new(Options::default());
    bad.add(cx.store, ts.bad);
    // What is outside of a larger cube is outside of the smaller one, so nothing has to be taken
    // back.
    let mut steps = Solver::new(Options::default());
    steps.add(cx.store, ts.step);
    for cube in &cubes {
        let inside = cx.store.and(cube);
        let outside = cx.store.not(inside);
        let outside = ts.primed(cx.store, outside);
        steps.add(cx.store, outside);
    }
    for cube in &mut cubes {
        let mut position = 0;
        while position < cube.len() {
            let mut fewer = cube.clone();
            fewer.remove(position);
            let larger = cx.store.and(&fewer);
            let outside = cx.store.not(larger);
            let outside = ts.primed(cx.store, outside);
            let is_harmless = matches!(bad.check_assuming(cx, &fewer)?, Answer::Unsat(_));
            if is_harmless
                && matches!(steps.check_assuming(cx, &[larger, outside])?, Answer::Unsat(_))
            {
                steps.add(cx.store, outside);
                *cube = fewer;
            } else {
                position += 1;
            }
        }
    }
    without_contained(cx, cubes)
}

/// `cubes` without those that the others contain.
fn without_contained(cx: &mut Cx<'_>, mut cubes: Vec<Vec<Term>>) -> Outcome<Vec<Vec<Term>>> {
    let mut solver = Solver::new(Options::default());
    let mut position = cubes.len();
    while position > 0 {
        position -= 1;
        let mut parts = Vec::new();
        for (i, cube) in cubes.iter().enumerate() {
            let inside = cx.store.and(cube);
            parts.push(if i == position { inside } else { cx.store.not(inside) });
        }
        if let Answer::Unsat(_) = solver.check_assuming(cx, &parts)? {
            cubes.remove(position);
        }
    }
    Ok(cubes)
}
