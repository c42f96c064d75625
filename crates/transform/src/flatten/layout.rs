//! What the values of a sort look like without non-recursive data types: a list of leaves.
//!
//! | sort | leaves |
//! |---|---|
//! | a number, a truth value, bits, a recursive type | the sort itself |
//! | a type with one constructor | those of its fields |
//! | a type with several constructors | a tag, then those of the fields of all constructors |
//! | an array | for each leaf of the elements, an array that takes the leaves of the index one after the other |
//!
//! The tag of two constructors is a truth value, that of more is the number of the constructor.
//!
//! Fields of constructors that did not make a value are *junk*. As part of an index, junk would
//! make one element several, so an index with such a type inside is not taken apart: index terms
//! are put together again. Nor can an array of records be put together from its leaves, so *frozen*
//! arrays stay whole: those inside of recursive types and of indices that stay whole.

use shofar_base::{Map, Set};
use shofar_chc::ChcSystem;
use shofar_term::symbols::with_parts;
use shofar_term::visit::postorder;
use shofar_term::{Constructor, Kind, Sort, SortKind, TermStore};

/// With more leaves of one sort, nothing is flattened; records in records may have exponentially
/// many.
const WIDEST: usize = 5_000;

/// How the leaves of a sort make up a value.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// The value is the only leaf.
    Whole,
    /// The fields of the only constructor, one after the other.
    Record(Constructor),
    /// The tag, then the fields of all constructors.
    Variant(Vec<Constructor>),
    /// One array for each leaf of an element, from the leaves of the index.
    Array(Index, Sort),
}

/// How an array is indexed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Index {
    /// By the index as it is.
    Whole(Sort),
    /// By the leaves of the index, one after the other.
    Split(Sort),
}

/// What is known of a sort.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) shape: Shape,
    /// The sorts of the leaves.
    pub(super) leaves: Vec<Sort>,
    /// What the leaves are called, as a continuation of a name.
    pub(super) names: Vec<String>,
    /// The leaves that are numbers of constructors, and how many constructors there are.
    pub(super) tags: Vec<(usize, usize)>,
    /// Whether a part of it is an array that is taken apart.
    pub(super) has_arrays: bool,
    /// Whether arrays that are equal may differ in some leaf.
    pub(super) has_junk_arrays: bool,
    has_variant: bool,
}

/// The leaves of all sorts of a system.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    entries: Vec<Entry>,
    places: Map<Sort, usize>,
    frozen: Set<Sort>,
    is_too_wide: bool,
}

impl Layout {
    /// The layout for `source`; nothing if there is nothing to flatten, or something that nobody
    /// flattens.
    pub(super) fn of(store: &mut TermStore, source: &ChcSystem) -> Option<Self> {
        if !has_flat_types(store) {
            return None;
        }
        let sorts = sorts(store, source)?;
        let mut this = Self { frozen: frozen(store, &sorts), ..Self::default() };
        for &sort in &sorts {
            this.enter(store, sort);
        }
        let changes = |&sort: &Sort| !matches!(this.get(sort).shape, Shape::Whole);
        (!this.is_too_wide && sorts.iter().any(changes)).then_some(this)
    }
    /// What is known of `sort`, which is one of the system's.
    pub(super) fn get(&self, sort: Sort) -> &Entry {
        &self.entries[self.places[&sort]]
    }
    /// How many leaves `sort` has.
    pub(super) fn width(&self, sort: Sort) -> usize {
        self.get(sort).leaves.len()
    }
    /// The sorts that index the arrays that an array becomes.
    pub(super) fn indices(&self, index: Index) -> Vec<Sort> {
        match index {
            Index::Whole(sort) => vec![sort],
            Index::Split(sort) => self.get(sort).leaves.clone(),
        }
    }
    /// Enters `sort` and all that it is made of. Sorts nest a little only, so recursion is fine.
    fn enter(&mut self, store: &mut TermStore, sort: Sort) {
        if self.places.contains_key(&sort) {
            return;
        }
        let entry = match store.sort_kind(sort) {
            SortKind::Data(_, constructors) if !store.is_recursive(sort) => {
                let constructors = constructors.to_vec();
                self.data(store, &constructors)
            }
            SortKind::Array(index, element) => self.array(store, sort, index, element),
            SortKind::Data(..)
            | SortKind::Bool
            | SortKind::Int
            | SortKind::Real
            | SortKind::Uninterpreted(_)
            | SortKind::Bits(_) => whole(sort),
        };
        let is_too_wide = entry.leaves.len() > WIDEST;
        self.is_too_wide |= is_too_wide;
        self.places.insert(sort, self.entries.len());
        self.entries.push(if is_too_wide { whole(sort) } else { entry });
    }
    fn data(&mut self, store: &mut TermStore, constructors: &[Constructor]) -> Entry {
        let shape = match constructors {
            [only] => Shape::Record(*only),
            several => Shape::Variant(several.to_vec()),
        };
        let has_variant = constructors.len() > 1;
        let mut entry = Entry { shape, has_variant, ..Entry::default() };
        match constructors.len() {
            1 => (),
            2 => entry.push_leaf(Sort::BOOL, ".tag".to_owned()),
            several => {
                entry.tags.push((0, several));
                entry.push_leaf(Sort::INT, ".tag".to_owned());
            }
        }
        for &constructor in constructors {
            for field in store.constructor_fields(constructor).to_vec() {
                let (sort, name) = (store.field_sort(field), store.field_name(field).to_owned());
                self.enter(store, sort);
                entry.append(self.get(sort), &format!(".{name}"));
            }
        }
        entry
    }
    fn array(&mut self, store: &mut TermStore, sort: Sort, index: Sort, element: Sort) -> Entry {
        self.enter(store, index);
        self.enter(store, element);
        let (of_index, of_element) = (self.get(index), self.get(element));
        let is_plain = |entry: &Entry| matches!(entry.shape, Shape::Whole);
        let has_variant = of_index.has_variant || of_element.has_variant;
        let keeps_index = is_plain(of_index) || of_index.has_variant;
        if self.frozen.contains(&sort) || is_plain(of_element) && keeps_index {
            return Entry { has_variant, ..whole(sort) };
        }
        let index = if keeps_index { Index::Whole(index) } else { Index::Split(index) };
        let (leaves, names) = (of_element.leaves.clone(), of_element.names.clone());
        let has_junk_arrays = of_element.has_variant;
        let indices = self.indices(index);
        let nested =
            |leaf: Sort| indices.iter().rev().fold(leaf, |to, &from| store.array_sort(from, to));
        Entry {
            shape: Shape::Array(index, element),
            leaves: leaves.into_iter().map(nested).collect(),
            names,
            tags: Vec::new(),
            has_arrays: true,
            has_junk_arrays,
            has_variant,
        }
    }
}

