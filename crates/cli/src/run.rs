//! Feeds a script to a session, command by command.
//!
//! From a file the whole text is read at once. From a pipe or a terminal every command is executed as soon as it is
//! complete, and its answer is flushed.

use std::io::{IsTerminal as _, Read as _};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use shofar_smtlib::{Commands, Diagnostic, Step};

use crate::arguments::SmtArguments;
use crate::input;
use crate::output::Channel;
use crate::session::{Flow, Session};
use crate::watchdog::{Enforcement, Limits, Watch};

/// Exit status after an error.
const FAILED: u8 = 2;
/// How much is read from a stream at once, at most.
const PIECE: usize = 1 << 16;

/// Executes a script.
pub(crate) fn smt(arguments: &SmtArguments) -> ExitCode {
    let output = Channel::stdout();
    let deadline =
        arguments.timeout.map(|seconds| Instant::now() + Duration::from_secs_f64(seconds));
    let memory = arguments.memory.map(|megabytes| megabytes.get().saturating_mul(1 << 20));
    let watch = Watch::start(Limits { deadline, memory }, Enforcement::Script, &output);
    let mut session = Session::new(watch, deadline, output.clone(), arguments.seed);
    let file = arguments.file.as_ref().filter(|file| file.as_os_str() != "-");
    let done = match file {
        Some(file) => run_file(&mut session, file),
        None => run_stream(&mut session),
    };
    if arguments.stats {
        // Nobody is left to tell if even this cannot be written.
        let _ = session.diagnostic.write(&(session.statistics() + "\n"));
    }
    let flushed = session.regular.flush().and_then(|()| session.diagnostic.flush());
    match (done, flushed) {
        (Done::Well, Ok(())) => ExitCode::SUCCESS,
        (Done::Badly, _) | (_, Err(_)) => ExitCode::from(FAILED),
    }
}

/// How a script ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Done {
    Well,
    Badly,
}

fn run_file(session: &mut Session, file: &Path) -> Done {
    match input::read(Some(file)) {
        Ok(text) => {
            let name = input::name(Some(file));
            let mut script = Script { name, commands: Commands::of_text(text) };
            script.run(session, Flushing::AtEnd).unwrap_or(Done::Well)
        }
        Err(message) => {
            // The exit status says it as well.
            let _ = session.diagnostic.write(&format!("shofar: {message}\n"));
            Done::Badly
        }
    }
}

fn run_stream(session: &mut Session) -> Done {
    let mut input = std::io::stdin();
    session.conversation = input.is_terminal();
    let mut script = Script { name: "<stdin>".to_owned(), commands: Commands::new() };
    let mut piece = vec![0; PIECE];
    loop {
        if let Some(done) = script.run(session, Flushing::AtOnce) {
            return done;
        }
        match input.read(&mut piece) {
            Ok(0) => script.commands.finish(),
            Ok(count) => script.commands.feed(&piece[..count]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => {
                // The exit status says it as well.
                let _ = session.diagnostic.write(&format!("cannot read the input: {error}\n"));
                return Done::Badly;
            }
        }
    }
}

/// When answers become visible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flushing {
    AtOnce,
    AtEnd,
}

struct Script {
    name: String,
    commands: Commands,
}

impl Script {
    /// Executes the commands that are there; `None` if more input is needed.
    fn run(&mut self, session: &mut Session, flushing: Flushing) -> Option<Done> {
        loop {
            let error = match self.commands.next(&mut session.env, &mut session.store) {
                Ok(Step::NeedInput) => return None,
                Ok(Step::End) => return Some(Done::Well),
                Ok(Step::Sentence(sentence)) => {
                    let span = sentence.span;
                    match session.execute(sentence) {
                        Ok(Flow::Exit) => return Some(Done::Well),
                        Ok(Flow::Continue) => None,
                        Err(message) => Some(Diagnostic::new(span, message)),
                    }
                }
                Err(error) => Some(error),
            };
            if let Some(error) = error {
                self.report(session, &error);
                if !session.conversation {
                    return Some(Done::Badly);
                }
            }
            if flushing == Flushing::AtOnce && session.regular.flush().is_err() {
                return Some(Done::Badly);
            }
        }
    }
    /// An error is an answer on the regular channel, and a picture on the diagnostic one.
    fn report(&self, session: &Session, error: &Diagnostic) {
        let source = self.commands.source();
        let headline = error.headline(&self.name, &source);
        let answer = format!("(error {})\n", crate::settings::string(&headline));
        let picture = error.render(&self.name, &source);
        // If nothing can be written, the exit status remains.
        let _ = session.regular.write(&answer).and_then(|()| session.regular.flush());
        let _ = session.diagnostic.write(&picture);
    }
}
