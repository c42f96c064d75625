//! The texts of problems: reading them, and refusing what cannot be read.

use std::path::Path;
use std::process::ExitCode;

use shofar_chc::read::{HornScript, read_horn};
use shofar_smtlib::{Diagnostic, Source};
use shofar_term::TermStore;

use crate::input;
use crate::output::Channel;

/// Exit status when the input is refused.
pub(crate) const REFUSED: u8 = 2;

/// The text of a problem with its name.
pub(crate) struct Text {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

impl Text {
    /// Reads a file, plain or compressed, or standard input.
    pub(crate) fn read(file: Option<&Path>) -> Result<Self, String> {
        let file = file.filter(|f| f.as_os_str() != "-");
        Ok(Self { name: input::name(file), bytes: input::read(file)? })
    }
    /// Reads the clauses; an error is written to both channels.
    pub(crate) fn horn(
        &self,
        store: &mut TermStore,
        output: &Channel,
        errors: &Channel,
    ) -> Result<HornScript, ExitCode> {
        read_horn(&self.bytes, store).map_err(|diagnostic| {
            self.refuse(&diagnostic, output, errors);
            // A problem that is refused has no answer but this one.
            let _ = output.write("unknown\n").and_then(|()| output.flush());
            ExitCode::from(REFUSED)
        })
    }
    pub(crate) fn refuse(&self, diagnostic: &Diagnostic, output: &Channel, errors: &Channel) {
        let source = Source::new(&self.bytes);
        let headline = diagnostic.headline(&self.name, &source).replace('"', "\"\"");
        // The exit status says it as well.
        let _ = output.write(&format!("(error \"{headline}\")\n"));
        let _ = errors.write(&diagnostic.render(&self.name, &source));
    }
}

/// What is said of a script that does nothing.
pub(crate) const NO_QUESTION: &str = "the file asks no question: there is no (check-sat)";

pub(crate) fn fail(message: &str, errors: &Channel) -> ExitCode {
    // The exit status says it as well.
    let _ = errors.write(&format!("shofar: {message}\n"));
    ExitCode::from(REFUSED)
}
