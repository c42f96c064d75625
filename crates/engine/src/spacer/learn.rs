//! Lemmas from blocked obligations, and their generalisation.
//!
//! The interpolant between the steps into an obligation and its cube is split into clauses. Each
//! clause's negation is a cube, from which literals are dropped, and whose equations and bounds are
//! widened, as long as it stays *inductive*: not derivable within its level from premises outside
//! of it.
//!
//! Source: [KGC16] rules *Conflict* and *Induction*; [VCSG20] for widening bounds to the numbers
//! that occur in rules.

use shofar_base::Outcome;
use shofar_num::Rational;
use shofar_smt::Answer;
use shofar_term::substitute::rename;
use shofar_term::{Bound, Comparison, Cx, Level, LinearLiteral, Phase, Term, TermStore};

use super::frames::Own;
use super::guide::Advice;
use super::literal::refuted_cubes;
use super::obligation::Obligation;
use super::rules::Node;
use super::search::{Search, decided};

/// Cubes larger than this are not interpolated away but only shrunk.
const MOST_CUBES: usize = 8;

/// How many numbers a bound is moved to in turn.
const MOST_BOUNDS: usize = 8;

/// A cube that is not derivable within a bound.
struct Excluded {
    cube: Vec<Term>,
    bound: Bound,
}

