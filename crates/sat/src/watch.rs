//! Watch lists.
//!
//! A clause is in the lists of its first two literals; the list of a literal is walked when the
//! literal becomes false. A watch carries a *blocker*, some other literal of the clause: if that is
//! true, the clause need not be looked at. For a binary clause the blocker is the other literal,
//! hence the clause is never looked at; one bit of the watch says so.
//!
//! Source: [MMZ01] (two watched literals), [ES03] (blockers appear in its later releases).

use shofar_base::{Idx, IndexVec, Lit};

use crate::clause::{Arena, ClauseRef};

/// An entry of a watch list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watch {
    /// A literal of the clause other than the watched one.
    pub(crate) blocker: Lit,
    /// `2·clause + is_binary`.
    packed: u32,
}

impl Watch {
    /// A watch of `clause`.
    pub(crate) fn new(blocker: Lit, clause: ClauseRef, is_binary: bool) -> Self {
        let position = u32::try_from(clause.index()).expect("a position has 32 bits");
        assert!(position >> 31 == 0, "the clause arena holds fewer than 2^31 words");
        Self { blocker, packed: position << 1 | u32::from(is_binary) }
    }
    /// The watched clause.
    #[inline]
    pub(crate) fn clause(self) -> ClauseRef {
        ClauseRef::from_index((self.packed >> 1) as usize)
    }
    /// Whether the clause has two literals.
    #[inline]
    pub(crate) fn is_binary(self) -> bool {
        self.packed & 1 != 0
    }
}

/// The watch lists of all literals.
#[derive(Debug, Default)]
pub(crate) struct Watches {
    pub(crate) lists: IndexVec<Lit, Vec<Watch>>,
}

impl Watches {
    /// Makes room for the two literals of one more variable.
    pub(crate) fn add_var(&mut self) {
        self.lists.push(Vec::new());
        self.lists.push(Vec::new());
    }
    /// Watches the first two literals of `clause`.
    pub(crate) fn attach(&mut self, arena: &Arena, clause: ClauseRef) {
        let (first, second) = (arena.lit(clause, 0), arena.lit(clause, 1));
        let is_binary = arena.len(clause) == 2;
        self.lists[first].push(Watch::new(second, clause, is_binary));
        self.lists[second].push(Watch::new(first, clause, is_binary));
    }
    /// Forgets the watches of dead clauses.
    pub(crate) fn sweep(&mut self, arena: &Arena) {
        for list in &mut self.lists {
            list.retain(|watch| !arena.is_dead(watch.clause()));
            release_slack(list);
        }
    }
    /// Replaces every clause by what `moved` says.
    pub(crate) fn relocate(&mut self, mut moved: impl FnMut(ClauseRef) -> ClauseRef) {
        for watch in self.lists.iter_mut().flatten() {
            *watch = Watch::new(watch.blocker, moved(watch.clause()), watch.is_binary());
        }
    }
    /// Empties the lists and attaches exactly `clauses`.
    pub(crate) fn rebuild<'a>(
        &mut self,
        arena: &Arena,
        clauses: impl Iterator<Item = &'a ClauseRef>,
    ) {
        for list in &mut self.lists {
            list.clear();
        }
        for &clause in clauses {
            self.attach(arena, clause);
        }
        for list in &mut self.lists {
            release_slack(list);
        }
    }
}

/// Gives memory back when a list has shrunk a lot, as the lists of retired activation literals do.
fn release_slack(list: &mut Vec<Watch>) {
    if list.capacity() > 4 * list.len() + 4 {
        list.shrink_to_fit();
    }
}
