//! The order of items within rows, such that few lines cross.
//!
//! Rows are sorted by the mean place of the neighbours in the row before, in sweeps down and up;
//! the best order seen is kept. Crossings are counted by inversions, in `n log n`.
//!
//! Source: [STT81], step 2 (barycentric method).

use shofar_base::IndexVec;

use crate::rows::{Item, Rows};

/// How often rows are sorted, in small and in large drawings.
const SWEEPS: (usize, usize) = (24, 6);
/// From so many lines on, a drawing is large.
const LARGE: usize = 20_000;

/// The items that each item is connected to in the row above and in the row below.
pub(crate) struct Neighbours {
    pub(crate) above: IndexVec<Item, Vec<Item>>,
    pub(crate) below: IndexVec<Item, Vec<Item>>,
}

impl Neighbours {
    pub(crate) fn new(rows: &Rows) -> Self {
        let empty =
            || -> IndexVec<Item, Vec<Item>> { rows.shapes.iter().map(|_| Vec::new()).collect() };
        let mut this = Self { above: empty(), below: empty() };
        for link in &rows.links {
            if rows.row[link.upper] + 1 == rows.row[link.lower] {
                this.below[link.upper].push(link.lower);
                this.above[link.lower].push(link.upper);
            }
        }
        this
    }
}

/// Sorts the items of all rows.
pub(crate) fn sort(rows: &mut Rows, neighbours: &Neighbours) {
    let sweeps = if rows.links.len() < LARGE { SWEEPS.0 } else { SWEEPS.1 };
    let mut places = Places::new(rows);
    let mut best = (count(rows, neighbours, &places), rows.order.clone());
    for sweep in 0..sweeps {
        if best.0 == 0 {
            break;
        }
        places.sweep(rows, neighbours, sweep % 2 == 0);
        let crossings = count(rows, neighbours, &places);
        if crossings < best.0 {
            best = (crossings, rows.order.clone());
        }
    }
    rows.order = best.1;
}

/// The place of each item in its row.
struct Places(IndexVec<Item, usize>);

impl Places {
    fn new(rows: &Rows) -> Self {
        let mut this = Self(rows.shapes.iter().map(|_| 0).collect());
        rows.order.iter().for_each(|row| this.number(row));
        this
    }
    fn number(&mut self, row: &[Item]) {
        for (at, &item) in row.iter().enumerate() {
            self.0[item] = at;
        }
    }
    fn sweep(&mut self, rows: &mut Rows, neighbours: &Neighbours, downward: bool) {
        let count = rows.order.len();
        let others = if downward { &neighbours.above } else { &neighbours.below };
        for step in 1..count {
            let (at, before) =
                if downward { (step, step - 1) } else { (count - 1 - step, count - step) };
            let (width, other_width) = (rows.order[at].len(), rows.order[before].len());
            let mut keyed: Vec<(u128, Item)> = rows.order[at]
                .iter()
                .map(|&item| (self.key(item, &others[item], width, other_width), item))
                .collect();
            // Equal keys keep their order, so that runs are reproducible and sorted rows stay as
            // they are.
            keyed.sort_by_key(|(key, _)| *key);
            rows.order[at] = keyed.into_iter().map(|(_, item)| item).collect();
            self.number(&rows.order[at]);
        }
    }
    /// Where an item belongs, in parts of the row before: the mean place of its neighbours, its own
    /// place if it has none.
    fn key(&self, item: Item, others: &[Item], width: usize, other_width: usize) -> u128 {
        const PARTS: u128 = 1 << 20;
        let (sum, count, width) = if others.is_empty() {
            (2 * self.0[item] + 1, 1, width)
        } else {
            let doubled = others.iter().map(|&other| 2 * self.0[other] + 1);
            (doubled.sum::<usize>(), others.len(), other_width)
        };
        let wide = |number: usize| u128::try_from(number).unwrap_or(u128::MAX);
        wide(sum) * PARTS * PARTS / (wide(count) * wide(width))
    }
}

/// How many pairs of lines cross.
fn count(rows: &Rows, neighbours: &Neighbours, places: &Places) -> usize {
    let mut crossings = 0;
    for (row, next) in rows.order.iter().zip(rows.order.iter().skip(1)) {
        let mut passed = Counts::new(next.len());
        for &item in row {
            let ends = neighbours.below[item].iter().map(|&below| places.0[below]);
            crossings += ends.clone().map(|end| passed.above(end)).sum::<usize>();
            ends.for_each(|end| passed.add(end));
        }
    }
    crossings
}

/// Numbers with counts of all larger ones: a binary indexed tree.
struct Counts {
    sums: Vec<usize>,
    total: usize,
}

impl Counts {
    fn new(size: usize) -> Self {
        Self { sums: vec![0; size + 1], total: 0 }
    }
    fn add(&mut self, number: usize) {
        self.total += 1;
        let mut at = number + 1;
        while at < self.sums.len() {
            self.sums[at] += 1;
            at += at & at.wrapping_neg();
        }
    }
    /// How many of the numbers added are larger.
    fn above(&self, number: usize) -> usize {
        let (mut at, mut not_above) = (number + 1, 0);
        while at > 0 {
            not_above += self.sums[at];
            at -= at & at.wrapping_neg();
        }
        self.total - not_above
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn larger_numbers_are_counted() {
        let mut counts = Counts::new(10);
        for number in [3, 9, 3, 0] {
            counts.add(number);
        }
        assert_eq!([0, 2, 3, 8, 9].map(|number| counts.above(number)), [3, 3, 1, 1, 0]);
    }
}
