//! The graph of arrays: classes connected by writes.
//!
//! A *region* is a set of classes that paths connect. Constant arrays with equal elements are
//! connected as well, by an edge without an index. Invariant: a class belongs to one region, and an
//! edge connects classes of one region.
//!
//! Source: [CH15].

use std::collections::{BTreeMap, VecDeque};

use shofar_base::{Map, Outcome};
use shofar_term::eval::Value;
use shofar_term::{Sort, Term};

use crate::candidate::Candidate;
use crate::euf::Node;
use crate::euf::head::Head;

/// Something that says what an array has at an index, or at all of them.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) class: usize,
    /// The array.
    pub(super) array: Term,
    /// The index; nothing for a constant array.
    pub(super) index: Option<Term>,
    /// What it has there.
    pub(super) term: Term,
    pub(super) element: Value,
}

impl Source {
    /// An array as the end of a path.
    pub(super) fn array(array: Term, class: usize) -> Self {
        Self { class, array, index: None, term: array, element: Value::Bool(false) }
    }
}

/// What connects two arrays.
#[derive(Clone, Debug)]
pub(super) enum Label {
    /// A write at this index.
    Write(Term, Value),
    /// Both are constant, and their elements are equal.
    Constants([Term; 2]),
}

#[derive(Clone, Debug)]
pub(super) struct Edge {
    classes: [usize; 2],
    pub(super) arrays: [Term; 2],
    pub(super) label: Label,
}

impl Edge {
    /// Its arrays with their classes.
    pub(super) fn ends(&self) -> impl Iterator<Item = (usize, Term)> {
        self.classes.into_iter().zip(self.arrays)
    }
    fn avoids(&self, index: &Value) -> bool {
        match &self.label {
            Label::Write(_, value) => value != index,
            Label::Constants(_) => true,
        }
    }
}

#[derive(Default)]
struct Region {
    members: Vec<usize>,
    edges: Vec<usize>,
    /// Sources by the value of their index.
    reads: BTreeMap<Value, Vec<usize>>,
    constants: Vec<usize>,
}

/// The arrays of one sort.
pub(super) struct Graph {
    places: Map<Node, usize>,
    edges: Vec<Edge>,
    sources: Vec<Source>,
    around: Vec<Vec<usize>>,
    region_of: Vec<usize>,
    /// The place of each class among the members of its region.
    position: Vec<usize>,
    regions: Vec<Region>,
}

/// The classes of a region that agree at an index.
pub(super) struct Components<'g> {
    position: &'g [usize],
    partition: Partition,
}

impl Components<'_> {
    /// The component of a class, by the place of its first member.
    pub(super) fn of(&self, class: usize) -> usize {
        self.partition.of(self.position[class])
    }
}

/// A partition of numbers.
struct Partition(Vec<usize>);

impl Partition {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }
    fn of(&self, mut class: usize) -> usize {
        while self.0[class] != class {
            class = self.0[class];
        }
        class
    }
    fn join(&mut self, [a, b]: [usize; 2]) {
        let (a, b) = (self.of(a), self.of(b));
        self.0[a.max(b)] = a.min(b);
    }
    /// Makes every number point to the first of its set; the parent of a number is never larger.
    fn flatten(&mut self) {
        for class in 0..self.0.len() {
            self.0[class] = self.of(class);
        }
    }
}

