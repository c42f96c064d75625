//! Keeping the clause database small.
//!
//! *Reduction* deletes the worse part of the learnt clauses that were not used lately: high LBD
//! first, then length. Taking part in a conflict earns a clause one to three further rounds, the
//! more the lower its LBD. Binary clauses and reasons stay. *Simplification* happens at the root:
//! satisfied clauses go, false literals are resolved away. It costs time linear in the database, so
//! [`Solver::simplify_if_due`] waits until a comparable amount of work was done elsewhere; retired
//! activation literals are cleared out that way.
//!
//! DIVERGENCE [AS09]: an LBD of 2 does not save a clause for ever. A solver that lives through
//! thousands of questions would drown in such clauses, of which most belong to questions long
//! answered.
//!
//! Source: [AS09] (LBD as the measure), [Bie19] (usage counters and growing intervals), [ES03] §4
//! (simplification).

use crate::Solver;
use crate::clause::ClauseRef;

/// Conflicts before the first reduction, and by how much the interval grows.
const INTERVAL: usize = 300;
/// The interval does not grow after so many rounds: what is kept stays bounded.
const GROWING_ROUNDS: usize = 64;
/// This many percent of the candidates survive.
const SURVIVORS: usize = 40;

/// When to reduce next.
#[derive(Debug)]
pub(crate) struct ReduceSchedule {
    rounds: usize,
    /// Conflicts plus lemmas at which the next reduction comes.
    next: u64,
}

impl ReduceSchedule {
    /// The first reduction comes after a few hundred conflicts.
    pub(crate) fn new() -> Self {
        Self { rounds: 0, next: INTERVAL as u64 }
    }
}

impl Solver {
    /// Deletes learnt clauses if enough new ones came.
    pub(crate) fn reduce_if_due(&mut self) {
        if self.stats.conflicts + self.stats.lemmas < self.schedule.next {
            return;
        }
        self.schedule.rounds += 1;
        self.schedule.next = self.stats.conflicts
            + self.stats.lemmas
            + (INTERVAL * (self.schedule.rounds.min(GROWING_ROUNDS) + 1)) as u64;
        self.stats.reductions += 1;
        let mut candidates = self.deletion_candidates();
        candidates.sort_by_key(|&clause| (self.arena.lbd(clause), self.arena.len(clause)));
        for &clause in &candidates[candidates.len() * SURVIVORS / 100..] {
            self.arena.kill(clause);
            self.stats.deleted += 1;
        }
        self.drop_stale_explanations();
        self.collect_clauses();
    }
    /// Learnt clauses that are neither needed nor used lately.
    fn deletion_candidates(&mut self) -> Vec<ClauseRef> {
        let mut candidates = Vec::new();
        for &clause in &self.learnts {
            if self.arena.len(clause) == 2 {
                continue;
            }
            let used = self.arena.used(clause);
            if used > 0 {
                self.arena.set_used(clause, used - 1);
            } else if !self.trail.is_reason(clause, self.arena.lits(clause)) {
                candidates.push(clause);
            }
        }
        candidates
    }
    /// Forgets explanations of literals that are no longer assigned by them.
    pub(crate) fn drop_stale_explanations(&mut self) {
        for &clause in &self.explained {
            if !self.trail.is_reason(clause, self.arena.lits(clause)) {
                self.arena.kill(clause);
            }
        }
        self.explained.retain(|&clause| !self.arena.is_dead(clause));
        self.postponed.retain(|postponed| !self.arena.is_dead(postponed.clause));
    }
    /// Forgets dead clauses everywhere, and closes the gaps they left if these are large.
    fn collect_clauses(&mut self) {
        let arena = &self.arena;
        self.clauses.retain(|&clause| !arena.is_dead(clause));
        self.learnts.retain(|&clause| !arena.is_dead(clause));
        self.postponed.retain(|postponed| !arena.is_dead(postponed.clause));
        self.watches.sweep(arena);
        self.compact_if_sparse();
    }
    /// Moves all clauses together; none that anything refers to may be dead.
    pub(crate) fn compact_if_sparse(&mut self) {
        if !self.arena.is_sparse() {
            return;
        }
        let mut target = self.arena.successor();
        for clause in self.clauses.iter_mut().chain(&mut self.learnts).chain(&mut self.explained) {
            *clause = self.arena.relocate(*clause, &mut target);
        }
        for postponed in &mut self.postponed {
            postponed.clause = self.arena.relocate(postponed.clause, &mut target);
        }
        self.watches.relocate(|clause| self.arena.relocate(clause, &mut target));
        self.trail.relocate(|clause| self.arena.relocate(clause, &mut target));
        self.arena = target;
    }
    /// Simplifies if there are new units and the last time is long enough ago.
    pub(crate) fn simplify_if_due(&mut self) {
        let is_due = self.trail.level() == 0
            && self.trail.len() > self.simplified_units
            && self.simplify_credit
                + usize::try_from(self.stats.propagations - self.simplified_at)
                    .unwrap_or(usize::MAX)
                >= self.arena.size() / 4;
        if is_due {
            self.simplify();
        }
    }
    /// Drops clauses that are satisfied at the root and removes literals that are false there. Only
    /// at the root level.
    pub fn simplify(&mut self) {
        assert!(self.trail.level() == 0, "simplification happens at the root level");
        if self.refuted {
            return;
        }
        if let Some(conflict) = self.propagate() {
            self.refute(conflict);
            return;
        }
        self.stats.simplifications += 1;
        self.simplified_units = self.trail.len();
        self.simplified_at = self.stats.propagations;
        self.simplify_credit = 0;
        self.postponed.clear();
        for list in [std::mem::take(&mut self.clauses), std::mem::take(&mut self.learnts)] {
            for clause in list {
                self.simplify_clause(clause);
            }
        }
        self.drop_stale_explanations();
        self.watches.rebuild(&self.arena, self.clauses.iter().chain(&self.learnts));
        self.compact_if_sparse();
        self.collect_log_if_due();
    }
    /// Puts the clause back to its list unless it is true.
    fn simplify_clause(&mut self, clause: ClauseRef) {
        let value = |lit| self.trail.value(lit);
        let lits = self.arena.lits(clause);
        if lits.iter().any(|&lit| value(lit) == Some(true)) {
            self.arena.kill(clause);
            self.stats.deleted += 1;
            return;
        }
        if lits.iter().any(|&lit| value(lit).is_some()) {
            if let Some(log) = &mut self.log {
                let fallen = lits
                    .iter()
                    .filter(|&&lit| self.trail.value(lit).is_some())
                    .map(|lit| lit.var());
                let step = log.strip(self.arena.step(clause), fallen);
                self.arena.set_step(clause, step);
            }
            self.arena.strip(clause, |lit| self.trail.value(lit).is_some());
        }
        if self.arena.is_learnt(clause) {
            self.learnts.push(clause);
        } else {
            self.clauses.push(clause);
        }
    }
}
