//! The search: propagate, learn, restart, decide.
//!
//! Assumptions are decided first, one level each and in order; one that is true already gets an
//! empty level. A restart keeps these levels, and those of decisions that would be made again. The
//! next `solve` keeps the levels of the assumptions it has in common with the last one.
//!
//! Invariant: a decision is made only when Boolean and theory propagation are complete, so the
//! levels below the current one are complete as well.
//!
//! Source: [ES03] §4 and [EST03] (assumptions), [TRH11] (reuse of the trail).

use shofar_base::{Budget, Lit, Outcome};

use crate::clause::{ClauseRef, Origin};
use crate::theory::{Consequences, Propagator};
use crate::trail::Reason;
use crate::{Answer, Solver};

/// Propagations between two looks at the budget.
const BUDGET_INTERVAL: u64 = 500;

impl Solver {
    /// Decides whether there is a model in which all `assumptions` hold.
    ///
    /// Levels of assumptions that the last call had in common are kept, if nobody went back to the
    /// root since. On `Sat` the assignment is left in place and complete. On `Unsat` see
    /// [`Solver::failed`] and [`Solver::refutation`]. On `Err` the solver is back at the root
    /// and can be asked again.
    pub fn solve<P: Propagator>(
        &mut self,
        propagator: &mut P,
        assumptions: &[Lit],
        budget: &Budget,
    ) -> Outcome<Answer> {
        self.failed.clear();
        if let Some(log) = &mut self.log {
            log.answer = None;
        }
        let common =
            self.assumed.iter().zip(assumptions).take_while(|(old, new)| old == new).count();
        self.backtrack(u32::try_from(common).expect("levels are u32"), propagator);
        self.restarts.begin();
        for lit in std::mem::take(&mut self.late) {
            propagator.assign(lit);
        }
        self.theory_is_stale = true;
        let answer = self.search(propagator, assumptions, budget);
        match answer {
            Ok(Answer::Unsat) if self.refuted => {
                self.failed.clear();
                if let Some(log) = &mut self.log {
                    log.answer = log.empty;
                }
            }
            Ok(Answer::Sat) => {
                debug_assert!(self.satisfies_clauses(), "a model makes every clause true");
            }
            Ok(Answer::Unsat) => {}
            Err(_) => self.backtrack(0, propagator),
        }
        answer
    }
    /// Takes back all decisions and assumptions.
    pub fn backtrack_to_root<P: Propagator>(&mut self, propagator: &mut P) {
        self.backtrack(0, propagator);
    }
    fn search<P: Propagator>(
        &mut self,
        propagator: &mut P,
        assumptions: &[Lit],
        budget: &Budget,
    ) -> Outcome<Answer> {
        while !self.refuted {
            if let Some(conflict) = self.saturate(propagator, budget)? {
                // The conflict must not get lost: at the root nothing would bring it up again.
                self.learn(conflict, propagator);
                budget.check()?;
            } else if !self.refuted {
                self.keep_house(assumptions.len(), propagator);
                if let Some(answer) = self.advance(propagator, assumptions, budget)? {
                    return Ok(answer);
                }
            }
        }
        Ok(Answer::Unsat)
    }
    /// Propagates, the theory included, until nothing follows any more or a clause is false.
    fn saturate<P: Propagator>(
        &mut self,
        propagator: &mut P,
        budget: &Budget,
    ) -> Outcome<Option<ClauseRef>> {
        loop {
            if let Some(conflict) = self.revive() {
                return Ok(Some(conflict));
            }
            if let Some(conflict) = self.propagate() {
                return Ok(Some(conflict));
            }
            if self.stats.propagations >= self.budget_checked_at + BUDGET_INTERVAL {
                self.budget_checked_at = self.stats.propagations;
                budget.check()?;
            }
            self.report(propagator);
            if self.refuted || !self.theory_is_stale {
                return Ok(None);
            }
            self.theory_is_stale = false;
            let conflict = self.consult(propagator, P::propagate)?;
            if conflict.is_some() {
                return Ok(conflict);
            }
            if self.trail.is_settled() && !self.theory_is_stale {
                return Ok(None);
            }
        }
    }
    /// Tells the theory about assignments to its variables.
    fn report<P: Propagator>(&mut self, propagator: &mut P) {
        while let Some(&lit) = self.trail.lits().get(self.reported) {
            self.reported += 1;
            if self.watched[lit.var()] {
                propagator.assign(lit);
                self.theory_is_stale = true;
            }
        }
    }
    /// Lets the theory speak and takes in what it says, also when it gives up half-way: lemmas are
    /// valid in any case.
    fn consult<P: Propagator>(
        &mut self,
        propagator: &mut P,
        ask: impl FnOnce(&mut P, &mut Consequences) -> Outcome<()>,
    ) -> Outcome<Option<ClauseRef>> {
        let mut out = std::mem::take(&mut self.consequences);
        out.reset(self.trail.vars());
        let answered = ask(propagator, &mut out);
        let conflict = if out.is_empty() { None } else { self.absorb(&out, propagator) };
        self.consequences = out;
        answered.map(|()| conflict)
    }
    /// Learns from a false clause and goes back to where the learnt clause implies a literal.
    fn learn<P: Propagator>(&mut self, conflict: ClauseRef, propagator: &mut P) {
        self.stats.conflicts += 1;
        let (highest, second, lit) = self.top_levels(conflict);
        if highest == 0 {
            self.refute(conflict);
            return;
        }
        self.backtrack(highest, propagator);
        if second < highest {
            let landing = self.landing(highest - 1, second);
            self.backtrack(landing, propagator);
            self.imply(lit, conflict);
            self.postpone(conflict, second);
            return;
        }
        let derived = self.derive(conflict, propagator);
        let lits = std::mem::take(&mut self.analysis.lits);
        let level = lits.get(1).map_or(0, |lit| self.trail.level_of(lit.var()));
        if let [unit] = lits[..] {
            self.backtrack(0, propagator);
            self.assign_root(unit, derived.step);
        } else {
            let clause = self.arena.alloc(&lits, Origin::Learnt, derived.lbd, derived.step);
            self.learnts.push(clause);
            self.watches.attach(&self.arena, clause);
            let landing = self.landing(highest - 1, level);
            self.backtrack(landing, propagator);
            self.imply(lits[0], clause);
            self.postpone(clause, level);
        }
        self.analysis.lits = lits;
        self.stats.learnt += 1;
        self.order.decay();
        self.restarts.learnt(derived.lbd);
        self.collect_log_if_due();
    }
    /// The highest level in a false clause, the level of the second highest literal, and the
    /// highest literal.
    fn top_levels(&self, clause: ClauseRef) -> (u32, u32, Lit) {
        let mut top = (0, 0, self.arena.lit(clause, 0));
        for &lit in self.arena.lits(clause) {
            let level = self.trail.level_of(lit.var());
            if level > top.0 {
                top = (level, top.0, lit);
            } else {
                top.1 = top.1.max(level);
            }
        }
        top
    }
    /// Restarts, deletes and simplifies where it is time to.
    fn keep_house<P: Propagator>(&mut self, assumptions: usize, propagator: &mut P) {
        if self.restarts.is_due() {
            self.restarts.begin();
            self.stats.restarts += 1;
            let level = self.reusable_level(assumptions);
            self.backtrack(level, propagator);
        }
        self.simplify_if_due();
        self.reduce_if_due();
        self.compact_if_sparse();
        self.collect_log_if_due();
    }
    /// The highest level whose decisions would all be made again after a restart.
    fn reusable_level(&mut self, assumptions: usize) -> u32 {
        while let Some(var) = self.order.peek()
            && self.trail.is_assigned(var)
        {
            self.order.pop();
        }
        let top = self.trail.level();
        let Some(next) = self.order.peek() else { return top };
        let bar = self.order.activity(next);
        let mut level = u32::try_from(assumptions).expect("levels are u32").min(top);
        while level < top {
            let decided = self.trail.lits()[self.trail.start_of(level + 1)];
            if self.order.activity(decided.var()) <= bar {
                break;
            }
            level += 1;
        }
        level
    }
    /// Makes the next assumption or decision; without any left, asks the theory for its consent.
    fn advance<P: Propagator>(
        &mut self,
        propagator: &mut P,
        assumptions: &[Lit],
        budget: &Budget,
    ) -> Outcome<Option<Answer>> {
        while let Some(&assumption) = assumptions.get(self.trail.level() as usize) {
            if self.trail.value(assumption) == Some(false) {
                self.analyze_refusal(assumption, propagator);
                return Ok(Some(Answer::Unsat));
            }
            self.open_level(propagator);
            self.assumed.push(assumption);
            if self.trail.value(assumption).is_none() {
                self.trail.assign(assumption, Reason::Nothing);
                return Ok(None);
            }
        }
        while let Some(var) = self.order.pop() {
            if !self.trail.is_assigned(var) && self.order.is_eligible(var) {
                let phase = propagator.phase(var).unwrap_or_else(|| self.order.phase(var));
                self.stats.decisions += 1;
                self.open_level(propagator);
                self.trail.assign(Lit::new(var, phase), Reason::Nothing);
                return Ok(None);
            }
        }
        self.conclude(propagator, budget)
    }
    fn open_level<P: Propagator>(&mut self, propagator: &mut P) {
        self.trail.push_level();
        propagator.new_level();
    }
    /// The assignment is complete: it is a model unless the theory objects.
    fn conclude<P: Propagator>(
        &mut self,
        propagator: &mut P,
        budget: &Budget,
    ) -> Outcome<Option<Answer>> {
        budget.check()?;
        self.stats.final_checks += 1;
        let mut spoke = false;
        let conflict = self.consult(propagator, |propagator, out| {
            let answered = propagator.final_check(out);
            spoke = !out.is_empty();
            answered
        })?;
        if let Some(conflict) = conflict {
            self.learn(conflict, propagator);
        }
        Ok((!spoke).then_some(Answer::Sat))
    }
    /// Takes back the levels above `level`.
    pub(crate) fn backtrack<P: Propagator>(&mut self, level: u32, propagator: &mut P) {
        if self.trail.level() <= level {
            return;
        }
        let order = &mut self.order;
        self.trail.backtrack(level, |lit| order.release(lit.var(), lit.is_positive()));
        self.assumed.truncate(level as usize);
        self.forget_postponed(level);
        self.reported = self.reported.min(self.trail.len());
        self.theory_is_stale = true;
        propagator.backtrack(level);
        if level == 0 && !self.explained.is_empty() {
            self.drop_stale_explanations();
        }
    }
    fn satisfies_clauses(&self) -> bool {
        // A variable that the search may not decide can be open; its owner answers for the clause.
        let holds = |lit: Lit| self.trail.value(lit).unwrap_or(!self.order.is_eligible(lit.var()));
        let is_true = |&clause: &ClauseRef| self.arena.lits(clause).iter().any(|&lit| holds(lit));
        self.clauses.iter().chain(&self.learnts).all(is_true)
    }
}
