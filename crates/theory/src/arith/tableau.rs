//! The tableau: linear equations between columns, each solved for one of them.
//!
//! A row is an equation `Σ a_j·x_j = 0` with integer coefficients; one of its columns is its
//! *basic* column and occurs in no other row. A column is thus basic, or non-basic (it may occur in
//! many rows), or *dormant*: no row mentions it, because nothing depends on its value for the time
//! being. A dormant column keeps the equation that it had when it fell asleep (or its definition as
//! a sum of terms), in terms of columns that were awake then; see `sleep`.
//!
//! Every entry of a row knows its place in the occurrence list of its column and vice versa, so
//! entries come and go in constant time. Since rows are homogeneous equations, exchanging a basic
//! column with another one of its row changes nothing in that row; the work is in the other rows.
//! They stay integral by cross multiplication with the reduced factors.
//!
//! Invariants: coefficients are non-zero integers; occurrence links are mutual; a basic column
//! occurs exactly once (in the middle of a pivot its own row comes first among its occurrences);
//! `slot` is `None` everywhere between two operations.
//!
//! Source: [DdM06], the pivoting operation. DIVERGENCE: the paper writes `x_i = Σ a_ij·x_j` with
//! rational coefficients; we keep the equation homogeneous and integral, which saves the reductions
//! of fractions.

mod sleep;

use shofar_base::{IndexVec, index_type};
use shofar_num::{Rational, div_exact, gcd};

use self::sleep::Sleep;
pub(crate) use self::sleep::Which;

index_type!(
    /// A simplex variable: an opaque term or a sum.
    pub(crate) struct Column
);
index_type!(
    /// An equation of the tableau.
    pub(crate) struct Row
);

/// One summand of a row.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) coefficient: Rational,
    pub(crate) column: Column,
    /// Where the occurrence list of `column` mentions this entry.
    back: u32,
}

/// One mention of a column.
#[derive(Clone, Copy, Debug)]
struct Occurrence {
    row: Row,
    at: u32,
}

/// Where a column stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    NonBasic,
    Basic(Row),
    Dormant,
}

#[derive(Clone, Debug)]
struct Equation {
    entries: Vec<Entry>,
    basic: Column,
}

/// The columns a sum consists of; empty for an opaque term.
pub(crate) type Definition = Box<[(Rational, Column)]>;

/// The equations; see the module documentation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tableau {
    rows: IndexVec<Row, Equation>,
    vacant: Vec<Row>,
    occurrences: IndexVec<Column, Vec<Occurrence>>,
    place: IndexVec<Column, Place>,
    definition: IndexVec<Column, Definition>,
    /// Whether a column stands for an integer.
    integer: IndexVec<Column, bool>,
    sleep: IndexVec<Column, Sleep>,
    /// How many times a column has fallen asleep.
    clock: u64,
    /// How many dormant integer columns are not exact.
    inexact: usize,
    /// Scratch: the position of a column in the row at work, or its index in the sum at work.
    slot: IndexVec<Column, Option<u32>>,
    /// Scratch: the row that is being put together.
    sum: Vec<(Rational, Column)>,
}

fn position(index: usize) -> u32 {
    u32::try_from(index).expect("fewer than 2^32 entries")
}

impl Tableau {
    /// A new column for an opaque term, or for a sum, which sleeps until it is needed.
    pub(crate) fn add_column(&mut self, definition: Definition, integer: bool) -> Column {
        self.integer.push(integer);
        self.occurrences.push(Vec::new());
        self.slot.push(None);
        self.sleep.push(Sleep::default());
        let place = if definition.is_empty() { Place::NonBasic } else { Place::Dormant };
        self.definition.push(definition);
        self.place.push(place)
    }
    /// Whether `column` stands for an integer.
    #[inline]
    pub(crate) fn is_integer(&self, column: Column) -> bool {
        self.integer[column]
    }
    /// The opaque columns that a sum consists of; nothing for an opaque column.
    pub(crate) fn definition(&self, column: Column) -> &[(Rational, Column)] {
        &self.definition[column]
    }
    #[inline]
    pub(crate) fn place(&self, column: Column) -> Place {
        self.place[column]
    }
    /// All columns in order.
    pub(crate) fn columns(&self) -> impl DoubleEndedIterator<Item = Column> + use<> {
        self.place.handles()
    }
    /// How many rows there are.
    pub(crate) fn height(&self) -> usize {
        self.rows.len() - self.vacant.len()
    }
    #[inline]
    pub(crate) fn entries(&self, row: Row) -> &[Entry] {
        &self.rows[row].entries
    }
    #[inline]
    pub(crate) fn basic(&self, row: Row) -> Column {
        self.rows[row].basic
    }
    /// The coefficient of the basic column in its row.
    #[inline]
    pub(crate) fn pivot_coefficient(&self, row: Row) -> &Rational {
        let mention = self.occurrences[self.rows[row].basic][0];
        &self.rows[row].entries[mention.at as usize].coefficient
    }
    /// In how many rows `column` occurs.
    #[inline]
    pub(crate) fn occurrence_count(&self, column: Column) -> usize {
        self.occurrences[column].len()
    }
    /// One of the rows in which `column` occurs, with its coefficient there.
    #[inline]
    pub(crate) fn mention(&self, column: Column, at: usize) -> (Row, &Rational) {
        let o = self.occurrences[column][at];
        (o.row, &self.rows[o.row].entries[o.at as usize].coefficient)
    }
    /// The rows in which `column` occurs, with its coefficient there.
    pub(crate) fn mentions(&self, column: Column) -> impl Iterator<Item = (Row, &Rational)> {
        self.occurrences[column]
            .iter()
            .map(|o| (o.row, &self.rows[o.row].entries[o.at as usize].coefficient))
    }

