//! What a text says about each question of a script.
//!
//! A text is what a solver printed: `sat`, `unsat` or `unknown` for each question, each followed by
//! the evidence for it, if there is any; evidence may stand there more than once, because an option
//! and the script both asked for it. A text without such words is the evidence for one question.
//! What else a solver may print is skipped: texts of `echo`, with quotes or without, `success`,
//! `unsupported`, `(error …)`, and answers to `get-info`, `get-value` and `get-unsat-core`.
//!
//! A text is split here, and no more than the first words behind each parenthesis are looked at; so
//! what is wrong with one piece of evidence does not matter for the others.

use shofar_base::{Diagnostic, Span};
use shofar_chc::read::Status;
use shofar_chc::{ChcSystem, ClauseId, Verdict};
use shofar_term::{Cx, Symbol};

use super::define::Definitions;
use super::scan::{Kind, Scan, Token};
use super::{Read, Unread, Witness, model, refutation};

/// The answer to one question.
#[derive(Clone, Debug)]
pub struct GivenAnswer<'t> {
    text: &'t str,
    word: Option<Status>,
    span: Span,
    /// The pieces of evidence behind the word, no two of which say the same.
    pieces: Vec<Piece>,
}

/// Evidence that stands in a text as a whole.
#[derive(Clone, Debug)]
struct Piece {
    kind: Evidence,
    /// The places of its expressions: one, or the definitions of a model one after the other.
    places: Vec<Span>,
    /// Whether these are definitions, and more of them may follow.
    is_open: bool,
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
                    answers.push(GivenAnswer { text, word, span, pieces: Vec::new() });
                }
            }
            Kind::Quoted | Kind::String => {}
            Kind::Open => {
                let first = opening(scan.clone())?;
                let span = scan.skip(token)?;
                let last = answers.last_mut().filter(|answer| !answer.pieces.is_empty());
                if first.is_remark() || first == Opening::Empty && last.is_some() {
                    continue;
                }
                if answers.is_empty() {
                    answers.push(GivenAnswer { text, word: None, span, pieces: Vec::new() });
                }
                if let Some(answer) = answers.last_mut() {
                    answer.add(first, span)?;
                }
            }
        }
    }
}

/// How an expression begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opening {
    Empty,
    Definition,
    Refutation,
    Summary,
    /// Whatever else may be meant as a model.
    Model,
    /// An error message, an answer to `get-info`, a core, names, or terms with values.
    Remark,
}

impl Opening {
    fn is_remark(self) -> bool {
        self == Opening::Remark
    }
}

/// How the expression begins whose parenthesis has been read.
fn opening(mut scan: Scan<'_>) -> Read<Opening> {
    let head = scan.next()?;
    Ok(match head.kind {
        Kind::Close => Opening::Empty,
        Kind::Open => {
            let inner = scan.next()?;
            let is_pair = match inner.kind {
                Kind::Word => !MODEL_COMMANDS.contains(&inner.text),
                Kind::Quoted | Kind::Open => true,
                Kind::String | Kind::Close | Kind::End => false,
            };
            if is_pair { Opening::Remark } else { Opening::Model }
        }
        Kind::Word if head.text == "refutation" => Opening::Refutation,
        Kind::Word if head.text == "refutation-summary" => Opening::Summary,
        Kind::Word if head.text == "model" => Opening::Model,
        Kind::Word if head.text.starts_with("define-") => Opening::Definition,
        Kind::Word if matches!(head.text, "error" | "core") => Opening::Remark,
        Kind::Word if head.text.starts_with(':') => Opening::Remark,
        Kind::Word | Kind::Quoted if has_names_only(scan.clone())? => Opening::Remark,
        Kind::Word | Kind::Quoted | Kind::String | Kind::End => Opening::Model,
    })
}

/// The commands that models consist of, not all of which are supported; a list that begins
/// otherwise tells values.
const MODEL_COMMANDS: [&str; 9] = [
    "declare-const",
    "declare-datatype",
    "declare-datatypes",
    "declare-fun",
    "declare-sort",
    "define-fun",
    "define-fun-rec",
    "define-funs-rec",
    "forall",
];

