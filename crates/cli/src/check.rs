//! `shofar check`: validates somebody's answers.
//!
//! The text of answers is taken apart, each answer is judged for its question, and the judgements
//! are printed in the order of the questions. Exit status: that of the gravest judgement, see
//! [`Grade`].

use std::cell::{OnceCell, RefCell};
use std::num::NonZeroUsize;
use std::process::ExitCode;

use shofar_base::{Budget, Diagnostic, GaveUp, Source, Span};
use shofar_chc::read::HornProblem;
use shofar_check::{
    Blame, Doubt, Evidence, GivenAnswer, HornInput, Judgement, Rigour, given_answers, instance_for,
    judge,
};
use shofar_term::{Cx, TermStore};

use crate::arguments::CheckArguments;
use crate::language_options::LanguageArguments;
use crate::limits::Limits;
use crate::output::Channel;
use crate::progress::Progress;
use crate::question::rigour;
use crate::text::{NO_QUESTION, REFUSED, Text, fail};
use crate::watchdog::{Debt, Enforcement, UNKNOWN_WITNESS, Watch};

/// What `shofar check --help` says at its end.
pub(crate) const HELP: &str = "\
The witness is what a solver printed for the problem: sat, unsat or unknown for each question
(check-sat or query), each followed by its evidence. For sat that is a model, a list of define-funs,
also one by another solver, with quantifiers or without; for unsat it is a refutation as printed by
--witness or --witness=short; repeats in it are checked without unrolling them. After a query it is
the other way round. Without such words the text is the evidence for one question. Texts of echo,
success, unsupported, errors and comments are skipped. The formats are described in docs/formats.md.

Printed is valid, invalid or unknown in a line of its own, then what was confirmed or why not. If
there are several questions, each has one line, such as
  valid: sat is confirmed by a model of 3 predicates (question 1 of 2, line 7)
Answers and questions are matched in order. Questions without an answer are unknown.

Examples:
  shofar --witness p.smt2 > p.txt; shofar check p.smt2 p.txt
  z3 p.smt2 | shofar check p.smt2 -          a model by z3, if p.smt2 has (get-model)
  shofar check --question 2 p.smt2 p.txt     the second question only
  shofar check --timeout 10 p.smt2 p.txt

Exit status, for several questions the first of these that applies to one of them:
  3  an internal check failed, which is a bug
  1  invalid: the word or its evidence is wrong
  2  the problem or the witness was refused: it is not understood, or not supported
  4  unknown: no answer, no evidence, not decided in the time given, or a repeat beyond judgement
  0  valid";

/// How grave a judgement is, and the exit status for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Grade {
    Valid,
    Unknown,
    Refused,
    Invalid,
    Bug,
}

impl Grade {
    fn status(self) -> u8 {
        match self {
            Grade::Valid => 0,
            Grade::Invalid => 1,
            Grade::Refused => REFUSED,
            Grade::Bug => 3,
            Grade::Unknown => UNKNOWN_WITNESS,
        }
    }
    fn word(self) -> &'static str {
        match self {
            Grade::Valid => "valid",
            Grade::Invalid => "invalid",
            Grade::Unknown | Grade::Refused | Grade::Bug => "unknown",
        }
    }
}

