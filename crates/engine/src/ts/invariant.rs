//! From a property that is inductive after `k` steps to an inductive invariant.
//!
//! If `¬bad` is k-inductive, the states that cannot reach a bad state in fewer than `k` steps are
//! closed under steps, contain the initial states and no bad one. Call that set `S`. Its
//! definition, `¬∃ x₁ … bad`, has quantifiers. Two ways to something without:
//!
//! - *Interpolation*, [`from_below`]: over-approximate the initial states, then again and again the
//!   states one step further, each time within `S`. That is always possible because `S` is closed,
//!   so unlike in [McM03] no approximation is ever too coarse; the union is an invariant as soon as
//!   it stops growing.
//! - *Projection*, [`from_above`]: start from `¬bad`; as long as a step leaves the set, take out a
//!   whole cube of states that can make such a step, found by model-based projection. This is
//!   elimination of the quantifiers of `S`, but only of those cases that matter. A cube that no
//!   step enters is enlarged as long as no step enters it, as in [Bra11].
//!
//! The second gives much smaller invariants, and is tried first; when it takes more than a few
//! cubes, once more with the help of [`equalities`]. If it takes very many cubes, which may happen
//! over the integers, the first is tried for some rounds before the second goes on.
//!
//! Source: [Bli22] §5.5.2 (a quantified invariant and its elimination). DIVERGENCE: there, the
//! quantifiers are eliminated at once.

use shofar_base::{Outcome, Set};
use shofar_chc::{Timeline, TransitionSystem};
use shofar_num::Rational;
use shofar_smt::{Answer, Options, Solver, implies};
use shofar_term::{Comparison, Cx, LinearLiteral, Term, TermStore};

use super::equalities::equalities;
use super::{soon_bad, switch};

/// How many cubes are taken out before equalities are looked for.
const FEW_CUBES: usize = 30;
/// How many cubes are taken out before interpolation is tried.
const CUBES: usize = 2_000;
/// How often the states one step further are over-approximated.
const ROUNDS: usize = 24;

/// An inductive invariant of `ts`, whose property is inductive after `k` steps and holds in the
/// first `k` states. Neither `¬bad` nor what `ts` is asked about may have locals.
pub(crate) fn inductive(cx: &mut Cx<'_>, ts: &TransitionSystem, k: usize) -> Outcome<Term> {
    let harmless = cx.store.not(ts.bad);
    if k <= 1 {
        return Ok(harmless);
    }
    let mut search = Search::new(cx.store, ts);
    if let Some(invariant) = from_above(cx, &mut search, Some(FEW_CUBES))? {
        return checked(cx, ts, invariant);
    }
    // With equalities that cubes cannot express, a new search needs far fewer cubes.
    search = Search::new(cx.store, ts);
    for conjunct in equalities(cx, ts)? {
        search.keep(cx.store, conjunct);
    }
    if let Some(invariant) = from_above(cx, &mut search, Some(CUBES))? {
        return checked(cx, ts, invariant);
    }
    if let Some(invariant) = from_below(cx, ts, k)? {
        return checked(cx, ts, invariant);
    }
    let invariant = from_above(cx, &mut search, None)?.expect("there is no limit");
    checked(cx, ts, invariant)
}

/// `invariant`, which debug builds do not believe in without a proof.
fn checked(cx: &mut Cx<'_>, ts: &TransitionSystem, invariant: Term) -> Outcome<Term> {
    debug_assert!(is_invariant(cx, ts, invariant)?, "what was proved is an invariant");
    Ok(invariant)
}

/// Whether `invariant` contains the initial states, is closed under steps, and contains no bad
/// state.
pub(crate) fn is_invariant(
    cx: &mut Cx<'_>,
    ts: &TransitionSystem,
    invariant: Term,
) -> Outcome<bool> {
    let (next, harmless) = (ts.primed(cx.store, invariant), cx.store.not(ts.bad));
    let mut follows =
        |premises: &[Term], conclusion| implies(cx, Options::default(), premises, conclusion);
    Ok(follows(&[ts.init], invariant)?
        && follows(&[invariant, ts.step], next)?
        && follows(&[invariant], harmless)?)
}

