//! Coordinates for a drawing.
//!
//! Rows follow each other from top to bottom; the gap between two of them grows with the horizontal
//! distance that lines bridge there, so that lines stay steep. Within a row, each item wants to be
//! below (above, in every second sweep) the mean of its neighbours; the row as a whole is placed
//! such that the sum of the squares of the distances is least, which is isotonic regression: items
//! that want to be in each other's place are pooled. Invariant: items of a row keep their order and
//! their distance. Everything is linear in the drawing but for the sorting.
//!
//! Source: [STT81], step 3. DIVERGENCE: regression instead of priorities.

use shofar_base::IndexVec;

use crate::crossings::{self, Neighbours};
use crate::diagram::Diagram;
use crate::rows::{Item, Rows, Shape};

/// Around everything.
const MARGIN: f64 = 24.0;
/// Between items of a row.
const GAP: f64 = 22.0;
/// Beside a line that only passes.
const BEND_GAP: f64 = 12.0;
/// Between rows, at least and at most.
const ROW_GAP: (f64, f64) = (20.0, 110.0);
/// How often rows are placed, in small and in large drawings, and how many of these sweeps look
/// both ways.
const SWEEPS: (usize, usize, usize) = (40, 10, 4);
/// What has more lines on a side than this does not attract those at their other ends: rows would
/// follow each other sideways. They go to the middle instead, which is at zero until everything is
/// placed.
const HUB: usize = 12;
/// From so many items on, a drawing is large.
const LARGE: usize = 10_000;
/// How many bends a drawing has in any case, and more for each node and edge.
const BENDS: (usize, usize) = (60_000, 4);

/// The size of an item, from the point that its row places.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Extent {
    pub(crate) left: f64,
    pub(crate) right: f64,
    pub(crate) height: f64,
}

