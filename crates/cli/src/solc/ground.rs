//! Questions without predicates, which the bounded model checker of the compiler puts to `z3`.
//!
//! The script is executed as by `shofar smt`. Whoever asked takes the first word for the answer, so
//! a script that cannot be understood, or has no question, is answered by `unknown`.

use std::path::Path;
use std::process::ExitCode;

use shofar_base::Diagnostic;
use shofar_smtlib::{Command, Commands, Sentence, Step};

use crate::arguments::SmtArguments;
use crate::limits::Limits;
use crate::output::Channel;
use crate::reply::Flow;
use crate::run::{Interpreter, Origin, Pause, Script};
use crate::session::Session;
use crate::text::{BUG, fail};
use crate::watchdog::{Debt, Enforcement, Watch};

/// Executes within so many seconds a script that `execute` gives to the interpreter; `Err` says why
/// it could not be read.
pub(super) fn answer(
    seconds: f64,
    execute: impl FnOnce(&mut dyn Interpreter) -> Result<(), String>,
) -> ExitCode {
    let arguments = SmtArguments {
        file: None,
        timeout: Some(seconds),
        query_timeout: None,
        cpu_timeout: None,
        memory: None,
        stats: false,
        seed: 0,
    };
    let (output, errors) = Channel::standard();
    let limits = Limits::new(arguments.timeout, None, None);
    let watch = Watch::start(limits, Enforcement::Script, Debt::Nothing, (&output, &errors));
    let session = Session::new(watch, limits, (output.clone(), errors.clone()), &arguments);
    let mut script = GroundScript { session, has_answered: false };
    let code = match execute(&mut script) {
        Ok(()) if script.session.has_bug => ExitCode::from(BUG),
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => fail(&message, &errors),
    };
    output.close(script.session.diagnostic.close(code))
}

/// A script in execution.
struct GroundScript {
    session: Session,
    /// Whether a question has been answered.
    has_answered: bool,
}

impl Interpreter for GroundScript {
    fn open(&mut self, origin: Origin) {
        self.session.open(origin);
    }
    fn answer_text(&mut self, _: Option<&Path>, _: &[u8]) -> bool {
        false
    }
    fn append(&mut self, _: &[u8]) {}
    fn next(&mut self, commands: &mut Commands) -> Result<Step, Diagnostic> {
        self.session.next(commands)
    }
    fn execute(&mut self, sentence: Sentence, script: &Script) -> Flow {
        let span = sentence.span;
        let is_question =
            matches!(sentence.command, Command::CheckSat | Command::CheckSatAssuming(_));
        match self.session.execute(sentence) {
            Ok(flow) => {
                self.has_answered |= is_question;
                if self.session.regular.is_broken() { Flow::Exit } else { flow }
            }
            Err(message) => self.refuse(&Diagnostic::new(span, message), script),
        }
    }
    /// Requests about a model that is not there are of no interest.
    fn refuse(&mut self, error: &Diagnostic, script: &Script) -> Flow {
        self.session.diagnostic.write(&script.complaint(error).picture);
        Flow::Exit
    }
    fn pause(&mut self, pause: Pause, script: &Script) -> Flow {
        if pause == Pause::End && !self.has_answered {
            self.session.regular.write("unknown\n");
        }
        self.session.pause(pause, script)
    }
}
