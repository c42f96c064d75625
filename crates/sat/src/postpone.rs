//! Short ways back: a clause that implies a literal far below does so here and now.
//!
//! A learnt clause or a lemma implies its last literal at the level where the others became false.
//! If that is far below the present level, going back there takes back hundreds of decisions, most
//! of which would be made again: with theories, each at the price of telling it. Instead the
//! literal is implied at the present level, and the clause is *postponed*: when the search goes
//! back further later on, but not below the level where the clause implies its literal, it does so
//! again.
//!
//! Invariant: levels never decrease along the trail, so analysis and theories see nothing unusual.
//! Invariant: all literals but one of a postponed clause are false, since its level or a lower one.
//! Going back below that level forgets it at once: a restart decides anew before anything is
//! propagated, and may have as many levels again when the clause is looked at next.
//! Invariant: a postponed clause that is a unit becomes true, or the conflict, before the next
//! decision is propagated.
//!
//! Source: [NR18]. DIVERGENCE: the literal gets the level it is implied at, not the lowest one
//! possible.

use crate::Solver;
use crate::clause::ClauseRef;

/// Ways back of more levels than this are usually cut short.
pub(crate) const FAR: u32 = 100;

/// A clause that implies a literal at a level below the one where it did.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Postponed {
    pub(crate) clause: ClauseRef,
    /// Where all its other literals are false.
    level: u32,
}

impl Solver {
    /// The level to go back to for a clause that implies a literal at `wanted`, and has to imply it
    /// at `highest`.
    pub(crate) fn landing(&self, highest: u32, wanted: u32) -> u32 {
        if highest.saturating_sub(wanted) > self.longest_way_back { highest } else { wanted }
    }
    /// Remembers that `clause`, which implies a literal at the present level, could do so at
    /// `level`.
    pub(crate) fn postpone(&mut self, clause: ClauseRef, level: u32) {
        if level < self.trail.level() {
            self.postponed.push(Postponed { clause, level });
        }
    }
    /// Notes that the search has gone back to `level`: a clause of which another literal is open
    /// again is an ordinary clause, and stays one if these levels are opened anew.
    pub(crate) fn forget_postponed(&mut self, level: u32) {
        self.has_gone_back = true;
        self.postponed.retain(|postponed| postponed.level <= level);
    }
    /// Lets postponed clauses imply their literals anew after the search has gone back; a clause
    /// that is false is the result.
    pub(crate) fn revive(&mut self) -> Option<ClauseRef> {
        if !std::mem::take(&mut self.has_gone_back) {
            return None;
        }
        let mut conflict = None;
        for Postponed { clause, level } in std::mem::take(&mut self.postponed) {
            debug_assert!(level <= self.trail.level(), "what lies above was forgotten");
            let [first, second] = [0, 1].map(|at| self.arena.lit(clause, at));
            match (self.trail.value(first), self.trail.value(second)) {
                (None, Some(false)) => self.imply(first, clause),
                (Some(false), None) => self.imply(second, clause),
                (Some(false), Some(false)) => conflict = conflict.or(Some(clause)),
                (Some(true), _) | (_, Some(true)) | (None, None) => {}
            }
            self.postpone(clause, level);
        }
        conflict
    }
}
