//! The manual page, made from the definition of the command line.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, CommandFactory as _};
use clap_mangen::Man;

use crate::arguments::Arguments;
use crate::output::Channel;
use crate::text::fail;

/// Which manual page.
#[derive(Debug, Args)]
pub(crate) struct ManualArguments {
    /// The page of this subcommand instead of the main page.
    pub(crate) subcommand: Option<String>,
    /// Write all pages into this folder instead.
    #[arg(long, value_name = "DIR", conflicts_with = "subcommand")]
    pub(crate) into: Option<PathBuf>,
}

/// Prints or writes manual pages.
pub(crate) fn manual(arguments: &ManualArguments) -> ExitCode {
    let mut command = Arguments::command();
    command.build();
    let page = match (&arguments.into, &arguments.subcommand) {
        (Some(folder), _) => {
            let written = std::fs::create_dir_all(folder)
                .and_then(|()| clap_mangen::generate_to(command, folder));
            return match written {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => complain(&folder.display().to_string(), &error),
            };
        }
        (None, Some(name)) => command.find_subcommand(name).cloned(),
        (None, None) => Some(command),
    };
    let name = arguments.subcommand.as_deref().unwrap_or("shofar");
    let Some(page) = page else {
        return complain(name, &io::Error::other("there is no such subcommand"));
    };
    let mut text = Vec::new();
    match Man::new(page).render(&mut text) {
        Ok(()) => print(&text),
        Err(error) => complain(name, &error),
    }
}

fn print(text: &[u8]) -> ExitCode {
    let (output, _) = Channel::standard();
    output.write(&String::from_utf8_lossy(text));
    output.close(ExitCode::SUCCESS)
}

fn complain(what: &str, error: &io::Error) -> ExitCode {
    fail(&format!("{what}: {error}"), &Channel::stderr())
}