    fn append(
        &mut self,
        row: Row,
        entries: &mut Vec<Entry>,
        coefficient: Rational,
        column: Column,
    ) {
        let occurrences = &mut self.occurrences[column];
        let back = position(occurrences.len());
        occurrences.push(Occurrence { row, at: position(entries.len()) });
        entries.push(Entry { coefficient, column, back });
    }

    /// Removes an occurrence; the entry it belonged to is already out of its row.
    fn forget(&mut self, column: Column, back: u32) {
        self.occurrences[column].swap_remove(back as usize);
        if let Some(moved) = self.occurrences[column].get(back as usize) {
            self.rows[moved.row].entries[moved.at as usize].back = back;
        }
    }

    /// Makes the column at entry `at` of `row` its basic column in place of the present one, which
    /// becomes non-basic. Afterwards the other rows in which it occurs have to be cleared of it
    /// by [`Tableau::eliminate`].
    pub(crate) fn exchange(&mut self, row: Row, at: usize) {
        let Entry { column: entering, back, .. } = self.rows[row].entries[at];
        let leaving = std::mem::replace(&mut self.rows[row].basic, entering);
        self.place[leaving] = Place::NonBasic;
        self.place[entering] = Place::Basic(row);
        // The occurrence in its own row comes first, as `pivot_coefficient` expects.
        self.occurrences[entering].swap(0, back as usize);
        let moved = self.occurrences[entering][back as usize];
        self.rows[moved.row].entries[moved.at as usize].back = back;
        self.rows[row].entries[at].back = 0;
    }
    /// Adds the multiple of `source` to a multiple of `target` that cancels the basic column of
    /// `source`.
    pub(crate) fn eliminate(&mut self, target: Row, at: u32, source: Row) {
        let pivot = self.pivot_coefficient(source);
        let victim = &self.rows[target].entries[at as usize].coefficient;
        let (mut keep, mut subtract) = cancelling(pivot, victim);
        if keep.is_negative() {
            (keep, subtract) = (-keep, -subtract);
        }
        let mut entries = std::mem::take(&mut self.rows[target].entries);
        for (i, entry) in entries.iter_mut().enumerate() {
            self.slot[entry.column] = Some(position(i));
            if !keep.is_one() {
                entry.coefficient *= &keep;
            }
        }
        let added = std::mem::take(&mut self.rows[source].entries);
        for entry in &added {
            if let Some(at) = self.slot[entry.column] {
                entries[at as usize].coefficient.sub_mul(&subtract, &entry.coefficient);
            } else {
                let coefficient = -(&subtract * &entry.coefficient);
                self.append(target, &mut entries, coefficient, entry.column);
            }
        }
        self.rows[source].entries = added;
        self.purge(&mut entries);
        if !keep.is_one() {
            make_primitive(&mut entries);
        }
        self.rows[target].entries = entries;
    }
    /// Clears `slot` and removes the entries that have become zero.
    fn purge(&mut self, entries: &mut Vec<Entry>) {
        for at in (0..entries.len()).rev() {
            self.slot[entries[at].column] = None;
            if entries[at].coefficient.is_zero() {
                let dead = entries.swap_remove(at);
                self.forget(dead.column, dead.back);
                if let Some(moved) = entries.get(at) {
                    self.occurrences[moved.column][moved.back as usize].at = position(at);
                }
            }
        }
    }
    /// A further row in which a basic column occurs, and where it stands there. Clearing that row
    /// and asking again visits every row once.
    pub(crate) fn other_row(&self, basic: Column) -> Option<(Row, u32)> {
        let others = self.occurrences[basic].get(1..)?;
        others.last().map(|o| (o.row, o.at))
    }
}

/// The coprime factors with `keep · victim == subtract · pivot`.
#[inline]
fn cancelling(pivot: &Rational, victim: &Rational) -> (Rational, Rational) {
    if pivot.is_one() {
        return (Rational::ONE, victim.clone());
    }
    if *pivot == Rational::MINUS_ONE {
        return (Rational::ONE, -victim);
    }
    let common = gcd(pivot, victim);
    if common.is_one() {
        (pivot.clone(), victim.clone())
    } else {
        (div_exact(pivot, &common), div_exact(victim, &common))
    }
}

/// Divides the coefficients by their greatest common divisor.
fn make_primitive(entries: &mut [Entry]) {
    let mut common = Rational::ZERO;
    for entry in entries.iter() {
        common = gcd(&common, &entry.coefficient);
        if common.is_one() {
            return;
        }
    }
    for entry in entries {
        entry.coefficient = div_exact(&entry.coefficient, &common);
    }
}
