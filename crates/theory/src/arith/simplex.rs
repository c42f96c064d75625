//! The simplex procedure: moves the assignment until every column is within its bounds, or finds a
//! row that forbids it.
//!
//! An assignment gives every column that is not dormant a δ-rational such that all rows hold.
//! Bounds are noted when they are asserted, and looked at only when a check begins: then dormant
//! columns with a bound wake up, non-basic columns move inside their bounds, and basic columns
//! outside of theirs enter a queue. Each step takes the basic column with the shortest row from the
//! queue and exchanges it with a non-basic column of its row that has room to move; if none has,
//! the bounds in that row are contradictory. A basic column without bounds is put to sleep when a
//! pivot would have to update its row.
//!
//! Invariant (between checks): the assignment satisfies every row. Invariant (after a feasible
//! check): it satisfies every bound as well; `undo` then brings back this assignment when scopes
//! close, so that backtracking costs no pivots. Termination: after a number of pivots in one check
//! both choices follow Bland's rule.
//!
//! Measured on 2026-11-15, one run each, on 13 problems of `cargo xtask smt-bench` and on
//! `examples/chain.rs`: with the largest index first `a-reset-unsat-200` takes 1.9 s instead of
//! 0.25 s, but a single chain of 2000 steps is built in 0.01 s instead of 0.28 s, because nothing
//! fills in. With the smallest index first most problems take about as long as with the
//! shortest row. `a-buffer-bound-unsat-150` is slowest with the shortest row, but varies as much
//! with the seed.
//!
//! Source: [DdM06], procedures *update*, *pivotAndUpdate*, *Check*; symbols: `β` → `value`, `θ` →
//! `step`. DIVERGENCE [DdM06]: bounds take effect at the next check, and rows of basic columns
//! without bounds leave the tableau.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use shofar_base::{Budget, IndexVec, Outcome};
use shofar_num::{Delta, Rational};

use super::bounds::{Bounds, End};
use super::tableau::{Column, Definition, Place, Row, Tableau, Which};

/// Pivots in one check, beyond one per row, after which Bland's rule guards against cycling.
const PATIENCE: usize = 200;

/// What the procedure found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Feasibility {
    Feasible,
    /// The bounds contradict this row; the basic column is stuck beyond its bound at this end.
    Stuck(Row, End),
}

/// Tableau, bounds and assignment; see the module documentation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Simplex {
    pub(crate) tableau: Tableau,
    pub(crate) bounds: Bounds,
    value: IndexVec<Column, Delta>,
    /// Columns whose bounds have changed since the last check.
    dirty: Vec<Column>,
    is_dirty: IndexVec<Column, bool>,
    /// Basic columns that may be out of their bounds, those with the shortest rows (when they
    /// came) first.
    queue: BinaryHeap<Reverse<(usize, Column)>>,
    is_queued: IndexVec<Column, bool>,
    /// Integer columns that are awake and may have fractional values; all that have one are here.
    suspects: Vec<Column>,
    is_suspect: IndexVec<Column, bool>,
    undo: Undo,
    pub(crate) pivots: u64,
}

/// How to get back to the last feasible assignment.
#[derive(Clone, Debug, Default)]
struct Undo {
    /// Values in that assignment of the columns that have moved since.
    moved: Vec<(Column, Delta)>,
    /// Where a column stands in `moved`.
    at: IndexVec<Column, Option<u32>>,
    /// How many bounds that assignment is known to satisfy.
    mark: usize,
}

impl Undo {
    fn record(&mut self, column: Column, value: Delta) {
        if self.at[column].is_none() {
            self.at[column] = Some(u32::try_from(self.moved.len()).expect("as many as columns"));
            self.moved.push((column, value));
        }
    }
}

