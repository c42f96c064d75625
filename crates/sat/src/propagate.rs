//! Boolean constraint propagation with two watched literals.
//!
//! Invariant: once [`Solver::propagate`] has come to its end without a conflict, no clause has all
//! its literals false, and every clause has a watched literal that is not false. Usually more is
//! true: a clause with a false watched literal has its other watched literal true since the same
//! level or an earlier one. A lemma that arrives late may miss this; it then implies its last
//! literal later than it could, or becomes a conflict when that literal is assigned the other way.
//! Nothing is lost.
//!
//! Source: [MMZ01] §2, [ES03] §4.

use shofar_base::Lit;

use crate::Solver;
use crate::clause::ClauseRef;
use crate::trail::Reason;
use crate::watch::Watch;

/// What to do with a watch after looking at its clause.
enum Visit {
    /// The watch stays, perhaps with another blocker.
    Keep(Watch),
    /// Another literal is watched instead.
    Moved,
    /// All literals are false.
    Conflict,
}

impl Solver {
    /// Draws Boolean consequences until there is none left, or a clause is false.
    pub(crate) fn propagate(&mut self) -> Option<ClauseRef> {
        while let Some(lit) = self.trail.dequeue() {
            self.stats.propagations += 1;
            let conflict = self.visit(!lit);
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }
    /// Walks the list of a literal that became false.
    fn visit(&mut self, fallen: Lit) -> Option<ClauseRef> {
        let mut list = std::mem::take(&mut self.watches.lists[fallen]);
        let (mut kept, mut next) = (0, 0);
        let mut conflict = None;
        while let Some(&watch) = list.get(next) {
            next += 1;
            let visit = match self.trail.value(watch.blocker) {
                Some(true) => Visit::Keep(watch),
                Some(false) if watch.is_binary() => Visit::Conflict,
                None if watch.is_binary() => {
                    self.imply(watch.blocker, watch.clause());
                    Visit::Keep(watch)
                }
                Some(false) | None => self.visit_clause(fallen, watch),
            };
            match visit {
                Visit::Keep(watch) => {
                    list[kept] = watch;
                    kept += 1;
                }
                Visit::Moved => {}
                Visit::Conflict => {
                    conflict = Some(watch.clause());
                    list[kept] = watch;
                    kept += 1;
                    break;
                }
            }
        }
        if kept < next {
            list.copy_within(next.., kept);
            list.truncate(list.len() - (next - kept));
        }
        self.watches.lists[fallen] = list;
        conflict
    }
    #[inline]
    fn visit_clause(&mut self, fallen: Lit, watch: Watch) -> Visit {
        let clause = watch.clause();
        let lits = self.arena.lits_mut(clause);
        if lits[0] == fallen {
            lits.swap(0, 1);
        }
        let other = lits[0];
        let renewed = Watch::new(other, clause, false);
        let value = self.trail.value(other);
        if value == Some(true) {
            return Visit::Keep(renewed);
        }
        let (watched, rest) = lits.split_at_mut(2);
        for lit in rest {
            if self.trail.value(*lit) != Some(false) {
                let found = *lit;
                *lit = fallen;
                watched[1] = found;
                self.watches.lists[found].push(renewed);
                return Visit::Moved;
            }
        }
        if value == Some(false) {
            return Visit::Conflict;
        }
        self.imply(other, clause);
        Visit::Keep(renewed)
    }
    /// Assigns the last literal of `clause` that is not false.
    #[inline]
    pub(crate) fn imply(&mut self, lit: Lit, clause: ClauseRef) {
        debug_assert!(self.implies(clause, lit), "all other literals of a reason are false");
        if self.trail.level() > 0 {
            self.trail.assign(lit, Reason::Clause(clause));
        } else {
            self.imply_at_root(lit, clause);
        }
    }
    /// Whether all literals of `clause` but `lit` are false.
    fn implies(&self, clause: ClauseRef, lit: Lit) -> bool {
        let is_false = |&other: &Lit| other == lit || self.trail.value(other) == Some(false);
        self.arena.lits(clause).iter().all(is_false)
    }
    #[cold]
    fn imply_at_root(&mut self, lit: Lit, clause: ClauseRef) {
        if let Some(log) = &mut self.log {
            let others = self
                .arena
                .lits(clause)
                .iter()
                .filter(|&&other| other != lit)
                .map(|other| other.var());
            let step = log.strip(self.arena.step(clause), others);
            log.set_unit(lit.var(), step);
        }
        self.trail.assign(lit, Reason::Nothing);
    }
    /// Notes that `clause` is false at the root: the problem has no model, whatever is assumed.
    pub(crate) fn refute(&mut self, clause: ClauseRef) {
        if let Some(log) = &mut self.log {
            let step = log.strip(
                self.arena.step(clause),
                self.arena.lits(clause).iter().map(|lit| lit.var()),
            );
            log.empty = Some(step);
        }
        self.refuted = true;
    }
}