/// The union of over-approximated images of the initial states, if it soon stops growing.
fn from_below(cx: &mut Cx<'_>, ts: &TransitionSystem, k: usize) -> Outcome<Option<Term>> {
    let timeline = &mut Timeline::new(cx.store, ts);
    let init = timeline.timed(cx.store, ts.init, 1);
    let step = timeline.timed(cx.store, ts.step, 0);
    let soon_bad = soon_bad(cx.store, timeline, 1, k);
    let mut image = interpolant(cx, timeline, &[init], soon_bad)?;
    let mut union = vec![image];
    let mut inside = Solver::new(Options::default());
    for _ in 0..ROUNDS {
        let outside = cx.store.not(image);
        inside.add(cx.store, outside);
        let from = timeline.timed(cx.store, image, 0);
        image = interpolant(cx, timeline, &[from, step], soon_bad)?;
        if let Answer::Unsat(_) = inside.check_assuming(cx, &[image])? {
            return Ok(Some(cx.store.or(&union)));
        }
        union.push(image);
    }
    Ok(None)
}

/// The interpolant of `below` and `above`, which share the state at time 1, said of the present
/// state.
fn interpolant(
    cx: &mut Cx<'_>,
    timeline: &mut Timeline<'_>,
    below: &[Term],
    above: Term,
) -> Outcome<Term> {
    let mut solver = Solver::new(Options::with_proofs());
    let parts: Vec<_> = below.iter().map(|&t| solver.add(cx.store, t)).collect();
    solver.add(cx.store, above);
    let interpolant = match solver.check(cx)? {
        Answer::Unsat(proof) => proof.interpolant(cx, &parts)?,
        Answer::Sat(_) => unreachable!("the states that are not soon bad are closed under steps"),
    };
    Ok(timeline.untimed(cx.store, interpolant, 1))
}

/// `¬bad` without the cubes of states from which steps lead out, until there are none or `limit` of
/// them were taken out.
fn from_above(
    cx: &mut Cx<'_>,
    search: &mut Search<'_>,
    limit: Option<usize>,
) -> Outcome<Option<Term>> {
    // A conjunct that no step violates stays like that, because the set only gets smaller.
    while let Some(conjunct) = search.open.pop() {
        if limit.is_some_and(|limit| search.kept.len() > limit) {
            search.open.push(conjunct);
            return Ok(None);
        }
        let Some(cube) = search.leaving_cube(cx, &conjunct)? else { continue };
        search.open.push(conjunct);
        let (cube, fate) = search.enlarged(cx, cube)?;
        search.take_out(cx.store, &cube, fate);
    }
    Ok(Some(cx.store.and(&search.kept)))
}

/// Whether steps from the set lead into a cube that was taken out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Entered,
    NeverEntered,
}

/// A conjunct of the set.
pub(super) struct Conjunct {
    /// That the next state does not satisfy it.
    violated: Term,
    /// A literal that implies that.
    out: Term,
}

/// The state of [`from_above`].
pub(super) struct Search<'t> {
    ts: &'t TransitionSystem,
    /// The conjuncts of the set, each of which contains all reachable states.
    pub(super) kept: Vec<Term>,
    /// Conjuncts that steps from the set may violate.
    pub(super) open: Vec<Conjunct>,
    /// The set and a step from it.
    steps: Solver,
    init: Solver,
}

