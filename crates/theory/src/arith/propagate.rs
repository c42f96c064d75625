//! Literals that follow from the asserted ones.
//!
//! Two sources. A new bound on a column decides all atoms of the same column on its far side: they
//! are a range of the sorted list of atoms. And a row with bounds on all of its columns but one
//! bounds that one; since bounds that no atom speaks about are of no use, only columns with open
//! atoms are looked at, and only rows with a column whose bounds have changed. The reasons are
//! copied when the literal is found, because later pivots change the row.
//!
//! Invariant: an atom on the trail `implied` has a reason that speaks of literals asserted before;
//! reasons live as long as their scope. Invariant: `Form::open` counts the atoms that are neither
//! asserted nor implied.
//!
//! Source: [DdM06], theory propagation: unate propagation, and bound refinement on rows.

use shofar_base::Lit;
use shofar_num::{Delta, Rational};

use super::bounds::{Bound, End};
use super::tableau::{Column, Entry, Place, Row};
use super::{Arith, AtomId, Level};

/// A column with more occurrences than this makes too many rows worth a look.
const WIDE_COLUMN: usize = 24;

/// Why an atom is implied.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reason {
    /// This literal is at least as strong.
    Bound(Lit),
    /// A row, see [`Cause`]; an index into `Arith::causes`.
    Row(u32),
}

/// The other literals of a row: the range of `Arith::premises`, and the multiplier of the implied
/// literal's negation.
#[derive(Clone, Debug)]
pub(super) struct Cause {
    pub(super) own: Rational,
    pub(super) start: u32,
    pub(super) end: u32,
}

/// The bound that an entry contributes to the least (`Lower`) or greatest (`Upper`) value of its
/// row.
pub(super) fn contributing_end(entry: &Entry, extreme: End) -> End {
    if entry.coefficient.is_positive() { extreme } else { extreme.opposite() }
}

impl Arith {
    pub(super) fn mark_asserted(&mut self, id: AtomId, positive: bool) {
        let atom = &mut self.atoms[id];
        let was_open = atom.asserted.is_none() && atom.implied.is_none();
        atom.asserted = Some(positive);
        self.asserted.push(id);
        self.forms[atom.column].open -= u32::from(was_open);
    }
    /// Takes back what was asserted and implied since `level` began.
    pub(super) fn unmark(&mut self, level: &Level) {
        for id in self.asserted.drain(level.asserted..) {
            let atom = &mut self.atoms[id];
            atom.asserted = None;
            self.forms[atom.column].open += u32::from(atom.implied.is_none());
        }
        for id in self.implied.drain(level.implied..) {
            let atom = &mut self.atoms[id];
            atom.implied = None;
            self.forms[atom.column].open += u32::from(atom.asserted.is_none());
        }
        self.delivered = self.delivered.min(self.implied.len());
    }
    fn imply(&mut self, id: AtomId, positive: bool, reason: Reason) {
        let atom = &mut self.atoms[id];
        debug_assert!(atom.asserted.is_none() && atom.implied.is_none());
        atom.implied = Some((positive, reason));
        self.forms[atom.column].open -= 1;
        self.implied.push(id);
        self.stats.implied += 1;
        #[cfg(debug_assertions)]
        {
            let lit = Lit::new(self.atoms[id].var, positive);
            self.explain_implied(lit);
        }
    }
    fn is_open(&self, id: AtomId) -> bool {
        let atom = &self.atoms[id];
        atom.asserted.is_none() && atom.implied.is_none()
    }

    /// Notices that the bounds there are decide a new atom.
    pub(super) fn propagate_known(&mut self, id: AtomId) {
        let atom = &self.atoms[id];
        let limits = self.simplex.bounds.of(atom.column);
        if let Some(upper) = limits.upper.as_ref().filter(|u| u.value <= atom.threshold) {
            self.imply(id, true, Reason::Bound(upper.lit));
        } else if let Some(lower) = limits.lower.as_ref().filter(|l| l.value >= atom.successor) {
            self.imply(id, false, Reason::Bound(lower.lit));
        }
    }
    /// Sorts the atoms of `column`. This waits until somebody wants them in order: a column may get
    /// a million atoms before.
    fn put_in_order(&mut self, column: Column) {
        let (atoms, form) = (&self.atoms, &mut self.forms[column]);
        if form.sorted + 1 == form.atoms.len() {
            let last = form.atoms.pop().expect("there is one more than are sorted");
            let threshold = &atoms[last].threshold;
            let at = form.atoms.partition_point(|&other| atoms[other].threshold <= *threshold);
            form.atoms.insert(at, last);
        } else if form.sorted < form.atoms.len() {
            form.atoms.sort_by(|&a, &b| atoms[a].threshold.cmp(&atoms[b].threshold));
        }
        form.sorted = form.atoms.len();
    }
    /// Implies the atoms of `column` that a new bound decides; the old bound is still in place.
    pub(super) fn propagate_bound(&mut self, column: Column, end: End, bound: &Bound) {
        if self.forms[column].open > 0 {
            let (from, to) = self.decided(column, end, &bound.value);
            for at in from..to {
                let id = self.forms[column].atoms[at];
                if self.is_open(id) {
                    self.imply(id, end == End::Upper, Reason::Bound(bound.lit));
                }
            }
        }
    }
    /// The atoms of `column` that a bound of `value` decides but the present bound does not, as a
    /// range of its list.
    fn decided(&mut self, column: Column, end: End, value: &Delta) -> (usize, usize) {
        self.put_in_order(column);
        let (list, limits) = (&self.forms[column].atoms, self.simplex.bounds.of(column));
        let old = limits.at(end).map(|b| &b.value);
        let is_weaker = |old: &Delta| match end {
            End::Upper => value >= old,
            End::Lower => value <= old,
        };
        if old.is_some_and(is_weaker) {
            return (0, 0);
        }
        match end {
            End::Upper => {
                let below = |v: &Delta| list.partition_point(|&a| self.atoms[a].threshold < *v);
                (below(value), old.map_or(list.len(), below))
            }
            End::Lower => {
                let upto = |v: &Delta| list.partition_point(|&a| self.atoms[a].successor <= *v);
                (old.map_or(0, upto), upto(value))
            }
        }
    }

