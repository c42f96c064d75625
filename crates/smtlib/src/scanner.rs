//! From bytes to tokens.
//!
//! One table lookup classifies a byte; a token is a kind and a byte range, so nothing is allocated
//! here. The text is one command whose parentheses balance (see the framing), and its UTF-8 has
//! been checked. Tokens are found many at a time, so that the loop over the bytes stays small and
//! what reads them only walks along a list.
//!
//! Source: [SMTLIB] §3.1, lexicon. DIVERGENCE: numerals with leading zeros are accepted, as all
//! solvers do.

use shofar_base::{Diagnostic, Read, Span};

use crate::names::Names;
use crate::token::{LONGEST_COMMAND, Token, TokenKind};

/// Classes of bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Bad,
    Space,
    Open,
    Close,
    Quote,
    Bar,
    Comment,
    Colon,
    Hash,
    Digit,
    Symbol,
}

const CLASSES: [Class; 256] = classes();

const fn classes() -> [Class; 256] {
    let mut table = [Class::Bad; 256];
    let mut byte: u8 = 0;
    while byte < 128 {
        table[byte as usize] = match byte {
            b' ' | b'\t' | b'\r' | b'\n' => Class::Space,
            b'(' => Class::Open,
            b')' => Class::Close,
            b'"' => Class::Quote,
            b'|' => Class::Bar,
            b';' => Class::Comment,
            b':' => Class::Colon,
            b'#' => Class::Hash,
            b'0'..=b'9' => Class::Digit,
            b'a'..=b'z'
            | b'A'..=b'Z'
            | b'~'
            | b'!'
            | b'@'
            | b'$'
            | b'%'
            | b'^'
            | b'&'
            | b'*'
            | b'_'
            | b'-'
            | b'+'
            | b'='
            | b'<'
            | b'>'
            | b'.'
            | b'?'
            | b'/' => Class::Symbol,
            _ => Class::Bad,
        };
        byte += 1;
    }
    table
}

/// The bytes that may stand inside a simple symbol.
const IN_SYMBOL: [bool; 256] = in_symbol();

const fn in_symbol() -> [bool; 256] {
    let mut table = [false; 256];
    let mut byte: u8 = 0;
    while byte < 128 {
        table[byte as usize] = matches!(CLASSES[byte as usize], Class::Symbol | Class::Digit);
        byte += 1;
    }
    table
}

/// Where the scan of one command has come to.
pub(crate) struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
    /// Offset of the text in the stream.
    base: usize,
}

