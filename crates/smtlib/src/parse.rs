//! From the text of one command to the command.
//!
//! Source: [SMTLIB] §3.9, commands. DIVERGENCE: `push` and `pop` without a number mean 1, as in all
//! solvers.

use shofar_base::{Diagnostic, Read};
use shofar_term::{Sort, Term, TermStore};

use crate::command::{Command, Quoted, Sentence};
use crate::definition::{Body, Definition, Template};
use crate::elaborate::{Elaborator, Labels};
use crate::environment::{Environment, Meaning};
use crate::graph;
use crate::interpolation::Interpolant;
use crate::lexer::Lexer;
use crate::logic::Logic;
use crate::marks;
use crate::names::Name;
use crate::sexpr::{self, expect_close, expect_open};
use crate::token::{Token, TokenKind};
use crate::waiting;

/// More scopes than this are a mistake.
const MOST_SCOPES: usize = 1_000_000;

/// Reads one command; its parentheses balance. A data type may wait for the sort of a field.
pub(crate) fn parse(
    env: &mut Environment,
    store: &mut TermStore,
    text: &[u8],
    base: usize,
) -> Read<Sentence> {
    let result = parse_now(env, store, text, base);
    if env.waiting.is_empty() && result.is_ok() {
        return result;
    }
    match result {
        Ok(sentence) => {
            waiting::take_up(env, store);
            Ok(sentence)
        }
        Err(error) => {
            let command = waiting::put_off(env, text, base, error)?;
            let span = Lexer::new(text, base).span(0, text.len());
            Ok(Sentence { command, span, side_conditions: Vec::new() })
        }
    }
}

/// Reads one command.
pub(crate) fn parse_now(
    env: &mut Environment,
    store: &mut TermStore,
    text: &[u8],
    base: usize,
) -> Read<Sentence> {
    let mut lexer = Lexer::scanned(text, base, std::mem::take(&mut env.tokens));
    env.next_command();
    let before = env.mark();
    let command = Parser { env, store, lexer: &mut lexer }.command();
    let span = lexer.span(0, text.len());
    env.tokens = lexer.into_memory();
    if command.is_err() {
        // What follows must not use a name that nobody else has heard of.
        env.forget(before);
    }
    let command = command?;
    let side_conditions = if matches!(command, Command::Pop(_) | Command::ResetAssertions) {
        // What these take away must be asserted again after them, not before.
        Vec::new()
    } else if let Command::Push(count) = command {
        env.divisions.deliver(env.level() - count)
    } else {
        env.divisions.deliver(env.level())
    };
    Ok(Sentence { command, span, side_conditions })
}

pub(crate) struct Parser<'e, 'a> {
    pub(crate) env: &'e mut Environment,
    pub(crate) store: &'e mut TermStore,
    pub(crate) lexer: &'e mut Lexer<'a>,
}

