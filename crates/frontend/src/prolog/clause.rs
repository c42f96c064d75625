//! Clauses: `head.` and `head :- body.`

use shofar_base::{Diagnostic, Map, Set, Span};
use shofar_term::{Sort, Symbol, Term, TermStore};

use super::OPERATORS;
use crate::expression::{Meaning, Operand, Reader, Value};
use crate::lexer::{Cursor, Token, TokenKind};

/// The predicates of the clauses that have been read.
#[derive(Default)]
pub(super) struct Clauses {
    /// By name and number of arguments.
    by_name: Map<(String, usize), Symbol>,
    /// In the order of their first occurrences.
    preds: Vec<Symbol>,
    /// What they are called outside.
    taken: Set<String>,
    /// How many variables without a name the present clause has.
    nameless: usize,
}

impl Clauses {
    /// The predicates, in the order of their first occurrences.
    pub(super) fn preds(&self) -> &[Symbol] {
        &self.preds
    }
    /// Reads a clause: an implication, and where it stands.
    pub(super) fn read(
        &mut self,
        store: &mut TermStore,
        cursor: &mut Cursor<'_>,
    ) -> Result<(Term, Span), Diagnostic> {
        self.nameless = 0;
        let start = cursor.peek().span.start;
        refuse_directive(cursor)?;
        let mut reader = Reader { store, cursor, operators: &OPERATORS };
        let head = reader.expression(self)?;
        let head = self.head(&mut reader, head)?;
        let body = if reader.cursor.eat(":-") {
            let body = reader.expression(self)?;
            reader.formula(body, self)?.0
        } else {
            reader.store.top()
        };
        let Ok(end) = reader.cursor.expect(".") else {
            return Err(cursor.unexpected("an operator, or `.` at the end of the clause"));
        };
        Ok((store.implies(body, head), Span::new(start, end.span.end)))
    }
    /// The head of a clause: one predicate, or `false`.
    fn head(&mut self, reader: &mut Reader<'_, '_>, head: Operand) -> Result<Term, Diagnostic> {
        let (formula, is_pred) = reader.formula(head, self)?;
        let is_atom = is_pred && reader.store.application(formula).is_some();
        if is_atom || formula == reader.store.bottom() {
            return Ok(formula);
        }
        let message = "the head of a clause is one predicate or `false`";
        Err(Diagnostic::new(head.span, message))
    }
    /// The predicate with this name and number of arguments.
    fn pred(&mut self, store: &mut TermStore, name: &str, arity: usize) -> Symbol {
        let key = (name.to_owned(), arity);
        if let Some(&pred) = self.by_name.get(&key) {
            return pred;
        }
        // In models a name has one meaning; only the first predicate of several keeps it.
        let mut outside = name.to_owned();
        if self.taken.contains(&outside) {
            outside = format!("{name}/{arity}");
        }
        while self.taken.contains(&outside) {
            outside.push('\'');
        }
        let pred = store.declare(&outside, &vec![Sort::INT; arity], Sort::BOOL);
        self.taken.insert(outside);
        self.by_name.insert(key, pred);
        self.preds.push(pred);
        pred
    }
}

impl Meaning for Clauses {
    fn value(&mut self, store: &mut TermStore, name: &str, at: Span) -> Result<Term, Diagnostic> {
        if name == "true" || name == "false" {
            return Err(Diagnostic::new(at, format!("expected a number, found `{name}`")));
        }
        if name == "_" {
            self.nameless += 1;
            return Ok(store.var(&format!("_@{}", self.nameless), Sort::INT));
        }
        Ok(store.var(name, Sort::INT))
    }
    fn formula(
        &mut self,
        store: &mut TermStore,
        name: &str,
        at: Span,
    ) -> Result<(Term, bool), Diagnostic> {
        match name {
            "true" => Ok((store.top(), false)),
            "false" => Ok((store.bottom(), false)),
            "_" => Err(Diagnostic::new(at, "expected a literal, found a variable")),
            _ => {
                let pred = self.pred(store, name, 0);
                Ok((store.constant(pred), true))
            }
        }
    }
    fn apply(
        &mut self,
        reader: &mut Reader<'_, '_>,
        name: Token,
        arguments: &[Operand],
    ) -> Result<(Term, bool), Diagnostic> {
        let text = reader.cursor.text(name);
        if arguments.is_empty() {
            return self.formula(reader.store, text, name.span);
        }
        if name.kind == TokenKind::Name && matches!(text, "true" | "false" | "_") {
            return Err(Diagnostic::new(name.span, format!("`{text}` has no arguments")));
        }
        let mut terms = Vec::with_capacity(arguments.len());
        for &argument in arguments {
            if let Value::Name(quoted) = argument.value
                && quoted.kind == TokenKind::Quoted
            {
                return Err(Diagnostic::new(argument.span, "only integers can be arguments"));
            }
            terms.push(reader.number(argument, self)?);
        }
        let pred = self.pred(reader.store, text, terms.len());
        Ok((reader.store.app(pred, &terms), true))
    }
}

/// A directive says nothing that we would understand, so that nothing is known about the clauses.
fn refuse_directive(cursor: &Cursor<'_>) -> Result<(), Diagnostic> {
    let sign = cursor.peek();
    if !cursor.is(sign, ":-") && !cursor.is(sign, "?-") {
        return Ok(());
    }
    let name = cursor.look(1);
    let span = Span::new(sign.span.start, name.span.end);
    let message = format!("the directive `{}` is not supported", cursor.text(name));
    Err(Diagnostic::new(span, message).note("what must not happen is written `false :- …`"))
}
