//! `shofar translate`: the clauses of a problem in another language.
//!
//! In front of each clause stands the line of the input that it comes from, with what is written
//! there. A text that asks several questions becomes a script with a `(reset)` between them.

use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use shofar_base::Idx as _;
use shofar_chc::print::{Lines, competition_form, print_horn_with};
use shofar_chc::read::{HornProblem, Polarity, Status};
use shofar_chc::{ClauseId, Exactness};
use shofar_frontend::print_prolog;
use shofar_term::TermStore;

use crate::language_options::LanguageArguments;
use crate::output::Channel;
use crate::text::{NO_QUESTION, Text, fail};

/// The longest part of the input in a comment.
const EXCERPT: usize = 100;

/// What to translate.
#[derive(Debug, Args)]
pub(crate) struct TranslateArguments {
    /// The problem, in any language, plain or compressed; `-` or nothing reads from standard
    /// input.
    pub(crate) file: Option<PathBuf>,
    /// Where the clauses go; nothing writes to standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The language to write.
    #[arg(long, value_enum, default_value_t = Format::SmtLib)]
    format: Format,
    /// Only this question of the text, counted from 1.
    #[arg(short, long, value_name = "N")]
    question: Option<NonZeroUsize>,
    #[command(flatten)]
    pub(crate) languages: LanguageArguments,
}

/// A language that clauses can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// SMT-LIB, in the form of the CHC competition.
    SmtLib,
    /// Prolog-style clauses over integers, as Eldarica reads them.
    Prolog,
}

/// `shofar translate FILE -o OUT`.
pub(crate) fn translate(arguments: &TranslateArguments) -> ExitCode {
    let (output, errors) = Channel::standard();
    let text = match Text::read(arguments.file.as_deref()) {
        Ok(text) => text,
        Err(message) => return fail(&message, &errors),
    };
    let mut store = TermStore::new();
    let problems = match text.clauses(&arguments.languages, &mut store, &errors) {
        Ok(problems) => problems,
        Err(code) => return code,
    };
    let written = chosen(arguments, &problems)
        .and_then(|problems| write(arguments.format, &mut store, problems, &text));
    let bytes = match written {
        Ok(bytes) => bytes,
        Err(message) => return fail(&message, &errors),
    };
    let Some(file) = &arguments.output else {
        output.write(&String::from_utf8_lossy(&bytes));
        return output.close(ExitCode::SUCCESS);
    };
    match fs::write(file, bytes) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&format!("cannot write {}: {error}", file.display()), &errors),
    }
}

/// The questions that are wanted.
fn chosen<'p>(
    arguments: &TranslateArguments,
    problems: &'p [HornProblem],
) -> Result<&'p [HornProblem], String> {
    let count = problems.len();
    if let Some(number) = arguments.question {
        let at = number.get();
        return problems.get(at - 1..at).ok_or(format!("there are {count} questions"));
    }
    match (count, arguments.format) {
        (0, _) => Err(NO_QUESTION.to_owned()),
        (1, _) | (_, Format::SmtLib) => Ok(problems),
        (_, Format::Prolog) => {
            Err(format!("the text asks {count} questions, write one by `--question N`"))
        }
    }
}

/// The problems of a text in another language, one behind the other.
pub(crate) fn write(
    format: Format,
    store: &mut TermStore,
    problems: &[HornProblem],
    text: &Text,
) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    for (at, problem) in problems.iter().enumerate() {
        if at > 0 {
            out.extend_from_slice(b"(reset)\n");
        }
        one(format, &mut out, store, problem, text).map_err(|error| error.to_string())?;
    }
    Ok(out)
}

fn one(
    format: Format,
    out: &mut Vec<u8>,
    store: &mut TermStore,
    problem: &HornProblem,
    text: &Text,
) -> io::Result<()> {
    let lines = Lines::new(problem, &text.bytes);
    let count = problem.system.clause_count();
    let origin = |clause: ClauseId| {
        // What was added behind the clauses of the problem comes from no line.
        let known = Some(clause).filter(|clause| clause.index() < count)?;
        let span = problem.system.clause(known).span?;
        Some(format!("line {}: {}", lines.of(clause)?, excerpt(&text.bytes[span.start..span.end])))
    };
    let sign = if format == Format::Prolog { '%' } else { ';' };
    out.extend_from_slice(format!("{sign} from {}\n", excerpt(text.name.as_bytes())).as_bytes());
    if problem.polarity == Polarity::Inverted {
        let line = format!("{sign} the query holds exactly if these clauses are unsat\n");
        out.extend_from_slice(line.as_bytes());
    }
    if problem.exactness == Exactness::Over {
        let line = format!("{sign} a refutation of these clauses need not be an execution\n");
        out.extend_from_slice(line.as_bytes());
    }
    match format {
        Format::Prolog => print_prolog(out, store, &problem.system, &origin),
        Format::SmtLib => {
            let system = competition_form(store, &problem.system);
            print_horn_with(out, store, &system, &status(problem), &origin)
        }
    }
}

/// What the input says about the answer.
fn status(problem: &HornProblem) -> Vec<(&'static str, &'static str)> {
    let is_normal = problem.polarity == Polarity::Normal;
    let word = match problem.status {
        Some(Status::Sat) => Some(if is_normal { "sat" } else { "unsat" }),
        Some(Status::Unsat) => Some(if is_normal { "unsat" } else { "sat" }),
        Some(Status::Unknown) | None => None,
    };
    word.map(|word| ("status", word)).into_iter().collect()
}

/// A piece of the input in one line, cut if it is long.
fn excerpt(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * EXCERPT)]).into_owned();
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ").replace(char::is_control, "");
    if line.chars().count() <= EXCERPT {
        return line;
    }
    line.chars().take(EXCERPT).chain(['…']).collect()
}