    /// Searches the rows with changed columns for implied literals.
    pub(super) fn propagate_rows(&mut self) {
        let mut rows = std::mem::take(&mut self.rows);
        for column in self.changed.drain(..) {
            match self.simplex.tableau.place(column) {
                Place::Basic(row) => rows.push(row),
                Place::NonBasic if self.simplex.tableau.occurrence_count(column) <= WIDE_COLUMN => {
                    rows.extend(self.simplex.tableau.mentions(column).map(|(row, _)| row));
                }
                Place::NonBasic | Place::Dormant => {}
            }
        }
        rows.sort_unstable();
        rows.dedup();
        for row in rows.drain(..) {
            self.propagate_row(row);
        }
        self.rows = rows;
    }
    fn propagate_row(&mut self, row: Row) {
        let entries = self.simplex.tableau.entries(row);
        let worthwhile = entries.len() <= self.options.propagation_row_length
            && entries.iter().any(|entry| self.forms[entry.column].open > 0);
        if worthwhile {
            self.propagate_extreme(row, End::Lower);
            self.propagate_extreme(row, End::Upper);
        }
    }
    /// Since the row sums up to 0, no entry exceeds the negated least (or falls below the negated
    /// greatest) sum of the others.
    fn propagate_extreme(&mut self, row: Row, extreme: End) {
        // Most rows have two entries without a bound, so that is looked at before anything is
        // summed up.
        let entries = self.simplex.tableau.entries(row);
        let is_unbounded = |entry: &Entry| {
            self.simplex.bounds.of(entry.column).at(contributing_end(entry, extreme)).is_none()
        };
        let unbounded = entries.iter().position(is_unbounded);
        if let Some(at) = unbounded
            && (self.forms[entries[at].column].open == 0
                || entries[at + 1..].iter().any(is_unbounded))
        {
            return;
        }
        let mut total = Delta::ZERO;
        for entry in entries {
            let end = contributing_end(entry, extreme);
            if let Some(bound) = self.simplex.bounds.of(entry.column).at(end) {
                total.add_mul(&entry.coefficient, &bound.value);
            }
        }
        match unbounded {
            Some(at) => self.propagate_entry(row, at, extreme, &total),
            None => {
                for at in 0..self.simplex.tableau.entries(row).len() {
                    self.propagate_entry(row, at, extreme, &total);
                }
            }
        }
    }
    /// Implies what the extreme sum of the other entries says about one; `total` includes its own
    /// bound if it has one.
    fn propagate_entry(&mut self, row: Row, at: usize, extreme: End, total: &Delta) {
        let entry = &self.simplex.tableau.entries(row)[at];
        let column = entry.column;
        if self.forms[column].open == 0 {
            return;
        }
        let own_end = contributing_end(entry, extreme);
        let mut others = total.clone();
        if let Some(bound) = self.simplex.bounds.of(column).at(own_end) {
            others.sub_mul(&entry.coefficient, &bound.value);
        }
        let value = others.scale(&-entry.coefficient.recip());
        let (from, to) = self.decided(column, own_end.opposite(), &value);
        let mut cause = None;
        for index in from..to {
            let id = self.forms[column].atoms[index];
            if self.is_open(id) {
                let reason = *cause.get_or_insert_with(|| self.record_cause(row, at, extreme));
                self.imply(id, own_end == End::Lower, reason);
            }
        }
    }
    /// Copies the bounds of all entries of `row` but one.
    fn record_cause(&mut self, row: Row, except: usize, extreme: End) -> Reason {
        let position = |index: usize| u32::try_from(index).expect("fewer than 2^32 premises");
        let start = position(self.premises.len());
        let entries = self.simplex.tableau.entries(row);
        for (_, entry) in entries.iter().enumerate().filter(|(at, _)| *at != except) {
            let bound = self.simplex.bounds.of(entry.column).at(contributing_end(entry, extreme));
            let lit = bound.expect("the other entries are bounded").lit;
            self.premises.push((lit, entry.coefficient.abs()));
        }
        let own = entries[except].coefficient.abs();
        let end = position(self.premises.len());
        self.causes.push(Cause { own, start, end });
        Reason::Row(position(self.causes.len() - 1))
    }
}
