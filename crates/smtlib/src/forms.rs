//! The special forms of terms: `let`, annotations, `as`, and indexed identifiers.
//!
//! The bindings of a `let` are elaborated before any of them is bound, so they do not see each
//! other.

use shofar_base::{Diagnostic, Read};
use shofar_term::print::print_sort;
use shofar_term::{BitsOp, Constructor, Sort, Term};

use crate::bitvector::BitsFunction;
use crate::elaborate::{Elaborator, Form};
use crate::environment::{Annotation, Meaning};
use crate::marks::Mark;
use crate::names::Name;
use crate::operation::Operation;
use crate::overload::DataName;
use crate::sexpr;
use crate::sums::Value;
use crate::token::{Token, TokenKind};

impl Elaborator<'_, '_> {
    pub(crate) fn open_let(&mut self) -> Read<Form> {
        let list = self.lexer.next()?;
        if list.kind != TokenKind::Open {
            return Err(sexpr::unexpected(self.lexer, "the bindings of `let`", list));
        }
        Ok(Form::Bindings(self.work.names.len()))
    }
    /// Takes the next token in a list of bindings whose names begin at `first`.
    pub(crate) fn read_binding(&mut self, token: Token, first: usize) -> Read<()> {
        if token.kind == TokenKind::Close {
            return self.bind_all(token, first);
        }
        if token.kind != TokenKind::Open {
            return Err(sexpr::unexpected(self.lexer, "a binding", token));
        }
        let symbol = sexpr::symbol(self.lexer, "the name of a binding")?;
        let name = self.env.name_of(self.lexer, symbol);
        self.work.names.push((name, symbol));
        self.push(Form::Binding, token.start());
        Ok(())
    }
    /// The list of bindings is complete: binds the names and begins the body.
    fn bind_all(&mut self, close: Token, first: usize) -> Read<()> {
        let frame = self.work.frames.last_mut().expect("the bindings have a frame");
        let values = frame.values;
        let locals = self.env.locals();
        frame.form = Form::Body(locals);
        if first == self.work.names.len() {
            return Err(self.lexer.error_at(close, "`let` needs at least one binding"));
        }
        for ((name, token), value) in
            self.work.names.drain(first..).zip(self.work.values.drain(values..))
        {
            if self.env.is_bound_since(name, locals) {
                let message = format!("`{}` is bound twice in one `let`", self.env.text(name));
                return Err(self.lexer.error_at(token, message));
            }
            let Value::Term(term) = value else { unreachable!("bindings are stored as terms") };
            self.env.bind_local(name, term);
        }
        Ok(())
    }

