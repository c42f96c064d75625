//! `shofar submit`, `worker`, `collect`, `cancel` and `cluster`, see [`shofar_cluster`]: what they
//! print, and how they end.

use std::io::IsTerminal as _;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::CommandFactory as _;
use shofar_cluster::{
    CancelArguments, ClusterArguments, CollectArguments, Shown, SubmitArguments, Surroundings,
    WorkerArguments,
};
use tracing::Level;

use crate::arguments::Arguments;
use crate::input;
use crate::job_options::JobOptions;
use crate::output::Channel;
use crate::signals;
use crate::text::fail;

/// Exit status if a result was rejected.
const REJECTED: u8 = 1;
/// Exit status after Ctrl-C.
const INTERRUPTED: u8 = 130;
/// Clears a terminal.
const CLEAR: &str = "\x1b[H\x1b[J";

/// What commands of the cluster share.
struct Command {
    stop: Arc<AtomicBool>,
    options: JobOptions,
    output: Channel,
    errors: Channel,
}

impl Command {
    /// Starts a log of what the cluster tells at this level, and listens for signals.
    fn start(level: Level) -> Result<Self, String> {
        crate::log::show_dated(level);
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        signals::listen(move |_| flag.store(true, Ordering::SeqCst))
            .map_err(|error| format!("cannot listen for Ctrl-C: {error}"))?;
        let (output, errors) = Channel::standard();
        Ok(Self { stop, options: job_options(), output, errors })
    }
    /// What the commands need of this program.
    fn surroundings(&self) -> Surroundings<'_> {
        surroundings(&self.stop, &self.options)
    }
    fn is_interrupted(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }
    fn print(&self, text: &str) -> Result<(), String> {
        self.output.write(text);
        self.output.flush();
        if self.output.is_broken() { self.output.finish() } else { Ok(()) }
    }
    fn end(&self, status: u8) -> ExitCode {
        self.output.close(ExitCode::from(status))
    }
}

/// The options that a job may carry, for this version of the program.
pub(crate) fn job_options() -> JobOptions {
    JobOptions::new(Arguments::command().get_version().unwrap_or_default())
}

/// What commands of the cluster need of this program.
pub(crate) fn surroundings<'s>(stop: &'s AtomicBool, options: &'s JobOptions) -> Surroundings<'s> {
    Surroundings { stop, read: &read, line: options }
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    input::read(Some(path))
}

/// Runs a command that may not be possible at all.
fn run(level: Level, act: impl FnOnce(&Command) -> Result<ExitCode, String>) -> ExitCode {
    match Command::start(level).and_then(|command| act(&command)) {
        Ok(code) => code,
        Err(why) => fail(&why, &Channel::stderr()),
    }
}

/// `shofar submit`.
pub(crate) fn submit(arguments: &SubmitArguments) -> ExitCode {
    run(Level::WARN, |command| {
        let said = shofar_cluster::submit(arguments, command.surroundings())?;
        command.print(&said)?;
        Ok(command.end(0))
    })
}

/// `shofar worker`.
pub(crate) fn worker(arguments: &WorkerArguments) -> ExitCode {
    run(Level::INFO, |command| {
        shofar_cluster::work(arguments, command.surroundings())?;
        Ok(command.end(0))
    })
}

/// `shofar collect`.
pub(crate) fn collect(arguments: &CollectArguments) -> ExitCode {
    run(Level::WARN, |command| {
        let mut print = |line: &str| command.print(&format!("{line}\n"));
        let collected = shofar_cluster::collect(arguments, command.surroundings(), &mut print)?;
        if collected.open > 0 {
            let problems = if collected.open == 1 { "problem is" } else { "problems are" };
            command.errors.write(&format!("shofar: {} {problems} open\n", collected.open));
        }
        Ok(command.end(match collected.rejected {
            _ if command.is_interrupted() => INTERRUPTED,
            0 => 0,
            _ => REJECTED,
        }))
    })
}

/// `shofar cancel`.
pub(crate) fn cancel(arguments: &CancelArguments) -> ExitCode {
    run(Level::WARN, |command| {
        let said = shofar_cluster::cancel(arguments, command.surroundings())?;
        command.print(&said)?;
        Ok(command.end(0))
    })
}

/// `shofar cluster`.
pub(crate) fn cluster(arguments: &ClusterArguments) -> ExitCode {
    run(Level::WARN, |command| {
        let clear = if std::io::stdout().is_terminal() { CLEAR } else { "" };
        shofar_cluster::watch(arguments, command.surroundings(), &mut |shown| match shown {
            Shown::Picture(text) => command.print(&format!("{clear}{text}")),
            Shown::Line(line) => command.print(&format!("{line}\n")),
        })?;
        Ok(command.end(0))
    })
}
