//! The leaves of constructors, selectors and testers.
//!
//! A constructor puts the leaves of its fields behind its tag, and defaults in the place of the
//! fields of others. A selector is a piece of the leaves of what it is applied to, or arbitrary
//! where the tag is another one's.

use shofar_term::{Constructor, Field, Term, TermStore};

use super::{Flattening, Piece, choose};
use crate::flatten::layout::{Layout, Shape};

impl Flattening<'_> {
    pub(super) fn construct(
        &mut self,
        store: &mut TermStore,
        constructor: Constructor,
        children: &[Term],
        pieces: &[Piece],
    ) -> Piece {
        let sort = store.constructor_sort(constructor);
        let entry = self.layout.get(sort);
        let start = self.leaves.len();
        match &entry.shape {
            Shape::Whole => {
                let fields: Vec<Term> = children
                    .iter()
                    .zip(pieces)
                    .map(|(&child, &piece)| self.assembled(store, store.sort(child), piece))
                    .collect();
                let made = store.construct(constructor, &fields);
                return self.push(&[made]);
            }
            Shape::Record(_) => self.copy(pieces),
            Shape::Variant(constructors) => {
                let count = constructors.len();
                let place = constructors.iter().position(|&c| c == constructor);
                let tag = Layout::tag(store, place.expect("it is one of them"), count);
                self.leaves.push(tag);
                for &other in constructors {
                    if other == constructor {
                        self.copy(pieces);
                        continue;
                    }
                    for _ in 0..self.layout.fields_width(store, other) {
                        let sort = entry.leaves[self.leaves.len() - start];
                        let junk = store.default_term(sort);
                        self.leaves.push(junk);
                    }
                }
            }
            Shape::Array(..) => unreachable!("an array is not constructed"),
        }
        Piece { start, len: self.leaves.len() - start }
    }
    fn copy(&mut self, pieces: &[Piece]) {
        for piece in pieces {
            self.leaves.extend_from_within(piece.start..piece.start + piece.len);
        }
    }
    pub(super) fn field(&mut self, store: &mut TermStore, field: Field, whole: Piece) -> Piece {
        let (constructor, sort) = (store.field_constructor(field), store.field_sort(field));
        let place = store.field_place(field);
        let before: usize = store.constructor_fields(constructor)[..place]
            .iter()
            .map(|&other| self.layout.width(store.field_sort(other)))
            .sum();
        let len = self.layout.width(sort);
        match &self.layout.get(store.constructor_sort(constructor)).shape {
            Shape::Whole => {
                let part = store.field(field, self.leaves[whole.start]);
                self.taken_apart(store, part)
            }
            Shape::Record(_) => Piece { start: whole.start + before, len },
            Shape::Variant(constructors) => {
                let (mut start, mut own) = (whole.start + 1 + before, 0);
                for (at, &other) in constructors.iter().enumerate() {
                    if other == constructor {
                        own = at;
                        break;
                    }
                    start += self.layout.fields_width(store, other);
                }
                let tag = self.leaves[whole.start];
                let test = Layout::is_tagged(store, tag, own, constructors.len());
                self.guarded(store, field, test, Piece { start, len })
            }
            Shape::Array(..) => unreachable!("an array has no fields"),
        }
    }
    /// The leaves of a field if `test` holds, and arbitrary values otherwise.
    fn guarded(&mut self, store: &mut TermStore, field: Field, test: Term, piece: Piece) -> Piece {
        if test == store.top() || piece.len == 0 {
            return piece;
        }
        let (name, sort) = (format!("any.{}", store.field_name(field)), store.field_sort(field));
        let start = self.leaves.len();
        for at in 0..piece.len {
            let leaf = self.leaves[piece.start + at];
            let any = store.fresh(&name, store.sort(leaf));
            self.arbitrary.push(any);
            let any = store.constant(any);
            let leaf = choose(store, test, leaf, any);
            self.leaves.push(leaf);
        }
        let guarded = Piece { start, len: piece.len };
        self.say_ranges(store, sort, guarded);
        guarded
    }
    pub(super) fn is(
        &mut self,
        store: &mut TermStore,
        constructor: Constructor,
        whole: Piece,
    ) -> Piece {
        let test = match &self.layout.get(store.constructor_sort(constructor)).shape {
            Shape::Whole => store.is(constructor, self.leaves[whole.start]),
            Shape::Record(_) => store.top(),
            Shape::Variant(constructors) => {
                let place = constructors.iter().position(|&c| c == constructor);
                let (place, tag) = (place.expect("it is one of them"), self.leaves[whole.start]);
                Layout::is_tagged(store, tag, place, constructors.len())
            }
            Shape::Array(..) => unreachable!("an array has no constructors"),
        };
        self.push(&[test])
    }
}