    /// The attributes behind an annotated term, and the closing parenthesis.
    pub(crate) fn attributes(&mut self, value: Value) -> Read<Value> {
        let mut value = value;
        let mut name = None;
        let whole = self.work.frames.len() == 1;
        let mut token = self.lexer.next()?;
        if token.kind == TokenKind::Close {
            return Err(self.lexer.error_at(token, "an annotation needs an attribute"));
        }
        while token.kind != TokenKind::Close {
            if token.kind != TokenKind::Keyword {
                return Err(sexpr::unexpected(self.lexer, "an attribute", token));
            }
            if self.lexer.token_bytes(token) == b":named" {
                let term = self.make_term(value);
                if self.marks.is_some() {
                    value = Value::Term(self.mark_term(term)?);
                } else {
                    name = Some(self.name_term(term)?);
                    value = Value::Term(term);
                }
                token = self.lexer.next()?;
            } else if whole && self.lexer.token_bytes(token) == b":interpolation-group" {
                let begin = self.lexer.peek()?;
                let group = self.lexer.token_str(begin).to_owned();
                token = sexpr::skip_attribute_value(self.lexer)?;
                self.labels.group = Some(group);
            } else if self.env.annotations.is_some() {
                let term = self.make_term(value);
                value = Value::Term(term);
                token = self.annotate(token, term)?;
            } else {
                token = sexpr::skip_attribute_value(self.lexer)?;
            }
        }
        if whole && name.is_some() {
            self.labels.name = name;
        }
        Ok(value)
    }
    /// Keeps an attribute of `term`; returns the token behind it.
    fn annotate(&mut self, keyword: Token, term: Term) -> Read<Token> {
        let span = self.lexer.span(keyword.start(), keyword.end());
        let first = self.lexer.next()?;
        let has_value = !matches!(first.kind, TokenKind::Keyword | TokenKind::Close);
        let (value, next) = if has_value {
            let end = sexpr::skip(self.lexer, first)?;
            // A symbol is meant without its bars.
            let end = if first.kind == TokenKind::Quoted { first.end() } else { end };
            (self.lexer.str(first.start(), end).to_owned(), self.lexer.next()?)
        } else {
            (String::new(), first)
        };
        let is_closed = !self.parametric && self.depth == 0 && self.work.binders.is_empty();
        let keyword = self.lexer.token_str(keyword).to_owned();
        let annotation = Annotation { keyword, value, term, is_closed, span };
        self.env.annotations.get_or_insert_default().push(annotation);
        Ok(next)
    }
    fn name_term(&mut self, term: Term) -> Read<Name> {
        let token = self.lexer.next()?;
        if !matches!(token.kind, TokenKind::Symbol | TokenKind::Quoted) {
            return Err(sexpr::unexpected(self.lexer, "a name after `:named`", token));
        }
        if self.parametric || self.depth > 0 {
            let message = "a term in a definition with parameters cannot be named";
            return Err(self.lexer.error_at(token, message));
        }
        let name = self.env.name_of(self.lexer, token);
        if !self.work.binders.is_empty() {
            // The term has bound variables, so the name means nothing outside.
            return Ok(name);
        }
        if self.env.global(name) != Meaning::Unbound {
            let message = format!("the name `{}` is already in use", self.env.text(name));
            return Err(self.lexer.error_at(token, message));
        }
        self.env.name_term(name, term);
        Ok(name)
    }

    /// Marks the position of a formula; returns what stands for it.
    fn mark_term(&mut self, term: Term) -> Read<Term> {
        let token = sexpr::symbol(self.lexer, "a name after `:named`")?;
        if !self.store.sort(term).is_bool() {
            return Err(self.lexer.error_at(token, "only positions of formulas can be marked"));
        }
        let name = self.lexer.token_str(token).to_owned();
        let span = self.lexer.span(token.start(), token.end());
        let mark = Mark::new(self.store, name, term, span);
        let flag = self.store.constant(mark.flag);
        self.marks.get_or_insert_default().push(mark);
        Ok(flag)
    }

    /// `(as x S)`: the constant `x` of sort `S`.
    pub(crate) fn ascription(&mut self, open: Token) -> Read<Term> {
        let (token, name, sort) = self.ascribed()?;
        if let Meaning::Data(id) = self.env.meaning(name) {
            let constructor = self.constructor_of(id, token, sort)?;
            if self.store.constructor_fields(constructor).is_empty() {
                return Ok(self.store.construct(constructor, &[]));
            }
        }
        let term = self.symbol(token)?;
        match self.coerce(term, sort) {
            Some(term) => Ok(term),
            None => Err(self.wrong_sort(
                open.start(),
                &print_sort(self.store, sort),
                self.store.sort(term),
            )),
        }
    }
    /// A symbol and its sort, behind `as`, and the closing parenthesis.
    fn ascribed(&mut self) -> Read<(Token, Name, Sort)> {
        let token = self.lexer.next()?;
        if !matches!(token.kind, TokenKind::Symbol | TokenKind::Quoted) {
            return Err(sexpr::unexpected(self.lexer, "a symbol after `as`", token));
        }
        let name = self.env.name_of(self.lexer, token);
        let sort = self.env.sorts.sort(self.store, self.lexer)?;
        self.expect_close()?;
        Ok((token, name, sort))
    }
    /// The constructor of this name that makes values of this sort.
    fn constructor_of(&self, id: DataName, token: Token, sort: Sort) -> Read<Constructor> {
        self.env.overloads(id).of_sort(self.store, sort).ok_or_else(|| {
            let (text, sort) = (self.lexer.token_str(token), print_sort(self.store, sort));
            self.lexer.error_at(token, format!("`{text}` is no constructor of {sort}"))
        })
    }
    /// The head `(as f S)`, behind the word.
    fn ascribed_function(&mut self) -> Read<Form> {
        let (token, name, sort) = self.ascribed()?;
        match self.env.meaning(name) {
            Meaning::Data(id) => {
                Ok(Form::Operation(Operation::Construct(self.constructor_of(id, token, sort)?)))
            }
            Meaning::Unbound if self.env.text(name) == "const" => {
                if self.store.array_parts(sort).is_none() {
                    return Err(self.wrong_sort(token.start(), "Array", sort));
                }
                Ok(Form::Operation(Operation::Const(sort)))
            }
            Meaning::Function(symbol) if self.store.result(symbol) == sort => {
                Ok(Form::Function(symbol))
            }
            Meaning::Unbound
            | Meaning::Function(_)
            | Meaning::Builtin(_)
            | Meaning::Term(_)
            | Meaning::Definition(_) => {
                let (text, sort) = (self.lexer.token_str(token), print_sort(self.store, sort));
                Err(self.lexer.error_at(token, format!("`{text}` is no function to {sort}")))
            }
        }
    }

