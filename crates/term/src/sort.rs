//! Sorts: handles into a table of the store.
//!
//! A [`Sort`] is a four-byte handle; what it stands for is a [`SortKind`], which the store gives.
//! The sorts that every store knows have fixed handles, so that most questions need no store.
//! Invariant: the table has no two equal entries, hence equal handles are equal sorts; it only
//! grows, so a copy of a store knows all older handles.

use shofar_base::Idx;

use crate::TermStore;
use crate::data::{Constructor, DataEntry};
use crate::store::{hash_of, position};

/// The sort of a term: a handle, whose meaning [`TermStore::sort_kind`] tells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sort(u32);

/// What a sort is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SortKind<'a> {
    /// Truth values.
    Bool,
    /// Integers.
    Int,
    /// Real numbers.
    Real,
    /// A declared sort of this name, of which nothing is known but that it is not empty.
    Uninterpreted(&'a str),
    /// Bit-vectors of this width.
    Bits(u32),
    /// Arrays from the first sort to the second.
    Array(Sort, Sort),
    /// The data type of this name with these constructors, in the order of their declaration.
    Data(&'a str, &'a [Constructor]),
}

/// The sorts that every store knows, in the order of their handles.
pub(crate) const BUILT_IN: [SortKind<'static>; 3] = [SortKind::Bool, SortKind::Int, SortKind::Real];

impl Sort {
    /// Truth values.
    pub const BOOL: Sort = Sort(0);
    /// Integers.
    pub const INT: Sort = Sort(1);
    /// Real numbers.
    pub const REAL: Sort = Sort(2);

    /// Whether terms of this sort are formulas.
    #[inline]
    pub fn is_bool(self) -> bool {
        self == Sort::BOOL
    }
    /// Whether terms of this sort are integers.
    #[inline]
    pub fn is_int(self) -> bool {
        self == Sort::INT
    }
    /// Whether terms of this sort are real numbers.
    #[inline]
    pub fn is_real(self) -> bool {
        self == Sort::REAL
    }
    /// Whether terms of this sort are numbers.
    #[inline]
    pub fn is_arithmetic(self) -> bool {
        self == Sort::INT || self == Sort::REAL
    }
    /// Whether every store knows this sort.
    pub(crate) fn is_built_in(self) -> bool {
        self.index() < BUILT_IN.len()
    }
    #[inline]
    pub(crate) fn word(self) -> u32 {
        self.0
    }
}

impl Idx for Sort {
    #[inline]
    fn from_index(index: usize) -> Self {
        Self(position(index))
    }
    #[inline]
    fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::fmt::Debug for Sort {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match BUILT_IN.get(self.index()) {
            Some(kind) => write!(f, "{kind:?}"),
            None => write!(f, "Sort#{}", self.0),
        }
    }
}

/// An entry of the table. Compound sorts refer to older entries, or to their own group.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SortEntry {
    Uninterpreted(Box<str>),
    Bits(u32),
    Array(Sort, Sort),
    Data(DataEntry),
}

/// What is known of a sort that is not built in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SortFacts {
    pub(crate) size: Cardinality,
    pub(crate) depth: u32,
}

/// How many values a sort has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cardinality {
    /// So many.
    Few(u64),
    /// Finitely many, but more than a word can count.
    Many,
    /// Infinitely many.
    Infinite,
}

impl Cardinality {
    /// How many pairs there are.
    pub(crate) fn times(self, other: Cardinality) -> Cardinality {
        match (self, other) {
            (Cardinality::Infinite, _) | (_, Cardinality::Infinite) => Cardinality::Infinite,
            (Cardinality::Few(a), Cardinality::Few(b)) => {
                a.checked_mul(b).map_or(Cardinality::Many, Cardinality::Few)
            }
            (Cardinality::Many, _) | (_, Cardinality::Many) => Cardinality::Many,
        }
    }
    /// How many values there are of one of two sorts.
    pub(crate) fn plus(self, other: Cardinality) -> Cardinality {
        match (self, other) {
            (Cardinality::Infinite, _) | (_, Cardinality::Infinite) => Cardinality::Infinite,
            (Cardinality::Few(a), Cardinality::Few(b)) => {
                a.checked_add(b).map_or(Cardinality::Many, Cardinality::Few)
            }
            (Cardinality::Many, _) | (_, Cardinality::Many) => Cardinality::Many,
        }
    }
    /// How many functions there are from `index` values to `self` values.
    fn to_the(self, index: Cardinality) -> Cardinality {
        match (self, index) {
            (Cardinality::Few(1), _) => self,
            (Cardinality::Infinite, _) | (_, Cardinality::Infinite) => Cardinality::Infinite,
            (Cardinality::Few(base), Cardinality::Few(exponent)) => u32::try_from(exponent)
                .ok()
                .and_then(|exponent| base.checked_pow(exponent))
                .map_or(Cardinality::Many, Cardinality::Few),
            (Cardinality::Many, _) | (_, Cardinality::Many) => Cardinality::Many,
        }
    }
}