impl Parser<'_, '_> {
    fn command(&mut self) -> Read<Command> {
        expect_open(self.lexer)?;
        let head = sexpr::symbol(self.lexer, "the name of a command")?;
        let name = self.lexer.token_bytes(head);
        if !self.env.waiting.is_empty()
            && !waiting::goes_on(name)
            && let Some(error) = self.env.end_waiting()
        {
            return Err(error);
        }
        let command = match name {
            b"assert" => self.assert()?,
            b"declare-fun" => self.declare_fun()?,
            b"declare-const" => self.declare_const()?,
            b"define-fun" => self.define_fun()?,
            b"define-fun-rec" => self.define_fun_rec()?,
            b"define-funs-rec" => self.define_funs_rec()?,
            b"define-const" => self.define_const()?,
            b"define-sort" => {
                Command::Define { name: self.env.sorts.define(self.store, self.lexer)? }
            }
            b"declare-sort" => self.declare_sort()?,
            b"declare-datatype" => self.declare_datatype()?,
            b"declare-datatypes" => self.declare_datatypes()?,
            b"set-logic" => self.set_logic()?,
            b"set-option" => return self.set_option(),
            b"set-info" => return self.set_info(),
            b"push" => self.push()?,
            b"pop" => self.pop()?,
            b"check-sat-assuming" => Command::CheckSatAssuming(self.terms(Some(Sort::BOOL))?),
            b"get-value" => self.get_value()?,
            b"eval" => self.eval()?,
            b"get-interpolants" => return self.get_interpolants(),
            b"get-interpolant" => return self.get_interpolant(),
            b"compute-interpolant" => self.compute_interpolant()?,
            b"get-unsat-model-interpolant" => Command::GetInterpolant(Interpolant::Assumptions),
            b"check-sat-assuming-model" => self.check_sat_assuming_model()?,
            b"check-sat-using" if !self.env.is_horn() => {
                // A tactic says how to decide, not what.
                let first = self.lexer.next()?;
                sexpr::skip(self.lexer, first)?;
                Command::CheckSat
            }
            b"get-dag-interpolants" => Command::GetDagInterpolants(graph::graph(self)?),
            b"get-disjunctive-interpolants" => {
                Command::GetDisjunctiveInterpolants(marks::marked(self)?)
            }
            b"get-info" => Command::GetInfo(self.keyword()?),
            b"get-option" => Command::GetOption(self.keyword()?),
            b"echo" => {
                let token = sexpr::expect(self.lexer, TokenKind::String, "a string")?;
                Command::Echo(sexpr::unquote(self.lexer.token_str(token)))
            }
            b"check-sat" => Command::CheckSat,
            b"get-model" => Command::GetModel,
            b"get-assignment" => Command::GetAssignment,
            b"get-assertions" => Command::GetAssertions,
            b"get-unsat-core" => Command::GetUnsatCore,
            b"get-unsat-assumptions" => Command::GetUnsatAssumptions,
            b"get-proof" => Command::GetProof,
            b"reset" => {
                self.env.reset();
                Command::Reset
            }
            b"reset-assertions" => {
                self.env.reset_assertions();
                Command::ResetAssertions
            }
            b"exit" => Command::Exit,
            b"declare-rel" if self.env.is_horn() => self.declare_rel()?,
            b"declare-var" if self.env.is_horn() => self.declare_var()?,
            b"rule" if self.env.is_horn() => self.rule()?,
            b"query" if self.env.is_horn() => self.query()?,
            _ => return Err(self.unknown_command(head)),
        };
        expect_close(self.lexer)?;
        Ok(command)
    }
    fn unknown_command(&self, head: Token) -> Box<Diagnostic> {
        let text = self.lexer.token_str(head);
        let reason = match text {
            "declare-codatatype" | "declare-codatatypes" => "data types with infinite values are",
            "declare-rel" | "declare-var" | "rule" | "query" => "the fixedpoint commands of z3 are",
            "maximize" | "minimize" | "assert-soft" => "optimisation is",
            _ => return self.lexer.error_at(head, format!("unknown command `{text}`")),
        };
        self.lexer.error_at(head, format!("{reason} not supported: `{text}`"))
    }

    fn set_logic(&mut self) -> Read<Command> {
        let token = sexpr::symbol(self.lexer, "the name of a logic")?;
        let text = self.lexer.token_str(token);
        if self.env.logic.is_some() {
            return Err(self.lexer.error_at(token, "the logic is already set"));
        }
        let known = if self.env.horn { Some(Logic::of_horn(text)) } else { Logic::from_name(text) };
        let Some(logic) = known else {
            let span = self.lexer.span(token.start(), token.end());
            let error = Diagnostic::new(span, format!("the logic `{text}` is not supported"));
            return Err(Box::new(
                error.note(format!("the supported logics are {}", Logic::names())),
            ));
        };
        self.env.logic = Some(logic);
        Ok(Command::SetLogic(logic))
    }
    fn keyword(&mut self) -> Read<String> {
        let token = sexpr::expect(self.lexer, TokenKind::Keyword, "a keyword")?;
        Ok(self.lexer.token_str(token).to_owned())
    }
    fn set_option(&mut self) -> Read<Command> {
        let keyword = self.keyword()?;
        let begin = self.lexer.offset();
        let value = sexpr::attribute_value(self.lexer)?;
        if keyword == ":global-declarations" {
            let Some(on) = value.as_bool() else {
                return Err(self.lexer.error(
                    begin,
                    self.lexer.offset() - 1,
                    "expected `true` or `false`",
                ));
            };
            if self.env.level() > 0 {
                let message = "`:global-declarations` cannot change after a push";
                return Err(self.lexer.error(0, self.lexer.offset(), message));
            }
            self.env.global_declarations = on;
        }
        Ok(Command::SetOption { keyword, value })
    }
    fn set_info(&mut self) -> Read<Command> {
        let keyword = self.keyword()?;
        Ok(Command::SetInfo { keyword, value: sexpr::attribute_value(self.lexer)? })
    }

