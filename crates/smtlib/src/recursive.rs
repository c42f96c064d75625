//! `define-fun-rec` and `define-funs-rec`, as far as no function is defined through itself.
//!
//! Some tools write all their definitions this way. Functions of one command may be defined through
//! those before them in the list. What a function that is defined through itself means no
//! quantifier-free formula says, so it is refused.
//!
//! Source: [SMTLIB] §4.2.3.

use shofar_base::{Diagnostic, Read};
use shofar_term::Sort;

use crate::command::Command;
use crate::definition::Definition;
use crate::names::Name;
use crate::parse::Parser;
use crate::sexpr::{self, expect_close, expect_open};
use crate::token::{Token, TokenKind};

/// The head of a definition: a name, parameters and the sort of the result.
struct Head {
    name: Name,
    token: Token,
    params: Vec<(Name, Sort)>,
    result: Sort,
}

impl Parser<'_, '_> {
    /// `define-fun-rec`.
    pub(crate) fn define_fun_rec(&mut self) -> Read<Command> {
        let head = self.head()?;
        self.define(head, &[])
    }
    /// `define-funs-rec`.
    pub(crate) fn define_funs_rec(&mut self) -> Read<Command> {
        expect_open(self.lexer)?;
        let mut heads = Vec::new();
        loop {
            let token = self.lexer.next()?;
            match token.kind {
                TokenKind::Close if !heads.is_empty() => break,
                TokenKind::Open => heads.push(self.head()?),
                TokenKind::Close
                | TokenKind::Symbol
                | TokenKind::Quoted
                | TokenKind::Keyword
                | TokenKind::Numeral
                | TokenKind::Decimal
                | TokenKind::Hexadecimal
                | TokenKind::Binary
                | TokenKind::String
                | TokenKind::End => {
                    return Err(sexpr::unexpected(self.lexer, "a function", token));
                }
            }
            expect_close(self.lexer)?;
        }
        expect_open(self.lexer)?;
        let mut last = None;
        let mut heads = heads.into_iter();
        while let Some(head) = heads.next() {
            let later: Vec<Name> = heads.as_slice().iter().map(|head| head.name).collect();
            last = Some(self.define(head, &later)?);
        }
        expect_close(self.lexer)?;
        Ok(last.expect("there is a function"))
    }
    fn head(&mut self) -> Read<Head> {
        let (name, token) = self.new_name()?;
        let params = self.params()?;
        let result = self.env.sorts.sort(self.store, self.lexer)?;
        Ok(Head { name, token, params, result })
    }
    /// Reads the body of a function, which may not mention it nor those that are defined later.
    fn define(&mut self, head: Head, later: &[Name]) -> Read<Command> {
        let Head { name, token, params, result } = head;
        let start = self.lexer.offset();
        let first = self.lexer.next()?;
        let end = sexpr::skip(self.lexer, first)?;
        let forbidden: Vec<Name> = later.iter().copied().chain([name]).collect();
        self.lexer.rewind(start);
        if let Some(found) = self.mention_of(&forbidden, &params, end)? {
            return Err(self.recursion(token, found));
        }
        self.lexer.rewind(start);
        if params.is_empty() {
            return self.define_term(name, result);
        }
        let body = self.body(&params, result)?;
        self.env.define(Definition { name, params, result, body });
        Ok(Command::Define { name: self.env.text(name).to_owned() })
    }
    /// The first of some names that occurs before `end` and is no parameter.
    fn mention_of(
        &mut self,
        names: &[Name],
        params: &[(Name, Sort)],
        end: usize,
    ) -> Read<Option<Token>> {
        while self.lexer.offset() < end {
            let token = self.lexer.next()?;
            if sexpr::is_symbol(token) {
                let name = self.env.name_of(self.lexer, token);
                let is_parameter = params.iter().any(|&(param, _)| param == name);
                if names.contains(&name) && !is_parameter {
                    return Ok(Some(token));
                }
            }
        }
        Ok(None)
    }
    fn recursion(&self, name: Token, found: Token) -> Box<Diagnostic> {
        let (name, found_text) = (self.lexer.token_str(name), self.lexer.token_str(found));
        let message = if name == found_text {
            format!("recursive functions are not supported: `{name}` is defined through itself")
        } else {
            format!("`{name}` is defined through `{found_text}`, which is defined later")
        };
        self.lexer.error_at(found, message)
    }
}
