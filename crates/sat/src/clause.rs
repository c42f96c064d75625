//! The arena all clauses live in.
//!
//! A clause is a header of three words followed by its literals, so that the header and the watched
//! literals share a cache line. A word has 32 bits and so has a literal: the arena is one
//! `Vec<Lit>`, whose header words are read through [`Arena::word`]. A [`ClauseRef`] is the position
//! of the header.
//!
//! | word | contents |
//! |---|---|
//! | 0 | number of literals (the new position, once the clause was moved) |
//! | 1 | flags, usage counter, LBD |
//! | 2 | the step of the proof log that derives the clause |
//!
//! Invariant: literals 0 and 1 are the watched ones, while the clause is attached; an implied
//! literal is one of the two. Dead clauses keep their words until [`Arena::relocate`] has moved the
//! living ones to a fresh arena.

use shofar_base::{Idx, Lit, index_type};

use crate::proof::StepId;

index_type!(
    /// The position of a clause in the arena.
    pub(crate) struct ClauseRef
);

const HEADER: usize = 3;
const LEARNT: u32 = 1;
const DEAD: u32 = 2;
const MOVED: u32 = 4;
const USED_SHIFT: u32 = 3;
const USED_MASK: u32 = 3 << USED_SHIFT;
const LBD_SHIFT: u32 = 5;
const MAX_LBD: u32 = u32::MAX >> LBD_SHIFT;

/// Where a clause comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Added by the owner, or the explanation of a theory: not subject to ranking by LBD.
    Given,
    /// Learnt from a conflict, or a lemma: deleted when it proves useless.
    Learnt,
}

/// Header and literals of all clauses.
#[derive(Debug, Default)]
pub(crate) struct Arena {
    words: Vec<Lit>,
    wasted: usize,
}

