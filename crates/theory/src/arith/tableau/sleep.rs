//! Dormant columns: how they fall asleep, wake up, and are evaluated meanwhile.
//!
//! A basic column whose value nobody asks for costs work in every pivot that touches its row. It
//! falls asleep by taking its row out of the tableau; the row is kept aside, frozen. The columns of
//! a frozen row were awake when it was frozen, and may have fallen asleep since, so the times of
//! falling asleep order the dormant columns: a frozen row mentions only columns that are awake or
//! that fell asleep later. Substituting the earliest dormant column first therefore ends.
//!
//! Invariant: a sum that has never been awake is mentioned by nobody; its time is 0 and its row is
//! its definition. A sum falls back to its definition, which is short, whenever all of its terms
//! are awake.
//!
//! Source: ours, as an extension of the tableau of [DdM06]; the paper keeps every row.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use shofar_base::{IndexVec, Map};
use shofar_num::{Delta, Rational, lcm};

use super::{Column, Equation, Place, Row, Tableau, position};

/// What a dormant column remembers.
#[derive(Clone, Debug, Default)]
pub(super) struct Sleep {
    /// When it fell asleep.
    since: u64,
    /// Its row at that time, itself first; `None` if its definition serves as well.
    frozen: Option<Box<[(Rational, Column)]>>,
    /// Whether integral values of the other integer columns in the row make that of this one
    /// integral.
    exact: bool,
}

/// Summands with their positions in `Tableau::slot`, and the dormant columns among them, earliest
/// first.
struct Sum {
    parts: Vec<(Rational, Column)>,
    dormant: BinaryHeap<Reverse<(u64, Column)>>,
}

/// Which dormant columns are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    All,
    /// Those that stand for integers.
    Integers,
    /// Those integers that may be fractional although every awake column that stands for an integer
    /// has an integral value.
    Inexact,
}

impl Tableau {
    /// Takes the row of a basic column out of the tableau.
    pub(crate) fn put_to_sleep(&mut self, row: Row) {
        let basic = self.basic(row);
        let mut entries = std::mem::take(&mut self.rows[row].entries);
        for entry in &entries {
            self.forget(entry.column, entry.back);
        }
        let awake = |x: Column| self.place[x] != Place::Dormant;
        let definition = &self.definition[basic];
        let by_definition = !definition.is_empty() && definition.iter().all(|(_, x)| awake(*x));
        let frozen: Option<Box<[_]>> = if by_definition {
            None
        } else {
            let own = entries.iter().position(|entry| entry.column == basic);
            entries.swap(0, own.expect("a row mentions its basic column"));
            Some(entries.drain(..).map(|entry| (entry.coefficient, entry.column)).collect())
        };
        entries.clear();
        let integral = |parts: &[(Rational, Column)]| {
            parts[0].0.abs().is_one() && parts.iter().all(|(_, x)| self.integer[*x])
        };
        let exact = frozen.as_deref().is_none_or(integral);
        self.clock += 1;
        self.inexact += usize::from(!exact && self.integer[basic]);
        self.sleep[basic] = Sleep { since: self.clock, frozen, exact };
        self.rows[row].entries = entries;
        self.place[basic] = Place::Dormant;
        self.vacant.push(row);
    }

