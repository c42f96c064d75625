//! Prolog-style Horn clauses, as Eldarica reads them.
//!
//! ```text
//! % Subtracting does not make a number negative.
//! state(X, Y) :- X >= 0, Y >= 0.
//! state(Z, Y) :- state(X, Y), X > Y, Z = X - Y.
//! false :- state(X, Y), X < 0.
//! ```
//! All variables are integers. A name is a predicate if it has arguments or stands by itself where
//! a literal is expected, and a variable elsewhere, whatever its first letter is; predicates are
//! told apart by name and number of arguments. The question is whether there is a model: a
//! derivation of `false` contradicts it.
//!
//! Written and understood are: `:-`, `,`, `;`, `\+`, `=`, `=:=`, `\=`, `=\=`, `!=`, `<`, `=<`, `>`,
//! `>=`, `+`, `-`, `*`, `/`, `div`, `mod`, `true`, `false`, `_`, `'quoted names'`, terms as
//! arguments, `p-[X, Y]` for `p(X, Y)`, and comments by `%`, `/* */` and `//`. Refused are:
//! directives, negated predicates, `,` beside `;` without brackets and `//` inside a clause (tools
//! disagree about both), and divisors other than positive numbers.
//!
//! Source: [HR18] (the tool whose grammar this is). DIVERGENCE [HR18]: terms are accepted as
//! arguments, facts need no `:-`, predicates may occur below `;`, and what tools read differently
//! is refused.

mod clause;
mod explain;
mod print;

use std::sync::Arc;

use shofar_base::{Diagnostic, Span};
use shofar_chc::read::{Asks, Explain, FrontEnd, HornProblem, Statements, Texts};
use shofar_term::TermStore;

use crate::expression::Operators;
use crate::lexer::{Cursor, Slashes, Syntax, TokenKind};
use crate::operation::{Computation, Connective, Op};
use clause::Clauses;
use explain::Explanation;

pub use print::print_prolog;

/// The row of the table of front ends.
pub const PROLOG: FrontEnd = FrontEnd {
    name: "prolog",
    about: "Prolog-style Horn clauses over integers, as Eldarica reads them",
    extensions: &["horn", "pl"],
    recognises,
    texts: Texts::Whole,
    asks: Asks::Either,
    options: &[],
    read: |text, _, store| read(text, store).map(|problem| vec![problem]),
};

const SYNTAX: Syntax = Syntax {
    comment: Some(b'%'),
    slashes: Slashes::CommentBetweenClauses,
    signs: &[
        "=:=", "=\\=", ":-", "?-", "\\+", "\\=", "=<", ">=", "!=", "-[", "<", ">", "=", "+", "-",
        "*", "/", "(", ")", "]", ",", ";", ".",
    ],
    quote: b'\'',
    has_decimals: false,
    has_members: false,
};

const OPERATORS: Operators = Operators {
    prefix: &[("\\+", Op::Not, 2), ("-", Op::Neg, 6)],
    infix: &[
        (",", Op::Connect(Connective::And), 1),
        (";", Op::Connect(Connective::Or), 1),
        ("=", Op::Equal, 3),
        ("=:=", Op::Equal, 3),
        ("\\=", Op::Unequal, 3),
        ("=\\=", Op::Unequal, 3),
        ("!=", Op::Unequal, 3),
        ("<", Op::Compute(Computation::Lt), 3),
        ("=<", Op::Compute(Computation::Le), 3),
        (">", Op::Compute(Computation::Gt), 3),
        (">=", Op::Compute(Computation::Ge), 3),
        ("+", Op::Compute(Computation::Add), 4),
        ("-", Op::Compute(Computation::Sub), 4),
        ("*", Op::Compute(Computation::Mul), 5),
        ("/", Op::Div, 5),
        ("div", Op::Div, 5),
        ("mod", Op::Mod, 5),
    ],
    application: &[("(", ")"), ("-[", "]")],
    brackets_connectives: true,
};

/// Reads a text as one problem.
fn read(text: &[u8], store: &mut TermStore) -> Result<HornProblem, Diagnostic> {
    let mut cursor = Cursor::new(text, &SYNTAX)?;
    let mut clauses = Clauses::default();
    let mut formulas = Vec::new();
    while cursor.peek().kind != TokenKind::End {
        formulas.push(clauses.read(store, &mut cursor)?);
    }
    let whole = Span::new(0, text.len());
    if formulas.is_empty() {
        return Err(Diagnostic::new(whole, "the text has no clauses"));
    }
    let mut statements = Statements::new(clauses.preds().iter().copied());
    for (formula, span) in formulas {
        statements.state(store, formula, span)?;
    }
    let explain = Some(Arc::new(Explanation::new(text)) as Arc<dyn Explain>);
    Ok(HornProblem { explain, ..statements.problem(whole) })
}

/// Whether a text begins with a clause: a name, then `:-`, a full stop or arguments, and somewhere
/// `:-`.
fn recognises(text: &[u8]) -> bool {
    const LOOK: usize = 1 << 16;
    let start = &text[..text.len().min(LOOK)];
    let Ok(mut cursor) = Cursor::new(start, &SYNTAX) else { return false };
    let first = cursor.next();
    let begins = matches!(first.kind, TokenKind::Name | TokenKind::Quoted)
        && ["(", "-[", ":-", "."].iter().any(|sign| cursor.is(cursor.peek(), sign));
    begins && start.windows(2).any(|pair| pair == b":-")
}

#[cfg(test)]
mod tests;
