//! `match`: cases over the constructors of a data type, as choices by testers.
//!
//! `(match t ((nil a) ((cons x y) b)))` is `(ite ((_ is nil) t) a b')`, where the variables of `b'`
//! are the fields of `t`. A pattern that is a variable catches all constructors that no case before
//! it has; all of them must be caught in the end, so the last case that is ever taken needs no
//! test. Cases that are not taken, because those before them catch all that they are about, are
//! read and dropped.
//!
//! Source: [SMTLIB] §3.6.1, match.

use shofar_base::{Diagnostic, Read};
use shofar_term::print::{print_sort, quote};
use shofar_term::{Constructor, Sort, Term};

use crate::elaborate::{Elaborator, Form};
use crate::environment::Meaning;
use crate::names::Name;
use crate::sexpr::{self, expect_close, expect_open, is_symbol, unexpected};
use crate::sums::Value;
use crate::token::{Token, TokenKind};

/// A `match` whose cases are being read.
#[derive(Debug)]
pub(crate) struct Match {
    term: Term,
    /// The cases in their order.
    patterns: Vec<Caught>,
}

/// What a case is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Caught {
    /// The values of a constructor.
    Constructor(Constructor),
    /// A variable catches all.
    All,
    /// The cases before it are about all of it already, so it is never taken.
    Nothing,
}

/// A pattern as it was written.
struct Pattern {
    token: Token,
    name: Name,
    /// The variables of a pattern in parentheses.
    variables: Option<Vec<(Name, Token)>>,
}

