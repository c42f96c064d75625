//! What reads and writes imply.
//!
//! 1. At an index, arrays agree along writes at indices that are known to be different; so all
//!    reads at that index among them are equal. What was written counts as a read at the index of
//!    the write, a constant array as a read everywhere.
//! 2. Constant arrays that fewer writes connect than there are indices have equal elements.
//! 3. Writing what is there changes nothing.
//! 4. Arrays are equal if writes connect them at whose indices they agree, or if they agree at all
//!    indices that there are.
//!
//! Source: [CH15].

use std::collections::{BTreeSet, VecDeque};

use shofar_base::{Map, Set};
use shofar_term::eval::{Evaluator, Model, Value};
use shofar_term::{ArrayKind, Cardinality, Sort, Term};

use super::Saturation;

/// Classes of arrays that agree.
struct Agreement {
    parents: Map<usize, usize>,
}

impl Agreement {
    fn new() -> Self {
        Self { parents: Map::default() }
    }
    fn of(&self, mut class: usize) -> usize {
        while let Some(&parent) = self.parents.get(&class) {
            class = parent;
        }
        class
    }
    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.of(a), self.of(b));
        if a != b {
            self.parents.insert(a, b);
        }
    }
}

/// A write: the array before, the array after, the index and the element.
struct Write {
    before: Term,
    after: Term,
    index: Term,
    element: Term,
}

