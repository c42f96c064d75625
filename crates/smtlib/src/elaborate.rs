//! From the tokens of a term to the term, in one pass and without recursion.
//!
//! Every open parenthesis is a [`Frame`] on an explicit stack; the arguments read so far are on a
//! second one. When a parenthesis closes, its frame takes its arguments and delivers a value to the
//! frame below. Arithmetic values stay linear combinations (see [`crate::sums`]) until somebody
//! wants a term, so nested sums and comparisons make no terms for their parts. Sorts are checked
//! when an argument arrives, where its position is still known.
//!
//! Invariant: the values above `frame.values` are the arguments of the innermost frame, and of two
//! linear combinations on the stack the later one has the later monomials.

use shofar_base::{Diagnostic, Read};
use shofar_num::Rational;
use shofar_term::print::print_sort;
use shofar_term::{Quantifier, Sort, Symbol, Term, TermStore};

use crate::builtin::{Builtin, Word, foreign, negated_number};
use crate::cases::Match;
use crate::definition::DefinitionId;
use crate::environment::{Environment, Meaning};
use crate::flat::FlatSum;
use crate::lexer::Lexer;
use crate::marks::Mark;
use crate::names::Name;
use crate::operation::Operation;
use crate::sexpr;
use crate::sums::{Sums, Value};
use crate::token::{Token, TokenKind};

/// What an open parenthesis begins.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Form {
    Apply(Builtin),
    Call(DefinitionId),
    /// A declared function or predicate.
    Function(Symbol),
    /// A function of arrays, bit-vectors or data types.
    Operation(Operation),
    /// What a `match` is about.
    Matched,
    /// The list of cases of the `match` at this place of the list of matches.
    Cases(usize),
    /// The body of a case, and how many local bindings there were outside.
    Case(usize),
    /// The body of a quantifier whose variables begin at this place of the list of binders.
    Quantified(Quantifier, usize),
    /// A test for divisibility by the number at this place of the list of divisors.
    Divisible(usize),
    /// The list of bindings of a `let`; the names bound so far begin at this place.
    Bindings(usize),
    /// One binding, behind its name.
    Binding,
    /// The body of a `let`, and how many local bindings there were outside.
    Body(usize),
    Annotated,
}

/// An open parenthesis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) form: Form,
    /// Where its arguments begin.
    pub(crate) values: usize,
    /// Where it stands in the text.
    pub(crate) open: usize,
}

/// The stacks, kept from one term to the next for their memory.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    pub(crate) frames: Vec<Frame>,
    pub(crate) values: Vec<Value>,
    pub(crate) sums: Sums,
    pub(crate) flat: FlatSum,
    /// The names in bindings of `let`s whose bodies have not begun.
    pub(crate) names: Vec<(Name, Token)>,
    /// The variables of the quantifiers whose bodies are being read.
    pub(crate) binders: Vec<Term>,
    /// Arguments of the function that is being applied.
    pub(crate) terms: Vec<Term>,
    /// The numbers of `(_ divisible n)`.
    pub(crate) divisors: Vec<Rational>,
    /// The `match`es whose cases are being read.
    pub(crate) matches: Vec<Match>,
}

/// What the annotations of a whole term say.
#[derive(Clone, Debug, Default)]
pub(crate) struct Labels {
    /// Its name.
    pub(crate) name: Option<Name>,
    /// The group for interpolation that it belongs to.
    pub(crate) group: Option<String>,
}

/// Elaborates terms.
pub(crate) struct Elaborator<'e, 'a> {
    pub(crate) env: &'e mut Environment,
    pub(crate) store: &'e mut TermStore,
    pub(crate) lexer: &'e mut Lexer<'a>,
    pub(crate) work: Box<Workspace>,
    /// How many textual expansions of definitions this one is inside of.
    pub(crate) depth: usize,
    /// Whether this is the body of a definition with parameters.
    pub(crate) parametric: bool,
    /// Whether the error is one that may go away when the parameters are known.
    pub(crate) deferrable: bool,
    /// What annotations say about the whole term.
    pub(crate) labels: Labels,
    /// The value of the whole term, once it is complete.
    pub(crate) whole: Option<Value>,
    /// The positions that names have marked, if names mark positions.
    pub(crate) marks: Option<Vec<Mark>>,
}