/// `shofar check FILE WITNESS`.
pub(crate) fn check(arguments: &CheckArguments) -> ExitCode {
    let (output, errors) = Channel::standard();
    let limits = Limits::new(arguments.timeout, None, None);
    let watch = Watch::start(limits, Enforcement::Witness, Debt::Answer, (&output, &errors));
    let begin = limits.begin(arguments.timeout);
    let progress = Progress::new(&errors, begin, limits.deadline, limits.memory());
    let mut handle = watch.begin(limits.deadline);
    progress.begin("reading", None);
    let texts = Text::read(Some(&arguments.file))
        .and_then(|f| Ok((f, Text::read(Some(&arguments.witness))?)));
    progress.end();
    let (text, witness) = match texts {
        Ok(texts) => texts,
        Err(message) => return fail(&message, &errors),
    };
    let mut store = TermStore::new();
    let problems = match text.horn(&arguments.languages, &mut store, &output, &errors) {
        Ok(problems) => problems,
        Err(code) => return code,
    };
    let examination = Examination {
        written: OnceCell::new(),
        text: &text,
        languages: &arguments.languages,
        witness: &witness,
        problems: &problems,
        rigour: rigour(arguments.proofs),
    };
    let matched = match examination.matched(arguments.question) {
        Ok(matched) => matched,
        Err(Mismatch::Request(message)) => return fail(&message, &errors),
        Err(Mismatch::Text(diagnostic)) => {
            witness.refuse(&diagnostic, &output, &errors);
            return output.close(ExitCode::from(REFUSED));
        }
    };
    let mut grade = Grade::Valid;
    for &(number, ref answer) in &matched {
        let budget = Budget::with_handle(&handle, limits.deadline);
        let mut cx = Cx::new(&mut store, &budget);
        progress.begin(&format!("answer {} of {}", number + 1, problems.len()), None);
        let found = examination.judge(&mut cx, number, answer.as_ref());
        progress.end();
        watch.finish();
        if let Some(diagnostic) = &found.refusal {
            witness.refuse(diagnostic, &output, &errors);
        } else {
            let line = examination.line(number, matched.len(), &found);
            output.write(&line);
        }
        grade = grade.max(found.grade);
        handle = watch.begin(limits.deadline);
    }
    watch.rest();
    output.close(ExitCode::from(grade.status()))
}

const TERMINATION: &str = "an answer about termination is not checked from its text";
const INVARIANTS: &str = "it was validated before it was printed; the invariants behind `YES` are a model, which is checked behind the word `sat`";

/// Where a text that answers whether all runs end begins with its answer.
fn termination_word(text: &[u8]) -> Option<Span> {
    let start = text.len() - text.trim_ascii_start().len();
    let word = text[start..].split(u8::is_ascii_whitespace).next()?;
    let words: [&[u8]; 3] = [b"YES", b"NO", b"MAYBE"];
    words.contains(&word).then(|| Span::new(start, start + word.len()))
}

/// Why answers and questions do not go together.
enum Mismatch {
    /// What the user asked for is not there.
    Request(String),
    /// The text of answers does not fit.
    Text(Diagnostic),
}

/// What was found out about the answer to a question.
struct Found {
    grade: Grade,
    detail: String,
    /// What is said instead if the text is not understood.
    refusal: Option<Diagnostic>,
}

impl Found {
    fn new(grade: Grade, detail: String) -> Self {
        Self { grade, detail, refusal: None }
    }
}

/// The problems of a text with clauses as they are written.
type Written = RefCell<(TermStore, Vec<HornProblem>)>;

/// A problem and what somebody says about it.
struct Examination<'e> {
    /// The problems with clauses as they are written, read when the first refutation is judged;
    /// nothing if they cannot be numbered.
    written: OnceCell<Option<Written>>,
    text: &'e Text,
    languages: &'e LanguageArguments,
    witness: &'e Text,
    problems: &'e [HornProblem],
    rigour: Rigour,
}

