//! `shofar FILE`: decides scripts of Horn clauses.

use std::process::ExitCode;

use crate::arguments::{PropertyArgument, SolveArguments};
use crate::horn_session::HornSession;
use crate::input;
use crate::limits::Limits;
use crate::output::Channel;
use crate::question::Configuration;
use crate::run::{Interpreter as _, Origin, run as run_script, run_begun, run_whole};
use crate::text::{Text, fail};
use crate::watchdog::{Debt, Enforcement, Watch};

/// `shofar FILE`: executes a script.
pub(crate) fn run(arguments: &SolveArguments) -> ExitCode {
    let file = arguments.file.as_deref().filter(|file| file.as_os_str() != "-");
    start(arguments, |session, errors| {
        if file.is_some() || arguments.property != Some(PropertyArgument::Termination) {
            return run_script(session, file, errors);
        }
        // What is asked about a whole program is not asked before it is there.
        session.open(Origin::File);
        let text = input::read(None)?;
        session.answer_text(None, &text);
        Ok(())
    })
}

/// Executes a script that has been read.
pub(crate) fn run_text(arguments: &SolveArguments, text: Text) -> ExitCode {
    start(arguments, |session, _| {
        run_whole(session, text);
        Ok(())
    })
}

/// Executes a script from a pipe whose beginning has been read.
pub(crate) fn run_pipe(arguments: &SolveArguments, begin: Vec<u8>) -> ExitCode {
    start(arguments, |session, _| run_begun(session, begin))
}

/// Lets `execute` work on a session; `Err` says why the script could not be read.
fn start(
    arguments: &SolveArguments,
    execute: impl FnOnce(&mut HornSession<'_>, &Channel) -> Result<(), String>,
) -> ExitCode {
    crate::log::start(arguments.verbose);
    if arguments.leash {
        crate::leash::start();
    }
    let (output, errors) = Channel::standard();
    let memory = arguments.memory.map(|megabytes| megabytes.get().saturating_mul(1 << 20));
    let (timeout, cpu) = (arguments.timeout, arguments.cpu_timeout);
    let limits = match arguments.begin {
        None => Limits::new(timeout, cpu, memory),
        Some(begin) => Limits::since(begin, timeout, cpu, memory),
    };
    let debt = if arguments.file.is_some() { Debt::Answer } else { Debt::Nothing };
    let watch = Watch::start(limits, Enforcement::Question, debt, (&output, &errors));
    let configuration = match Configuration::new(arguments, limits, errors.clone()) {
        Ok(configuration) => configuration,
        Err(message) => return fail(&message, &errors),
    };
    let mut session = HornSession::new(configuration, watch, output.clone(), errors.clone());
    let code = match execute(&mut session, &errors) {
        Ok(()) => session.end(),
        Err(message) => fail(&message, &errors),
    };
    // The system takes the memory back faster than we could give it.
    std::mem::forget(session);
    output.close(code)
}
