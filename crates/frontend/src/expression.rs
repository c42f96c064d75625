//! Expressions with operators, brackets and applications.
//!
//! A language says in [`Operators`] which signs and words are operators and how tightly they bind,
//! and by [`Meaning`] what names and applications stand for. Reading is by precedence with two
//! stacks, so that nesting costs memory but no recursion.
//!
//! What a name stands for may depend on its place: in `p :- q, x = 1` the name `q` is a predicate
//! and `x` a variable. So a name stays an [`Operand`] of its own until an operator takes it as a
//! formula or as a value.

use shofar_base::{Diagnostic, Span};
use shofar_num::Rational;
use shofar_term::{Sort, Term, TermStore};

use crate::lexer::{Cursor, Token, TokenKind};
use crate::operation::{Connective, Op};

/// The operators of a language, each with how tightly it binds; all associate to the left.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operators {
    pub(crate) prefix: &'static [(&'static str, Op, u8)],
    pub(crate) infix: &'static [(&'static str, Op, u8)],
    /// What opens the arguments of an application, and what closes them.
    pub(crate) application: &'static [(&'static str, &'static str)],
    /// Whether conjunctions and disjunctions need brackets beside each other.
    pub(crate) brackets_connectives: bool,
}

impl Operators {
    /// Whether the token is an operator in front of its operand.
    pub(crate) fn is_prefix(&self, cursor: &Cursor<'_>, token: Token) -> bool {
        self.prefix.iter().any(|(text, ..)| cursor.is(token, text))
    }
}

/// A part of an expression.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operand {
    pub(crate) value: Value,
    pub(crate) span: Span,
    /// Whether a predicate occurs in it.
    pub(crate) has_pred: bool,
    /// The connective that it was made by, unless there are brackets around it.
    pub(crate) connective: Option<Connective>,
}

/// What an operand is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value {
    Term(Term),
    /// A name by itself, of which it is not known yet what it stands for.
    Name(Token),
}

/// What names stand for.
pub(crate) trait Meaning {
    /// A name where a value is expected.
    fn value(&mut self, store: &mut TermStore, name: &str, at: Span) -> Result<Term, Diagnostic>;
    /// A name where a formula is expected, and whether it is a predicate; a value, where names of
    /// predicates have no such place.
    fn formula(
        &mut self,
        store: &mut TermStore,
        name: &str,
        at: Span,
    ) -> Result<(Term, bool), Diagnostic> {
        Ok((self.value(store, name, at)?, false))
    }
    /// A name with arguments, and whether it is a predicate.
    fn apply(
        &mut self,
        reader: &mut Reader<'_, '_>,
        name: Token,
        arguments: &[Operand],
    ) -> Result<(Term, bool), Diagnostic>;
}

/// What an expression is read with.
pub(crate) struct Reader<'r, 't> {
    pub(crate) store: &'r mut TermStore,
    pub(crate) cursor: &'r mut Cursor<'t>,
    pub(crate) operators: &'static Operators,
}

