//! Sorts: those of the theories, those that are declared, and the abbreviations that `define-sort`
//! gives to them.
//!
//! An abbreviation may have parameters; what it stands for is a [`Shape`], which using it fills.
//! The types of a group of data types are read in the same way: while their fields are read, the
//! types themselves are the parameters. A declared sort is an abbreviation of itself.

use shofar_base::{Diagnostic, Map, Read};
use shofar_term::{DEEPEST_SORT, Sort, TermStore};

use crate::builtin::foreign;
use crate::lexer::Lexer;
use crate::sexpr::{self, expect_close, expect_open, is_symbol, unexpected};
use crate::shape::Shape;
use crate::token::{Token, TokenKind};

/// A declared or defined sort.
#[derive(Clone, Debug)]
struct Abbreviation {
    parameters: usize,
    shape: Shape,
}

/// The declared sorts and the abbreviations in scope.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sorts {
    defined: Map<Box<[u8]>, Abbreviation>,
    order: Vec<Box<[u8]>>,
}

/// What stands at the head of a sort in parentheses.
enum Head {
    Array,
    Abbreviation(Abbreviation),
}

/// A sort whose arguments are being read.
struct Application {
    token: Token,
    head: Head,
    arguments: Vec<Shape>,
}

impl Sorts {
    /// How many declared sorts and abbreviations there are.
    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }
    /// Forgets all but the first `count`.
    pub(crate) fn truncate(&mut self, count: usize) {
        let count = count.min(self.order.len());
        for name in self.order.drain(count..) {
            self.defined.remove(&name);
        }
    }
    /// Reads a sort.
    pub(crate) fn sort(&self, store: &mut TermStore, lexer: &mut Lexer<'_>) -> Read<Sort> {
        let token = lexer.peek()?;
        if token.kind == TokenKind::Symbol
            && let Some(sort) = plain(lexer.token_bytes(token))
        {
            lexer.next()?;
            return Ok(sort);
        }
        match self.expression(store, lexer, &[])? {
            Shape::Sort(sort) => Ok(sort),
            Shape::Open(_) => unreachable!("there are no parameters"),
        }
    }
    /// Reads a definition, behind `define-sort`; returns its name.
    pub(crate) fn define(&mut self, store: &mut TermStore, lexer: &mut Lexer<'_>) -> Read<String> {
        let token = self.new_name(lexer)?;
        let parameters = parameters(lexer)?;
        let shape = self.expression(store, lexer, &parameters)?;
        let abbreviation = Abbreviation { parameters: parameters.len(), shape };
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
        let sort = store.declare_sort(text);
        Ok(self.enter(lexer, token, sort))
    }
    /// Enters a sort under a new name, which is returned.
    pub(crate) fn enter(&mut self, lexer: &Lexer<'_>, token: Token, sort: Sort) -> String {
        self.bind(lexer, token, Abbreviation { parameters: 0, shape: Shape::Sort(sort) })
    }
    /// A name that is not yet one of a sort.
    pub(crate) fn new_name(&self, lexer: &mut Lexer<'_>) -> Read<Token> {
        let token = sexpr::symbol(lexer, "the name of a sort")?;
        let name = lexer.token_bytes(token);
        let is_known = plain(name).is_some() || matches!(name, b"Array" | b"BitVec");
        if is_known || self.defined.contains_key(name) {
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
    pub(crate) fn expression(
        &self,
        store: &mut TermStore,
        lexer: &mut Lexer<'_>,
        parameters: &[Box<[u8]>],
    ) -> Read<Shape> {
        let mut open: Vec<Application> = Vec::new();
        loop {
            let token = lexer.next()?;
            let shape = match token.kind {
                TokenKind::Open => {
                    let head = lexer.next()?;
                    if lexer.token_bytes(head) != b"_" {
                        open.push(self.head(lexer, head, parameters)?);
                        continue;
                    }
                    Shape::Sort(bits(store, lexer)?)
                }
                TokenKind::Close => match open.pop() {
                    Some(application) => apply(store, lexer, application)?,
                    None => return Err(unexpected(lexer, "a sort", token)),
                },
                TokenKind::Symbol | TokenKind::Quoted => {
                    let text = lexer.token_bytes(token);
                    match parameters.iter().position(|parameter| **parameter == *text) {
                        Some(position) => Shape::parameter(position),
                        None => self.named(store, lexer, token)?,
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
                Some(application) => application.arguments.push(shape),
                None => return Ok(shape),
            }
        }
    }
    /// The head of a sort in parentheses.
    fn head(&self, lexer: &Lexer<'_>, token: Token, parameters: &[Box<[u8]>]) -> Read<Application> {
        let name = lexer.token_bytes(token);
        let is_parameter = parameters.iter().any(|parameter| **parameter == *name);
        let head = if !is_symbol(token) {
            return Err(unexpected(lexer, "the name of a sort", token));
        } else if is_parameter || plain(name).is_some() {
            let message = format!(
                "the sort `{}` takes no parameters and no parentheses",
                lexer.token_str(token)
            );
            return Err(lexer.error_at(token, message));
        } else if name == b"Array" {
            Head::Array
        } else if let Some(abbreviation) = self.defined.get(name) {
            Head::Abbreviation(abbreviation.clone())
        } else {
            return Err(unknown(lexer, token));
        };
        Ok(Application { token, head, arguments: Vec::new() })
    }
    /// A sort that is a name.
    fn named(&self, store: &mut TermStore, lexer: &Lexer<'_>, token: Token) -> Read<Shape> {
        let text = lexer.token_bytes(token);
        if let Some(sort) = plain(text) {
            return Ok(Shape::Sort(sort));
        }
        if text == b"Array" {
            let application = Application { token, head: Head::Array, arguments: Vec::new() };
            return apply(store, lexer, application);
        }
        let Some(abbreviation) = self.defined.get(text) else {
            return Err(unknown(lexer, token));
        };
        let head = Head::Abbreviation(abbreviation.clone());
        apply(store, lexer, Application { token, head, arguments: Vec::new() })
    }
}

/// The sorts of the theories that are names.
fn plain(name: &[u8]) -> Option<Sort> {
    match name {
        b"Bool" => Some(Sort::BOOL),
        b"Int" => Some(Sort::INT),
        b"Real" => Some(Sort::REAL),
        _ => None,
    }
}

/// `(_ BitVec n)`, behind the underscore.
fn bits(store: &mut TermStore, lexer: &mut Lexer<'_>) -> Read<Sort> {
    let name = lexer.next()?;
    if lexer.token_bytes(name) != b"BitVec" {
        return Err(unknown(lexer, name));
    }
    let width = sexpr::index(lexer)?;
    if width.0 == 0 {
        return Err(lexer.error_at(width.1, "a bit-vector has at least one bit"));
    }
    expect_close(lexer)?;
    Ok(store.bits_sort(width.0))
}

fn apply(store: &mut TermStore, lexer: &Lexer<'_>, application: Application) -> Read<Shape> {
    let Application { token, head, arguments } = application;
    let wanted = match &head {
        Head::Array => 2,
        Head::Abbreviation(abbreviation) => abbreviation.parameters,
    };
    if arguments.len() != wanted {
        let message = format!(
            "the sort `{}` has {wanted} parameters, found {}",
            lexer.token_str(token),
            arguments.len()
        );
        return Err(lexer.error_at(token, message));
    }
    let shape = match (head, &*arguments) {
        (Head::Array, [index, element]) => Shape::array(store, index, element),
        (Head::Array, _) => unreachable!("the arguments are counted"),
        (Head::Abbreviation(abbreviation), _) => abbreviation.shape.fill(store, &arguments),
    };
    shape.ok_or_else(|| {
        let message = format!("sorts that nest more than {DEEPEST_SORT} deep are not supported");
        lexer.error_at(token, message)
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

/// How the error of a sort that nobody has declared begins.
const UNKNOWN: &str = "unknown sort ";

/// Whether the error is that nobody has declared a sort.
pub(crate) fn is_unknown(error: &Diagnostic) -> bool {
    error.message.starts_with(UNKNOWN)
}

fn unknown(lexer: &Lexer<'_>, token: Token) -> Box<Diagnostic> {
    let text = lexer.token_str(token);
    let Some(note) = foreign(text) else {
        return lexer.error_at(token, format!("{UNKNOWN}`{text}`"));
    };
    let span = lexer.span(token.start(), token.end());
    let error = Diagnostic::new(span, format!("the sort `{text}` is not supported"));
    Box::new(error.note(note).note(
        "the supported sorts are Bool, Int, Real, bit-vectors, arrays and declared data types",
    ))
}