impl<'e, 'a> Elaborator<'e, 'a> {
    /// For the terms that the lexer comes to.
    pub(crate) fn new(
        env: &'e mut Environment,
        store: &'e mut TermStore,
        lexer: &'e mut Lexer<'a>,
    ) -> Self {
        let work = env.workspace.take().unwrap_or_default();
        Self {
            env,
            store,
            lexer,
            work,
            depth: 0,
            parametric: false,
            deferrable: false,
            labels: Labels::default(),
            whole: None,
            marks: None,
        }
    }
    /// Reads the term that begins with `first`.
    pub(crate) fn term(&mut self, first: Token) -> Read<Term> {
        let locals = self.env.locals();
        self.labels = Labels::default();
        let result = self.run(first).map(|value| self.make_term(value));
        self.work.sums.clear();
        self.work.divisors.clear();
        if result.is_err() {
            self.env.unbind_locals(locals);
            self.work.frames.clear();
            self.work.values.clear();
            self.work.names.clear();
            self.work.binders.clear();
            self.work.matches.clear();
        }
        result
    }
    /// Reads the term that begins with `first` and is to have this sort.
    pub(crate) fn term_of_sort(&mut self, first: Token, sort: Sort) -> Read<Term> {
        let term = self.term(first)?;
        match self.coerce(term, sort) {
            Some(term) => Ok(term),
            None => Err(self.wrong_sort(
                first.start(),
                &print_sort(self.store, sort),
                self.store.sort(term),
            )),
        }
    }
    /// Gives the stacks back.
    pub(crate) fn finish(self) {
        self.env.workspace = Some(self.work);
    }

    fn run(&mut self, first: Token) -> Read<Value> {
        let mut token = first;
        loop {
            self.step(token)?;
            if self.work.frames.is_empty() {
                return Ok(self.whole.take().expect("what is outside all frames is the whole"));
            }
            token = self.lexer.next()?;
        }
    }
    /// Takes the next token.
    fn step(&mut self, token: Token) -> Read<()> {
        if let Some(Frame { form, .. }) = self.work.frames.last() {
            if let Form::Bindings(names) = *form {
                return self.read_binding(token, names);
            }
            if let Form::Cases(place) = *form {
                return self.read_case(token, place);
            }
        }
        let value = match token.kind {
            TokenKind::Open => return self.open(token),
            TokenKind::Close => return self.close(token),
            TokenKind::Symbol | TokenKind::Quoted => Value::Term(self.symbol(token)?),
            TokenKind::Numeral => {
                let value = self.lexer.number(token);
                Value::Sum(self.work.sums.number(value, self.env.numeral_sort()))
            }
            TokenKind::Decimal => {
                let value = self.lexer.number(token);
                Value::Sum(self.work.sums.number(value, Sort::REAL))
            }
            TokenKind::Hexadecimal | TokenKind::Binary => Value::Term(self.bits_literal(token)?),
            TokenKind::String => {
                return Err(self.lexer.error_at(token, "strings are not supported in terms"));
            }
            TokenKind::Keyword | TokenKind::End => {
                return Err(self
                    .lexer
                    .error_at(token, format!("expected a term, found {}", token.kind.describe())));
            }
        };
        self.deliver(value, token.start())
    }