/// Whether nothing but names follows up to the parenthesis that closes.
fn has_names_only(mut scan: Scan<'_>) -> Read<bool> {
    loop {
        match scan.next()?.kind {
            Kind::Close => return Ok(true),
            Kind::Word | Kind::Quoted => {}
            Kind::Open | Kind::String | Kind::End => return Ok(false),
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
        self.pieces.first().map_or(Evidence::Nothing, |piece| piece.kind)
    }
    /// Where a further piece of evidence begins, one that differs from the first.
    pub(super) fn further(&self) -> Option<Span> {
        self.pieces.get(1).map(|piece| piece.places[0])
    }
    /// This answer with each of its pieces of evidence, if there are several that differ.
    pub fn alternatives(&self) -> Vec<Self> {
        let alone = |piece: &Piece| Self { pieces: vec![piece.clone()], ..self.clone() };
        match &self.pieces[..] {
            [] | [_] => vec![self.clone()],
            several => several.iter().map(alone).collect(),
        }
    }
    /// Takes an expression as evidence, unless the same stands there already.
    fn add(&mut self, opening: Opening, span: Span) -> Read<()> {
        if opening == Opening::Definition
            && let Some(piece) = self.pieces.last_mut().filter(|piece| piece.is_open)
        {
            piece.places.push(span);
            return Ok(());
        }
        let kind = match opening {
            Opening::Refutation => Evidence::Refutation,
            Opening::Summary => Evidence::Summary,
            Opening::Empty | Opening::Definition | Opening::Model | Opening::Remark => {
                Evidence::Model
            }
        };
        for piece in &self.pieces {
            if piece.places.len() == 1 && self.is_same(piece.places[0], span)? {
                return Ok(());
            }
        }
        let is_open = opening == Opening::Definition;
        self.pieces.push(Piece { kind, places: vec![span], is_open });
        Ok(())
    }
    /// Whether the same tokens stand at two places.
    fn is_same(&self, first: Span, second: Span) -> Read<bool> {
        let (mut a, mut b) = (Scan::within(self.text, first), Scan::within(self.text, second));
        loop {
            let (x, y) = (a.next()?, b.next()?);
            if (x.kind, x.text) != (y.kind, y.text) {
                return Ok(false);
            }
            if x.kind == Kind::End {
                return Ok(true);
            }
        }
    }
    /// Reads the first piece of evidence. `variables` has those that a step by a clause may give
    /// values to, besides those of the clause.
    pub(crate) fn witness(
        &self,
        cx: &mut Cx<'_>,
        system: &ChcSystem,
        variables: &dyn Fn(ClauseId) -> Vec<Symbol>,
    ) -> Result<Witness, Unread> {
        self.read(cx, system, variables).map_err(|unread| *unread)
    }
    fn read(
        &self,
        cx: &mut Cx<'_>,
        system: &ChcSystem,
        variables: &dyn Fn(ClauseId) -> Vec<Symbol>,
    ) -> Read<Witness> {
        let Some(piece) = self.pieces.first() else {
            return Err(Unread::malformed(self.span, "there is neither a model nor a refutation"));
        };
        match piece.kind {
            Evidence::Nothing | Evidence::Summary => {
                let message = "a summary leaves values out and cannot be checked";
                Err(Unread::malformed(piece.places[0], message))
            }
            Evidence::Model => self.read_model(cx, system, &piece.places).map(Verdict::Safe),
            Evidence::Refutation => {
                let (mut scan, ..) = self.open(piece.places[0])?;
                refutation::read(&mut scan, system, variables, cx.store, cx.budget)
                    .map(Verdict::Unsafe)
            }
        }
    }
    fn read_model(
        &self,
        cx: &mut Cx<'_>,
        system: &ChcSystem,
        places: &[Span],
    ) -> Read<shofar_chc::Interpretation> {
        let mut definitions = Definitions::default();
        for &place in places {
            cx.budget.check()?;
            let (mut scan, open, head) = self.open(place)?;
            definitions.read_some(&mut scan, open, head)?;
        }
        let last = places.last().expect("a model has definitions");
        let whole = Span::new(places[0].start, last.end);
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

    /// The words and how many pieces of evidence stand behind each.
    fn check(text: &str, expected: &[(Option<Status>, usize)]) {
        let answers = given_answers(text.as_bytes()).expect(text);
        let found: Vec<_> = answers.iter().map(|a| (a.word(), a.pieces.len())).collect();
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
        check("sat (define-fun p () Bool true)(define-fun q () Bool true)", &[(sat, 1)]);
        check("sat (model) (init |other one|) ((x 1) ((f 2) true)) (:version \"1\")", &[(sat, 1)]);
        check("unsat (init)", &[(unsat, 0)]);
        check("sat () ()", &[(sat, 1)]);
        let p = "((define-fun p () Bool true))";
        check(&format!("sat {p} \"hello\" {} (model)", p.replace(' ', "\n")), &[(sat, 2)]);
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
