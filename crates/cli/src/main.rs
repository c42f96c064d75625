//! The program `shofar`: arguments, files, printing. Everything else is in the crates below.
//!
//! | file | what |
//! |---|---|
//! | `arguments` | the command line |
//! | `horn` | decides scripts of Horn clauses |
//! | `horn_session` | executes their commands |
//! | `question` | decides one problem, and prints the answer |
//! | `check` | validates witnesses |
//! | `show` | describes and draws clauses |
//! | `translate` | writes clauses in another language |
//! | `text` | the texts of problems |
//! | `report` | progress and statistics of a Horn problem |
//! | `dump` | writes the questions put to the SMT solver as scripts |
//! | `generate` | writes clauses that are hard on purpose |
//! | `log` | what `-v` shows |
//! | `bench` | runs suites of problems |
//! | `cluster` | has problems solved by many machines |
//! | `solc` | stands in for the solvers that Solidity's compiler calls |
//! | `spelling` | what other solvers' options are called here |
//! | `command_line` | from the words of the command line to arguments |
//! | `input` | files, plain or compressed |
//! | `unpack` | compressed files |
//! | `manual` | the manual page and completions |
//! | `engine_options` | the options that engines declare |
//! | `language_options` | the options that languages declare |
//! | `task` | what the witness of a verification task says about itself |
//! | `run` | feeds a script to a session, command by command |
//! | `session` | executes the commands of `shofar smt` |
//! | `reply` | what commands answer |
//! | `settings` | the options of SMT-LIB |
//! | `answers` | what the commands that ask something print |
//! | `output` | the channels that are written to |
//! | `limits` | limits on time and memory |
//! | `watchdog` | enforces them |
//! | `signals` | Ctrl-C and the like |
//! | `leash` | ends with who started the process |
//! | `stand_by` | a process that is there before its problem |
//!
//! Architecture invariant: only this crate, `bench` and `cluster` read files, print, or look at the clock beyond a budget's deadline.

mod answers;
mod arguments;
mod bench;
mod check;
mod cluster;
mod command_line;
#[cfg(test)]
mod damage;
mod dump;
mod engine_options;
mod generate;
mod horn;
mod horn_session;
mod input;
mod interpolants;
mod language_options;
mod leash;
mod limits;
mod log;
mod manual;
mod model;
mod output;
mod question;
mod reply;
mod report;
mod run;
mod session;
mod settings;
mod show;
mod signals;
mod solc;
mod spelling;
mod stand_by;
mod task;
mod text;
mod translate;
mod unpack;
mod watchdog;

use std::process::ExitCode;

use arguments::Task;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments = match command_line::parse() {
        Ok(arguments) => arguments,
        Err(error) if error.use_stderr() => error.exit(),
        Err(help) => return output::printed(help.print()),
    };
    match &arguments.task {
        None => horn::run(&arguments.solve),
        Some(Task::Check(arguments)) => check::check(arguments),
        Some(Task::Info(arguments)) => show::info(arguments),
        Some(Task::Graph(arguments)) => show::graph(arguments),
        Some(Task::Translate(arguments)) => translate::translate(arguments),
        Some(Task::Smt(arguments)) => run::smt(arguments),
        Some(Task::Engines) => show::engines(),
        Some(Task::Bench(arguments)) => bench::bench(arguments),
        Some(Task::Submit(arguments)) => cluster::submit(arguments),
        Some(Task::Worker(arguments)) => cluster::worker(arguments),
        Some(Task::Collect(arguments)) => cluster::collect(arguments),
        Some(Task::Cluster(arguments)) => cluster::cluster(arguments),
        Some(Task::StandBy) => stand_by::stand_by(),
        Some(Task::SolcShim(arguments)) => solc::install(arguments),
        Some(Task::As(arguments)) => solc::answer(arguments),
        Some(Task::Generate(arguments)) => generate::generate(arguments),
        Some(Task::Manual(arguments)) => manual::manual(arguments),
        Some(Task::Completions(arguments)) => manual::completions(arguments),
    }
}