    /// A name that has no meaning yet.
    pub(crate) fn new_name(&mut self) -> Read<(Name, Token)> {
        let token = sexpr::symbol(self.lexer, "a name")?;
        let name = self.env.name_of(self.lexer, token);
        let text = self.env.text(name);
        match self.env.global(name) {
            Meaning::Unbound => Ok((name, token)),
            Meaning::Builtin(_) => {
                Err(self.lexer.error_at(token, format!("`{text}` is a function of the theories")))
            }
            Meaning::Term(_) | Meaning::Definition(_) | Meaning::Function(_) => {
                Err(self.lexer.error_at(token, format!("`{text}` is already declared or defined")))
            }
            Meaning::Data(_) => {
                let message = format!("`{text}` is already a constructor or selector");
                Err(self.lexer.error_at(token, message))
            }
        }
    }
    fn declare_fun(&mut self) -> Read<Command> {
        let (name, token) = self.new_name()?;
        let params = self.sorts()?;
        if self.env.is_horn() {
            return self.declare_horn_function(name, token, &params);
        }
        if params.is_empty() {
            return self.declare(name);
        }
        let result = self.env.sorts.sort(self.store, self.lexer)?;
        let symbol = self.env.declare_function(self.store, name, &params, result);
        Ok(Command::Declare(symbol))
    }
    fn declare_const(&mut self) -> Read<Command> {
        let (name, token) = self.new_name()?;
        if self.env.is_horn() {
            return self.declare_horn_constant(name, token);
        }
        self.declare(name)
    }
    fn declare(&mut self, name: Name) -> Read<Command> {
        let sort = self.env.sorts.sort(self.store, self.lexer)?;
        Ok(Command::Declare(self.env.declare(self.store, name, sort)))
    }
    fn declare_sort(&mut self) -> Read<Command> {
        if self.env.is_horn() {
            let token = sexpr::symbol(self.lexer, "the name of a sort")?;
            let message = format!(
                "`{}` is an uninterpreted sort, which Horn clauses may not have",
                self.lexer.token_str(token)
            );
            return Err(self.lexer.error_at(token, message));
        }
        Ok(Command::Define { name: self.env.sorts.declare(self.store, self.lexer)? })
    }
    /// A parenthesised list of sorts.
    pub(crate) fn sorts(&mut self) -> Read<Vec<Sort>> {
        expect_open(self.lexer)?;
        let mut sorts = Vec::new();
        loop {
            if self.lexer.peek()?.kind == TokenKind::Close {
                self.lexer.next()?;
                return Ok(sorts);
            }
            sorts.push(self.env.sorts.sort(self.store, self.lexer)?);
        }
    }

    fn define_const(&mut self) -> Read<Command> {
        let (name, _) = self.new_name()?;
        let sort = self.env.sorts.sort(self.store, self.lexer)?;
        self.define_term(name, sort)
    }
    pub(crate) fn define_term(&mut self, name: Name, sort: Sort) -> Read<Command> {
        let first = self.lexer.next()?;
        let (term, _) = self.elaborate(first, Some(sort))?;
        if self.env.global(name) != Meaning::Unbound {
            let message = format!(
                "`{}` is already the name of a term in its own definition",
                self.env.text(name)
            );
            return Err(self.lexer.error(0, self.lexer.offset(), message));
        }
        self.env.bind(name, Meaning::Term(term));
        Ok(Command::Define { name: self.env.text(name).to_owned() })
    }
    fn define_fun(&mut self) -> Read<Command> {
        let (name, _) = self.new_name()?;
        let params = self.params()?;
        let result = self.env.sorts.sort(self.store, self.lexer)?;
        if params.is_empty() {
            return self.define_term(name, result);
        }
        let body = self.body(&params, result)?;
        self.env.define(Definition { name, params, result, body });
        Ok(Command::Define { name: self.env.text(name).to_owned() })
    }
    /// The parameters of a definition.
    pub(crate) fn params(&mut self) -> Read<Vec<(Name, Sort)>> {
        expect_open(self.lexer)?;
        let mut params: Vec<(Name, Sort)> = Vec::new();
        let mut seen = shofar_base::Set::default();
        loop {
            let token = self.lexer.next()?;
            if token.kind == TokenKind::Close {
                return Ok(params);
            }
            if token.kind != TokenKind::Open {
                return Err(sexpr::unexpected(self.lexer, "a parameter", token));
            }
            let symbol = sexpr::symbol(self.lexer, "the name of a parameter")?;
            let name = self.env.name_of(self.lexer, symbol);
            if !seen.insert(name) {
                let message = format!("the parameter `{}` occurs twice", self.env.text(name));
                return Err(self.lexer.error_at(symbol, message));
            }
            params.push((name, self.env.sorts.sort(self.store, self.lexer)?));
            expect_close(self.lexer)?;
        }
    }
    /// The body of a definition with parameters.
    pub(crate) fn body(&mut self, params: &[(Name, Sort)], result: Sort) -> Read<Body> {
        let locals = self.env.locals();
        let mut terms = Vec::with_capacity(params.len());
        for &(name, sort) in params {
            let symbol = self.store.fresh(self.env.text(name), sort);
            let term = self.store.constant(symbol);
            self.env.bind_local(name, term);
            terms.push(term);
        }
        let start = self.lexer.offset();
        let first = self.lexer.next()?;
        let mut elaborator = Elaborator::new(self.env, self.store, self.lexer);
        elaborator.parametric = true;
        let outcome = elaborator.term_of_sort(first, result);
        let deferrable = elaborator.deferrable;
        elaborator.finish();
        self.env.unbind_locals(locals);
        match outcome {
            Ok(body) => Ok(Body::Template(Template::new(self.store, terms, body).into())),
            Err(_) if deferrable => {
                self.lexer.rewind(start);
                let first = self.lexer.next()?;
                let end = sexpr::skip(self.lexer, first)?;
                Ok(Body::Text(self.lexer.bytes(first.start(), end).into()))
            }
            Err(error) => Err(error),
        }
    }