impl Simplex {
    /// A new column for an opaque term, or for a sum if there is a definition.
    pub(crate) fn add_column(&mut self, definition: Definition, integer: bool) -> Column {
        self.bounds.add_column();
        self.value.push(Delta::ZERO);
        self.is_dirty.push(false);
        self.is_queued.push(false);
        self.is_suspect.push(false);
        self.undo.at.push(None);
        self.tableau.add_column(definition, integer)
    }
    pub(crate) fn definition(&self, column: Column) -> &[(Rational, Column)] {
        self.tableau.definition(column)
    }
    pub(crate) fn is_opaque(&self, column: Column) -> bool {
        self.tableau.definition(column).is_empty()
    }
    /// The value of a column that is not dormant.
    #[inline]
    pub(crate) fn value(&self, column: Column) -> &Delta {
        &self.value[column]
    }
    /// The value of any column.
    pub(crate) fn evaluate(&self, column: Column) -> Delta {
        if self.tableau.place(column) == Place::Dormant {
            self.tableau.evaluate(column, |x| &self.value[x])
        } else {
            self.value[column].clone()
        }
    }
    /// Computes the values of dormant terms, for the time until the assignment changes, and returns
    /// these terms.
    pub(crate) fn refresh_dormant(&mut self, which: Which) -> Vec<Column> {
        let columns = self.tableau.dormant_terms(which);
        for &column in &columns {
            self.value[column] = self.tableau.evaluate_shallow(column, &self.value);
        }
        columns
    }
    /// The values of all opaque columns.
    pub(crate) fn all_values(&self) -> IndexVec<Column, Delta> {
        let mut values = self.value.clone();
        for column in self.tableau.dormant_terms(Which::All) {
            values[column] = self.tableau.evaluate_shallow(column, &values);
        }
        values
    }
    /// Notes that the bounds of `column` have become stronger.
    pub(crate) fn touch(&mut self, column: Column) {
        if !std::mem::replace(&mut self.is_dirty[column], true) {
            self.dirty.push(column);
        }
    }
    /// Undoes bounds, and returns to the last feasible assignment if that one satisfies all that
    /// remain.
    pub(crate) fn backtrack(&mut self, mark: usize) {
        self.bounds.undo_to(mark);
        if mark > self.undo.mark {
            return;
        }
        self.undo.mark = mark;
        let mut moved = std::mem::take(&mut self.undo.moved);
        for (column, value) in moved.drain(..) {
            self.undo.at[column] = None;
            self.value[column] = value;
            self.suspect(column);
        }
        self.undo.moved = moved;
        for Reverse((_, column)) in self.queue.drain() {
            self.is_queued[column] = false;
        }
        for column in self.dirty.drain(..) {
            self.is_dirty[column] = false;
        }
    }
    /// Declares the present assignment, which satisfies all bounds, the one to return to.
    pub(crate) fn settle(&mut self) {
        for (column, _) in self.undo.moved.drain(..) {
            self.undo.at[column] = None;
        }
        self.undo.mark = self.bounds.mark();
    }

    /// Looks for an assignment within all bounds. `changed` receives the columns whose bounds are
    /// new.
    pub(crate) fn solve(
        &mut self,
        budget: &Budget,
        changed: &mut Vec<Column>,
    ) -> Outcome<Feasibility> {
        self.admit_bounds(budget, changed)?;
        let limit = self.pivots + (PATIENCE + self.tableau.height()) as u64;
        while let Some(basic) = self.next_suspect(self.pivots > limit) {
            self.is_queued[basic] = false;
            let Some((row, end)) = self.violation(basic) else { continue };
            if let Err(why) = budget.check() {
                self.enqueue(basic);
                return Err(why);
            }
            let Some(entering) = self.choose_entering(row, end, self.pivots > limit) else {
                self.enqueue(basic);
                return Ok(Feasibility::Stuck(row, end));
            };
            self.repair(row, end, entering);
        }
        self.settle();
        Ok(Feasibility::Feasible)
    }
    /// Takes a column from the queue, that of the smallest index if Bland's rule is wanted.
    fn next_suspect(&mut self, bland: bool) -> Option<Column> {
        if !bland {
            return self.queue.pop().map(|Reverse((_, column))| column);
        }
        let smallest = self.queue.iter().map(|Reverse((_, column))| *column).min()?;
        self.queue.retain(|Reverse((_, column))| *column != smallest);
        Some(smallest)
    }
    /// Lets the bounds asserted since the last check take effect.
    fn admit_bounds(&mut self, budget: &Budget, changed: &mut Vec<Column>) -> Outcome<()> {
        while let Some(column) = self.dirty.pop() {
            self.is_dirty[column] = false;
            if self.bounds.of(column).is_free() {
                continue;
            }
            changed.push(column);
            self.admit(column);
            budget.check()?;
        }
        Ok(())
    }
    fn admit(&mut self, column: Column) {
        match self.tableau.place(column) {
            Place::Dormant => {
                self.wake(column);
                self.enqueue(column);
            }
            Place::Basic(_) => self.enqueue(column),
            Place::NonBasic => {
                let limits = self.bounds.of(column);
                let value = &self.value[column];
                let target = if limits.is_below(value) { &limits.lower } else { &limits.upper };
                if limits.is_below(value) || limits.is_above(value) {
                    let target = target.as_ref().expect("the violated bound exists").value.clone();
                    self.shift(column, &(&target - &self.value[column]));
                }
            }
        }
    }
    /// Gives a dormant column a row and a value, in the last feasible assignment too if that is
    /// another one.
    pub(crate) fn wake(&mut self, column: Column) {
        if !self.undo.moved.is_empty() {
            let (undo, value) = (&self.undo, &self.value);
            let before = self.tableau.evaluate(column, |x| match undo.at[x] {
                Some(at) => &undo.moved[at as usize].1,
                None => &value[x],
            });
            self.undo.record(column, before);
        }
        self.value[column] = self.tableau.evaluate(column, |x| &self.value[x]);
        self.tableau.wake(column);
        self.suspect(column);
    }
    /// Whether an integer column has a value that is not one.
    #[inline]
    pub(crate) fn is_fractional(&self, column: Column) -> bool {
        let value = &self.value[column];
        self.tableau.is_integer(column) && !(value.real.is_integer() && value.is_real())
    }
    #[inline]
    fn suspect(&mut self, column: Column) {
        if self.is_fractional(column) && !self.is_suspect[column] {
            self.is_suspect[column] = true;
            self.suspects.push(column);
        }
    }
    /// The integer columns that are awake and have fractional values.
    pub(crate) fn fractional(&mut self) -> Vec<Column> {
        let mut suspects = std::mem::take(&mut self.suspects);
        suspects.retain(|&x| {
            let keep = self.tableau.place(x) != Place::Dormant && self.is_fractional(x);
            self.is_suspect[x] = keep;
            keep
        });
        self.suspects.clone_from(&suspects);
        suspects.sort_unstable();
        suspects
    }
    fn enqueue(&mut self, column: Column) {
        if !std::mem::replace(&mut self.is_queued[column], true) {
            let length = match self.tableau.place(column) {
                Place::Basic(row) => self.tableau.entries(row).len(),
                Place::NonBasic | Place::Dormant => 0,
            };
            self.queue.push(Reverse((length, column)));
        }
    }
    /// The row of a basic column that is out of its bounds, and the bound that it violates.
    fn violation(&self, column: Column) -> Option<(Row, End)> {
        let Place::Basic(row) = self.tableau.place(column) else { return None };
        let (limits, value) = (self.bounds.of(column), &self.value[column]);
        if limits.is_below(value) {
            Some((row, End::Lower))
        } else if limits.is_above(value) {
            Some((row, End::Upper))
        } else {
            None
        }
    }

