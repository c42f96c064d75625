//! Shortcuts for loops whose effect is known in closed form.
//!
//! A clause `p(x̄) ∧ φ → p(x̄')` whose relation has an exact closure gets a second one,
//! `p(x̄) ∧ φⁿ → p(x̄')`, with the number of iterations `n ≥ 1` as a variable; so do cycles of a few
//! clauses, and the disjuncts of clauses (see [`cycles`]). A shortcut is implied by the clauses of
//! its cycle, so models of the new clauses are models of the old ones and the other way round. A
//! step of a shortcut is `n` iterations of the cycle, with the values that its update computes,
//! folded as soon as their values are a progression ([`iterations`]).
//!
//! Only deterministic cycles in which something grows or shrinks get a shortcut: others gain
//! nothing, or their steps would have to be searched for.
//!
//! Invariant: the clauses of the source are kept in their order but for loops that shortcuts
//! [replace](Loops), and shortcuts follow them.
//!
//! Source: [HIKKR12] §3 (static acceleration); [FL02].
//! DIVERGENCE [HIKKR12]: loops are kept beside their closure, unless they are asked to be replaced.

mod cycles;
mod iterations;

use shofar_accelerate::{Relation, exact};
use shofar_base::{IndexVec, Outcome, Set};
use shofar_chc::{
    BackTranslation, ChcSystem, Clause, ClauseId, Derivation, DerivationStep, Hint, Interpretation,
    Translated,
};
use shofar_num::Rational;
use shofar_term::size::dag_size;
use shofar_term::{Cx, Sort, TermStore};

use crate::Pass;
use crate::back::{Origin, WayBack, unchanged};
use crate::normalize::on_normal;
use crate::stepwise::{Made, StepWise, translate};
use cycles::{Cycle, cycles};
use iterations::Iterations;

/// Shortcuts with larger constraints are not made.
const LARGEST: usize = 300;
/// So many shortcuts are made at most.
const MOST: usize = 32;

/// Adds shortcuts for loops; see the module documentation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Accelerate {
    /// What becomes of the loops.
    pub loops: Loops,
}

/// What becomes of clauses that are loops all of whose disjuncts have a shortcut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Loops {
    /// They stay, so that one iteration needs no arithmetic on counts.
    #[default]
    Kept,
    /// They are dropped, since shortcuts include single iterations.
    Replaced,
}

impl Pass for Accelerate {
    fn name(&self) -> &'static str {
        "accelerate"
    }
    fn apply(
        &self,
        cx: &mut Cx<'_>,
        source: ChcSystem,
    ) -> Outcome<Translated<ChcSystem, ChcSystem>> {
        on_normal(cx, source, |cx, source| {
            let found = cycles(cx, &source)?;
            let source = source.into_clauses();
            let mut made = Shortcuts::new(&source);
            // Loops that are no shortcut, even in part.
            let mut others: Set<ClauseId> = Set::default();
            for cycle in found {
                cx.budget.check()?;
                let alone = cycle.alone;
                let is_made = made.clauses.len() < MOST && made.add(cx, cycle)?;
                others.extend(alone.filter(|_| !is_made));
            }
            if made.clauses.is_empty() {
                return Ok(unchanged(source));
            }
            let is_kept = |id: &ClauseId| match self.loops {
                Loops::Kept => true,
                Loops::Replaced => !made.loops.contains(id) || others.contains(id),
            };
            let kept: Vec<ClauseId> = source.clauses().map(|(id, _)| id).filter(is_kept).collect();
            Ok(made.finish(cx.store, source, &kept))
        })
    }
}

/// Shortcuts on the way.
struct Shortcuts {
    /// The source with cycles as clauses.
    unrolled: ChcSystem,
    /// How these are made of clauses of the source.
    origins: IndexVec<ClauseId, Origin>,
    /// The shortcuts, and what their steps stand for.
    clauses: Vec<(Clause, Iterations)>,
    /// The clauses of the source some disjunct of which has a shortcut.
    loops: Set<ClauseId>,
}

/// What a step of a clause of the target stands for.
enum Steps {
    /// A step of the clause that it is.
    One(ClauseId),
    /// Iterations of a cycle.
    Several(Iterations),
}

impl Shortcuts {
    fn new(source: &ChcSystem) -> Self {
        Self {
            unrolled: source.clone(),
            origins: source.clauses().map(|(id, _)| Origin::Same(id)).collect(),
            clauses: Vec::new(),
            loops: Set::default(),
        }
    }
    /// Adds the shortcut of a cycle; false if it has none.
    fn add(&mut self, cx: &mut Cx<'_>, cycle: Cycle) -> Outcome<bool> {
        let Cycle { clause, pairs, origin, alone } = cycle;
        let Some(relation) = Relation::new(cx.store, &pairs, &[clause.constraint]) else {
            return Ok(false);
        };
        let Some(closure) = exact(cx, &relation)? else { return Ok(false) };
        let Some(progress) = closure.progress() else { return Ok(false) };
        if progress.increments.iter().all(Rational::is_zero) {
            return Ok(false);
        }
        let count = cx.store.fresh("n", Sort::INT);
        let times = cx.store.constant(count);
        let constraint = closure.formula(cx.store, times);
        if dag_size(cx.store, &[constraint]) > LARGEST {
            return Ok(false);
        }
        let shortcut = Clause { constraint, ..clause.clone() };
        self.origins.push(origin);
        let cycle = self.unrolled.add_clause(clause);
        self.clauses.push((shortcut, Iterations { cycle, pairs, progress, count }));
        self.loops.extend(alone);
        Ok(true)
    }
    /// The clauses of the source that are kept, and the shortcuts.
    fn finish(
        self,
        store: &TermStore,
        source: ChcSystem,
        kept: &[ClauseId],
    ) -> Translated<ChcSystem, ChcSystem> {
        let mut target = source.with_clauses(kept.iter().map(|&id| source.clause(id).clone()));
        let mut steps: IndexVec<ClauseId, Steps> = kept.iter().copied().map(Steps::One).collect();
        for (clause, iterations) in self.clauses {
            target.add_clause(clause);
            steps.push(Steps::Several(iterations));
        }
        let first = WayBack::of_clauses(store, source, self.origins);
        let second = Back { unrolled: self.unrolled, steps };
        (target, Box::new(first.then(second)))
    }
}

/// The way back to clauses and cycles.
struct Back {
    unrolled: ChcSystem,
    steps: IndexVec<ClauseId, Steps>,
}

impl BackTranslation<ChcSystem, ChcSystem> for Back {
    fn hints(&self, _: &mut TermStore, hints: Vec<Hint>) -> Vec<Hint> {
        hints
    }
    fn model(&self, _: &mut Cx<'_>, model: Interpretation) -> Outcome<Interpretation> {
        Ok(model)
    }
    fn refutation(&self, cx: &mut Cx<'_>, refutation: Derivation) -> Outcome<Derivation> {
        translate(cx, self, refutation)
    }
}

impl StepWise for Back {
    fn source(&self) -> &ChcSystem {
        &self.unrolled
    }
    fn step(
        &self,
        cx: &mut Cx<'_>,
        made: &mut Made,
        step: DerivationStep,
        premises: Vec<usize>,
    ) -> Outcome<()> {
        match &self.steps[step.clause] {
            Steps::One(clause) => {
                made.derivation.steps.push(DerivationStep { clause: *clause, premises, ..step });
                Ok(())
            }
            Steps::Several(iterations) => {
                iterations.write(cx.store, &step.assignment, premises, &mut made.derivation)
            }
        }
    }
}
