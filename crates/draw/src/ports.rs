//! Where lines touch boxes.

use shofar_base::IndexVec;

use crate::layout::Layout;
use crate::rows::{Item, Link, Shape};

/// Between the ends of lines at a box, at most.
const PORT_GAP: f64 = 14.0;
/// What stays free at both ends of a side.
const CORNER: f64 = 5.0;

/// Where lines touch boxes.
pub(crate) struct Ports {
    /// The upper and the lower end of each link, from left to right.
    pub(crate) ends: Vec<(f64, f64)>,
}

impl Ports {
    /// Spreads the lines at each side of a box, in the order of their other ends.
    pub(crate) fn new(layout: &Layout) -> Self {
        let (x, links) = (&layout.x, &layout.rows.links);
        let mut ends: Vec<(f64, f64)> =
            links.iter().map(|link| (x[link.upper], x[link.lower])).collect();
        let empty = || -> IndexVec<Item, Vec<usize>> { x.iter().map(|_| Vec::new()).collect() };
        let (mut above, mut below) = (empty(), empty());
        for (number, link) in links.iter().enumerate() {
            below[link.upper].push(number);
            above[link.lower].push(number);
        }
        for item in x.handles() {
            // Lines that share a bend run through the same point.
            if layout.rows.shapes[item] != Shape::Bend {
                let half = layout.extents[item].left;
                for (number, moved) in spread_lines(&mut below[item], half, |l| x[links[l].lower]) {
                    ends[number].0 += moved;
                }
                for (number, moved) in spread_lines(&mut above[item], half, |l| x[links[l].upper]) {
                    ends[number].1 += moved;
                }
            }
        }
        Self { ends }
    }
}

/// How far each line is from the middle of a side, given half its length and where the lines come
/// from.
fn spread_lines(
    lines: &mut [usize],
    half: f64,
    other: impl Fn(usize) -> f64,
) -> impl Iterator<Item = (usize, f64)> {
    lines.sort_by(|&a, &b| other(a).total_cmp(&other(b)));
    let count = lines.len();
    let gap = PORT_GAP.min(2.0 * (half - CORNER).max(0.0) / float(count.max(2) - 1));
    lines.iter().enumerate().map(move |(at, &line)| (line, spread(at, count, gap)))
}

/// Where the n-th of some things is that are spread around a middle.
pub(crate) fn spread(number: usize, count: usize, gap: f64) -> f64 {
    (float(number) - float(count - 1) / 2.0) * gap
}

fn float(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}

/// The heights between which a link runs.
pub(crate) fn link_heights(layout: &Layout, link: &Link) -> (f64, f64) {
    let half = |item: Item| layout.extents[item].height / 2.0;
    let row = |item: Item| layout.y[layout.rows.row[item]];
    let bend = |item: Item| layout.rows.shapes[item] == Shape::Bend;
    let from = if bend(link.upper) {
        row(link.upper).1
    } else {
        layout.middle(link.upper) + half(link.upper)
    };
    let to = if bend(link.lower) {
        row(link.lower).0
    } else {
        layout.middle(link.lower) - half(link.lower)
    };
    (from, to)
}