    /// A column of `row` that can move so that the basic column gets closer to its bound at `end`.
    fn choose_entering(&self, row: Row, end: End, bland: bool) -> Option<Column> {
        let basic = self.tableau.basic(row);
        let direction = self.tableau.pivot_coefficient(row).is_positive() == (end == End::Upper);
        let mut best: Option<(bool, usize, Column)> = None;
        for entry in self.tableau.entries(row) {
            let x = entry.column;
            let (limits, value) = (self.bounds.of(x), &self.value[x]);
            let can_move = if entry.coefficient.is_positive() == direction {
                limits.has_room_above(value)
            } else {
                limits.has_room_below(value)
            };
            if x == basic || !can_move {
                continue;
            }
            // A column without bounds never has to leave the basis again, and a short one costs
            // little to eliminate.
            let (bounded, width) = (!limits.is_free(), self.tableau.occurrence_count(x));
            let better = match best {
                None => true,
                Some((_, _, y)) if bland => x < y,
                Some((b, w, y)) => (bounded, width, x) < (b, w, y),
            };
            if better {
                best = Some((bounded, width, x));
            }
        }
        best.map(|(_, _, column)| column)
    }
    /// `pivotAndUpdate`: exchanges the basic column of `row` with `entering` and sets it to its
    /// bound at `end`.
    pub(crate) fn repair(&mut self, row: Row, end: End, entering: Column) {
        let leaving = self.tableau.basic(row);
        let target = &self.bounds.of(leaving).at(end).expect("the violated bound exists").value;
        let gap = target - &self.value[leaving];
        let entries = self.tableau.entries(row);
        let at = entries.iter().position(|entry| entry.column == entering);
        let at = at.expect("the entering column is in the row");
        let coefficient = &entries[at].coefficient;
        let step = gap.scale(&-(self.tableau.pivot_coefficient(row) / coefficient));
        self.advance(leaving, &gap);
        self.advance(entering, &step);
        self.tableau.exchange(row, at);
        self.pivots += 1;
        self.enqueue_if_violated(entering);
        while let Some((other, at)) = self.tableau.other_row(entering) {
            let basic = self.tableau.basic(other);
            if self.bounds.of(basic).is_free() {
                self.tableau.put_to_sleep(other);
                continue;
            }
            let coefficient = &self.tableau.entries(other)[at as usize].coefficient;
            let factor = -(coefficient / self.tableau.pivot_coefficient(other));
            self.advance(basic, &step.scale(&factor));
            self.tableau.eliminate(other, at, row);
            self.enqueue_if_violated(basic);
        }
    }
    fn enqueue_if_violated(&mut self, column: Column) {
        let (limits, value) = (self.bounds.of(column), &self.value[column]);
        if limits.is_below(value) || limits.is_above(value) {
            self.enqueue(column);
        }
    }
    /// Adds `step` to the value of `column` and nothing else.
    fn advance(&mut self, column: Column, step: &Delta) {
        if self.undo.at[column].is_none() {
            self.undo.record(column, self.value[column].clone());
        }
        self.value[column] += step;
        self.suspect(column);
    }
    /// `update`: moves a non-basic column by `step`, and the basic columns that depend on it along.
    pub(crate) fn shift(&mut self, column: Column, step: &Delta) {
        debug_assert_eq!(self.tableau.place(column), Place::NonBasic);
        self.advance(column, step);
        for at in 0..self.tableau.occurrence_count(column) {
            let (row, coefficient) = self.tableau.mention(column, at);
            let factor = -(coefficient / self.tableau.pivot_coefficient(row));
            let basic = self.tableau.basic(row);
            self.advance(basic, &step.scale(&factor));
            self.enqueue_if_violated(basic);
        }
    }
}
