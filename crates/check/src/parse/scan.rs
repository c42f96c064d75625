//! The tokens of an S-expression, with their places.
//!
//! This is coarser than the lexer of SMT-LIB: a word is anything without spaces, parentheses,
//! quotes and semicolons.

use shofar_base::{Diagnostic, Span};

use super::{Read, Unread};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Open,
    Close,
    /// A symbol, a number, or a keyword.
    Word,
    /// A symbol between bars; the text is without them.
    Quoted,
    /// A string, with its quotes.
    String,
    End,
}

/// A piece of the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind,
    pub(super) text: &'t str,
    /// Where it stands, with bars and quotes.
    pub(super) span: Span,
}

impl Token<'_> {
    /// Whether it is this word.
    pub(super) fn is(&self, word: &str) -> bool {
        self.kind == Kind::Word && self.text == word
    }
    /// Whether it can be a name.
    pub(super) fn is_name(&self) -> bool {
        matches!(self.kind, Kind::Word | Kind::Quoted)
    }
    /// The text is not understood at this place.
    pub(super) fn error(&self, message: impl Into<String>) -> Box<Unread> {
        Unread::malformed(self.span, message)
    }
    /// What is understood at this place does not fit the problem.
    pub(super) fn misfit(&self, message: impl Into<String>) -> Box<Unread> {
        Box::new(Unread::Misfit(Diagnostic::new(self.span, message)))
    }
    /// Something else was expected.
    pub(super) fn unexpected(&self, expected: &str) -> Box<Unread> {
        let found = match self.kind {
            Kind::Open => "`(`".to_owned(),
            Kind::Close => "`)`".to_owned(),
            Kind::End => "the end of the text".to_owned(),
            Kind::Word | Kind::Quoted | Kind::String => format!("`{}`", self.text),
        };
        self.error(format!("expected {expected}, found {found}"))
    }
}

/// A reader of tokens.
#[derive(Clone, Debug)]
pub(super) struct Scan<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Scan<'t> {
    /// A reader at the beginning of `text`.
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }
    /// A reader of a part of the text.
    pub(super) fn within(text: &'t str, span: Span) -> Self {
        Self { text: &text[..span.end], at: span.start }
    }
    /// The text at a place.
    pub(super) fn text(&self, span: Span) -> &'t str {
        &self.text[span.start..span.end]
    }
    /// The next token; at the end of the text, it is [`Kind::End`] again and again.
    pub(super) fn next(&mut self) -> Read<Token<'t>> {
        self.skip_blanks();
        let bytes = self.text.as_bytes();
        let start = self.at;
        let Some(&first) = bytes.get(start) else { return Ok(self.token(Kind::End, start, start)) };
        match first {
            b'(' => Ok(self.token(Kind::Open, start, start + 1)),
            b')' => Ok(self.token(Kind::Close, start, start + 1)),
            b'|' => {
                let end = self.closing(start, b'|', "this quoted symbol is not closed")?;
                let mut token = self.token(Kind::Quoted, start, end);
                token.text = &self.text[start + 1..end - 1];
                Ok(token)
            }
            b'"' => {
                let end = self.closing(start, b'"', "this string is not closed")?;
                Ok(self.token(Kind::String, start, end))
            }
            _ => {
                let ends = |byte: &u8| byte.is_ascii_whitespace() || b"()|\";".contains(byte);
                let length = bytes[start..].iter().position(ends).unwrap_or(bytes.len() - start);
                Ok(self.token(Kind::Word, start, start + length))
            }
        }
    }
    fn token(&mut self, kind: Kind, start: usize, end: usize) -> Token<'t> {
        self.at = end;
        Token { kind, text: &self.text[start..end], span: Span::new(start, end) }
    }
    fn skip_blanks(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(byte) = bytes.get(self.at) {
            if byte.is_ascii_whitespace() {
                self.at += 1;
            } else if *byte == b';' {
                let rest = &bytes[self.at..];
                self.at += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
            } else {
                return;
            }
        }
    }
    /// Where the quotation that begins at `start` ends.
    fn closing(&self, start: usize, quote: u8, complaint: &str) -> Read<usize> {
        let rest = &self.text.as_bytes()[start + 1..];
        match rest.iter().position(|&byte| byte == quote) {
            Some(length) => Ok(start + length + 2),
            None => Err(Unread::malformed(Span::new(start, start + 1), complaint)),
        }
    }
    /// Skips the rest of the expression that begins with `first`; returns its place.
    pub(super) fn skip(&mut self, first: Token<'t>) -> Read<Span> {
        let mut depth = 0usize;
        let mut token = first;
        loop {
            match token.kind {
                Kind::Open => depth += 1,
                Kind::Close if depth > 0 => depth -= 1,
                Kind::Close | Kind::End => return Err(token.unexpected("an expression")),
                Kind::Word | Kind::Quoted | Kind::String => {}
            }
            if depth == 0 {
                return Ok(Span::new(first.span.start, token.span.end));
            }
            token = self.next()?;
        }
    }
    /// A token of this kind.
    pub(super) fn expect(&mut self, kind: Kind, expected: &str) -> Read<Token<'t>> {
        let token = self.next()?;
        if token.kind == kind { Ok(token) } else { Err(token.unexpected(expected)) }
    }
    /// A name.
    pub(super) fn name(&mut self, expected: &str) -> Read<Token<'t>> {
        let token = self.next()?;
        if token.is_name() { Ok(token) } else { Err(token.unexpected(expected)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_have_their_places() {
        let mut scan = Scan::new("(a ; b\n|c d|\"e\")");
        let mut tokens = Vec::new();
        loop {
            let token = scan.next().unwrap();
            tokens.push((token.kind, token.text, token.span.start));
            if token.kind == Kind::End {
                break;
            }
        }
        assert_eq!(
            tokens,
            [
                (Kind::Open, "(", 0),
                (Kind::Word, "a", 1),
                (Kind::Quoted, "c d", 7),
                (Kind::String, "\"e\"", 12),
                (Kind::Close, ")", 15),
                (Kind::End, "", 16),
            ]
        );
    }

    #[test]
    fn what_is_not_closed_is_reported() {
        assert!(Scan::new("|a").next().is_err() && Scan::new("\"").next().is_err());
        let mut scan = Scan::new("(a (b)");
        let first = scan.next().unwrap();
        assert!(scan.skip(first).is_err());
    }
}
