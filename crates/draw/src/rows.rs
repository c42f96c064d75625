//! Which row of a drawing everything stands in, and what is connected between neighbouring rows.
//!
//! Predicates stand in even rows, the boxes of clauses in odd ones. A predicate stands below all
//! predicates that it is derived from by forward edges (those that agree with the order of the
//! diagram); `true` has the first row and `false` the last one. A row takes so many predicates
//! only, and what does not fit goes further down, so that the picture of many independent
//! predicates is not a single line. A fact stands right above what it derives, any other forward
//! clause right below its body, and one that runs backward right above the lowest predicate of its
//! body. A loop stands beside its predicate.
//!
//! A connection over several rows runs through *bends*, one in each row between. All connections
//! that enter a node from the same side share their bends, and so do those that leave it on the
//! same side; so there are fewer lines, and their number stays in proportion to the rows.
//! Invariant: a link joins neighbouring rows, unless there are too many bends; then the longest
//! connections do without them.
//!
//! Source: [STT81], step 1. DIVERGENCE: bends are shared, and rows have a limited width.

use shofar_base::{Idx, IndexVec, index_type};

use crate::diagram::{Diagram, EdgeId, Node};

index_type!(
    /// Something that takes place in a row.
    pub(crate) struct Item
);

/// What takes place in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A predicate, `true` or `false`.
    Node(Node),
    /// The box of some clauses.
    Clauses(EdgeId),
    /// A place that a line runs through.
    Bend,
}

/// Where the tip of an arrow is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tip {
    /// Nowhere.
    None,
    /// At the upper end.
    Upper,
    /// At the lower end.
    Lower,
}

/// A line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub(crate) upper: Item,
    pub(crate) lower: Item,
    pub(crate) tip: Tip,
}

/// A drawing without coordinates.
pub(crate) struct Rows {
    pub(crate) shapes: IndexVec<Item, Shape>,
    /// The row of each item.
    pub(crate) row: IndexVec<Item, usize>,
    /// The items of each row, from left to right.
    pub(crate) order: Vec<Vec<Item>>,
    pub(crate) links: Vec<Link>,
    /// The loop beside each node.
    pub(crate) loops: IndexVec<Node, Option<EdgeId>>,
}

/// A side of a node, and whether lines leave or enter it there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Port {
    LeavesBelow,
    EntersBelow,
    LeavesAbove,
    EntersAbove,
}

impl Port {
    const ALL: [Self; 4] =
        [Self::LeavesBelow, Self::EntersBelow, Self::LeavesAbove, Self::EntersAbove];

    fn index(self) -> usize {
        match self {
            Self::LeavesBelow => 0,
            Self::EntersBelow => 1,
            Self::LeavesAbove => 2,
            Self::EntersAbove => 3,
        }
    }
    fn is_below(self) -> bool {
        matches!(self, Self::LeavesBelow | Self::EntersBelow)
    }
    fn tip(self) -> Tip {
        match self {
            Self::LeavesBelow | Self::LeavesAbove => Tip::None,
            Self::EntersBelow => Tip::Upper,
            Self::EntersAbove => Tip::Lower,
        }
    }
}

/// The boxes of clauses that are connected to a node at a port.
struct Trunk {
    node: Item,
    port: Port,
    boxes: Vec<Item>,
}