/// The coordinates of a drawing.
pub(crate) struct Layout {
    pub(crate) rows: Rows,
    pub(crate) extents: IndexVec<Item, Extent>,
    /// Where each item is.
    pub(crate) x: IndexVec<Item, f64>,
    /// The upper and the lower end of each row.
    pub(crate) y: Vec<(f64, f64)>,
    /// The size of the whole.
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Layout {
    /// Lays a drawing out; `extent` says how large things are.
    pub(crate) fn new(diagram: &Diagram, extent: impl Fn(&Rows, Shape) -> Extent) -> Self {
        let things = diagram.captions.len() + diagram.edges.len();
        let mut rows = Rows::new(diagram, BENDS.0 + BENDS.1 * things);
        let neighbours = Neighbours::new(&rows);
        crossings::sort(&mut rows, &neighbours);
        let extents: IndexVec<Item, Extent> =
            rows.shapes.iter().map(|&shape| extent(&rows, shape)).collect();
        let mut this = Self {
            x: extents.iter().map(|_| 0.0).collect(),
            y: Vec::new(),
            width: 0.0,
            height: 0.0,
            rows,
            extents,
        };
        this.place_across(&neighbours);
        this.place_down();
        this
    }
    /// The middle of a row.
    pub(crate) fn middle(&self, item: Item) -> f64 {
        let (upper, lower) = self.y[self.rows.row[item]];
        f64::midpoint(upper, lower)
    }
    fn place_across(&mut self, neighbours: &Neighbours) {
        for row in 0..self.rows.order.len() {
            self.place_row(row, |this, item| (this.x[item], 1.0));
        }
        let sweeps = if self.x.len() < LARGE { SWEEPS.0 } else { SWEEPS.1 };
        for sweep in 0..sweeps {
            let count = self.rows.order.len();
            for step in 0..count {
                let both = sweep + SWEEPS.2 >= sweeps;
                let downward = sweep % 2 == 0;
                let row = if downward { step } else { count - 1 - step };
                self.place_row(row, |this, item| {
                    let above = (both || downward).then_some(&neighbours.above[item]);
                    let below = (both || !downward).then_some(&neighbours.below[item]);
                    let above =
                        above.into_iter().flatten().map(|&o| (o, neighbours.below[o].len()));
                    let below =
                        below.into_iter().flatten().map(|&o| (o, neighbours.above[o].len()));
                    this.wish(item, above.chain(below))
                });
            }
        }
        let items = || self.extents.handles().map(|item| (self.x[item], self.extents[item]));
        let left = items().map(|(x, extent)| x - extent.left).fold(f64::INFINITY, f64::min);
        let right = items().map(|(x, extent)| x + extent.right).fold(f64::NEG_INFINITY, f64::max);
        self.width = right - left + 2.0 * MARGIN;
        self.x.iter_mut().for_each(|x| *x += MARGIN - left);
    }
    /// Where an item wants to be, and how much it insists on that, given its neighbours and how
    /// many lines share their sides. Bends insist most, since long lines should be straight; a
    /// neighbour with many lines cannot be near to all.
    fn wish(&self, item: Item, others: impl Iterator<Item = (Item, usize)>) -> (f64, f64) {
        let is_bend = |item: Item| self.rows.shapes[item] == Shape::Bend;
        let (mut sum, mut weight) = (0.0, 0.0);
        for (other, lines) in others {
            let shared = f64::from(u32::try_from(lines).unwrap_or(u32::MAX));
            let (x, importance) = match (is_bend(item), is_bend(other)) {
                (true, true) => (self.x[other], 8.0),
                (_, _) if lines > HUB => (0.0, 0.3),
                (true, false) | (false, true) => (self.x[other], 2.0 / shared),
                (false, false) => (self.x[other], 1.0 / shared),
            };
            sum += importance * x;
            weight += importance;
        }
        if weight > 0.0 { (sum / weight, weight) } else { (self.x[item], 0.1) }
    }
    /// Places a row as near as possible to where its items want to be.
    fn place_row(&mut self, row: usize, wish: impl Fn(&Self, Item) -> (f64, f64)) {
        let items = &self.rows.order[row];
        let mut offsets = Vec::with_capacity(items.len());
        let mut pools: Vec<Pool> = Vec::new();
        let mut before: Option<Item> = None;
        let mut offset = 0.0;
        for &item in items {
            offset += before.map_or(0.0, |before| self.distance(before, item));
            offsets.push(offset);
            before = Some(item);
            let (x, weight) = wish(self, item);
            let mut pool = Pool { mean: x - offset, weight, count: 1 };
            while let Some(last) = pools.pop_if(|last| last.mean > pool.mean) {
                pool = last.merge(pool);
            }
            pools.push(pool);
        }
        let means = pools.iter().flat_map(|pool| std::iter::repeat_n(pool.mean, pool.count));
        for ((mean, offset), &item) in means.zip(offsets).zip(&self.rows.order[row]) {
            self.x[item] = mean + offset;
        }
    }
    /// How far apart neighbours of a row are, at least.
    fn distance(&self, left: Item, right: Item) -> f64 {
        let bend = [left, right].iter().any(|&item| self.rows.shapes[item] == Shape::Bend);
        let gap = if bend { BEND_GAP } else { GAP };
        self.extents[left].right + gap + self.extents[right].left
    }
    fn place_down(&mut self) {
        let mut widest = vec![0.0_f64; self.rows.order.len()];
        for link in &self.rows.links {
            let (upper, lower) = (self.rows.row[link.upper], self.rows.row[link.lower]);
            if upper + 1 == lower {
                let bridged = (self.x[link.upper] - self.x[link.lower]).abs();
                widest[upper] = widest[upper].max(bridged);
            }
        }
        let mut y = MARGIN;
        for (row, widest) in self.rows.order.iter().zip(widest) {
            let height = row.iter().map(|&item| self.extents[item].height).fold(0.0, f64::max);
            self.y.push((y, y + height));
            y += height + (widest / 8.0).clamp(ROW_GAP.0, ROW_GAP.1);
        }
        let last = self.y.last().map_or(MARGIN, |&(_, lower)| lower);
        self.height = last + MARGIN;
    }
}

/// Items that are placed side by side, and where the first one wants to be on the whole.
#[derive(Clone, Copy, Debug)]
struct Pool {
    mean: f64,
    weight: f64,
    count: usize,
}

impl Pool {
    fn merge(self, other: Self) -> Self {
        let weight = self.weight + other.weight;
        let mean = (self.mean * self.weight + other.mean * other.weight) / weight;
        Self { mean, weight, count: self.count + other.count }
    }
}

#[cfg(test)]
mod tests;
