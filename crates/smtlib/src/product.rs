//! Products and quotients of unknowns, in scripts of Horn clauses.
//!
//! Whether `(* k x)` is linear may depend on the rest of its clause, which may say that `k` is 3.
//! So the reader keeps such a term as an application of a marker; markers have names that cannot be
//! written in a script, as those of quantifiers. Who takes the terms of [`Environment::for_horn`]
//! replaces the markers or refuses the clause.
//!
//! The last argument of a marker is the number of its place in the text. It survives all renaming
//! and substitution, so that a message about the product can point at it. Two products at different
//! places are different terms, even if they look alike; nothing is concluded from a product before
//! it is replaced.

use shofar_base::Span;
use shofar_num::Rational;
use shofar_term::{Kind, Sort, Term, TermStore};

use crate::elaborate::{Elaborator, Frame};
use crate::environment::Environment;

/// What is applied to two unknowns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `*`.
    Times,
    /// `/`.
    Divide,
    /// `div`.
    Div,
    /// `mod`.
    Mod,
}

const OPERATORS: [Operator; 4] = [Operator::Times, Operator::Divide, Operator::Div, Operator::Mod];

impl Operator {
    /// The name of the marker; the bar cannot be part of a symbol.
    fn marker(self) -> &'static str {
        match self {
            Operator::Times => "*|",
            Operator::Divide => "/|",
            Operator::Div => "div|",
            Operator::Mod => "mod|",
        }
    }
    /// The complaint about one that is not linear.
    pub fn complaint(self) -> &'static str {
        match self {
            Operator::Times => "a product of terms is not linear",
            Operator::Divide => "a quotient whose divisor is not a number is not linear",
            Operator::Div => "`div` needs a number as divisor to be linear",
            Operator::Mod => "`mod` needs a number as divisor to be linear",
        }
    }
}

/// A product or quotient of unknowns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Product {
    /// What it is.
    pub operator: Operator,
    /// A factor, or the dividend.
    pub left: Term,
    /// A factor, or the divisor.
    pub right: Term,
    place: Term,
}

/// The product that the term is.
pub fn product(store: &TermStore, term: Term) -> Option<Product> {
    let Kind::App(symbol, &[left, right, place]) = store.kind(term) else { return None };
    let name = store.name(symbol);
    let operator = OPERATORS.into_iter().find(|operator| operator.marker() == name)?;
    Some(Product { operator, left, right, place })
}

/// Where a product stands that has been kept.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    span: Span,
    /// What a message about it begins with.
    prefix: String,
}

impl Environment {
    /// Where a predicate application, a quantified formula of the last command, or a product
    /// stands, and what a message about it begins with.
    pub fn place_of(&self, store: &TermStore, term: Term) -> Option<(Span, &str)> {
        if let Some(Product { place, .. }) = product(store, term) {
            let place = store.as_number(place)?;
            let kept = self.kept.get(usize::try_from(place.to_i64()?).ok()?)?;
            return Some((kept.span, &kept.prefix));
        }
        self.places.iter().find(|(known, _)| *known == term).map(|&(_, span)| (span, ""))
    }
    /// The products kept since there were `count` of them are in the expansion of a definition that
    /// is called here.
    pub(crate) fn in_expansion(&mut self, count: usize, name: &str, call: Span) {
        for kept in &mut self.kept[count..] {
            kept.span = call;
            kept.prefix.insert_str(0, &format!("in the expansion of `{name}`: "));
        }
    }
}

impl Elaborator<'_, '_> {
    /// Whether somebody else decides about products of unknowns.
    pub(crate) fn keeps_products(&self) -> bool {
        // Where parameters occur, the body is elaborated again when they are known.
        self.env.horn && !self.parametric
    }
    /// The marker for a product or quotient of terms of this sort.
    pub(crate) fn keep_product(
        &mut self,
        operator: Operator,
        terms: [Term; 2],
        sort: Sort,
        frame: Frame,
    ) -> Term {
        let place = i64::try_from(self.env.kept.len()).expect("fewer products than bytes");
        let span = self.lexer.span(frame.open, self.lexer.offset());
        self.env.kept.push(Kept { span, prefix: String::new() });
        let place = self.store.number(Rational::from(place), Sort::INT);
        let marker = self.store.declare(operator.marker(), &[sort, sort, Sort::INT], sort);
        self.store.app(marker, &[terms[0], terms[1], place])
    }
}
