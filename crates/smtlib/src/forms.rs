//! The special forms of terms: `let`, annotations, `as`, and indexed identifiers.
//!
//! The bindings of a `let` are elaborated before any of them is bound, so they do not see each other.

use shofar_base::{Diagnostic, Read};
use shofar_term::print::print_sort;
use shofar_term::{Sort, Term};

use crate::elaborate::{Elaborator, Form};
use crate::environment::Meaning;
use crate::names::Name;
use crate::sexpr;
use crate::sums::Value;
use crate::token::{Token, TokenKind};

impl Elaborator<'_, '_> {
    pub(crate) fn open_let(&mut self) -> Read<Form> {
        let list = self.lexer.next()?;
        if list.kind != TokenKind::Open {
            return Err(sexpr::unexpected(self.lexer, "the bindings of `let`", list));
        }
        Ok(Form::Bindings(self.work.names.len()))
    }
    /// Takes the next token in a list of bindings whose names begin at `first`.
    pub(crate) fn read_binding(&mut self, token: Token, first: usize) -> Read<()> {
        if token.kind == TokenKind::Close {
            return self.bind_all(token, first);
        }
        if token.kind != TokenKind::Open {
            return Err(sexpr::unexpected(self.lexer, "a binding", token));
        }
        let symbol = sexpr::symbol(self.lexer, "the name of a binding")?;
        let name = self.env.name_of(self.lexer, symbol);
        self.work.names.push((name, symbol));
        self.push(Form::Binding, token.start());
        Ok(())
    }
    /// The list of bindings is complete: binds the names and begins the body.
    fn bind_all(&mut self, close: Token, first: usize) -> Read<()> {
        let frame = self.work.frames.last_mut().expect("the bindings have a frame");
        let values = frame.values;
        let locals = self.env.locals();
        frame.form = Form::Body(locals);
        if first == self.work.names.len() {
            return Err(self.lexer.error_at(close, "`let` needs at least one binding"));
        }
        for ((name, token), value) in
            self.work.names.drain(first..).zip(self.work.values.drain(values..))
        {
            if self.env.is_bound_since(name, locals) {
                let message = format!("`{}` is bound twice in one `let`", self.env.text(name));
                return Err(self.lexer.error_at(token, message));
            }
            let Value::Term(term) = value else { unreachable!("bindings are stored as terms") };
            self.env.bind_local(name, term);
        }
        Ok(())
    }

    /// The attributes behind an annotated term, and the closing parenthesis.
    pub(crate) fn attributes(&mut self, value: Value) -> Read<Value> {
        let mut value = value;
        let mut name = None;
        let whole = self.work.frames.len() == 1;
        let mut token = self.lexer.next()?;
        if token.kind == TokenKind::Close {
            return Err(self.lexer.error_at(token, "an annotation needs an attribute"));
        }
        while token.kind != TokenKind::Close {
            if token.kind != TokenKind::Keyword {
                return Err(sexpr::unexpected(self.lexer, "an attribute", token));
            }
            if self.lexer.token_bytes(token) == b":named" {
                let term = self.make_term(value);
                name = Some(self.name_term(term)?);
                value = Value::Term(term);
                token = self.lexer.next()?;
            } else {
                token = sexpr::skip_attribute_value(self.lexer)?;
            }
        }
        if whole && name.is_some() {
            self.whole_name = name;
        }
        Ok(value)
    }
    fn name_term(&mut self, term: Term) -> Read<Name> {
        let token = self.lexer.next()?;
        if !matches!(token.kind, TokenKind::Symbol | TokenKind::Quoted) {
            return Err(sexpr::unexpected(self.lexer, "a name after `:named`", token));
        }
        if self.parametric || self.depth > 0 {
            let message = "a term in a definition with parameters cannot be named";
            return Err(self.lexer.error_at(token, message));
        }
        let name = self.env.name_of(self.lexer, token);
        if !self.work.binders.is_empty() {
            // The term has bound variables, so the name means nothing outside.
            return Ok(name);
        }
        if self.env.global(name) != Meaning::Unbound {
            let message = format!("the name `{}` is already in use", self.env.text(name));
            return Err(self.lexer.error_at(token, message));
        }
        self.env.name_term(name, term);
        Ok(name)
    }

    /// `(as x S)`: the constant `x` of sort `S`.
    pub(crate) fn ascription(&mut self, open: Token) -> Read<Term> {
        let token = self.lexer.next()?;
        if !matches!(token.kind, TokenKind::Symbol | TokenKind::Quoted) {
            return Err(sexpr::unexpected(self.lexer, "a symbol after `as`", token));
        }
        let term = self.symbol(token)?;
        let sort = self.env.sorts.sort(self.lexer)?;
        self.expect_close()?;
        match self.coerce(term, sort) {
            Some(term) => Ok(term),
            None => Err(self.wrong_sort(
                open.start(),
                &print_sort(self.store, sort),
                self.store.sort(term),
            )),
        }
    }

    /// The term as one of this sort, if it is, or is a number that can be.
    pub(crate) fn coerce(&mut self, term: Term, sort: Sort) -> Option<Term> {
        match (self.store.sort(term), sort) {
            (found, wanted) if found == wanted => Some(term),
            (Sort::INT, Sort::REAL) => Some(self.store.to_real(term)),
            (Sort::REAL, Sort::INT) => {
                let value = self.store.as_number(term)?.clone();
                value.is_integer().then(|| self.store.number(value, Sort::INT))
            }
            _ => None,
        }
    }

    /// The head `(_ divisible n)`, behind its parenthesis.
    pub(crate) fn indexed_function(&mut self) -> Read<Form> {
        let head = self.lexer.next()?;
        if self.lexer.token_bytes(head) != b"_" {
            return Err(self
                .lexer
                .error_at(head, "expected a function: a symbol or `(_ divisible n)`"));
        }
        let name = self.lexer.next()?;
        if self.lexer.token_bytes(name) != b"divisible" {
            let text = self.lexer.token_str(name);
            let message =
                format!("the indexed function `{text}` is not supported; `(_ divisible n)` is");
            return Err(self.lexer.error_at(name, message));
        }
        let index = self.lexer.next()?;
        if index.kind != TokenKind::Numeral {
            return Err(sexpr::unexpected(self.lexer, "a numeral", index));
        }
        let divisor = self.lexer.number(index);
        if divisor.is_zero() {
            return Err(self.lexer.error_at(index, "the index of `divisible` must be positive"));
        }
        self.expect_close()?;
        self.work.divisors.push(divisor);
        Ok(Form::Divisible(self.work.divisors.len() - 1))
    }
    /// The complaint about `(_ …)` where a term is expected.
    pub(crate) fn indexed(&mut self, head: Token) -> Box<Diagnostic> {
        match self.lexer.next() {
            Ok(name) => {
                let text = self.lexer.token_str(name);
                let message = format!("the indexed identifier `{text}` is not supported");
                self.lexer.error(head.start(), name.end(), message)
            }
            Err(error) => error,
        }
    }
    /// The complaint about a binder other than `let`.
    pub(crate) fn binder(&self, head: Token) -> Box<Diagnostic> {
        let what = match self.lexer.token_bytes(head) {
            b"forall" | b"exists" => "quantifiers are",
            b"match" => "`match` and datatypes are",
            _ => "this binder is",
        };
        self.lexer.error_at(head, format!("{what} not supported"))
    }
}
