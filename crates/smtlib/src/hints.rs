//! Files of hints: predicates and terms that a solution may be made of.
//!
//! ```text
//! (initial-predicates P ((x Int) (y Int)) (<= x y) (= x (* 2 y)))
//! (templates P ((x Int) (y Int)) (term (- x y)) (inequality-term (+ x y) 3) (predicate (>= x 0) 1))
//! ```
//! The parameters stand for the arguments of `P`, in their order. A number behind a template is its
//! cost; without one it costs nothing. Templates that are formulas (`predicate`, or `predicate-2`,
//! as some files call them) are predicates. The commands are those of Eldarica's files of hints, so
//! that a file can be given to both programs. Data types of the problem are not known here.
//!
//! Nobody looks here whether there is a predicate of that name.

use shofar_base::{Diagnostic, Read, Span};
use shofar_term::{Sort, Symbol, Term, TermStore};

use crate::environment::Environment;
use crate::lexer::Lexer;
use crate::parse::Parser;
use crate::sexpr::{self, expect_close, expect_open};
use crate::token::{LONGEST_COMMAND, Token, TokenKind};

/// What a hint is meant for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HintRole {
    /// A formula of `initial-predicates`, or a template that is one.
    Predicate,
    /// `term`, with its cost.
    Term(u32),
    /// `inequality-term`, with its cost.
    InequalityTerm(u32),
}

/// A command of a file of hints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hints {
    /// The name of the predicate.
    pub name: String,
    /// Where it stands.
    pub span: Span,
    /// Constants that stand for its arguments.
    pub params: Vec<Symbol>,
    /// What is said about them.
    pub terms: Vec<(HintRole, Term)>,
}

/// Reads a file of hints.
pub fn read_hints(text: &[u8], store: &mut TermStore) -> Result<Vec<Hints>, Diagnostic> {
    if let Err(error) = std::str::from_utf8(text) {
        let at = error.valid_up_to();
        return Err(Diagnostic::new(Span::new(at, at + 1), "this is not UTF-8"));
    }
    if text.len() > LONGEST_COMMAND {
        return Err(Diagnostic::new(Span::new(0, 1), "the file is too large"));
    }
    let (mut env, mut lexer) = (Environment::new(), Lexer::new(text, 0));
    let mut parser = Parser { env: &mut env, store, lexer: &mut lexer };
    parser.hint_commands().map_err(|error| *error)
}

/// Which command it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Predicates,
    Templates,
}

impl Parser<'_, '_> {
    fn hint_commands(&mut self) -> Read<Vec<Hints>> {
        let mut commands = Vec::new();
        while self.lexer.peek()?.kind != TokenKind::End {
            commands.push(self.hint_command()?);
        }
        Ok(commands)
    }
    fn hint_command(&mut self) -> Read<Hints> {
        expect_open(self.lexer)?;
        let head = sexpr::symbol(self.lexer, "the name of a command")?;
        let kind = match self.lexer.token_bytes(head) {
            b"initial-predicates" => Kind::Predicates,
            b"templates" => Kind::Templates,
            _ => {
                let text = self.lexer.token_str(head);
                let span = self.lexer.span(head.start(), head.end());
                let error = Diagnostic::new(span, format!("unknown command `{text}`"));
                let note = "a file of hints has the commands `initial-predicates` and `templates`";
                return Err(Box::new(error.note(note)));
            }
        };
        let token = sexpr::symbol(self.lexer, "the name of a predicate")?;
        let name = self.env.name_of(self.lexer, token);
        let (name, span) =
            (self.env.text(name).to_owned(), self.lexer.span(token.start(), token.end()));
        let (locals, named) = (self.env.locals(), self.params()?);
        let mut params = Vec::with_capacity(named.len());
        for &(name, sort) in &named {
            let symbol = self.store.fresh(self.env.text(name), sort);
            params.push(symbol);
            let term = self.store.constant(symbol);
            self.env.bind_local(name, term);
        }
        let mut terms = Vec::new();
        loop {
            let first = self.lexer.next()?;
            if first.kind == TokenKind::Close {
                break;
            }
            terms.push(match kind {
                Kind::Predicates => {
                    (HintRole::Predicate, self.elaborate(first, Some(Sort::BOOL))?.0)
                }
                Kind::Templates => self.template(first)?,
            });
        }
        self.env.unbind_locals(locals);
        Ok(Hints { name, span, params, terms })
    }
    /// A template, the first token of which is `first`.
    fn template(&mut self, first: Token) -> Read<(HintRole, Term)> {
        if first.kind != TokenKind::Open {
            return Err(sexpr::unexpected(self.lexer, "a template", first));
        }
        let word = sexpr::symbol(self.lexer, "the kind of a template")?;
        let role = match self.lexer.token_bytes(word) {
            b"predicate" | b"predicate-2" => |_| HintRole::Predicate,
            b"term" => HintRole::Term,
            b"inequality-term" => HintRole::InequalityTerm,
            _ => {
                let text = self.lexer.token_str(word);
                let message = format!("unknown kind of template `{text}`");
                let span = self.lexer.span(word.start(), word.end());
                let note = "templates are `term`, `inequality-term` and `predicate`";
                return Err(Box::new(Diagnostic::new(span, message).note(note)));
            }
        };
        let begin = self.lexer.peek()?;
        let first = self.lexer.next()?;
        let is_formula = role(0) == HintRole::Predicate;
        let (term, _) = self.elaborate(first, is_formula.then_some(Sort::BOOL))?;
        let is_number = self.store.sort(term).is_arithmetic();
        if role(0) == HintRole::InequalityTerm(0) && !is_number {
            let message = "only numbers have bounds";
            return Err(self.lexer.error(begin.start(), self.lexer.offset(), message));
        }
        let cost = self.cost()?;
        expect_close(self.lexer)?;
        // A condition that is a term is a predicate.
        let role = if self.store.sort(term).is_bool() { HintRole::Predicate } else { role(cost) };
        Ok((role, term))
    }
    fn cost(&mut self) -> Read<u32> {
        if self.lexer.peek()?.kind == TokenKind::Close {
            return Ok(0);
        }
        let token = sexpr::expect(self.lexer, TokenKind::Numeral, "a cost or `)`")?;
        let cost = self.lexer.token_str(token).parse();
        cost.map_err(|_| self.lexer.error_at(token, "the cost is too large"))
    }
}

