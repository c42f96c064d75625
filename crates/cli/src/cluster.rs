//! `shofar submit`, `worker`, `collect` and `cluster`, see [`shofar_cluster`]: what they print, and how they end.

use std::io::IsTerminal as _;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::CommandFactory as _;
use shofar_cluster::{
    ClusterArguments, CollectArguments, CommandLine, Shown, SubmitArguments, Surroundings,
    WorkerArguments,
};
use shofar_engine::option_owners;
use tracing::Level;

use crate::arguments::Arguments;
use crate::command_line::parse_words;
use crate::input;
use crate::output::Channel;
use crate::signals;
use crate::text::fail;

/// Exit status if a result was rejected.
const REJECTED: u8 = 1;
/// Exit status after Ctrl-C.
const INTERRUPTED: u8 = 130;
/// Options of solving that name files.
const WITH_FILES: [&str; 1] = ["hints"];
/// Clears a terminal.
const CLEAR: &str = "\x1b[H\x1b[J";

/// What commands of the cluster share.
struct Command {
    stop: Arc<AtomicBool>,
    options: SolvingOptions,
    output: Channel,
    errors: Channel,
}

impl Command {
    /// Starts a log of what the cluster tells at this level, and listens for signals.
    fn start(level: Level) -> Result<Self, String> {
        crate::log::show(level);
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        signals::listen(move |_| flag.store(true, Ordering::SeqCst))
            .map_err(|error| format!("cannot listen for Ctrl-C: {error}"))?;
        let (output, errors) = Channel::standard();
        Ok(Self { stop, options: SolvingOptions::new(), output, errors })
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

/// What commands of the cluster need of this program.
pub(crate) fn surroundings<'s>(
    stop: &'s AtomicBool,
    options: &'s SolvingOptions,
) -> Surroundings<'s> {
    Surroundings { stop, read: &read, line: options }
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    input::read(Some(path))
}

/// The options that say how to solve or to read a problem: not where it is, and not what is written or printed.
pub(crate) struct SolvingOptions {
    /// Their names, without dashes.
    names: Vec<String>,
}

impl SolvingOptions {
    /// Those of the command line.
    pub(crate) fn new() -> Self {
        let command = Arguments::command();
        let travels = |argument: &&clap::Arg| {
            let heading = argument.get_help_heading().unwrap_or_default();
            let is_general = matches!(heading, "Solving" | "Preprocessing" | "Languages");
            is_general || !option_owners(heading).is_empty()
        };
        let names = command.get_arguments().filter(travels).filter_map(clap::Arg::get_long);
        let names = names.filter(|name| !WITH_FILES.contains(name)).map(str::to_owned).collect();
        Self { names }
    }
}

impl CommandLine for SolvingOptions {
    fn is_about_solving(&self, word: &str) -> bool {
        let name = word.strip_prefix("--").map(|word| word.split('=').next().unwrap_or_default());
        name.is_some_and(|name| self.names.iter().any(|known| known == name))
    }
    fn objection(&self, options: &[String]) -> Option<String> {
        let words = ["shofar"].into_iter().chain(options.iter().map(String::as_str));
        let words = words.chain(["problem.smt2"]).map(Into::into).collect();
        let error = parse_words(words).err()?.to_string();
        let line = error.lines().next().unwrap_or_default();
        Some(line.strip_prefix("error: ").unwrap_or(line).to_owned())
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_options_about_solving_travel() {
        let options = SolvingOptions::new();
        for word in [
            "--engine=kind",
            "--seed=3",
            "--threads=1",
            "--check-proofs",
            "--passes=slice",
            "--pdkind-depth=2",
            "--c-arith=int",
            "--encode=og",
            "--time=int",
            "--property=safety",
        ] {
            assert!(options.is_about_solving(word), "{word}");
        }
        for word in [
            "--dump-queries=/tmp",
            "--hints=/etc/passwd",
            "--timeout=9",
            "--memory=9",
            "--witness",
            "--leash",
            "--relay=/tmp/socket",
            "--help",
            "-v",
            "file",
            "--",
            "",
        ] {
            assert!(!options.is_about_solving(word), "{word}");
        }
    }

    #[test]
    fn options_that_make_no_sense_are_refused_before_they_travel() {
        let objection = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
            SolvingOptions::new().objection(&words)
        };
        assert_eq!(objection(&[]), None);
        assert_eq!(objection(&["--engine=kind,spacer", "--share=all", "--c-arith=int"]), None);
        for (words, why) in [
            (&["--engine=knid"][..], "knid"),
            (&["--seed"], "--seed"),
            (&["--c-arith=float"], "float"),
            (&["--engine=kind", "--pdkind-depth=2"], "pdkind, which does not run"),
        ] {
            let said = objection(words).unwrap();
            assert!(said.contains(why) && !said.starts_with("error"), "{said}");
        }
    }
}
