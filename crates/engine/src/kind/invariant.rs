//! From a property that is inductive after `k` steps to an inductive invariant.
//!
//! If `¬bad` is k-inductive, the states that cannot reach a bad state in fewer than `k` steps are closed under steps,
//! contain the initial states and no bad one. Call that set `S`. Its definition, `¬∃ x₁ … bad`, has quantifiers. Two ways
//! to something without:
//!
//! - *Interpolation*, [`from_below`]: over-approximate the initial states, then again and again the states one step further,
//!   each time within `S`. That is always possible because `S` is closed, so unlike in [McM03] no approximation is ever
//!   too coarse; the union is an invariant as soon as it stops growing.
//! - *Projection*, [`from_above`]: start from `¬bad`; as long as a step leaves the set, take out a whole cube of
//!   states that can make such a step, found by model-based projection. This is elimination of the quantifiers of `S`, but
//!   only of those cases that matter. A cube is enlarged if what is left of it is enough to be inductive relative to the set.
//!
//! The first is tried for some rounds, then the second goes on until it ends; over the reals it does, as projection has
//! finitely many results.
//!
//! Source: seed 000 §5.5.2 (a quantified invariant and its elimination). DIVERGENCE: there, the quantifiers are eliminated at once.

use shofar_base::Outcome;
use shofar_chc::TransitionSystem;
use shofar_smt::{Answer, Options, Solver};
use shofar_term::{Cx, Sort, Term, TermStore};

use crate::definitions::flatten;

/// How often the states one step further are over-approximated.
const ROUNDS: usize = 24;

/// An inductive invariant of `ts`, whose property is inductive after `k` steps and holds in the first `k` states.
pub(super) fn inductive(cx: &mut Cx<'_>, ts: &TransitionSystem, k: usize) -> Outcome<Term> {
    let harmless = cx.store.not(ts.bad);
    if k <= 1 {
        return Ok(harmless);
    }
    let invariant = match from_below(cx, ts, k)? {
        Some(invariant) => invariant,
        None => from_above(cx, ts)?,
    };
    debug_assert!(is_invariant(cx, ts, invariant)?, "what was proved is an invariant");
    Ok(invariant)
}

/// The union of over-approximated images of the initial states, if it soon stops growing.
fn from_below(cx: &mut Cx<'_>, ts: &TransitionSystem, k: usize) -> Outcome<Option<Term>> {
    let init = ts.timed(cx.store, ts.init, 1);
    let step = ts.timed(cx.store, ts.step, 0);
    let soon_bad = soon_bad(cx.store, ts, k);
    let mut image = interpolant(cx, ts, &[init], soon_bad)?;
    let mut union = vec![image];
    let mut inside = Solver::new(Options::default());
    for _ in 0..ROUNDS {
        let outside = cx.store.not(image);
        inside.add(cx.store, outside);
        let from = ts.timed(cx.store, image, 0);
        image = interpolant(cx, ts, &[from, step], soon_bad)?;
        if let Answer::Unsat(_) = inside.check_assuming(cx, &[image])? {
            return Ok(Some(cx.store.or(&union)));
        }
        union.push(image);
    }
    Ok(None)
}

/// That the state at time 1 can reach a bad one in fewer than `k` steps.
fn soon_bad(store: &mut TermStore, ts: &TransitionSystem, k: usize) -> Term {
    let mut result = ts.timed(store, ts.bad, k);
    for time in (1..k).rev() {
        let (bad, step) = (ts.timed(store, ts.bad, time), ts.timed(store, ts.step, time));
        let later = store.and(&[step, result]);
        result = store.or(&[bad, later]);
    }
    result
}

/// The interpolant of `below` and `above`, which share the state at time 1, said of the present state.
fn interpolant(
    cx: &mut Cx<'_>,
    ts: &TransitionSystem,
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
    Ok(ts.untimed(cx.store, interpolant, 1))
}

/// `¬bad` without the cubes of states from which steps lead out, until there are none.
fn from_above(cx: &mut Cx<'_>, ts: &TransitionSystem) -> Outcome<Term> {
    let mut search = Search::new(cx.store, ts);
    let harmless = cx.store.not(ts.bad);
    search.keep(cx.store, harmless);
    while let Some(cube) = search.leaving_cube(cx)? {
        let cube = search.enlarged(cx, cube)?;
        let kept = cx.store.not(cube);
        search.keep(cx.store, kept);
    }
    Ok(cx.store.and(&search.kept))
}

