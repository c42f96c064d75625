//! Witnesses from texts.
//!
//! Understood are our own refutations and every common way of writing models: a list of `define-fun`s, with or without
//! the word `model` before them, or the `define-fun`s one after the other, after any number of lines such as `sat`.
//! What is not understood is a [`Diagnostic`] that points into the text.

mod define;
mod model;
mod refutation;
mod scan;

use shofar_chc::{ChcSystem, Verdict};
use shofar_smtlib::{Diagnostic, Span};
use shofar_term::TermStore;

use define::Definitions;
use scan::{Kind, Scan, Token};

/// A model or a refutation, not validated.
pub type Witness = Verdict<ChcSystem>;

/// A result of reading; the error is boxed, so that the good way stays cheap.
type Read<T> = Result<T, Box<Diagnostic>>;

/// Reads a witness for `system`.
pub fn parse_witness(
    text: &[u8],
    system: &ChcSystem,
    store: &mut TermStore,
) -> Result<Witness, Diagnostic> {
    let text = std::str::from_utf8(text).map_err(|error| {
        let at = error.valid_up_to();
        Diagnostic::new(Span::new(at, at + 1), "this is not UTF-8")
    })?;
    read(text, system, store).map_err(|error| *error)
}

fn read(text: &str, system: &ChcSystem, store: &mut TermStore) -> Read<Witness> {
    let mut scan = Scan::new(text);
    let mut definitions = Definitions::default();
    let mut is_model = false;
    loop {
        let token = scan.next()?;
        match token.kind {
            Kind::End => break,
            Kind::Word if matches!(token.text, "sat" | "unsat") => {}
            Kind::Word if token.text == "unknown" => {
                return Err(token.error("`unknown` comes without a witness"));
            }
            Kind::Open => match scan.next()? {
                head if head.is("refutation") => {
                    let derivation = refutation::read(&mut scan, system, store)?;
                    expect_end(&mut scan)?;
                    return Ok(Verdict::Unsafe(derivation));
                }
                head => {
                    read_definitions(&mut scan, token, head, &mut definitions)?;
                    is_model = true;
                }
            },
            Kind::Word | Kind::Quoted | Kind::String | Kind::Close => {
                return Err(token.error("expected a model or a refutation"));
            }
        }
    }
    if !is_model {
        let whole = Span::new(0, text.len());
        let error = Diagnostic::new(whole, "there is neither a model nor a refutation");
        return Err(Box::new(error));
    }
    model::read(text, &definitions, system, store).map(Verdict::Safe)
}

/// Reads one `define-fun`, or a list of them; `head` is the token behind the parenthesis `open`.
fn read_definitions<'t>(
    scan: &mut Scan<'t>,
    open: Token<'t>,
    head: Token<'t>,
    definitions: &mut Definitions<'t>,
) -> Read<()> {
    let mut token = match head.kind {
        Kind::Open | Kind::Close => head,
        Kind::Word if head.text == "model" => scan.next()?,
        Kind::Word | Kind::Quoted | Kind::String | Kind::End => {
            return definitions.read(scan, open, head);
        }
    };
    while token.kind != Kind::Close {
        if token.kind != Kind::Open {
            return Err(token.error("expected a definition"));
        }
        let head = scan.next()?;
        definitions.read(scan, token, head)?;
        token = scan.next()?;
    }
    Ok(())
}

fn expect_end(scan: &mut Scan<'_>) -> Read<()> {
    let token = scan.next()?;
    if token.kind == Kind::End {
        return Ok(());
    }
    Err(token.error("nothing may follow a refutation"))
}
