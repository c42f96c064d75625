//! From the words of the command line to arguments, with help where the parser of the language of
//! options has none.
//!
//! Options of other solvers are respelt first. After parsing, options of engines that do not run
//! are refused: they would have no effect, and whoever wrote them expects one.

use std::ffi::OsString;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{ArgMatches, Command, CommandFactory as _, Error, FromArgMatches as _};

use shofar_engine::option_owners;

use crate::arguments::{Arguments, Task};
use crate::{help, spelling};

/// The subcommand that may also be the name of a file.
const SOLVE: &str = "solve";

/// The arguments that these words say, the first of which is the program, or what is to be said
/// instead: a complaint, or help.
pub(crate) fn parse_words(words: Vec<OsString>) -> Result<Arguments, Error> {
    let mut command = Arguments::command();
    let names: Vec<String> = command.get_subcommands().map(|c| c.get_name().to_owned()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).chain(["help"]).collect();
    let refusal =
        |command: &mut Command, message: String| command.error(ErrorKind::InvalidValue, message);
    let words =
        spelling::respell(words, &names).map_err(|message| refusal(&mut command, message))?;
    let matches = match command.try_get_matches_from_mut(&words) {
        Ok(matches) => matches,
        Err(error) if shows_help(&error) => return Err(help(words, error)),
        Err(error) => return Err(explain(&mut command, error)),
    };
    let mut arguments =
        Arguments::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
    let mut about_solving = arguments.task.is_none().then_some(&matches);
    if let Some(Task::Solve(solve)) = &mut arguments.task {
        if solve.file.is_none() && Path::new(SOLVE).is_file() {
            solve.file = Some(SOLVE.into());
        }
        std::mem::swap(&mut arguments.solve, solve);
        arguments.task = None;
        about_solving = matches.subcommand_matches(SOLVE);
    }
    if let Some(matches) = about_solving
        && let Some(message) = idle_option(&command, matches, &arguments.solve.engine)
    {
        return Err(refusal(&mut command, message));
    }
    Ok(arguments)
}

fn shows_help(error: &Error) -> bool {
    let asked = ErrorKind::DisplayHelp;
    [asked, ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand].contains(&error.kind())
}

/// The page of help that was asked for; it is made only then, since every start would have to wait
/// for it.
fn help(words: Vec<OsString>, fallback: Error) -> Error {
    let mut command = help::with_pages(Arguments::command());
    command.try_get_matches_from_mut(words).err().unwrap_or(fallback)
}

/// A second file is an unknown argument to the parser; people want to know what to do.
fn explain(command: &mut Command, error: Error) -> Error {
    // Where subcommands are possible, the second file is taken for one.
    let kinds = [ContextKind::InvalidArg, ContextKind::InvalidSubcommand];
    let word = kinds.into_iter().find_map(|kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word),
        Some(_) | None => None,
    });
    if matches!(error.kind(), ErrorKind::UnknownArgument | ErrorKind::ArgumentConflict)
        && let Some(word) = word
        && !word.starts_with('-')
        && command.find_subcommand(word).is_none()
    {
        let message = format!(
            "one file at a time is solved, and {word} is one too many; `shofar bench` takes many"
        );
        return command.error(ErrorKind::TooManyValues, message);
    }
    error
}

/// The complaint about an option of an engine that does not run.
fn idle_option(command: &Command, matches: &ArgMatches, engines: &[String]) -> Option<String> {
    // The default strategy has a time slice for every engine.
    let runs = |name: &&str| engines.is_empty() || engines.iter().any(|engine| engine == name);
    command.get_arguments().find_map(|argument| {
        let heading = argument.get_help_heading()?;
        let owners = option_owners(heading);
        let is_given =
            matches.value_source(argument.get_id().as_str()) == Some(ValueSource::CommandLine);
        (is_given && !owners.is_empty() && !owners.iter().any(runs)).then(|| {
            let option = argument.get_long().unwrap_or_default();
            let who = owners.join(" or ");
            format!("--{option} is an option of {who}, which does not run; add it to `--engine`")
        })
    })
}

#[cfg(test)]
mod tests {
    use shofar_engine::option_groups;

    use super::*;

    #[test]
    fn every_heading_is_general_or_belongs_to_an_engine() {
        let general = ["Solving", "Preprocessing", "Limits", "Output", "Languages"];
        let command = Arguments::command();
        for argument in command.get_arguments() {
            let Some(heading) = argument.get_help_heading() else { continue };
            let is_known = general.contains(&heading) || !option_owners(heading).is_empty();
            assert!(is_known, "{heading} belongs to no engine");
        }
        for group in option_groups() {
            let is_there =
                command.get_arguments().any(|a| a.get_help_heading() == Some(group.heading));
            assert!(is_there, "{}", group.heading);
        }
    }
}
