//! What reads and writes imply.
//!
//! 1. At an index, arrays agree along writes at indices that are known to be different; so all reads at that index among
//!    them are equal. What was written counts as a read at the index of the write, a constant array as a read everywhere.
//! 2. Constant arrays that fewer writes connect than there are indices have equal elements.
//! 3. Writing what is there changes nothing.
//! 4. Arrays are equal if writes connect them at whose indices they agree, or if they agree at all indices that there are.
//!
//! Source: [CH15].

use shofar_base::{Map, Set};
use shofar_term::{ArrayKind, Cardinality, DataKind, Sort, Term};

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
    /// Whether one array is the other with an element that differs from its own, or both are constant and differ.
    pub(super) fn arrays_differ(&self, a: Term, b: Term) -> bool {
        let store = self.closure.store;
        let differs_from = |array: Term, after: Term| {
            matches!(store.array_kind(after), Some(ArrayKind::Store(before, index, element))
            if before == array && self.closure.terms.iter().any(|&own| {
                matches!(store.array_kind(own), Some(ArrayKind::Select(x, i))
                    if (x, i) == (array, index) && self.differ(own, element))
            }))
        };
        match (store.array_kind(a), store.array_kind(b)) {
            (Some(ArrayKind::Const(x)), Some(ArrayKind::Const(y))) => self.differ(x, y),
            (Some(_) | None, _) => differs_from(a, b) || differs_from(b, a),
        }
    }
    fn derive_constants(&mut self, writes: &[Write]) -> bool {
        let constants = self.constants();
        if constants.len() < 2 {
            return false;
        }
        let mut agreement = Agreement::new();
        for write in writes {
            let [before, after] = [write.before, write.after].map(|t| self.closure.class_of(t));
            agreement.join(before, after);
        }
        let mut first: Map<usize, Term> = Map::default();
        let mut has_changed = false;
        for (array, element) in constants {
            let sort = self.closure.store.sort(array);
            let (index, _) = self.closure.store.array_parts(sort).expect("an array");
            if self.closure.store.has_more_than(index, writes.len()) {
                let region = agreement.of(self.closure.class_of(array));
                let other = *first.entry(region).or_insert(element);
                has_changed |= self.closure.join(other, element);
            }
        }
        has_changed
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
        let values: Set<Term> = indices
            .iter()
            .copied()
            .filter(|&t| self.closure.store.sort(t) == sort && self.is_closed(t))
            .filter(|&t| agreed.contains(&self.closure.class_of(t)))
            .collect();
        self.closure.store.cardinality(sort) == Cardinality::Few(values.len() as u64)
    }
    /// Whether different terms of this kind have different values.
    fn is_closed(&self, term: Term) -> bool {
        let mut open = vec![term];
        while let Some(term) = open.pop() {
            match self.closure.store.data_kind(term) {
                Some(DataKind::Construct(_, args)) => open.extend_from_slice(args),
                _ if self.closure.store.is_value(term) => {}
                _ => return false,
            }
        }
        true
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
