//! Programs in C.
//!
//! The subset that verification tasks are written in: integers of all types, arrays of fixed size,
//! all statements, functions with recursion; `assert`, `__VERIFIER_assert`, `__VERIFIER_assume`,
//! `__VERIFIER_nondet_*`, `reach_error`, `abort`, `exit`. The question is whether a violation can
//! happen: an assertion that fails, a call of `reach_error`, an index out of bounds, a division by
//! zero, and, if overflow is checked, a signed number that does not fit its type. Everything else
//! is refused with its place: pointers, structures, floating-point numbers, threads, expressions
//! whose value depends on an order that C leaves open.
//!
//! | step | file |
//! |---|---|
//! | comments, directives, headers | `source` |
//! | how deeply the program is nested | `nesting` |
//! | the tree, by the crate `lang-c` | `read` |
//! | blocks of instructions | `lower`, `unit`, `declaration`, `statement`, `jump`, `expression`, `choice`, `place`, `operators`, `bits`, `calls`, with `scope`, `types`, `value`, `pending`, `parameters`, `effects` |
//! | cut points, live variables | `flow` |
//! | clauses | `encode`, `predicates` |
//! | witnesses in the words of C | `explain`, `yaml` |
//! | confirming answers by running the program | `run` |
//!
//! Invariant: the parser and what follows recurse on the depth of the tree, which is bounded
//! beforehand; they run in a thread with a stack that is large enough for this depth.
//!
//! DIVERGENCE from C: with `--c-arith int`, signed numbers are mathematical integers; C has no
//! meaning for programs in which they overflow. Inputs and first values are within their types all
//! the same. Sizes of types are those of the data model that is chosen, LP64 or ILP32.

mod bits;
mod calls;
mod choice;
mod declaration;
mod effects;
mod encode;
mod explain;
mod expression;
mod flow;
mod invariant;
mod jump;
mod lower;
mod nesting;
mod operators;
mod parameters;
mod pending;
mod place;
mod predicates;
mod program;
pub mod run;
mod scope;
mod source;
mod statement;
mod types;
mod unit;
mod value;
mod yaml;

use std::sync::Arc;

use lang_c::driver::{Config, Flavor, parse_preprocessed};
use shofar_base::{Diagnostic, Span};
use shofar_chc::Exactness;
use shofar_chc::read::{
    Asks, FrontEnd, HornProblem, OptionScope, PROPERTY, ReadOption, ReadOptions, Texts,
};
use shofar_term::TermStore;

use crate::execution::Listing;
use encode::encode;
use explain::Explanation;
use lower::lower;
use nesting::{DEEPEST, measure};
use program::Counted;
use run::Oracle;
use source::prepare;
use types::{Arithmetic, DataModel};

/// How signed numbers are computed with.
const ARITHMETIC: ReadOption = ReadOption {
    scope: OptionScope::Job,
    name: "c-arith",
    values: &["int", "wrap-check", "overflow-only"],
    about: "signed numbers of C: mathematical integers, or an overflow is a violation, or the only one",
};

/// How large types are. The first one is what a compiler on this platform, Linux on 64 bits, takes.
const DATA_MODEL: ReadOption = ReadOption {
    scope: OptionScope::Job,
    name: "data-model",
    values: &["LP64", "ILP32"],
    about: "bits of int, long and pointers in C: 32, 64, 64 or 32, 32, 32",
};

/// The row of the table of front ends.
pub const C: FrontEnd = FrontEnd {
    name: "c",
    about: "programs in C: integers, arrays, functions; assertions are to hold",
    extensions: &["c", "i"],
    recognises,
    texts: Texts::Whole,
    asks: Asks::Either,
    options: &[ARITHMETIC, DATA_MODEL, PROPERTY],
    read: |text, options, store| read(text, options, store).map(|problem| vec![problem]),
};