    /// A symbol that stands alone.
    pub(crate) fn symbol(&mut self, token: Token) -> Read<Term> {
        let name = self.env.name_of(self.lexer, token);
        match self.env.meaning(name) {
            Meaning::Term(term) => Ok(term),
            Meaning::Builtin(Builtin::True) => Ok(self.store.top()),
            Meaning::Builtin(Builtin::False) => Ok(self.store.bottom()),
            Meaning::Builtin(_) | Meaning::Definition(_) | Meaning::Function(_) => {
                let message =
                    format!("`{}` is a function and needs arguments", self.env.text(name));
                Err(self.lexer.error_at(token, message))
            }
            Meaning::Data(id) => self.data_constant(id).map_err(|what| {
                self.lexer.error_at(token, format!("`{}` {what}", self.env.text(name)))
            }),
            Meaning::Unbound if Operation::of(name).is_some() => {
                let message =
                    format!("`{}` is a function and needs arguments", self.env.text(name));
                Err(self.lexer.error_at(token, message))
            }
            Meaning::Unbound => Err(self.unknown(token)),
        }
    }
    /// The complaint about a symbol without a meaning.
    pub(crate) fn unknown(&self, token: Token) -> Box<Diagnostic> {
        let text = self.lexer.token_str(token);
        let error = Diagnostic::new(
            self.lexer.span(token.start(), token.end()),
            format!("unknown symbol `{text}`"),
        );
        Box::new(match (negated_number(text), foreign(text)) {
            (Some(digits), _) => error.note(format!("a negative number is written `(- {digits})`")),
            (None, Some(note)) => error.note(note),
            (None, None) => error,
        })
    }

    /// The token after an opening parenthesis says what it is.
    fn open(&mut self, open: Token) -> Read<()> {
        let head = self.lexer.next()?;
        let form = match head.kind {
            TokenKind::Symbol => {
                let name = self.env.name_of(self.lexer, head);
                match Word::of(name) {
                    None => self.function(head, name)?,
                    Some(Word::Let) => self.open_let()?,
                    Some(Word::Annotation) => Form::Annotated,
                    Some(Word::As) => {
                        let term = self.ascription(open)?;
                        return self.deliver(Value::Term(term), open.start());
                    }
                    Some(Word::Underscore) => {
                        let term = self.indexed(head)?;
                        return self.deliver(Value::Term(term), open.start());
                    }
                    Some(Word::Match) => Form::Matched,
                    Some(Word::Forall) => self.open_quantifier(head, Quantifier::Forall)?,
                    Some(Word::Exists) => self.open_quantifier(head, Quantifier::Exists)?,
                    Some(Word::Lambda | Word::Par) => return Err(self.binder(head)),
                }
            }
            TokenKind::Quoted => {
                let name = self.env.name_of(self.lexer, head);
                self.function(head, name)?
            }
            TokenKind::Open => self.indexed_function()?,
            TokenKind::Close
            | TokenKind::Keyword
            | TokenKind::Numeral
            | TokenKind::Decimal
            | TokenKind::Hexadecimal
            | TokenKind::Binary
            | TokenKind::String
            | TokenKind::End => {
                return Err(self.lexer.error_at(
                    head,
                    format!("expected a function, found {}", head.kind.describe()),
                ));
            }
        };
        if let Form::Apply(builtin) = form
            && let Some(value) = self.flat_value(builtin)
        {
            return self.deliver(value, open.start());
        }
        self.push(form, open.start());
        Ok(())
    }
    /// What begins with this function, if it is so simple that it needs no frame.
    fn flat_value(&mut self, builtin: Builtin) -> Option<Value> {
        if matches!(builtin, Builtin::Add | Builtin::Sub | Builtin::Mul) {
            return self.flat_sum(builtin).map(Value::Sum);
        }
        let (relation, minuend) = builtin.relation()?;
        self.flat_comparison(minuend, relation).map(Value::Term)
    }
    pub(crate) fn push(&mut self, form: Form, open: usize) {
        self.work.frames.push(Frame { form, values: self.work.values.len(), open });
    }
    /// The function of this name.
    fn function(&mut self, head: Token, name: Name) -> Read<Form> {
        match self.env.meaning(name) {
            Meaning::Builtin(builtin) => Ok(Form::Apply(builtin)),
            Meaning::Definition(id) => Ok(Form::Call(id)),
            Meaning::Function(symbol) => Ok(Form::Function(symbol)),
            Meaning::Term(_) => {
                // A variable does not hide a constructor or selector that has arguments, as in z3.
                if let Meaning::Data(id) = self.env.global(name) {
                    return Ok(Form::Operation(self.data_function(id)));
                }
                let message =
                    format!("`{}` is a constant and takes no arguments", self.env.text(name));
                Err(self.lexer.error_at(head, message))
            }
            Meaning::Data(id) => Ok(Form::Operation(self.data_function(id))),
            Meaning::Unbound => {
                if let Some(operation) = Operation::of(name).or_else(|| self.is_operation(head)) {
                    return Ok(Form::Operation(operation));
                }
                let mut error = self.unknown(head);
                error.message = format!("unknown function `{}`", self.lexer.token_str(head));
                Err(error)
            }
        }
    }

