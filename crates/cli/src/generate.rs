//! `shofar generate`: recursion-free clauses that are hard on purpose, with answers that are known
//! otherwise.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use shofar_chc::ChcSystem;
use shofar_chc::print::print_horn;
use shofar_rf::generate::{Machine, Qbf, qbf, turing};
use shofar_term::TermStore;

use crate::output::Channel;
use crate::text::{Text, fail};

/// What to write.
#[derive(Debug, Args)]
pub(crate) struct GenerateArguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Clauses that can be satisfied exactly if a quantified Boolean formula is false.
    Qbf {
        /// The formula in QDIMACS; `-` or nothing reads from standard input.
        file: Option<PathBuf>,
    },
    /// Clauses that can be satisfied exactly if no run of a Turing machine halts within 2 to the
    /// power of LEVELS steps.
    Turing {
        /// The machine: lines `STATE BIT STATE BIT L` or `R` (state, bit read, next state, bit
        /// written, direction) and one line `halt STATE`; it starts in state 0. `-` or
        /// nothing reads from standard input.
        file: Option<PathBuf>,
        /// How often the number of steps is doubled.
        #[arg(long, value_name = "LEVELS", default_value_t = 4)]
        levels: u16,
    },
}

/// `shofar generate WHAT FILE`.
pub(crate) fn generate(arguments: &GenerateArguments) -> ExitCode {
    let (output, errors) = Channel::standard();
    let mut store = TermStore::new();
    let system = match &arguments.what {
        What::Qbf { file } => read(file.as_deref(), |text| {
            Ok(qbf(&mut store, &Qbf::parse(text).map_err(|error| error.to_string())?))
        }),
        What::Turing { file, levels } => read(file.as_deref(), |text| {
            let machine = Machine::parse(text).map_err(|error| error.to_string())?;
            Ok(turing(&mut store, &machine, usize::from(*levels)))
        }),
    };
    let mut text = Vec::new();
    let written = system.and_then(|system| {
        print_horn(&mut text, &mut store, &system, &[]).map_err(|error| error.to_string())
    });
    if let Err(message) = written {
        return fail(&message, &errors);
    }
    output.write(&String::from_utf8_lossy(&text));
    output.close(ExitCode::SUCCESS)
}

fn read(
    file: Option<&Path>,
    make: impl FnOnce(&str) -> Result<ChcSystem, String>,
) -> Result<ChcSystem, String> {
    let text = Text::read(file)?;
    let content = String::from_utf8_lossy(&text.bytes);
    make(&content).map_err(|message| format!("{}: {message}", text.name))
}
