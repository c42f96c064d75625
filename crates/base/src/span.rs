//! Places in the input: byte ranges, and the lines and columns a person knows them by.
//!
//! A [`Span`] counts bytes from the beginning of the stream. Lines and columns are worked out only
//! when a user is to see them, from a [`Source`]: a stretch of the text and the position its
//! first byte has in the stream.

/// A range of bytes of the input stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset behind the last byte.
    pub end: usize,
}

impl Span {
    /// The bytes `start..end`.
    pub fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }
}

/// A line and a column, both counted from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

/// A stretch of the input that begins at the beginning of a line.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    text: &'a [u8],
    offset: usize,
    line: usize,
}

impl<'a> Source<'a> {
    /// A whole text.
    pub fn new(text: &'a [u8]) -> Self {
        Self { text, offset: 0, line: 1 }
    }
    /// A text whose first byte has this offset in the stream and begins this line.
    pub fn resumed(text: &'a [u8], offset: usize, line: usize) -> Self {
        Self { text, offset, line }
    }
    /// The line and column of a byte of the stream; bytes outside the stretch count as its nearest
    /// end.
    pub fn position(&self, offset: usize) -> Position {
        let (start, _) = self.line_at(offset);
        let local = self.local(offset);
        let newlines = newlines(&self.text[..start]);
        Position { line: self.line + newlines, column: characters(&self.text[start..local]) + 1 }
    }
    /// The local range of the line, without its newline, that the byte of the stream stands in.
    pub(crate) fn line_at(&self, offset: usize) -> (usize, usize) {
        let local = self.local(offset);
        let start =
            self.text[..local].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let rest = &self.text[local..];
        let end = local + rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        (start, end)
    }
    /// Where a byte of the stream stands in the stretch.
    pub(crate) fn local(&self, offset: usize) -> usize {
        offset.saturating_sub(self.offset).min(self.text.len())
    }
    /// The bytes of a local range.
    pub(crate) fn slice(&self, start: usize, end: usize) -> &'a [u8] {
        &self.text[start..end]
    }
}

/// How many lines end in the bytes.
fn newlines(bytes: &[u8]) -> usize {
    bytes.split(|&byte| byte == b'\n').count() - 1
}

/// How many characters the bytes show as: every byte that does not continue a UTF-8 sequence begins
/// one.
pub(crate) fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte & 0xc0 != 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_lines_count_from_the_given_one() {
        let source = Source::resumed("ab\näx y\n".as_bytes(), 100, 7);
        assert_eq!(source.position(100), Position { line: 7, column: 1 });
        assert_eq!(source.position(105), Position { line: 8, column: 2 });
        assert_eq!(source.position(107), Position { line: 8, column: 4 });
        assert_eq!(source.position(9999), Position { line: 9, column: 1 });
    }
}