impl Elaborator<'_, '_> {
    /// The term that is matched is complete: its cases follow.
    pub(crate) fn open_cases(&mut self, term: Term, start: usize) -> Read<()> {
        let sort = self.store.sort(term);
        if self.store.constructors(sort).is_none() {
            return Err(self.wrong_sort(start, "a data type", sort));
        }
        expect_open(self.lexer)?;
        let frame = self.work.frames.last_mut().expect("the match has a frame");
        frame.form = Form::Cases(self.work.matches.len());
        self.work.matches.push(Match { term, patterns: Vec::new() });
        Ok(())
    }
    /// Takes the next token in a list of cases.
    pub(crate) fn read_case(&mut self, token: Token, place: usize) -> Read<()> {
        if token.kind == TokenKind::Close {
            return self.close_cases(place);
        }
        if token.kind != TokenKind::Open {
            return Err(unexpected(self.lexer, "a case", token));
        }
        let pattern = self.pattern()?;
        let term = self.work.matches[place].term;
        let constructor = self.constructor(&pattern, self.store.sort(term))?;
        let caught = if self.is_caught(place, constructor) {
            Caught::Nothing
        } else {
            constructor.map_or(Caught::All, Caught::Constructor)
        };
        let locals = self.env.locals();
        match (constructor, pattern.variables) {
            (None, _) => self.env.bind_local(pattern.name, term),
            (Some(_), None) => {}
            (Some(constructor), Some(variables)) => {
                self.bind_fields(constructor, term, &variables, locals)?;
            }
        }
        self.work.matches[place].patterns.push(caught);
        self.push(Form::Case(locals), token.start());
        Ok(())
    }
    fn pattern(&mut self) -> Read<Pattern> {
        let in_parentheses = self.lexer.peek()?.kind == TokenKind::Open;
        if in_parentheses {
            self.lexer.next()?;
        }
        let token = sexpr::symbol(self.lexer, "a pattern")?;
        let name = self.env.name_of(self.lexer, token);
        if !in_parentheses {
            return Ok(Pattern { token, name, variables: None });
        }
        let mut variables = Vec::new();
        loop {
            let next = self.lexer.next()?;
            if next.kind == TokenKind::Close {
                return Ok(Pattern { token, name, variables: Some(variables) });
            }
            if !is_symbol(next) {
                return Err(unexpected(self.lexer, "a variable", next));
            }
            variables.push((self.env.name_of(self.lexer, next), next));
        }
    }
    /// The constructor that a pattern names; none if it is a variable.
    fn constructor(&self, pattern: &Pattern, sort: Sort) -> Read<Option<Constructor>> {
        let named = match self.env.global(pattern.name) {
            Meaning::Data(id) => self.env.overloads(id).of_sort(self.store, sort),
            Meaning::Unbound
            | Meaning::Builtin(_)
            | Meaning::Term(_)
            | Meaning::Definition(_)
            | Meaning::Function(_) => None,
        };
        let text = self.env.text(pattern.name);
        let Some(constructor) = named else {
            if pattern.variables.is_none() {
                return Ok(None);
            }
            let sort = print_sort(self.store, sort);
            let message = format!("`{text}` is no constructor of {sort}");
            return Err(self.lexer.error_at(pattern.token, message));
        };
        let wanted = self.store.constructor_fields(constructor).len();
        let found = pattern.variables.as_ref().map_or(0, Vec::len);
        if wanted != found {
            let wanted = crate::apply::arguments(wanted);
            let message = format!("`{text}` takes {wanted}, found {found}");
            return Err(self.lexer.error_at(pattern.token, message));
        }
        Ok(Some(constructor))
    }
    fn bind_fields(
        &mut self,
        constructor: Constructor,
        term: Term,
        variables: &[(Name, Token)],
        locals: usize,
    ) -> Read<()> {
        let fields = self.store.constructor_fields(constructor).to_vec();
        for (&(name, token), field) in variables.iter().zip(fields) {
            if self.env.is_bound_since(name, locals) {
                let message = format!("`{}` occurs twice in one pattern", self.env.text(name));
                return Err(self.lexer.error_at(token, message));
            }
            let value = self.store.field(field, term);
            self.env.bind_local(name, value);
        }
        Ok(())
    }
    /// Whether the cases so far catch this constructor, or all if it is none.
    fn is_caught(&self, place: usize, constructor: Option<Constructor>) -> bool {
        let Match { term, patterns } = &self.work.matches[place];
        let has = |c: Constructor| patterns.contains(&Caught::Constructor(c));
        if patterns.contains(&Caught::All) || constructor.is_some_and(has) {
            return true;
        }
        let all = self.store.constructors(self.store.sort(*term)).unwrap_or(&[]);
        constructor.is_none() && all.iter().all(|&c| has(c))
    }
    /// The body of a case is complete; reads the closing parenthesis.
    pub(crate) fn close_case(&mut self, locals: usize, value: Value, start: usize) -> Read<()> {
        let sort = self.sort_of(value);
        let term = self.make_term(value);
        expect_close(self.lexer)?;
        self.env.unbind_locals(locals);
        let case = self.work.frames.pop().expect("a case has a frame");
        let list = self.work.frames.last().expect("a case is in a list");
        if case.values > list.values {
            let earlier = self.sort_of(self.work.values[case.values - 1]);
            if earlier != sort && !(earlier.is_arithmetic() && sort.is_arithmetic()) {
                return Err(self.wrong_sort(start, &print_sort(self.store, earlier), sort));
            }
        }
        self.work.values.push(Value::Term(term));
        Ok(())
    }
    /// The list of cases is complete; reads the parenthesis of the `match`.
    fn close_cases(&mut self, place: usize) -> Read<()> {
        expect_close(self.lexer)?;
        let frame = self.work.frames.pop().expect("a match has a frame");
        let Match { term, patterns } = self.work.matches.pop().expect("it has begun");
        debug_assert_eq!(place, self.work.matches.len());
        let all = self.store.constructors(self.store.sort(term)).unwrap_or(&[]);
        let missing = all.iter().find(|&&c| !patterns.contains(&Caught::Constructor(c)));
        if let Some(&missing) = missing
            && !patterns.contains(&Caught::All)
        {
            return Err(self.missing_case(missing, frame.open));
        }
        let bodies = self.take_terms(frame.values);
        let cases = bodies.iter().zip(&patterns).rev();
        let mut cases = cases.filter(|&(_, &caught)| caught != Caught::Nothing);
        let mut result = *cases.next().expect("all constructors have a case").0;
        for (&body, &caught) in cases {
            let Caught::Constructor(constructor) = caught else {
                unreachable!("nothing is left behind a variable")
            };
            let test = self.store.is(constructor, term);
            result = self.store.ite(test, body, result);
        }
        self.work.terms = bodies;
        self.deliver(Value::Term(result), frame.open)
    }
    fn missing_case(&self, constructor: Constructor, open: usize) -> Box<Diagnostic> {
        let name = quote(self.store.constructor_name(constructor));
        let message = format!("the constructor `{name}` has no case");
        self.lexer.error(open, self.lexer.offset(), message)
    }
}