#[cfg(test)]
mod tests {
    use shofar_term::print::print;

    use super::*;

    /// What is read, or the complaint with its place.
    fn check(text: &str, expected: &str) {
        let mut store = TermStore::new();
        let shown = match read_hints(text.as_bytes(), &mut store) {
            Ok(commands) => {
                let mut lines = Vec::new();
                for Hints { name, params, terms, .. } in commands {
                    for (role, term) in terms {
                        let text = print(&store, term);
                        lines.push(format!("{name}/{}: {role:?} {text}", params.len()));
                    }
                }
                lines.join("; ")
            }
            Err(error) => format!("{}: {}", error.span.start, error.message),
        };
        assert_eq!(shown, expected);
    }

    #[test]
    fn predicates_and_templates() {
        check("; nothing\n", "");
        check("(initial-predicates |a b| () true)", "a b/0: Predicate true");
        check(
            "(initial-predicates P ((x Int) (b Bool)) (>= x 0) b)\n(initial-predicates Q ())",
            "P/2: Predicate (>= x!0 0); P/2: Predicate b!1",
        );
        check(
            "(templates P ((x Real) (y Real)) (term x 7) (inequality-term y) (predicate (> y 0.0) 3))",
            "P/2: Term(7) x!0; P/2: InequalityTerm(0) y!1; P/2: Predicate (> y!1 0.0)",
        );
        check("(templates P ((b Bool)) (term b))", "P/1: Predicate b!0");
    }

    #[test]
    fn mistakes_have_a_place() {
        check("(hint P ((x Int)) x)", "1: unknown command `hint`");
        check("(initial-predicates P ((x Int)) x)", "32: expected a term of sort Bool, found Int");
        check("(initial-predicates P ((x Int)) (> y 0))", "35: unknown symbol `y`");
        check(
            "(initial-predicates P ((x Int) (x Int)) true)",
            "32: the parameter `x` occurs twice",
        );
        check(
            "(initial-predicates P ((x Int)) (> x 0)",
            "39: expected a term, found the end of the command",
        );
        check("(templates P ((x Int)) x)", "23: expected a template, found a symbol");
        check("(templates P ((x Int)) (sum x))", "24: unknown kind of template `sum`");
        check("(templates P ((b Bool)) (inequality-term b))", "41: only numbers have bounds");
        check("(templates P ((x Int)) (term x 99999999999))", "31: the cost is too large");
        check(
            "(templates P ((x Int) (y Int)) (term (* x y)))",
            "37: a product of terms is not linear",
        );
    }
}
