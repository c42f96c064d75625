//! From tokens to a program.
//!
//! The grammar is that of the public library for the language; annotations are skipped, since they
//! say nothing about what a program does. Refused by name are arrays, quantifiers, several threads,
//! and calls that do not say what they change.

use shofar_base::{Diagnostic, Set, Span};
use shofar_term::{Sort, TermStore};

use super::OPERATORS;
use super::program::{Call, Edge, Label, Procedure, Program, Role, Variable, Variables};
use super::scope::{Primes, Scope};
use crate::expression::{Operand, Reader, Value};
use crate::lexer::{Cursor, Token, TokenKind};

const TYPES: [(&str, Sort); 3] = [("int", Sort::INT), ("real", Sort::REAL), ("bool", Sort::BOOL)];
const MODIFIERS: [(&str, Role); 3] =
    [("par", Role::Parameter), ("in", Role::In), ("out", Role::Out)];
const MARKS: [&str; 4] = ["states", "initial", "final", "error"];
/// Words that are no names.
const RESERVED: [&str; 4] = ["true", "false", "tid", "havoc"];

/// Reads programs.
pub(super) struct Parser<'r, 't> {
    pub(super) store: &'r mut TermStore,
    pub(super) cursor: Cursor<'t>,
}

impl Parser<'_, '_> {
    pub(super) fn program(&mut self) -> Result<Program, Diagnostic> {
        let mut program = Program::default();
        self.skip_annotations()?;
        self.cursor.expect("nts")?;
        self.name("the name of the program")?;
        self.cursor.expect(";")?;
        loop {
            self.skip_annotations()?;
            if self.cursor.eat("init") {
                let mut scope = Scope { variables: &program.globals, primes: Primes::Refused };
                let mut reader = reader(self.store, &mut self.cursor);
                let operand = reader.expression(&mut scope)?;
                program.precondition = Some(reader.formula(operand, &mut scope)?.0);
                self.cursor.expect(";")?;
            } else if self.cursor.eat("instances") {
                program.instance = Some(self.instance()?);
            } else if self.is_declaration() {
                self.declaration(&mut program.globals, Role::Global)?;
            } else {
                break;
            }
        }
        while self.cursor.peek().kind != TokenKind::End {
            let procedure = self.procedure(&program)?;
            program.add(procedure);
            self.skip_annotations()?;
        }
        Ok(program)
    }
    /// `instances main[1];`
    fn instance(&mut self) -> Result<(String, Span), Diagnostic> {
        let name = self.name("the name of a procedure")?;
        self.cursor.expect("[")?;
        let count = self.cursor.next();
        if count.kind != TokenKind::Number || self.cursor.text(count) != "1" {
            return Err(Diagnostic::new(count.span, "several threads are not supported"));
        }
        self.cursor.expect("]")?;
        if self.cursor.is(self.cursor.peek(), ",") {
            let at = self.cursor.peek().span;
            return Err(Diagnostic::new(at, "several threads are not supported"));
        }
        self.cursor.expect(";")?;
        Ok((self.cursor.text(name).to_owned(), name.span))
    }
    fn procedure(&mut self, program: &Program) -> Result<Procedure, Diagnostic> {
        let name = self.name("the name of a procedure")?;
        let text = self.cursor.text(name).to_owned();
        if program.find(&text).is_some() {
            let message = format!("there are two procedures `{text}`");
            return Err(Diagnostic::new(name.span, message));
        }
        self.cursor.expect("{")?;
        let mut procedure = Procedure {
            name: text,
            span: name.span,
            variables: program.globals.clone(),
            initial: Vec::new(),
            finals: Set::default(),
            errors: Set::default(),
            edges: Vec::new(),
            sources: Set::default(),
        };
        loop {
            self.skip_annotations()?;
            if self.is_declaration() {
                self.declaration(&mut procedure.variables, Role::Local)?;
            } else if MARKS.iter().any(|mark| self.cursor.is(self.cursor.peek(), mark)) {
                self.marking(&mut procedure)?;
            } else {
                break;
            }
        }
        while !self.cursor.eat("}") {
            let edge = self.edge(&procedure)?;
            procedure.sources.insert(edge.source.clone());
            procedure.edges.push(edge);
        }
        Ok(procedure)
    }
    /// Whether variables are declared next, and not states marked or a transition described.
    fn is_declaration(&self) -> bool {
        let (first, second, third) = (self.cursor.peek(), self.cursor.look(1), self.cursor.look(2));
        let is_word = |words: &[&str], token| words.iter().any(|word| self.cursor.is(token, word));
        if MODIFIERS.iter().any(|(word, _)| self.cursor.is(first, word)) {
            return true;
        }
        first.kind == TokenKind::Name
            && !is_word(&MARKS, first)
            && (is_word(&[",", "["], second)
                || is_word(&[":"], second)
                    && (TYPES.iter().any(|(word, _)| self.cursor.is(third, word))))
    }
    /// `in x, y : int, b : bool;`
    fn declaration(&mut self, variables: &mut Variables, usual: Role) -> Result<(), Diagnostic> {
        let modifier = MODIFIERS.iter().find(|(word, _)| self.cursor.is(self.cursor.peek(), word));
        let role = modifier.map_or(usual, |&(_, role)| role);
        if modifier.is_some() {
            self.cursor.next();
        }
        if usual == Role::Global && matches!(role, Role::In | Role::Out) {
            return Err(self.cursor.unexpected("a global variable"));
        }
        loop {
            let mut names = Vec::new();
            loop {
                self.skip_annotations()?;
                names.push(self.variable()?);
                if !self.cursor.eat(",") {
                    break;
                }
            }
            self.cursor.expect(":")?;
            let found = TYPES.iter().find(|(word, _)| self.cursor.is(self.cursor.peek(), word));
            let Some(&(_, sort)) = found else {
                return Err(self.cursor.unexpected("`int`, `real` or `bool`"));
            };
            self.cursor.next();
            for name in names {
                self.declare(variables, name, sort, role)?;
            }
            if !self.cursor.eat(",") {
                self.cursor.expect(";")?;
                return Ok(());
            }
        }
    }
    fn variable(&mut self) -> Result<Token, Diagnostic> {
        let name = self.name("the name of a variable")?;
        let bracket = self.cursor.peek();
        if self.cursor.is(bracket, "[") {
            let span = Span::new(name.span.start, bracket.span.end);
            return Err(Diagnostic::new(span, "arrays are not supported"));
        }
        Ok(name)
    }
    fn declare(
        &mut self,
        variables: &mut Variables,
        token: Token,
        sort: Sort,
        role: Role,
    ) -> Result<(), Diagnostic> {
        let name = self.cursor.text(token).to_owned();
        if variables.find(&name).is_some() {
            let message = format!("the variable `{name}` is already declared");
            return Err(Diagnostic::new(token.span, message));
        }
        let (now, next) = (self.store.var(&name, sort), self.store.var(&format!("{name}'"), sort));
        variables.add(Variable { name, sort, role, now, next });
        Ok(())
    }
    /// `initial s0;`
    fn marking(&mut self, procedure: &mut Procedure) -> Result<(), Diagnostic> {
        let mark = self.cursor.next();
        loop {
            self.skip_annotations()?;
            let state = self.name("the name of a state")?;
            let name = self.cursor.text(state).to_owned();
            match self.cursor.text(mark) {
                "initial" => procedure.initial.push((name, state.span)),
                "final" => {
                    procedure.finals.insert(name);
                }
                "error" => {
                    procedure.errors.insert(name);
                }
                _ => {}
            }
            if !self.cursor.eat(",") {
                self.cursor.expect(";")?;
                return Ok(());
            }
        }
    }
    /// `t: s0 -> s1 { x' = x + 1 and havoc(x) }`
    fn edge(&mut self, procedure: &Procedure) -> Result<Edge, Diagnostic> {
        let start = self.cursor.peek().span.start;
        if self.cursor.is(self.cursor.look(1), ":") {
            self.name("the name of a transition")?;
            self.cursor.next();
        }
        let source = self.name("a transition")?;
        self.cursor.expect("->")?;
        let target = self.name("the name of a state")?;
        self.skip_annotations()?;
        self.cursor.expect("{")?;
        self.refuse_words()?;
        let label = if self.is_call() {
            Label::Call(self.call(procedure)?)
        } else if self.cursor.is(self.cursor.peek(), "}") {
            Label::Relation(self.store.top())
        } else {
            let mut scope = Scope { variables: &procedure.variables, primes: Primes::Allowed };
            let mut reader = reader(self.store, &mut self.cursor);
            let operand = reader.expression(&mut scope)?;
            Label::Relation(reader.formula(operand, &mut scope)?.0)
        };
        let end = self.cursor.expect("}")?.span.end;
        let (source, target) = (self.cursor.text(source), self.cursor.text(target));
        let span = Span::new(start, end);
        Ok(Edge { source: source.to_owned(), target: target.to_owned(), label, span })
    }
    /// Refuses what the label has and we do not support.
    fn refuse_words(&self) -> Result<(), Diagnostic> {
        for ahead in 0.. {
            let token = self.cursor.look(ahead);
            let message = match self.cursor.text(token) {
                "}" | "" => break,
                "exists" | "forall" => "quantifiers are not supported in transitions",
                "[" | "|" => "arrays are not supported",
                _ => continue,
            };
            return Err(Diagnostic::new(token.span, message));
        }
        Ok(())
    }
    /// Whether a call is next: `f(…`, `x' = f(…`, `(x', …` or `(x') = …`.
    fn is_call(&self) -> bool {
        let is = |ahead, text: &str| self.cursor.is(self.cursor.look(ahead), text);
        let is_name = |ahead| self.cursor.look(ahead).kind == TokenKind::Name;
        let is_primed =
            |ahead| is_name(ahead) && self.cursor.text(self.cursor.look(ahead)).ends_with('\'');
        is_name(0)
            && is(1, "(")
            && !is(0, "havoc")
            && !OPERATORS.is_prefix(&self.cursor, self.cursor.peek())
            || is_primed(0) && is(1, "=") && is_name(2) && is(3, "(")
            || is(0, "(") && is_primed(1) && (is(2, ",") || is(2, ")") && is(3, "="))
    }
    /// `(y') = f(x, 1) and havoc(y)`
    fn call(&mut self, procedure: &Procedure) -> Result<Call, Diagnostic> {
        let start = self.cursor.peek().span.start;
        let mut scope = Scope { variables: &procedure.variables, primes: Primes::Refused };
        let mut results = Vec::new();
        if self.cursor.eat("(") {
            results = self.results(&scope, ")")?;
            self.cursor.expect("=")?;
        } else if self.cursor.is(self.cursor.look(1), "=") {
            results = self.results(&scope, "=")?;
        }
        let callee = self.name("the name of a procedure")?;
        let callee = self.cursor.text(callee).to_owned();
        self.cursor.expect("(")?;
        let mut reader = reader(self.store, &mut self.cursor);
        let mut arguments = Vec::new();
        let takes_results = results.is_empty();
        while !reader.cursor.eat(")") {
            let operand = reader.expression(&mut scope)?;
            match primed(&reader, operand).filter(|_| takes_results) {
                Some(name) => results.push(result(&scope, &name, operand.span)?),
                None => arguments.push((reader.value(operand, &mut scope)?, operand.span)),
            }
            if !reader.cursor.is(reader.cursor.peek(), ")") {
                reader.cursor.expect(",")?;
            }
        }
        let span = Span::new(start, reader.cursor.end_of_last());
        if !reader.cursor.eat("and") && !reader.cursor.eat("&&") {
            return Err(Diagnostic::new(span, "the call does not say which variables may change")
                .note(
                    "as in `(y') = f(x) and havoc(y)`; without it some keep all others, some none",
                ));
        }
        let havoc = self.havoc(&scope)?;
        Ok(Call { callee, span, arguments, results, havoc })
    }
    /// `havoc(x, y)`, the only formula beside a call.
    fn havoc(&mut self, scope: &Scope<'_>) -> Result<Vec<usize>, Diagnostic> {
        self.cursor.expect("havoc")?;
        self.cursor.expect("(")?;
        let mut listed = Vec::new();
        while !self.cursor.eat(")") {
            let name = self.name("the name of a variable")?;
            listed.push(scope.find(self.cursor.text(name), name.span)?);
            if !self.cursor.is(self.cursor.peek(), ")") {
                self.cursor.expect(",")?;
            }
        }
        Ok(listed)
    }
    /// The variables that take the results, until `end`.
    fn results(&mut self, scope: &Scope<'_>, end: &str) -> Result<Vec<usize>, Diagnostic> {
        let mut results = Vec::new();
        loop {
            let name = self.cursor.next();
            let text = self.cursor.text(name);
            let plain = text.strip_suffix('\'').filter(|_| name.kind == TokenKind::Name);
            let Some(plain) = plain else {
                let message = "a variable with a prime takes the result of a call";
                return Err(Diagnostic::new(name.span, message));
            };
            results.push(result(scope, plain, name.span)?);
            if self.cursor.eat(end) {
                return Ok(results);
            }
            self.cursor.expect(",")?;
        }
    }
    /// A name without a prime, which messages call `expected`.
    fn name(&mut self, expected: &str) -> Result<Token, Diagnostic> {
        let token = self.cursor.peek();
        let text = self.cursor.text(token);
        if token.kind != TokenKind::Name || text.contains('\'') || RESERVED.contains(&text) {
            return Err(self.cursor.unexpected(expected));
        }
        Ok(self.cursor.next())
    }
    /// `@key:string:"value";`
    fn skip_annotations(&mut self) -> Result<(), Diagnostic> {
        while self.cursor.eat("@") {
            while !self.cursor.eat(";") {
                if self.cursor.next().kind == TokenKind::End {
                    return Err(self.cursor.unexpected("`;` at the end of the annotation"));
                }
            }
        }
        Ok(())
    }
}

fn reader<'r, 't>(store: &'r mut TermStore, cursor: &'r mut Cursor<'t>) -> Reader<'r, 't> {
    Reader { store, cursor, operators: &OPERATORS }
}

/// The name of a variable with a prime that stands by itself, without its prime.
fn primed(reader: &Reader<'_, '_>, operand: Operand) -> Option<String> {
    match operand.value {
        Value::Name(name) => reader.cursor.text(name).strip_suffix('\'').map(str::to_owned),
        Value::Term(_) => None,
    }
}

/// The variable that takes a result.
fn result(scope: &Scope<'_>, name: &str, at: Span) -> Result<usize, Diagnostic> {
    let found = scope.find(name, at)?;
    let message = match scope.variables[found].role {
        Role::Local | Role::In | Role::Out => return Ok(found),
        Role::Global => "a global variable cannot take a result: the procedure may change it, too",
        Role::Parameter => "a parameter does not change",
    };
    Err(Diagnostic::new(at, message))
}
