//! The reader of the language of pipelines.
//!
//! ```text
//! pipeline  = step {"," step}
//! step      = pass ["(" parameter {"," parameter} ")"]
//!           | "when" "(" condition "," pipeline ")"
//!           | "until_stable" "(" ["rounds" "=" number ","] pipeline ")"
//! parameter = name "=" value {"+" value}
//! condition = "linear" | "nonlinear" | figure (">=" | "<") number
//! figure    = "clauses" | "predicates" | "arguments"
//! ```
//!
//! Blanks may stand between words. Invariant: steps are nested at most [`DEEPEST`] levels, so they
//! may be gone through by recursion.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use super::table::{Choice, PASSES, Parameter, PassInfo, PassOptions};
use super::{Condition, Figure, Pipeline, ROUNDS, Step};

/// Groups in groups.
const DEEPEST: usize = 8;
/// A group may ask for so many rounds.
const MOST_ROUNDS: u32 = 100;

const WHEN: &str = "when";
const UNTIL_STABLE: &str = "until_stable";
const CONDITIONS: [&str; 5] = ["linear", "nonlinear", "clauses", "predicates", "arguments"];

/// A text is no pipeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PipelineError {
    /// In characters, from 1.
    pub column: usize,
    /// What is wrong there.
    pub problem: PipelineProblem,
}

/// What is wrong with the text of a pipeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PipelineProblem {
    /// Something else has to be there.
    Expected(&'static str),
    /// Nothing is called so.
    Unknown {
        /// What the word has to name.
        what: String,
        /// The word.
        word: String,
        /// What could be there.
        known: Vec<&'static str>,
    },
    /// A parameter has a value already.
    Twice(&'static str),
    /// There are groups in groups in groups.
    TooDeep,
}

impl Display for PipelineError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.problem)
    }
}

impl Display for PipelineProblem {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            PipelineProblem::Expected(what) => write!(f, "{what} is missing"),
            PipelineProblem::Unknown { what, word, .. } => write!(f, "there is no {what} `{word}`"),
            PipelineProblem::Twice(parameter) => write!(f, "`{parameter}` is given twice"),
            PipelineProblem::TooDeep => write!(f, "groups are nested more than {DEEPEST} deep"),
        }
    }
}

impl std::error::Error for PipelineError {}

impl Pipeline {
    /// The words with which a step begins, with what they mean.
    pub fn words() -> impl Iterator<Item = (&'static str, &'static str)> {
        let groups = [
            (WHEN, "passes under a condition"),
            (UNTIL_STABLE, "passes in rounds, until one changes no size"),
        ];
        PASSES.iter().map(|pass| (pass.name, pass.about)).chain(groups)
    }
}

impl FromStr for Pipeline {
    type Err = PipelineError;
    fn from_str(text: &str) -> Result<Self, PipelineError> {
        let mut reader = Reader { text, at: 0 };
        let steps = reader.steps(0)?;
        if reader.peek().is_some() {
            return Err(reader.missing("`,` or the end"));
        }
        // Blanks stand between words and signs only.
        Ok(Self { steps, written: text.split_whitespace().collect() })
    }
}

/// How far a text has been read.
struct Reader<'t> {
    text: &'t str,
    at: usize,
}

type Read<T> = Result<T, PipelineError>;