impl<'t> Search<'t> {
    pub(super) fn new(store: &mut TermStore, ts: &'t TransitionSystem) -> Self {
        let mut steps = Solver::new(Options::default());
        let mut init = Solver::new(Options::default());
        steps.add(store, ts.step);
        init.add(store, ts.init);
        let mut this = Self { ts, kept: Vec::new(), open: Vec::new(), steps, init };
        for case in cases(store, ts.bad) {
            let harmless = store.not(case);
            let harmless = this.keep(store, harmless);
            this.open.push(harmless);
        }
        this
    }
    /// Makes the set smaller.
    pub(super) fn keep(&mut self, store: &mut TermStore, conjunct: Term) -> Conjunct {
        self.kept.push(conjunct);
        self.steps.add(store, conjunct);
        let next = self.ts.primed(store, conjunct);
        let violated = store.not(next);
        let out = switch(store, &mut self.steps, violated);
        Conjunct { violated, out }
    }
    /// Makes the set smaller by the states of `cube`.
    pub(super) fn take_out(&mut self, store: &mut TermStore, cube: &[Term], fate: Fate) {
        let inside = store.and(cube);
        let outside = store.not(inside);
        let kept = self.keep(store, outside);
        if fate == Fate::Entered {
            self.open.push(kept);
        }
    }
    /// States of the set from which a step violates `conjunct`, if there are any.
    pub(super) fn leaving_cube(
        &mut self,
        cx: &mut Cx<'_>,
        conjunct: &Conjunct,
    ) -> Outcome<Option<Vec<Term>>> {
        let model = match self.steps.check_assuming(cx, &[conjunct.out])? {
            Answer::Unsat(_) => return Ok(None),
            Answer::Sat(model) => model.assignment(cx.store),
        };
        let leaving = cx.store.and(&[self.ts.step, conjunct.violated]);
        let mut others = self.ts.locals(cx.store, leaving);
        others.extend(&self.ts.next);
        let cube = shofar_mbp::project(cx.store, leaving, &others, &model);
        Ok(Some(bounds(cx.store, &[cube])))
    }
    /// A part of the cube's literals that still excludes initial states and that no step from
    /// outside enters, if the whole cube is like that; otherwise the cube.
    pub(super) fn enlarged(
        &mut self,
        cx: &mut Cx<'_>,
        mut cube: Vec<Term>,
    ) -> Outcome<(Vec<Term>, Fate)> {
        let Some(core) = self.never_entered(cx, &cube)? else {
            return Ok((cube, Fate::Entered));
        };
        cube = core;
        let mut position = 0;
        while position < cube.len() {
            let mut smaller = cube.clone();
            smaller.remove(position);
            match self.never_entered(cx, &smaller)? {
                Some(core) => cube = core,
                None => position += 1,
            }
        }
        self.weaken(cx, &mut cube)?;
        Ok((cube, Fate::NeverEntered))
    }
    /// Says of strict inequalities only that the sides differ, where that is enough; invariants are
    /// often equations.
    fn weaken(&mut self, cx: &mut Cx<'_>, cube: &mut Vec<Term>) -> Outcome<()> {
        for position in 0..cube.len() {
            let Some(difference) = difference(cx.store, cube[position]) else { continue };
            let mut larger = cube.clone();
            larger[position] = difference;
            if self.never_entered(cx, &larger)?.is_some() {
                *cube = larger;
            }
        }
        Ok(())
    }
    /// A part of `cube` that contains no initial state and that no step from the rest of the set
    /// enters, in its order.
    fn never_entered(&mut self, cx: &mut Cx<'_>, cube: &[Term]) -> Outcome<Option<Vec<Term>>> {
        let mut needed: Set<Term> = match self.init.check_assuming(cx, cube)? {
            Answer::Unsat(why) => why.failed().into_iter().collect(),
            Answer::Sat(_) => return Ok(None),
        };
        let outside = cx.store.and(cube);
        let outside = cx.store.not(outside);
        let primed: Vec<Term> = cube.iter().map(|&l| self.ts.primed(cx.store, l)).collect();
        self.steps.push();
        self.steps.add(cx.store, outside);
        let failed: Option<Set<Term>> = match self.steps.check_assuming(cx, &primed)? {
            Answer::Unsat(why) => Some(why.failed().into_iter().collect()),
            Answer::Sat(_) => None,
        };
        self.steps.pop(1);
        let Some(failed) = failed else { return Ok(None) };
        needed
            .extend(cube.iter().zip(&primed).filter(|(_, p)| failed.contains(*p)).map(|(&l, _)| l));
        Ok(Some(cube.iter().copied().filter(|l| needed.contains(l)).collect()))
    }
}

/// Formulas of which `formula` is the disjunction: what holds in each is shown more easily than in
/// all of them at once.
fn cases(store: &mut TermStore, formula: Term) -> Vec<Term> {
    let mut result = Vec::new();
    for disjunct in store.disjuncts(&[formula]) {
        let mut parts = store.conjuncts(&[disjunct]);
        let choices = |part: &Term| store.disjuncts(&[*part]).len();
        let Some(at) = (0..parts.len()).max_by_key(|&i| choices(&parts[i])) else {
            return vec![formula];
        };
        for choice in store.disjuncts(&[parts[at]]) {
            parts[at] = choice;
            result.push(store.and(&parts));
        }
    }
    result
}

/// `t ≠ c` for `t < c` or `t > c`.
fn difference(store: &mut TermStore, literal: Term) -> Option<Term> {
    let LinearLiteral { form, relation, bound } = LinearLiteral::of(store, literal)?;
    let is_int = store.sort(form).is_int();
    let bound = match relation {
        Comparison::Below | Comparison::Above => bound,
        Comparison::AtMost if is_int => bound + Rational::ONE,
        Comparison::AtLeast if is_int => bound - Rational::ONE,
        Comparison::AtMost | Comparison::AtLeast | Comparison::Equal => return None,
    };
    let bound = store.number(bound, store.sort(form));
    let equation = store.eq(form, bound);
    Some(store.not(equation))
}

/// The literals of `cube`, equations as two bounds, so that one of them may be left out.
pub(crate) fn bounds(store: &mut TermStore, cube: &[Term]) -> Vec<Term> {
    let mut result = Vec::new();
    for literal in store.conjuncts(cube) {
        match store.equation_bounds(literal) {
            Some(bounds) => result.extend(bounds),
            None => result.push(literal),
        }
    }
    result
}
