//! Sorts: those of the theories, those that `declare-sort` declares, and the abbreviations that `define-sort` gives to them.
//!
//! An abbreviation may have parameters. Since all sorts here are plain names, whatever it stands for is one of them or one
//! of its parameters, so it is worked out once, when it is defined; using it is a lookup. A declared sort is an abbreviation
//! of itself.

use shofar_base::{Diagnostic, Map, Read};
use shofar_term::{Sort, TermStore};

use crate::builtin::foreign;
use crate::lexer::Lexer;
use crate::sexpr::{self, expect_close, expect_open, is_symbol, unexpected};
use crate::token::{Token, TokenKind};

/// What a sort expression stands for: a sort, or a parameter of the definition it stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    Sort(Sort),
    Parameter(usize),
}

/// A defined sort.
#[derive(Clone, Copy, Debug)]
struct Abbreviation {
    parameters: usize,
    meaning: Meaning,
}

/// The declared sorts and the abbreviations in scope.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sorts {
    defined: Map<Box<[u8]>, Abbreviation>,
    order: Vec<Box<[u8]>>,
}

/// An abbreviation whose arguments are being read.
struct Application {
    head: Token,
    abbreviation: Abbreviation,
    arguments: Vec<Meaning>,
}

impl Sorts {
    /// How many declared sorts and abbreviations there are.
    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }
    /// Forgets all but the first `count`.
    pub(crate) fn truncate(&mut self, count: usize) {
        for name in self.order.drain(count..) {
            self.defined.remove(&name);
        }
    }
    /// Reads a sort.
    pub(crate) fn sort(&self, lexer: &mut Lexer<'_>) -> Read<Sort> {
        let token = lexer.peek()?;
        if token.kind == TokenKind::Symbol
            && let Some(sort) = plain(lexer.token_bytes(token))
        {
            lexer.next()?;
            return Ok(sort);
        }
        match self.expression(lexer, &[])? {
            Meaning::Sort(sort) => Ok(sort),
            Meaning::Parameter(_) => unreachable!("there are no parameters"),
        }
    }
    /// Reads a definition, behind `define-sort`; returns its name.
    pub(crate) fn define(&mut self, lexer: &mut Lexer<'_>) -> Read<String> {
        let token = self.new_name(lexer)?;
        let parameters = parameters(lexer)?;
        let meaning = self.expression(lexer, &parameters)?;
        let abbreviation = Abbreviation { parameters: parameters.len(), meaning };
        Ok(self.bind(lexer, token, abbreviation))
    }
    /// Reads a declaration, behind `declare-sort`; returns its name.
    pub(crate) fn declare(&mut self, store: &mut TermStore, lexer: &mut Lexer<'_>) -> Read<String> {
        let token = self.new_name(lexer)?;
        let text = lexer.token_str(token);
        // Without a numeral the sort has no parameters, as in all solvers.
        if lexer.peek()?.kind != TokenKind::Close {
            let arity = sexpr::expect(lexer, TokenKind::Numeral, "a numeral")?;
            if lexer.token_bytes(arity) != b"0" {
                let message = format!("sorts with parameters are not supported: `{text}`");
                return Err(lexer.error(token.start(), arity.end(), message));
            }
        }
        let meaning = Meaning::Sort(store.declare_sort(text));
        Ok(self.bind(lexer, token, Abbreviation { parameters: 0, meaning }))
    }
    /// A name that is not yet one of a sort.
    fn new_name(&self, lexer: &mut Lexer<'_>) -> Read<Token> {
        let token = sexpr::symbol(lexer, "the name of a sort")?;
        let name = lexer.token_bytes(token);
        if self.defined.contains_key(name) || plain(name).is_some() {
            let text = lexer.token_str(token);
            let message = format!("the sort `{text}` is already declared or defined");
            return Err(lexer.error_at(token, message));
        }
        Ok(token)
    }
    fn bind(&mut self, lexer: &Lexer<'_>, token: Token, abbreviation: Abbreviation) -> String {
        let name: Box<[u8]> = lexer.token_bytes(token).into();
        self.defined.insert(name.clone(), abbreviation);
        self.order.push(name);
        lexer.token_str(token).to_owned()
    }

    /// Reads a sort in which parameters may occur.
    fn expression(&self, lexer: &mut Lexer<'_>, parameters: &[Box<[u8]>]) -> Read<Meaning> {
        let mut open: Vec<Application> = Vec::new();
        loop {
            let token = lexer.next()?;
            let meaning = match token.kind {
                TokenKind::Open => {
                    open.push(self.head(lexer)?);
                    continue;
                }
                TokenKind::Close => match open.pop() {
                    Some(application) => apply(lexer, application)?,
                    None => return Err(unexpected(lexer, "a sort", token)),
                },
                TokenKind::Symbol | TokenKind::Quoted => {
                    let text = lexer.token_bytes(token);
                    match parameters.iter().position(|parameter| **parameter == *text) {
                        Some(position) => Meaning::Parameter(position),
                        None => self.named(lexer, token)?,
                    }
                }
                TokenKind::Keyword
                | TokenKind::Numeral
                | TokenKind::Decimal
                | TokenKind::Hexadecimal
                | TokenKind::Binary
                | TokenKind::String
                | TokenKind::End => return Err(unexpected(lexer, "a sort", token)),
            };
            match open.last_mut() {
                Some(application) => application.arguments.push(meaning),
                None => return Ok(meaning),
            }
        }
    }
    /// The head of a sort in parentheses.
    fn head(&self, lexer: &mut Lexer<'_>) -> Read<Application> {
        let mut head = lexer.next()?;
        if lexer.token_bytes(head) == b"_" {
            head = lexer.next()?;
        } else if is_symbol(head)
            && let Some(&abbreviation) = self.defined.get(lexer.token_bytes(head))
        {
            return Ok(Application { head, abbreviation, arguments: Vec::new() });
        } else if is_symbol(head) && plain(lexer.token_bytes(head)).is_some() {
            let message = format!(
                "the sort `{}` takes no parameters and no parentheses",
                lexer.token_str(head)
            );
            return Err(lexer.error_at(head, message));
        }
        Err(unknown(lexer, head))
    }
    /// A sort that is a name.
    fn named(&self, lexer: &Lexer<'_>, token: Token) -> Read<Meaning> {
        let text = lexer.token_bytes(token);
        if let Some(sort) = plain(text) {
            return Ok(Meaning::Sort(sort));
        }
        let Some(&abbreviation) = self.defined.get(text) else {
            return Err(unknown(lexer, token));
        };
        apply(lexer, Application { head: token, abbreviation, arguments: Vec::new() })
    }
}

