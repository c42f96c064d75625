//! Typed indices and the vectors they index.
//!
//! A handle is a `u32` in a newtype, so that a row cannot be used where a column is meant.

use std::marker::PhantomData;
use std::ops;

/// A handle that counts from zero.
pub trait Idx: Copy + Eq {
    /// The handle number `index`; panics beyond `u32::MAX`, which no container here reaches.
    fn from_index(index: usize) -> Self;
    /// The position this handle stands for.
    fn index(self) -> usize;
}

/// Defines a handle type: `index_type!(/// A row. pub struct Row);`
#[macro_export]
macro_rules! index_type {
    ($(#[$meta:meta])* $vis:vis struct $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis struct $name(u32);
        impl $crate::Idx for $name {
            #[inline]
            fn from_index(index: usize) -> Self {
                Self(u32::try_from(index).expect("fewer than 2^32 handles of one kind"))
            }
            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}#{}", stringify!($name), self.0)
            }
        }
    };
}

/// A vector indexed by a handle type.
#[derive(Clone, PartialEq, Eq)]
pub struct IndexVec<I, T> {
    items: Vec<T>,
    handle: PhantomData<fn(I) -> I>,
}

impl<I: Idx, T> IndexVec<I, T> {
    /// An empty vector.
    pub const fn new() -> Self {
        Self { items: Vec::new(), handle: PhantomData }
    }
    /// Appends `item` and returns its handle.
    pub fn push(&mut self, item: T) -> I {
        let handle = I::from_index(self.items.len());
        self.items.push(item);
        handle
    }
    /// Removes and returns the last item.
    pub fn pop(&mut self) -> Option<T> {
        self.items.pop()
    }
    /// How many items there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
    /// The item at `handle`, if it exists.
    pub fn get(&self, handle: I) -> Option<&T> {
        self.items.get(handle.index())
    }
    /// Keeps the first `len` items.
    pub fn truncate(&mut self, len: usize) {
        self.items.truncate(len);
    }
    /// Grows with clones of `item` until there are `len` items, or cuts down to `len`.
    pub fn resize(&mut self, len: usize, item: T)
    where
        T: Clone,
    {
        self.items.resize(len, item);
    }
    /// All items in order of their handles.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }
    /// All items in order of their handles, mutably.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.items.iter_mut()
    }
    /// All handles in order.
    pub fn handles(&self) -> impl DoubleEndedIterator<Item = I> + use<I, T> {
        (0..self.items.len()).map(I::from_index)
    }
    /// The items as a slice.
    pub fn as_slice(&self) -> &[T] {
        &self.items
    }
    /// Removes everything, keeping the memory.
    pub fn clear(&mut self) {
        self.items.clear();
    }
}

impl<I: Idx, T> Default for IndexVec<I, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: Idx, T> ops::Index<I> for IndexVec<I, T> {
    type Output = T;
    #[inline]
    fn index(&self, handle: I) -> &T {
        &self.items[handle.index()]
    }
}

impl<I: Idx, T> ops::IndexMut<I> for IndexVec<I, T> {
    #[inline]
    fn index_mut(&mut self, handle: I) -> &mut T {
        &mut self.items[handle.index()]
    }
}

impl<'a, I: Idx, T> IntoIterator for &'a IndexVec<I, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

impl<'a, I: Idx, T> IntoIterator for &'a mut IndexVec<I, T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.items.iter_mut()
    }
}

impl<I: Idx, T> FromIterator<T> for IndexVec<I, T> {
    fn from_iter<It: IntoIterator<Item = T>>(iter: It) -> Self {
        Self { items: iter.into_iter().collect(), handle: PhantomData }
    }
}

impl<I: Idx, T: std::fmt::Debug> std::fmt::Debug for IndexVec<I, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.items.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    index_type!(struct Row);

    #[test]
    fn handles_name_what_was_pushed() {
        let mut rows: IndexVec<Row, &str> = IndexVec::new();
        let first = rows.push("a");
        let second = rows.push("b");
        assert_eq!((rows[first], rows[second]), ("a", "b"));
        assert_eq!(rows.handles().collect::<Vec<_>>(), [first, second]);
    }
}
