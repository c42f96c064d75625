//! Taking in clauses: those of the owner at the root, and what a theory says at any time.
//!
//! A lemma may arrive in any state. Its watched literals are chosen so that the assignment, taken
//! back as far as needed, agrees with it: literals that are not false first, then false ones of
//! high levels.
//!
//! | the lemma is | what happens |
//! |---|---|
//! | open or satisfied | it is watched |
//! | unit | back to the highest level among its false literals, where it implies the remaining one |
//! | false, one literal at its highest level | back to the second highest, where it implies that literal |
//! | false, several literals at its highest level | back to that level; it is the conflict |
//!
//! If the way back is long, it is cut short (`postpone`). A conflict that a further lemma takes
//! back below is dropped: its watched literals are unassigned then.
//!
//! Source: [NOT06] (theory learning and theory backjumping); the table is ours.

use std::cmp::Reverse;

use shofar_base::{Idx, Lit};

use crate::Solver;
use crate::analyze::remove_repetitions;
use crate::clause::{ClauseRef, Origin};
use crate::proof::{StepId, Tag};
use crate::theory::{Consequences, Propagator};
use crate::trail::Reason;

impl Solver {
    /// Adds a clause of the owner. Only at the root level: after [`Solver::backtrack_to_root`] if
    /// there was a `solve`.
    ///
    /// Repeated literals are removed, tautologies and clauses satisfied at the root are dropped. A
    /// clause that is false at the root makes the solver unsatisfiable for good.
    pub fn add_clause(&mut self, lits: &[Lit], tag: Tag) {
        assert!(self.trail.level() == 0, "clauses are added at the root level");
        if self.refuted {
            return;
        }
        self.collect_log_if_due();
        self.simplify_credit += lits.len();
        let mut lits = lits.to_vec();
        let Some(step) = self.reduce_to_root(&mut lits, tag) else { return };
        match lits[..] {
            [] => self.refute_by(step),
            [unit] => self.assign_root(unit, step),
            _ => {
                let clause = self.arena.alloc(&lits, Origin::Given, 0, step);
                self.clauses.push(clause);
                self.watches.attach(&self.arena, clause);
            }
        }
    }
    /// Removes repetitions and literals that are false at the root, logging the derivation; `None`
    /// if the clause is a tautology or true at the root.
    fn reduce_to_root(&mut self, lits: &mut Vec<Lit>, tag: Tag) -> Option<StepId> {
        remove_repetitions(lits);
        let at_root = |solver: &Self, lit: Lit| {
            solver.trail.value(lit).filter(|_| solver.trail.level_of(lit.var()) == 0)
        };
        if lits.iter().any(|&lit| at_root(self, lit) == Some(true)) || is_tautology(lits) {
            return None;
        }
        let leaf = self.log_leaf(lits, tag);
        let fallen: Vec<Lit> =
            lits.iter().copied().filter(|&lit| at_root(self, lit).is_some()).collect();
        if fallen.is_empty() {
            return Some(leaf);
        }
        lits.retain(|&lit| at_root(self, lit).is_none());
        Some(self.log_strip(leaf, &fallen))
    }
    fn refute_by(&mut self, step: StepId) {
        if let Some(log) = &mut self.log {
            log.empty = Some(step);
        }
        self.refuted = true;
    }
    /// Assigns the literal of a unit clause at the root, where it has no value so far.
    pub(crate) fn assign_root(&mut self, lit: Lit, step: StepId) {
        if let Some(log) = &mut self.log {
            log.set_unit(lit.var(), step);
        }
        self.trail.assign(lit, Reason::Nothing);
    }
    /// Takes in what the theory said; returns a clause that is false now, if there is one.
    pub(crate) fn absorb<P: Propagator>(
        &mut self,
        out: &Consequences,
        propagator: &mut P,
    ) -> Option<ClauseRef> {
        while self.trail.vars() < out.vars {
            let var = self.new_var();
            self.watched[var] = true;
        }
        for &var in &out.wanted {
            self.order.set_eligible(var, true);
        }
        let mut conflict = self.absorb_implied(&out.implied, propagator);
        let mut start = 0;
        for &(tag, end) in &out.lemmas {
            if self.refuted {
                return None;
            }
            self.stats.lemmas += 1;
            let level = self.trail.level();
            let found = self.insert_lemma(out.lits[start..end].to_vec(), tag, propagator);
            if self.trail.level() < level {
                conflict = None;
            }
            conflict = found.or(conflict);
            start = end;
        }
        conflict
    }
    fn absorb_implied<P: Propagator>(
        &mut self,
        implied: &[Lit],
        propagator: &mut P,
    ) -> Option<ClauseRef> {
        for &lit in implied {
            match self.trail.value(lit) {
                Some(true) => {}
                None => self.imply_by_theory(lit, propagator),
                Some(false) => {
                    // The others were implied in a state that may be about to be taken back; the
                    // theory finds them again.
                    let mut lits = Vec::new();
                    let tag = propagator.explain(lit, &mut lits);
                    self.stats.explanations += 1;
                    return self.insert_lemma(lits, tag, propagator);
                }
            }
        }
        None
    }
    fn imply_by_theory<P: Propagator>(&mut self, lit: Lit, propagator: &mut P) {
        self.stats.theory_propagations += 1;
        if self.trail.level() > 0 {
            self.trail.assign(lit, Reason::Theory);
        } else if self.log.is_some() {
            let clause = self.explain(lit, propagator);
            self.imply(lit, clause);
        } else {
            self.trail.assign(lit, Reason::Nothing);
        }
    }
    /// Adds a lemma in whatever state it is, see the table above; returns it if it is false and
    /// needs analysis.
    fn insert_lemma<P: Propagator>(
        &mut self,
        mut lits: Vec<Lit>,
        tag: Tag,
        propagator: &mut P,
    ) -> Option<ClauseRef> {
        let step = self.reduce_to_root(&mut lits, tag)?;
        match lits[..] {
            [] => {
                self.refute_by(step);
                None
            }
            [unit] => {
                self.backtrack(0, propagator);
                self.assign_root(unit, step);
                None
            }
            _ => {
                self.choose_watches(&mut lits);
                let lbd = u32::try_from(lits.len()).expect("a clause is shorter than 2^32");
                let clause = self.arena.alloc(&lits, Origin::Learnt, lbd, step);
                self.learnts.push(clause);
                self.watches.attach(&self.arena, clause);
                self.settle_lemma(clause, propagator)
            }
        }
    }
    fn choose_watches(&self, lits: &mut [Lit]) {
        let rank = |lit: Lit| match self.trail.value(lit) {
            Some(true) | None => u32::MAX,
            Some(false) => self.trail.level_of(lit.var()),
        };
        for place in 0..2 {
            let best = (place..lits.len()).max_by_key(|&at| (rank(lits[at]), Reverse(at)));
            lits.swap(place, best.expect("a watched clause has two literals"));
        }
    }
    fn settle_lemma<P: Propagator>(
        &mut self,
        clause: ClauseRef,
        propagator: &mut P,
    ) -> Option<ClauseRef> {
        let (first, second) = (self.arena.lit(clause, 0), self.arena.lit(clause, 1));
        let level = |lit: Lit| self.trail.level_of(lit.var());
        match (self.trail.value(first), self.trail.value(second)) {
            (Some(false), Some(false)) if level(first) == level(second) => {
                self.backtrack(level(first), propagator);
                Some(clause)
            }
            (None | Some(false), Some(false)) => {
                let highest = match self.trail.value(first) {
                    Some(_) => level(first) - 1,
                    None => self.trail.level(),
                };
                let wanted = level(second);
                let landing = self.landing(highest, wanted);
                self.backtrack(landing, propagator);
                self.imply(first, clause);
                self.postpone(clause, wanted);
                None
            }
            (Some(true), _) | (_, Some(true) | None) => None,
        }
    }
}

fn is_tautology(lits: &[Lit]) -> bool {
    if lits.len() <= 16 {
        return lits.iter().any(|&lit| lits.contains(&!lit));
    }
    let mut vars: Vec<usize> = lits.iter().map(|lit| lit.var().index()).collect();
    vars.sort_unstable();
    vars.windows(2).any(|pair| pair[0] == pair[1])
}
