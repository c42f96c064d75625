//! From bytes to tokens.
//!
//! A language says what its comments and signs look like in a [`Syntax`]. Names and numbers are
//! alike in all of them: a name begins with a letter or `_` and goes on with letters, digits, `_`
//! and `'`.

use shofar_base::{Diagnostic, Span};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Name,
    /// A name in quotes, or a string; the span includes them.
    Quoted,
    Number,
    /// A number with digits behind a point.
    Decimal,
    /// One of the signs of the language.
    Sign,
    /// Behind the last one.
    End,
}

/// A piece of the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
}

/// What `//` begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slashes {
    /// A comment.
    Comment,
    /// A comment between clauses; elsewhere it is refused, because it is a division for others.
    CommentBetweenClauses,
}

/// What the tokens of a language look like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Syntax {
    /// Begins a comment until the end of the line.
    pub(crate) comment: Option<u8>,
    pub(crate) slashes: Slashes,
    /// Those that others begin with come behind them.
    pub(crate) signs: &'static [&'static str],
    /// What stands around quoted names or strings.
    pub(crate) quote: u8,
    pub(crate) has_decimals: bool,
    /// Whether `a.b` is one name.
    pub(crate) has_members: bool,
}

/// The tokens of `text`, the last of which is the end.
pub(crate) fn tokens(text: &[u8], syntax: &Syntax) -> Result<Vec<Token>, Diagnostic> {
    let mut scanner = Scanner { text, syntax, at: 0, tokens: Vec::new() };
    while scanner.skip_blanks()? {
        scanner.token()?;
    }
    let end = Span::new(text.len(), text.len());
    scanner.tokens.push(Token { kind: TokenKind::End, span: end });
    Ok(scanner.tokens)
}

struct Scanner<'t> {
    text: &'t [u8],
    syntax: &'t Syntax,
    at: usize,
    tokens: Vec<Token>,
}

