//! What names stand for inside a procedure: `x` is the present value, `x'` the next one.
//!
//! `havoc(x, y)` is a formula, too: every variable of the scope that it does not list keeps its
//! value. A transition without it does not say anything about the variables that occur in it
//! without a prime only, so they may get any value.

use shofar_base::{Diagnostic, Span};
use shofar_term::{Term, TermStore};

use super::program::{Role, Variable, Variables};
use crate::expression::{Meaning, Operand, Reader, Value};
use crate::lexer::{Token, TokenKind};

/// The variables of a procedure, or the global ones.
pub(super) struct Scope<'p> {
    pub(super) variables: &'p Variables,
    pub(super) primes: Primes,
}

/// Whether next values may be mentioned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Primes {
    Allowed,
    Refused,
}

impl Scope<'_> {
    /// The variable with this name, without a prime.
    pub(super) fn find(&self, name: &str, at: Span) -> Result<usize, Diagnostic> {
        let found = self.variables.find(name);
        found.ok_or_else(|| Diagnostic::new(at, format!("the variable `{name}` is not declared")))
    }
    fn term(&self, name: &str, at: Span) -> Result<Term, Diagnostic> {
        let Some(plain) = name.strip_suffix('\'') else {
            return Ok(self.variables[self.find(name, at)?].now);
        };
        if self.primes == Primes::Refused {
            return Err(Diagnostic::new(at, "there are no next values here"));
        }
        let variable = &self.variables[self.find(plain, at)?];
        if variable.role == Role::Parameter {
            return Err(Diagnostic::new(at, format!("the parameter `{plain}` does not change")));
        }
        Ok(variable.next)
    }
    /// The variables that `havoc` lists.
    pub(super) fn listed(
        &self,
        reader: &Reader<'_, '_>,
        names: &[Operand],
    ) -> Result<Vec<usize>, Diagnostic> {
        let mut listed = Vec::with_capacity(names.len());
        for operand in names {
            match operand.value {
                Value::Name(name) if name.kind == TokenKind::Name => {
                    listed.push(self.find(reader.cursor.text(name), operand.span)?);
                }
                Value::Name(_) | Value::Term(_) => {
                    return Err(Diagnostic::new(operand.span, "`havoc` lists variables"));
                }
            }
        }
        Ok(listed)
    }
}

/// Every variable that is not listed keeps its value.
pub(super) fn frame(store: &mut TermStore, variables: &[Variable], listed: &[usize]) -> Term {
    let mut changes = vec![false; variables.len()];
    for &at in listed {
        changes[at] = true;
    }
    let mut kept = Vec::with_capacity(variables.len());
    for (variable, changes) in variables.iter().zip(changes) {
        if !changes {
            kept.push(store.eq(variable.next, variable.now));
        }
    }
    store.and(&kept)
}

impl Meaning for Scope<'_> {
    fn value(&mut self, store: &mut TermStore, name: &str, at: Span) -> Result<Term, Diagnostic> {
        match name {
            "true" => Ok(store.top()),
            "false" => Ok(store.bottom()),
            "tid" => Err(Diagnostic::new(at, "numbers of threads are not supported")),
            _ => self.term(name, at),
        }
    }
    fn apply(
        &mut self,
        reader: &mut Reader<'_, '_>,
        name: Token,
        arguments: &[Operand],
    ) -> Result<(Term, bool), Diagnostic> {
        if reader.cursor.text(name) == "havoc" {
            let listed = self.listed(reader, arguments)?;
            return Ok((frame(reader.store, self.variables, &listed), false));
        }
        Err(Diagnostic::new(name.span, "a call cannot be a part of a formula")
            .note("a transition is a formula, or a call as in `(y') = f(x, 1) and havoc(y)`"))
    }
}
