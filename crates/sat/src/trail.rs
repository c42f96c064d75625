//! The current assignment, in the order it was made.
//!
//! Invariant: `limits[k]` is where level `k + 1` begins, so there are `limits.len()` levels above
//! the root. `Info` of a variable is meaningful only while the variable is assigned. A literal of
//! the root level has `Reason::Nothing`: its derivation, if proofs are logged, was recorded as a
//! unit clause at the moment it was assigned.

use shofar_base::{IndexVec, Lit, Var};

use crate::clause::ClauseRef;

/// Why a variable has its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// A decision, an assumption, or anything at the root level.
    Nothing,
    /// All other literals of the clause are false.
    Clause(ClauseRef),
    /// The theory implied it and was not asked for the clause so far.
    Theory,
}

/// How a variable came to its value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Info {
    pub(crate) reason: Reason,
    pub(crate) level: u32,
    /// Index into the trail.
    pub(crate) position: u32,
}

/// The assignment, its levels, and the queue of literals whose consequences are not drawn yet.
#[derive(Debug, Default)]
pub(crate) struct Trail {
    values: IndexVec<Lit, Option<bool>>,
    info: IndexVec<Var, Info>,
    lits: Vec<Lit>,
    limits: Vec<usize>,
    head: usize,
}

impl Trail {
    /// One more variable, unassigned.
    pub(crate) fn add_var(&mut self) -> Var {
        self.values.push(None);
        self.values.push(None);
        self.info.push(Info { reason: Reason::Nothing, level: 0, position: 0 })
    }
    /// How many variables there are.
    pub(crate) fn vars(&self) -> usize {
        self.info.len()
    }
    /// The value of a literal.
    #[inline]
    pub(crate) fn value(&self, lit: Lit) -> Option<bool> {
        self.values[lit]
    }
    /// Whether the variable has a value.
    #[inline]
    pub(crate) fn is_assigned(&self, var: Var) -> bool {
        self.values[var.positive()].is_some()
    }
    /// The level an assigned variable got its value at.
    #[inline]
    pub(crate) fn level_of(&self, var: Var) -> u32 {
        self.info[var].level
    }
    /// Where in the trail an assigned variable is.
    #[inline]
    pub(crate) fn position(&self, var: Var) -> u32 {
        self.info[var].position
    }
    /// Why an assigned variable has its value.
    #[inline]
    pub(crate) fn reason(&self, var: Var) -> Reason {
        self.info[var].reason
    }
    /// Replaces the reason of an assigned variable.
    pub(crate) fn set_reason(&mut self, var: Var, reason: Reason) {
        self.info[var].reason = reason;
    }
    /// The current level; 0 is the root.
    #[inline]
    pub(crate) fn level(&self) -> u32 {
        u32::try_from(self.limits.len()).expect("fewer levels than variables and assumptions")
    }
    /// All assigned literals in order.
    #[inline]
    pub(crate) fn lits(&self) -> &[Lit] {
        &self.lits
    }
    /// How many literals are assigned.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.lits.len()
    }
    /// Where the literals above the root begin.
    pub(crate) fn root_len(&self) -> usize {
        self.limits.first().copied().unwrap_or(self.lits.len())
    }
    /// Where in the trail `level` (above the root) begins.
    pub(crate) fn start_of(&self, level: u32) -> usize {
        self.limits[level as usize - 1]
    }
    /// Opens a level.
    pub(crate) fn push_level(&mut self) {
        self.limits.push(self.lits.len());
    }
    /// Makes an unassigned literal true.
    #[inline]
    pub(crate) fn assign(&mut self, lit: Lit, reason: Reason) {
        debug_assert!(self.values[lit].is_none(), "only unassigned literals are assigned");
        self.values[lit] = Some(true);
        self.values[!lit] = Some(false);
        let position = u32::try_from(self.lits.len()).expect("fewer than 2^32 variables");
        self.info[lit.var()] = Info { reason, level: self.level(), position };
        self.lits.push(lit);
    }
    /// The next literal whose consequences are to be drawn.
    #[inline]
    pub(crate) fn dequeue(&mut self) -> Option<Lit> {
        let lit = self.lits.get(self.head).copied()?;
        self.head += 1;
        Some(lit)
    }
    /// Whether all Boolean consequences are drawn.
    pub(crate) fn is_settled(&self) -> bool {
        self.head == self.lits.len()
    }
    /// Takes back the levels above `level`; `undo` sees each literal, the latest first.
    pub(crate) fn backtrack(&mut self, level: u32, mut undo: impl FnMut(Lit)) {
        let start = self.limits[level as usize];
        for index in (start..self.lits.len()).rev() {
            let lit = self.lits[index];
            self.values[lit] = None;
            self.values[!lit] = None;
            undo(lit);
        }
        self.lits.truncate(start);
        self.limits.truncate(level as usize);
        self.head = self.head.min(start);
    }
    /// Replaces every clause that is a reason by what `moved` says.
    pub(crate) fn relocate(&mut self, mut moved: impl FnMut(ClauseRef) -> ClauseRef) {
        for lit in &self.lits {
            let info = &mut self.info[lit.var()];
            if let Reason::Clause(clause) = info.reason {
                info.reason = Reason::Clause(moved(clause));
            }
        }
    }
    /// Whether `clause` is the reason of one of `watched`, its first two literals.
    pub(crate) fn is_reason(&self, clause: ClauseRef, watched: &[Lit]) -> bool {
        let implied = |&lit: &Lit| {
            self.value(lit) == Some(true) && self.reason(lit.var()) == Reason::Clause(clause)
        };
        watched.iter().take(2).any(implied)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backtracking_keeps_lower_levels() {
        let mut trail = Trail::default();
        let lits: Vec<Lit> = (0..3).map(|_| trail.add_var().negative()).collect();
        trail.assign(lits[0], Reason::Nothing);
        trail.push_level();
        trail.assign(lits[1], Reason::Nothing);
        trail.push_level();
        trail.assign(lits[2], Reason::Theory);
        let mut undone = Vec::new();
        trail.backtrack(0, |lit| undone.push(lit));
        assert_eq!(undone, [lits[2], lits[1]]);
        assert_eq!(trail.lits(), [lits[0]]);
        assert_eq!(
            (trail.value(lits[0]), trail.value(lits[1]), trail.level()),
            (Some(true), None, 0)
        );
    }
}
