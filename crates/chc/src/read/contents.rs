//! Which terms contain predicates, which quantifiers, and which products of unknowns.
//!
//! Children are older than their parents, so one pass over the new terms of the store, in the order
//! of their handles, settles all of them; nothing is visited twice.

use shofar_base::Idx;
use shofar_smtlib::product;
use shofar_term::{Kind, Term, TermStore};

use crate::ChcSystem;

const PREDICATE: u8 = 1;
const QUANTIFIER: u8 = 2;
const PRODUCT: u8 = 4;

/// What each term of a store contains.
#[derive(Debug, Default)]
pub(super) struct Contents {
    flags: Vec<u8>,
}

impl Contents {
    /// Takes note of the terms that are new in the store.
    pub(super) fn update(&mut self, store: &TermStore, system: &ChcSystem) {
        self.flags.reserve(store.len() - self.flags.len());
        for index in self.flags.len()..store.len() {
            let term = Term::from_index(index);
            let own = own_flags(store, system, term);
            let children = store.children(term);
            let flags = children.iter().fold(own, |flags, child| flags | self.flags[child.index()]);
            self.flags.push(flags);
        }
    }
    /// Whether a predicate occurs in the term.
    pub(super) fn has_predicate(&self, term: Term) -> bool {
        self.flags[term.index()] & PREDICATE != 0
    }
    /// Whether a quantifier occurs in the term.
    pub(super) fn has_quantifier(&self, term: Term) -> bool {
        self.flags[term.index()] & QUANTIFIER != 0
    }
    /// Whether a product of unknowns occurs in the term.
    pub(super) fn has_product(&self, term: Term) -> bool {
        self.flags[term.index()] & PRODUCT != 0
    }
}

fn own_flags(store: &TermStore, system: &ChcSystem, term: Term) -> u8 {
    let kind = store.kind(term);
    if let Kind::Quantified(..) = kind {
        QUANTIFIER
    } else if let Kind::Symbol(symbol) = kind {
        let is_pred = store.result(symbol).is_bool() && system.pred(symbol).is_some();
        if is_pred { PREDICATE } else { 0 }
    } else if let Kind::App(symbol, _) = kind {
        if product(store, term).is_some() {
            PRODUCT
        } else if store.is_times(symbol) {
            0
        } else {
            PREDICATE
        }
    } else {
        0
    }
}
