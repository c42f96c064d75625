//! The log a solver writes while proofs are on.
//!
//! Each clause of the solver knows the step that derives it, and each literal of the root level has
//! a step for its unit clause. When the log has doubled since the last look, steps on which nothing
//! alive stands are thrown away, so that a solver that is asked thousands of times does not leak.
//!
//! Invariant: between two calls from outside, every [`StepId`] anywhere is a clause's, a unit's,
//! the last answer's or that of the empty clause; [`Solver::collect_log`] renames exactly those.

use shofar_base::{Idx, IndexVec, Lit, Var};

use crate::Solver;
use crate::clause::ClauseRef;
use crate::proof::{StepId, Steps, Tag};

/// Do not bother to collect logs smaller than this.
const SMALL: usize = 1 << 16;

/// The steps so far.
#[derive(Debug, Default)]
pub(crate) struct Log {
    pub(crate) steps: Steps,
    /// The unit clause of each variable that is assigned at the root.
    units: IndexVec<Var, Option<StepId>>,
    /// The empty clause.
    pub(crate) empty: Option<StepId>,
    /// What the last answer `Unsat` derived.
    pub(crate) answer: Option<StepId>,
    /// The size at which to collect.
    limit: usize,
}

impl Log {
    /// An empty log.
    pub(crate) fn new() -> Self {
        Self { limit: SMALL, ..Self::default() }
    }
    /// One more variable.
    pub(crate) fn add_var(&mut self) {
        self.units.push(None);
    }
    /// The step of the unit clause of a variable assigned at the root.
    pub(crate) fn unit(&self, var: Var) -> StepId {
        self.units[var].expect("a literal of the root level has a derivation")
    }
    /// Says how the unit clause of `var` is derived.
    pub(crate) fn set_unit(&mut self, var: Var, step: StepId) {
        self.units[var] = Some(step);
    }
    /// Resolves `step` with the unit clauses of `vars`.
    pub(crate) fn strip(&mut self, step: StepId, vars: impl Iterator<Item = Var>) -> StepId {
        let units = &self.units;
        let mut rest = vars
            .map(|var| (var, units[var].expect("a literal of the root level has a derivation")))
            .peekable();
        if rest.peek().is_none() { step } else { self.steps.chain(step, rest) }
    }
}

impl Solver {
    /// The step of a leaf clause; number 0 stands in while no log is written, and is never looked
    /// at.
    pub(crate) fn log_leaf(&mut self, lits: &[Lit], tag: Tag) -> StepId {
        match &mut self.log {
            Some(log) => log.steps.leaf(lits, tag),
            None => StepId::from_index(0),
        }
    }
    /// Resolves the literals `lits`, all false at the root, away from what `step` derives.
    pub(crate) fn log_strip(&mut self, step: StepId, lits: &[Lit]) -> StepId {
        match &mut self.log {
            Some(log) => log.strip(step, lits.iter().map(|lit| lit.var())),
            None => step,
        }
    }
    /// Collects unreachable steps if the log has doubled. No step may be held on the stack.
    pub(crate) fn collect_log_if_due(&mut self) {
        if self.log.as_ref().is_some_and(|log| log.steps.size() > log.limit) {
            self.collect_log();
        }
    }
    fn collect_log(&mut self) {
        let Some(log) = &mut self.log else { return };
        let mut marked = IndexVec::new();
        marked.resize(log.steps.len(), false);
        for step in log.units.iter().flatten().chain(&log.empty).chain(&log.answer) {
            marked[*step] = true;
        }
        let clauses = || self.clauses.iter().chain(&self.learnts).chain(&self.explained);
        for &clause in clauses() {
            marked[self.arena.step(clause)] = true;
        }
        log.steps.close(&mut marked);
        let (steps, renamed) = log.steps.extract(&marked);
        let rename = |step: &mut StepId| *step = renamed[*step].expect("a step in use is marked");
        log.units
            .iter_mut()
            .flatten()
            .chain(&mut log.empty)
            .chain(&mut log.answer)
            .for_each(rename);
        let all: Vec<ClauseRef> = clauses().copied().collect();
        for clause in all {
            let mut step = self.arena.step(clause);
            rename(&mut step);
            self.arena.set_step(clause, step);
        }
        log.steps = steps;
        log.limit = SMALL.max(2 * log.steps.size());
    }
}
