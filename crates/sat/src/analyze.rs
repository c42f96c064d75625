//! Conflict analysis: from a false clause to a learnt clause and the level to go back to.
//!
//! Starting from the conflicting clause, literals of the current level are resolved with their
//! reasons, the latest first, until one is left (the first unique implication point). Then literals
//! that the others imply are removed (see `minimize`). What was resolved when is written down, so
//! that the learnt clause has a derivation: the chain of the first part in trail order, the removed
//! literals, again the latest first, and at last the literals that are false at the root.
//!
//! Invariant: `marks` are all `Unseen` between analyses; `touched` lists those that are not.
//!
//! Source: [ES03] §4 (analysis), [AS09] (LBD of learnt clauses, updated on use).

use shofar_base::{IndexVec, Lit, Var};

use crate::Solver;
use crate::clause::{ClauseRef, Origin};
use crate::minimize::Frame;
use crate::proof::StepId;
use crate::theory::Propagator;
use crate::trail::Reason;

/// What is known about a variable during one analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    Unseen,
    /// In the clause, or resolved away, or about to be.
    Seen,
    /// Implied by literals that are seen.
    Removable,
    /// Not so.
    Poison,
}

/// Working memory of the analysis.
#[derive(Debug, Default)]
pub(crate) struct Analysis {
    pub(crate) marks: IndexVec<Var, Mark>,
    touched: Vec<Var>,
    /// The clause being derived; its first literal is the one it implies after backtracking.
    pub(crate) lits: Vec<Lit>,
    pub(crate) chain: Vec<(Var, StepId)>,
    /// Variables that are assigned at the root, met on the way; noted only if proofs are on.
    roots: Vec<Var>,
    pub(crate) removed: Vec<Var>,
    pub(crate) stack: Vec<Frame>,
    pub(crate) stamps: Vec<u64>,
    pub(crate) stamp: u64,
    explanation: Vec<Lit>,
}

/// What [`Solver::derive`] leaves besides the literals.
pub(crate) struct Derived {
    pub(crate) lbd: u32,
    pub(crate) step: StepId,
}

impl Analysis {
    /// One more variable.
    pub(crate) fn add_var(&mut self) {
        self.marks.push(Mark::Unseen);
    }
    pub(crate) fn mark(&mut self, var: Var, mark: Mark) {
        if self.marks[var] == Mark::Unseen {
            self.touched.push(var);
        }
        self.marks[var] = mark;
    }
    fn begin(&mut self) {
        for var in self.touched.drain(..) {
            self.marks[var] = Mark::Unseen;
        }
        self.lits.clear();
        self.chain.clear();
        self.roots.clear();
        self.removed.clear();
    }
}

