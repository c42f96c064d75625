//! Sorts: handles into a table of the store.
//!
//! A [`Sort`] is a four-byte handle; what it stands for is a [`SortKind`], which the store gives. The sorts that every
//! store knows have fixed handles, so that most questions need no store. Invariant: the table has no two equal entries,
//! hence equal handles are equal sorts; it only grows, so a copy of a store knows all older handles.

use shofar_base::Idx;

use crate::TermStore;
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

/// An entry of the table. Compound sorts will refer to older entries.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SortEntry {
    Uninterpreted(Box<str>),
}

impl TermStore {
    /// What `sort` is.
    pub fn sort_kind(&self, sort: Sort) -> SortKind<'_> {
        if let Some(&kind) = BUILT_IN.get(sort.index()) {
            return kind;
        }
        match &self.sorts[sort.index() - BUILT_IN.len()] {
            SortEntry::Uninterpreted(name) => SortKind::Uninterpreted(name),
        }
    }
    /// The uninterpreted sort of this name, which is none of the built-in sorts; the same name gives the same sort.
    pub fn declare_sort(&mut self, name: &str) -> Sort {
        debug_assert!(!is_built_in_name(name), "`{name}` is a built-in sort");
        self.intern_sort(SortEntry::Uninterpreted(name.into()))
    }
    /// The name of `sort`, unquoted.
    pub fn sort_name(&self, sort: Sort) -> &str {
        match self.sort_kind(sort) {
            SortKind::Bool => "Bool",
            SortKind::Int => "Int",
            SortKind::Real => "Real",
            SortKind::Uninterpreted(name) => name,
        }
    }
    /// How many sorts there are, the built-in ones included.
    pub fn sort_count(&self) -> usize {
        BUILT_IN.len() + self.sorts.len()
    }
    fn intern_sort(&mut self, entry: SortEntry) -> Sort {
        let hash = hash_of(&entry);
        let sorts = &self.sorts;
        if let Some(&id) = self.sort_table.find(hash, |&id| sorts[id as usize] == entry) {
            return Sort::from_index(BUILT_IN.len() + id as usize);
        }
        let id = self.sorts.len();
        self.sorts.push(entry);
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
}
