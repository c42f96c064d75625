//! The leaves of reads, writes and constant arrays.
//!
//! An array of records is a record of arrays, so an operation on it is the same operation on each
//! of them; one that is indexed by records has an array inside of another for each leaf of the
//! index. Arrays that stay as they are get their indices and elements assembled from leaves.

use shofar_term::{ArrayKind, Sort, Term, TermStore};

use super::{Flattening, Piece};
use crate::flatten::layout::{Index, Shape};

impl Flattening<'_> {
    pub(super) fn array(
        &mut self,
        store: &mut TermStore,
        term: Term,
        kind: ArrayKind,
        pieces: &[Piece],
    ) -> Piece {
        let sort = match kind {
            ArrayKind::Select(array, _) | ArrayKind::Store(array, ..) => store.sort(array),
            ArrayKind::Const(_) => store.sort(term),
        };
        let Shape::Array(index, element) = self.layout.get(sort).shape else {
            return self.whole_array(store, sort, kind, pieces);
        };
        let indices = match kind {
            ArrayKind::Select(..) | ArrayKind::Store(..) => {
                self.index_terms(store, index, pieces[1])
            }
            ArrayKind::Const(_) => Vec::new(),
        };
        let width = self.layout.width(element);
        let start = self.leaves.len();
        for at in 0..width {
            let leaf = match kind {
                ArrayKind::Select(..) => {
                    let array = self.leaves[pieces[0].start + at];
                    indices.iter().fold(array, |array, &index| store.select(array, index))
                }
                ArrayKind::Store(..) => {
                    let (array, value) =
                        (self.leaves[pieces[0].start + at], self.leaves[pieces[2].start + at]);
                    store_at(store, array, &indices, value)
                }
                ArrayKind::Const(_) => {
                    let (sort, value) =
                        (self.layout.get(sort).leaves[at], self.leaves[pieces[0].start + at]);
                    let depth = self.layout.indices(index).len();
                    constant(store, sort, depth, value)
                }
            };
            self.leaves.push(leaf);
        }
        let piece = Piece { start, len: width };
        if matches!(kind, ArrayKind::Select(..)) {
            self.say_ranges(store, element, piece);
        }
        piece
    }
    fn index_terms(&mut self, store: &mut TermStore, index: Index, piece: Piece) -> Vec<Term> {
        match index {
            Index::Whole(sort) => vec![self.assembled(store, sort, piece)],
            Index::Split(_) => self.of(piece).to_vec(),
        }
    }
    /// An operation on arrays that stay as they are.
    fn whole_array(
        &mut self,
        store: &mut TermStore,
        sort: Sort,
        kind: ArrayKind,
        pieces: &[Piece],
    ) -> Piece {
        let (index, element) = store.array_parts(sort).expect("an array");
        match kind {
            ArrayKind::Select(..) => {
                let at = self.assembled(store, index, pieces[1]);
                let read = store.select(self.leaves[pieces[0].start], at);
                self.taken_apart(store, read)
            }
            ArrayKind::Store(..) => {
                let at = self.assembled(store, index, pieces[1]);
                let value = self.assembled(store, element, pieces[2]);
                let written = store.store(self.leaves[pieces[0].start], at, value);
                self.push(&[written])
            }
            ArrayKind::Const(_) => {
                let value = self.assembled(store, element, pieces[0]);
                let array = store.constant_array(sort, value);
                self.push(&[array])
            }
        }
    }
}

/// `array` with `value` at the indices, one array inside of the other.
fn store_at(store: &mut TermStore, array: Term, indices: &[Term], value: Term) -> Term {
    let mut arrays = vec![array];
    for &index in indices.iter().take(indices.len().saturating_sub(1)) {
        let inner = store.select(arrays[arrays.len() - 1], index);
        arrays.push(inner);
    }
    indices
        .iter()
        .zip(&arrays)
        .rev()
        .fold(value, |value, (&index, &array)| store.store(array, index, value))
}

/// The arrays of `sort`, one inside of the other, that are `value` everywhere.
fn constant(store: &mut TermStore, sort: Sort, depth: usize, value: Term) -> Term {
    let mut sorts = vec![sort];
    for _ in 1..depth {
        let (_, element) = store.array_parts(sorts[sorts.len() - 1]).expect("a nested array");
        sorts.push(element);
    }
    sorts.iter().take(depth).rev().fold(value, |value, &sort| store.constant_array(sort, value))
}