impl Graph {
    pub(super) fn new(candidate: &Candidate<'_>, sort: Sort, classes: &[Node]) -> Outcome<Self> {
        let places = classes.iter().enumerate().map(|(at, &node)| (node, at)).collect();
        let mut graph = Self {
            places,
            edges: Vec::new(),
            sources: Vec::new(),
            around: vec![Vec::new(); classes.len()],
            region_of: Vec::new(),
            position: Vec::new(),
            regions: Vec::new(),
        };
        graph.collect(candidate, sort)?;
        graph.divide(classes.len());
        Ok(graph)
    }
    /// Gathers reads, writes and constants.
    fn collect(&mut self, candidate: &Candidate<'_>, sort: Sort) -> Outcome<()> {
        let mut constants: BTreeMap<Value, usize> = BTreeMap::new();
        for &node in &candidate.applications {
            let Some((head, args)) = candidate.euf.application(node) else { continue };
            let term = |n: Node| candidate.euf.term(n);
            match head {
                Head::Select if candidate.store.sort(term(args[0])) == sort => {
                    let index = Some(term(args[1]));
                    // A formula without a value is one that nobody needs.
                    if let Some(element) = candidate.value(node)
                        && let Some(class) = self.place(candidate.euf.class(args[0]))
                    {
                        let array = term(args[0]);
                        let source = Source { class, array, index, term: term(node), element };
                        self.add_source(source, Some(candidate.known_value(args[1])?));
                    }
                }
                Head::Store if candidate.store.sort(term(node)) == sort => {
                    self.add_write(candidate, node, args)?;
                }
                Head::Const(own) if own == sort => {
                    let element = candidate.known_value(args[0])?;
                    let Some(class) = self.place(candidate.euf.class(node)) else { continue };
                    let (array, part) = (term(node), term(args[0]));
                    let first = *constants.entry(element.clone()).or_insert(self.sources.len());
                    let source = Source { class, array, index: None, term: part, element };
                    self.add_source(source, None);
                    let Source { class: other, array: earlier, term: same, .. } =
                        self.sources[first];
                    if other != class {
                        let label = Label::Constants([same, part]);
                        self.add_edge([other, class], [earlier, array], label);
                    }
                }
                Head::Function(_)
                | Head::Select
                | Head::Store
                | Head::Const(_)
                | Head::Construct(_)
                | Head::Field(_)
                | Head::Is(_) => {}
            }
        }
        Ok(())
    }
    fn add_write(&mut self, candidate: &Candidate<'_>, node: Node, args: &[Node]) -> Outcome<()> {
        let places = [args[0], node].map(|n| self.place(candidate.euf.class(n)));
        let [Some(before), Some(after)] = places else { return Ok(()) };
        let [array, index, element] = [args[0], args[1], args[2]].map(|n| candidate.euf.term(n));
        let written = candidate.euf.term(node);
        let at = candidate.known_value(args[1])?;
        let source = Source {
            class: after,
            array: written,
            index: Some(index),
            term: element,
            element: candidate.known_value(args[2])?,
        };
        self.add_source(source, Some(at.clone()));
        if before != after {
            self.add_edge([before, after], [array, written], Label::Write(index, at));
        }
        Ok(())
    }
    fn add_edge(&mut self, classes: [usize; 2], arrays: [Term; 2], label: Label) {
        for class in classes {
            self.around[class].push(self.edges.len());
        }
        self.edges.push(Edge { classes, arrays, label });
    }
    /// Adds a source; its index stays with the regions, which are made later, so it is kept on the
    /// side until then.
    fn add_source(&mut self, source: Source, index: Option<Value>) {
        let number = self.sources.len();
        self.sources.push(source);
        let mut waiting = Region::default();
        match index {
            Some(index) => {
                waiting.reads.insert(index, vec![number]);
            }
            None => waiting.constants.push(number),
        }
        self.regions.push(waiting);
    }
    /// Finds the regions.
    fn divide(&mut self, classes: usize) {
        let waiting = std::mem::take(&mut self.regions);
        let mut partition = Partition::new(classes);
        for edge in &self.edges {
            partition.join(edge.classes);
        }
        partition.flatten();
        let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
        for class in 0..classes {
            let next = numbers.len();
            let region = *numbers.entry(partition.of(class)).or_insert(next);
            if region == self.regions.len() {
                self.regions.push(Region::default());
            }
            self.region_of.push(region);
            self.position.push(self.regions[region].members.len());
            self.regions[region].members.push(class);
        }
        for (at, edge) in self.edges.iter().enumerate() {
            self.regions[self.region_of[edge.classes[0]]].edges.push(at);
        }
        for (source, waiting) in self.sources.iter().zip(waiting) {
            let region = &mut self.regions[self.region_of[source.class]];
            region.constants.extend(waiting.constants);
            for (index, numbers) in waiting.reads {
                region.reads.entry(index).or_default().extend(numbers);
            }
        }
    }
    pub(super) fn place(&self, class: Node) -> Option<usize> {
        self.places.get(&class).copied()
    }
    pub(super) fn regions(&self) -> usize {
        self.regions.len()
    }
    pub(super) fn region(&self, class: usize) -> usize {
        self.region_of[class]
    }
    pub(super) fn members(&self, region: usize) -> &[usize] {
        &self.regions[region].members
    }
    pub(super) fn constants(&self, region: usize) -> &[usize] {
        &self.regions[region].constants
    }
    pub(super) fn reads(&self, region: usize) -> &BTreeMap<Value, Vec<usize>> {
        &self.regions[region].reads
    }
    pub(super) fn source(&self, number: usize) -> &Source {
        &self.sources[number]
    }
    /// All indices that are read or written.
    pub(super) fn indices(&self) -> impl Iterator<Item = &Value> {
        self.regions.iter().flat_map(|region| region.reads.keys())
    }
    /// The classes of a region that agree at `index`, whatever they have there.
    pub(super) fn components(&self, region: usize, index: &Value) -> Components<'_> {
        let mut partition = Partition::new(self.regions[region].members.len());
        for &edge in &self.regions[region].edges {
            let edge = &self.edges[edge];
            if edge.avoids(index) {
                partition.join(edge.classes.map(|class| self.position[class]));
            }
        }
        partition.flatten();
        Components { position: &self.position, partition }
    }
    /// A shortest path, without writes at `avoided`: edges, with whether they are walked forward.
    pub(super) fn path(
        &self,
        from: usize,
        to: usize,
        avoided: Option<&Value>,
    ) -> Vec<(&Edge, bool)> {
        let mut back: Map<usize, (usize, bool)> = Map::default();
        let mut queue = VecDeque::from([from]);
        while let Some(class) = queue.pop_front() {
            if class == to {
                break;
            }
            for &number in &self.around[class] {
                let edge = &self.edges[number];
                if avoided.is_some_and(|index| !edge.avoids(index)) {
                    continue;
                }
                let forward = edge.classes[0] == class;
                let next = edge.classes[usize::from(forward)];
                if next != from && !back.contains_key(&next) {
                    back.insert(next, (number, forward));
                    queue.push_back(next);
                }
            }
        }
        let mut path = Vec::new();
        let mut at = to;
        while at != from {
            let (number, forward) = back[&at];
            path.push((&self.edges[number], forward));
            at = self.edges[number].classes[usize::from(!forward)];
        }
        path.reverse();
        path
    }
}
