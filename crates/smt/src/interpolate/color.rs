//! Which side of a split a term belongs to, by its symbols.

use shofar_base::{IndexVec, Map};
use shofar_term::symbols::free_symbols;
use shofar_term::{Sum, Symbol, Term, TermStore};
use shofar_theory::{self as theory, Color, Side};

use crate::encode::Encoding;

/// The side or sides that suffice for two terms.
pub(super) fn meet(one: Color, other: Color) -> Color {
    match (one, other) {
        (Color::Shared, color) | (color, Color::Shared) => color,
        (Color::A, Color::A) => Color::A,
        (Color::B, Color::B) => Color::B,
        (Color::A | Color::B | Color::Mixed, Color::A | Color::B | Color::Mixed) => Color::Mixed,
    }
}

/// The colours of all terms with regard to one split.
pub(crate) struct Coloring {
    symbols: IndexVec<Symbol, Color>,
    terms: Map<Term, Color>,
}

impl Coloring {
    /// With no symbol on either side.
    pub(crate) fn new(store: &TermStore) -> Self {
        let mut symbols = IndexVec::new();
        symbols.resize(store.symbol_count(), Color::Mixed);
        Self { symbols, terms: Map::default() }
    }
    /// For A-side formulas `left` and B-side formulas `right`.
    pub(crate) fn of_formulas(store: &TermStore, left: &[Term], right: &[Term]) -> Self {
        let mut coloring = Self::new(store);
        coloring.add(&free_symbols(store, left), Side::A);
        coloring.add(&free_symbols(store, right), Side::B);
        coloring
    }
    /// Says that a side has these symbols. All of them must be told before a term is asked about.
    pub(crate) fn add(&mut self, symbols: &[Symbol], side: Side) {
        for &symbol in symbols {
            let color = &mut self.symbols[symbol];
            *color = match (*color, side) {
                (Color::Mixed | Color::A, Side::A) => Color::A,
                (Color::Mixed | Color::B, Side::B) => Color::B,
                (Color::B | Color::Shared, Side::A) | (Color::A | Color::Shared, Side::B) => {
                    Color::Shared
                }
            };
        }
    }
    /// The colour of `term`.
    pub(crate) fn of(&mut self, store: &TermStore, term: Term) -> Color {
        if let Some(&color) = self.terms.get(&term) {
            return color;
        }
        let mut stack = vec![term];
        while let Some(&t) = stack.last() {
            let open = stack.len();
            stack.extend(store.children(t).iter().filter(|c| !self.terms.contains_key(*c)));
            if stack.len() > open {
                continue;
            }
            stack.pop();
            let own = if let Some((s, _)) = store.application(t) {
                self.symbols.get(s).copied().unwrap_or(Color::Mixed)
            } else {
                Color::Shared
            };
            let color = store.children(t).iter().fold(own, |color, c| meet(color, self.terms[c]));
            self.terms.insert(t, color);
        }
        self.terms[&term]
    }
    /// The symbols that only A has.
    pub(crate) fn a_symbols(&self) -> Vec<Symbol> {
        self.symbols.handles().filter(|&s| self.symbols[s] == Color::A).collect()
    }
    /// The side of every term that is not shared, for the restriction of case distinctions.
    pub(crate) fn local_terms(&mut self, store: &TermStore, known: &Encoding) -> Map<Term, Side> {
        let mut sides = Map::default();
        for (_, atom) in known.terms() {
            for term in store.children(atom).iter().copied().chain([atom]) {
                let parts = store.as_sum(term).into_iter().flat_map(Sum::iter);
                for term in parts.map(|(_, t)| t).chain([term]) {
                    match self.of(store, term) {
                        Color::A => sides.insert(term, Side::A),
                        Color::B => sides.insert(term, Side::B),
                        Color::Shared | Color::Mixed => None,
                    };
                }
            }
        }
        sides
    }
}

impl theory::Coloring for Coloring {
    fn color(&mut self, store: &TermStore, term: Term) -> Color {
        self.of(store, term)
    }
}