impl<'a> Scanner<'a> {
    /// The tokens of `text` from `at` on; it stands at `base` in the stream and is not longer than
    /// [`LONGEST_COMMAND`].
    pub(crate) fn new(text: &'a [u8], at: usize, base: usize) -> Self {
        assert!(text.len() <= LONGEST_COMMAND, "the reader refuses longer commands");
        Self { text, at, base }
    }
    /// Appends the next tokens, until there are `most` or the command is over; what is no token
    /// ends them too, and is an error if it comes first.
    pub(crate) fn tokens(&mut self, tokens: &mut Vec<Token>, most: usize) -> Read<()> {
        let begin = tokens.len();
        while tokens.len() < most {
            if let Some(token) = self.frequent() {
                tokens.push(token);
                continue;
            }
            match self.rare() {
                Ok(token) => tokens.push(token),
                Err(error) if tokens.len() == begin => return Err(error),
                Err(_) => return Ok(()),
            }
            if tokens.last().is_some_and(|token| token.kind == TokenKind::End) {
                return Ok(());
            }
        }
        Ok(())
    }
    /// Appends the tokens of a command, up to the parenthesis that closes its first one, and tells
    /// where it ends. Simple symbols get their names. Gives up at what is no token.
    pub(crate) fn command(&mut self, names: &mut Names, tokens: &mut Vec<Token>) -> Option<usize> {
        let mut depth = 0usize;
        loop {
            let mut token = match self.frequent() {
                Some(token) => token,
                None => self.rare().ok()?,
            };
            match token.kind {
                TokenKind::Open => depth += 1,
                TokenKind::Close => depth = depth.checked_sub(1)?,
                TokenKind::Symbol => {
                    token = token.named(names.intern(&self.text[token.start()..token.end()]));
                }
                TokenKind::End => return None,
                TokenKind::Quoted
                | TokenKind::Keyword
                | TokenKind::Numeral
                | TokenKind::Decimal
                | TokenKind::Hexadecimal
                | TokenKind::Binary
                | TokenKind::String => {}
            }
            tokens.push(token);
            if depth == 0 {
                return Some(self.at);
            }
        }
    }
    /// The next token, if it is one of the frequent ones; goes to the next token in any case.
    #[inline]
    fn frequent(&mut self) -> Option<Token> {
        let mut start = self.at;
        while self.class(start) == Some(Class::Space) {
            start += 1;
        }
        self.at = start;
        let mut end = start + 1;
        let kind = match self.class(start) {
            Some(Class::Open) => TokenKind::Open,
            Some(Class::Close) => TokenKind::Close,
            Some(Class::Symbol) => {
                while self.is_in_symbol(end) {
                    end += 1;
                }
                TokenKind::Symbol
            }
            Some(Class::Digit) => {
                while self.class(end) == Some(Class::Digit) {
                    end += 1;
                }
                if self.is_in_symbol(end) {
                    return None;
                }
                TokenKind::Numeral
            }
            _ => return None,
        };
        self.at = end;
        Some(Token::new(kind, start, end))
    }
    #[inline]
    fn class(&self, at: usize) -> Option<Class> {
        self.text.get(at).map(|&byte| CLASSES[byte as usize])
    }
    #[inline]
    fn is_in_symbol(&self, at: usize) -> bool {
        self.text.get(at).is_some_and(|&byte| IN_SYMBOL[byte as usize])
    }
    /// The next token, whatever it is.
    #[inline(never)]
    fn rare(&mut self) -> Read<Token> {
        self.skip_blank();
        let start = self.at;
        let Some(&byte) = self.text.get(start) else {
            return Ok(Token::new(TokenKind::End, start, start));
        };
        let kind = match CLASSES[byte as usize] {
            Class::Colon => {
                self.at += 1;
                self.skip_symbol();
                if self.at == start + 1 {
                    return Err(self.nameless(start));
                }
                TokenKind::Keyword
            }
            Class::Bar => return self.quoted(),
            Class::Quote => self.string()?,
            Class::Hash => self.hash()?,
            Class::Digit => self.number()?,
            Class::Open | Class::Close | Class::Symbol => {
                return Ok(self.frequent().expect("these begin frequent tokens"));
            }
            Class::Bad | Class::Space | Class::Comment => return Err(self.stray()),
        };
        Ok(Token::new(kind, start, self.at))
    }
    #[cold]
    fn error(&self, start: usize, end: usize, message: impl Into<String>) -> Box<Diagnostic> {
        Box::new(Diagnostic::new(Span::new(self.base + start, self.base + end), message))
    }

    /// Whites and comments.
    fn skip_blank(&mut self) {
        let mut at = self.at;
        while let Some(&byte) = self.text.get(at) {
            let class = CLASSES[byte as usize];
            if class == Class::Space {
                at += 1;
            } else if class == Class::Comment {
                let rest = &self.text[at..];
                at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
            } else {
                break;
            }
        }
        self.at = at;
    }

    fn skip_symbol(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.iter().position(|&byte| !IN_SYMBOL[byte as usize]).unwrap_or(rest.len());
    }

    fn skip_digits(&mut self) -> usize {
        let start = self.at;
        while self.text.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
        self.at - start
    }

    fn number(&mut self) -> Read<TokenKind> {
        let start = self.at;
        self.skip_digits();
        let mut kind = TokenKind::Numeral;
        let mut sound = true;
        if self.text.get(self.at) == Some(&b'.') {
            self.at += 1;
            kind = TokenKind::Decimal;
            sound = self.skip_digits() > 0;
        }
        let end = self.at;
        self.skip_symbol();
        if sound && end == self.at {
            return Ok(kind);
        }
        Err(self.no_number(start))
    }
    #[cold]
    fn no_number(&self, start: usize) -> Box<Diagnostic> {
        let text = String::from_utf8_lossy(&self.text[start..self.at]);
        self.error(start, self.at, format!("`{text}` is neither a number nor a symbol"))
    }
    #[cold]
    fn nameless(&self, colon: usize) -> Box<Diagnostic> {
        self.error(colon, colon + 1, "a keyword needs a name after its colon")
    }

