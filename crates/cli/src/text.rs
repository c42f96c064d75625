//! The texts of problems: reading them, and refusing what cannot be read.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use shofar::{FrontEnd, OptionError, ReadOptions, front_end_for};
use shofar_base::{Diagnostic, Source};
use shofar_chc::read::HornProblem;
use shofar_check::InputText;
use shofar_term::TermStore;

use crate::input;
use crate::language_options::LanguageArguments;
use crate::output::Channel;
use crate::settings::string;

/// Exit status when a check of ours fails.
pub(crate) const BUG: u8 = 3;
/// Exit status when the input is refused.
pub(crate) const REFUSED: u8 = 2;

/// How an error in the input is said.
pub(crate) struct Complaint {
    /// The answer of SMT-LIB, for a program.
    pub(crate) answer: String,
    /// The place with what is wrong, for a person.
    pub(crate) picture: String,
}

impl Complaint {
    /// The words for an error in the text `source`, which is called `name`.
    pub(crate) fn new(error: &Diagnostic, name: &str, source: &Source<'_>) -> Self {
        let answer = format!("(error {})\n", string(&error.headline(name, source)));
        Self { answer, picture: error.render(name, source) }
    }
    /// The words for an option that the language of a text does not have.
    pub(crate) fn of_option(error: &dyn Display) -> Self {
        let message = error.to_string();
        let answer = format!("(error {})\n", string(&message));
        Self { answer, picture: format!("shofar: {message}\n") }
    }
}

/// The text of a problem with its name.
pub(crate) struct Text {
    file: Option<PathBuf>,
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

impl Text {
    /// Reads a file, plain or compressed, or standard input.
    pub(crate) fn read(file: Option<&Path>) -> Result<Self, String> {
        let file = file.filter(|f| f.as_os_str() != "-");
        Ok(Self::of(file, input::read(file)?))
    }
    /// What was read from a file, or from standard input.
    pub(crate) fn of(file: Option<&Path>, bytes: Vec<u8>) -> Self {
        Self { file: file.map(Path::to_owned), name: input::name(file), bytes }
    }
    /// The language of the text, and how it is read.
    fn reading(
        &self,
        languages: &LanguageArguments,
    ) -> Result<(&'static FrontEnd, ReadOptions), OptionError> {
        let front_end = front_end_for(self.file.as_deref(), &self.bytes);
        Ok((front_end, languages.options_for(front_end, front_end.asks.usual())?))
    }
    /// The problems of all questions in the text, in whatever language it is written.
    fn problems(
        &self,
        languages: &LanguageArguments,
        store: &mut TermStore,
    ) -> Result<Vec<HornProblem>, Complaint> {
        let read = self.reading(languages);
        let (front_end, options) = read.map_err(|error| Complaint::of_option(&error))?;
        (front_end.read)(&self.bytes, &options, store).map_err(|error| self.complaint(&error))
    }
    /// Where a question of the text, counted from 0, can be read again; nothing if the text is not
    /// read with these options.
    pub(crate) fn input(
        &self,
        languages: &LanguageArguments,
        question: usize,
    ) -> Option<InputText> {
        let (front_end, options) = self.reading(languages).ok()?;
        Some(InputText::of(front_end, &options, &self.bytes.as_slice().into(), question))
    }
    /// Reads the clauses; an error is written to both channels.
    pub(crate) fn horn(
        &self,
        languages: &LanguageArguments,
        store: &mut TermStore,
        output: &Channel,
        errors: &Channel,
    ) -> Result<Vec<HornProblem>, ExitCode> {
        self.problems(languages, store).map_err(|Complaint { answer, picture }| {
            output.write(&answer);
            errors.write(&picture);
            // A problem that is refused has no answer but this one.
            output.write("unknown\n");
            output.close(ExitCode::from(REFUSED))
        })
    }
    /// Reads the clauses; an error is a message only.
    pub(crate) fn clauses(
        &self,
        languages: &LanguageArguments,
        store: &mut TermStore,
        errors: &Channel,
    ) -> Result<Vec<HornProblem>, ExitCode> {
        self.problems(languages, store).map_err(|complaint| {
            errors.write(&complaint.picture);
            ExitCode::from(REFUSED)
        })
    }
    pub(crate) fn refuse(&self, diagnostic: &Diagnostic, output: &Channel, errors: &Channel) {
        let Complaint { answer, picture } = self.complaint(diagnostic);
        output.write(&answer);
        errors.write(&picture);
    }
    pub(crate) fn complaint(&self, diagnostic: &Diagnostic) -> Complaint {
        Complaint::new(diagnostic, &self.name, &Source::new(&self.bytes))
    }
}

/// Refuses the definition of a task, with an answer if one is expected.
pub(crate) fn refuse_task(complaint: &Complaint, is_answered: bool) -> ExitCode {
    let (output, errors) = Channel::standard();
    if is_answered {
        output.write(&complaint.answer);
    }
    errors.write(&complaint.picture);
    if is_answered {
        output.write("unknown\n");
    }
    output.close(ExitCode::from(REFUSED))
}

/// What is said of a script that does nothing.
pub(crate) const NO_QUESTION: &str = "the file asks no question: there is no (check-sat)";

pub(crate) fn fail(message: &str, errors: &Channel) -> ExitCode {
    errors.write(&format!("shofar: {message}\n"));
    ExitCode::from(REFUSED)
}
