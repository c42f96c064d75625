//! The manual page and the completions for shells, made from the definition of the command line.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::arguments::Arguments;

/// Exit status if something cannot be written, or is not there.
const FAILED: u8 = 2;

/// Which manual page.
#[derive(Debug, Args)]
pub(crate) struct ManualArguments {
    /// The page of this subcommand instead of the main page.
    pub(crate) subcommand: Option<String>,
    /// Write all pages into this folder instead.
    #[arg(long, value_name = "DIR", conflicts_with = "subcommand")]
    pub(crate) into: Option<PathBuf>,
}

/// For which shell.
#[derive(Debug, Args)]
pub(crate) struct CompletionArguments {
    /// The shell.
    pub(crate) shell: Shell,
}

/// Prints or writes manual pages.
pub(crate) fn manual(arguments: &ManualArguments) -> ExitCode {
    let mut command = Arguments::command();
    command.build();
    let page = match (&arguments.into, &arguments.subcommand) {
        (Some(folder), _) => {
            let written = std::fs::create_dir_all(folder)
                .and_then(|()| clap_mangen::generate_to(command, folder));
            return finish(written, &folder.display().to_string());
        }
        (None, Some(name)) => command.find_subcommand(name).cloned(),
        (None, None) => Some(command),
    };
    let name = arguments.subcommand.as_deref().unwrap_or("shofar");
    let Some(page) = page else {
        return finish(Err(io::Error::other("there is no such subcommand")), name);
    };
    let mut text = Vec::new();
    let printed = Man::new(page).render(&mut text).and_then(|()| print(&text));
    finish(printed, name)
}

/// Prints completions.
pub(crate) fn completions(arguments: &CompletionArguments) -> ExitCode {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "shofar", &mut text);
    finish(print(&text), "standard output")
}

fn print(text: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text).and_then(|()| out.flush())
}

fn finish(done: io::Result<()>, what: &str) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody is left to tell if even this cannot be written.
            let _ = writeln!(io::stderr(), "shofar: {what}: {error}");
            ExitCode::from(FAILED)
        }
    }
}