/// The sorts of the theories.
fn plain(name: &[u8]) -> Option<Sort> {
    match name {
        b"Bool" => Some(Sort::BOOL),
        b"Int" => Some(Sort::INT),
        b"Real" => Some(Sort::REAL),
        _ => None,
    }
}

fn apply(lexer: &Lexer<'_>, application: Application) -> Read<Meaning> {
    let Application { head, abbreviation, arguments } = application;
    if arguments.len() != abbreviation.parameters {
        let message = format!(
            "the sort `{}` has {} parameters, found {}",
            lexer.token_str(head),
            abbreviation.parameters,
            arguments.len()
        );
        return Err(lexer.error_at(head, message));
    }
    Ok(match abbreviation.meaning {
        Meaning::Sort(sort) => Meaning::Sort(sort),
        Meaning::Parameter(position) => arguments[position],
    })
}

fn parameters(lexer: &mut Lexer<'_>) -> Read<Vec<Box<[u8]>>> {
    expect_open(lexer)?;
    let mut parameters: Vec<Box<[u8]>> = Vec::new();
    let mut seen = shofar_base::Set::default();
    loop {
        if lexer.peek()?.kind == TokenKind::Close {
            expect_close(lexer)?;
            return Ok(parameters);
        }
        let token = sexpr::symbol(lexer, "the name of a parameter")?;
        let name: Box<[u8]> = lexer.token_bytes(token).into();
        if !seen.insert(name.clone()) {
            let message = format!("the parameter `{}` occurs twice", lexer.token_str(token));
            return Err(lexer.error_at(token, message));
        }
        parameters.push(name);
    }
}

fn unknown(lexer: &Lexer<'_>, token: Token) -> Box<Diagnostic> {
    let text = lexer.token_str(token);
    let Some(note) = foreign(text) else {
        return lexer.error_at(token, format!("unknown sort `{text}`"));
    };
    let span = lexer.span(token.start(), token.end());
    let error = Diagnostic::new(span, format!("the sort `{text}` is not supported"));
    Box::new(error.note(note).note("the supported sorts are Bool, Int and Real"))
}