    /// The term as one of this sort, if it is, or is a number that can be.
    pub(crate) fn coerce(&mut self, term: Term, sort: Sort) -> Option<Term> {
        match (self.store.sort(term), sort) {
            (found, wanted) if found == wanted => Some(term),
            (Sort::INT, Sort::REAL) => Some(self.store.to_real(term)),
            (Sort::REAL, Sort::INT) => {
                let value = self.store.as_number(term)?.clone();
                value.is_integer().then(|| self.store.number(value, Sort::INT))
            }
            _ => None,
        }
    }

    /// The head `(_ f n)` or `(as f S)`, behind its parenthesis.
    pub(crate) fn indexed_function(&mut self) -> Read<Form> {
        let head = self.lexer.next()?;
        match self.lexer.token_bytes(head) {
            b"as" => return self.ascribed_function(),
            b"_" => {}
            _ => {
                let message = "expected a function: a symbol, `(_ f n)` or `(as f S)`";
                return Err(self.lexer.error_at(head, message));
            }
        }
        let name = self.lexer.next()?;
        let operation = match self.lexer.token_bytes(name) {
            b"divisible" => return self.divisible(),
            b"is" => self.is()?,
            b"extract" => {
                let (high, low) = (self.short_index()?, self.short_index()?);
                bits(BitsOp::Extract(high, low))
            }
            b"zero_extend" => bits(BitsOp::ZeroExtend(self.short_index()?)),
            b"sign_extend" => bits(BitsOp::SignExtend(self.short_index()?)),
            b"repeat" => Operation::Bits(BitsFunction::Repeat(sexpr::index(self.lexer)?.0)),
            b"rotate_left" => {
                Operation::Bits(BitsFunction::RotateLeft(sexpr::index(self.lexer)?.0))
            }
            b"rotate_right" => {
                Operation::Bits(BitsFunction::RotateRight(sexpr::index(self.lexer)?.0))
            }
            b"bit2bool" | b"@bit" => Operation::Bits(BitsFunction::Test(self.short_index()?)),
            b"update" | b"update-field" => self.update_head()?,
            b"iand" => {
                let (width, token) = sexpr::index(self.lexer)?;
                if width == 0 {
                    return Err(self.lexer.error_at(token, "the index of `iand` must be positive"));
                }
                Operation::AndOfInts(width)
            }
            b"int_to_bv" | b"int2bv" | b"nat2bv" => {
                let (width, token) = sexpr::index(self.lexer)?;
                if width == 0 {
                    return Err(self.lexer.error_at(token, "a bit-vector has at least one bit"));
                }
                Operation::Bits(BitsFunction::OfInt(width))
            }
            _ => {
                let text = self.lexer.token_str(name);
                let message = format!("the indexed function `{text}` is not supported");
                return Err(self.lexer.error_at(name, message));
            }
        };
        self.expect_close()?;
        Ok(Form::Operation(operation))
    }
    /// The selector of `(_ update s)`.
    fn update_head(&mut self) -> Read<Operation> {
        let token = sexpr::symbol(self.lexer, "the name of a selector")?;
        let name = self.env.name_of(self.lexer, token);
        let fields = match self.env.global(name) {
            Meaning::Data(id) => &*self.env.overloads(id).fields,
            Meaning::Unbound
            | Meaning::Builtin(_)
            | Meaning::Term(_)
            | Meaning::Definition(_)
            | Meaning::Function(_) => &[],
        };
        match *fields {
            [field] => Ok(Operation::Update(field)),
            [] => {
                let text = self.lexer.token_str(token);
                Err(self.lexer.error_at(token, format!("unknown selector `{text}`")))
            }
            [_, _, ..] => {
                let text = self.lexer.token_str(token);
                let message = format!("`{text}` is a selector of several data types");
                Err(self.lexer.error_at(token, message))
            }
        }
    }
    fn short_index(&mut self) -> Read<u16> {
        let (index, _) = sexpr::index(self.lexer)?;
        Ok(u16::try_from(index).expect("widths are short"))
    }
    /// The index of `(_ divisible n)`, and the closing parenthesis.
    fn divisible(&mut self) -> Read<Form> {
        let index = self.lexer.next()?;
        if index.kind != TokenKind::Numeral {
            return Err(sexpr::unexpected(self.lexer, "a numeral", index));
        }
        let divisor = self.lexer.number(index);
        if divisor.is_zero() {
            return Err(self.lexer.error_at(index, "the index of `divisible` must be positive"));
        }
        self.expect_close()?;
        self.work.divisors.push(divisor);
        Ok(Form::Divisible(self.work.divisors.len() - 1))
    }
    /// The constructor of `(_ is c)`, also with its rank as z3 writes it, `(_ is (c (S …) T))`.
    fn is(&mut self) -> Read<Operation> {
        let has_rank = self.lexer.peek()?.kind == TokenKind::Open;
        if has_rank {
            self.lexer.next()?;
        }
        let token = sexpr::symbol(self.lexer, "the name of a constructor")?;
        let name = self.env.name_of(self.lexer, token);
        let Some(id) = self.env.constructors_named(name) else {
            let text = self.lexer.token_str(token);
            return Err(self.lexer.error_at(token, format!("unknown constructor `{text}`")));
        };
        if !has_rank {
            return Ok(self.tester(id));
        }
        let params = sexpr::expect_open(self.lexer)?;
        sexpr::skip(self.lexer, params)?;
        let sort = self.env.sorts.sort(self.store, self.lexer)?;
        self.expect_close()?;
        Ok(Operation::Is(self.constructor_of(id, token, sort)?))
    }
    /// `(_ …)` where a term is expected, behind the underscore: a bit-vector `(_ bvN w)`, or an
    /// error.
    pub(crate) fn indexed(&mut self, head: Token) -> Read<Term> {
        let name = self.lexer.next()?;
        let text = self.lexer.token_str(name);
        let digits = text.strip_prefix("bv").unwrap_or("");
        if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return self.bits_numeral(name);
        }
        let message = format!("the indexed identifier `{text}` is not supported");
        Err(self.lexer.error(head.start(), name.end(), message))
    }
    /// The complaint about a binder other than `let`.
    pub(crate) fn binder(&self, head: Token) -> Box<Diagnostic> {
        let what = match self.lexer.token_bytes(head) {
            b"forall" | b"exists" => "quantifiers are",
            _ => "this binder is",
        };
        self.lexer.error_at(head, format!("{what} not supported"))
    }
}

fn bits(op: BitsOp) -> Operation {
    Operation::Bits(BitsFunction::Op(op))
}
