//! What is applied in an application: a function of the user, or an operation on arrays or data.
//!
//! To congruence they are all alike. What else is known about operations on arrays and data, other
//! modules say by instances of axioms.

use shofar_base::Idx;
use shofar_term::{ArrayKind, Constructor, DataKind, Field, Kind, Sort, Symbol, Term, TermStore};

/// What an application applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Head {
    /// A declared function or predicate.
    Function(Symbol),
    /// A read of an array.
    Select,
    /// A write to an array.
    Store,
    /// The array of this sort that is the same everywhere.
    Const(Sort),
    /// A constructor.
    Construct(Constructor),
    /// A selector.
    Field(Field),
    /// A tester.
    Is(Constructor),
}

impl Head {
    /// A number that no other head has.
    pub(super) fn code(self) -> u32 {
        let (index, tag) = match self {
            Head::Function(symbol) => (symbol.index(), 0),
            Head::Select => (0, 1),
            Head::Store => (0, 2),
            Head::Const(sort) => (sort.index(), 3),
            Head::Construct(constructor) => (constructor.index(), 4),
            Head::Field(field) => (field.index(), 5),
            Head::Is(constructor) => (constructor.index(), 6),
        };
        u32::try_from(index * 8 + tag).expect("fewer than 2^29 symbols")
    }
}

/// What `term` applies, and to what. A constructor without fields is an application to nothing.
pub(crate) fn application(store: &TermStore, term: Term) -> Option<(Head, &[Term])> {
    let kind = store.kind(term);
    let head = if let Kind::App(symbol, _) = kind {
        Head::Function(symbol)
    } else if let Kind::Array(kind) = kind {
        match kind {
            ArrayKind::Select(..) => Head::Select,
            ArrayKind::Store(..) => Head::Store,
            ArrayKind::Const(_) => Head::Const(store.sort(term)),
        }
    } else if let Kind::Data(kind) = kind {
        match kind {
            DataKind::Construct(constructor, _) => Head::Construct(constructor),
            DataKind::Field(field, _) => Head::Field(field),
            DataKind::Is(constructor, _) => Head::Is(constructor),
        }
    } else {
        return None;
    };
    Some((head, store.children(term)))
}
