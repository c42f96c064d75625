//! NTS: numerical transition systems, programs of procedures whose transitions are formulas or
//! calls.
//!
//! ```text
//! nts gcd;
//! main { x, y : int; initial s; error bad;
//!   s -> loop { x' >= 0 and y' >= 0 }
//!   loop -> loop { x > y and x' = x - y and havoc(x) }
//!   loop -> loop { x <= y and y' = y - x and havoc(y) }
//!   loop -> bad { x = -1 } }
//! ```
//! | file | what |
//! |---|---|
//! | `program` | what a text says |
//! | `scope` | what names stand for, and `havoc` |
//! | `parse` | from tokens to a program |
//! | `analysis` | which procedures are called and fail, which variables change |
//! | `encode` | from a program to clauses |
//! | `runs` | the same for the question whether all runs end: calls are expanded |
//! | `descent` | and with recursion: calls are entered or passed |
//!
//! The question is whether no error state is reached, from any values of the variables that the
//! precondition (`init`) allows. A transition relates the present value of `x` to the next one,
//! `x'`; without `havoc` nothing is said about what it does not mention. `havoc(x, y)` says that
//! every other variable keeps its value. Beside a call it has to be there. `/` rounds down and `%`
//! is not negative, as for Eldarica.
//!
//! Source: [HKG12] (the language and its library), [HR18] for what division means. DIVERGENCE
//! [HKG12]: no arrays, no threads, no quantifiers, and no calls without `havoc`, about which
//! versions of the library differ.

mod analysis;
mod descent;
mod encode;
mod explain;
mod parse;
mod program;
mod runs;
mod scope;

use std::sync::Arc;

use shofar_base::{Diagnostic, Span};
use shofar_chc::Exactness;
use shofar_chc::read::{Asks, FrontEnd, HornProblem, PROPERTY, Property, ReadOptions, Texts};
use shofar_term::TermStore;

use crate::expression::Operators;
use crate::lexer::{Cursor, Slashes, Syntax};
use crate::operation::{Computation, Connective, Op};
use explain::Explanation;
use parse::Parser;

/// The row of the table of front ends.
pub const NTS: FrontEnd = FrontEnd {
    name: "nts",
    about: "NTS: programs of procedures with integer variables, whose transitions are formulas or calls",
    extensions: &["nts"],
    recognises,
    texts: Texts::Whole,
    asks: Asks::Either,
    options: &[PROPERTY],
    read: |text, options, store| read(text, options, store).map(|problem| vec![problem]),
};

const SYNTAX: Syntax = Syntax {
    comment: None,
    slashes: Slashes::Comment,
    signs: &[
        "<->", "->", "<=", ">=", "!=", "&&", "||", "<", ">", "=", "!", "|", "+", "-", "*", "/",
        "%", "(", ")", "[", "]", "{", "}", ",", ":", ";", ".", "@",
    ],
    quote: b'"',
    has_decimals: true,
    has_members: false,
};

const OPERATORS: Operators = Operators {
    prefix: &[("not", Op::Not, 5), ("!", Op::Not, 5), ("-", Op::Neg, 9)],
    infix: &[
        ("equiv", Op::Connect(Connective::Iff), 1),
        ("<->", Op::Connect(Connective::Iff), 1),
        ("imply", Op::Connect(Connective::Implies), 2),
        ("->", Op::Connect(Connective::Implies), 2),
        ("or", Op::Connect(Connective::Or), 3),
        ("||", Op::Connect(Connective::Or), 3),
        ("and", Op::Connect(Connective::And), 4),
        ("&&", Op::Connect(Connective::And), 4),
        ("=", Op::Equal, 6),
        ("!=", Op::Unequal, 6),
        ("<", Op::Compute(Computation::Lt), 6),
        ("<=", Op::Compute(Computation::Le), 6),
        (">", Op::Compute(Computation::Gt), 6),
        (">=", Op::Compute(Computation::Ge), 6),
        ("+", Op::Compute(Computation::Add), 7),
        ("-", Op::Compute(Computation::Sub), 7),
        ("*", Op::Compute(Computation::Mul), 8),
        ("/", Op::Div, 8),
        ("%", Op::Mod, 8),
    ],
    application: &[("(", ")")],
    brackets_connectives: false,
};

/// Reads a text as one problem.
fn read(
    text: &[u8],
    options: &ReadOptions,
    store: &mut TermStore,
) -> Result<HornProblem, Diagnostic> {
    let cursor = Cursor::new(text, &SYNTAX)?;
    let program = Parser { store, cursor }.program()?;
    let (system, surplus) = match options.property() {
        Property::Termination => runs::clauses(store, &program, text.len())?,
        Property::Safety => (encode::clauses(store, &program, text.len())?, None),
    };
    let mut problem = HornProblem::of_system(store, system);
    if let Some(surplus) = surplus {
        (problem.exactness, problem.surplus) = (Exactness::Over, surplus);
    }
    problem.span = Span::new(0, text.len());
    problem.explain = Some(Arc::new(Explanation::new(text, &program)));
    Ok(problem)
}

/// Whether a text begins with `nts`, a name and a semicolon, perhaps behind annotations.
fn recognises(text: &[u8]) -> bool {
    const LOOK: usize = 1 << 16;
    let start = &text[..text.len().min(LOOK)];
    let Ok(cursor) = Cursor::new(start, &SYNTAX) else { return false };
    cursor.is(cursor.peek(), "@")
        || cursor.is(cursor.peek(), "nts") && cursor.is(cursor.look(2), ";")
}

#[cfg(test)]
mod tests;
