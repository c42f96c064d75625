//! The parentheses of a text: atoms and lists, with their places.
//!
//! The expressions lie in one vector and name their parts by number, so that nothing recurses on
//! the depth of the text, not even giving the memory back.

use shofar_base::{Diagnostic, IndexVec, Span, index_type};

index_type!(
    /// An expression of a text.
    pub(super) struct Sexp
);

enum Shape {
    /// A name, number or keyword.
    Atom,
    List(Vec<Sexp>),
}

struct Entry {
    shape: Shape,
    span: Span,
}

/// All expressions of a text.
pub(super) struct Sexps<'t> {
    text: &'t str,
    entries: IndexVec<Sexp, Entry>,
    /// Those that are not part of another one.
    pub(super) roots: Vec<Sexp>,
}

impl<'t> Sexps<'t> {
    /// Reads a text.
    pub(super) fn read(text: &'t [u8]) -> Result<Self, Diagnostic> {
        let text = std::str::from_utf8(text).map_err(|error| {
            let at = error.valid_up_to();
            Diagnostic::new(Span::new(at, at + 1), "this is not UTF-8")
        })?;
        let mut sexps = Self { text, entries: IndexVec::new(), roots: Vec::new() };
        let mut open: Vec<(usize, Vec<Sexp>)> = Vec::new();
        let mut at = 0;
        while let Some((start, end)) = next_token(text, at)? {
            at = end;
            let made = match text.as_bytes()[start] {
                b'-' | b'+' if text.as_bytes().get(start + 1).is_some_and(u8::is_ascii_digit) => {
                    // As a name it would be a variable, with any value.
                    let message = "a negative number is written as in `(- 1)`";
                    return Err(Diagnostic::new(Span::new(start, end), message));
                }
                b'(' => {
                    open.push((start, Vec::new()));
                    continue;
                }
                b')' => {
                    let Some((from, parts)) = open.pop() else {
                        let message = "this parenthesis closes nothing";
                        return Err(Diagnostic::new(Span::new(start, end), message));
                    };
                    Entry { shape: Shape::List(parts), span: Span::new(from, end) }
                }
                _ => Entry { shape: Shape::Atom, span: Span::new(start, end) },
            };
            let made = sexps.entries.push(made);
            open.last_mut().map_or(&mut sexps.roots, |(_, parts)| parts).push(made);
        }
        match open.pop() {
            None => Ok(sexps),
            Some((from, _)) => {
                let message = "this parenthesis is not closed";
                Err(Diagnostic::new(Span::new(from, from + 1), message))
            }
        }
    }
    /// Where an expression stands.
    pub(super) fn span(&self, sexp: Sexp) -> Span {
        self.entries[sexp].span
    }
    /// The text of an expression.
    pub(super) fn text(&self, sexp: Sexp) -> &'t str {
        let Span { start, end } = self.span(sexp);
        &self.text[start..end]
    }
    /// The parts of a list.
    pub(super) fn list(&self, sexp: Sexp) -> Option<&[Sexp]> {
        match &self.entries[sexp].shape {
            Shape::List(parts) => Some(parts),
            Shape::Atom => None,
        }
    }
    /// An atom as it is written.
    pub(super) fn atom(&self, sexp: Sexp) -> Option<&'t str> {
        match self.entries[sexp].shape {
            Shape::Atom => Some(self.text(sexp)),
            Shape::List(_) => None,
        }
    }
    /// The name that an atom is, without bars.
    pub(super) fn name(&self, sexp: Sexp) -> Option<&'t str> {
        let atom = self.atom(sexp)?;
        match atom.strip_prefix('|').and_then(|rest| rest.strip_suffix('|')) {
            Some(inner) => Some(inner),
            None => (!atom.starts_with(|c: char| c.is_ascii_digit() || c == ':')).then_some(atom),
        }
    }
    /// The complaint about an expression.
    pub(super) fn error(&self, sexp: Sexp, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(self.span(sexp), message)
    }
}

/// The next parenthesis or atom from `at` on, behind blanks and comments.
fn next_token(text: &str, mut at: usize) -> Result<Option<(usize, usize)>, Diagnostic> {
    let bytes = text.as_bytes();
    loop {
        match bytes.get(at) {
            None => return Ok(None),
            Some(byte) if byte.is_ascii_whitespace() => at += 1,
            Some(b';') => {
                let line = bytes[at..].iter().position(|&byte| byte == b'\n');
                at = line.map_or(bytes.len(), |length| at + length);
            }
            Some(b'(' | b')') => return Ok(Some((at, at + 1))),
            Some(b'|') => {
                let Some(length) = bytes[at + 1..].iter().position(|&byte| byte == b'|') else {
                    let message = "this quoted symbol is not closed";
                    return Err(Diagnostic::new(Span::new(at, at + 1), message));
                };
                return Ok(Some((at, at + length + 2)));
            }
            Some(b'"') => {
                let message = "strings have no meaning in a transition system";
                return Err(Diagnostic::new(Span::new(at, at + 1), message));
            }
            Some(_) => {
                let ends = |&byte: &u8| {
                    byte.is_ascii_whitespace() || matches!(byte, b'(' | b')' | b';' | b'|' | b'"')
                };
                let length = bytes[at..].iter().position(ends).unwrap_or(bytes.len() - at);
                return Ok(Some((at, at + length)));
            }
        }
    }
}

/// Whether a text begins with a parenthesis and this word.
pub(super) fn begins_with(text: &[u8], word: &str) -> bool {
    const LOOK: usize = 1 << 16;
    let start = &text[..text.len().min(LOOK)];
    let start = match std::str::from_utf8(start) {
        Ok(start) => start,
        // The last character may be cut in two.
        Err(error) => std::str::from_utf8(&start[..error.valid_up_to()]).unwrap_or_default(),
    };
    let Ok(Some((open, end))) = next_token(start, 0) else { return false };
    let Ok(Some((from, to))) = next_token(start, end) else { return false };
    &start[open..end] == "(" && &start[from..to] == word
}
