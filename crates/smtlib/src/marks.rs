//! Formulas with marked positions, as interpolants are asked for.
//!
//! In `(get-disjunctive-interpolants (or (and φ (! ψ :named p)) χ))` an annotation marks a
//! position. Marked positions lie below `and` and `or` only, and may be nested. The names are known
//! in this command only, and have nothing to do with the symbols of formulas. A position may be
//! used several times, by `let`, where the marked position directly above is the same.
//!
//! Terms know no positions: equal subterms are one, and conjunctions are flattened. So what is
//! marked is taken out, and a *flag*, a fresh propositional constant, stands in its place.
//!
//! Invariant: a flag occurs in one formula only, below conjunctions and disjunctions only; anything
//! else is an error in its place. What simplification has removed is below nothing.
//!
//! Source: [RHK13] (disjunctive interpolants).

use shofar_base::{Diagnostic, Map, Read, Set, Span};
use shofar_term::symbols::free_symbols;
use shofar_term::{Sort, Symbol, Term, TermStore};

use crate::elaborate::Elaborator;
use crate::parse::Parser;

/// A marked position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Its name.
    pub name: String,
    /// What stands there, with flags for the marked positions directly below.
    pub formula: Term,
    /// What stands for it in the formula above.
    pub flag: Symbol,
    /// What is directly above.
    pub above: Above,
    /// Where its name stands.
    pub span: Span,
}

/// The place of a marked position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Above {
    /// Nothing: the formula does not depend on it.
    Nothing,
    /// The whole formula.
    Whole,
    /// The marked position at this place of the list.
    Mark(usize),
}

/// A formula with marked positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkedFormula {
    /// The whole, with flags for the topmost marked positions.
    pub formula: Term,
    /// The marked positions; what is below one comes before it.
    pub marks: Vec<Mark>,
}

/// The argument of `get-disjunctive-interpolants`.
pub(crate) fn marked(parser: &mut Parser<'_, '_>) -> Read<MarkedFormula> {
    let first = parser.lexer.next()?;
    let mut elaborator = Elaborator::new(parser.env, parser.store, parser.lexer);
    elaborator.marks = Some(Vec::new());
    let formula = elaborator.term_of_sort(first, Sort::BOOL);
    let marks = elaborator.marks.take().unwrap_or_default();
    elaborator.finish();
    let mut marked = MarkedFormula { formula: formula?, marks };
    if marked.marks.is_empty() {
        let message = "no position is marked by `(! … :named p)`";
        return Err(parser.lexer.error_at(first, message));
    }
    marked.check_names()?;
    marked.place(parser.store)?;
    Ok(marked)
}

impl Mark {
    /// A mark whose place is not known yet.
    pub(crate) fn new(store: &mut TermStore, name: String, formula: Term, span: Span) -> Self {
        let flag = store.fresh("flag", Sort::BOOL);
        Self { name, formula, flag, above: Above::Nothing, span }
    }
}

impl MarkedFormula {
    fn check_names(&self) -> Read<()> {
        let mut names: Set<&str> = Set::default();
        for mark in &self.marks {
            if !names.insert(&mark.name) {
                let message = format!("two positions have the name `{}`", mark.name);
                return Err(Box::new(Diagnostic::new(mark.span, message)));
            }
        }
        Ok(())
    }
    /// Finds what is above each mark.
    fn place(&mut self, store: &TermStore) -> Read<()> {
        let mut mark_of: Map<Symbol, usize> = Map::default();
        for (at, mark) in self.marks.iter().enumerate() {
            mark_of.insert(mark.flag, at);
        }
        // What is below nothing has nothing below it.
        self.place_below(store, &mark_of, Above::Whole, self.formula)?;
        for at in (0..self.marks.len()).rev() {
            if self.marks[at].above != Above::Nothing {
                self.place_below(store, &mark_of, Above::Mark(at), self.marks[at].formula)?;
            }
        }
        Ok(())
    }
    /// Places the marks whose flags occur in `formula`.
    fn place_below(
        &mut self,
        store: &TermStore,
        mark_of: &Map<Symbol, usize>,
        above: Above,
        formula: Term,
    ) -> Read<()> {
        let (flags, others) = literals(store, mark_of, formula);
        for at in flags {
            let mark = &mut self.marks[at];
            if mark.above != Above::Nothing {
                let message = format!("`{}` is at different marked positions", mark.name);
                return Err(Box::new(Diagnostic::new(mark.span, message)));
            }
            mark.above = above;
        }
        for symbol in free_symbols(store, &others) {
            if let Some(&at) = mark_of.get(&symbol) {
                let Mark { name, span, .. } = &self.marks[at];
                let message = format!("`{name}` is not below `and` and `or` only");
                return Err(Box::new(Diagnostic::new(*span, message)));
            }
        }
        Ok(())
    }
}

/// What the conjunctions and disjunctions of `formula` are made of: the marks of flags, and other
/// formulas.
fn literals(
    store: &TermStore,
    mark_of: &Map<Symbol, usize>,
    formula: Term,
) -> (Vec<usize>, Vec<Term>) {
    let (mut flags, mut others) = (Vec::new(), Vec::new());
    let mut seen: Set<Term> = Set::default();
    let mut stack = vec![formula];
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        if let Some(parts) = store.conjunction(term).or_else(|| store.disjunction(term)) {
            stack.extend_from_slice(parts);
            continue;
        }
        match store.symbol(term).and_then(|symbol| mark_of.get(&symbol)) {
            Some(&at) => flags.push(at),
            None => others.push(term),
        }
    }
    (flags, others)
}
