//! The clauses of a script as they are written, for refutations that name them by number.
//!
//! The script is read a third time for this, but only as far as a question goes whose refutation
//! a reader sees.

use shofar_base::{Budget, GaveUp};
use shofar_check::Rereader;

use crate::question::Answered;

/// Reads a script once more.
#[derive(Debug)]
pub(super) struct Numbering {
    rereader: Rereader,
    /// How much of the text it has heard.
    heard: usize,
    /// The last question, if it was one of a script.
    question: Option<usize>,
}

impl Default for Numbering {
    fn default() -> Self {
        Self { rereader: Rereader::as_written(), heard: 0, question: None }
    }
}

impl Numbering {
    /// The question with this number, counted from 0, is asked.
    pub(super) fn ask(&mut self, question: usize) {
        self.question = Some(question);
    }
    /// Puts the refutation in an answer to the last question in clauses as they are written; `text`
    /// is the script so far.
    pub(super) fn apply(&mut self, answer: &mut Answered, text: &[u8]) -> Result<(), GaveUp> {
        answer.number_clauses(|| {
            let Some(question) = self.question else { return Ok(None) };
            self.rereader.hear(&text[self.heard..]);
            self.heard = text.len();
            let found = self.rereader.problem(&Budget::unlimited(), question)?;
            let missing = || GaveUp::wrong("the question is not there when the text is read again");
            found.map(Some).ok_or_else(missing)
        })
    }
}