impl Rows {
    /// Distributes the nodes and edges of a diagram, with at most so many bends.
    pub(crate) fn new(diagram: &Diagram, bends: usize) -> Self {
        let levels = levels(diagram);
        let mut this = Self {
            shapes: IndexVec::new(),
            row: IndexVec::new(),
            order: vec![Vec::new(); 2 * levels[diagram.bottom()] + 1],
            links: Vec::new(),
            loops: diagram.captions.iter().map(|_| None).collect(),
        };
        let mut items: IndexVec<Node, Item> =
            diagram.captions.iter().map(|_| Item::from_index(0)).collect();
        for &node in &diagram.order {
            items[node] = this.add(Shape::Node(node), 2 * levels[node]);
        }
        let trunks = this.add_edges(diagram, &levels, &items);
        this.connect(trunks, bends);
        this
    }
    fn add(&mut self, shape: Shape, row: usize) -> Item {
        let item = self.shapes.push(shape);
        self.row.push(row);
        self.order[row].push(item);
        item
    }
    /// Adds the boxes of clauses; returns what they are connected to.
    fn add_edges(
        &mut self,
        diagram: &Diagram,
        levels: &IndexVec<Node, usize>,
        items: &IndexVec<Node, Item>,
    ) -> Vec<Trunk> {
        let mut trunks: IndexVec<Node, [Vec<Item>; 4]> =
            diagram.captions.iter().map(|_| [const { Vec::new() }; 4]).collect();
        for id in diagram.edges.handles() {
            let edge = &diagram.edges[id];
            if edge.is_loop() && self.loops[edge.target].is_none() {
                self.loops[edge.target] = Some(id);
                continue;
            }
            let row = row_of(edge.sources.iter().map(|&s| levels[s]), levels[edge.target]);
            let clauses = self.add(Shape::Clauses(id), row);
            for &source in &edge.sources {
                let port =
                    if 2 * levels[source] < row { Port::LeavesBelow } else { Port::LeavesAbove };
                trunks[source][port.index()].push(clauses);
            }
            let above = row < 2 * levels[edge.target];
            let port = if above { Port::EntersAbove } else { Port::EntersBelow };
            trunks[edge.target][port.index()].push(clauses);
        }
        let mut found = Vec::new();
        for (boxes, &node) in trunks.iter_mut().zip(items) {
            for port in Port::ALL {
                let boxes = std::mem::take(&mut boxes[port.index()]);
                if !boxes.is_empty() {
                    found.push(Trunk { node, port, boxes });
                }
            }
        }
        found
    }
    /// Connects boxes and nodes, short trunks first, so that the long ones go without bends if
    /// these run out.
    fn connect(&mut self, trunks: Vec<Trunk>, mut bends: usize) {
        let mut sorted: Vec<(usize, Trunk)> = trunks
            .into_iter()
            .map(|trunk| {
                let far = trunk.boxes.iter().map(|&b| self.row[b].abs_diff(self.row[trunk.node]));
                (far.max().unwrap_or(1) - 1, trunk)
            })
            .collect();
        sorted.sort_by_key(|(length, _)| *length);
        for (length, trunk) in sorted {
            let bent = length <= bends;
            let stops = if bent {
                bends -= length;
                self.bend(&trunk, length)
            } else {
                vec![trunk.node]
            };
            for &clauses in &trunk.boxes {
                let away = self.row[clauses].abs_diff(self.row[trunk.node]);
                let stop = if bent { stops[away - 1] } else { trunk.node };
                self.link(&trunk, stop, clauses);
            }
        }
    }
    /// Adds the bends of a trunk; returns the node and its bends, from near to far.
    fn bend(&mut self, trunk: &Trunk, length: usize) -> Vec<Item> {
        let mut stops = vec![trunk.node];
        let start = self.row[trunk.node];
        for away in 1..=length {
            let row = if trunk.port.is_below() { start + away } else { start - away };
            let bend = self.add(Shape::Bend, row);
            self.link(trunk, stops[away - 1], bend);
            stops.push(bend);
        }
        stops
    }
    fn link(&mut self, trunk: &Trunk, near: Item, far: Item) {
        let (upper, lower) = if trunk.port.is_below() { (near, far) } else { (far, near) };
        let tip = if near == trunk.node { trunk.port.tip() } else { Tip::None };
        self.links.push(Link { upper, lower, tip });
    }
}

/// The row of a clause, given the levels of its body and of its head.
fn row_of(body: impl Iterator<Item = usize> + Clone, head: usize) -> usize {
    let (highest, lowest) = (body.clone().min().unwrap_or(0), body.max().unwrap_or(0));
    if lowest == 0 {
        // A fact, since `true` is alone in its row.
        2 * head - 1
    } else if lowest < head || (lowest == head && highest == head) {
        2 * lowest + 1
    } else {
        2 * lowest - 1
    }
}

/// The level of each node: `true` is alone on the first one and `false` on the last one.
fn levels(diagram: &Diagram) -> IndexVec<Node, usize> {
    let mut rank: IndexVec<Node, usize> = diagram.captions.iter().map(|_| 0).collect();
    for (at, &node) in diagram.order.iter().enumerate() {
        rank[node] = at;
    }
    let mut incoming: IndexVec<Node, Vec<Node>> =
        diagram.captions.iter().map(|_| Vec::new()).collect();
    for edge in &diagram.edges {
        let forward = edge.sources.iter().filter(|&&s| rank[s] < rank[edge.target]);
        incoming[edge.target].extend(forward);
    }
    let mut shelves = Shelves::new(diagram.captions.len());
    let mut levels: IndexVec<Node, usize> = diagram.captions.iter().map(|_| 0).collect();
    let mut last = 0;
    for &node in diagram.order.iter().filter(|&&node| diagram.is_pred(node)) {
        let least = incoming[node].iter().map(|&s| levels[s] + 1).max().unwrap_or(1);
        levels[node] = shelves.take(least);
        last = last.max(levels[node]);
    }
    levels[diagram.bottom()] = last + 1;
    levels
}

/// How many places are free on each level.
struct Shelves {
    free: Vec<usize>,
    /// A level from which on to look for a free place; the level itself if it may have one.
    next: Vec<usize>,
}

impl Shelves {
    fn new(nodes: usize) -> Self {
        let capacity = 16.max(2 * nodes.isqrt());
        Self { free: vec![capacity; nodes + 2], next: (0..nodes + 2).collect() }
    }
    /// Takes a place on the first level that has one and is not above `least`.
    fn take(&mut self, least: usize) -> usize {
        let mut level = least;
        while self.next[level] != level {
            // Each look makes the next one shorter.
            self.next[level] = self.next[self.next[level]];
            level = self.next[level];
        }
        self.free[level] -= 1;
        if self.free[level] == 0 {
            self.next[level] = level + 1;
        }
        level
    }
}
