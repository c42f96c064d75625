//! Pieces of a text, each with where its characters stand in the file.
//!
//! A label or declaration in XML is not a part of the file as it stands: `&lt;` is one character,
//! and a comment may be in the middle. So a piece has its characters and, for each of them, the
//! place in the file; complaints about a piece are moved there by [`Piece::locate`].

use shofar_base::{Diagnostic, Span};

use super::SYNTAX;
use crate::lexer::Cursor;

/// A label, a declaration or a query.
#[derive(Clone, Debug, Default)]
pub(super) struct Piece {
    text: Vec<u8>,
    /// Where each byte of the text stands.
    places: Vec<u32>,
    /// Where the piece ends.
    end: u32,
}

impl Piece {
    /// An empty piece that stands there.
    pub(super) fn at(place: usize) -> Self {
        Self { text: Vec::new(), places: Vec::new(), end: narrow(place) }
    }
    /// A part of a file as it stands.
    pub(super) fn of(file: &[u8], span: Span) -> Self {
        let mut piece = Self::at(span.start);
        piece.append(&file[span.start..span.end], span);
        piece
    }
    /// Goes on with `bytes`, which stand at `span`, one by one if they are as many.
    pub(super) fn append(&mut self, bytes: &[u8], span: Span) {
        let is_literal = bytes.len() == span.end - span.start;
        self.text.extend_from_slice(bytes);
        let place = |offset: usize| narrow(span.start + if is_literal { offset } else { 0 });
        self.places.extend((0..bytes.len()).map(place));
        self.end = narrow(span.end);
    }
    /// The part of the piece at `span`, which is about the piece.
    pub(super) fn part(&self, span: Span) -> Self {
        let place = self.place(span);
        Self {
            text: self.text[span.start..span.end].to_vec(),
            places: self.places[span.start..span.end].to_vec(),
            end: narrow(place.end),
        }
    }
    pub(super) fn is_blank(&self) -> bool {
        self.text.trim_ascii().is_empty()
    }
    /// The tokens of the piece; their places are about the piece.
    pub(super) fn cursor(&self) -> Result<Cursor<'_>, Diagnostic> {
        Cursor::new(&self.text, &SYNTAX).map_err(|error| self.locate(error))
    }
    /// The text in one line, for people.
    pub(super) fn line(&self) -> String {
        let text = String::from_utf8_lossy(&self.text);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
    /// Where the whole piece stands.
    pub(super) fn span(&self) -> Span {
        self.place(Span::new(0, self.text.len()))
    }
    /// Where in the file that is what has this place in the piece.
    pub(super) fn place(&self, span: Span) -> Span {
        let place = |at: usize| wide(self.places.get(at).copied().unwrap_or(self.end));
        let start = place(span.start);
        let end = if span.end > span.start { place(span.end) } else { start };
        Span::new(start, end.max(start))
    }
    /// The complaint about the piece as one about the file.
    pub(super) fn locate(&self, error: Diagnostic) -> Diagnostic {
        Diagnostic { span: self.place(error.span), ..error }
    }
}

/// Places beyond four gigabytes do not occur: such files are refused.
fn narrow(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

fn wide(place: u32) -> usize {
    usize::try_from(place).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_lead_back_to_the_file() {
        // In the file: `<a>x &lt; 5<!-- --> and y</a>`.
        let mut piece = Piece::at(3);
        piece.append(b"x ", Span::new(3, 5));
        piece.append(b"<", Span::new(5, 9));
        piece.append(b" 5", Span::new(9, 11));
        piece.append(b" and y", Span::new(19, 25));
        assert_eq!(piece.text, b"x < 5 and y");
        assert_eq!(piece.place(Span::new(2, 3)), Span::new(5, 9));
        assert_eq!(piece.place(Span::new(10, 11)), Span::new(24, 25));
        assert_eq!(piece.place(Span::new(11, 11)), Span::new(25, 25));
        assert_eq!(piece.span(), Span::new(3, 25));
        assert_eq!(piece.part(Span::new(10, 11)).span(), Span::new(24, 25));
    }
}