    fn quoted(&mut self) -> Read<Token> {
        let start = self.at + 1;
        let rest = &self.text[start..];
        let Some(length) = rest.iter().position(|&byte| byte == b'|') else {
            return Err(self.error(self.at, start, "this quoted symbol is not closed"));
        };
        self.at = start + length + 1;
        match rest[..length].iter().position(|&byte| byte == b'\\') {
            Some(at) => Err(self.error(
                start + at,
                start + at + 1,
                "a quoted symbol cannot contain a backslash",
            )),
            None => Ok(Token::new(TokenKind::Quoted, start, start + length)),
        }
    }

    fn string(&mut self) -> Read<TokenKind> {
        let start = self.at;
        self.at += 1;
        loop {
            let rest = &self.text[self.at..];
            let Some(length) = rest.iter().position(|&byte| byte == b'"') else {
                return Err(self.error(start, start + 1, "this string is not closed"));
            };
            self.at += length + 1;
            // Two quotes in a row stand for one inside the string.
            if self.text.get(self.at) != Some(&b'"') {
                return Ok(TokenKind::String);
            }
            self.at += 1;
        }
    }

    fn hash(&mut self) -> Read<TokenKind> {
        let start = self.at;
        self.at += 1;
        self.skip_symbol();
        match &self.text[start + 1..self.at] {
            [b'x', digits @ ..]
                if !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit) =>
            {
                Ok(TokenKind::Hexadecimal)
            }
            [b'b', digits @ ..]
                if !digits.is_empty()
                    && digits.iter().all(|digit| matches!(digit, b'0' | b'1')) =>
            {
                Ok(TokenKind::Binary)
            }
            _ => Err(self.error(start, self.at, "`#` begins a literal such as #xFF or #b01")),
        }
    }

    #[cold]
    fn stray(&self) -> Box<Diagnostic> {
        let byte = self.text[self.at];
        let mut end = self.at + 1;
        while self.text.get(end).is_some_and(|byte| byte & 0xc0 == 0x80) {
            end += 1;
        }
        let what = match std::str::from_utf8(&self.text[self.at..end]) {
            Ok(text) if !byte.is_ascii_control() => format!("`{text}`"),
            Ok(_) | Err(_) => format!("the byte {byte:#04x}"),
        };
        self.error(
            self.at,
            end,
            format!("{what} cannot stand outside strings, quoted symbols and comments"),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexer::Lexer;

    fn check(text: &str, expected: &str) {
        let mut lexer = Lexer::new(text.as_bytes(), 0);
        let mut shown = Vec::new();
        loop {
            match lexer.next() {
                Ok(token) if token.kind == TokenKind::End => break,
                Ok(token) => shown.push(format!("{:?}:{}", token.kind, lexer.token_str(token))),
                Err(error) => {
                    shown.push(format!(
                        "{}..{}: {}",
                        error.span.start, error.span.end, error.message
                    ));
                    break;
                }
            }
        }
        assert_eq!(shown.join(" "), expected);
    }

    #[test]
    fn tokens() {
        check(
            "(f x.y |a b| ; no\n 12 1.50)",
            "Open:( Symbol:f Symbol:x.y Quoted:a b Numeral:12 Decimal:1.50 Close:)",
        );
        check(
            ":named \"a\"\"b\" #xF0 #b10",
            "Keyword::named String:\"a\"\"b\" Hexadecimal:#xF0 Binary:#b10",
        );
        check("<= - -5 ||", "Symbol:<= Symbol:- Symbol:-5 Quoted:");
    }

    #[test]
    fn what_is_no_token() {
        check("1x", "0..2: `1x` is neither a number nor a symbol");
        check("1. ", "0..2: `1.` is neither a number nor a symbol");
        check(" ä", "1..3: `ä` cannot stand outside strings, quoted symbols and comments");
        check(
            "\u{1}",
            "0..1: the byte 0x01 cannot stand outside strings, quoted symbols and comments",
        );
        check("#y", "0..2: `#` begins a literal such as #xFF or #b01");
        check("|a\\b|", "2..3: a quoted symbol cannot contain a backslash");
        check(": x", "0..1: a keyword needs a name after its colon");
    }
}
