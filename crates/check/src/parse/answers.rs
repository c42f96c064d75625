//! What a text says about each question of a script.
//!
//! A text is what a solver printed: `sat`, `unsat` or `unknown` for each question, each followed by the evidence for it,
//! if there is any. A text without such words is the evidence for one question. What else a solver may print is skipped:
//! texts of `echo`, with quotes or without, `success`, `unsupported`, `(error …)`, and answers to `get-info`.
//!
//! A text is split here, and no more than the first word behind each parenthesis is looked at; so what is wrong with one
//! piece of evidence does not matter for the others.

use shofar_base::{Diagnostic, Span};
use shofar_chc::read::Status;
use shofar_chc::{ChcSystem, Verdict};
use shofar_term::Cx;

use super::define::Definitions;
use super::scan::{Kind, Scan, Token};
use super::{Read, Unread, Witness, model, refutation};

/// The answer to one question.
#[derive(Clone, Debug)]
pub struct GivenAnswer<'t> {
    text: &'t str,
    word: Option<Status>,
    span: Span,
    /// The places of the expressions behind the word.
    evidence: Vec<Span>,
}

/// What stands behind an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// Nothing.
    Nothing,
    /// A model.
    Model,
    /// A refutation, step by step.
    Refutation,
    /// A refutation without its values.
    Summary,
}

/// Takes a text apart into its answers.
pub fn given_answers(text: &[u8]) -> Result<Vec<GivenAnswer<'_>>, Diagnostic> {
    let text = std::str::from_utf8(text).map_err(|error| {
        let at = error.valid_up_to();
        Diagnostic::new(Span::new(at, at + 1), "this is not UTF-8")
    })?;
    split(text).map_err(|unread| match *unread {
        Unread::Malformed(diagnostic) | Unread::Misfit(diagnostic) => diagnostic,
        Unread::GaveUp(_) => unreachable!("splitting a text knows no limits"),
    })
}

fn split(text: &str) -> Read<Vec<GivenAnswer<'_>>> {
    let mut scan = Scan::new(text);
    let mut answers: Vec<GivenAnswer<'_>> = Vec::new();
    loop {
        let token = scan.next()?;
        match token.kind {
            Kind::End => return Ok(answers),
            Kind::Close => return Err(token.error("nothing is open that this could close")),
            Kind::Word => {
                if let Some(word) = status(token) {
                    let (word, span) = (Some(word), token.span);
                    answers.push(GivenAnswer { text, word, span, evidence: Vec::new() });
                }
            }
            Kind::Quoted | Kind::String => {}
            Kind::Open => {
                let is_evidence = !is_remark(scan.clone().next()?);
                let span = scan.skip(token)?;
                if !is_evidence {
                    continue;
                }
                match answers.last_mut() {
                    Some(answer) => answer.evidence.push(span),
                    None => {
                        answers.push(GivenAnswer { text, word: None, span, evidence: vec![span] });
                    }
                }
            }
        }
    }
}

fn status(token: Token<'_>) -> Option<Status> {
    match token.text {
        "sat" => Some(Status::Sat),
        "unsat" => Some(Status::Unsat),
        "unknown" => Some(Status::Unknown),
        _ => None,
    }
}

/// Whether an expression that begins like this is an error message or an answer to `get-info`.
fn is_remark(head: Token<'_>) -> bool {
    head.is("error") || (head.kind == Kind::Word && head.text.starts_with(':'))
}

impl<'t> GivenAnswer<'t> {
    /// The word, if there is one.
    pub fn word(&self) -> Option<Status> {
        self.word
    }
    /// Where the answer begins.
    pub fn span(&self) -> Span {
        self.span
    }
    /// What stands behind the word, as far as the first words tell; the rest may be wrong.
    pub fn evidence(&self) -> Evidence {
        let Some(&first) = self.evidence.first() else { return Evidence::Nothing };
        match self.open(first) {
            Ok((_, _, head)) if head.is("refutation") => Evidence::Refutation,
            Ok((_, _, head)) if head.is("refutation-summary") => Evidence::Summary,
            Ok(_) | Err(_) => Evidence::Model,
        }
    }
    /// Reads the evidence.
    pub fn witness(&self, cx: &mut Cx<'_>, system: &ChcSystem) -> Result<Witness, Unread> {
        self.read(cx, system).map_err(|unread| *unread)
    }
    fn read(&self, cx: &mut Cx<'_>, system: &ChcSystem) -> Read<Witness> {
        let first = match self.evidence() {
            Evidence::Nothing => {
                return Err(Unread::malformed(
                    self.span,
                    "there is neither a model nor a refutation",
                ));
            }
            Evidence::Summary => {
                let message = "a summary leaves values out and cannot be checked";
                return Err(Unread::malformed(self.evidence[0], message));
            }
            Evidence::Model => return self.read_model(cx, system).map(Verdict::Safe),
            Evidence::Refutation => self.evidence[0],
        };
        if let Some(&second) = self.evidence.get(1) {
            return Err(Unread::malformed(second, "nothing may follow a refutation"));
        }
        let (mut scan, ..) = self.open(first)?;
        refutation::read(&mut scan, system, cx.store, cx.budget).map(Verdict::Unsafe)
    }
    fn read_model(&self, cx: &mut Cx<'_>, system: &ChcSystem) -> Read<shofar_chc::Interpretation> {
        let mut definitions = Definitions::default();
        for &place in &self.evidence {
            cx.budget.check()?;
            let (mut scan, open, head) = self.open(place)?;
            definitions.read_some(&mut scan, open, head)?;
        }
        let last = self.evidence.last().expect("a model has definitions");
        let whole = Span::new(self.evidence[0].start, last.end);
        model::read(cx, self.text, whole, &definitions, system)
    }
    /// The parenthesis and the first token of an expression, and what reads on.
    fn open(&self, place: Span) -> Read<(Scan<'t>, Token<'t>, Token<'t>)> {
        let mut scan = Scan::within(self.text, place);
        let open = scan.next()?;
        let head = scan.next()?;
        Ok((scan, open, head))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words and how many expressions stand behind each.
    fn check(text: &str, expected: &[(Option<Status>, usize)]) {
        let answers = given_answers(text.as_bytes()).expect(text);
        let found: Vec<_> = answers.iter().map(|a| (a.word(), a.evidence.len())).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn answers_are_told_from_remarks() {
        let (sat, unsat, unknown) = (Some(Status::Sat), Some(Status::Unsat), Some(Status::Unknown));
        check("", &[]);
        check("success unsupported hello \"a \"\"quoted\"\" sat\" ; sat\n|sat|", &[]);
        check("(error \"sat\")\n(:reason-unknown \"sat\")", &[]);
        check("()", &[(None, 1)]);
        check("sat () unsat (refutation) \"x\" unknown", &[(sat, 1), (unsat, 1), (unknown, 0)]);
        check("sat (define-fun p () Bool true)(define-fun q () Bool true)", &[(sat, 2)]);
        check("(model) sat", &[(None, 1), (sat, 0)]);
    }

    #[test]
    fn what_is_not_closed_is_reported() {
        for text in ["(", ")", "sat (model", "sat )", "(|", "(\"", "\"", "|"] {
            assert!(given_answers(text.as_bytes()).is_err(), "{text}");
        }
        assert!(given_answers(b"\xff").is_err());
    }
}
