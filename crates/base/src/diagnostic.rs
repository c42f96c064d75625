//! Errors in the input, and how they are shown.
//!
//! ```text
//! input.smt2:3:12: error: expected a term of sort Bool, found Int
//!   3 | (assert (+ x 1))
//!     |         ^^^^^^^
//!   note: …
//! ```
//! Long lines are cut to a window around the place, so that a file without line breaks stays
//! readable.

use std::fmt::Write as _;

use crate::span::{Source, Span, characters};

/// What is wrong, where, and what may help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What is wrong.
    pub message: String,
    /// Where.
    pub span: Span,
    /// What may help.
    pub notes: Vec<String>,
}

/// A result of reading; the error is boxed, so that the good way stays cheap.
pub type Read<T> = Result<T, Box<Diagnostic>>;

/// How many bytes of a long line are shown on each side of the place.
const CONTEXT: usize = 50;
/// Longer lines are cut.
const LONGEST_LINE: usize = 120;
/// Longer messages are cut in their middle.
const LONGEST_MESSAGE: usize = 1000;

impl Diagnostic {
    /// An error at `span`.
    pub fn new(span: Span, message: impl Into<String>) -> Self {
        Self { message: message.into(), span, notes: Vec::new() }
    }
    /// The same error with a further note.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }
    /// The one-line form `name:line:column: message`, without the word "error".
    pub fn headline(&self, source_name: &str, source: &Source<'_>) -> String {
        let position = source.position(self.span.start);
        format!("{source_name}:{}:{}: {}", position.line, position.column, self.short_message())
    }
    /// The long form, with the place in the source and the notes; ends with a newline.
    pub fn render(&self, source_name: &str, source: &Source<'_>) -> String {
        let position = source.position(self.span.start);
        let mut out = format!(
            "{source_name}:{}:{}: error: {}\n",
            position.line,
            position.column,
            self.short_message()
        );
        let number = position.line.to_string();
        let (line, caret) = self.excerpt(source);
        let margin = " ".repeat(number.len());
        // Writing to a string cannot fail.
        let _ = writeln!(out, "  {number} | {line}");
        let _ = writeln!(out, "  {margin} | {caret}");
        for note in &self.notes {
            let _ = writeln!(out, "  note: {note}");
        }
        out
    }
    /// The message without the middle of what is too long, such as a name of a million letters.
    fn short_message(&self) -> String {
        let length = self.message.chars().count();
        if length <= LONGEST_MESSAGE {
            return self.message.clone();
        }
        let half = LONGEST_MESSAGE / 2;
        let (start, end) =
            (self.message.chars().take(half), self.message.chars().skip(length - half));
        start.chain(['…']).chain(end).collect()
    }
    /// The line of the place, cut if it is long, and the line of carets below it.
    fn excerpt(&self, source: &Source<'_>) -> (String, String) {
        let (mut start, mut end) = source.line_at(self.span.start);
        let at = source.local(self.span.start);
        let (mut before, mut after) = ("", "");
        if end - start > LONGEST_LINE {
            if at - start > CONTEXT {
                (start, before) = (at - CONTEXT, "…");
            }
            if end - at > CONTEXT {
                (end, after) = (at + CONTEXT, "…");
            }
        }
        let text = visible(source.slice(start, end));
        let indent =
            characters(visible(source.slice(start, at)).as_bytes()) + before.chars().count();
        let until = source.local(self.span.end).clamp(at, end);
        let width = characters(visible(source.slice(at, until)).as_bytes()).max(1);
        (format!("{before}{text}{after}"), format!("{}{}", " ".repeat(indent), "^".repeat(width)))
    }
}

/// The bytes as text of one column per character: tabs become spaces, control characters and broken
/// UTF-8 become `�`.
fn visible(bytes: &[u8]) -> String {
    let shown = |c: char| match c {
        '\t' | '\r' => ' ',
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    String::from_utf8_lossy(bytes).chars().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_message_loses_its_middle() {
        let name = "ä".repeat(1_000_000);
        let shown = Diagnostic::new(Span::new(0, 1), format!("unknown symbol `{name}`"))
            .headline("f", &Source::new(b"x"));
        assert!(shown.starts_with("f:1:1: unknown symbol `ä") && shown.ends_with("ä`"), "{shown}");
        assert!(shown.contains("ä…ä") && shown.chars().count() < 1100);
    }

    #[test]
    fn the_place_is_underlined() {
        let text = b"(a)\n\t(assert x)\n";
        let shown = Diagnostic::new(Span::new(13, 14), "unknown symbol `x`")
            .note("declare it")
            .render("f", &Source::new(text));
        assert_eq!(
            shown,
            "f:2:10: error: unknown symbol `x`\n  2 |  (assert x)\n    |          ^\n  note: declare it\n"
        );
    }

    #[test]
    fn long_lines_are_cut_around_the_place() {
        let text = "y".repeat(1000) + "x" + &"z".repeat(1000);
        let shown = Diagnostic::new(Span::new(1000, 1001), "here")
            .render("f", &Source::new(text.as_bytes()));
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines[0], "f:1:1001: error: here");
        assert_eq!(lines[1], format!("  1 | …{}x{}…", "y".repeat(50), "z".repeat(49)));
        assert_eq!(lines[2].find('^'), lines[2].len().checked_sub(1));
        assert_eq!(
            lines[1].chars().position(|c| c == 'x'),
            lines[2].chars().position(|c| c == '^')
        );
    }
}
