//! Arrays: values of all arrays of one sort, or instances of the axioms that say why there are
//! none.
//!
//! Classes of arrays are the nodes of a graph. A write is an edge between the array before and
//! after it, labelled with its index. Along the edges with other indices than `i`, all arrays agree
//! at `i` (they are *weakly equivalent modulo* `i`), so all reads at `i` in one component have the
//! same element; a write counts as a read of what it wrote, and a constant array is read
//! everywhere. If two reads differ, the path between them is an instance of [`Axiom::Read`].
//!
//! Otherwise an array has, at each index that matters, the element that is read in its component,
//! and one default everywhere else, which is common to all arrays that paths connect. Where arrays
//! that must differ came out equal: if a path connects them, [`Axiom::Extensionality`] at the
//! indices of the path; if not, one component gets an element of its own at an index that nobody
//! mentions. Over small index sorts every index matters, and there is no such index; there,
//! extensionality speaks of all of them.
//!
//! Invariant: elements and indices are compared by value.
//!
//! Source: [CH15] (weak equivalence, read and extensionality lemmas); [HS19] for constant arrays.
//! DIVERGENCE [CH15]: lemmas are looked for in a candidate for a model only, and extensionality is
//! stated with reads at the indices of a path, which may be new terms, so that no path has to be
//! justified at each of its indices.

mod graph;

use std::collections::{BTreeMap, BTreeSet};

use shofar_base::{GaveUp, Outcome};
use shofar_term::eval::Value;
use shofar_term::value::ArrayValue;
use shofar_term::{ArrayKind, Cardinality, Sort, Term};

use self::graph::{Graph, Label, Source};
use crate::candidate::Candidate;
use crate::euf::Node;
use crate::fresh::nth;
use crate::instance::Axiom;

/// How many indices a sort may have so that all of them matter.
const FEW: u64 = 256;

/// Why the search gives up where there are too many arrays for their sorts.
const CROWDED: &str = "too many arrays over a finite sort of indices";

/// What is known of a set of arrays that paths connect.
struct Region {
    default: Value,
    has_constant: bool,
    /// Elements that all of them have at indices that nobody mentions.
    own: BTreeMap<Value, Value>,
}

/// The arrays of one sort on their way to values.
struct Arrays {
    sort: Sort,
    index: Sort,
    element: Sort,
    regions: Vec<Region>,
    /// The elements of each class that were read or written.
    elements: Vec<BTreeMap<Value, Value>>,
    /// All indices that somebody mentions.
    used: BTreeSet<Value>,
}