impl Search<'_> {
    /// *Conflict*: blocks the obligation, of which the literals `core` are not derivable within its
    /// level, by lemmas; returns what they suggest.
    pub(super) fn conflict(
        &mut self,
        cx: &mut Cx<'_>,
        obligation: &Obligation,
        core: &[Term],
    ) -> Outcome<Vec<Advice>> {
        let (node, level) = (obligation.node, obligation.level);
        let mut advice = Vec::new();
        for found in self.exclude(cx, node, core, level)? {
            let found = cx.phase(Phase::Generalization, |cx| {
                let found = self.generalize(cx, node, found, level)?;
                if obligation.widen { self.widen_bounds(cx, node, found, level) } else { Ok(found) }
            })?;
            let Excluded { mut cube, mut bound } = found;
            if cube != obligation.cube && self.guide.is_stuck(cx.store, node, &cube) {
                self.stats.detours += 1;
                (cube, bound) = (obligation.cube.clone(), Bound::Within(obligation.level));
            }
            let is_new = self.frames.add(cx.store, &self.rules, node, cube.clone(), bound);
            self.stats.lemmas += u64::from(is_new);
            if is_new && node != self.rules.goal {
                let start = obligation.level;
                advice.extend(self.guide.advise(cx.store, node, &cube, start, &obligation.cube));
            }
        }
        Ok(advice)
    }
    /// Cubes that are not derivable within `level` and together contain `core`.
    fn exclude(
        &mut self,
        cx: &mut Cx<'_>,
        node: Node,
        core: &[Term],
        level: Level,
    ) -> Outcome<Vec<Excluded>> {
        for own in [Own::Forgotten, Own::Known] {
            let interpolated =
                cx.phase(Phase::Interpolation, |cx| self.interpolate(cx, node, core, level, own));
            let Some((found, until)) = interpolated? else { continue };
            let cubes = found.and_then(|found| refuted_cubes(cx.store, found));
            if let Some(cubes) = cubes.filter(|c| c.len() <= MOST_CUBES) {
                let excluded = |cube| Excluded { cube, bound: until };
                return Ok(cubes.into_iter().map(excluded).collect());
            }
            break;
        }
        Ok(vec![Excluded { cube: core.to_vec(), bound: Bound::Within(level) }])
    }
    /// An interpolant that excludes `core` within `level`, if one is found, and the bound up to
    /// which it does; nothing if `core` is not known to be excluded.
    fn interpolate(
        &mut self,
        cx: &mut Cx<'_>,
        node: Node,
        core: &[Term],
        level: Level,
        own: Own,
    ) -> Outcome<Option<(Option<Term>, Bound)>> {
        let assumptions = self.inductive_assumptions(cx, node, core, level, own);
        self.stats.queries += 1;
        let Some(Answer::Unsat(view)) =
            decided(self.frames.steps(node).check_assuming(cx, &assumptions))?
        else {
            return Ok(None);
        };
        let failed = view.failed();
        let found = view.interpolant_of_assumptions(cx, core, &self.options.interpolation);
        let until = self.frames.holds_until(cx.store, &self.rules, (node, level), &failed);
        Ok(Some((decided(found)?, until)))
    }
    /// Drops literals and widens others as long as the cube stays inductive.
    fn generalize(
        &mut self,
        cx: &mut Cx<'_>,
        node: Node,
        mut best: Excluded,
        level: Level,
    ) -> Outcome<Excluded> {
        self.activity.sort(node, &mut best.cube);
        let mut tried: Vec<Term> = Vec::new();
        while best.cube.len() > 1 {
            let Some(&literal) = best.cube.iter().find(|t| !tried.contains(t)) else { break };
            tried.push(literal);
            if !self.activity.is_hopeful(node, literal) {
                continue;
            }
            let rest: Vec<Term> = best.cube.iter().copied().filter(|&t| t != literal).collect();
            let smaller = self.inductive(cx, node, &rest, level)?;
            self.activity.tried(node, literal, smaller.is_some());
            best = smaller.unwrap_or(best);
        }
        self.activity.used(node, &best.cube);
        let mut at = 0;
        while at < best.cube.len() {
            let literal = best.cube[at];
            at += 1;
            for wider in Self::wider(cx.store, literal) {
                let mut cube = best.cube.clone();
                cube[at - 1] = wider;
                if let Some(found) = self.inductive(cx, node, &cube, level)? {
                    at = 0;
                    best = found;
                    break;
                }
            }
        }
        Ok(best)
    }
    /// Moves bounds outward to the farthest number of the rules at which the cube stays inductive.
    fn widen_bounds(
        &mut self,
        cx: &mut Cx<'_>,
        node: Node,
        mut best: Excluded,
        level: Level,
    ) -> Outcome<Excluded> {
        let mut at = 0;
        while at < best.cube.len() {
            let Some(inequality) = LinearLiteral::of(cx.store, best.cube[at]) else {
                at += 1;
                continue;
            };
            let (upper, bound) = (inequality.relation.is_upper(), inequality.bound.clone());
            let split = self
                .rules
                .numbers
                .partition_point(|n| if upper { *n <= bound } else { *n < bound });
            let mut candidates: Vec<Rational> = if inequality.relation == Comparison::Equal {
                Vec::new()
            } else if upper {
                self.rules.numbers[split..].iter().take(MOST_BOUNDS).cloned().collect()
            } else {
                self.rules.numbers[..split].iter().rev().take(MOST_BOUNDS).cloned().collect()
            };
            candidates.reverse();
            let mut found = None;
            for bound in candidates {
                let mut cube = best.cube.clone();
                cube[at] = LinearLiteral { bound, ..inequality.clone() }.literal(cx.store);
                found = self.inductive(cx, node, &cube, level)?;
                if found.is_some() {
                    break;
                }
            }
            if let Some(found) = found {
                best = found;
            }
            at += 1;
        }
        Ok(best)
    }
    /// Weaker literals to try in place of one: the halves of an equation.
    fn wider(store: &mut TermStore, literal: Term) -> Vec<Term> {
        let Some(inequality) = LinearLiteral::of(store, literal) else { return Vec::new() };
        if inequality.relation != Comparison::Equal {
            return Vec::new();
        }
        [Comparison::AtMost, Comparison::AtLeast]
            .map(|relation| LinearLiteral { relation, ..inequality.clone() }.literal(store))
            .to_vec()
    }
    /// For a cube that somebody else suggests: the part of it that is inductive within `level`, and
    /// up to which bound.
    pub(super) fn excluded(
        &mut self,
        cx: &mut Cx<'_>,
        node: Node,
        cube: &[Term],
        level: Level,
    ) -> Outcome<Option<(Vec<Term>, Bound)>> {
        Ok(self.inductive(cx, node, cube, level)?.map(|found| (found.cube, found.bound)))
    }
    /// The part of `cube` that is needed to show it inductive within `level`, and up to which level
    /// it is.
    fn inductive(
        &mut self,
        cx: &mut Cx<'_>,
        node: Node,
        cube: &[Term],
        level: Level,
    ) -> Outcome<Option<Excluded>> {
        let assumptions = self.inductive_assumptions(cx, node, cube, level, Own::Known);
        self.stats.inductions += 1;
        let failed = match decided(self.frames.steps(node).check_assuming(cx, &assumptions))? {
            Some(Answer::Unsat(view)) => view.failed(),
            Some(Answer::Sat(_)) | None => return Ok(None),
        };
        let until = self.frames.holds_until(cx.store, &self.rules, (node, level), &failed);
        // A smaller cube makes a stronger hypothesis, so what the refutation did not need can go.
        let needed: Vec<Term> = cube.iter().copied().filter(|t| failed.contains(t)).collect();
        let cube = if needed.is_empty() { cube.to_vec() } else { needed };
        Ok(Some(Excluded { cube, bound: until }))
    }
    /// `cube` within `level`, from premises that are not in it if they are of the same node.
    fn inductive_assumptions(
        &mut self,
        cx: &mut Cx<'_>,
        node: Node,
        cube: &[Term],
        level: Level,
        own: Own,
    ) -> Vec<Term> {
        let mut assumptions = self.frames.step_switches(cx.store, &self.rules, node, level, own);
        if level > Level::ZERO {
            let inside = cx.store.and(cube);
            let outside = cx.store.not(inside);
            for &r in &self.rules.deriving[node] {
                let rule = &self.rules.all[r];
                for premise in rule.body.iter().filter(|p| Node::of(p.pred) == node) {
                    let said =
                        rename(cx.store, outside, &self.rules.formals[node], &premise.formals);
                    assumptions.push(cx.store.implies(self.rules.tags[r], said));
                }
            }
        }
        assumptions.extend(cube);
        assumptions
    }
}
