//! The small things commands are made of: symbols, numerals, strings, attributes.

use shofar_base::{Diagnostic, Read};
use shofar_term::WIDEST;

use crate::builtin::{WORDS, Word};
use crate::lexer::Lexer;
use crate::token::{Token, TokenKind};

/// The value of an option or an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttributeValue {
    /// There is none.
    Absent,
    /// A symbol, without bars.
    Symbol(String),
    /// A numeral, decimal or other literal as it was written.
    Literal(String),
    /// A string, without its quotes.
    String(String),
    /// A list, as it was written.
    List(String),
}

impl AttributeValue {
    /// `true` or `false`, if the value is one of these symbols.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            AttributeValue::Symbol(text) => match text.as_str() {
                "true" => Some(true),
                "false" => Some(false),
                _ => None,
            },
            AttributeValue::Absent
            | AttributeValue::Literal(_)
            | AttributeValue::String(_)
            | AttributeValue::List(_) => None,
        }
    }
    /// The text of the value, without quotes and bars; empty if there is none.
    pub fn text(&self) -> &str {
        match self {
            AttributeValue::Absent => "",
            AttributeValue::Symbol(text)
            | AttributeValue::Literal(text)
            | AttributeValue::String(text)
            | AttributeValue::List(text) => text,
        }
    }
}

/// The complaint that something else was expected.
pub(crate) fn unexpected(lexer: &Lexer<'_>, expected: &str, found: Token) -> Box<Diagnostic> {
    lexer.error_at(found, format!("expected {expected}, found {}", found.kind.describe()))
}

/// A token of this kind, which messages call `expected`.
#[inline]
pub(crate) fn expect(lexer: &mut Lexer<'_>, kind: TokenKind, expected: &str) -> Read<Token> {
    let token = lexer.next()?;
    if token.kind == kind { Ok(token) } else { Err(unexpected(lexer, expected, token)) }
}

pub(crate) fn expect_open(lexer: &mut Lexer<'_>) -> Read<Token> {
    expect(lexer, TokenKind::Open, "`(`")
}

#[inline]
pub(crate) fn expect_close(lexer: &mut Lexer<'_>) -> Read<Token> {
    expect(lexer, TokenKind::Close, "`)`")
}

/// Whether the token is a symbol.
#[inline]
pub(crate) fn is_symbol(token: Token) -> bool {
    matches!(token.kind, TokenKind::Symbol | TokenKind::Quoted)
}

/// A symbol, which messages call `expected`.
pub(crate) fn symbol(lexer: &mut Lexer<'_>, expected: &str) -> Read<Token> {
    let token = lexer.next()?;
    if !is_symbol(token) {
        return Err(unexpected(lexer, expected, token));
    }
    let is_reserved = match token.name() {
        Some(name) => Word::of(name).is_some_and(|word| word != Word::Lambda),
        None => WORDS.iter().any(|&(text, word)| {
            word != Word::Lambda && text.as_bytes() == lexer.token_bytes(token)
        }),
    };
    if token.kind == TokenKind::Symbol && is_reserved {
        let text = lexer.token_str(token);
        return Err(
            lexer.error_at(token, format!("expected {expected}, found the reserved word `{text}`"))
        );
    }
    Ok(token)
}

/// Skips the rest of an S-expression that begins with `first`; returns where it ends.
pub(crate) fn skip(lexer: &mut Lexer<'_>, first: Token) -> Read<usize> {
    let mut depth = 0usize;
    let mut token = first;
    loop {
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close if depth == 0 => {
                return Err(unexpected(lexer, "an expression", token));
            }
            TokenKind::Close => depth -= 1,
            TokenKind::End => return Err(unexpected(lexer, "an expression", token)),
            TokenKind::Symbol
            | TokenKind::Quoted
            | TokenKind::Keyword
            | TokenKind::Numeral
            | TokenKind::Decimal
            | TokenKind::Hexadecimal
            | TokenKind::Binary
            | TokenKind::String => {}
        }
        if depth == 0 {
            return Ok(lexer.offset());
        }
        token = lexer.next()?;
    }
}

/// Skips the value of an attribute, if there is one; returns the token behind it.
pub(crate) fn skip_attribute_value(lexer: &mut Lexer<'_>) -> Read<Token> {
    let token = lexer.next()?;
    if matches!(token.kind, TokenKind::Keyword | TokenKind::Close) {
        return Ok(token);
    }
    skip(lexer, token)?;
    lexer.next()
}

/// The value of an attribute and the closing parenthesis of the command behind it.
pub(crate) fn attribute_value(lexer: &mut Lexer<'_>) -> Read<AttributeValue> {
    let token = lexer.next()?;
    if token.kind == TokenKind::Close {
        return Ok(AttributeValue::Absent);
    }
    let end = skip(lexer, token)?;
    let text = lexer.str(token.start(), token.end()).to_owned();
    let value = match token.kind {
        TokenKind::Symbol | TokenKind::Quoted => AttributeValue::Symbol(text),
        TokenKind::String => AttributeValue::String(unquote(&text)),
        TokenKind::Open => AttributeValue::List(lexer.str(token.start(), end).to_owned()),
        TokenKind::Keyword
        | TokenKind::Numeral
        | TokenKind::Decimal
        | TokenKind::Hexadecimal
        | TokenKind::Binary
        | TokenKind::Close
        | TokenKind::End => AttributeValue::Literal(text),
    };
    expect_close(lexer)?;
    Ok(value)
}

/// The contents of a string literal.
pub(crate) fn unquote(literal: &str) -> String {
    literal[1..literal.len() - 1].replace("\"\"", "\"")
}

/// A numeral that is the width of a bit-vector, or a position in one.
pub(crate) fn index(lexer: &mut Lexer<'_>) -> Read<(u32, Token)> {
    let token = expect(lexer, TokenKind::Numeral, "a numeral")?;
    match lexer.token_str(token).parse() {
        Ok(index) if index <= WIDEST => Ok((index, token)),
        Ok(_) | Err(_) => Err(lexer.error_at(token, too_wide())),
    }
}

/// The complaint about bit-vectors that are too wide.
pub(crate) fn too_wide() -> String {
    format!("bit-vectors of more than {WIDEST} bits are not supported")
}