impl Scanner<'_> {
    fn rest(&self) -> &[u8] {
        &self.text[self.at..]
    }
    /// Goes to the next token; says whether there is one.
    fn skip_blanks(&mut self) -> Result<bool, Diagnostic> {
        while let Some(&byte) = self.text.get(self.at) {
            if byte.is_ascii_whitespace() {
                self.at += 1;
            } else if Some(byte) == self.syntax.comment {
                self.skip_line();
            } else if self.rest().starts_with(b"//") {
                self.skip_slashes()?;
            } else if self.rest().starts_with(b"/*") {
                self.skip_block()?;
            } else {
                return Ok(true);
            }
        }
        Ok(false)
    }
    fn skip_line(&mut self) {
        let length = self.rest().iter().position(|&byte| byte == b'\n');
        self.at += length.unwrap_or(self.rest().len());
    }
    fn skip_slashes(&mut self) -> Result<(), Diagnostic> {
        let is_between = self.tokens.last().is_none_or(|last| self.text[last.span.start] == b'.');
        if self.syntax.slashes == Slashes::CommentBetweenClauses && !is_between {
            let message = "`//` inside a clause is a comment for some and a division for others";
            return Err(Diagnostic::new(Span::new(self.at, self.at + 2), message)
                .note("comments inside clauses begin with `%`, the quotient is written `div`"));
        }
        self.skip_line();
        Ok(())
    }
    fn skip_block(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        let Some(length) = self.rest()[2..].windows(2).position(|pair| pair == b"*/") else {
            return Err(Diagnostic::new(Span::new(start, start + 2), "this comment has no end"));
        };
        self.at = start + 2 + length + 2;
        Ok(())
    }
    fn token(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        let first = self.text[start];
        let kind = if first.is_ascii_alphabetic() || first == b'_' {
            self.name();
            TokenKind::Name
        } else if first.is_ascii_digit() {
            self.number()
        } else if first == self.syntax.quote {
            self.quoted()?
        } else if let Some(sign) =
            self.syntax.signs.iter().find(|sign| self.rest().starts_with(sign.as_bytes()))
        {
            self.at += sign.len();
            TokenKind::Sign
        } else {
            let rest = String::from_utf8_lossy(&self.rest()[..self.rest().len().min(4)]);
            let found = rest.chars().next().unwrap_or(char::REPLACEMENT_CHARACTER);
            let message = format!("`{}` has no meaning here", found.escape_debug());
            return Err(Diagnostic::new(Span::new(start, start + 1), message));
        };
        self.tokens.push(Token { kind, span: Span::new(start, self.at) });
        Ok(())
    }
    fn skip_while(&mut self, belongs: impl Fn(u8) -> bool) {
        let length = self.rest().iter().position(|&byte| !belongs(byte));
        self.at += length.unwrap_or(self.rest().len());
    }
    fn name(&mut self) {
        let begins = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
        loop {
            self.skip_while(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'\'');
            let goes_on = matches!(self.rest(), [b'.', next, ..] if begins(*next));
            if !self.syntax.has_members || !goes_on {
                return;
            }
            self.at += 1;
        }
    }
    fn number(&mut self) -> TokenKind {
        self.skip_while(|byte| byte.is_ascii_digit());
        let has_point = matches!(self.rest(), [b'.', digit, ..] if digit.is_ascii_digit());
        if !self.syntax.has_decimals || !has_point {
            return TokenKind::Number;
        }
        self.at += 1;
        self.skip_while(|byte| byte.is_ascii_digit());
        TokenKind::Decimal
    }
    /// A quoted name ends in the line in which it begins.
    fn quoted(&mut self) -> Result<TokenKind, Diagnostic> {
        let (start, quote) = (self.at, self.syntax.quote);
        self.at += 1;
        self.skip_while(|byte| byte != quote && byte != b'\n');
        let span = Span::new(start, self.at);
        if self.text.get(self.at) != Some(&quote) {
            return Err(Diagnostic::new(span, "the quote at the end is missing"));
        }
        if std::str::from_utf8(&self.text[start..self.at]).is_err() {
            return Err(Diagnostic::new(span, "this is not UTF-8"));
        }
        self.at += 1;
        Ok(TokenKind::Quoted)
    }
}

/// A place in the list of tokens.
pub(crate) struct Cursor<'t> {
    text: &'t [u8],
    tokens: Vec<Token>,
    at: usize,
}

