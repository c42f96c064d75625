//! Witnesses from texts.
//!
//! Understood are our own refutations and every common way of writing models: a list of
//! `define-fun`s, with or without the word `model` before them, or the `define-fun`s one after the
//! other, with quantifiers or without. A text may have the answers to several questions, see
//! [`GivenAnswer`].

mod answers;
mod define;
mod model;
mod refutation;
mod scan;

use shofar_base::{Diagnostic, GaveUp, Span};
use shofar_chc::{ChcSystem, Verdict};
use shofar_term::Cx;

pub use answers::{Evidence, GivenAnswer, given_answers};

/// A model or a refutation, not validated.
pub type Witness = Verdict<ChcSystem>;

/// Why a text gives no witness; places are those in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// It is not understood.
    Malformed(Diagnostic),
    /// It is understood, but speaks about another problem, or contradicts itself.
    Misfit(Diagnostic),
    /// Reading it, or removing its quantifiers, took too long.
    GaveUp(GaveUp),
}

impl Unread {
    fn malformed(span: Span, message: impl Into<String>) -> Box<Self> {
        Box::new(Self::Malformed(Diagnostic::new(span, message)))
    }
}

impl From<GaveUp> for Box<Unread> {
    fn from(why: GaveUp) -> Self {
        Box::new(Unread::GaveUp(why))
    }
}

/// A result of reading; the error is boxed, so that the good way stays cheap.
type Read<T> = Result<T, Box<Unread>>;

/// Reads the witness for `system` in a text that has one.
pub fn parse_witness(cx: &mut Cx<'_>, text: &[u8], system: &ChcSystem) -> Result<Witness, Unread> {
    match &given_answers(text).map_err(Unread::Malformed)?[..] {
        [] => {
            let whole = Span::new(0, text.len());
            Err(*Unread::malformed(whole, "there is neither a model nor a refutation"))
        }
        [only] => match only.further() {
            Some(further) => Err(*Unread::malformed(further, "here further evidence begins")),
            None => only.witness(cx, system, &|_| Vec::new()),
        },
        [_, second, ..] => Err(*Unread::malformed(second.span(), "here a second answer begins")),
    }
}
