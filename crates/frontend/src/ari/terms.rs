//! Guards and arguments: the reader of SMT-LIB makes terms of them.
//!
//! The terms of a rule are put into a script that declares the variables of the rule; what it
//! objects to is said at the place in the text that the piece of the script was copied from.

use std::fmt::Write as _;

use shofar_base::{Diagnostic, Span};
use shofar_smtlib::{Command, Commands, Environment, Step};
use shofar_term::print::quote;
use shofar_term::{Sort, Term, TermStore};

use super::sexp::{Sexp, Sexps};
use super::sorts::Variables;

/// Reads terms; definitions are kept from one to the next.
#[derive(Default)]
pub(super) struct Terms {
    env: Environment,
}

/// A script with the places that its pieces were copied from.
#[derive(Default)]
struct Script {
    text: String,
    /// Where a piece begins in the script, and where it stands in the text.
    pieces: Vec<(usize, Span)>,
}

impl Script {
    fn copy(&mut self, sexps: &Sexps<'_>, sexp: Sexp) {
        self.pieces.push((self.text.len(), sexps.span(sexp)));
        self.text += sexps.text(sexp);
    }
    /// What is said about the script, said about the text; `whole` is where all of it comes from.
    fn home(&self, mut error: Diagnostic, whole: Span) -> Diagnostic {
        let behind = self.pieces.partition_point(|&(start, _)| start <= error.span.start);
        let piece = self.pieces[..behind].last();
        error.span = match piece {
            Some(&(start, place)) if error.span.start < start + (place.end - place.start) => {
                let at = place.start + (error.span.start - start);
                let length = error.span.end.saturating_sub(error.span.start).max(1);
                Span::new(at, (at + length).min(place.end))
            }
            Some(_) | None => whole,
        };
        error
    }
}

impl Terms {
    /// Reads a definition.
    pub(super) fn define(
        &mut self,
        store: &mut TermStore,
        sexps: &Sexps<'_>,
        sexp: Sexp,
    ) -> Result<(), Diagnostic> {
        let mut script = Script::default();
        script.copy(sexps, sexp);
        self.run(store, &script, sexps.span(sexp)).map(|_| ())
    }
    /// Reads terms over variables, each of the sort it has to have.
    pub(super) fn read(
        &mut self,
        store: &mut TermStore,
        sexps: &Sexps<'_>,
        variables: &Variables<'_>,
        wanted: &[(Sexp, Sort)],
        whole: Span,
    ) -> Result<Vec<Term>, Diagnostic> {
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let mut script = Script::default();
        script.text += "(push 1)";
        for &(name, sort, at) in &variables.order {
            let sort = if sort == Sort::BOOL { "Bool" } else { "Int" };
            script.pieces.push((script.text.len(), sexps.span(at)));
            let _ = write!(script.text, "(declare-const {} {sort})", quote(name));
        }
        script.text += "(get-value (";
        for &(sexp, _) in wanted {
            script.copy(sexps, sexp);
            script.text.push(' ');
        }
        script.text += "))(pop 1)";
        let terms = self.run(store, &script, whole)?;
        for (&term, &(sexp, sort)) in terms.iter().zip(wanted) {
            if store.sort(term) != sort {
                let what = if sort == Sort::BOOL { "a truth value" } else { "an integer" };
                return Err(sexps.error(sexp, format!("this has to be {what}")));
            }
        }
        if terms.len() != wanted.len() {
            return Err(Diagnostic::new(whole, "a term of this rule cannot be read"));
        }
        Ok(terms)
    }
    /// Executes a script; the result is the terms whose values it asks for.
    fn run(
        &mut self,
        store: &mut TermStore,
        script: &Script,
        whole: Span,
    ) -> Result<Vec<Term>, Diagnostic> {
        let mut commands = Commands::of_text(script.text.clone().into_bytes());
        let mut terms = Vec::new();
        let mut next = || commands.next(&mut self.env, store);
        while let Step::Sentence(sentence) = next().map_err(|error| script.home(error, whole))? {
            if let Command::GetValue(values) = sentence.command {
                terms.extend(values.iter().map(|value| value.term));
            }
        }
        if !self.env.zero_divisions().is_empty() {
            return Err(Diagnostic::new(whole, "division by zero is not supported"));
        }
        Ok(terms)
    }
}