    /// The test `is-c` for a constructor `c`.
    fn is_operation(&mut self, head: Token) -> Option<Operation> {
        let constructor = self.lexer.token_bytes(head).strip_prefix(b"is-")?;
        let name = self.env.intern(constructor);
        self.env.constructors_named(name).map(|id| self.tester(id))
    }

    /// The innermost parenthesis closes.
    fn close(&mut self, token: Token) -> Read<()> {
        let Some(frame) = self.work.frames.pop() else {
            return Err(self.lexer.error_at(token, "expected a term, found `)`"));
        };
        let value = match frame.form {
            Form::Apply(builtin) => self.apply(builtin, frame)?,
            Form::Call(id) => self.call(id, frame)?,
            Form::Function(symbol) => self.apply_function(symbol, frame)?,
            Form::Divisible(place) => self.apply_divisible(place, frame)?,
            Form::Operation(operation) => self.apply_operation(operation, frame)?,
            Form::Bindings(_)
            | Form::Binding
            | Form::Matched
            | Form::Cases(_)
            | Form::Case(_)
            | Form::Body(_)
            | Form::Quantified(..)
            | Form::Annotated => {
                return Err(self.lexer.error_at(token, "expected a term, found `)`"));
            }
        };
        self.deliver(value, frame.open)
    }
    /// Hands a value, read from `start` on, to the innermost frame; it is the whole if there is
    /// none.
    pub(crate) fn deliver(&mut self, mut value: Value, mut start: usize) -> Read<()> {
        loop {
            let Some(frame) = self.work.frames.last() else {
                self.whole = Some(value);
                return Ok(());
            };
            match frame.form {
                Form::Apply(builtin) => {
                    let position = self.work.values.len() - frame.values;
                    let value = self.accept(builtin, position, value, start)?;
                    self.work.values.push(value);
                    return Ok(());
                }
                Form::Call(id) => {
                    let position = self.work.values.len() - frame.values;
                    let term = self.accept_parameter(id, position, value, start)?;
                    self.work.values.push(Value::Term(term));
                    return Ok(());
                }
                Form::Function(symbol) => {
                    let position = self.work.values.len() - frame.values;
                    let term = self.accept_argument(symbol, position, value, start)?;
                    self.work.values.push(Value::Term(term));
                    return Ok(());
                }
                Form::Operation(operation) => {
                    let position = self.work.values.len() - frame.values;
                    let term = self.accept_operand(operation, position, value, start)?;
                    self.work.values.push(Value::Term(term));
                    return Ok(());
                }
                Form::Matched => {
                    let term = self.make_term(value);
                    return self.open_cases(term, start);
                }
                Form::Case(locals) => return self.close_case(locals, value, start),
                Form::Divisible(_) => {
                    let term = self.accept_int(value, start)?;
                    self.work.values.push(Value::Term(term));
                    return Ok(());
                }
                Form::Binding => {
                    self.expect_close()?;
                    self.work.frames.pop();
                    let term = self.make_term(value);
                    self.work.values.push(Value::Term(term));
                    return Ok(());
                }
                Form::Body(locals) => {
                    self.expect_close()?;
                    self.env.unbind_locals(locals);
                }
                Form::Quantified(quantifier, first) => {
                    value = self.close_quantifier(quantifier, first, value, start)?;
                }
                Form::Annotated => value = self.attributes(value)?,
                Form::Bindings(_) | Form::Cases(_) => {
                    unreachable!("lists of bindings and cases are read by functions of their own")
                }
            }
            // A body or an annotation passes its value on.
            start = self.work.frames.pop().map_or(start, |frame| frame.open);
        }
    }
    pub(crate) fn expect_close(&mut self) -> Read<()> {
        sexpr::expect_close(self.lexer).map(|_| ())
    }
}