/// The state of [`from_above`].
struct Search<'t> {
    ts: &'t TransitionSystem,
    /// The conjuncts of the set, each of which contains all reachable states.
    kept: Vec<Term>,
    /// The set and a step; a literal says that the step leads out of the set.
    steps: Solver,
    /// For each conjunct, a literal that implies its negation in the next state.
    outs: Vec<Term>,
    init: Solver,
}

impl<'t> Search<'t> {
    fn new(store: &mut TermStore, ts: &'t TransitionSystem) -> Self {
        let (mut steps, mut init) =
            (Solver::new(Options::default()), Solver::new(Options::default()));
        steps.add(store, ts.step);
        init.add(store, ts.init);
        Self { ts, kept: Vec::new(), steps, outs: Vec::new(), init }
    }
    /// Makes the set smaller.
    fn keep(&mut self, store: &mut TermStore, conjunct: Term) {
        self.kept.push(conjunct);
        self.steps.add(store, conjunct);
        let next = self.ts.primed(store, conjunct);
        let violated = store.not(next);
        let out = store.fresh("out", Sort::Bool);
        let out = store.constant(out);
        let meaning = store.implies(out, violated);
        self.steps.add(store, meaning);
        self.outs.push(out);
    }
    /// States of the set from which a step leads out of it, if there are any.
    fn leaving_cube(&mut self, cx: &mut Cx<'_>) -> Outcome<Option<Term>> {
        // The youngest conjuncts first: they are the ones not known to be inductive.
        for position in (0..self.outs.len()).rev() {
            let model = match self.steps.check_assuming(cx, &[self.outs[position]])? {
                Answer::Unsat(_) => continue,
                Answer::Sat(model) => model.assignment().clone(),
            };
            let next = self.ts.primed(cx.store, self.kept[position]);
            let violated = cx.store.not(next);
            let leaving = cx.store.and(&[self.ts.step, violated]);
            let mut others = self.ts.locals(cx.store, leaving);
            others.extend(&self.ts.next);
            return Ok(Some(shofar_mbp::project(cx.store, leaving, &others, &model)));
        }
        Ok(None)
    }
    /// A part of the cube's literals that no step from the set enters, if the whole cube is like that.
    fn enlarged(&mut self, cx: &mut Cx<'_>, cube: Term) -> Outcome<Term> {
        let literals = flatten(cx.store, &[cube]);
        let primed: Vec<Term> = literals.iter().map(|&l| self.ts.primed(cx.store, l)).collect();
        self.steps.push();
        let outside = cx.store.not(cube);
        self.steps.add(cx.store, outside);
        let failed = match self.steps.check_assuming(cx, &primed)? {
            Answer::Unsat(why) => Some(why.failed()),
            Answer::Sat(_) => None,
        };
        self.steps.pop(1);
        let Some(failed) = failed else { return Ok(cube) };
        let few: Vec<Term> = literals
            .iter()
            .zip(&primed)
            .filter(|(_, p)| failed.contains(p))
            .map(|(&l, _)| l)
            .collect();
        match self.init.check_assuming(cx, &few)? {
            Answer::Unsat(_) => Ok(cx.store.and(&few)),
            Answer::Sat(_) => Ok(cube),
        }
    }
}

/// Whether `invariant` contains the initial states, is closed under steps, and contains no bad state.
fn is_invariant(cx: &mut Cx<'_>, ts: &TransitionSystem, invariant: Term) -> Outcome<bool> {
    let outside = cx.store.not(invariant);
    let outside_next = ts.primed(cx.store, outside);
    for formulas in
        [vec![ts.init, outside], vec![invariant, ts.step, outside_next], vec![invariant, ts.bad]]
    {
        let mut solver = Solver::new(Options::default());
        for formula in formulas {
            solver.add(cx.store, formula);
        }
        if let Answer::Sat(_) = solver.check(cx)? {
            return Ok(false);
        }
    }
    Ok(true)
}