/// Sorts that nest deeper than this are to be refused by whoever reads them, so that walks over
/// sorts may recurse.
pub const DEEPEST_SORT: u32 = 200;

impl TermStore {
    /// What `sort` is.
    pub fn sort_kind(&self, sort: Sort) -> SortKind<'_> {
        if let Some(&kind) = BUILT_IN.get(sort.index()) {
            return kind;
        }
        match &self.sorts[sort.index() - BUILT_IN.len()] {
            SortEntry::Uninterpreted(name) => SortKind::Uninterpreted(name),
            SortEntry::Bits(width) => SortKind::Bits(*width),
            SortEntry::Array(index, element) => SortKind::Array(*index, *element),
            SortEntry::Data(entry) => SortKind::Data(entry.name(), entry.constructors()),
        }
    }
    /// The uninterpreted sort of this name, which is none of the built-in sorts; the same name
    /// gives the same sort.
    pub fn declare_sort(&mut self, name: &str) -> Sort {
        debug_assert!(!is_built_in_name(name), "`{name}` is a built-in sort");
        let facts = SortFacts { size: Cardinality::Infinite, depth: 0 };
        self.intern_sort(SortEntry::Uninterpreted(name.into()), facts)
    }
    /// Bit-vectors of `width` bits, at least one.
    pub fn bits_sort(&mut self, width: u32) -> Sort {
        debug_assert!(width > 0, "a vector has at least one bit");
        let size = 1u64.checked_shl(width).map_or(Cardinality::Many, Cardinality::Few);
        self.intern_sort(SortEntry::Bits(width), SortFacts { size, depth: 0 })
    }
    /// Arrays from `index` to `element`.
    pub fn array_sort(&mut self, index: Sort, element: Sort) -> Sort {
        let size = self.cardinality(element).to_the(self.cardinality(index));
        let depth = 1 + self.sort_depth(index).max(self.sort_depth(element));
        self.intern_sort(SortEntry::Array(index, element), SortFacts { size, depth })
    }
    /// How many values `sort` has. An uninterpreted sort counts as infinite: it may be.
    pub fn cardinality(&self, sort: Sort) -> Cardinality {
        match sort {
            Sort::BOOL => Cardinality::Few(2),
            Sort::INT | Sort::REAL => Cardinality::Infinite,
            other => self.sort_facts[other.index() - BUILT_IN.len()].size,
        }
    }
    /// Whether `sort` has more than `count` values, whatever uninterpreted sorts are; these may
    /// have one element only.
    pub fn has_more_than(&self, sort: Sort, count: usize) -> bool {
        self.least_size(sort) > count as u64
    }
    /// So many values `sort` has at least, whatever uninterpreted sorts are; `u64::MAX` stands for
    /// that and more. Sorts nest a little only, so recursion is fine.
    fn least_size(&self, sort: Sort) -> u64 {
        match self.sort_kind(sort) {
            SortKind::Bool => 2,
            SortKind::Int | SortKind::Real => u64::MAX,
            SortKind::Uninterpreted(_) => 1,
            SortKind::Bits(width) => 1u64.checked_shl(width).unwrap_or(u64::MAX),
            SortKind::Array(index, element) => {
                let (base, exponent) = (self.least_size(element), self.least_size(index));
                base.saturating_pow(u32::try_from(exponent).unwrap_or(u32::MAX))
            }
            SortKind::Data(..) if self.is_recursive(sort) => u64::MAX,
            SortKind::Data(_, constructors) => {
                let product = |&constructor: &Constructor| {
                    let fields = self.constructor_fields(constructor).iter();
                    fields.fold(1u64, |size, &f| {
                        size.saturating_mul(self.least_size(self.field_sort(f)))
                    })
                };
                constructors.iter().map(product).fold(0, u64::saturating_add)
            }
        }
    }
    /// Whether `sort` has finitely many values.
    pub fn is_finite(&self, sort: Sort) -> bool {
        self.cardinality(sort) != Cardinality::Infinite
    }
    /// How deeply `sort` nests others.
    pub fn sort_depth(&self, sort: Sort) -> u32 {
        if sort.is_built_in() { 0 } else { self.sort_facts[sort.index() - BUILT_IN.len()].depth }
    }
    /// The index and the element sort, if `sort` is one of arrays.
    #[inline]
    pub fn array_parts(&self, sort: Sort) -> Option<(Sort, Sort)> {
        if sort.is_built_in() {
            return None;
        }
        match self.sorts[sort.index() - BUILT_IN.len()] {
            SortEntry::Array(index, element) => Some((index, element)),
            SortEntry::Uninterpreted(_) | SortEntry::Bits(_) | SortEntry::Data(_) => None,
        }
    }
    /// The width, if `sort` is one of bit-vectors.
    #[inline]
    pub fn bits_width(&self, sort: Sort) -> Option<u32> {
        if sort.is_built_in() {
            return None;
        }
        match self.sorts[sort.index() - BUILT_IN.len()] {
            SortEntry::Bits(width) => Some(width),
            SortEntry::Uninterpreted(_) | SortEntry::Array(..) | SortEntry::Data(_) => None,
        }
    }
    /// The constructors, if `sort` is a data type.
    #[inline]
    pub fn constructors(&self, sort: Sort) -> Option<&[Constructor]> {
        if sort.is_built_in() {
            return None;
        }
        match &self.sorts[sort.index() - BUILT_IN.len()] {
            SortEntry::Data(entry) => Some(entry.constructors()),
            SortEntry::Uninterpreted(_) | SortEntry::Array(..) | SortEntry::Bits(_) => None,
        }
    }
    /// How many sorts there are, the built-in ones included.
    pub fn sort_count(&self) -> usize {
        BUILT_IN.len() + self.sorts.len()
    }
    /// The handle of this entry, if there is one already.
    pub(crate) fn find_sort(&self, entry: &SortEntry) -> Option<Sort> {
        let found = self.sort_table.find(hash_of(entry), |&id| self.sorts[id as usize] == *entry);
        found.map(|&id| Sort::from_index(BUILT_IN.len() + id as usize))
    }
    pub(crate) fn intern_sort(&mut self, entry: SortEntry, facts: SortFacts) -> Sort {
        if let Some(sort) = self.find_sort(&entry) {
            return sort;
        }
        let (hash, id) = (hash_of(&entry), self.sorts.len());
        self.sorts.push(entry);
        self.sort_facts.push(facts);
        let sorts = &self.sorts;
        self.sort_table.insert_unique(hash, position(id), |&id| hash_of(&sorts[id as usize]));
        Sort::from_index(BUILT_IN.len() + id)
    }
}