impl Solver {
    /// The clause that implied `lit`, which is true above the root; `None` for a decision. Asks the
    /// theory if need be; the answer is kept as long as `lit` is assigned.
    pub(crate) fn reason_of<P: Propagator>(
        &mut self,
        lit: Lit,
        propagator: &mut P,
    ) -> Option<ClauseRef> {
        match self.trail.reason(lit.var()) {
            Reason::Nothing => None,
            Reason::Clause(clause) => Some(clause),
            Reason::Theory => {
                let clause = self.explain(lit, propagator);
                self.trail.set_reason(lit.var(), Reason::Clause(clause));
                Some(clause)
            }
        }
    }
    /// Asks the theory why it implied `lit`; the clause has `lit` first and is not watched.
    pub(crate) fn explain<P: Propagator>(&mut self, lit: Lit, propagator: &mut P) -> ClauseRef {
        self.stats.explanations += 1;
        let mut lits = std::mem::take(&mut self.analysis.explanation);
        lits.clear();
        let tag = propagator.explain(lit, &mut lits);
        remove_repetitions(&mut lits);
        let place = lits
            .iter()
            .position(|&other| other == lit)
            .expect("an explanation contains the implied literal");
        lits.swap(0, place);
        debug_assert!(
            self.is_explanation(&lits),
            "the reasons are true since before the literal was implied: {lits:?}"
        );
        let step = self.log_leaf(&lits, tag);
        let clause = self.arena.alloc(&lits, Origin::Given, 0, step);
        self.explained.push(clause);
        self.analysis.explanation = lits;
        clause
    }
    fn is_explanation(&self, lits: &[Lit]) -> bool {
        let implied =
            (self.trail.value(lits[0]) == Some(true)).then(|| self.trail.position(lits[0].var()));
        lits[1..].iter().all(|&lit| {
            self.trail.value(lit) == Some(false)
                && implied.is_none_or(|at| self.trail.position(lit.var()) < at)
        })
    }
    /// Learns from `conflict`, which is false and has at least two literals of the current level.
    /// The literals are left in `analysis.lits`: the implied one first, then one of the level
    /// to go back to.
    pub(crate) fn derive<P: Propagator>(
        &mut self,
        conflict: ClauseRef,
        propagator: &mut P,
    ) -> Derived {
        self.analysis.begin();
        let implied = self.resolve_to_unique(conflict, propagator);
        self.analysis.lits.push(implied);
        let last = self.analysis.lits.len() - 1;
        self.analysis.lits.swap(0, last);
        self.minimize();
        let step = self.log_derivation(self.arena.step(conflict));
        let lbd = self.distinct_levels();
        self.second_highest_next();
        Derived { lbd, step }
    }
    /// Resolves until one literal of the current level is left, and returns it; the others go to
    /// `analysis.lits`.
    fn resolve_to_unique<P: Propagator>(&mut self, conflict: ClauseRef, propagator: &mut P) -> Lit {
        let mut clause = conflict;
        let mut resolved: Option<Lit> = None;
        let mut index = self.trail.len();
        let mut open = 0_u32;
        loop {
            self.note_use(clause);
            for at in 0..self.arena.len(clause) {
                let lit = self.arena.lit(clause, at);
                if Some(lit) != resolved {
                    open += u32::from(self.note(lit));
                }
            }
            let lit = loop {
                index -= 1;
                let lit = self.trail.lits()[index];
                if self.analysis.marks[lit.var()] == Mark::Seen {
                    break lit;
                }
            };
            open -= 1;
            if open == 0 {
                return !lit;
            }
            clause = self
                .reason_of(lit, propagator)
                .expect("only the last open literal can be a decision");
            self.analysis.chain.push((lit.var(), self.arena.step(clause)));
            resolved = Some(lit);
        }
    }
    /// Takes a false literal into account; says whether it is one of the current level, to be
    /// resolved.
    #[inline]
    fn note(&mut self, lit: Lit) -> bool {
        let var = lit.var();
        if self.analysis.marks[var] != Mark::Unseen {
            return false;
        }
        let level = self.trail.level_of(var);
        if level == 0 {
            self.note_root(var);
            return false;
        }
        self.analysis.mark(var, Mark::Seen);
        self.order.bump(var);
        if level == self.trail.level() {
            return true;
        }
        self.analysis.lits.push(lit);
        false
    }
    pub(crate) fn note_root(&mut self, var: Var) {
        if self.log.is_some() && self.analysis.marks[var] == Mark::Unseen {
            self.analysis.mark(var, Mark::Seen);
            self.analysis.roots.push(var);
        }
    }
    /// A learnt clause that takes part in a conflict stays longer, and its LBD is brought up to
    /// date.
    fn note_use(&mut self, clause: ClauseRef) {
        if !self.arena.is_learnt(clause) {
            return;
        }
        let mut lbd = self.arena.lbd(clause);
        if lbd > 2 {
            let now = self.levels_in(clause);
            if now < lbd {
                self.arena.set_lbd(clause, now);
                lbd = now;
            }
        }
        let lives = match lbd {
            0..=2 => 3,
            3..=4 => 2,
            _ => 1,
        };
        self.arena.set_used(clause, lives);
    }
    fn levels_in(&mut self, clause: ClauseRef) -> u32 {
        self.next_stamp();
        let mut count = 0;
        for at in 0..self.arena.len(clause) {
            let level = self.trail.level_of(self.arena.lit(clause, at).var());
            count += u32::from(self.stamp(level));
        }
        count
    }
    pub(crate) fn distinct_levels(&mut self) -> u32 {
        self.next_stamp();
        let mut count = 0;
        for at in 0..self.analysis.lits.len() {
            let level = self.trail.level_of(self.analysis.lits[at].var());
            count += u32::from(self.stamp(level));
        }
        count
    }
    fn next_stamp(&mut self) {
        self.analysis.stamp += 1;
        let levels = self.trail.level() as usize + 1;
        if self.analysis.stamps.len() < levels {
            self.analysis.stamps.resize(levels, 0);
        }
    }
    /// Stamps a level; false if it was stamped in this round before.
    #[inline]
    fn stamp(&mut self, level: u32) -> bool {
        let stamp = self.analysis.stamp;
        std::mem::replace(&mut self.analysis.stamps[level as usize], stamp) != stamp
    }
    /// Appends the chain collected so far, closed by the units of the root level.
    pub(crate) fn log_chain(&mut self, first: StepId) -> StepId {
        let Some(log) = &mut self.log else { return first };
        let roots = self.analysis.roots.iter().map(|&var| (var, log.unit(var)));
        self.analysis.chain.extend(roots);
        if self.analysis.chain.is_empty() {
            first
        } else {
            log.steps.chain(first, self.analysis.chain.drain(..))
        }
    }
    /// Moves a literal of the highest level, the implied one apart, to the second place.
    fn second_highest_next(&mut self) {
        let trail = &self.trail;
        let lits = &mut self.analysis.lits;
        let highest = (1..lits.len())
            .max_by_key(|&at| (trail.level_of(lits[at].var()), std::cmp::Reverse(at)));
        if let Some(at) = highest {
            lits.swap(1, at);
        }
    }
    /// Which assumptions imply that the assumption `refused` is false, `refused` included. Leaves
    /// the derivation of the clause that denies them as the log's answer; two complementary
    /// assumptions need and have none.
    pub(crate) fn analyze_refusal<P: Propagator>(&mut self, refused: Lit, propagator: &mut P) {
        self.analysis.begin();
        self.failed.clear();
        self.failed.push(refused);
        if self.trail.level_of(refused.var()) == 0 {
            if let Some(log) = &mut self.log {
                log.answer = Some(log.unit(refused.var()));
            }
            return;
        }
        self.analysis.mark(refused.var(), Mark::Seen);
        let mut first = None;
        for index in (self.trail.root_len()..self.trail.len()).rev() {
            let lit = self.trail.lits()[index];
            if self.analysis.marks[lit.var()] != Mark::Seen {
                continue;
            }
            let Some(reason) = self.reason_of(lit, propagator) else {
                self.failed.push(lit);
                continue;
            };
            let step = self.arena.step(reason);
            if first.is_none() {
                first = Some(step);
            } else {
                self.analysis.chain.push((lit.var(), step));
            }
            for at in 0..self.arena.len(reason) {
                let var = self.arena.lit(reason, at).var();
                if self.trail.level_of(var) == 0 {
                    self.note_root(var);
                } else {
                    self.analysis.mark(var, Mark::Seen);
                }
            }
        }
        let answer = first.map(|first| self.log_chain(first));
        if let Some(log) = &mut self.log {
            log.answer = answer;
        }
    }
}

/// Removes repeated literals, keeping the order of first occurrence. Explanations and clauses of
/// owners are mostly short.
pub(crate) fn remove_repetitions(lits: &mut Vec<Lit>) {
    if lits.len() <= 16 {
        let mut kept = 0;
        for at in 0..lits.len() {
            if !lits[..kept].contains(&lits[at]) {
                lits[kept] = lits[at];
                kept += 1;
            }
        }
        lits.truncate(kept);
    } else {
        let mut places: Vec<(Lit, usize)> =
            lits.iter().enumerate().map(|(at, &lit)| (lit, at)).collect();
        places.sort_unstable();
        places.dedup_by_key(|&mut (lit, _)| lit);
        places.sort_unstable_by_key(|&(_, at)| at);
        lits.clear();
        lits.extend(places.into_iter().map(|(lit, _)| lit));
    }
}
