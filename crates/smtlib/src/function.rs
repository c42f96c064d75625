//! Functions and predicates that the script declares, applied to arguments.
//!
//! A declared function is a symbol of the store, and an application of it a term of its own:
//! nothing is expanded. In Horn clauses the declared functions are the predicates, and it is
//! remembered where they are applied. Sorts are checked when an argument arrives, where its
//! position is still known; an integer is taken for a real number, as everywhere.

use shofar_base::Read;
use shofar_term::print::print_sort;
use shofar_term::{Symbol, Term};

use crate::apply::arguments;
use crate::elaborate::{Elaborator, Frame};
use crate::sums::Value;

impl Elaborator<'_, '_> {
    /// A declared function or predicate applied to the values of its frame.
    pub(crate) fn apply_function(&mut self, symbol: Symbol, frame: Frame) -> Read<Value> {
        let terms = self.take_terms(frame.values);
        let wanted = self.store.params(symbol).len();
        if terms.len() != wanted {
            let (name, wanted) = (self.store.name(symbol), arguments(wanted));
            return Err(
                self.error(frame, format!("`{name}` takes {wanted}, found {}", terms.len()))
            );
        }
        let term = self.store.app(symbol, &terms);
        self.work.terms = terms;
        self.note_place(term, frame.open);
        Ok(Value::Term(term))
    }
    /// Checks an argument of a declared function or predicate.
    pub(crate) fn accept_argument(
        &mut self,
        symbol: Symbol,
        position: usize,
        value: Value,
        start: usize,
    ) -> Read<Term> {
        let term = self.make_term(value);
        let Some(&sort) = self.store.params(symbol).get(position) else {
            // Too many arguments are reported at the closing parenthesis, with their number.
            return Ok(term);
        };
        match self.coerce(term, sort) {
            Some(term) => Ok(term),
            None => {
                Err(self.wrong_sort(start, &print_sort(self.store, sort), self.store.sort(term)))
            }
        }
    }
}
