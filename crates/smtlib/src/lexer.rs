//! The tokens of one command, one after the other, and the text they stand in.
//!
//! Tokens are scanned in blocks, so that a command of any length takes a bounded amount of memory.

use shofar_base::{Diagnostic, Read, Span};
use shofar_num::Rational;

use crate::scanner::Scanner;
use crate::token::{Token, TokenKind};

/// So many tokens are scanned at a time.
const BLOCK: usize = 256;

/// The tokens of one command.
pub(crate) struct Lexer<'a> {
    text: &'a [u8],
    /// Offset of the text in the stream.
    base: usize,
    block: Vec<Token>,
    /// How many tokens of the block have been read.
    read: usize,
    /// Where the block began.
    begin: usize,
}

impl<'a> Lexer<'a> {
    /// The tokens of `text`, which stands at `base` in the stream.
    pub(crate) fn new(text: &'a [u8], base: usize) -> Self {
        Self::scanned(text, base, Vec::new())
    }
    /// The same, of which the first tokens have been scanned already.
    pub(crate) fn scanned(text: &'a [u8], base: usize, tokens: Vec<Token>) -> Self {
        Self { text, base, block: tokens, read: 0, begin: 0 }
    }
    /// Gives the memory for the tokens back.
    pub(crate) fn into_memory(mut self) -> Vec<Token> {
        self.block.clear();
        self.block
    }
    /// The bytes of a range.
    pub(crate) fn bytes(&self, start: usize, end: usize) -> &'a [u8] {
        &self.text[start..end]
    }
    /// The bytes of a token.
    #[inline]
    pub(crate) fn token_bytes(&self, token: Token) -> &'a [u8] {
        &self.text[token.start()..token.end()]
    }
    /// The text of a range; the command's UTF-8 was checked and ranges begin and end at tokens.
    pub(crate) fn str(&self, start: usize, end: usize) -> &'a str {
        std::str::from_utf8(&self.text[start..end]).expect("the command's UTF-8 was checked")
    }
    /// The text of a token.
    pub(crate) fn token_str(&self, token: Token) -> &'a str {
        self.str(token.start(), token.end())
    }
    /// The value of a numeral or decimal; of short numerals without a detour.
    pub(crate) fn number(&self, token: Token) -> Rational {
        if token.kind == TokenKind::Numeral
            && let Some(value) = short_integer(self.token_bytes(token))
        {
            return Rational::from(value);
        }
        self.token_str(token).parse().expect("the scanner knows numbers")
    }
    /// A range of the text as a span of the stream.
    pub(crate) fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.base + start, self.base + end)
    }
    /// An error at a range of the text.
    #[cold]
    pub(crate) fn error(
        &self,
        start: usize,
        end: usize,
        message: impl Into<String>,
    ) -> Box<Diagnostic> {
        Box::new(Diagnostic::new(self.span(start, end), message))
    }
    /// An error at a token.
    #[cold]
    pub(crate) fn error_at(&self, token: Token, message: impl Into<String>) -> Box<Diagnostic> {
        self.error(token.start(), token.end(), message)
    }

    /// The next token.
    #[inline]
    pub(crate) fn next(&mut self) -> Read<Token> {
        let token = self.peek()?;
        self.read += 1;
        Ok(token)
    }
    /// The next token, which remains the next one.
    #[inline]
    pub(crate) fn peek(&mut self) -> Read<Token> {
        if self.read == self.block.len() {
            self.refill()?;
        }
        Ok(self.block[self.read])
    }
    /// The next tokens that are known without further ado.
    #[inline]
    pub(crate) fn ahead(&self) -> &[Token] {
        &self.block[self.read..]
    }
    /// Passes over tokens that are known.
    #[inline]
    pub(crate) fn skip(&mut self, count: usize) {
        self.read += count;
    }
    #[cold]
    fn refill(&mut self) -> Read<()> {
        self.rewind(self.offset());
        Scanner::new(self.text, self.begin, self.base).tokens(&mut self.block, BLOCK)
    }
    /// Behind the last token.
    pub(crate) fn offset(&self) -> usize {
        self.block[..self.read].last().map_or(self.begin, |token| token.behind())
    }
    /// Goes back to an earlier offset.
    pub(crate) fn rewind(&mut self, offset: usize) {
        (self.begin, self.read) = (offset, 0);
        self.block.clear();
    }
}

/// The value of digits, if there are so few that it fits.
#[inline]
pub(crate) fn short_integer(digits: &[u8]) -> Option<i64> {
    const MOST_DIGITS: usize = 18;
    if digits.len() > MOST_DIGITS {
        return None;
    }
    Some(digits.iter().fold(0, |value, digit| value * 10 + i64::from(digit - b'0')))
}