/// Whether a text mentions a function `main`, and does not begin as texts in languages with
/// brackets around everything do.
fn recognises(text: &[u8]) -> bool {
    const LOOK: usize = 1 << 16;
    let start = text[..text.len().min(LOOK)].trim_ascii_start();
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let has_main = start.windows(5).enumerate().any(|(at, window)| {
        let follows = start[at + 5..].trim_ascii_start().first();
        let is_called = follows == Some(&b'(') || window[4] == b'(';
        let begins = at == 0 || !is_word(&start[at - 1]);
        window.starts_with(b"main") && begins && !is_word(&window[4]) && is_called
    });
    has_main && !matches!(start.first(), Some(b'(' | b';' | b'<' | b'%'))
}

/// Enough for the deepest tree that is not refused.
const STACK: usize = 512 << 20;

/// Reads a program as one problem.
fn read(
    text: &[u8],
    options: &ReadOptions,
    store: &mut TermStore,
) -> Result<HornProblem, Diagnostic> {
    // Where the system limits addresses there is room for a smaller one.
    let mut missing = None;
    for size in [STACK, STACK / 4, STACK / 16, STACK / 64] {
        let read = std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().name("reader of C".to_owned());
            let thread = thread.stack_size(size);
            let spawned = thread.spawn_scoped(scope, || read_here(text, options, store, size));
            spawned.map(std::thread::ScopedJoinHandle::join)
        });
        match read {
            Ok(Ok(problem)) => return problem,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(error) => missing = Some(error),
        }
    }
    let why = missing.map(|error| error.to_string()).unwrap_or_default();
    let message = format!("no thread can be started to read the program: {why}");
    Err(Diagnostic::new(Span::new(0, 0), message))
}

fn read_here(
    text: &[u8],
    options: &ReadOptions,
    store: &mut TermStore,
    stack: usize,
) -> Result<HornProblem, Diagnostic> {
    let model = match options.get(DATA_MODEL.name) {
        "ILP32" => DataModel::Ilp32,
        _ => DataModel::Lp64,
    };
    let prepared = prepare(text, model)?;
    let nesting = measure(&prepared.text[prepared.offset..])?;
    if nesting > stack / (STACK / DEEPEST) {
        let message =
            format!("there is no memory for a program that is nested {nesting} levels deep");
        return Err(Diagnostic::new(Span::new(0, 0), message));
    }
    let config = Config { flavor: Flavor::GnuC11, ..Config::default() };
    let tree = parse_preprocessed(&config, prepared.text).map_err(|error| {
        let at = error.offset.saturating_sub(prepared.offset).min(text.len());
        let mut expected: Vec<&str> = error.expected.iter().copied().collect();
        expected.sort_unstable();
        let end = (at + 1).min(text.len());
        let diagnostic = Diagnostic::new(Span::new(at, end), "this is not understood");
        diagnostic.note(format!("expected one of {}", expected.join(" ")))
    })?;
    let arithmetic = match options.get(ARITHMETIC.name) {
        "wrap-check" | "overflow-only" => Arithmetic::Checked,
        _ => Arithmetic::Mathematical,
    };
    let counted = match options.get(ARITHMETIC.name) {
        "overflow-only" => Counted::Overflows,
        _ => Counted::All,
    };
    let place = (text, prepared.offset, nesting);
    let kinds = (arithmetic, model, options.property(), counted);
    let program = lower(store, kinds, &tree.unit, place, &prepared.constants)?;
    let listing = Listing::new(text);
    let encoded = encode(store, &program, &listing);
    let mut problem = HornProblem::of_system(store, encoded.system);
    problem.span = Span::new(0, text.len());
    if !encoded.surplus.is_empty() {
        (problem.exactness, problem.surplus) = (Exactness::Over, encoded.surplus);
    }
    let (events, places, variables) = (encoded.events, encoded.places, program.variables);
    let kinds = (arithmetic, model, counted);
    let oracle = Oracle::new(&tree.unit, text, prepared.offset, &prepared.constants, kinds);
    let explanation = Explanation { listing, events, places, variables, arithmetic, model, oracle };
    problem.explain = Some(Arc::new(explanation));
    Ok(problem)
}

#[cfg(test)]
mod tests;
