//! Coordinates for a drawing, layer by layer.
//!
//! A node stands one layer below the lowest of the nodes it is derived from by forward edges (those that agree with the
//! order of strongly connected components); `false` stands at the bottom. Within a layer, nodes are sorted by the mean
//! place of their neighbours, in a few sweeps down and up. Everything is linear in the drawing but for the sorting.
//!
//! Source: [STT81], steps 1 and 2. DIVERGENCE: edges over several layers get no nodes of their own; they are curves.

use shofar_base::{Idx, IndexVec};

use super::diagram::{Diagram, Node};

/// How high a node is.
pub(super) const NODE_HEIGHT: usize = 30;
/// From one layer to the next.
pub(super) const LAYER_HEIGHT: usize = 100;
/// Between nodes of a layer.
const GAP: usize = 40;
/// Around everything.
pub(super) const MARGIN: usize = 40;
/// How often layers are sorted.
const SWEEPS: usize = 4;

/// Where a node is drawn.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    /// The middle.
    pub(super) x: usize,
    /// The middle.
    pub(super) y: usize,
    /// The width of the box.
    pub(super) width: usize,
    /// The layer, counted from the top.
    pub(super) layer: usize,
}

/// The coordinates of a drawing.
pub(super) struct Layout {
    /// Where each node is.
    pub(super) places: IndexVec<Node, Place>,
    /// The size of the whole.
    pub(super) width: usize,
    /// The size of the whole.
    pub(super) height: usize,
}

impl Layout {
    /// Lays a drawing out; `width` says how wide a node is.
    pub(super) fn new(diagram: &Diagram, width: impl Fn(&str) -> usize) -> Self {
        let layers = layers(diagram);
        let mut rows: Vec<Vec<Node>> = vec![Vec::new(); layers[diagram.bottom()] + 1];
        for &node in &diagram.order {
            rows[layers[node]].push(node);
        }
        sort_rows(diagram, &layers, &mut rows);

        let widths: IndexVec<Node, usize> = diagram.labels.iter().map(|l| width(l)).collect();
        let row_width = |row: &Vec<Node>| row.iter().map(|&n| widths[n] + GAP).sum::<usize>();
        let whole = rows.iter().map(row_width).max().unwrap_or(0);
        let mut places: IndexVec<Node, Place> =
            diagram.labels.iter().map(|_| Place::default()).collect();
        for (layer, row) in rows.iter().enumerate() {
            let mut x = MARGIN + (whole - row_width(row)) / 2;
            let y = MARGIN + NODE_HEIGHT / 2 + layer * LAYER_HEIGHT;
            for &node in row {
                let width = widths[node];
                places[node] = Place { x: x + width / 2, y, width, layer };
                x += width + GAP;
            }
        }
        let height = 2 * MARGIN + NODE_HEIGHT + (rows.len() - 1) * LAYER_HEIGHT;
        Self { places, width: whole + 2 * MARGIN, height }
    }
}

/// The layer of each node.
fn layers(diagram: &Diagram) -> IndexVec<Node, usize> {
    let mut rank: IndexVec<Node, usize> = diagram.labels.iter().map(|_| 0).collect();
    for (at, &node) in diagram.order.iter().enumerate() {
        rank[node] = at;
    }
    let mut incoming: IndexVec<Node, Vec<Node>> =
        diagram.labels.iter().map(|_| Vec::new()).collect();
    for edge in &diagram.edges {
        let forward = edge.sources.iter().filter(|&&s| rank[s] < rank[edge.target]);
        incoming[edge.target].extend(forward);
    }
    let mut layers: IndexVec<Node, usize> = diagram.labels.iter().map(|_| 0).collect();
    for &node in &diagram.order {
        layers[node] = incoming[node].iter().map(|&s| layers[s] + 1).max().unwrap_or(0);
    }
    let lowest = layers.iter().copied().max().unwrap_or(0);
    let bottom = diagram.bottom();
    if layers[bottom] < lowest || lowest == 0 {
        layers[bottom] = lowest + 1;
    }
    layers
}

/// Sorts the nodes of each row by the mean place of their neighbours in the rows already passed.
fn sort_rows(diagram: &Diagram, layers: &IndexVec<Node, usize>, rows: &mut [Vec<Node>]) {
    let mut neighbours: IndexVec<Node, Vec<Node>> =
        diagram.labels.iter().map(|_| Vec::new()).collect();
    for edge in &diagram.edges {
        for &source in &edge.sources {
            neighbours[source].push(edge.target);
            neighbours[edge.target].push(source);
        }
    }
    let mut place: IndexVec<Node, usize> = diagram.labels.iter().map(|_| 0).collect();
    let number = |row: &[Node], place: &mut IndexVec<Node, usize>| {
        for (at, &node) in row.iter().enumerate() {
            place[node] = at;
        }
    };
    for row in &*rows {
        number(row, &mut place);
    }
    for sweep in 0..SWEEPS {
        let downward = sweep % 2 == 0;
        for step in 0..rows.len() {
            let at = if downward { step } else { rows.len() - 1 - step };
            let mean = |node: Node| {
                let passed = |other: Node| {
                    if downward { layers[other] < at } else { layers[other] > at }
                };
                let others = || neighbours[node].iter().filter(|&&n| passed(n));
                match others().count() {
                    0 => place[node] * SCALE,
                    count => others().map(|&n| place[n] * SCALE).sum::<usize>() / count,
                }
            };
            let mut keys: Vec<(usize, usize)> =
                rows[at].iter().map(|&n| (mean(n), n.index())).collect();
            keys.sort_unstable();
            rows[at] = keys.into_iter().map(|(_, n)| Node::from_index(n)).collect();
            number(&rows[at], &mut place);
        }
    }
}

/// Means are integers in units of a thousandth of a place.
const SCALE: usize = 1000;