impl Default for Entry {
    fn default() -> Self {
        Self {
            shape: Shape::Whole,
            leaves: Vec::new(),
            names: Vec::new(),
            tags: Vec::new(),
            has_arrays: false,
            has_junk_arrays: false,
            has_variant: false,
        }
    }
}

impl Entry {
    fn push_leaf(&mut self, sort: Sort, name: String) {
        self.leaves.push(sort);
        self.names.push(name);
    }
    /// Appends the leaves of a field.
    fn append(&mut self, field: &Entry, name: &str) {
        let start = self.leaves.len();
        self.leaves.extend_from_slice(&field.leaves);
        self.names.extend(field.names.iter().map(|rest| format!("{name}{rest}")));
        self.tags.extend(field.tags.iter().map(|&(at, count)| (start + at, count)));
        self.has_arrays |= field.has_arrays;
        self.has_junk_arrays |= field.has_junk_arrays;
        self.has_variant |= field.has_variant;
    }
}

fn whole(sort: Sort) -> Entry {
    Entry { leaves: vec![sort], names: vec![String::new()], ..Entry::default() }
}

/// Whether `store` knows a data type that is not recursive; most have no data types at all.
fn has_flat_types(store: &TermStore) -> bool {
    use shofar_base::Idx;
    (0..store.sort_count()).map(Sort::from_index).any(|sort| is_flat_type(store, sort))
}

fn is_flat_type(store: &TermStore, sort: Sort) -> bool {
    store.constructors(sort).is_some() && !store.is_recursive(sort)
}

/// The sorts of a system with all that they are made of; nothing if functions or quantifiers occur.
fn sorts(store: &TermStore, source: &ChcSystem) -> Option<Vec<Sort>> {
    let mut seen = Set::default();
    for pred in source.preds() {
        seen.extend(source.sorts(store, pred).iter().copied());
    }
    for (_, clause) in source.clauses() {
        for term in postorder(store, &clause.terms()) {
            if matches!(store.kind(term), Kind::App(..) | Kind::Quantified(..)) {
                return None;
            }
            seen.insert(store.sort(term));
        }
    }
    let mut sorts: Vec<Sort> = seen.into_sorted();
    sorts.extend(with_parts(store, sorts.clone()));
    // Parts may be built-in sorts that no term has.
    sorts.extend([Sort::BOOL, Sort::INT, Sort::REAL]);
    sorts.sort_unstable();
    sorts.dedup();
    Some(sorts)
}

/// The arrays that must stay whole.
fn frozen(store: &TermStore, sorts: &[Sort]) -> Set<Sort> {
    let mut frozen = Set::default();
    for &sort in sorts {
        let inside = match store.sort_kind(sort) {
            SortKind::Data(..) if store.is_recursive(sort) => with_parts(store, [sort]),
            SortKind::Array(index, _) => {
                let parts = with_parts(store, [index]);
                let is_variant = |&part: &Sort| {
                    is_flat_type(store, part)
                        && store.constructors(part).is_some_and(|c| c.len() > 1)
                };
                if parts.iter().any(is_variant) { parts } else { Vec::new() }
            }
            SortKind::Data(..)
            | SortKind::Bool
            | SortKind::Int
            | SortKind::Real
            | SortKind::Uninterpreted(_)
            | SortKind::Bits(_) => Vec::new(),
        };
        frozen.extend(inside.into_iter().filter(|&part| store.array_parts(part).is_some()));
    }
    frozen
}