    /// The term that begins with `first`, and what annotations say about it.
    pub(crate) fn elaborate(&mut self, first: Token, sort: Option<Sort>) -> Read<(Term, Labels)> {
        let mut elaborator = Elaborator::new(self.env, self.store, self.lexer);
        let term = match sort {
            Some(sort) => elaborator.term_of_sort(first, sort),
            None => elaborator.term(first),
        };
        let labels = std::mem::take(&mut elaborator.labels);
        elaborator.finish();
        Ok((term?, labels))
    }
    fn assert(&mut self) -> Read<Command> {
        let first = self.lexer.next()?;
        let (term, labels) = self.elaborate(first, Some(Sort::BOOL))?;
        let name = labels.name.map(|name| self.env.text(name).to_owned());
        Ok(Command::Assert { term, name, group: labels.group })
    }
    /// A parenthesised list of terms.
    pub(crate) fn terms(&mut self, sort: Option<Sort>) -> Read<Vec<Quoted>> {
        expect_open(self.lexer)?;
        let mut terms = Vec::new();
        loop {
            let first = self.lexer.next()?;
            if first.kind == TokenKind::Close {
                return Ok(terms);
            }
            terms.push(self.quoted(first, sort)?);
        }
    }
    /// The term that begins with `first`, and its text.
    pub(crate) fn quoted(&mut self, first: Token, sort: Option<Sort>) -> Read<Quoted> {
        // Bars are not part of a quoted symbol's token, but are of its text.
        let start = first.start() - usize::from(first.kind == TokenKind::Quoted);
        let (term, _) = self.elaborate(first, sort)?;
        let text = self.lexer.str(start, self.lexer.offset()).to_owned();
        Ok(Quoted { term, text })
    }
    fn eval(&mut self) -> Read<Command> {
        let first = self.lexer.next()?;
        Ok(Command::Eval(self.quoted(first, None)?))
    }
    fn get_value(&mut self) -> Read<Command> {
        let terms = self.terms(None)?;
        if terms.is_empty() {
            return Err(self.lexer.error(
                0,
                self.lexer.offset(),
                "`get-value` needs at least one term",
            ));
        }
        Ok(Command::GetValue(terms))
    }
    /// The number of scopes, 1 if none is given.
    fn count(&mut self) -> Read<usize> {
        if self.lexer.peek()?.kind == TokenKind::Close {
            return Ok(1);
        }
        let token = sexpr::expect(self.lexer, TokenKind::Numeral, "a numeral")?;
        let count = self.lexer.token_str(token).parse().ok().filter(|&count| count <= MOST_SCOPES);
        count.ok_or_else(|| {
            self.lexer.error_at(token, format!("more than {MOST_SCOPES} scopes are not supported"))
        })
    }
    fn push(&mut self) -> Read<Command> {
        let count = self.count()?;
        if self.env.level() + count > MOST_SCOPES {
            let message = format!("more than {MOST_SCOPES} scopes are not supported");
            return Err(self.lexer.error(0, self.lexer.offset(), message));
        }
        self.env.push(count);
        Ok(Command::Push(count))
    }
    fn pop(&mut self) -> Read<Command> {
        let count = self.count()?;
        let level = self.env.level();
        if count > level {
            let message = format!("cannot pop {count} scopes: {level} are open");
            return Err(self.lexer.error(0, self.lexer.offset(), message));
        }
        self.env.pop(count);
        Ok(Command::Pop(count))
    }
}