impl<'t> Cursor<'t> {
    /// Before the first token of `text`.
    pub(crate) fn new(text: &'t [u8], syntax: &Syntax) -> Result<Self, Diagnostic> {
        Ok(Self { text, tokens: tokens(text, syntax)?, at: 0 })
    }
    /// The next token; the last one is the end.
    pub(crate) fn peek(&self) -> Token {
        self.look(0)
    }
    /// The token so many places behind the next one.
    pub(crate) fn look(&self, ahead: usize) -> Token {
        self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }
    /// Goes on by one token, which is returned.
    pub(crate) fn next(&mut self) -> Token {
        let token = self.peek();
        self.at += 1;
        token
    }
    /// The characters of a token, those of a quoted one without quotes.
    pub(crate) fn text(&self, token: Token) -> &'t str {
        let Span { start, end } = token.span;
        let bytes = match token.kind {
            TokenKind::Quoted => &self.text[start + 1..end - 1],
            TokenKind::Name
            | TokenKind::Number
            | TokenKind::Decimal
            | TokenKind::Sign
            | TokenKind::End => &self.text[start..end],
        };
        std::str::from_utf8(bytes).expect("tokens are ASCII, or have been looked at")
    }
    /// Whether the token is this sign or name.
    pub(crate) fn is(&self, token: Token, text: &str) -> bool {
        matches!(token.kind, TokenKind::Sign | TokenKind::Name) && self.text(token) == text
    }
    /// Goes on if the next token is this sign or name.
    pub(crate) fn eat(&mut self, text: &str) -> bool {
        let found = self.is(self.peek(), text);
        self.at += usize::from(found);
        found
    }
    /// The sign or name that has to be next.
    pub(crate) fn expect(&mut self, text: &str) -> Result<Token, Diagnostic> {
        let token = self.peek();
        if self.eat(text) { Ok(token) } else { Err(self.unexpected(&format!("`{text}`"))) }
    }
    /// The complaint about the next token, instead of which `expected` should be there.
    pub(crate) fn unexpected(&self, expected: &str) -> Diagnostic {
        let token = self.peek();
        let found = match token.kind {
            TokenKind::End => "the end of the text".to_owned(),
            TokenKind::Name
            | TokenKind::Quoted
            | TokenKind::Number
            | TokenKind::Decimal
            | TokenKind::Sign => format!("`{}`", self.text(token)),
        };
        Diagnostic::new(token.span, format!("expected {expected}, found {found}"))
    }
    /// The token before the next one; the first one if there is none before.
    pub(crate) fn last(&self) -> Token {
        self.tokens[self.at.saturating_sub(1).min(self.tokens.len() - 1)]
    }
    /// Where the next token is in the list.
    pub(crate) fn place(&self) -> usize {
        self.at
    }
    /// Goes back to where it was once.
    pub(crate) fn return_to(&mut self, place: usize) {
        self.at = place;
    }
    /// Where the last token ends.
    pub(crate) fn end_of_last(&self) -> usize {
        self.at
            .checked_sub(1)
            .map_or(0, |last| self.tokens[last.min(self.tokens.len() - 1)].span.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SYNTAX: Syntax = Syntax {
        comment: Some(b'%'),
        slashes: Slashes::CommentBetweenClauses,
        signs: &[":-", "=<", "=", "(", ")", "."],
        quote: b'\'',
        has_decimals: false,
        has_members: false,
    };

    fn texts(text: &str, syntax: &Syntax) -> Vec<String> {
        let tokens = tokens(text.as_bytes(), syntax).unwrap();
        tokens.iter().map(|t| text[t.span.start..t.span.end].to_owned()).collect()
    }

    #[test]
    fn comments_and_blanks_separate() {
        let text = "// first\np(x') :- 'a b'=<10. % rest\n/* more\n */ q1 .// and\n";
        let expected =
            ["p", "(", "x'", ")", ":-", "'a b'", "=<", "10", ".", "q1", ".", ""].map(str::to_owned);
        assert_eq!(texts(text, &SYNTAX), expected);
    }
    #[test]
    fn decimals_are_read_where_there_are_some() {
        let reals = Syntax { has_decimals: true, ..SYNTAX };
        assert_eq!(texts("1.5.", &reals), ["1.5", ".", ""]);
        assert_eq!(texts("1.5", &SYNTAX), ["1", ".", "5", ""]);
    }
    #[test]
    fn members_are_read_where_there_are_some() {
        let members = Syntax { has_members: true, ..SYNTAX };
        assert_eq!(texts("p.q = x1.y. 1", &members), ["p.q", "=", "x1.y", ".", "1", ""]);
        assert_eq!(texts("p.q", &SYNTAX), ["p", ".", "q", ""]);
    }
    #[test]
    fn what_is_wrong_has_a_place() {
        for (text, start, part) in [
            ("p /* q", 2, "no end"),
            ("p = x // 2", 6, "division for others"),
            ("p 'q\n'", 2, "quote at the end"),
            ("p ü", 2, "`ü` has no meaning"),
            ("p \u{1}", 2, "`\\u{1}` has no meaning"),
        ] {
            let error = tokens(text.as_bytes(), &SYNTAX).unwrap_err();
            assert_eq!(error.span.start, start, "{text}");
            assert!(error.message.contains(part), "{}", error.message);
        }
        assert!(tokens(b"'\xff'", &SYNTAX).is_err());
    }
}