impl Arena {
    /// Stores a clause.
    pub(crate) fn alloc(
        &mut self,
        lits: &[Lit],
        origin: Origin,
        lbd: u32,
        step: StepId,
    ) -> ClauseRef {
        let clause = ClauseRef::from_index(self.words.len());
        let learnt = if origin == Origin::Learnt { LEARNT } else { 0 };
        self.words.push(Lit::from_index(lits.len()));
        self.words.push(as_word(learnt | lbd.min(MAX_LBD) << LBD_SHIFT));
        self.words.push(Lit::from_index(step.index()));
        self.words.extend_from_slice(lits);
        clause
    }
    #[inline]
    fn word(&self, clause: ClauseRef, offset: usize) -> u32 {
        u32::try_from(self.words[clause.index() + offset].index()).expect("a Lit has 32 bits")
    }
    #[inline]
    fn set_flags(&mut self, clause: ClauseRef, flags: u32) {
        self.words[clause.index() + 1] = as_word(flags);
    }
    /// How many literals the clause has.
    #[inline]
    pub(crate) fn len(&self, clause: ClauseRef) -> usize {
        self.words[clause.index()].index()
    }
    /// The literals.
    #[inline]
    pub(crate) fn lits(&self, clause: ClauseRef) -> &[Lit] {
        let start = clause.index() + HEADER;
        &self.words[start..start + self.len(clause)]
    }
    /// The literals, to be permuted.
    #[inline]
    pub(crate) fn lits_mut(&mut self, clause: ClauseRef) -> &mut [Lit] {
        let start = clause.index() + HEADER;
        let len = self.len(clause);
        &mut self.words[start..start + len]
    }
    /// The literal at `index`.
    #[inline]
    pub(crate) fn lit(&self, clause: ClauseRef, index: usize) -> Lit {
        self.words[clause.index() + HEADER + index]
    }
    /// The step that derives the clause; meaningless when no proof is logged.
    #[inline]
    pub(crate) fn step(&self, clause: ClauseRef) -> StepId {
        StepId::from_index(self.words[clause.index() + 2].index())
    }
    /// Says which step derives the clause.
    pub(crate) fn set_step(&mut self, clause: ClauseRef, step: StepId) {
        self.words[clause.index() + 2] = Lit::from_index(step.index());
    }
    /// Whether the clause was learnt (or is a lemma).
    #[inline]
    pub(crate) fn is_learnt(&self, clause: ClauseRef) -> bool {
        self.word(clause, 1) & LEARNT != 0
    }
    /// Whether [`Arena::kill`] was called on the clause.
    #[inline]
    pub(crate) fn is_dead(&self, clause: ClauseRef) -> bool {
        self.word(clause, 1) & DEAD != 0
    }
    /// The number of decision levels among the literals when the clause was last looked at.
    #[inline]
    pub(crate) fn lbd(&self, clause: ClauseRef) -> u32 {
        self.word(clause, 1) >> LBD_SHIFT
    }
    /// Changes the LBD.
    pub(crate) fn set_lbd(&mut self, clause: ClauseRef, lbd: u32) {
        let rest = self.word(clause, 1) & ((1 << LBD_SHIFT) - 1);
        self.set_flags(clause, rest | lbd.min(MAX_LBD) << LBD_SHIFT);
    }
    /// How many further reductions the clause survives because it was used.
    #[inline]
    pub(crate) fn used(&self, clause: ClauseRef) -> u32 {
        (self.word(clause, 1) & USED_MASK) >> USED_SHIFT
    }
    /// Sets the usage counter, at most 3.
    #[inline]
    pub(crate) fn set_used(&mut self, clause: ClauseRef, used: u32) {
        let rest = self.word(clause, 1) & !USED_MASK;
        self.set_flags(clause, rest | (used << USED_SHIFT & USED_MASK));
    }
    /// Marks the clause as gone; its watches are swept by the caller.
    pub(crate) fn kill(&mut self, clause: ClauseRef) {
        self.wasted += HEADER + self.len(clause);
        self.set_flags(clause, self.word(clause, 1) | DEAD);
    }
    /// Removes the literals that `drop` names.
    pub(crate) fn strip(&mut self, clause: ClauseRef, mut drop: impl FnMut(Lit) -> bool) {
        let (start, len) = (clause.index() + HEADER, self.len(clause));
        let mut kept = 0;
        for index in start..start + len {
            let lit = self.words[index];
            if !drop(lit) {
                self.words[start + kept] = lit;
                kept += 1;
            }
        }
        self.wasted += len - kept;
        self.words[clause.index()] = Lit::from_index(kept);
    }
    /// Words in use, dead ones included.
    pub(crate) fn size(&self) -> usize {
        self.words.len()
    }
    /// Whether so much is dead that moving the living pays.
    pub(crate) fn is_sparse(&self) -> bool {
        self.wasted * 4 > self.words.len()
    }
    /// An empty arena with room for the living clauses.
    pub(crate) fn successor(&self) -> Arena {
        Arena {
            words: Vec::with_capacity(self.words.len() - self.wasted.min(self.words.len())),
            wasted: 0,
        }
    }
    /// Moves a living clause to `target`, or says where it was moved to before.
    pub(crate) fn relocate(&mut self, clause: ClauseRef, target: &mut Arena) -> ClauseRef {
        let flags = self.word(clause, 1);
        if flags & MOVED != 0 {
            return ClauseRef::from_index(self.words[clause.index()].index());
        }
        let moved = ClauseRef::from_index(target.words.len());
        let end = clause.index() + HEADER + self.len(clause);
        target.words.extend_from_slice(&self.words[clause.index()..end]);
        self.set_flags(clause, flags | MOVED);
        self.words[clause.index()] = Lit::from_index(moved.index());
        moved
    }
}

fn as_word(word: u32) -> Lit {
    Lit::from_index(word as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lits(codes: &[usize]) -> Vec<Lit> {
        codes.iter().map(|&code| Lit::from_index(code)).collect()
    }

    #[test]
    fn header_fields_do_not_disturb_each_other() {
        let mut arena = Arena::default();
        let clause = arena.alloc(&lits(&[0, 3, 5]), Origin::Learnt, 9, StepId::from_index(77));
        arena.set_used(clause, 2);
        arena.set_lbd(clause, 4);
        assert!(arena.is_learnt(clause) && !arena.is_dead(clause));
        assert_eq!((arena.used(clause), arena.lbd(clause), arena.step(clause).index()), (2, 4, 77));
        arena.set_used(clause, 0);
        assert_eq!(
            (arena.used(clause), arena.lbd(clause), arena.lits(clause)),
            (0, 4, &lits(&[0, 3, 5])[..])
        );
    }

    #[test]
    fn moving_keeps_the_living() {
        let mut arena = Arena::default();
        let first = arena.alloc(&lits(&[0, 2, 4]), Origin::Given, 0, StepId::from_index(0));
        let second = arena.alloc(&lits(&[1, 3, 5, 7]), Origin::Learnt, 3, StepId::from_index(1));
        arena.kill(first);
        arena.strip(second, |lit| lit.index() == 5);
        assert!(arena.is_sparse());
        let mut target = arena.successor();
        let moved = arena.relocate(second, &mut target);
        assert_eq!(arena.relocate(second, &mut target), moved);
        assert_eq!(target.lits(moved), lits(&[1, 3, 7]));
        assert_eq!((target.lbd(moved), target.step(moved).index()), (3, 1));
    }
}