impl<'e> Examination<'e> {
    /// The chosen questions, numbered from 0, with their answers.
    fn matched(
        &self,
        chosen: Option<NonZeroUsize>,
    ) -> Result<Vec<(usize, Option<GivenAnswer<'e>>)>, Mismatch> {
        let count = self.problems.len();
        if count == 0 {
            return Err(Mismatch::Request(NO_QUESTION.to_owned()));
        }
        if let Some(number) = chosen.filter(|n| n.get() > count) {
            let message = format!("there is no question {number}; the file asks {count}");
            return Err(Mismatch::Request(message));
        }
        if let Some(word) = termination_word(&self.witness.bytes) {
            return Err(Mismatch::Text(Diagnostic::new(word, TERMINATION).note(INVARIANTS)));
        }
        let mut answers = given_answers(&self.witness.bytes).map_err(Mismatch::Text)?;
        if answers.is_empty() {
            let whole = Span::new(0, self.witness.bytes.len());
            let message = "there is neither an answer nor a model nor a refutation";
            return Err(Mismatch::Text(Diagnostic::new(whole, message)));
        }
        if let Some(further) = answers.get(count) {
            let message = format!("an answer without a question; the file asks {count}");
            return Err(Mismatch::Text(Diagnostic::new(further.span(), message)));
        }
        let Some(chosen) = chosen else {
            let mut answers = answers.into_iter();
            return Ok((0..count).map(|number| (number, answers.next())).collect());
        };
        let number = chosen.get() - 1;
        // A single answer is the one to the chosen question.
        let place = if answers.len() == 1 { 0 } else { number };
        let answer = (place < answers.len()).then(|| answers.swap_remove(place));
        Ok(vec![(number, answer)])
    }
    fn judge(&self, cx: &mut Cx<'_>, number: usize, answer: Option<&GivenAnswer<'_>>) -> Found {
        let Some(answer) = answer else {
            return Found::new(Grade::Unknown, "there is no answer".to_owned());
        };
        let problem = &self.problems[number];
        let Some(listed) = &problem.instance else { return self.by_kind(cx, number, answer) };
        let text = self.text.input(self.languages, number);
        let instance = text.map(|text| instance_for(problem, &text, answer, cx.budget));
        match instance.transpose().map(Option::flatten) {
            Ok(None) => self.by_kind(cx, number, answer),
            Ok(Some((mut store, instance))) => {
                let found = self.assess(&mut Cx::new(&mut store, cx.budget), &instance, answer);
                Found { detail: format!("{}; it is about {}", found.detail, listed.about), ..found }
            }
            Err(why) => Found::new(Grade::Unknown, why.to_string()),
        }
    }
    /// Judges an answer; refutations are about clauses as they are written.
    fn by_kind(&self, cx: &mut Cx<'_>, number: usize, answer: &GivenAnswer<'_>) -> Found {
        match answer.evidence() {
            Evidence::Nothing | Evidence::Model | Evidence::Summary => {
                return self.assess(cx, &self.problems[number], answer);
            }
            Evidence::Refutation => {}
        }
        let written = self.written.get_or_init(|| {
            let text = self.text.input(self.languages, number)?.as_written()?;
            text.read_all().map(RefCell::new)
        });
        let Some(written) = written else {
            let why = "the clauses of an assertion are too many to be numbered";
            return Found::new(Grade::Unknown, why.to_owned());
        };
        let (store, problems) = &mut *written.borrow_mut();
        self.assess(&mut Cx::new(store, cx.budget), &problems[number], answer)
    }
    /// Judges an answer to the question of `problem`.
    fn assess(&self, cx: &mut Cx<'_>, problem: &HornProblem, answer: &GivenAnswer<'_>) -> Found {
        let input = HornInput::of_problem(problem);
        match judge(cx, &input, problem.polarity, answer, self.rigour) {
            Judgement::Valid(certified) => {
                Found::new(Grade::Valid, certified.describe(&input, problem.polarity))
            }
            Judgement::Invalid(blame) => {
                Found::new(Grade::Invalid, self.blame(cx.store, &input, &blame))
            }
            Judgement::Refused(diagnostic) => Found {
                grade: Grade::Refused,
                detail: diagnostic.message.clone(),
                refusal: Some(diagnostic),
            },
            Judgement::Unknown(doubt @ Doubt::GaveUp(GaveUp::Wrong(_))) => {
                Found::new(Grade::Bug, doubt.to_string())
            }
            Judgement::Unknown(doubt) => Found::new(Grade::Unknown, doubt.to_string()),
        }
    }
    /// What is wrong, with the place in the problem or in the witness.
    fn blame(&self, store: &TermStore, input: &HornInput, blame: &Blame) -> String {
        match blame {
            Blame::Word(message) => message.clone(),
            Blame::Text(diagnostic) => {
                diagnostic.headline(&self.witness.name, &Source::new(&self.witness.bytes))
            }
            Blame::Witness(objection) => {
                let described = objection.describe(store, input);
                match objection.span(input) {
                    Some(span) => Diagnostic::new(span, described)
                        .headline(&self.text.name, &Source::new(&self.text.bytes)),
                    None => described,
                }
            }
        }
    }
    /// What is printed about a question, one of `reported`.
    fn line(&self, number: usize, reported: usize, found: &Found) -> String {
        let (word, detail) = (found.grade.word(), &found.detail);
        let count = self.problems.len();
        let place = if count == 1 {
            String::new()
        } else {
            let start = self.problems[number].span.start;
            let line = Source::new(&self.text.bytes).position(start).line;
            format!(" (question {} of {count}, line {line})", number + 1)
        };
        let separator = if reported == 1 { "\n" } else { ": " };
        format!("{word}{separator}{detail}{place}\n")
    }
}
