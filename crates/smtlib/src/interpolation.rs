//! The commands by which other solvers ask for an interpolant, and the annotations that they need.
//!
//! | solver | what it writes | what it means |
//! |---|---|---|
//! | cvc5 | `(get-interpolant n f)` | between the assertions and `¬f`, to be called `n` |
//! | MathSAT, OpenSMT | `(get-interpolant (g …))` | between the groups `g …` of assertions and the others |
//! | z3 4.7 | `(get-interpolant a b …)` | as `get-interpolants`, of named assertions |
//! | z3 4.7 | `(compute-interpolant f g …)` | of these formulas, whatever is asserted |
//! | Princess | `(get-interpolants)` | a sequence of all assertions |
//! | Yices | `(check-sat-assuming-model (x …) (v …))` | the assumptions `x = v` |
//! | Yices | `(get-unsat-model-interpolant)` | between the assertions and these assumptions |
//!
//! Groups are given to assertions by `(! f :interpolation-group g)`.

use shofar_base::Read;
use shofar_term::print::print_sort;
use shofar_term::{Sort, Term};

use crate::command::{Command, Quoted};
use crate::environment::Meaning;
use crate::parse::Parser;
use crate::partition::{self, Partition};
use crate::sexpr::{self, expect_close, expect_open};
use crate::token::{Token, TokenKind};

/// What an interpolant is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Interpolant {
    /// Between the assertions and the negation of a formula.
    Conjecture {
        /// What the interpolant is to be called.
        name: String,
        /// The formula that follows from it.
        formula: Term,
    },
    /// Between the assertions of these groups and the others.
    Groups(Vec<String>),
    /// Between the assertions and the assumptions of the last question.
    Assumptions,
    /// Of formulas that have nothing to do with what is asserted, a sequence.
    Formulas(Vec<Term>),
}

impl Parser<'_, '_> {
    /// `get-interpolants`, and the closing parenthesis. Without elements it asks for a sequence of
    /// all assertions, as in Princess.
    pub(crate) fn get_interpolants(&mut self) -> Read<Command> {
        if self.lexer.peek()?.kind == TokenKind::Close {
            self.lexer.next()?;
            return Ok(Command::GetInterpolants(Partition::default()));
        }
        let partition = partition::partition(self.lexer)?;
        if partition.groups.len() < 2 {
            return Err(self.lexer.error(
                0,
                self.lexer.offset(),
                "interpolants need at least two partitions",
            ));
        }
        Ok(Command::GetInterpolants(partition))
    }
    /// `get-interpolant`, and the closing parenthesis.
    pub(crate) fn get_interpolant(&mut self) -> Read<Command> {
        let start = self.lexer.offset();
        let first = self.lexer.next()?;
        if first.kind == TokenKind::Open {
            // A list alone names groups; a list before other elements is a subtree.
            if let Ok(groups) = self.group_names()
                && self.lexer.peek()?.kind == TokenKind::Close
            {
                self.lexer.next()?;
                return Ok(Command::GetInterpolant(Interpolant::Groups(groups)));
            }
        } else if sexpr::is_symbol(first) {
            let name = self.env.name_of(self.lexer, first);
            if self.env.global(name) == Meaning::Unbound {
                return self.conjecture(first);
            }
        }
        self.lexer.rewind(start);
        self.get_interpolants()
    }
    /// The formula behind a new name, and maybe a grammar, which only says what an answer may look
    /// like.
    fn conjecture(&mut self, name: Token) -> Read<Command> {
        let name = self.lexer.token_str(name).to_owned();
        let first = self.lexer.next()?;
        let (formula, _) = self.elaborate(first, Some(Sort::BOOL))?;
        if self.lexer.peek()?.kind != TokenKind::Close {
            let token = self.lexer.next()?;
            return Err(self.lexer.error_at(token, "grammars of interpolants are not supported"));
        }
        expect_close(self.lexer)?;
        Ok(Command::GetInterpolant(Interpolant::Conjecture { name, formula }))
    }
    fn group_names(&mut self) -> Read<Vec<String>> {
        let mut names = Vec::new();
        loop {
            let token = self.lexer.next()?;
            match token.kind {
                TokenKind::Close => return Ok(names),
                TokenKind::Symbol | TokenKind::Quoted | TokenKind::Numeral => {
                    names.push(self.lexer.token_str(token).to_owned());
                }
                TokenKind::Open
                | TokenKind::Keyword
                | TokenKind::Decimal
                | TokenKind::Hexadecimal
                | TokenKind::Binary
                | TokenKind::String
                | TokenKind::End => {
                    return Err(sexpr::unexpected(self.lexer, "the name of a group", token));
                }
            }
        }
    }
    /// `compute-interpolant`.
    pub(crate) fn compute_interpolant(&mut self) -> Read<Command> {
        let mut formulas = Vec::new();
        while self.lexer.peek()?.kind != TokenKind::Close {
            let first = self.lexer.next()?;
            formulas.push(self.elaborate(first, Some(Sort::BOOL))?.0);
        }
        if formulas.len() < 2 {
            let message = "interpolants need at least two formulas";
            return Err(self.lexer.error(0, self.lexer.offset(), message));
        }
        Ok(Command::GetInterpolant(Interpolant::Formulas(formulas)))
    }
    /// `check-sat-assuming-model`: variables, and as many values.
    pub(crate) fn check_sat_assuming_model(&mut self) -> Read<Command> {
        let variables = self.terms(None)?;
        expect_open(self.lexer)?;
        let mut assumptions = Vec::with_capacity(variables.len());
        for Quoted { term: variable, text } in variables {
            let first = self.lexer.next()?;
            if first.kind == TokenKind::Close {
                let message = "there are fewer values than variables";
                return Err(self.lexer.error_at(first, message));
            }
            let sort = self.store.sort(variable);
            let value = self.quoted(first, Some(sort))?;
            if !self.store.is_value(value.term) {
                let sort = print_sort(self.store, sort);
                let message = format!("expected a value of sort {sort}");
                return Err(self.lexer.error(first.start(), self.lexer.offset(), message));
            }
            let term = self.store.eq(variable, value.term);
            let text = format!("(= {text} {})", value.text);
            assumptions.push(Quoted { term, text });
        }
        expect_close(self.lexer)?;
        Ok(Command::CheckSatAssuming(assumptions))
    }
}
