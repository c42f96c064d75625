//! From a term of a structured sort to its leaves, and back.
//!
//! Junk has the default of its sort, wherever it comes from, so that taking a term apart and
//! putting it together again are inverse to each other.

use shofar_term::{Sort, Term, TermStore};

use super::layout::{Layout, Shape};

impl Layout {
    /// Whether the tag `tag` of a type with `count` constructors is that of the constructor at
    /// `place`.
    pub(super) fn is_tagged(store: &mut TermStore, tag: Term, place: usize, count: usize) -> Term {
        match (count, place) {
            (2, 0) => store.not(tag),
            (2, _) => tag,
            _ => {
                let number = Self::tag(store, place, count);
                store.eq(tag, number)
            }
        }
    }
    /// The tag of the constructor at `place` of a type with `count` of them.
    pub(super) fn tag(store: &mut TermStore, place: usize, count: usize) -> Term {
        if count == 2 {
            return store.bool(place == 1);
        }
        store.int(i64::try_from(place).expect("a type has few constructors"))
    }
    /// The term of `sort` with these leaves; no part of it is an array that was taken apart.
    pub(super) fn assemble(&self, store: &mut TermStore, sort: Sort, leaves: &[Term]) -> Term {
        match &self.get(sort).shape {
            Shape::Whole => leaves[0],
            Shape::Record(constructor) => {
                let fields = self.fields(store, *constructor, leaves);
                store.construct(*constructor, &fields)
            }
            Shape::Variant(constructors) => {
                let (tag, mut rest) = (leaves[0], &leaves[1..]);
                let mut cases = Vec::with_capacity(constructors.len());
                for &constructor in constructors {
                    let (own, others) = rest.split_at(self.fields_width(store, constructor));
                    let fields = self.fields(store, constructor, own);
                    cases.push(store.construct(constructor, &fields));
                    rest = others;
                }
                let mut result = cases[cases.len() - 1];
                for (place, &case) in cases.iter().enumerate().rev().skip(1) {
                    let test = Self::is_tagged(store, tag, place, cases.len());
                    result = store.ite(test, case, result);
                }
                result
            }
            Shape::Array(..) => unreachable!("arrays inside of what stays whole stay whole"),
        }
    }
    /// How many leaves the fields of a constructor have.
    pub(super) fn fields_width(
        &self,
        store: &TermStore,
        constructor: shofar_term::Constructor,
    ) -> usize {
        let fields = store.constructor_fields(constructor).iter();
        fields.map(|&field| self.width(store.field_sort(field))).sum()
    }
    fn fields(
        &self,
        store: &mut TermStore,
        constructor: shofar_term::Constructor,
        leaves: &[Term],
    ) -> Vec<Term> {
        let mut rest = leaves;
        let mut fields = Vec::new();
        for field in store.constructor_fields(constructor).to_vec() {
            let sort = store.field_sort(field);
            let (own, others) = rest.split_at(self.width(sort));
            fields.push(self.assemble(store, sort, own));
            rest = others;
        }
        fields
    }
    /// Appends the leaves of `term`; no part of it is an array that is taken apart.
    pub(super) fn take_apart(&self, store: &mut TermStore, term: Term, leaves: &mut Vec<Term>) {
        match &self.get(store.sort(term)).shape {
            Shape::Whole => leaves.push(term),
            Shape::Record(constructor) => {
                for field in store.constructor_fields(*constructor).to_vec() {
                    let part = store.field(field, term);
                    self.take_apart(store, part, leaves);
                }
            }
            Shape::Variant(constructors) => {
                leaves.push(Self::tag_of(store, term, constructors));
                for &constructor in constructors {
                    let (test, start) = (store.is(constructor, term), leaves.len());
                    for field in store.constructor_fields(constructor).to_vec() {
                        let part = store.field(field, term);
                        self.take_apart(store, part, leaves);
                    }
                    for leaf in &mut leaves[start..] {
                        let junk = store.default_term(store.sort(*leaf));
                        *leaf = store.ite(test, *leaf, junk);
                    }
                }
            }
            Shape::Array(..) => unreachable!("arrays inside of what stays whole stay whole"),
        }
    }
    /// The tag of `term` in terms of its testers.
    pub(super) fn tag_of(
        store: &mut TermStore,
        term: Term,
        constructors: &[shofar_term::Constructor],
    ) -> Term {
        let count = constructors.len();
        if count == 2 {
            return store.is(constructors[1], term);
        }
        let mut tag = Self::tag(store, 0, count);
        for place in (1..count).rev() {
            let (test, number) =
                (store.is(constructors[place], term), Self::tag(store, place, count));
            tag = store.ite(test, number, tag);
        }
        tag
    }
}