/// Whether a built-in sort has this name.
pub(crate) fn is_built_in_name(name: &str) -> bool {
    ["Bool", "Int", "Real"].contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_handle_per_name_in_copies_as_well() {
        let mut store = TermStore::new();
        let (a, b) = (store.declare_sort("A"), store.declare_sort("B"));
        assert_ne!(a, b);
        assert!(![Sort::BOOL, Sort::INT, Sort::REAL].contains(&a));
        let mut copy = store.clone();
        assert_eq!((copy.declare_sort("B"), copy.declare_sort("A")), (b, a));
        assert_eq!(copy.sort_kind(b), SortKind::Uninterpreted("B"));
        assert_eq!(copy.sort_count(), 5);
        let c = copy.declare_sort("C");
        assert_eq!(store.declare_sort("C"), c);
    }

    #[test]
    fn built_in_sorts_are_what_they_are_called() {
        let store = TermStore::new();
        let kinds = [Sort::BOOL, Sort::INT, Sort::REAL].map(|sort| store.sort_kind(sort));
        assert_eq!(kinds, [SortKind::Bool, SortKind::Int, SortKind::Real]);
        assert_eq!(format!("{:?}", Sort::INT), "Int");
    }

    #[test]
    fn compound_sorts_know_their_parts_and_their_size() {
        let mut store = TermStore::new();
        let byte = store.bits_sort(8);
        let (to_bool, bytes) =
            (store.array_sort(byte, Sort::BOOL), store.array_sort(Sort::INT, byte));
        let nested = store.array_sort(bytes, to_bool);
        assert_eq!(store.array_sort(bytes, to_bool), nested);
        assert_eq!(store.array_parts(nested), Some((bytes, to_bool)));
        assert_eq!(store.bits_width(byte), Some(8));
        assert_eq!(store.cardinality(byte), Cardinality::Few(256));
        assert_eq!(store.cardinality(to_bool), Cardinality::Many);
        assert_eq!(store.cardinality(bytes), Cardinality::Infinite);
        assert_eq!((store.sort_depth(byte), store.sort_depth(nested)), (0, 2));
        assert!(store.is_finite(to_bool) && !store.is_finite(nested));
        let declared = store.declare_sort("S");
        let (from, to) = (store.array_sort(declared, byte), store.array_sort(Sort::INT, declared));
        assert!(store.has_more_than(declared, 0) && !store.has_more_than(declared, 1));
        assert!(store.has_more_than(from, 255) && !store.has_more_than(from, 256));
        assert!(store.has_more_than(bytes, usize::MAX - 1) && !store.has_more_than(to, 1));
    }
}
