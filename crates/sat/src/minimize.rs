//! Minimisation of learnt clauses, and what it means for their derivation.
//!
//! A literal is redundant if the other literals of the clause imply it, through any number of
//! reasons. Redundant literals are found by depth-first search and dropped. In the derivation they
//! are resolved away: with their reasons, then whatever these bring in that is not in the clause,
//! the latest first, so that each is resolved once.
//!
//! Invariant: what is marked `Removable` has a clause for its reason, and so has everything it
//! stands on that is neither in the clause nor assigned at the root.
//!
//! Source: [SB09] §3 (recursive minimisation and its early failures).
//! DIVERGENCE [SB09]: a literal implied by a theory counts as irremovable unless its explanation is
//! known already; asking for one more explanation costs more than the literal, and would put a
//! further theory leaf into the proof.

use shofar_base::Var;

use crate::Solver;
use crate::analyze::Mark;
use crate::clause::ClauseRef;
use crate::proof::StepId;
use crate::trail::Reason;

/// A literal whose reason is being looked through for removability.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    var: Var,
    reason: ClauseRef,
    next: usize,
}

impl Solver {
    /// Removes literals that the other literals imply.
    pub(crate) fn minimize(&mut self) {
        self.distinct_levels();
        let mut lits = std::mem::take(&mut self.analysis.lits);
        let mut kept = 1;
        for at in 1..lits.len() {
            let lit = lits[at];
            if self.is_redundant(lit.var()) {
                self.analysis.removed.push(lit.var());
            } else {
                lits[kept] = lit;
                kept += 1;
            }
        }
        lits.truncate(kept);
        self.analysis.lits = lits;
    }
    /// Whether seen literals imply the one of `var`: a depth-first search through reasons that
    /// gives up at decisions, at levels without a literal in the clause, and where it gave up
    /// before.
    fn is_redundant(&mut self, var: Var) -> bool {
        let Reason::Clause(reason) = self.trail.reason(var) else { return false };
        self.analysis.stack.push(Frame { var, reason, next: 0 });
        while let Some(frame) = self.analysis.stack.last_mut() {
            if frame.next == self.arena.len(frame.reason) {
                let done = frame.var;
                self.analysis.stack.pop();
                if self.analysis.marks[done] == Mark::Unseen {
                    self.analysis.mark(done, Mark::Removable);
                }
                continue;
            }
            let other = self.arena.lit(frame.reason, frame.next).var();
            frame.next += 1;
            if other == frame.var || self.trail.level_of(other) == 0 {
                continue;
            }
            match (self.analysis.marks[other], self.trail.reason(other)) {
                (Mark::Seen | Mark::Removable, _) => {}
                (Mark::Unseen, Reason::Clause(reason)) if self.has_stamp(other) => {
                    self.analysis.stack.push(Frame { var: other, reason, next: 0 });
                }
                (Mark::Unseen | Mark::Poison, _) => {
                    self.poison_stack(other);
                    return false;
                }
            }
        }
        true
    }
    fn has_stamp(&self, var: Var) -> bool {
        self.analysis.stamps[self.trail.level_of(var) as usize] == self.analysis.stamp
    }
    fn poison_stack(&mut self, last: Var) {
        let analysis = &mut self.analysis;
        if analysis.marks[last] == Mark::Unseen {
            analysis.mark(last, Mark::Poison);
        }
        while let Some(frame) = analysis.stack.pop() {
            if analysis.marks[frame.var] == Mark::Unseen {
                analysis.mark(frame.var, Mark::Poison);
            }
        }
    }
    /// Writes down how the literals in `analysis.lits` follow, starting from `first`.
    pub(crate) fn log_derivation(&mut self, first: StepId) -> StepId {
        if self.log.is_none() {
            return first;
        }
        self.expand_removed();
        let mut removed = std::mem::take(&mut self.analysis.removed);
        removed.sort_unstable_by_key(|&var| std::cmp::Reverse(self.trail.position(var)));
        for &var in &removed {
            if let Reason::Clause(reason) = self.trail.reason(var) {
                self.analysis.chain.push((var, self.arena.step(reason)));
            }
        }
        self.analysis.removed = removed;
        self.log_chain(first)
    }
    /// Completes `removed` by what their reasons bring in and what is not in the clause.
    fn expand_removed(&mut self) {
        let mut next = 0;
        while let Some(&var) = self.analysis.removed.get(next) {
            next += 1;
            let Reason::Clause(reason) = self.trail.reason(var) else {
                unreachable!("removed literals have clauses")
            };
            for at in 0..self.arena.len(reason) {
                let other = self.arena.lit(reason, at).var();
                if other == var {
                    continue;
                }
                if self.trail.level_of(other) == 0 {
                    self.note_root(other);
                } else if self.analysis.marks[other] == Mark::Removable {
                    self.analysis.marks[other] = Mark::Seen;
                    self.analysis.removed.push(other);
                }
            }
        }
    }
}