impl<'t> Reader<'t> {
    fn steps(&mut self, depth: usize) -> Read<Vec<Step>> {
        let mut steps = vec![self.step(depth)?];
        while self.accept(",") {
            steps.push(self.step(depth)?);
        }
        Ok(steps)
    }
    fn step(&mut self, depth: usize) -> Read<Step> {
        let (at, word) = self.word("a pass")?;
        if let Some(info) = PASSES.iter().find(|info| info.name == word) {
            return self.pass(info);
        }
        if word != WHEN && word != UNTIL_STABLE {
            let known = Pipeline::words().map(|(name, _)| name).collect();
            return Err(self.unknown(at, "pass", word, known));
        }
        if depth == DEEPEST {
            return Err(self.error(at, PipelineProblem::TooDeep));
        }
        self.expect("(", "`(`")?;
        let step = if word == WHEN {
            let condition = self.condition()?;
            self.expect(",", "`,` before a pass")?;
            Step::When(condition, self.steps(depth + 1)?)
        } else {
            let rounds = self.rounds()?;
            Step::UntilStable { rounds, steps: self.steps(depth + 1)? }
        };
        self.expect(")", "`,` or `)`")?;
        Ok(step)
    }
    fn pass(&mut self, info: &'static PassInfo) -> Read<Step> {
        let (mut options, mut given) = (PassOptions::default(), Vec::new());
        if self.accept("(") {
            loop {
                let what = format!("parameter of {}", info.name);
                let (at, parameter) =
                    self.row("a parameter", &what, info.parameters, |p| p.name)?;
                if given.contains(&parameter.name) {
                    return Err(self.error(at, PipelineProblem::Twice(parameter.name)));
                }
                given.push(parameter.name);
                self.expect("=", "`=`")?;
                self.values(parameter, &mut options)?;
                if !self.accept(",") {
                    break;
                }
            }
            self.expect(")", "`,` or `)`")?;
        }
        for parameter in info.parameters.iter().filter(|p| !given.contains(&p.name)) {
            let is_default = |choice: &&Choice| parameter.default.contains(&choice.name);
            for choice in parameter.choices.iter().filter(is_default) {
                (choice.set)(&mut options);
            }
        }
        Ok(Step::Pass((info.make)(&options).into()))
    }
    fn values(&mut self, parameter: &'static Parameter, options: &mut PassOptions) -> Read<()> {
        let what = format!("value of {}", parameter.name);
        loop {
            let (_, choice) = self.row("a value", &what, parameter.choices, |c| c.name)?;
            (choice.set)(options);
            if !(parameter.is_list && self.accept("+")) {
                return Ok(());
            }
        }
    }
    fn condition(&mut self) -> Read<Condition> {
        let (at, word) = self.word("a condition")?;
        let figure = match word {
            "linear" => return Ok(Condition::Linear),
            "nonlinear" => return Ok(Condition::Nonlinear),
            "clauses" => Figure::Clauses,
            "predicates" => Figure::Predicates,
            "arguments" => Figure::Arguments,
            _ => return Err(self.unknown(at, "condition", word, CONDITIONS.to_vec())),
        };
        let is_lower = self.accept(">=");
        if !is_lower {
            self.expect("<", "`>=` or `<`")?;
        }
        let number = self.number("a number")?;
        Ok(if is_lower {
            Condition::AtLeast(figure, number)
        } else {
            Condition::Below(figure, number)
        })
    }
    fn rounds(&mut self) -> Read<u32> {
        let begin = self.at;
        let (at, word) = self.word("a pass")?;
        if !self.accept("=") {
            self.at = begin;
            return Ok(ROUNDS);
        }
        if word != "rounds" {
            return Err(self.unknown(at, "parameter of until_stable", word, vec!["rounds"]));
        }
        let (begin, what) = (self.at, "a number of rounds from 1 to 100");
        let rounds = self.number(what)?;
        if rounds == 0 || MOST_ROUNDS < rounds {
            self.at = begin;
            return Err(self.missing(what));
        }
        self.expect(",", "`,` before a pass")?;
        Ok(rounds)
    }
    fn number<N: FromStr>(&mut self, what: &'static str) -> Read<N> {
        let (at, word) = self.word(what)?;
        word.parse().map_err(|_| self.error(at, PipelineProblem::Expected(what)))
    }

    /// The row of a table that a word names, and where it stands.
    fn row<T>(
        &mut self,
        missing: &'static str,
        what: &str,
        rows: &'static [T],
        name: fn(&T) -> &'static str,
    ) -> Read<(usize, &'static T)> {
        let (at, word) = self.word(missing)?;
        let unknown = || self.unknown(at, what, word, rows.iter().map(name).collect());
        let row = rows.iter().find(|row| name(row) == word).ok_or_else(unknown)?;
        Ok((at, row))
    }
    /// The next character that is no blank.
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }
    /// A word, and where it begins.
    fn word(&mut self, what: &'static str) -> Read<(usize, &'t str)> {
        self.peek();
        let rest = &self.text[self.at..];
        let is_inside = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        let length = rest.find(|c| !is_inside(c)).unwrap_or(rest.len());
        if length == 0 {
            return Err(self.missing(what));
        }
        let at = self.at;
        self.at += length;
        Ok((at, &rest[..length]))
    }
    fn accept(&mut self, sign: &str) -> bool {
        self.peek();
        let is_there = self.text[self.at..].starts_with(sign);
        if is_there {
            self.at += sign.len();
        }
        is_there
    }
    fn expect(&mut self, sign: &str, what: &'static str) -> Read<()> {
        if self.accept(sign) { Ok(()) } else { Err(self.missing(what)) }
    }
    /// Something else has to be here.
    fn missing(&mut self, what: &'static str) -> PipelineError {
        self.peek();
        self.error(self.at, PipelineProblem::Expected(what))
    }
    fn unknown(
        &self,
        at: usize,
        what: &str,
        word: &str,
        known: Vec<&'static str>,
    ) -> PipelineError {
        let (what, word) = (what.to_owned(), word.to_owned());
        self.error(at, PipelineProblem::Unknown { what, word, known })
    }
    fn error(&self, at: usize, problem: PipelineProblem) -> PipelineError {
        PipelineError { column: self.text[..at].chars().count() + 1, problem }
    }
}

impl Display for Pipeline {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written)
    }
}

impl fmt::Debug for Pipeline {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}