impl Candidate<'_> {
    /// Gives values to the arrays of `sort`, or asks for instances.
    pub(crate) fn build_arrays(&mut self, sort: Sort, classes: &[Node]) -> Outcome<()> {
        let (index, element) = self.store.array_parts(sort).expect("a sort of arrays");
        let graph = Graph::new(self, sort, classes)?;
        let all = self.all_indices(index);
        let elements = vec![BTreeMap::new(); classes.len()];
        let used = all.iter().cloned().chain(graph.indices().cloned()).collect();
        let mut arrays = Arrays { sort, index, element, regions: Vec::new(), elements, used };
        for region in 0..graph.regions() {
            self.fill_region(&graph, region, &mut arrays, &all)?;
        }
        if !self.instances.is_empty() {
            return Ok(());
        }
        for (class, &node) in classes.iter().enumerate() {
            let value = self.array_value(&arrays, graph.region(class), class);
            self.structures.of_class.insert(node, value);
        }
        self.separate(&graph, &mut arrays, classes)
    }
    /// All indices, if there are few.
    fn all_indices(&self, index: Sort) -> Vec<Value> {
        match self.store.cardinality(index) {
            Cardinality::Few(count) if count <= FEW => {
                (0..count).map_while(|number| nth(self.store, index, number)).collect()
            }
            Cardinality::Few(_) | Cardinality::Many | Cardinality::Infinite => Vec::new(),
        }
    }
    /// The elements of the arrays of a region at all indices that matter there.
    fn fill_region(
        &mut self,
        graph: &Graph,
        region: usize,
        arrays: &mut Arrays,
        all: &[Value],
    ) -> Outcome<()> {
        let constants = graph.constants(region);
        let default = match constants.first() {
            Some(&source) => graph.source(source).element.clone(),
            None => Value::default_of(self.store, arrays.element),
        };
        let has_constant = !constants.is_empty();
        arrays.regions.push(Region {
            default: default.clone(),
            has_constant,
            own: BTreeMap::new(),
        });
        if all.is_empty()
            && let Some(&other) = constants.iter().find(|&&c| graph.source(c).element != default)
        {
            return self.ask_constants(graph, constants[0], other, arrays.index);
        }
        let mut indices: BTreeSet<&Value> = graph.reads(region).keys().collect();
        indices.extend(all);
        for at in indices {
            let components = graph.components(region, at);
            let mut found: BTreeMap<usize, usize> = BTreeMap::new();
            let reads = graph.reads(region).get(at).map_or(&[][..], Vec::as_slice);
            for &source in constants.iter().chain(reads) {
                let component = components.of(graph.source(source).class);
                let first = *found.entry(component).or_insert(source);
                if graph.source(first).element != graph.source(source).element {
                    self.ask_read(graph, at, first, source, arrays.index);
                    found.insert(component, source);
                }
            }
            for &class in graph.members(region) {
                if let Some(&source) = found.get(&components.of(class)) {
                    let element = &graph.source(source).element;
                    if *element != default {
                        arrays.elements[class].insert(at.clone(), element.clone());
                    }
                }
            }
        }
        Ok(())
    }
    fn array_value(&self, arrays: &Arrays, region: usize, class: usize) -> Value {
        let Region { default, own, .. } = &arrays.regions[region];
        let own = own.iter().map(|(index, element)| (index.clone(), element.clone()));
        let entries = arrays.elements[class].clone().into_iter().chain(own).collect();
        Value::Array(ArrayValue::new(self.store, arrays.sort, default.clone(), entries))
    }
    /// Two reads at one index, in one component, have different elements.
    fn ask_read(&mut self, graph: &Graph, at: &Value, one: usize, other: usize, index: Sort) {
        let (from, mut to) = (graph.source(one).clone(), graph.source(other).clone());
        if from.index.is_none() && to.index.is_none() {
            let value = self.store.value_term(at, index);
            let between = self.read_between(graph, at, value, [&from, &to]);
            to = between.unwrap_or(to);
        }
        let mut clause = Vec::new();
        let index = match (from.index, to.index) {
            (Some(i), Some(j)) => {
                let equality = self.equality(i, j);
                clause.push(self.store.not(equality));
                i
            }
            (Some(i), None) | (None, Some(i)) => i,
            (None, None) => self.store.value_term(at, index),
        };
        for write in self.walk(graph, &mut clause, &from, &to, Some(at)) {
            let same = self.equality(write, index);
            clause.push(same);
        }
        let same = self.equality(from.term, to.term);
        clause.push(same);
        self.ask(Axiom::Read, clause);
    }
    /// A read at `index`, whose value is `at`, of an array on the way between two constant ones.
    /// Without it the index would occur in no instance, and one that is about it could not be
    /// told from its shape.
    fn read_between(
        &mut self,
        graph: &Graph,
        at: &Value,
        index: Term,
        [from, to]: [&Source; 2],
    ) -> Option<Source> {
        for (edge, _) in graph.path(from.class, to.class, Some(at)) {
            for (class, array) in edge.ends() {
                let term = self.store.select(array, index);
                let is_own = matches!(self.store.array_kind(term), Some(ArrayKind::Select(a, i)) if (a, i) == (array, index));
                if is_own {
                    let element = from.element.clone();
                    return Some(Source { class, array, index: Some(index), term, element });
                }
            }
        }
        None
    }
    /// Two constant arrays that a path connects have different elements. They cannot, if there is
    /// an index that no write on the path has; a declared sort may be too small for that.
    fn ask_constants(
        &mut self,
        graph: &Graph,
        one: usize,
        other: usize,
        index: Sort,
    ) -> Outcome<()> {
        let (from, to) = (graph.source(one).clone(), graph.source(other).clone());
        let mut clause = Vec::new();
        let writes = self.walk(graph, &mut clause, &from, &to, None).len();
        if !self.store.has_more_than(index, writes) {
            return Err(GaveUp::incomplete("constant arrays over a sort that may be small"));
        }
        let same = self.equality(from.term, to.term);
        clause.push(same);
        self.ask(Axiom::Constant, clause);
        Ok(())
    }
    /// Walks from one array to another, and appends to `clause` literals of which one is true if
    /// the way is wrong. The result is the indices of the writes on the way; none of them has
    /// the value `avoided`.
    fn walk(
        &mut self,
        graph: &Graph,
        clause: &mut Vec<Term>,
        from: &Source,
        to: &Source,
        avoided: Option<&Value>,
    ) -> Vec<Term> {
        let mut at = from.array;
        let mut indices = Vec::new();
        for (edge, forward) in graph.path(from.class, to.class, avoided) {
            let [start, end] = if forward { edge.arrays } else { [edge.arrays[1], edge.arrays[0]] };
            self.unless_equal(clause, at, start);
            match &edge.label {
                Label::Write(index, _) => {
                    if !indices.contains(index) {
                        indices.push(*index);
                    }
                }
                Label::Constants([one, other]) => {
                    let equality = self.equality(*one, *other);
                    clause.push(self.store.not(equality));
                }
            }
            at = end;
        }
        self.unless_equal(clause, at, to.array);
        indices
    }
    /// Makes arrays differ that must.
    fn separate(&mut self, graph: &Graph, arrays: &mut Arrays, classes: &[Node]) -> Outcome<()> {
        let sort = arrays.sort;
        for (equality, left, right) in self.different(|s| s == sort) {
            let pair = [left, right].map(|n| graph.place(self.euf.class(n)));
            let [Some(one), Some(other)] = pair else { continue };
            if self.value(left) != self.value(right) {
                continue;
            }
            let regions = [one, other].map(|class| graph.region(class));
            if regions[0] == regions[1] {
                self.ask_extensionality(graph, equality, (left, one), (right, other));
                continue;
            }
            // Of constant arrays with different elements, writes everywhere may make the same
            // array.
            let Some(&free) = regions.iter().find(|&&r| !arrays.regions[r].has_constant) else {
                self.ask_everywhere(equality, arrays.index, [left, right])?;
                continue;
            };
            let Some(index) = self.fresh(arrays.index, &arrays.used) else {
                self.ask_everywhere(equality, arrays.index, [left, right])?;
                continue;
            };
            let default = BTreeSet::from([arrays.regions[free].default.clone()]);
            let element = self.fresh(arrays.element, &default);
            let element = element.ok_or_else(|| GaveUp::incomplete(CROWDED))?;
            arrays.used.insert(index.clone());
            arrays.regions[free].own.insert(index, element);
            for &class in graph.members(free) {
                let value = self.array_value(arrays, free, class);
                self.structures.of_class.insert(classes[class], value);
            }
        }
        Ok(())
    }
    fn ask_extensionality(
        &mut self,
        graph: &Graph,
        equality: Term,
        (left, one): (Node, usize),
        (right, other): (Node, usize),
    ) {
        let [x, y] = [left, right].map(|n| self.euf.term(n));
        let (from, to) = (Source::array(x, one), Source::array(y, other));
        let mut clause = vec![equality];
        for index in self.walk(graph, &mut clause, &from, &to, None) {
            let (a, b) = (self.store.select(x, index), self.store.select(y, index));
            let same = self.equality(a, b);
            clause.push(self.store.not(same));
        }
        self.ask(Axiom::Extensionality, clause);
    }
    /// Extensionality for arrays with few indices.
    fn ask_everywhere(&mut self, equality: Term, index: Sort, ends: [Node; 2]) -> Outcome<()> {
        let [x, y] = ends.map(|n| self.euf.term(n));
        let all = self.all_indices(index);
        if all.is_empty() {
            return Err(GaveUp::incomplete(CROWDED));
        }
        let mut clause = vec![equality];
        for value in all {
            let at = self.store.value_term(&value, index);
            let (a, b) = (self.store.select(x, at), self.store.select(y, at));
            let same = self.equality(a, b);
            clause.push(self.store.not(same));
        }
        self.ask(Axiom::Extensionality, clause);
        Ok(())
    }
}