/// What waits for its right end.
enum Waiting {
    Prefix(Op, u8, Span),
    Infix(Op, u8),
    Bracket(Span),
    Application { name: Token, arguments: Vec<Operand>, close: &'static str },
}

struct Stacks {
    waiting: Vec<Waiting>,
    operands: Vec<Operand>,
    /// How many of those that wait are brackets or applications.
    open: usize,
}

impl Reader<'_, '_> {
    /// Reads an expression; it ends before the first token that cannot go on with it.
    pub(crate) fn expression(&mut self, meaning: &mut dyn Meaning) -> Result<Operand, Diagnostic> {
        let mut stacks = Stacks { waiting: Vec::new(), operands: Vec::new(), open: 0 };
        loop {
            while !self.operand(&mut stacks, meaning)? {}
            while self.close(&mut stacks, meaning)? {}
            if !self.infix(&mut stacks, meaning)? {
                break;
            }
        }
        if stacks.open > 0 {
            return Err(self.cursor.unexpected("an operator or the end of a bracket"));
        }
        self.reduce(&mut stacks, 0, meaning)?;
        Ok(stacks.operands.pop().expect("an expression is made of an operand"))
    }
    /// Reads what stands before an operator; says whether an operand is complete.
    fn operand(
        &mut self,
        stacks: &mut Stacks,
        meaning: &mut dyn Meaning,
    ) -> Result<bool, Diagnostic> {
        let token = self.cursor.peek();
        let prefix = self.operators.prefix.iter().find(|(text, ..)| self.cursor.is(token, text));
        if let Some(&(_, op, power)) = prefix {
            self.cursor.next();
            stacks.waiting.push(Waiting::Prefix(op, power, token.span));
            return Ok(false);
        }
        if self.cursor.eat("(") {
            stacks.waiting.push(Waiting::Bracket(token.span));
            stacks.open += 1;
            return Ok(false);
        }
        match token.kind {
            TokenKind::Name | TokenKind::Quoted => {
                self.cursor.next();
                self.named(stacks, token, meaning)
            }
            TokenKind::Number | TokenKind::Decimal => {
                self.cursor.next();
                let sort = if token.kind == TokenKind::Number { Sort::INT } else { Sort::REAL };
                let number: Rational =
                    self.cursor.text(token).parse().expect("digits make a number");
                let term = self.store.number(number, sort);
                stacks.operands.push(Operand::of(Value::Term(term), token.span, false));
                Ok(true)
            }
            TokenKind::Sign | TokenKind::End => Err(self.cursor.unexpected("an expression")),
        }
    }
    /// A name by itself, or the beginning of an application.
    fn named(
        &mut self,
        stacks: &mut Stacks,
        name: Token,
        meaning: &mut dyn Meaning,
    ) -> Result<bool, Diagnostic> {
        let next = self.cursor.peek();
        let opening =
            self.operators.application.iter().find(|(open, _)| self.cursor.is(next, open));
        let Some(&(_, close)) = opening else {
            stacks.operands.push(Operand::of(Value::Name(name), name.span, false));
            return Ok(true);
        };
        self.cursor.next();
        if self.cursor.eat(close) {
            self.applied(stacks, name, &[], meaning)?;
            return Ok(true);
        }
        stacks.waiting.push(Waiting::Application { name, arguments: Vec::new(), close });
        stacks.open += 1;
        Ok(false)
    }
    fn applied(
        &mut self,
        stacks: &mut Stacks,
        name: Token,
        arguments: &[Operand],
        meaning: &mut dyn Meaning,
    ) -> Result<(), Diagnostic> {
        let (term, is_pred) = meaning.apply(self, name, arguments)?;
        let span = Span::new(name.span.start, self.cursor.end_of_last());
        stacks.operands.push(Operand::of(Value::Term(term), span, is_pred));
        Ok(())
    }
    /// Closes a bracket or an application if it ends here; says whether.
    fn close(
        &mut self,
        stacks: &mut Stacks,
        meaning: &mut dyn Meaning,
    ) -> Result<bool, Diagnostic> {
        let innermost = stacks.waiting.iter().rev().find_map(|waiting| match waiting {
            Waiting::Bracket(_) => Some(")"),
            Waiting::Application { close, .. } => Some(*close),
            Waiting::Prefix(..) | Waiting::Infix(..) => None,
        });
        let Some(close) = innermost.filter(|close| self.cursor.is(self.cursor.peek(), close))
        else {
            return Ok(false);
        };
        self.reduce(stacks, 0, meaning)?;
        let end = self.cursor.expect(close)?.span.end;
        let operand = stacks.operands.pop().expect("a bracket is around an operand");
        stacks.open -= 1;
        match stacks.waiting.pop() {
            Some(Waiting::Bracket(start)) => {
                let span = Span::new(start.start, end);
                stacks.operands.push(Operand { span, connective: None, ..operand });
            }
            Some(Waiting::Application { name, mut arguments, .. }) => {
                arguments.push(operand);
                self.applied(stacks, name, &arguments, meaning)?;
            }
            Some(Waiting::Prefix(..) | Waiting::Infix(..)) | None => {
                unreachable!("operators in brackets have been reduced")
            }
        }
        Ok(true)
    }
    /// Reads an infix operator or what separates arguments; says whether there is one.
    fn infix(
        &mut self,
        stacks: &mut Stacks,
        meaning: &mut dyn Meaning,
    ) -> Result<bool, Diagnostic> {
        let token = self.cursor.peek();
        if self.cursor.is(token, ",") && self.argument(stacks, meaning)? {
            return Ok(true);
        }
        let infix = self.operators.infix.iter().find(|(text, ..)| self.cursor.is(token, text));
        let Some(&(_, op, power)) = infix else { return Ok(false) };
        self.reduce(stacks, power, meaning)?;
        self.cursor.next();
        stacks.waiting.push(Waiting::Infix(op, power));
        Ok(true)
    }
    /// Takes an argument of an application, if the innermost bracket is one.
    fn argument(
        &mut self,
        stacks: &mut Stacks,
        meaning: &mut dyn Meaning,
    ) -> Result<bool, Diagnostic> {
        let is_operator = |w: &&Waiting| matches!(w, Waiting::Prefix(..) | Waiting::Infix(..));
        let inner = stacks.waiting.iter().rev().find(|waiting| !is_operator(waiting));
        if !matches!(inner, Some(Waiting::Application { .. })) {
            return Ok(false);
        }
        self.reduce(stacks, 0, meaning)?;
        let operand = stacks.operands.pop().expect("an argument is made of an operand");
        if let Some(Waiting::Application { arguments, .. }) = stacks.waiting.last_mut() {
            arguments.push(operand);
        }
        self.cursor.next();
        Ok(true)
    }
    /// Applies the operators on top that bind at least as tightly as `power`.
    fn reduce(
        &mut self,
        stacks: &mut Stacks,
        power: u8,
        meaning: &mut dyn Meaning,
    ) -> Result<(), Diagnostic> {
        loop {
            let result = match stacks.waiting.last() {
                Some(&Waiting::Prefix(op, own, start)) if own >= power => {
                    let operand = stacks.operands.pop().expect("an operator has its operand");
                    let span = Span::new(start.start, operand.span.end);
                    self.unary(op, operand, span, meaning)?
                }
                Some(&Waiting::Infix(op, own)) if own >= power => {
                    let right = stacks.operands.pop().expect("an operator has two operands");
                    let left = stacks.operands.pop().expect("an operator has two operands");
                    self.binary(op, left, right, meaning)?
                }
                Some(
                    Waiting::Prefix(..)
                    | Waiting::Infix(..)
                    | Waiting::Bracket(_)
                    | Waiting::Application { .. },
                )
                | None => return Ok(()),
            };
            stacks.waiting.pop();
            stacks.operands.push(result);
        }
    }
    /// The operand as a formula, and whether a predicate occurs in it.
    pub(crate) fn formula(
        &mut self,
        operand: Operand,
        meaning: &mut dyn Meaning,
    ) -> Result<(Term, bool), Diagnostic> {
        let (term, has_pred) = match operand.value {
            Value::Term(term) => (term, operand.has_pred),
            Value::Name(name) => {
                meaning.formula(self.store, self.cursor.text(name), operand.span)?
            }
        };
        if !self.store.sort(term).is_bool() {
            return Err(Diagnostic::new(operand.span, "expected a formula, found a number"));
        }
        Ok((term, has_pred))
    }
    /// The operand as a number or a truth value.
    pub(crate) fn value(
        &mut self,
        operand: Operand,
        meaning: &mut dyn Meaning,
    ) -> Result<Term, Diagnostic> {
        match operand.value {
            Value::Term(_) if operand.has_pred => {
                Err(Diagnostic::new(operand.span, "expected a value, found a predicate"))
            }
            Value::Term(term) => Ok(term),
            Value::Name(name) => meaning.value(self.store, self.cursor.text(name), operand.span),
        }
    }
    /// The operand as a number.
    pub(crate) fn number(
        &mut self,
        operand: Operand,
        meaning: &mut dyn Meaning,
    ) -> Result<Term, Diagnostic> {
        let term = self.value(operand, meaning)?;
        if self.store.sort(term).is_bool() {
            return Err(Diagnostic::new(operand.span, "expected a number, found a formula"));
        }
        Ok(term)
    }
}

impl Operand {
    pub(crate) fn of(value: Value, span: Span, has_pred: bool) -> Self {
        Self { value, span, has_pred, connective: None }
    }
}
