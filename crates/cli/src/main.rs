//! The program `shofar`: arguments, files, printing. Everything else is in the crates below.
//!
//! | file | what |
//! |---|---|
//! | `arguments` | the command line |
//! | `horn` | solves Horn problems |
//! | `check` | validates witnesses |
//! | `show` | describes and draws clauses |
//! | `text` | the texts of problems |
//! | `report` | progress and statistics of a Horn problem |
//! | `dump` | writes the questions put to the SMT solver as scripts |
//! | `log` | what `-v` shows |
//! | `bench` | runs suites of problems |
//! | `spelling` | what other solvers' options are called here |
//! | `command_line` | from the words of the command line to arguments |
//! | `input` | files, plain or compressed |
//! | `unpack` | compressed files |
//! | `manual` | the manual page and completions |
//! | `spacer_options`, `tpa_options`, `pdkind_options` | switches of engines |
//! | `run` | feeds a script to a session, command by command |
//! | `session` | executes commands |
//! | `settings` | the options of SMT-LIB |
//! | `answers` | what the commands that ask something print |
//! | `output` | the channels that are written to |
//! | `watchdog` | limits on time and memory, and Ctrl-C |
//!
//! Architecture invariant: only this crate reads files, prints, or looks at the clock beyond a budget's deadline.

mod answers;
mod arguments;
mod bench;
mod check;
mod command_line;
mod dump;
mod horn;
mod input;
mod log;
mod manual;
mod output;
mod pdkind_options;
mod report;
mod run;
mod session;
mod settings;
mod show;
mod spacer_options;
mod spelling;
mod text;
mod tpa_options;
mod unpack;
mod watchdog;

use std::process::ExitCode;

use arguments::Task;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments = command_line::parse();
    match &arguments.task {
        None => horn::run(&arguments.solve),
        Some(Task::Check(arguments)) => check::check(arguments),
        Some(Task::Info(arguments)) => show::info(arguments),
        Some(Task::Graph(arguments)) => show::graph(arguments),
        Some(Task::Smt(arguments)) => run::smt(arguments),
        Some(Task::Engines) => show::engines(),
        Some(Task::Bench(arguments)) => bench::bench(arguments),
        Some(Task::Manual(arguments)) => manual::manual(arguments),
        Some(Task::Completions(arguments)) => manual::completions(arguments),
    }
}
