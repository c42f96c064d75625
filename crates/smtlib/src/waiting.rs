//! Data types that refer to one declared behind them.
//!
//! SMT-LIB asks for a sort before its use, but some public Horn problems declare a record before
//! the type of one of its fields. In Horn scripts such a declaration waits, as text, and is read
//! again after each further declaration of a sort. The first command of another kind ends the
//! waiting: what has not got a meaning by then is reported where it stands.
//!
//! Invariant: a command that may use sorts is read only while nothing waits, so the order of the
//! declarations matters to nobody.
//!
//! DIVERGENCE [SMTLIB] §4.2.3: there the sort of a field has to be known. Scripts for the SMT
//! solver are read that way.

use shofar_base::{Diagnostic, Read};
use shofar_term::TermStore;

use crate::command::{Command, Sentence};
use crate::environment::Environment;
use crate::lexer::Lexer;
use crate::parse::parse_now;
use crate::sexpr::expect_open;
use crate::sorts::is_unknown;

/// A declaration that lacks the sort of a field.
#[derive(Debug)]
pub(crate) struct Waiting {
    text: Box<[u8]>,
    base: usize,
    /// What is reported if the sort does not come.
    error: Box<Diagnostic>,
}

/// Whether a command of this name may stand between a declaration and the one that it waits for.
pub(crate) fn goes_on(command: &[u8]) -> bool {
    matches!(
        command,
        b"declare-datatype"
            | b"declare-datatypes"
            | b"define-sort"
            | b"set-info"
            | b"set-option"
            | b"set-logic"
    )
}

impl Environment {
    /// The error of a declaration that still waits; nothing waits from now on.
    pub(crate) fn end_waiting(&mut self) -> Option<Box<Diagnostic>> {
        std::mem::take(&mut self.waiting).into_iter().map(|it| it.error).next()
    }
}

/// Lets a declaration of data types wait that has failed because a sort is unknown.
pub(crate) fn put_off(
    env: &mut Environment,
    text: &[u8],
    base: usize,
    error: Box<Diagnostic>,
) -> Read<Command> {
    if !env.is_horn() || !is_unknown(&error) || !declares_data(text, base) {
        return Err(error);
    }
    env.waiting.push(Waiting { text: text.into(), base, error });
    Ok(Command::Define { name: String::new() })
}

fn declares_data(text: &[u8], base: usize) -> bool {
    let mut lexer = Lexer::new(text, base);
    let head = expect_open(&mut lexer).and_then(|_| lexer.next());
    head.is_ok_and(|head| {
        matches!(lexer.token_bytes(head), b"declare-datatype" | b"declare-datatypes")
    })
}

/// Reads what waits again, until nothing more gets a meaning.
pub(crate) fn take_up(env: &mut Environment, store: &mut TermStore) {
    loop {
        let before = std::mem::take(&mut env.waiting);
        let count = before.len();
        for it in before {
            let read: Read<Sentence> = parse_now(env, store, &it.text, it.base);
            if read.is_err() {
                env.waiting.push(it);
            }
        }
        if env.waiting.len() == count {
            return;
        }
    }
}