    fn is_opaque_integer(&self, column: Column) -> bool {
        self.integer[column] && self.definition[column].is_empty()
    }
    /// The other columns of the equation of a dormant column, with a factor: the column is
    /// `factor · Σ c·x`.
    fn equation_of(&self, column: Column) -> (Rational, &[(Rational, Column)]) {
        match &self.sleep[column].frozen {
            Some(frozen) => (-frozen[0].0.recip(), &frozen[1..]),
            None => (Rational::ONE, &self.definition[column]),
        }
    }
    /// The value of a dormant column, given those of the columns that are awake.
    pub(crate) fn evaluate<'a>(
        &self,
        column: Column,
        value: impl Fn(Column) -> &'a Delta,
    ) -> Delta {
        let mut total = Delta::ZERO;
        let mut pending: Map<Column, Rational> = Map::default();
        let mut queue = BinaryHeap::new();
        let mut next = Some((column, Rational::ONE));
        while let Some((column, multiple)) = next {
            let (factor, parts) = self.equation_of(column);
            let factor = factor * multiple;
            for (c, x) in parts {
                if self.place[*x] == Place::Dormant {
                    pending.entry(*x).or_default().add_mul(&factor, c);
                    queue.push(Reverse((self.sleep[*x].since, *x)));
                } else {
                    total.add_mul(&(&factor * c), value(*x));
                }
            }
            next = std::iter::from_fn(|| queue.pop())
                .find_map(|Reverse((_, x))| pending.remove(&x).map(|multiple| (x, multiple)));
        }
        total
    }
    /// The value of a dormant column, given those of all columns in its equation.
    pub(crate) fn evaluate_shallow(
        &self,
        column: Column,
        value: &IndexVec<Column, Delta>,
    ) -> Delta {
        let (factor, parts) = self.equation_of(column);
        let mut total = Delta::ZERO;
        for (c, x) in parts {
            total.add_mul(c, &value[*x]);
        }
        total.scale(&factor)
    }
    /// Dormant opaque columns and the dormant sums that they depend on, those first on which others
    /// depend.
    pub(crate) fn dormant_terms(&self, which: Which) -> Vec<Column> {
        if which == Which::Inexact && self.inexact == 0 {
            return Vec::new();
        }
        let was_awake = |&x: &Column| self.definition[x].is_empty() || self.sleep[x].since > 0;
        let asleep = self.columns().filter(|&x| self.place[x] == Place::Dormant);
        let mut dormant: Vec<Column> = asleep.filter(was_awake).collect();
        dormant.sort_unstable_by_key(|&x| self.sleep[x].since);
        let mut needed = match which {
            Which::Inexact => self.perhaps_fractional(&dormant),
            Which::All | Which::Integers => self.place.iter().map(|_| true).collect(),
        };
        for &x in &dormant {
            needed[x] &= match which {
                Which::All => self.definition[x].is_empty(),
                Which::Integers | Which::Inexact => self.is_opaque_integer(x),
            };
        }
        for &x in &dormant {
            if needed[x] {
                for (_, y) in self.equation_of(x).1 {
                    needed[*y] = true;
                }
            }
        }
        dormant.retain(|&x| needed[x]);
        dormant.reverse();
        dormant
    }

    /// Which of these columns, in the order of falling asleep, may be fractional although all that
    /// are awake are integral: those that are not exact, and those whose equation mentions such
    /// a column, be it only a sum.
    fn perhaps_fractional(&self, dormant: &[Column]) -> IndexVec<Column, bool> {
        let mut result: IndexVec<Column, bool> = self.place.iter().map(|_| false).collect();
        // An equation mentions what is awake or fell asleep later.
        for &x in dormant.iter().rev() {
            let exact = self.sleep[x].frozen.is_none() || self.sleep[x].exact;
            result[x] = !exact || self.equation_of(x).1.iter().any(|(_, y)| result[*y]);
        }
        result
    }
    /// Wakes a dormant column: gives it a row in terms of the non-basic columns.
    pub(crate) fn wake(&mut self, column: Column) -> Row {
        debug_assert_eq!(self.place[column], Place::Dormant);
        let exact = self.sleep[column].frozen.is_none() || self.sleep[column].exact;
        self.inexact -= usize::from(!exact && self.integer[column]);
        let parts = std::mem::take(&mut self.sum);
        let mut sum = Sum { parts, dormant: BinaryHeap::new() };
        let (factor, equation) = match self.sleep[column].frozen.take() {
            Some(frozen) => (Rational::ONE, frozen),
            None => (Rational::ONE, std::mem::take(&mut self.definition[column])),
        };
        let by_definition = !equation.iter().any(|(_, x)| *x == column);
        self.place[column] = Place::NonBasic;
        for (c, x) in &equation {
            self.add(&mut sum, &factor, c, *x);
        }
        if by_definition {
            self.definition[column] = equation;
            self.add(&mut sum, &Rational::ONE, &Rational::MINUS_ONE, column);
        }
        self.substitute_dormant(&mut sum);
        for at in 0..sum.parts.len() {
            if let Place::Basic(row) = self.place[sum.parts[at].1] {
                self.substitute_basic(&mut sum, at, row);
            }
        }
        let row = self.settle(&mut sum.parts, column);
        self.sum = sum.parts;
        row
    }
    /// `sum += factor · c · x`.
    #[inline]
    fn add(&mut self, sum: &mut Sum, factor: &Rational, c: &Rational, x: Column) {
        let at = if let Some(at) = self.slot[x] {
            at as usize
        } else {
            self.slot[x] = Some(position(sum.parts.len()));
            sum.parts.push((Rational::ZERO, x));
            if self.place[x] == Place::Dormant {
                sum.dormant.push(Reverse((self.sleep[x].since, x)));
            }
            sum.parts.len() - 1
        };
        sum.parts[at].0.add_mul(factor, c);
    }
    fn substitute_dormant(&mut self, sum: &mut Sum) {
        while let Some(Reverse((_, x))) = sum.dormant.pop() {
            let at = self.slot[x].expect("a summand has a slot") as usize;
            let multiple = std::mem::take(&mut sum.parts[at].0);
            if multiple.is_zero() {
                continue;
            }
            let factor = self.equation_of(x).0 * multiple;
            let frozen = self.sleep[x].frozen.take();
            let by_definition = frozen.is_none();
            let equation = frozen.unwrap_or_else(|| std::mem::take(&mut self.definition[x]));
            for (c, y) in equation.iter().filter(|(_, y)| *y != x) {
                self.add(sum, &factor, c, *y);
            }
            if by_definition {
                self.definition[x] = equation;
            } else {
                self.sleep[x].frozen = Some(equation);
            }
        }
    }
    fn substitute_basic(&mut self, sum: &mut Sum, at: usize, row: Row) {
        let multiple = std::mem::take(&mut sum.parts[at].0);
        if multiple.is_zero() {
            return;
        }
        let factor = -(multiple / self.pivot_coefficient(row));
        let (basic, entries) = (self.basic(row), std::mem::take(&mut self.rows[row].entries));
        for entry in entries.iter().filter(|entry| entry.column != basic) {
            self.add(sum, &factor, &entry.coefficient, entry.column);
        }
        self.rows[row].entries = entries;
    }
    /// Turns the accumulated sum into a row with the given basic column, and empties it.
    fn settle(&mut self, sum: &mut Vec<(Rational, Column)>, basic: Column) -> Row {
        let mut scale = Rational::ONE;
        for (c, x) in sum.iter() {
            self.slot[*x] = None;
            if !c.is_integer() {
                scale = lcm(&scale, &c.denominator());
            }
        }
        let vacant = self.vacant.pop();
        let row = vacant.unwrap_or_else(|| self.rows.push(Equation { entries: Vec::new(), basic }));
        self.rows[row].basic = basic;
        self.place[basic] = Place::Basic(row);
        let mut entries = std::mem::take(&mut self.rows[row].entries);
        for (mut c, x) in sum.drain(..).filter(|(c, _)| !c.is_zero()) {
            if !scale.is_one() {
                c *= &scale;
            }
            self.append(row, &mut entries, c, x);
        }
        self.rows[row].entries = entries;
        row
    }
}