impl Saturation<'_> {
    fn writes(&self) -> Vec<Write> {
        let write = |&after: &Term| match self.closure.store.array_kind(after)? {
            ArrayKind::Store(before, index, element) => {
                Some(Write { before, after, index, element })
            }
            ArrayKind::Select(..) | ArrayKind::Const(_) => None,
        };
        self.closure.terms.iter().filter_map(write).collect()
    }
    /// The constant arrays with their elements.
    fn constants(&self) -> Vec<(Term, Term)> {
        let constant = |&array: &Term| match self.closure.store.array_kind(array)? {
            ArrayKind::Const(element) => Some((array, element)),
            ArrayKind::Select(..) | ArrayKind::Store(..) => None,
        };
        self.closure.terms.iter().filter_map(constant).collect()
    }
    /// The indices that are read or written.
    fn indices(&self) -> Vec<Term> {
        let index = |&term: &Term| match self.closure.store.array_kind(term)? {
            ArrayKind::Select(_, index) | ArrayKind::Store(_, index, _) => Some(index),
            ArrayKind::Const(_) => None,
        };
        let mut indices: Vec<Term> = self.closure.terms.iter().filter_map(index).collect();
        indices.sort_unstable();
        indices.dedup();
        indices
    }
    /// The arrays that agree at `index`, and an element of each class that has one there.
    fn at(&self, writes: &[Write], index: Term) -> (Agreement, Vec<(usize, Term)>) {
        let class = |t: Term| self.closure.class_of(t);
        let here = class(index);
        let sort = self.closure.store.sort(index);
        let mut agreement = Agreement::new();
        let mut elements = Vec::new();
        for write in writes.iter().filter(|w| self.closure.store.sort(w.index) == sort) {
            if class(write.index) == here {
                elements.push((class(write.after), write.element));
            } else if self.differ(write.index, index) {
                agreement.join(class(write.before), class(write.after));
            }
        }
        for &term in &self.closure.terms {
            if let Some(ArrayKind::Select(array, i)) = self.closure.store.array_kind(term)
                && class(i) == here
            {
                elements.push((class(array), term));
            }
        }
        let constants = self.constants().into_iter();
        elements.extend(constants.map(|(array, element)| (class(array), element)));
        (agreement, elements)
    }
    /// Joins elements that are read at one index of arrays that agree there.
    pub(super) fn derive_reads(&mut self) -> bool {
        let writes = self.writes();
        let mut has_changed = self.derive_constants(&writes);
        for index in self.indices() {
            let (agreement, elements) = self.at(&writes, index);
            let mut first: Map<usize, Term> = Map::default();
            for (class, element) in elements {
                let other = *first.entry(agreement.of(class)).or_insert(element);
                has_changed |= self.closure.join(other, element);
            }
            let here = self.closure.class_of(index);
            for write in &writes {
                let class = |t: Term| self.closure.class_of(t);
                let own = first.get(&agreement.of(class(write.before)));
                if class(write.index) == here
                    && own.is_some_and(|&own| class(own) == class(write.element))
                {
                    has_changed |= self.closure.join(write.before, write.after);
                }
            }
        }
        has_changed
    }
    /// Whether one array is the other with an element that differs from its own, or both are
    /// constant and differ.
    pub(super) fn arrays_differ(&self, a: Term, b: Term) -> bool {
        let store = self.closure.store;
        let differs_from = |array: Term, after: Term| {
            matches!(store.array_kind(after), Some(ArrayKind::Store(before, index, element))
            if before == array
                && self.elements(array, index).into_iter().any(|own| self.differ(own, element)))
        };
        match (store.array_kind(a), store.array_kind(b)) {
            (Some(ArrayKind::Const(x)), Some(ArrayKind::Const(y))) => self.differ(x, y),
            (Some(_) | None, _) => differs_from(a, b) || differs_from(b, a),
        }
    }
    /// What `array` has at `index`, as far as a look through its writes tells.
    fn elements(&self, array: Term, index: Term) -> Vec<Term> {
        let (store, class) = (self.closure.store, |t: Term| self.closure.class_of(t));
        let (mut found, mut at) = (Vec::new(), array);
        loop {
            let is_read = |&&term: &&Term| {
                matches!(store.array_kind(term), Some(ArrayKind::Select(x, i))
                    if class(x) == class(at) && class(i) == class(index))
            };
            found.extend(self.closure.terms.iter().filter(is_read));
            match store.array_kind(at) {
                Some(ArrayKind::Store(_, i, element)) if class(i) == class(index) => {
                    found.push(element);
                    return found;
                }
                Some(ArrayKind::Store(before, i, _)) if self.differ(i, index) => at = before,
                Some(ArrayKind::Const(element)) => {
                    found.push(element);
                    return found;
                }
                Some(ArrayKind::Store(..) | ArrayKind::Select(..)) | None => return found,
            }
        }
    }
    fn derive_constants(&mut self, writes: &[Write]) -> bool {
        let constants = self.constants();
        if constants.len() < 2 {
            return false;
        }
        let mut has_changed = false;
        for &(array, element) in &constants {
            let sort = self.closure.store.sort(array);
            let (index, _) = self.closure.store.array_parts(sort).expect("an array");
            let connected = self.connected(writes, array);
            for &(other, its_own) in &constants {
                let written = connected.get(&self.closure.class_of(other));
                if written.is_some_and(|set| self.closure.store.has_more_than(index, set.len())) {
                    has_changed |= self.closure.join(element, its_own);
                }
            }
        }
        has_changed
    }
    /// The classes of arrays that writes connect with `array`, each with the indices that are
    /// written on a shortest way to it.
    fn connected(&self, writes: &[Write], array: Term) -> Map<usize, Set<usize>> {
        let class = |t: Term| self.closure.class_of(t);
        let mut found: Map<usize, Set<usize>> = Map::default();
        found.insert(class(array), Set::default());
        let mut queue = VecDeque::from([class(array)]);
        while let Some(at) = queue.pop_front() {
            for write in writes {
                let [before, after] = [write.before, write.after].map(class);
                for (from, to) in [(before, after), (after, before)] {
                    if from == at && !found.contains_key(&to) {
                        let mut written = found[&at].clone();
                        written.insert(class(write.index));
                        found.insert(to, written);
                        queue.push_back(to);
                    }
                }
            }
        }
        found
    }
    /// Whether arrays that are said to differ have to be equal.
    pub(super) fn denies_extensionality(&self) -> bool {
        let is_array = |t: Term| self.closure.store.array_parts(self.closure.store.sort(t));
        let mut pairs =
            self.different.iter().filter_map(|&(a, b)| Some((is_array(a)?.0, a, b))).peekable();
        if pairs.peek().is_none() {
            return false;
        }
        let (writes, indices) = (self.writes(), self.indices());
        pairs.any(|(index, a, b)| self.are_equal(&writes, &indices, index, [a, b]))
    }
    fn are_equal(&self, writes: &[Write], indices: &[Term], sort: Sort, pair: [Term; 2]) -> bool {
        let classes = pair.map(|t| self.closure.class_of(t));
        let agreed: Set<usize> = indices
            .iter()
            .filter(|&&index| self.closure.store.sort(index) == sort)
            .filter(|&&index| self.agree_at(writes, index, classes))
            .map(|&index| self.closure.class_of(index))
            .collect();
        let mut connected = Agreement::new();
        for write in writes.iter().filter(|w| agreed.contains(&self.closure.class_of(w.index))) {
            let [before, after] = [write.before, write.after].map(|t| self.closure.class_of(t));
            connected.join(before, after);
        }
        if connected.of(classes[0]) == connected.of(classes[1]) {
            return true;
        }
        let nothing = Model::new();
        let mut evaluator = Evaluator::new(&nothing);
        let values: BTreeSet<Value> = indices
            .iter()
            .filter(|&&t| self.closure.store.sort(t) == sort)
            .filter(|&&t| agreed.contains(&self.closure.class_of(t)))
            .filter_map(|&t| evaluator.evaluate(self.closure.store, t).ok())
            .collect();
        self.closure.store.cardinality(sort) == Cardinality::Few(values.len() as u64)
    }
    fn agree_at(&self, writes: &[Write], index: Term, classes: [usize; 2]) -> bool {
        let (agreement, elements) = self.at(writes, index);
        let [one, other] = classes.map(|class| agreement.of(class));
        let element = |of: usize| {
            let found = elements.iter().find(|&&(class, _)| agreement.of(class) == of);
            found.map(|&(_, element)| self.closure.class_of(element))
        };
        one == other || element(one).is_some_and(|class| element(other) == Some(class))
    }
}
