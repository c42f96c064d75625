//! Tokens: what they are and where they stand.

use std::num::NonZeroU32;

use shofar_base::Idx;

use crate::names::Name;

/// What a token is. As wide as the other parts of a token, so that one is copied without its gaps
/// being looked after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum TokenKind {
    Open,
    Close,
    Symbol,
    /// A symbol between bars; its range leaves the bars out.
    Quoted,
    /// Its range includes the colon.
    Keyword,
    Numeral,
    Decimal,
    Hexadecimal,
    Binary,
    /// Its range includes the quotes.
    String,
    End,
}

impl TokenKind {
    /// The kind in words, for messages.
    pub(crate) fn describe(self) -> &'static str {
        match self {
            TokenKind::Open => "`(`",
            TokenKind::Close => "`)`",
            TokenKind::Symbol | TokenKind::Quoted => "a symbol",
            TokenKind::Keyword => "a keyword",
            TokenKind::Numeral => "a numeral",
            TokenKind::Decimal => "a decimal",
            TokenKind::Hexadecimal => "a hexadecimal",
            TokenKind::Binary => "a binary",
            TokenKind::String => "a string",
            TokenKind::End => "the end of the command",
        }
    }
}

/// A token: its kind and its bytes, as offsets into the lexer's text.
///
/// Small enough to travel in registers, which is why commands must be shorter than 4 GB.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    from: u32,
    to: u32,
    /// The number of its name plus one, if somebody has looked it up.
    pub(crate) name: Option<NonZeroU32>,
}

impl Token {
    /// A token of a text that is not longer than [`LONGEST_COMMAND`].
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "whoever scans has checked the length")]
    pub(crate) fn new(kind: TokenKind, start: usize, end: usize) -> Self {
        Self { kind, from: start as u32, to: end as u32, name: None }
    }
    /// Where it begins.
    #[inline]
    pub(crate) fn start(self) -> usize {
        self.from as usize
    }
    /// Where it has ended.
    #[inline]
    pub(crate) fn end(self) -> usize {
        self.to as usize
    }
    /// What a symbol is called, if somebody has looked it up.
    #[inline]
    pub(crate) fn name(self) -> Option<Name> {
        self.name.map(|number| Name::from_index(number.get() as usize - 1))
    }
    /// The same with its name.
    #[inline]
    pub(crate) fn named(self, name: Name) -> Self {
        let number = u32::try_from(name.index() + 1).ok().and_then(NonZeroU32::new);
        Self { name: number, ..self }
    }
    /// Where the next one is looked for: behind the bar of a quoted symbol.
    #[inline]
    pub(crate) fn behind(self) -> usize {
        self.end() + usize::from(self.kind == TokenKind::Quoted)
    }
}

/// Longer commands cannot be read.
pub(crate) const LONGEST_COMMAND: usize = u32::MAX as usize;
