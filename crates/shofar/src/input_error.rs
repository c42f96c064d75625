//! What is wrong with the text of a problem.

use std::fmt;
use std::sync::Arc;

use shofar_base::{Diagnostic, Position, Source};

/// An error in a text, with its place.
///
/// ```
/// let error = shofar::Problem::from_text(b"(assert\n  (p 0))").unwrap_err();
/// assert_eq!(error.to_string(), "2:4: unknown function `p`");
/// assert!(error.picture("p.smt2").contains("  2 |   (p 0))\n    |    ^\n"));
/// ```
#[derive(Clone, Debug)]
pub struct InputError {
    diagnostic: Diagnostic,
    text: Arc<[u8]>,
}

impl InputError {
    pub(crate) fn new(diagnostic: Diagnostic, text: Arc<[u8]>) -> Self {
        Self { diagnostic, text }
    }
    /// What is wrong, where in bytes, and what may help.
    pub fn diagnostic(&self) -> &Diagnostic {
        &self.diagnostic
    }
    /// Where it is.
    pub fn position(&self) -> Position {
        Source::new(&self.text).position(self.diagnostic.span.start)
    }
    /// The place in the text with what is wrong below it, for a person; `name` is that of the file.
    pub fn picture(&self, name: &str) -> String {
        self.diagnostic.render(name, &Source::new(&self.text))
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Position { line, column } = self.position();
        write!(f, "{line}:{column}: {}", self.diagnostic.message)
    }
}

impl std::error::Error for InputError {}
